//! Rays that go nearly the same way, as a camera's do: the tree is walked once for sixteen of them
//! (`bvh/beam.rs`), and each is tested against the leaves that it may meet.

use super::TriMesh;
use super::block::Shear;
use super::pairs::{Best, Pairs, passing};
use super::ray::{Slot, Surface};
use super::winners::Winners;
use crate::bvh::{Beam, Image};
use crate::ray::LocalRay;
use crate::ray_triangle_lanes::LANES;
use crate::simd::prefetch;
use crate::wave;
use crate::{Hit, Ray, Sides};
use fearless_simd::{Simd, dispatch, f32x16, prelude::*};

/// How many rays go together.
pub(super) const PACKET: usize = 16;

type List = wave::List<PACKET>;

/// One number of each ray.
type Row = [f32; PACKET];

/// Rays that go nearly the same way.
pub(super) struct Packet {
    rays: [LocalRay; PACKET],
    images: [Image; PACKET],
    shears: [Shear; PACKET],
    /// When a plane across an axis is passed: `plane * reciprocal + enter` at the earliest, or
    /// `+ leave` at the latest.
    reciprocal: [Row; 3],
    enter: [Row; 3],
    leave: [Row; 3],
    time_limit: Row,
    beam: Beam,
    /// The triangles of the leaf that each ray's line may cross, as bits.
    possible: [u32; PACKET],
    best: [Best; PACKET],
    pairs: Pairs,
    won: Winners,
}

impl Packet {
    pub(super) fn new() -> Self {
        Self {
            rays: [LocalRay::NONE; PACKET],
            images: [Image::NONE; PACKET],
            shears: [Shear::NONE; PACKET],
            reciprocal: [[0.0; PACKET]; 3],
            enter: [[0.0; PACKET]; 3],
            leave: [[0.0; PACKET]; 3],
            time_limit: [0.0; PACKET],
            beam: Beam::new(),
            possible: [0; PACKET],
            best: [Best::NONE; PACKET],
            pairs: Pairs::NONE,
            won: Winners::NONE,
        }
    }

