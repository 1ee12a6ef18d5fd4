//! Shapes in flat ground, where depths and times tie, against the rules followed on every triangle.
//!
//! How a pair lies at the start is computed in whole numbers; later contacts are those of single pairs,
//! which have oracles of their own. Here is what the triangles of one object have in common: which of
//! them contradict one another, which are left, and which answers.

mod rules;
mod surfaces;

use core::cmp::Ordering;
use glam::{DVec3, Vec3};
use hitscan::convex::examined::ExaminedShape;
use hitscan::{Aabb, Contact, ContactStatus, ContactsPer, InitialOverlap, ShapeCast, ShapeHit};
use hitscan_testkit::whole_body::{Body, unit};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};
use num_traits::Signed;
use rules::{Lie, contacts, leaving};
use surfaces::{shape, surface};

fn same_status(contact: &Contact, order: Ordering) -> bool {
    contact.status
        == match order {
            Ordering::Less => ContactStatus::Overlap,
            Ordering::Equal => ContactStatus::Touching,
            Ordering::Greater => ContactStatus::Near,
        }
}

fn is_near(normal: Vec3, expected: DVec3) -> bool {
    (normal.as_dvec3() - expected).length() < 1.0 / 2_097_152.0
}

#[test]
fn contacts_with_ground_that_ties_follow_the_rules() {
    let mut rng = Rng::new(501);
    let (mut ties, mut left_out) = (0, 0);
    for case in 0..rounds(400) {
        let (surface, triangles, slope) = surface(case, &mut rng);
        let shape = shape(case / 2 % 5, slope, &mut rng);
        let margin = [0.0, 0.0, 0.125][rng.below(3)];
        let body = Body::new(&ExaminedShape::Solid(shape.clone()));
        let (expected, least) = contacts(&triangles, &body, margin);
        let context = format!("case {case}: {shape:?} {slope:?} margin {margin}");
        let found = surface.contacts(shape.clone(), margin, ContactsPer::Triangle);
        let ids = |found: &[Contact]| -> Vec<usize> {
            let id = |contact: &Contact| contact.triangle.expect("a surface").triangle as usize;
            found.iter().map(id).collect()
        };
        assert_eq!(ids(&found), expected, "{context}");
        for (contact, id) in found.iter().zip(&expected) {
            let lie = Lie::new(&triangles[*id], &body, margin).expect("it is within");
            assert!(same_status(contact, lie.status), "{context} {contact:?}");
            assert!(
                is_near(contact.normal, unit(&lie.squared.along)),
                "{context} {contact:?}"
            );
        }
        let found = surface.contacts(shape, margin, ContactsPer::Object);
        let least: Vec<usize> = least.into_iter().collect();
        assert_eq!(ids(&found), least, "{context}");
        let all = triangles
            .iter()
            .filter_map(|triangle| Lie::new(triangle, &body, margin));
        let all: Vec<Lie> = all.collect();
        left_out += all.len() - expected.len();
        if let Some(least) = least.first() {
            let least = Lie::new(&triangles[*least], &body, margin).expect("it is within");
            let tied = all.iter().filter(|lie| lie.compare(&least).is_eq()).count();
            ties += usize::from(tied > 3);
        }
    }
    println!("{ties} ties, {left_out} left out");
    if has_usual_numbers() {
        assert!(
            ties > rounds(50) && left_out > rounds(200),
            "{ties} {left_out}"
        );
    }
}

#[test]
fn casts_that_leave_ground_that_ties_follow_the_rules() {
    let mut rng = Rng::new(502);
    let (mut stuck, mut later, mut free, mut leavers) = (0, 0, 0, 0);
    for case in 0..rounds(400) {
        let (surface, triangles, slope) = surface(case, &mut rng);
        let shape = shape(case / 2 % 5, slope, &mut rng);
        let mut way = || [-1.0, -0.5, 0.0, 0.25, 1.0][rng.below(5)];
        let motion = Vec3::new(way(), way(), way()) * 1.5;
        let cast = ShapeCast::new(&shape, motion).unwrap();
        let context = format!("case {case}: {shape:?} by {motion} {slope:?}");
        let (expected, left) = leaving(&triangles, &shape, motion);
        leavers += usize::from(left > 2);
        let (found, any) = surface.cast(&cast.clone().with_initial_overlap(InitialOverlap::Escape));
        assert_eq!(any, expected.is_some(), "{context}");
        let id = |hit: &ShapeHit| hit.triangle.expect("a surface").triangle as usize;
        assert_eq!(
            found.as_ref().map(|hit| (id(hit), hit.t)),
            expected.as_ref().map(|(id, stop)| (*id, stop.t)),
            "{context}"
        );
        if let (Some(found), Some((_, stop))) = (&found, &expected) {
            assert!(is_near(found.normal, stop.normal), "{context} {found:?}");
            *(if stop.floor == 0.0 {
                &mut stuck
            } else {
                &mut later
            }) += 1;
        } else {
            free += 1;
        }
        // What stops at overlaps reports the deepest one.
        let (found, _) = surface.cast(&cast);
        let body = Body::new(&ExaminedShape::Solid(shape));
        let overlaps = (0..triangles.len()).find(|i| {
            let lie = Lie::new(&triangles[*i], &body, 0.0);
            lie.is_some_and(|lie| lie.status.is_lt())
        });
        let is_overlap = found.as_ref().is_some_and(|hit| hit.start.is_overlap());
        assert_eq!(is_overlap, overlaps.is_some(), "{context}");
        if let (Some(found), Some(lowest)) = (&found, overlaps) {
            assert_eq!((id(found), found.t), (lowest, 0.0), "{context}");
        }
    }
    println!("{stuck} at the start, {later} later, {free} free; {leavers} leave some");
    if has_usual_numbers() {
        let counts = [stuck, later, free, leavers];
        assert!(
            counts.iter().all(|count| *count >= rounds(20)),
            "{counts:?}"
        );
    }
}

#[test]
fn the_rule_for_depth_is_one_for_numbers_of_either_sign() {
    let box_in_ground = Aabb::new([0.25, -0.125, 0.25], [1.0, 1.0, 1.0]).unwrap();
    let body = Body::new(&ExaminedShape::Solid(box_in_ground.into()));
    let ground = [
        DVec3::ZERO,
        DVec3::new(0.0, 0.0, 4.0),
        DVec3::new(4.0, 0.0, 0.0),
    ];
    let lie = Lie::new(&ground, &body, 0.0).expect("they overlap");
    assert!(lie.status.is_lt() && !lie.squared.numerator.is_negative());
    assert_eq!(unit(&lie.squared.along), DVec3::Y);
}
