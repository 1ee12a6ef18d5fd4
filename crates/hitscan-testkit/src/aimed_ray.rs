//! Rays that go where rays go wrong.

use crate::Rng;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Ray, TriMesh};

/// A ray towards somewhere on or near the surface: a corner, an edge, inside a triangle, or past it.
pub fn aimed_ray(rng: &mut Rng, mesh: &TriMesh) -> Option<Ray> {
    let triangles = mesh.triangles();
    let corners = triangles[rng.below(triangles.len())].map(|v| mesh.positions()[v as usize]);
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let (u, v) = match rng.below(4) {
        0 => (0.0, 0.0),
        1 => (rng.uniform(0.0, 1.0), 0.0),
        2 => (0.5, 0.5),
        _ => (rng.uniform(-0.2, 0.7), rng.uniform(-0.2, 0.7)),
    };
    let target = a + (b - a) * u + (c - a) * v;
    let size = (b - a)
        .length()
        .max((c - a).length())
        .max(target.length() * 1e-6);
    let mut direction = DVec3::from_array([0.0; 3].map(|_: f64| rng.uniform(-1.0, 1.0)));
    if rng.one_in(4) {
        direction[rng.below(3)] = 0.0;
    }
    if rng.one_in(8) {
        direction = DVec3::ZERO;
        direction[rng.below(3)] = if rng.one_in(2) { 1.0 } else { -1.0 };
    }
    let back = size * [0.3, 3.0, 1e3][rng.below(3)];
    let ray = Ray::new((target - direction * back).as_vec3(), direction.as_vec3()).ok()?;
    if rng.one_in(6) {
        let Vec3 { x: end, .. } = DVec3::splat(back * rng.uniform(0.5, 1.5)).as_vec3();
        return ray.with_range(0.0, end.min(f32::MAX)).ok();
    }
    Some(ray)
}
