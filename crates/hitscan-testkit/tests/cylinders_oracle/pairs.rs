//! Moving and resting shapes of all kinds, points and arcs at cylinders, against climbs over directions.

use super::support::{Body, gap, gap_along};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, BallisticArc, Capsule, ContactStatus, ContactsPer, ConvexHull, Cylinder, Obb, Primitive,
    ShapeCast, Sphere, StartState, Triangle,
};
use hitscan_testkit::{Rng, rounds};

/// More than the climb leaves, over the largest coordinate or size.
const CLIMB: f64 = 1e-6;

fn point(rng: &mut Rng, size: f32) -> Vec3 {
    Vec3::from([(); 3].map(|()| rng.uniform_f32(-size, size)))
}

pub(crate) fn cylinder(rng: &mut Rng, size: f32) -> Cylinder {
    loop {
        let (a, b) = (point(rng, size), point(rng, size));
        let radius = f64::from(size) * [0.01, 0.2, 0.5, 1.0][rng.below(4)];
        if let Ok(made) = Cylinder::new(a, b, radius) {
            return made;
        }
    }
}

pub(crate) fn solid(rng: &mut Rng, size: f32) -> Primitive {
    let center = point(rng, size);
    let half = point(rng, 0.5 * size).abs();
    match rng.below(7) {
        0 => Sphere::new(center, f64::from(half.x) + 0.01)
            .unwrap()
            .into(),
        1 => Capsule::new(center, center + half, f64::from(half.y) + 0.01)
            .unwrap()
            .into(),
        2 => Aabb::new(center - half, center + half).unwrap().into(),
        3 => {
            let turn = DQuat::from_xyzw(0.2, rng.uniform(-1.0, 1.0), 0.3, 0.8);
            Obb::new(center, half, turn).unwrap().into()
        }
        4 => {
            let corners: Vec<Vec3> = (0..8).map(|_| center + point(rng, 0.7 * size)).collect();
            let hull = ConvexHull::new(corners).unwrap();
            let radius = [0.0, 0.1][rng.below(2)];
            hull.with_radius(radius).unwrap().into()
        }
        _ => cylinder(rng, size).into(),
    }
}

#[test]
fn resting_shapes_have_the_gap_of_the_best_direction() {
    let mut rng = Rng::new(3);
    let (mut near, mut overlapping) = (0, 0);
    for round in 0..rounds(4000) {
        let size = [0.01, 1.0, 1000.0][round % 3];
        let (can, other) = (
            Primitive::from(cylinder(&mut rng, size)),
            solid(&mut rng, size),
        );
        for (obstacle, shape) in [(&can, &other), (&other, &can)] {
            let bodies = [Body::of(obstacle), Body::of(shape)];
            let bound = CLIMB * bodies[0].size().max(bodies[1].size());
            let contact = obstacle.contacts(shape, f32::MAX, ContactsPer::Object)[0];
            let found = f64::from(contact.separation);
            let normal = contact.normal.as_dvec3().try_normalize().unwrap();
            // The direction bounds it from below, and no other is better.
            let along = gap_along(&bodies[0], &bodies[1], normal);
            assert!(
                (found - along).abs() <= bound,
                "{found} {along} {obstacle:?} {shape:?}"
            );
            let (best, _) = gap(&bodies[0], &bodies[1], None, &mut rng);
            assert!(
                best <= found + bound,
                "{found} {best} {obstacle:?} {shape:?}"
            );
            if found.abs() > bound {
                let status = if found > 0.0 {
                    ContactStatus::Near
                } else {
                    ContactStatus::Overlap
                };
                assert_eq!(contact.status, status);
                assert_eq!(obstacle.overlaps_shape(shape), found < 0.0);
                assert_eq!(obstacle.overlap(shape).is_some(), found < 0.0);
            }
            // Its points bound it from above where they are apart; else one of both is inside both.
            let is_of = |body: &Body, at: DVec3, rng: &mut Rng| {
                gap(body, &Body::of_point(at), None, rng).0 <= bound
            };
            let at = contact.point.as_dvec3();
            assert!(
                is_of(&bodies[0], at, &mut rng),
                "{contact:?} {obstacle:?} {shape:?}"
            );
            let on_shape = at + normal * found.max(0.0);
            assert!(
                is_of(&bodies[1], on_shape, &mut rng),
                "{contact:?} {obstacle:?} {shape:?}"
            );
            if found > 0.0 {
                near += 1;
            } else {
                overlapping += 1;
            }
        }
    }
    assert!(near > 60 && overlapping > 60, "{near} {overlapping}");
}

