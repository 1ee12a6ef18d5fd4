//! Columns against comparing every box with every other.

use super::{broad_phase_pairs, touching_pairs_with};
use crate::Aabb;
use crate::simd::Width;
use crate::test_rng::Rng;
use glam::Vec3;

struct Draw(Rng);

impl Draw {
    /// One of 2^16 numbers from 0 to 1.
    fn part(&mut self) -> f32 {
        f32::from(u16::try_from(self.0.next() >> 48).unwrap()) / 65_535.0
    }

    fn point(&mut self, room: Vec3) -> Vec3 {
        Vec3::new(self.part(), self.part(), self.part()) * room
    }

    fn aabb(&mut self, room: Vec3, size: Vec3) -> Aabb {
        let min = self.point(room);
        let size = self.point(size);
        Aabb::new(min, min + size).unwrap()
    }
}

fn all_compared(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for (a, own) in (0u32..).zip(boxes) {
        for (b, other) in (0u32..).zip(boxes).skip(a as usize + 1) {
            if own.touches(other) {
                pairs.push([a, b]);
            }
        }
    }
    pairs
}

fn check(boxes: &[Aabb]) -> usize {
    let expected = all_compared(boxes);
    assert!(broad_phase_pairs(boxes) == expected);
    for width in Width::available() {
        assert!(touching_pairs_with(boxes, width) == expected, "{width:?}");
    }
    expected.len()
}

#[test]
fn boxes_of_one_size_in_a_room() {
    let mut draw = Draw(Rng(1));
    for count in [0, 1, 2, 3, 9, 63, 64, 65, 200, 3000] {
        let boxes: Vec<Aabb> = (0..count)
            .map(|_| draw.aabb(Vec3::splat(20.0), Vec3::splat(2.0)))
            .collect();
        let pairs = check(&boxes);
        assert!(pairs > 0 || count < 200);
    }
}

#[test]
fn boxes_on_a_lattice_touch_at_faces_edges_and_corners() {
    let mut boxes = Vec::new();
    for x in 0..12u8 {
        for y in 0..12u8 {
            for z in 0..12u8 {
                let min = Vec3::new(f32::from(x), f32::from(y), f32::from(z));
                boxes.push(Aabb::new(min, min + Vec3::ONE).unwrap());
            }
        }
    }
    // Inside, every box touches 26 others.
    assert_eq!(check(&boxes), (34 * 34 * 34 - 12 * 12 * 12) / 2);
}

#[test]
fn rods_plates_and_a_floor_over_all() {
    let mut draw = Draw(Rng(3));
    let room = Vec3::splat(100.0);
    let sizes = [
        Vec3::new(100.0, 1.0, 1.0),
        Vec3::new(1.0, 100.0, 1.0),
        Vec3::new(1.0, 1.0, 100.0),
        Vec3::new(50.0, 0.0, 50.0),
        Vec3::new(2.0, 2.0, 2.0),
    ];
    let mut boxes: Vec<Aabb> = (0..2500).map(|i| draw.aabb(room, sizes[i % 5])).collect();
    boxes.push(Aabb::new([-1e18; 3], [1e18, 0.5, 1e18]).unwrap());
    assert!(check(&boxes) > 2500);
}

#[test]
fn clusters_within_clusters_and_outliers() {
    let mut draw = Draw(Rng(4));
    let mut boxes = Vec::new();
    for scale in [1e-30, 1e-6, 1e-3, 1.0, 1e3, 1e15] {
        for _ in 0..700 {
            boxes.push(draw.aabb(Vec3::splat(scale), Vec3::splat(0.1 * scale)));
        }
    }
    assert!(check(&boxes) > 1000);
    // All but a few in a corner of what the others span.
    let mut boxes: Vec<Aabb> = (0..3000)
        .map(|i| {
            let room = if i % 5 == 0 { 1e6 } else { 1.0 };
            draw.aabb(Vec3::splat(room), Vec3::splat(0.1))
        })
        .collect();
    boxes.push(Aabb::new([-1e18; 3], [-1e17; 3]).unwrap());
    assert!(check(&boxes) > 1000);
}

#[test]
fn stacks_planes_and_equal_boxes() {
    let mut draw = Draw(Rng(5));
    for (room, size) in [
        (Vec3::new(0.0, 300.0, 0.0), Vec3::ONE),
        (Vec3::new(50.0, 0.0, 50.0), Vec3::new(1.0, 0.0, 1.0)),
        (Vec3::new(50.0, 50.0, 0.0), Vec3::ZERO),
        (Vec3::ZERO, Vec3::ZERO),
        (Vec3::ZERO, Vec3::ONE),
    ] {
        let boxes: Vec<Aabb> = (0..1200).map(|_| draw.aabb(room, size)).collect();
        check(&boxes);
    }
    let zeros = [[0.0; 3], [-0.0; 3]].map(|point| Aabb::new(point, point).unwrap());
    assert_eq!(check(&zeros), 1);
}
