//! The view of a picture: a given camera, or one that has the whole world in the frame.

use crate::camera::{PictureCamera, axes};
use crate::scene::unit_or_up;
use crate::{Error, Projection};
use glam::DVec3;
use hitscan::{Aabb, Camera};

/// A camera's position and what it looks at.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan_picture::View;
/// let view = View {
///     eye: DVec3::new(0.0, 2.0, 5.0),
///     target: DVec3::ZERO,
/// };
/// assert!(view.eye.y > view.target.y);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The camera's position, metres.
    pub eye: DVec3,
    /// The point in the middle of the picture, metres.
    pub target: DVec3,
}

/// What a picture's camera has in view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Viewpoint {
    /// The whole world, from the south-east and above.
    #[default]
    Overview,
    /// The whole world, from straight above, with -Z up in the picture.
    Above,
    /// The middle of the world, from this point.
    From(DVec3),
    /// What a view says.
    At(View),
}

/// The part of the frame's half width and height that an overview fills.
const FILLED: f64 = 0.96;

/// The box that is in view of a world within `bounds`: 2 m around the origin where nothing is in it.
pub(crate) fn world_box(bounds: Option<&Aabb>) -> Result<Aabb, Error> {
    let empty = || Aabb::new([-1.0; 3], [1.0; 3]).map_err(Error::Camera);
    bounds.copied().map_or_else(empty, Ok)
}

impl Viewpoint {
    /// The camera of a picture of a world within `bounds`, and its view.
    pub(crate) fn camera(
        self,
        bounds: Aabb,
        projection: Projection,
        fov_y: f64,
        size: [u32; 2],
    ) -> Result<(PictureCamera, View), Error> {
        let [min, max] = [bounds.min(), bounds.max()].map(|end| end.as_dvec3());
        let middle = (min + max) / 2.0;
        let frame = Frame {
            bounds,
            tangent: libm::tan(fov_y / 2.0),
            aspect: f64::from(size[0]) / f64::from(size[1]),
        };
        let view = match self {
            Self::Overview => frame.seen_from(unit_or_up(DVec3::new(0.50, 0.52, 0.78)), projection),
            Self::Above => frame.seen_from(DVec3::Y, projection),
            Self::From(eye) => View {
                eye,
                target: middle,
            },
            Self::At(view) => view,
        };
        // The camera checks all values, whatever the projection.
        let camera = Camera::new(view.eye.as_vec3(), view.target.as_vec3(), fov_y, size)
            .map_err(Error::Camera)?;
        if projection == Projection::Perspective {
            return Ok((PictureCamera::Perspective(camera), view));
        }
        let half_height = match self {
            Self::Overview | Self::Above => frame.half_height(view),
            Self::From(_) | Self::At(_) => (view.target - view.eye).length() * frame.tangent,
        };
        let camera = PictureCamera::orthographic(view.eye, view.target, half_height, size)?;
        Ok((camera, view))
    }
}

impl Viewpoint {
    /// The view that a picture of a world has from here; of an empty world as if it were a box of 2 m
    /// around the origin. `fov_y` is in radians, `size` in pixels.
    ///
    /// ```
    /// use hitscan::{Aabb, glam::DVec3};
    /// use hitscan_picture::{Projection, Viewpoint};
    /// let world = Aabb::new([-1.0, 0.0, -1.0], [3.0, 2.0, 1.0])?;
    /// let overview = Viewpoint::Overview;
    /// let view = overview.view(Some(&world), Projection::Perspective, 0.9, [640, 480])?;
    /// assert_eq!(view.target, DVec3::new(1.0, 1.0, 0.0));
    /// assert!(view.eye.y > 2.0 && view.eye.z > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Camera`] for a view, an angle or a size that cannot be used.
    pub fn view(
        self,
        world: Option<&Aabb>,
        projection: Projection,
        fov_y: f64,
        size: [u32; 2],
    ) -> Result<View, Error> {
        let bounds = world_box(world)?;
        Ok(self.camera(bounds, projection, fov_y, size)?.1)
    }
}

impl View {
    /// How far the eye is outside a box; 0 within.
    pub(crate) fn distance_outside(&self, bounds: &Aabb) -> f64 {
        let [min, max] = [bounds.min(), bounds.max()].map(|end| end.as_dvec3());
        (self.eye - self.eye.clamp(min, max)).length()
    }
}

/// A picture's frame, and the box that it is to hold.
struct Frame {
    bounds: Aabb,
    /// Of half the angle between the lower and the upper edge.
    tangent: f64,
    /// Width by height.
    aspect: f64,
}

