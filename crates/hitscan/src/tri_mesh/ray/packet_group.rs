//! Interleaved packets: each takes a step while the others' prefetches arrive.

use super::LeafTriangle;
use super::packet::{PACKET, Packet};
use crate::query::closest_hits::ClosestHits;
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayHit, Sides};
use core::cell::Cell;

/// The number of packets in a group.
const GROUP: usize = 4;

/// Packets, and the numbers of their first rays.
pub(in crate::tri_mesh) struct PacketGroup {
    packets: [Packet; GROUP],
    firsts: [usize; GROUP],
    /// How many there are.
    count: usize,
    buffer: ClosestHits<LeafTriangle>,
}

impl PacketGroup {
    pub(in crate::tri_mesh) fn new() -> Self {
        Self {
            packets: [(); GROUP].map(|()| Packet::new()),
            firsts: [0; GROUP],
            count: 0,
            buffer: ClosestHits::new(),
        }
    }

    /// Adds a packet of the rays from number `first` on, if these are coherent enough; then none of them
    /// has hit yet. There must be room.
    pub(in crate::tri_mesh) fn try_add(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        first: usize,
        hits: &[Cell<Option<RayHit>>],
    ) -> bool {
        let Some(rays) = rays[first..].first_chunk() else {
            return false;
        };
        let is_packet = self.packets[self.count].init(mesh, rays);
        if is_packet {
            for hit in &hits[first..first + PACKET] {
                hit.set(None);
            }
            self.firsts[self.count] = first;
            self.count += 1;
        }
        is_packet
    }

    pub(in crate::tri_mesh) fn are_full(&self) -> bool {
        self.count == GROUP
    }

    /// Answers for all that were added what [`TriMesh::cast_ray`] answers for each.
    pub(in crate::tri_mesh) fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        sides: Sides,
        hits: &[Cell<Option<RayHit>>],
    ) {
        let mut under_way = [false; GROUP];
        under_way[..self.count].fill(true);
        while under_way.contains(&true) {
            for (packet, is_under_way) in self.packets.iter_mut().zip(&mut under_way) {
                if *is_under_way {
                    *is_under_way = packet.step(mesh, sides);
                }
            }
        }
        for (packet, &first) in self.packets[..self.count].iter().zip(&self.firsts) {
            packet.end(first, &mut self.buffer);
        }
        mesh.write_hits(&mut self.buffer, 1, rays, hits);
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn rays_that_go_the_same_way_are_answered_together() {
        let mesh = square();
        let rays = towards(|x, y| Vec3::new(0.8 + 0.1 * x, 0.7 + 0.1 * y, 0.1));
        let mut packets = PacketGroup::new();
        let hits = [const { Cell::new(None) }; PACKET];
        assert!(packets.try_add(&mesh, &rays, 0, &hits));
        packets.answer(&mesh, &rays, Sides::Both, &hits);
        let hits = hits.map(Cell::into_inner);
        let alone = rays.each_ref().map(|ray| mesh.cast_ray(ray, Sides::Both));
        assert_eq!(hits, alone);
        assert_eq!(hits.iter().flatten().count(), PACKET);
    }

    #[test]
    fn rays_that_go_apart_are_not() {
        let mesh = square();
        let rays = towards(|x, y| Vec3::new(20.0 * x, 9.0 * y, 0.1));
        let hits = [const { Cell::new(None) }; PACKET];
        assert!(!PacketGroup::new().try_add(&mesh, &rays, 0, &hits));
    }
}
