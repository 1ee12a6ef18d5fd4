//! Ballistic arcs against single triangles and boxes, compared with rational arithmetic: what is hit,
//! t to the last bit of f32, side and face.

use glam::{DQuat, Vec3};
use hitscan::{Aabb, BallisticArc, Obb, RayHit, Side, Sides, Triangle};
use hitscan_testkit::arc_oracle::{ExactArc, ExactArcHit};
use hitscan_testkit::{Nasty, Vector, rounds, vector};

const SEED: u64 = 0xA2C5_0001;

/// An arc that often passes a point of these corners, their edges or their plane, exactly where numbers
/// are small; crossing it, touching it at the apex, within it, or straight up and down.
fn nasty_arc(nasty: &mut Nasty, corners: &[Vec3]) -> BallisticArc {
    loop {
        let pick = |nasty: &mut Nasty| corners[nasty.rng.below(corners.len())];
        let target = match nasty.rng.below(5) {
            0 => nasty.point(),
            1 => pick(nasty),
            2 => (pick(nasty) + pick(nasty)) * 0.5,
            3 => pick(nasty) + (pick(nasty) - pick(nasty)) * 0.5,
            _ => {
                let share = nasty.rng.uniform_f32(0.0, 1.0);
                pick(nasty).lerp(pick(nasty), share)
            }
        };
        let along = (pick(nasty) - pick(nasty)) * 0.5;
        let (velocity, acceleration) = match nasty.rng.below(6) {
            // In the plane of the corners.
            0 => (along, pick(nasty) - pick(nasty)),
            // Touching.
            1 | 2 => (along, nasty.point()),
            // Straight up and down.
            3 => {
                let up = nasty.point();
                (up, up * -0.5)
            }
            4 => (nasty.point(), Vec3::Y * nasty.number()),
            _ => (nasty.point(), nasty.point()),
        };
        // The velocity at the target becomes that at t = 0.
        let t = [0.0, 1.0, 2.0, -1.0, 0.5, 3.0][nasty.rng.below(6)];
        let start = velocity - acceleration * t;
        let origin = target - velocity * t + acceleration * (0.5 * t * t);
        let ranges = [
            (0.0, f32::INFINITY),
            (0.0, f32::INFINITY),
            (t, f32::INFINITY),
            (-4.0, t),
            (t, t),
            (t.next_up(), f32::INFINITY),
            (-1e6, t.next_down()),
            (-1e3, 1e3),
        ];
        let (t_min, t_max) = ranges[nasty.rng.below(ranges.len())];
        let arc = BallisticArc::new(origin, start, acceleration);
        if acceleration != Vec3::ZERO
            && let Ok(arc) = arc.and_then(|arc| arc.with_range(t_min, t_max))
        {
            return arc;
        }
    }
}

fn admitted(hits: &[ExactArcHit], sides: Sides) -> Option<&ExactArcHit> {
    hits.iter().find(|hit| sides.admits(hit.side))
}

/// Checks t, side and, where a solid was hit, the normal.
fn check(found: Option<&RayHit>, expected: Option<&ExactArcHit>, place: &dyn Fn() -> String) {
    assert_eq!(found.is_some(), expected.is_some(), "{}", place());
    if let (Some(found), Some(expected)) = (found, expected) {
        assert_eq!(
            found.t.to_bits(),
            expected.t.nearest_f32().to_bits(),
            "{}",
            place()
        );
        assert_eq!(found.side, expected.side, "{}", place());
        assert!(
            found.point.is_finite() && found.distance.is_finite(),
            "{}",
            place()
        );
    }
}

#[test]
fn triangles_are_hit_exactly_where_sturm_sequences_say() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED);
    let (mut hits, mut touches, mut edges) = (0, 0, 0);
    for case in 0..rounds(2_000) {
        nasty.next_case();
        let corners = [nasty.point(), nasty.point(), nasty.point()];
        let arc = nasty_arc(&mut nasty, &corners);
        let [a, b, c] = corners;
        let triangle = Triangle::new(a, b, c).unwrap();
        let expected = ExactArc::new(&arc).triangle(&corners.map(vector));
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let found = triangle.cast_arc(&arc, sides);
            let expected = admitted(&expected, sides);
            let place =
                || format!("case {case}: {arc:?} {corners:?} {sides:?}\n{found:?}\n{expected:?}");
            check(found.as_ref(), expected, &place);
            let Some(hit) = found else { continue };
            let [u, v] = hit.barycentrics;
            assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + 1e-6, "{}", place());
            assert!((hit.normal.length() - 1.0).abs() < 1e-6, "{}", place());
            hits += 1;
            edges += usize::from(u == 0.0 || v == 0.0);
            let slope = hit.normal.dot(arc.velocity_at(hit.t));
            touches += usize::from(slope.abs() < 1e-12 * arc.velocity_at(hit.t).length());
        }
    }
    println!("{hits} hits, {edges} on an edge or corner, {touches} touches");
    assert!(hits > rounds(750) && edges > rounds(200) && touches > rounds(10));
}