    /// Answers what [`TriMesh::cast_ray`] answers for each ray, if they go the same way well enough.
    pub(super) fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray; PACKET],
        sides: Sides,
        hits: &mut [Option<Hit>; PACKET],
    ) -> bool {
        if !look_alike(rays) {
            return false;
        }
        let level = mesh.bvh.width().level();
        if !dispatch!(level, simd => self.set_out(simd, mesh, rays)) {
            return false;
        }
        while let Some(leaf) = dispatch!(level, simd => mesh.bvh.next_leaf(simd, &mut self.beam)) {
            let mut open = List::EMPTY;
            dispatch!(level, simd => self.sort_out(simd, mesh, leaf, &mut open));
            dispatch!(level, simd => self.decide(simd, mesh, (leaf, sides), open));
            if !self.beam.go_on() {
                break;
            }
        }
        for (number, (hit, best)) in hits.iter_mut().zip(&self.best).enumerate() {
            *hit = None;
            self.won.push_if(number, best.slot, best.is_hit());
        }
        while !self.won.is_empty() {
            dispatch!(level, simd => self.won.answer(simd, mesh, rays, hits));
        }
        true
    }

    #[inline(always)]
    fn set_out<S: Simd>(&mut self, simd: S, mesh: &TriMesh, rays: &[Ray; PACKET]) -> bool {
        for (place, ray) in rays.iter().enumerate() {
            let ray = LocalRay::from(ray);
            let Some(image) = mesh.image(simd, &ray) else {
                return false;
            };
            self.rays[place] = ray;
            self.images[place] = image;
            self.best[place] = Best::NONE;
            self.shears[place] = Shear::new(&image);
            for axis in 0..3 {
                self.reciprocal[axis][place] = image.reciprocal[axis];
                self.enter[axis][place] = image.enter[axis];
                self.leave[axis][place] = image.leave[axis];
            }
            self.time_limit[place] = image.time_limit(f32::INFINITY);
        }
        let limit = self.latest(simd);
        self.beam.set_out(&self.images, mesh.bvh.reach(), limit)
    }

    /// The time after which nothing matters to any ray.
    #[inline(always)]
    fn latest<S: Simd>(&self, simd: S) -> f32 {
        f32x16::load_array_ref(simd, &self.time_limit).reduce_max()
    }

    /// Finds what each ray may cross of a leaf, and lists the rays that may cross anything.
    #[inline(always)]
    fn sort_out<S: Simd>(&mut self, simd: S, mesh: &TriMesh, leaf: u32, open: &mut List) {
        prefetch(mesh.bvh.items(leaf));
        let block = mesh.bvh.block(leaf);
        let sides = self.beam.sides(&block.bounds_with(simd));
        let mut enter = f32x16::splat(simd, 0.0);
        let mut leave = f32x16::load_array_ref(simd, &self.time_limit);
        for (axis, [first, last]) in sides.into_iter().enumerate() {
            let reciprocal = f32x16::load_array_ref(simd, &self.reciprocal[axis]);
            let entered = f32x16::load_array_ref(simd, &self.enter[axis]);
            let left = f32x16::load_array_ref(simd, &self.leave[axis]);
            enter = enter.max((reciprocal * first) + entered);
            leave = leave.min((reciprocal * last) + left);
        }
        let mut touching = enter.simd_le(leave).to_bitmask();
        while touching != 0 {
            let place = touching.trailing_zeros() as usize % PACKET;
            touching &= touching - 1;
            let sorted = self.shears[place].sort_out(simd, block, f32::INFINITY);
            self.possible[place] = sorted.possible;
            open.push_if(place, sorted.possible != 0);
        }
    }

    /// Decides which of the possible triangles are crossed.
    #[inline(always)]
    fn decide<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        (leaf, sides): (u32, Sides),
        mut open: List,
    ) {
        let mut is_nearer = false;
        // Each time round one triangle of each ray.
        while !open.is_empty() {
            let mut still = List::EMPTY;
            for group in open.as_slice().chunks(LANES) {
                let mut slots = [Slot::FIRST; LANES];
                for (lane, &place) in group.iter().enumerate() {
                    let place = usize::from(place) % PACKET;
                    let slot = Slot::take(leaf, &mut self.possible[place]);
                    slots[lane % LANES] = slot;
                    self.pairs
                        .set(lane, &self.rays[place], mesh.bvh.block(leaf), slot);
                    still.push_if(place, self.possible[place] != 0);
                }
                let crossed = self.pairs.crossed(simd);
                for (lane, &place) in group.iter().enumerate() {
                    let place = usize::from(place) % PACKET;
                    let slot = slots[lane % LANES];
                    let passing = passing(mesh, &crossed, lane, (&self.rays[place], slot));
                    if self.best[place].consider(mesh, sides, slot, passing) {
                        let limit = self.images[place].time_limit(self.best[place].t);
                        self.time_limit[place] = limit;
                        is_nearer = true;
                    }
                }
            }
            open = still;
        }
        if is_nearer {
            let limit = self.latest(simd);
            self.beam.keep_before(limit);
        }
    }
}

/// Whether rays look as if they went the same way, by a few of them: most that do not are told so
/// before anything is worked out.
fn look_alike(rays: &[Ray; PACKET]) -> bool {
    let first = rays[0].direction();
    [PACKET / 3, PACKET - 1].into_iter().all(|other| {
        let other = rays[other].direction();
        let cosine = first.dot(other);
        cosine > 0.0 && cosine * cosine > 0.98 * first.dot(first) * other.dot(other)
    })
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

    fn towards(aims: impl Fn(f32, f32) -> Vec3) -> [Ray; PACKET] {
        let eye = Vec3::new(3.0, 4.0, 7.0);
        let numbers = [0.0, 1.0, 2.0, 3.0];
        let aims = numbers.map(|x| numbers.map(|y| aims(x, y)));
        let rays: Vec<Ray> = (aims.as_flattened().iter())
            .map(|aim| Ray::new(eye, *aim - eye).expect("a good ray"))
            .collect();
        rays.try_into().expect("as many as a packet has")
    }

    #[test]
    fn rays_that_go_the_same_way_are_answered_together() {
        let mesh = square();
        let mut packet = Packet::new();
        let rays = towards(|x, y| Vec3::new(0.8 + 0.1 * x, 0.7 + 0.1 * y, 0.1));
        let mut hits = [None; PACKET];
        assert!(packet.answer(&mesh, &rays, Sides::Both, &mut hits));
        let alone = rays.each_ref().map(|ray| mesh.cast_ray(ray, Sides::Both));
        assert_eq!(hits, alone);
        assert_eq!(hits.iter().flatten().count(), PACKET);
    }

    #[test]
    fn rays_that_go_apart_are_not() {
        let mesh = square();
        let mut packet = Packet::new();
        let mut hits = [None; PACKET];
        let rays = towards(|x, y| Vec3::new(20.0 * x, 9.0 * y, 0.1));
        assert!(!packet.answer(&mesh, &rays, Sides::Both, &mut hits));
    }
}