#[test]
fn the_depth_in_balls_of_many_corners_is_the_least() {
    let mut rng = Rng::new(31);
    for round in 0..rounds(300) {
        let size = [0.01, 1.0, 1000.0][round % 3];
        let corners = [12, 40, 90][round / 3 % 3];
        let points = (0..corners).map(|_| {
            let way = point(&mut rng, 1.0).as_dvec3();
            (way.normalize_or(DVec3::Y) * f64::from(size)).as_vec3()
        });
        let points: Vec<Vec3> = points.collect();
        let ball = Primitive::from(ConvexHull::new(points).unwrap());
        // From a coin to a rod.
        let (middle, axis) = (point(&mut rng, 0.6 * size), point(&mut rng, 1.0));
        let axis = axis.normalize_or(Vec3::X) * size * rng.uniform_f32(0.01, 1.0).powi(2);
        let radius = f64::from(size) * rng.uniform(0.05, 1.0);
        let can = Cylinder::new(middle - axis, middle + axis, radius).unwrap();
        let can = Primitive::from(can);
        for (obstacle, shape) in [(&can, &ball), (&ball, &can)] {
            let bodies = [Body::of(obstacle), Body::of(shape)];
            let bound = CLIMB * bodies[0].size().max(bodies[1].size());
            let found = obstacle.contacts(shape, f32::MAX, ContactsPer::Object)[0];
            for hint in [None, Some(DVec3::X), Some(DVec3::NEG_ONE)] {
                let (best, way) = gap(&bodies[0], &bodies[1], hint, &mut rng);
                let separation = f64::from(found.separation);
                assert!(
                    best <= separation + bound,
                    "{best} {way} {found:?} {obstacle:?} {shape:?}"
                );
            }
        }
    }
}

/// What a moving body of a pair does, by its gap.
fn check_cast(
    (obstacle, shape): (&Body, &Body),
    (motion, found): (Vec3, Option<(f32, Vec3, bool)>),
    rng: &mut Rng,
    what: &dyn std::fmt::Debug,
) {
    let wide = motion.as_dvec3();
    let size = obstacle.size().max(shape.size() + wide.length());
    let bound = CLIMB * size;
    match found {
        Some((_, _, true)) => {
            let start = gap(obstacle, shape, None, rng).0;
            assert!(start <= bound, "{start} {what:?}");
        }
        Some((t, normal, false)) => {
            let t = f64::from(t);
            let normal = normal.as_dvec3().try_normalize().unwrap();
            assert!(normal.dot(wide) < 0.0, "{what:?}");
            // The normal parts the two until then, and no direction does at that time.
            let then = shape.moved(wide * t);
            let along = gap_along(obstacle, &then, normal);
            assert!(along.abs() <= bound, "{along} at {t} {what:?}");
            let best = gap(obstacle, &then, Some(normal), rng).0;
            assert!(best <= bound, "{best} at {t} {what:?}");
        }
        None => {
            // The climb is not always as good.
            for step in 0..=16 {
                let then = shape.moved(wide * (f64::from(step) / 16.0));
                let gap = gap(obstacle, &then, None, rng).0;
                assert!(gap >= -1e-3 * size, "{gap} at {step} / 16 {what:?}");
            }
        }
    }
}

#[test]
fn moving_shapes_stop_where_the_gap_ends() {
    let mut rng = Rng::new(4);
    let (mut hits, mut misses, mut overlaps) = (0, 0, 0);
    for round in 0..rounds(1500) {
        let size = [0.01, 1.0, 1000.0][round % 3];
        let (can, other) = (
            Primitive::from(cylinder(&mut rng, size)),
            solid(&mut rng, size),
        );
        let motion = point(&mut rng, 4.0 * size);
        let (obstacle, shape) = if round % 2 == 0 {
            (&can, &other)
        } else {
            (&other, &can)
        };
        // From where it most likely does not overlap.
        let far = -motion * rng.uniform_f32(0.0, 1.0);
        let shape = match ShapeCast::new(shape, far) {
            Ok(back) => back.at(1.0),
            Err(_) => continue,
        };
        let cast = ShapeCast::new(&shape, motion).unwrap();
        let hit = obstacle.cast_shape(&cast, ());
        let found = hit.map(|hit| {
            let is_overlap = matches!(hit.start, StartState::Overlap { .. });
            (hit.t, hit.normal, is_overlap)
        });
        match found {
            Some((_, _, true)) => overlaps += 1,
            Some(_) => hits += 1,
            None => misses += 1,
        }
        assert_eq!(obstacle.cast_shape_any(&cast, ()), found.is_some());
        let bodies = (&Body::of(obstacle), &Body::of(&shape));
        check_cast(
            bodies,
            (motion, found),
            &mut rng,
            &(obstacle, &shape, motion),
        );
    }
    assert!(
        hits > 60 && misses > 30 && overlaps > 20,
        "{hits} {misses} {overlaps}"
    );
}

