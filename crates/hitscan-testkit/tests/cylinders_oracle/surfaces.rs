//! Cylinders at rough terrain and at the mesh of its triangles, against the triangles one by one.

use hitscan::glam::Vec3;
use hitscan::height_field::Grid;
use hitscan::{
    ContactsPer, Cylinder, HeightField, Primitive, ShapeCast, ShapeHit, StartState, TriMesh,
    Triangle,
};
use hitscan_testkit::{Rng, rounds};

const SAMPLES: usize = 9;

fn ground(rng: &mut Rng) -> (HeightField, TriMesh, Vec<Triangle>) {
    let heights: Vec<f32> = (0..SAMPLES * SAMPLES)
        .map(|_| rng.uniform_f32(-0.5, 0.5))
        .collect();
    let mut corners: Vec<Vec3> = Vec::new();
    for (place, height) in heights.iter().enumerate() {
        let (row, column) = (place / SAMPLES, place % SAMPLES);
        corners.push(Vec3::new(column as f32, *height, row as f32));
    }
    let mut triangles = Vec::new();
    for row in 0..SAMPLES - 1 {
        for column in 0..SAMPLES - 1 {
            let first = row * SAMPLES + column;
            let [a, b, c, d] = [first, first + 1, first + SAMPLES, first + SAMPLES + 1]
                .map(|place| u32::try_from(place).unwrap());
            triangles.push([a, c, b]);
            triangles.push([b, c, d]);
        }
    }
    let of = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
        Triangle::new(a, b, c).unwrap()
    };
    let single = triangles.iter().map(of).collect();
    let field = HeightField::new(Grid::new(SAMPLES, SAMPLES, [1.0, 1.0]), heights).unwrap();
    (field, TriMesh::new(corners, triangles).unwrap(), single)
}

fn is_overlap(hit: &ShapeHit) -> bool {
    matches!(hit.start, StartState::Overlap { .. })
}

#[test]
fn terrain_and_meshes_answer_as_their_triangles() {
    let mut rng = Rng::new(10);
    let (mut hits, mut overlaps, mut misses) = (0, 0, 0);
    for _ in 0..rounds(60) {
        let (field, mesh, triangles) = ground(&mut rng);
        for _ in 0..12 {
            let at = Vec3::new(
                rng.uniform_f32(0.0, 8.0),
                rng.uniform_f32(0.2, 3.0),
                rng.uniform_f32(0.0, 8.0),
            );
            let mut way = || Vec3::from([(); 3].map(|()| rng.uniform_f32(-1.0, 1.0)));
            let (along, motion) = (way(), way() * 5.0);
            let radius = f64::from(rng.uniform_f32(0.05, 0.8));
            let Ok(can) = Cylinder::new(at, at + along, radius) else {
                continue;
            };
            let can = Primitive::from(can);
            let cast = ShapeCast::new(&can, motion).unwrap();
            let met: Vec<ShapeHit> = triangles
                .iter()
                .filter_map(|triangle| triangle.cast_shape(&cast, ()))
                .collect();
            let overlaps_any = met.iter().any(is_overlap);
            let first = met.iter().map(|hit| hit.t).reduce(f32::min);
            for (found, name) in [
                (field.cast_shape(&cast, ()), "terrain"),
                (mesh.cast_shape(&cast, ()), "mesh"),
            ] {
                let what = format!("{name} {can:?} {motion:?} {found:?}");
                assert_eq!(found.is_some(), first.is_some(), "{what} {first:?}");
                let (Some(hit), Some(first)) = (found, first) else {
                    misses += 1;
                    continue;
                };
                assert_eq!(is_overlap(&hit), overlaps_any, "{what}");
                assert!((hit.t - first).abs() < 1e-6, "{what} {first}");
                let is_hit = !overlaps_any;
                hits += usize::from(is_hit);
                overlaps += usize::from(!is_hit);
            }
            let least = triangles
                .iter()
                .filter_map(|triangle| {
                    let contact = triangle.contacts(&can, 0.5, ContactsPer::Object);
                    Some(contact.first()?.separation)
                })
                .reduce(f32::min);
            for contacts in [
                field.contacts(&can, 0.5, ContactsPer::Object),
                mesh.contacts(&can, 0.5, ContactsPer::Object),
            ] {
                let found = contacts.first().map(|contact| contact.separation);
                match (found, least) {
                    (Some(found), Some(least)) => {
                        assert!((found - least).abs() < 1e-6, "{can:?} {found} {least}");
                    }
                    (found, least) => assert_eq!(found, least, "{can:?}"),
                }
            }
        }
    }
    assert!(
        hits > 50 && overlaps > 20 && misses > 10,
        "{hits} {overlaps} {misses}"
    );
}