impl Frame {
    /// A view of the middle of the box from the direction `from`, with all its corners in the frame.
    fn seen_from(&self, from: DVec3, projection: Projection) -> View {
        let [min, max] = [self.bounds.min(), self.bounds.max()].map(|end| end.as_dvec3());
        let middle = (min + max) / 2.0;
        let radius = ((max - min).length() / 2.0).max(1e-3);
        let distance = match projection {
            // Its size does not depend on the distance: all of the box is before the eye.
            Projection::Orthographic => 1.25 * radius,
            Projection::Perspective => {
                let [right, up, forward] = axes(-from);
                let [across, high] = [self.aspect, 1.0].map(|side| side * self.tangent * FILLED);
                let needed = self.bounds.corners().map(|corner| {
                    let offset = corner.as_dvec3() - middle;
                    let [x, y] = [right, up].map(|axis| offset.dot(axis).abs());
                    (x / across).max(y / high) - offset.dot(forward)
                });
                needed.into_iter().fold(0.02 * radius, f64::max)
            }
        };
        View {
            eye: middle + from * distance,
            target: middle,
        }
    }

    /// Half the height of an orthographic picture, metres, so that all corners are in the frame.
    fn half_height(&self, view: View) -> f64 {
        let [right, up, _] = axes(view.target - view.eye);
        let needed = self.bounds.corners().map(|corner| {
            let offset = corner.as_dvec3() - view.target;
            (offset.dot(right).abs() / self.aspect).max(offset.dot(up).abs())
        });
        needed.into_iter().fold(1e-3, f64::max) / FILLED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a camera shows a point: -1 to 1 across and up, from its own rays through the middle,
    /// the right and the upper edge.
    #[expect(clippy::cast_possible_truncation, reason = "pixels are of f32")]
    fn place(camera: &PictureCamera, point: DVec3) -> [f64; 2] {
        let [width, height] = camera.size().map(f64::from);
        let at = |x: f64, y: f64| {
            let ray = camera.ray((x * width) as f32, (y * height) as f32);
            (ray.origin().as_dvec3(), ray.direction().as_dvec3())
        };
        let (eye, forward) = at(0.5, 0.5);
        let [(right_eye, right), (up_eye, up)] = [at(1.0, 0.5), at(0.5, 0.0)];
        let depth = (point - eye).dot(forward) / forward.length_squared();
        // The frame's edges on the plane through the point.
        let edge = |origin: DVec3, along: DVec3| {
            origin - eye + along * (depth * forward.length_squared() / along.dot(forward))
                - forward * depth
        };
        [edge(right_eye, right), edge(up_eye, up)]
            .map(|edge| (point - eye).dot(edge) / edge.length_squared())
    }

    #[test]
    fn every_corner_is_in_the_frame_at_every_size_and_angle() {
        let boxes = [
            ([-50.0, 0.0, -50.0], [50.0, 20.0, 50.0]),
            ([0.0, 0.0, 0.0], [1000.0, 0.0, 1.0]),
            ([3.0, -200.0, 7.0], [4.0, 900.0, 8.0]),
            ([5000.0, 100.0, -5030.0], [5030.0, 103.0, -5000.0]),
            ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
        ];
        for bounds in boxes.map(|(min, max)| Aabb::new(min, max).unwrap()) {
            for size in [[960, 540], [100, 900], [2000, 10], [64, 64]] {
                for degrees in [2.0_f64, 20.0, 50.0, 90.0, 140.0, 175.0] {
                    for viewpoint in [Viewpoint::Overview, Viewpoint::Above] {
                        for projection in [Projection::Perspective, Projection::Orthographic] {
                            let (camera, view) = viewpoint
                                .camera(bounds, projection, degrees.to_radians(), size)
                                .unwrap();
                            let places = bounds
                                .corners()
                                .map(|corner| place(&camera, corner.as_dvec3()));
                            let context = format!(
                                "{bounds:?} {size:?} {degrees} {viewpoint:?} {projection:?}: \
                                 {view:?} {places:?}"
                            );
                            let most = places.as_flattened().iter();
                            let most = most.fold(0.0, |most: f64, at| most.max(at.abs()));
                            assert!(most <= 1.0, "{context}");
                            // An eye keeps its distance from what a wide angle would show from near.
                            let is_near = degrees > 90.0 || size[0] > 2 * size[1];
                            assert!(
                                bounds.min() == bounds.max() || is_near || most > 0.8,
                                "{context}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_eye_alone_looks_at_the_middle() {
        let bounds = Aabb::new([0.0; 3], [2.0, 4.0, 6.0]).unwrap();
        let eye = DVec3::new(9.0, 9.0, 9.0);
        let (_, view) = Viewpoint::From(eye)
            .camera(bounds, Projection::Perspective, 0.8, [8, 8])
            .unwrap();
        assert_eq!((view.eye, view.target), (eye, DVec3::new(1.0, 2.0, 3.0)));
        assert!(view.distance_outside(&bounds) > 7.0);
        let same = Viewpoint::From(DVec3::new(1.0, 2.0, 3.0));
        let same = same.camera(bounds, Projection::Orthographic, 0.8, [8, 8]);
        assert!(matches!(same, Err(Error::Camera(_))));
    }
}