#[test]
fn cylinders_stop_at_triangles() {
    let mut rng = Rng::new(5);
    let mut hits = 0;
    for _ in 0..rounds(1000) {
        let can = Primitive::from(cylinder(&mut rng, 1.0));
        let corners = [(); 3].map(|()| point(&mut rng, 2.0));
        let motion = point(&mut rng, 4.0);
        let Ok(triangle) = Triangle::new(corners[0], corners[1], corners[2]) else {
            continue;
        };
        let cast = ShapeCast::new(&can, motion).unwrap();
        let found = triangle.cast_shape(&cast, ()).map(|hit| {
            let is_overlap = matches!(hit.start, StartState::Overlap { .. });
            hits += usize::from(!is_overlap);
            (hit.t, hit.normal, is_overlap)
        });
        let bodies = (
            &Body::of_triangle(corners.map(Vec3::as_dvec3)),
            &Body::of(&can),
        );
        check_cast(bodies, (motion, found), &mut rng, &(corners, &can, motion));
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn closest_points_are_on_the_surface_and_nearest() {
    let mut rng = Rng::new(6);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..rounds(2000) {
        let can = cylinder(&mut rng, 1.0);
        let place = point(&mut rng, 2.0);
        let body = Body::of(&can.into());
        let dot = Body::of_point(place.as_dvec3());
        let found = can.closest_point(place, f32::INFINITY).unwrap();
        let distance = f64::from(found.distance);
        let normal = found.normal.as_dvec3().try_normalize().unwrap();
        assert_eq!(found.is_inside, can.contains(place) && distance < 0.0);
        // The normal bounds the distance from below, and no direction is better.
        let along = gap_along(&body, &dot, normal);
        assert!(
            (distance - along).abs() < CLIMB,
            "{can:?} {place:?} {found:?} {along}"
        );
        let (best, _) = gap(&body, &dot, None, &mut rng);
        assert!(
            best <= distance + CLIMB,
            "{can:?} {place:?} {found:?} {best}"
        );
        // The point is of the cylinder, and as far away.
        let foot = place.as_dvec3() - normal * distance;
        let off = foot.distance(found.point.as_dvec3());
        assert!(off < CLIMB, "{can:?} {place:?} {found:?}");
        let beyond = gap(&body, &Body::of_point(foot), None, &mut rng).0;
        assert!(beyond < CLIMB, "{can:?} {place:?} {found:?}");
        if distance > 0.0 {
            outside += 1;
            let reach = found.distance * 0.999;
            assert!(can.closest_point(place, reach).is_none());
        } else {
            inside += 1;
        }
    }
    assert!(inside > 5 && outside > 100, "{inside} {outside}");
}

#[test]
fn arcs_stop_at_the_surface() {
    let mut rng = Rng::new(7);
    let (mut hits, mut misses, mut starts) = (0, 0, 0);
    for _ in 0..rounds(6000) {
        let can = cylinder(&mut rng, 1.0);
        let (origin, velocity) = (point(&mut rng, 3.0), point(&mut rng, 4.0));
        let gravity = point(&mut rng, 4.0);
        let arc = BallisticArc::new(origin, velocity, gravity).unwrap();
        let arc = arc.with_range(0.0, 2.0).unwrap();
        let place = |t: f64| {
            let [o, v, g] = [origin, velocity, gravity].map(Vec3::as_dvec3);
            o + v * t + g * (0.5 * t * t)
        };
        let [a, b] = [can.a(), can.b()].map(Vec3::as_dvec3);
        let length = (b - a).length();
        let axis = (b - a) / length;
        // Below 0 inside.
        let outside = |t: f64| {
            let way: DVec3 = place(t) - a;
            let along = way.dot(axis);
            let off = (way - axis * along).length() - can.radius();
            off.max(-along).max(along - length)
        };
        let found = can.cast_arc(&arc, ());
        let end = found.map_or(2.0, |hit| f64::from(hit.t));
        match found {
            Some(hit) if hit.t == 0.0 => {
                assert!(outside(0.0) <= 1e-6);
                starts += 1;
            }
            Some(hit) => {
                assert!(outside(end).abs() < 1e-5, "{can:?} {arc:?} {hit:?}");
                hits += 1;
            }
            None => misses += 1,
        }
        for step in 0..400 {
            let t = end * f64::from(step) / 400.0;
            let deep = found.is_none() || end - t > 1e-5;
            assert!(!deep || outside(t) > -1e-5, "{can:?} {arc:?} {found:?} {t}");
        }
    }
    assert!(
        hits > 5 && misses > 100 && starts > 1,
        "{hits} {misses} {starts}"
    );
}
