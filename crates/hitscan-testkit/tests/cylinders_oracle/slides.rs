//! Cylinders that touch, graze, slide over floors of triangles, and are far away, tiny or huge.

use hitscan::glam::{DVec3, Vec3};
use hitscan::{
    Aabb, ContactStatus, ContactsPer, Cylinder, InitialOverlap, Primitive, ShapeCast, Sphere,
    StartState, TriMesh,
};

fn can(a: [f32; 3], b: [f32; 3], radius: f64) -> Primitive {
    Cylinder::new(a, b, radius).unwrap().into()
}

fn block(min: [f32; 3], max: [f32; 3]) -> Primitive {
    Aabb::new(min, max).unwrap().into()
}

/// A flat floor of squares, each two triangles, from -8 to 8.
fn floor() -> TriMesh {
    let mut corners: Vec<Vec3> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for row in 0..=16_u16 {
        for column in 0..=16_u16 {
            corners.push(Vec3::new(
                f32::from(column) - 8.0,
                0.0,
                f32::from(row) - 8.0,
            ));
        }
    }
    for row in 0..16_u32 {
        for column in 0..16_u32 {
            let first = row * 17 + column;
            triangles.push([first, first + 17, first + 1]);
            triangles.push([first + 1, first + 17, first + 18]);
        }
    }
    TriMesh::new(corners, triangles).unwrap()
}

#[test]
fn touching_is_told_from_overlap_and_from_nearness() {
    let upright = can([0.0, 0.0, 0.0], [0.0, 2.0, 0.0], 1.0);
    for (other, gap) in [
        (block([1.0, 0.5, -1.0], [2.0, 1.0, 1.0]), 0.0_f32),
        (block([-1.0, 2.0, -1.0], [1.0, 3.0, 1.0]), 0.0),
        (block([-1.0, -1.0, -1.0], [1.0, 0.0, 1.0]), 0.0),
        (block([1.0, 2.0, -1.0], [2.0, 3.0, 1.0]), 0.0),
        (can([2.0, 0.0, 0.0], [2.0, 2.0, 0.0], 1.0), 0.0),
        (can([0.0, 2.0, 0.0], [0.0, 3.0, 0.0], 1.0), 0.0),
        (can([-3.0, 3.0, 0.0], [3.0, 3.0, 0.0], 1.0), 0.0),
        (can([-3.0, 1.0, 2.0], [3.0, 1.0, 2.0], 1.0), 0.0),
        (Sphere::new([0.0, 3.0, 0.0], 1.0).unwrap().into(), 0.0),
        (Sphere::new([3.0, 1.0, 0.0], 2.0).unwrap().into(), 0.0),
        (Sphere::new([4.0, 6.0, 0.0], 5.0).unwrap().into(), 0.0),
        (block([0.5, 0.5, -1.0], [2.0, 1.0, 1.0]), -0.5),
        (block([-4.0, 1.5, -4.0], [4.0, 9.0, 4.0]), -0.5),
        (block([1.5, 0.0, -1.0], [2.0, 1.0, 1.0]), 0.5),
    ] {
        for (one, two) in [(&upright, &other), (&other, &upright)] {
            let contact = one.contacts(two, 9.0, ContactsPer::Object)[0];
            let status = match gap {
                0.0 => ContactStatus::Touching,
                gap if gap < 0.0 => ContactStatus::Overlap,
                _ => ContactStatus::Near,
            };
            assert_eq!(
                (contact.status, contact.separation),
                (status, gap),
                "{one:?} {two:?}"
            );
        }
    }
}

#[test]
fn shapes_that_only_touch_do_not_hit() {
    let upright = can([0.0, 0.0, 0.0], [0.0, 2.0, 0.0], 1.0);
    let ball = |at: [f32; 3]| Primitive::from(Sphere::new(at, 0.5).unwrap());
    for (shape, motion, t) in [
        // Towards it, beside it, along it, away from it.
        (ball([-4.0, 1.0, 0.0]), [4.0, 0.0, 0.0], Some(0.625)),
        (ball([-4.0, 1.0, 1.5]), [8.0, 0.0, 0.0], None),
        (ball([-4.0, 2.5, 0.0]), [8.0, 0.0, 0.0], None),
        (ball([0.0, 2.5, 0.0]), [1.0, 0.0, 0.0], None),
        (ball([0.0, 2.5, 0.0]), [0.0, 1.0, 0.0], None),
        (ball([0.0, 2.5, 0.0]), [0.0, -1.0, 0.0], Some(0.0)),
        (ball([1.5, 1.0, 0.0]), [0.0, 0.0, 1.0], None),
        (ball([1.5, 1.0, 0.0]), [-1.0, 0.0, 0.0], Some(0.0)),
        (
            block([-4.0, 2.0, -1.0], [-2.0, 3.0, 1.0]),
            [8.0, 0.0, 0.0],
            None,
        ),
        (
            block([-4.0, 1.0, -1.0], [-2.0, 3.0, 1.0]),
            [2.0, 0.0, 0.0],
            Some(0.5),
        ),
        (
            block([-4.0, 1.0, 1.0], [-2.0, 3.0, 2.0]),
            [8.0, 0.0, 0.0],
            None,
        ),
        (
            can([-4.0, 2.0, 0.0], [-4.0, 3.0, 0.0], 1.0),
            [8.0, 0.0, 0.0],
            None,
        ),
        (
            can([-4.0, 1.0, 0.0], [-4.0, 3.0, 0.0], 1.0),
            [4.0, 0.0, 0.0],
            Some(0.5),
        ),
        (
            can([-4.0, 1.0, 2.0], [-4.0, 3.0, 2.0], 1.0),
            [8.0, 0.0, 0.0],
            None,
        ),
        (
            can([0.0, 4.0, 0.0], [0.0, 5.0, 0.0], 0.5),
            [0.0, -4.0, 0.0],
            Some(0.5),
        ),
        (
            can([0.0, 4.0, 0.0], [0.0, 5.0, 0.0], 0.5),
            [0.0, -2.0, 0.0],
            Some(1.0),
        ),
    ] {
        let cast = ShapeCast::new(&shape, motion).unwrap();
        let hit = upright.cast_shape(&cast, ());
        assert_eq!(hit.map(|hit| hit.t), t, "{shape:?} {motion:?} {hit:?}");
        let back = ShapeCast::new(&upright, -Vec3::from(motion)).unwrap();
        let hit = shape.cast_shape(&back, ());
        assert_eq!(
            hit.map(|hit| hit.t),
            t,
            "swapped {shape:?} {motion:?} {hit:?}"
        );
    }
}

