//! Rays over a map so long that its pyramid has as many levels as are walked in f32: alone and in
//! wavefronts they hit what testing every triangle finds.

use hitscan::height_field::Grid;
use hitscan::{HeightField, Ray, RayHit, Triangle};
use hitscan_testkit::Rng;

const COLUMNS: usize = 100_001;
const ROWS: usize = 3;

/// Low waves, and a few peaks.
fn heights(rng: &mut Rng) -> Vec<f32> {
    (0..COLUMNS * ROWS)
        .map(|_| match rng.below(2000) {
            0 => rng.uniform_f32(10.0, 60.0),
            _ => rng.uniform_f32(0.0, 4.0),
        })
        .collect()
}

/// Along the map, from anywhere and from both of its ends.
fn rays(rng: &mut Rng) -> Vec<Ray> {
    let length = 100_000.0;
    (0..40)
        .map(|index| {
            let z = rng.uniform_f32(0.1, 1.9);
            let (from, to) = match index % 4 {
                0 => (-5.0, length + 5.0),
                1 => (length + 5.0, -5.0),
                _ => (rng.uniform_f32(0.0, length), rng.uniform_f32(0.0, length)),
            };
            let (above, below) = (rng.uniform_f32(8.0, 60.0), rng.uniform_f32(-20.0, 60.0));
            let slant = rng.uniform_f32(-1e-6, 1e-6) * length;
            let direction = [to - from, below - above, slant];
            Ray::new([from, above, z], direction).expect("the ray moves")
        })
        .collect()
}

/// All triangles of the map, whose corners are f32.
fn triangles_of(field: &HeightField) -> Vec<(u32, Triangle)> {
    let count = u32::try_from(field.triangle_count()).expect("the map is small");
    let triangle = |index| {
        let [a, b, c] = field.triangle(index)?.map(|corner| corner.as_vec3());
        Some((index, Triangle::new(a, b, c).expect("corners are finite")))
    };
    (0..count).filter_map(triangle).collect()
}

/// The nearest hit by testing every triangle; of equal t the lowest.
fn by_triangles(triangles: &[(u32, Triangle)], ray: &Ray) -> Option<RayHit> {
    let hits = triangles.iter().filter_map(|(index, triangle)| {
        let mut hit = triangle.cast_ray(ray, ())?;
        hit.triangle.as_mut()?.triangle = *index;
        Some(hit)
    });
    hits.min_by(|a, b| a.t.total_cmp(&b.t))
}

#[test]
fn rays_along_a_map_of_nine_levels_hit_what_all_triangles_say() {
    let mut rng = Rng::new(97);
    let grid = Grid::new(COLUMNS, ROWS, [1.0, 1.0]);
    let field = HeightField::new(grid, heights(&mut rng)).expect("the map is sound");
    let rays = rays(&mut rng);
    let together = field.cast_rays(&rays, ());
    let triangles = triangles_of(&field);
    let expected: Vec<Option<RayHit>> =
        (rays.iter().map(|ray| by_triangles(&triangles, ray))).collect();
    assert_eq!(together, expected);
    let alone: Vec<Option<RayHit>> = (rays.iter().map(|ray| field.cast_ray(ray, ()))).collect();
    assert_eq!(alone, expected);
    let hits = expected.iter().flatten().count();
    assert!((10..40).contains(&hits), "{hits} of the rays hit");
}
