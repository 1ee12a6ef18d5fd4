//! The camera of a scene: from where its pictures are seen.
//!
//! No answer depends on it.

use glam::DVec3;
use hitscan::baked::{Reader, Writer};

use super::keys::{Keys, Value};
use crate::Error;
use crate::model_file::MAX_COORDINATE;

pub(super) const CAMERA_KEYS: [&str; 4] = ["eye", "look", "fov", "projection"];

/// The angle of a camera that states none, degrees.
const FOV_DEGREES: f64 = 50.0;

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

/// Reads the camera of a scene file.
pub(super) fn camera(keys: &Keys) -> SceneCamera {
    let point = |key| {
        let point = keys.need(key).and_then(|value| point(&value));
        DVec3::from(keys.kept(point))
    };
    let (eye, look) = (point("eye"), point("look"));
    let fov = keys.get("fov").map_or(Ok(FOV_DEGREES), |value| fov(&value));
    let projection = keys.get("projection").map(|value| match value.as_string() {
        Some("perspective") => Ok(false),
        Some("orthographic") => Ok(true),
        _ => Err(value.wrong("\"perspective\" or \"orthographic\"")),
    });
    let camera = SceneCamera {
        eye,
        look,
        fov_degrees: keys.kept_or(fov, FOV_DEGREES),
        is_orthographic: keys.kept(projection.unwrap_or(Ok(false))),
    };
    if keys.is_sound() {
        keys.kept(check(keys, &camera));
    }
    camera
}

fn point(value: &Value) -> Result<[f64; 3], Error> {
    let point: [f64; 3] = value.numbers("metres [x, y, z]")?;
    let is_near = point
        .iter()
        .all(|metres| metres.abs() <= MAX_COORDINATE.into());
    let wrong = || value.wrong(&format!("metres [x, y, z] within ±{MAX_COORDINATE:e}"));
    is_near.then_some(point).ok_or_else(wrong)
}

fn fov(value: &Value) -> Result<f64, Error> {
    let degrees = value.number()?;
    let is_angle = degrees > 0.0 && degrees < 180.0;
    let wrong = || value.wrong("degrees between 0 and 180");
    is_angle.then_some(degrees).ok_or_else(wrong)
}

/// Refuses a camera whose rays the library cannot cast.
fn check(keys: &Keys, camera: &SceneCamera) -> Result<(), Error> {
    let [eye, look] = [camera.eye, camera.look].map(|point| point.as_vec3());
    let made = hitscan::Camera::new(eye, look, camera.fov_degrees.to_radians(), [16, 9]);
    let blame = [("eye", "eye"), ("fov", "fov"), ("", "look")];
    made.map(drop).map_err(|error| keys.refused(error, &blame))
}

impl SceneCamera {
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
        let is_sound = eye.is_finite() && look.is_finite() && fov_degrees > 0.0;
        if !is_sound || fov_degrees >= 180.0 {
            return Err(reader.refused(what, "finite, with an angle between 0 and 180"));
        }
        Ok(Self {
            eye,
            look,
            fov_degrees,
            is_orthographic: reader.bool(what)?,
        })
    }
}