#[test]
fn cylinders_slide_over_floors_of_triangles() {
    let floor = floor();
    for (shape, name) in [
        (can([-6.0, 0.0, 0.3], [-6.0, 1.0, 0.3], 0.7), "upright"),
        (can([-6.0, 0.5, 0.0], [-6.0, 0.5, 1.0], 0.5), "lying across"),
        (
            can([-6.0, 0.5, 0.25], [-5.0, 0.5, 0.25], 0.5),
            "lying along",
        ),
    ] {
        for motion in [[11.0, 0.0, 0.0], [9.0, 0.0, 3.0], [3.0, 0.0, -5.5]] {
            let slide = ShapeCast::new(&shape, motion).unwrap();
            assert_eq!(floor.cast_shape(&slide, ()), None, "{name} {motion:?}");
            // A hair inside, it slides on too.
            let sunk = ShapeCast::new(&shape, [0.0, -1e-4, 0.0]).unwrap().at(1.0);
            let escaping = ShapeCast::new(&sunk, motion)
                .unwrap()
                .with_initial_overlap(InitialOverlap::Escape);
            let hit = floor.cast_shape(&escaping, ());
            assert_eq!(hit, None, "{name} sunk {motion:?}");
        }
        // From above it lands with the floor's normal, at one time for all triangles.
        let above = ShapeCast::new(&shape, [0.0, 2.0, 0.0]).unwrap().at(1.0);
        for motion in [[0.0, -4.0, 0.0], [4.0, -4.0, 2.0]] {
            let fall = ShapeCast::new(&above, motion).unwrap();
            let hit = floor.cast_shape(&fall, ()).unwrap();
            assert_eq!((hit.t, hit.normal), (0.5, Vec3::Y), "{name} {motion:?}");
            assert_eq!(hit.start, StartState::Separate);
        }
        let contacts = floor.contacts(&shape, 0.0, ContactsPer::Triangle);
        assert!(!contacts.is_empty());
        for contact in contacts {
            assert_eq!(
                contact.status,
                ContactStatus::Touching,
                "{name} {contact:?}"
            );
            assert!(contact.normal.y.abs() > 0.999, "{name} {contact:?}");
        }
    }
}

#[test]
fn scale_changes_nothing_but_numbers() {
    for scale in [1e-15_f32, 1e-6, 1.0, 1e6, 1e15] {
        let upright = can([0.0; 3], [0.0, 2.0 * scale, 0.0], f64::from(scale));
        let ball = Sphere::new([-4.0 * scale, scale, 0.0], 0.5 * f64::from(scale)).unwrap();
        let cast = ShapeCast::new(ball, [4.0 * scale, 0.0, 0.0]).unwrap();
        let t = upright.cast_shape(&cast, ()).unwrap().t;
        assert!((t - 0.625).abs() < 1e-6, "{scale} {t}");
        let beside = block([2.0 * scale, 0.0, 0.0], [3.0 * scale, scale, scale]);
        let contact = upright.contacts(&beside, f32::MAX, ContactsPer::Object)[0];
        assert!(
            (contact.separation / scale - 1.0).abs() < 1e-6,
            "{scale} {contact:?}"
        );
    }
}

#[test]
fn odd_numbers_are_answered() {
    let odd = [0.0, 1e-45, -1e-30, 1e-3, 1.0, 3e4, 1e18, -1e18];
    let mut asked = 0;
    for (place, x) in odd.iter().enumerate() {
        for y in odd {
            let z = odd[(place + 3) % odd.len()];
            for radius in [1e-45, 1e-10, 1.0, 1e18] {
                let Ok(one) = Cylinder::new([*x, y, z], [y, z, *x], radius) else {
                    continue;
                };
                let one = Primitive::from(one);
                let other = can([0.0; 3], [0.0, 1.0, 0.0], 0.5);
                for motion in [[0.0; 3], [1.0, 2.0, -3.0], [1e38, -1e38, 1e-38]] {
                    let cast = ShapeCast::new(&one, motion).unwrap();
                    if let Some(hit) = other.cast_shape(&cast, ()) {
                        let is_sound = (0.0..=1.0).contains(&hit.t) && hit.normal.is_finite();
                        assert!(is_sound, "{one:?} {motion:?} {hit:?}");
                    }
                    asked += 1;
                }
                for contact in other.contacts(&one, 1.0, ContactsPer::Object) {
                    let is_sound = !contact.separation.is_nan() && contact.normal.is_finite();
                    assert!(is_sound, "{one:?} {contact:?}");
                    assert!(!contact.point.is_nan());
                }
                let at = DVec3::new(f64::from(*x), f64::from(y), f64::from(z)).as_vec3();
                let nearest = one.closest_point(at, f32::INFINITY).unwrap();
                assert!(!nearest.distance.is_nan() && nearest.normal.is_finite());
            }
        }
    }
    assert!(asked > 300, "{asked}");
}
