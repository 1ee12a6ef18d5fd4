//! Shape casts and contacts against all triangles, without the pyramid.

use super::{Rng, all_triangles, random_field, random_point};
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::brute_force::{Soup, expected_first};
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::{
    Aabb, Capsule, ContactsPer, HeightField, InitialOverlap, Obb, Primitive, ShapeCast, Sides,
    Sphere,
};
use glam::{DQuat, Vec3};

#[test]
fn a_moving_shape_hits_first_what_it_hits_triangle_by_triangle() {
    let mut rng = Rng(4);
    let (mut hits, mut ties) = (0, 0);
    for case in 0..60 {
        let mut field = random_field(&mut rng);
        if case % 3 == 0 {
            // Steps: many triangles tie.
            let heights = field.heights.iter().map(|height| (height * 0.25).round());
            field = HeightField::new(*field.grid(), heights.collect()).unwrap();
        }
        let triangles = all_triangles(&field);
        let soup = Soup::new(triangles.iter().map(|(_, corners)| *corners));
        let soup = soup.numbered(triangles.iter().map(|(triangle, _)| *triangle));
        for _ in 0..8 {
            let [p, q, r] = [(); 3].map(|()| random_point(&mut rng, &field).as_vec3());
            let mut motion = r - p;
            for axis in 0..3 {
                motion[axis] *= rng.pick(&[0.0, 1.0, 1.0]);
            }
            let end = p + (q - p) * rng.pick(&[1.0, 0.1, 0.0]);
            let cast = ShapeCast::new(random_shape(&mut rng, p, end), motion).unwrap();
            let sides = rng.pick(&[Sides::Both, Sides::Both, Sides::Front, Sides::Back]);
            let prepared = PreparedCast::new(&cast, sides);
            let found = field.cast_shape(&cast, sides);
            assert_eq!(found, prepared.first_hit(&soup), "{cast:?} {field:?}");
            let id = found.and_then(|hit| hit.triangle);
            let (expected, is_tie) = expected_first(&prepared, &soup);
            assert_eq!(id, expected, "{cast:?} {field:?}");
            assert_eq!(field.cast_shape_any(&cast, sides), found.is_some());
            let leaving = cast.with_initial_overlap(InitialOverlap::Escape);
            let prepared = PreparedCast::new(&leaving, sides);
            let found = field.cast_shape(&leaving, sides);
            assert_eq!(found, prepared.first_hit(&soup), "{leaving:?} {field:?}");
            hits += usize::from(found.is_some());
            ties += usize::from(is_tie);
        }
    }
    println!("{hits} hits, {ties} of them tied");
    assert!(hits > 100 && ties > 30);
}

/// A shape between two points, of any kind.
fn random_shape(rng: &mut Rng, a: Vec3, b: Vec3) -> Primitive {
    let size = f64::from((b - a).abs().max_element());
    let radius = (size * rng.pick(&[0.01, 0.25, 1.0])).max(1e-30);
    let around = Aabb::around([a, b]).unwrap();
    match rng.pick(&[0, 0, 1, 2, 3]) {
        0 => around.into(),
        1 => Sphere::new(a, radius).unwrap().into(),
        2 => Capsule::new(a, b, radius).unwrap().into(),
        _ => {
            let eighth =
                DQuat::from_xyzw(0.0, 0.382_683_432_365_089_8, 0.0, 0.923_879_532_511_286_7);
            let half = 0.5 * (around.max() - around.min());
            Obb::new(a, half, eighth).unwrap().into()
        }
    }
}

#[test]
fn contacts_are_those_triangle_by_triangle() {
    let mut rng = Rng(8);
    let (mut overlaps, mut near, mut left_out) = (0, 0, 0);
    for case in 0..60 {
        let mut field = random_field(&mut rng);
        if case % 2 == 0 {
            let heights = field.heights.iter().map(|height| (height * 0.25).round());
            field = HeightField::new(*field.grid(), heights.collect()).unwrap();
        }
        let triangles = all_triangles(&field);
        let soup = Soup::new(triangles.iter().map(|(_, corners)| *corners));
        let soup = soup.numbered(triangles.iter().map(|(triangle, _)| *triangle));
        for _ in 0..6 {
            let [p, q] = [(); 2].map(|()| random_point(&mut rng, &field).as_vec3());
            let shape = random_shape(&mut rng, p, p + (q - p) * 0.2);
            let margin = rng.pick(&[0.0, 0.5, 2.0]);
            let query = ContactQuery::new(&shape, margin);
            let each = field.contacts(shape.clone(), margin, ContactsPer::Triangle);
            assert_eq!(each, query.with_triangles(&soup, ContactsPer::Triangle));
            let min = field.contacts(shape.clone(), margin, ContactsPer::Object);
            assert_eq!(min, query.with_triangles(&soup, ContactsPer::Object));
            let all: Vec<_> = soup
                .0
                .iter()
                .filter_map(|one| query.with_triangle(one))
                .collect();
            let separations = all.iter().map(|contact| contact.separation());
            assert_eq!(
                separations.min_by(f32::total_cmp),
                min.first().map(|contact| contact.separation)
            );
            let is_overlap = all.iter().any(|contact| contact.status().is_lt());
            assert_eq!(field.overlaps_shape(shape), is_overlap);
            overlaps += usize::from(is_overlap);
            near += usize::from(!is_overlap && !all.is_empty());
            left_out += usize::from(each.len() < all.len());
        }
    }
    println!("{overlaps} overlaps, {near} near, some left out of {left_out}");
    assert!(overlaps > 30 && near > 10 && left_out > 30);
}
