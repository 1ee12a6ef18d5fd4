//! Interleaved packets: each takes a step while the others' prefetches arrive.

use super::LeafTriangle;
use super::packet::Packet;
use crate::Sides;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::collector::Collector;
use crate::tri_mesh::TriMesh;
use core::ops::Range;

/// The number of packets in a group.
const GROUP: usize = 4;

/// Packets, and the numbers of their first rays.
pub(crate) struct PacketGroup<C> {
    packets: [Packet<C>; GROUP],
    firsts: [usize; GROUP],
    /// The number of packets in use.
    count: usize,
}

impl<C: Collector<LeafTriangle> + Copy> PacketGroup<C> {
    pub(crate) fn new() -> Self {
        Self {
            packets: [(); GROUP].map(|()| Packet::new()),
            firsts: [0; GROUP],
            count: 0,
        }
    }

    /// Adds a packet of the rays of these numbers, each with the t up to which hits matter, if they
    /// are coherent enough. There must be room, and one ray at least.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn try_add(
        &mut self,
        mesh: &TriMesh,
        numbers: Range<usize>,
        ray_of: impl Fn(usize) -> (LocalRay, f32),
    ) -> bool {
        let is_packet = self.packets[self.count].init(
            mesh,
            (
                numbers.len(),
                #[cfg_attr(not(debug_assertions), inline(always))]
                |place| ray_of(numbers.start + place),
            ),
        );
        if is_packet {
            self.firsts[self.count] = numbers.start;
            self.count += 1;
        }
        is_packet
    }

    pub(crate) fn are_full(&self) -> bool {
        self.count == GROUP
    }

    /// Takes all that were added through the mesh and out of the group, and passes on what each of
    /// their rays has found.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn run(
        &mut self,
        mesh: &TriMesh,
        sides: Sides,
        mut pass_on: impl FnMut(usize, &C, &TriangleHit),
    ) {
        self.traverse(mesh, sides);
        for (packet, &first) in self.packets[..self.count].iter().zip(&self.firsts) {
            for (place, (collector, hit)) in packet.found().enumerate() {
                pass_on(first + place, collector, hit);
            }
        }
        self.count = 0;
    }

    fn traverse(&mut self, mesh: &TriMesh, sides: Sides) {
        let mut under_way = [false; GROUP];
        under_way[..self.count].fill(true);
        while under_way.contains(&true) {
            for (packet, is_under_way) in self.packets.iter_mut().zip(&mut under_way) {
                if *is_under_way {
                    *is_under_way = packet.step(mesh, sides);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::packet::PACKET;
    use super::*;
    use crate::Ray;
    use crate::narrow_phase::ray_cast::ray::LocalRay;
    use crate::query::collector::{Any, Closest};
    use glam::Vec3;

    /// A square of 2 by 2 triangles.
    fn square() -> TriMesh {
        let positions = [0.0, 1.0, 2.0].map(|x| [0.0, 1.0, 2.0].map(|y| Vec3::new(x, y, 0.1 * x)));
        let corner = |x: u32, y: u32| 3 * x + y;
        let cell = |x, y| {
            let (a, b) = (corner(x, y), corner(x + 1, y));
            [
                [a, b, corner(x, y + 1)],
                [corner(x + 1, y + 1), corner(x, y + 1), b],
            ]
        };
        let triangles = [cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1)].concat();
        TriMesh::new(positions.concat(), triangles).expect("a good mesh")
    }

    fn towards(targets: impl Fn(f32, f32) -> Vec3) -> [Ray; PACKET] {
        let eye = Vec3::new(3.0, 4.0, 7.0);
        let numbers = [0.0, 1.0, 2.0, 3.0];
        let targets = numbers.map(|x| numbers.map(|y| targets(x, y)));
        let rays: Vec<Ray> = (targets.as_flattened().iter())
            .map(|target| Ray::new(eye, *target - eye).expect("a good ray"))
            .collect();
        rays.try_into().expect("as many as a packet has")
    }

    /// What a collector finds for each of the rays in a packet, with hits up to `t_max`; `None` where
    /// they are not coherent.
    fn found<C: Collector<LeafTriangle> + Copy, T>(
        mesh: &TriMesh,
        (rays, t_max): (&[Ray], f32),
        read: impl Fn(&C, &TriangleHit) -> T,
    ) -> Option<Vec<T>> {
        let mut packets = PacketGroup::<C>::new();
        let ray_of = |number: usize| (LocalRay::from(&rays[number]), t_max);
        if !packets.try_add(mesh, 0..rays.len(), ray_of) {
            return None;
        }
        let mut found = Vec::new();
        packets.run(mesh, Sides::Both, |_, collector, hit| {
            found.push(read(collector, hit));
        });
        Some(found)
    }

    #[test]
    fn rays_that_go_the_same_way_are_answered_together() {
        let mesh = square();
        let rays = towards(|x, y| Vec3::new(0.8 + 0.1 * x, 0.7 + 0.1 * y, 0.1));
        let t = |closest: &Closest<LeafTriangle>, hit: &TriangleHit| closest.best().map(|_| hit.t);
        let alone = rays.map(|ray| mesh.cast_ray(&ray, ()).map(|hit| hit.t));
        assert_eq!(alone.iter().flatten().count(), PACKET);
        assert_eq!(
            found(&mesh, (&rays, f32::INFINITY), t),
            Some(alone.to_vec())
        );
        for count in 1..PACKET {
            let some = found(&mesh, (&rays[..count], f32::INFINITY), t);
            assert_eq!(some, Some(alone[..count].to_vec()));
        }
        // A hit at the limit itself still matters.
        let limit = alone[5].expect("a hit");
        let near = alone.map(|t| t.filter(|t| *t <= limit));
        assert_eq!(found(&mesh, (&rays, limit), t), Some(near.to_vec()));
        let is_hit = |any: &Any, _: &TriangleHit| any.is_hit();
        let every = found(&mesh, (&rays, f32::INFINITY), is_hit);
        assert_eq!(every, Some(vec![true; PACKET]));
    }

    #[test]
    fn rays_that_go_apart_are_not() {
        let mesh = square();
        let rays = towards(|x, y| Vec3::new(20.0 * x, 9.0 * y, 0.1));
        let none = found(&mesh, (&rays, f32::INFINITY), |_: &Any, _| ());
        assert_eq!(none, None);
    }
}
