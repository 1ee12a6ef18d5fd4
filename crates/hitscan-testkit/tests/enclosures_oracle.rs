//! Enclosures of a ball in random worlds: against winding numbers, distances and heights in rational
//! arithmetic, triangle by triangle.

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Enclosure, EnclosureKind, Sphere};
use hitscan_testkit::closest_oracle::{to_f64, triangle, wide, winding};
use hitscan_testkit::random_world::{Shape, world_of};
use hitscan_testkit::{Exact, Rng, Vector, exact, rounds};
use num_traits::{Signed, Zero};

/// Where a vertical line through a point hits a triangle, relative to the point, if it does.
fn height_above(point: &Vector, [a, b, c]: &[Vector; 3]) -> Option<Exact> {
    let turn = |p: &Vector, q: &Vector, r: &Vector| {
        (&q[2] - &p[2]) * (&r[0] - &p[0]) - (&q[0] - &p[0]) * (&r[2] - &p[2])
    };
    let area = turn(a, b, c);
    if area.is_zero() {
        return None;
    }
    let weights = [turn(b, c, point), turn(c, a, point), turn(a, b, point)];
    let weights = weights.map(|weight| weight / &area);
    if weights.iter().any(Signed::is_negative) {
        return None;
    }
    let [u, v, w] = weights;
    Some(u * &a[1] + v * &b[1] + w * &c[1] - &point[1])
}

/// The triangles that may be the nearest to a point, by their boxes, with room for rounding.
fn nearest_few(point: DVec3, triangles: &[[DVec3; 3]]) -> Vec<[Vector; 3]> {
    let to_corner = triangles.iter().map(|corners| corners[0].distance(point));
    let bound = to_corner.fold(f64::INFINITY, f64::min) * 1.001 + 0.001;
    let is_near = |corners: &&[DVec3; 3]| {
        let [a, b, c] = **corners;
        let inside = point.clamp(a.min(b).min(c), a.max(b).max(c));
        inside.distance(point) <= bound
    };
    let near = triangles.iter().filter(is_near);
    near.map(|corners| corners.map(wide)).collect()
}

/// The kind and about the depth of what one shape of a world does to a ball.
fn expected(shape: &Shape, ball: &Sphere, rng: &mut Rng) -> Option<(EnclosureKind, f64)> {
    let triangles: Vec<[DVec3; 3]> = shape.triangles().into_iter().map(|one| one.1).collect();
    let middle = ball.center().as_dvec3();
    let center = wide(middle);
    let near = nearest_few(middle, &triangles);
    let squares = near.iter().filter_map(|corners| triangle(&center, corners));
    let square = squares.map(|nearest| nearest.square).min()?;
    if square < exact(ball.radius()) * exact(ball.radius()) {
        return None;
    }
    match shape {
        Shape::Terrain(_) => {
            let above = triangles.iter().filter_map(|corners| {
                let [a, b, c] = *corners;
                let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                let is_beside = (low.cmpgt(middle) | high.cmplt(middle)).bitmask() & 0b101;
                if is_beside != 0 {
                    return None;
                }
                let height = height_above(&center, &corners.map(wide));
                Some((height.filter(Signed::is_positive)?, corners))
            });
            let (height, corners) = above.min_by(|one, other| one.0.cmp(&other.0))?;
            let [a, b, c] = *corners;
            let normal = (b - a).cross(c - a);
            let slope = normal.length() / normal.y.abs();
            Some((
                EnclosureKind::Below,
                to_f64(&height) + ball.radius() * slope,
            ))
        }
        Shape::Mesh(..) => {
            let corners = triangles.iter().flatten();
            let (low, high) = corners.fold((middle, middle), |(low, high), corner| {
                (low.min(*corner), high.max(*corner))
            });
            // The point itself is the farthest where it is beside all of them.
            if low.cmpeq(middle).any() || high.cmpeq(middle).any() {
                return None;
            }
            let exactly: Vec<[Vector; 3]> = triangles.iter().map(|one| one.map(wide)).collect();
            let is_inside = winding(&center, &exactly, rng).is_some_and(|count| count != 0);
            let depth = to_f64(&square).sqrt() + ball.radius();
            is_inside.then_some((EnclosureKind::Inside, depth))
        }
        Shape::Sphere(_) | Shape::Aabb(_) => None,
    }
}

#[test]
fn balls_in_random_worlds() {
    let mut rng = Rng::new(0xe4c1_0501);
    let (mut inside, mut below, mut neither) = (0, 0, 0);
    for _ in 0..rounds(60) {
        let shapes: Vec<Shape> = (0..6).map(|_| Shape::random(&mut rng, 4.0)).collect();
        let world = world_of(&shapes);
        let objects: Vec<_> = world.now().objects().collect();
        for round in 0..6 {
            let about = shapes[round % shapes.len()].triangles();
            let corners: Vec<DVec3> = about.iter().flat_map(|one| one.1).collect();
            let anywhere = DVec3::from_array([0; 3].map(|_| rng.uniform(-4.0, 4.0)));
            let mean = corners.iter().sum::<DVec3>() / (corners.len() as f64).max(1.0);
            let towards = corners
                .get(round * 37 % corners.len().max(1))
                .unwrap_or(&anywhere);
            let center = mean.lerp(*towards, rng.uniform(0.0, 1.1)).as_vec3();
            let center = if rng.one_in(3) {
                center.round()
            } else {
                center
            };
            let center = if rng.one_in(4) {
                center - Vec3::Y * 50.0
            } else {
                center
            };
            let radius = if rng.one_in(2) {
                0.03125
            } else {
                rng.uniform(0.01, 0.5)
            };
            let ball = Sphere::new(center, radius).unwrap();
            let found: Vec<Enclosure> = world.now().enclosures(ball, ());
            let mut left = found.iter();
            for (shape, object) in shapes.iter().zip(&objects) {
                let Some((kind, depth)) = expected(shape, &ball, &mut rng) else {
                    let is_found = found.iter().any(|one| one.object == *object);
                    assert!(!is_found, "{ball:?} {shape:?} {found:?}");
                    neither += 1;
                    continue;
                };
                let own = left.next().unwrap();
                assert_eq!(
                    (own.kind, own.object),
                    (kind, *object),
                    "{ball:?} {shape:?}"
                );
                let off = (f64::from(own.depth) - depth).abs();
                assert!(off < 1e-4, "{ball:?} {shape:?} {own:?} {depth}");
                match kind {
                    EnclosureKind::Inside => inside += 1,
                    EnclosureKind::Below => below += 1,
                }
            }
            assert_eq!(left.next(), None, "{ball:?}");
        }
    }
    println!("{inside} inside, {below} below, {neither} neither");
    assert!(
        inside > rounds(20) && below > rounds(20),
        "{inside} {below}"
    );
}
