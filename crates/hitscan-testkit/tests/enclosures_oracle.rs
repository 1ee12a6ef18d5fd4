//! Enclosures of a ball in random worlds: against winding numbers, distances and heights in rational
//! arithmetic, triangle by triangle.

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Enclosure, EnclosureKind, Sphere};
use hitscan_testkit::closest_oracle::{to_f64, triangle, wide, winding};
use hitscan_testkit::random_world::{Shape, world_of};
use hitscan_testkit::{Exact, Rng, Vector, exact, rounds};
use num_traits::{Signed, Zero};

/// Where a vertical line through a point meets a triangle, relative to the point, if it does.
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

/// The squared distance of the nearest triangle.
fn least_square(point: &Vector, triangles: &[[Vector; 3]]) -> Option<Exact> {
    let squares = triangles
        .iter()
        .filter_map(|corners| triangle(point, corners));
    squares.map(|nearest| nearest.square).min()
}

/// The kind and about the depth of what one shape of a world does to a ball.
fn expected(shape: &Shape, ball: &Sphere, rng: &mut Rng) -> Option<(EnclosureKind, f64)> {
    let triangles: Vec<[Vector; 3]> = (shape.triangles().into_iter())
        .map(|(_, corners)| corners.map(wide))
        .collect();
    let center = wide(ball.center().as_dvec3());
    let square = least_square(&center, &triangles)?;
    if square < exact(ball.radius()) * exact(ball.radius()) {
        return None;
    }
    match shape {
        Shape::Terrain(_) => {
            let above = triangles.iter().filter_map(|corners| {
                let height = height_above(&center, corners).filter(Signed::is_positive)?;
                Some((height, corners))
            });
            let (height, corners) = above.min_by(|one, other| one.0.cmp(&other.0))?;
            let [a, b, c] = corners
                .each_ref()
                .map(|corner| DVec3::from_array([0, 1, 2].map(|axis| to_f64(&corner[axis]))));
            let normal = (b - a).cross(c - a);
            let slope = normal.length() / normal.y.abs();
            Some((
                EnclosureKind::Below,
                to_f64(&height) + ball.radius() * slope,
            ))
        }
        Shape::Mesh(..) => {
            let is_inside = winding(&center, &triangles, rng).is_some_and(|count| count != 0);
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
        for _ in 0..4 {
            let center = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-4.0, 4.0)));
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