/// Checks an arc against a solid whose corners are exact.
fn check_solid(
    arc: &BallisticArc,
    found: Option<RayHit>,
    (planes, sides): (&[[(Vector, Vector); 2]; 3], Sides),
    normal: impl Fn((usize, bool)) -> Vec3,
    place: &dyn Fn() -> String,
) -> Option<Side> {
    let expected = ExactArc::new(arc).slabs(planes, sides);
    check(found.as_ref(), expected.as_ref(), place);
    let (found, expected) = (found?, expected?);
    let expected = expected.face.map_or(Vec3::ZERO, normal);
    assert!(
        (found.normal - expected).length() < 1e-6,
        "{} {expected}",
        place()
    );
    Some(found.side)
}

#[test]
fn boxes_are_hit_exactly_where_sturm_sequences_say() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED + 1);
    let mut sides = [0; 3];
    let (mut one_sided, mut far_sides) = (0, 0);
    for case in 0..rounds(1_300) {
        nasty.next_case();
        let (p, mut q) = (nasty.point(), nasty.point());
        if case % 8 == 0 {
            let axis = nasty.rng.below(3);
            q[axis] = p[axis];
        }
        let solid = Aabb::new(p.min(q), p.max(q)).unwrap();
        let is_flat = p.cmpeq(q).any();
        let corners = [p, q, Vec3::new(p.x, q.y, q.z), Vec3::new(p.x, p.y, q.z)];
        let mut arc = nasty_arc(&mut nasty, &corners);
        if case % 8 == 1 {
            arc = BallisticArc::new((p + q) * 0.5, arc.velocity(), arc.acceleration()).unwrap();
        }
        let found = solid.cast_arc(&arc, ());
        let unit = |axis: usize, sign: f32| {
            let mut normal = Vec3::ZERO;
            normal[axis] = sign;
            normal
        };
        let planes = [0, 1, 2].map(|axis| {
            let plane = |at: Vec3, sign: f32| (vector(at), vector(unit(axis, sign)));
            [plane(solid.min(), -1.0), plane(solid.max(), 1.0)]
        });
        let normal = |(axis, is_upper)| unit(axis, if is_upper { 1.0 } else { -1.0 });
        let place = || format!("case {case}: {arc:?} {solid:?} {found:?}");
        let faces = (&planes, Sides::Both);
        if let Some(side) = check_solid(&arc, found, faces, normal, &place) {
            sides[side as usize] += 1;
        }
        // A box that is not turned has the same corners, where they are exact.
        let (center, half) = ((p + q) * 0.5, (p - q).abs() * 0.5);
        let turned = Obb::new(center, half, DQuat::IDENTITY).unwrap();
        if turned.corners()[0] == solid.min().as_dvec3()
            && turned.corners()[7] == solid.max().as_dvec3()
        {
            assert_eq!(turned.cast_arc(&arc, ()), found, "{}", place());
        }
        for one in [Sides::Front, Sides::Back] {
            let other = solid.cast_arc(&arc, one);
            let place = || format!("case {case}: {arc:?} {solid:?} {one:?} {other:?}");
            let is_hit = check_solid(&arc, other, (&planes, one), normal, &place).is_some();
            one_sided += usize::from(is_hit);
            far_sides +=
                usize::from(is_hit && is_flat && found.is_some_and(|hit| !one.admits(hit.side)));
        }
    }
    println!(
        "{one_sided} hits where one side counts, {far_sides} of them on a flat box's far side"
    );
    assert!(
        one_sided > rounds(250) && far_sides > rounds(20),
        "{one_sided} {far_sides}"
    );
    println!("{sides:?} front, back and inside");
    assert!(sides.iter().all(|count| *count > rounds(50)), "{sides:?}");
}

#[test]
fn turned_boxes_are_hit_exactly_where_sturm_sequences_say() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED + 2);
    let mut hits = 0;
    for case in 0..rounds(400) {
        nasty.next_case();
        let (center, half) = (nasty.point(), nasty.point().abs());
        // 3-4-5 and other turns.
        let turns = [
            (0.0, 0.6, 0.0, 0.8),
            (0.5, 0.5, 0.5, 0.5),
            (0.1, 0.7, -0.2, 0.4),
        ];
        let (x, y, z, w) = turns[nasty.rng.below(turns.len())];
        let solid = Obb::new(center, half, DQuat::from_xyzw(x, y, z, w)).unwrap();
        let corners = solid.corners();
        let is_flat = [1, 2, 4].iter().any(|bit| corners[0] == corners[*bit]);
        if is_flat {
            continue;
        }
        let near = corners.map(|corner| corner.as_vec3());
        let arc = nasty_arc(&mut nasty, &near);
        let planes = ExactArc::box_planes(&corners);
        let unit = |(axis, is_upper): (usize, bool)| {
            let edge = |axis: usize| (corners[1 << (axis % 3)] - corners[0]).normalize_or_zero();
            let unit = edge(axis + 1)
                .cross(edge(axis + 2))
                .normalize_or_zero()
                .as_vec3();
            if is_upper { unit } else { -unit }
        };
        let found = solid.cast_arc(&arc, ());
        let place = || format!("case {case}: {arc:?} {solid:?} {found:?}");
        hits +=
            usize::from(check_solid(&arc, found, (&planes, Sides::Both), unit, &place).is_some());
    }
    println!("{hits} hits");
    assert!(hits > rounds(80));
}
