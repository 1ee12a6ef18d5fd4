//! The camera of a scene: from where its pictures are seen.
//!
//! No answer depends on it.

use crate::model_file::MAX_COORDINATE;
use glam::DVec3;
use hitscan::baked::{Reader, Writer};

/// The camera of a scene, in x, y and z.
///
/// ```
/// let text = "[camera]\neye = [0, 2, 9]\nlook = [0, 1, 0]\n";
/// let scene = hitscan_assets::load_scene_text("empty.toml".as_ref(), text)?;
/// let camera = scene.camera().expect("the text states one");
/// assert_eq!((camera.eye.y, camera.fov_degrees), (2.0, 50.0));
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SceneCamera {
    /// Where it is, metres.
    pub eye: DVec3,
    /// What is in the middle of the picture.
    pub look: DVec3,
    /// The angle between the picture's lower and upper edge, between 0 and 180.
    pub fov_degrees: f64,
    /// Whether parallel lines stay parallel.
    pub is_orthographic: bool,
}

/// Whether a coordinate is one of a scene; NaN is none.
pub(super) fn is_near(metres: f64) -> bool {
    metres.abs() <= MAX_COORDINATE.into()
}

impl SceneCamera {
    /// The angle of a camera that states none, degrees.
    pub const FOV_DEGREES: f64 = 50.0;

    pub(super) fn bake(&self, writer: &mut Writer<'_>) {
        for number in self.eye.to_array().into_iter().chain(self.look.to_array()) {
            writer.f64(number);
        }
        writer.f64(self.fov_degrees);
        writer.bool(self.is_orthographic);
    }

    pub(super) fn from_baked(reader: &mut Reader<'_>) -> Result<Self, hitscan::Error> {
        let what = "camera";
        let mut point = || {
            let point = [reader.f64(what)?, reader.f64(what)?, reader.f64(what)?];
            Ok::<_, hitscan::Error>(DVec3::from(point))
        };
        let (eye, look) = (point()?, point()?);
        let fov_degrees = reader.f64(what)?;
        let camera = Self {
            eye,
            look,
            fov_degrees,
            is_orthographic: reader.bool(what)?,
        };
        let is_near = |point: DVec3| point.to_array().into_iter().all(is_near);
        if !is_near(eye) || !is_near(look) || camera.check().is_err() {
            return Err(reader.refused(what, "one that a scene file may have"));
        }
        Ok(camera)
    }

    /// Refuses a camera whose rays the library cannot cast.
    pub(super) fn check(&self) -> Result<(), hitscan::Error> {
        let [eye, look] = [self.eye, self.look].map(|point| point.as_vec3());
        let fov = self.fov_degrees.to_radians();
        hitscan::Camera::new(eye, look, fov, [16, 9]).map(drop)
    }
}
