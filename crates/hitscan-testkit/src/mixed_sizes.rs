//! Meshes of triangles of very different sizes, and rays at them from any distance.

use crate::Rng;
use crate::closed_mesh::ClosedMesh;
use glam::Vec3;
use hitscan::Ray;

/// A number of any magnitude between these powers of two, of any sign.
fn of_any_magnitude(rng: &mut Rng, powers: [i32; 2]) -> f32 {
    let steps = usize::try_from(powers[1] - powers[0]).expect("few");
    let power = powers[0] + i32::try_from(rng.below(steps)).expect("few");
    let magnitude = 2.0_f32.powi(power) * rng.uniform_f32(1.0, 2.0);
    if rng.one_in(2) { magnitude } else { -magnitude }
}

/// Small triangles around a point, and beside them some of any size up to 2^`largest` metres; and needles
/// of that length, and as thin as the small ones.
///
/// # Panics
/// If there were more than 2^32 corners.
#[must_use]
pub fn small_and_large(rng: &mut Rng, around: Vec3, largest: i32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let sphere = ClosedMesh::bumpy_sphere(2, 0.1, rng).tri_mesh();
    let mut positions: Vec<Vec3> = sphere
        .positions()
        .iter()
        .map(|p| around + *p * 0.25)
        .collect();
    let mut triangles = sphere.triangles().to_vec();
    for case in 0..12 {
        let powers = [-3, largest];
        let mut far = || Vec3::from_array([(); 3].map(|()| of_any_magnitude(rng, powers)));
        let (p, q, r) = (far(), far(), far());
        let aside = p / p.abs().max_element();
        let corners = match case % 3 {
            0 => [p, q, r],
            // With a corner among the small ones, and through them.
            1 => [around + 0.1 * aside, q, r],
            _ => [around - q, around + q, around + q + 1e-3 * aside],
        };
        let first = u32::try_from(positions.len()).expect("few");
        positions.extend(corners);
        triangles.push([0, 1, 2].map(|k| first + k));
    }
    (positions, triangles)
}

/// Rays at corners, edges and insides of triangles, from near and from any distance.
#[must_use]
pub fn rays_from_everywhere(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    (around, largest): (Vec3, i32),
    rng: &mut Rng,
) -> Vec<Ray> {
    let mut rays = Vec::new();
    while rays.len() < 300 {
        // Most triangles are small, most of the large ones come last.
        let triangle = match rng.below(3) {
            0 => triangles.len() - 1 - rng.below(12),
            _ => rng.below(triangles.len()),
        };
        let [a, b, c] = triangles[triangle].map(|corner| positions[corner as usize]);
        let target = match rng.below(4) {
            0 => a,
            1 => b.midpoint(c),
            2 => a + (b - a) * rng.uniform_f32(0.0, 1.0),
            _ => (a + b + c) / 3.0,
        };
        let mut origin = match rng.below(3) {
            0 => around + Vec3::from_array([(); 3].map(|()| rng.uniform_f32(-0.5, 0.5))),
            1 => target + Vec3::from_array([(); 3].map(|()| of_any_magnitude(rng, [-6, 3]))),
            _ => {
                let powers = [-3, largest + 3];
                around + Vec3::from_array([(); 3].map(|()| of_any_magnitude(rng, powers)))
            }
        };
        if rng.one_in(4) {
            let axis = rng.below(3);
            origin[axis] = target[axis];
        }
        let ray = Ray::new(origin, target - origin);
        let range = [(0.0, f32::INFINITY), (0.0, 1.0), (-2.0, 3.0)][rng.below(3)];
        rays.extend(ray.and_then(|ray| ray.with_range(range.0, range.1)));
    }
    rays
}
