//! Visibility of points from the camera of a frame.

use crate::viewer::sent_frames::Shown;
use glam::{DVec3, Vec3};
use hitscan::Ray;
use hitscan_picture::Projection;

/// How much of the way to a point counts: what is on a surface would else be hidden by it. Points are
/// rounded to f32, twice, and lie off their surface by some 2^-22 of their size.
const WAY: f64 = 1.0 - 1e-4;

/// Points and the frame from whose camera they are seen.
#[derive(Debug)]
pub(in crate::viewer) struct SightQuestion {
    pub(in crate::viewer) shown: Shown,
    pub(in crate::viewer) points: Vec<[f64; 3]>,
}

impl SightQuestion {
    /// For each point whether no surface that the view shows is before it.
    ///
    /// It is for drawing alone: what is hidden is drawn dotted.
    pub(super) fn answer(&self) -> Vec<bool> {
        let view = &self.shown.view;
        let rays: Vec<Option<Ray>> = self
            .points
            .iter()
            .map(|point| self.ray_to(*point))
            .collect();
        let cast: Vec<Ray> = rays.iter().flatten().copied().collect();
        let world = view.scene.now();
        let hidden = world.cast_rays_any(&cast, view.filter());
        let mut hidden = hidden.into_iter();
        // What is not before the camera, or at its place, is hidden by nothing.
        let is_visible = |ray: Option<Ray>| ray.is_none() || !hidden.next().unwrap_or(false);
        rays.into_iter().map(is_visible).collect()
    }

    /// From the camera to a little before a point.
    fn ray_to(&self, point: [f64; 3]) -> Option<Ray> {
        let painter = &self.shown.view.painter;
        let camera = painter.view();
        let point = DVec3::from(point);
        let eye = match painter.projection() {
            Projection::Perspective => camera.eye,
            Projection::Orthographic => {
                let forward = (camera.target - camera.eye).try_normalize()?;
                point - forward * (point - camera.eye).dot(forward)
            }
        };
        let way: Vec3 = ((point - eye) * WAY).as_vec3();
        let ray = Ray::new(eye.as_vec3(), way).ok()?;
        ray.with_range(0.0, 1.0).ok()
    }
}
