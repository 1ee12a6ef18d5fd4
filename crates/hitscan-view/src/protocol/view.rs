//! The `view` message: a camera, a size, and the poses of animated models.

use super::fields::{Fields, text_at, u32_at};
use super::refusal::{FieldError, Refusal};
use crate::limits;
use hitscan_picture::Projection;
use serde_json::Value;

/// A `view`. Angles are degrees, times seconds, as in the message.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewRequest {
    /// The view's number, greater than that of the view before.
    pub number: u32,
    /// Width and height of the full picture, rays.
    pub size: [u32; 2],
    /// Where it is seen from.
    pub camera: CameraRequest,
    /// What pixels show.
    pub mode: PictureMode,
    /// A first look alone; else the picture is refined to the end.
    pub moving: bool,
    /// The page's clock, milliseconds.
    pub now_ms: u64,
    /// The objects that are not posed as in the scene.
    pub poses: Vec<PoseRequest>,
    /// The objects that no ray hits.
    pub hide: Vec<String>,
    /// The layers that rays see.
    pub layers: u32,
    /// Edges of objects, parts and creases are drawn.
    pub outline: bool,
    /// The `ask` whose viewshed tints the ground.
    pub viewshed: Option<u32>,
    /// Its frames may hold only the tiles that changed.
    pub partial: bool,
    /// Each of its frames is announced by `sending`, so that the page can time it.
    pub sending: bool,
    /// Its frames at rest may come in parts.
    pub parts: bool,
}

/// A camera. Positions are metres, rounded to f32 where rays begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraRequest {
    /// Where it is.
    pub eye: [f64; 3],
    /// What is in the middle of the picture.
    pub look: [f64; 3],
    /// The angle between the lower and the upper edge, degrees.
    pub fov: f64,
    /// Perspective or orthographic.
    pub projection: Projection,
}

/// What the pixels of a picture show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureMode {
    /// Surfaces in light.
    Picture,
    /// How much a ray costs.
    Cost,
}

/// A model's pose.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseRequest {
    /// The object's name.
    pub object: String,
    /// The clip and the time in it.
    pub at: ClipPlace,
    /// A second clip, and how much of the pose is its.
    pub blend: Option<(ClipPlace, f64)>,
}

/// A time in a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipPlace {
    /// The clip's name; digits in it are its index where no clip has that name.
    pub clip: String,
    /// Seconds on the clip's own timeline.
    pub time_secs: f64,
}

impl ViewRequest {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldError> {
        let hide = fields.list("hide")?.into_iter();
        let size = fields.optional_pair("size")?;
        let size = size.ok_or_else(|| Refusal::new("size", "nothing", "width and height"))?;
        check_size(size)?;
        let place = fields.place("camera");
        let camera = fields.required("camera", "an object")?;
        let now_ms = fields.optional_u53("now_ms")?;
        Ok(Self {
            number: fields.u32("view")?,
            size,
            camera: CameraRequest::read(Fields::of_object(&place, camera)?)?,
            mode: fields.word("mode", &MODES, None)?,
            moving: fields.flag("moving")?,
            now_ms: now_ms
                .ok_or_else(|| Refusal::new("now_ms", "nothing", "whole milliseconds"))?,
            poses: PoseRequest::read_list(fields)?,
            hide: hide
                .map(|(place, value)| text_at(&place, value, "an object's name"))
                .collect::<Result<_, _>>()?,
            layers: fields
                .read("layers", |place, value| u32_at(place, &value))?
                .unwrap_or(u32::MAX),
            outline: fields.flag("outline")?,
            viewshed: fields.optional_u32("viewshed")?,
            partial: fields.flag("partial")?,
            sending: fields.flag("sending")?,
            parts: fields.flag("parts")?,
        })
    }
}

const MODES: [(&str, PictureMode); 2] = [
    ("picture", PictureMode::Picture),
    ("cost", PictureMode::Cost),
];

const PROJECTIONS: [(&str, Projection); 2] = [
    ("perspective", Projection::Perspective),
    ("orthographic", Projection::Orthographic),
];

fn check_size([width, height]: [u32; 2]) -> Result<(), FieldError> {
    let found = || format!("[{width},{height}]");
    if width == 0 || height == 0 {
        return Err(Refusal::new("size", found(), "at least 1 x 1"));
    }
    // A frame's header has 16 bits for each side.
    let is_long = width > u16::MAX.into() || height > u16::MAX.into();
    if is_long || u64::from(width) * u64::from(height) > limits::FRAME_RAYS {
        let most = limits::FRAME_RAYS;
        let expected = format!("at most {most} rays, and 65535 a side");
        return Err(Refusal::new("size", found(), expected).by("FRAME_RAYS"));
    }
    Ok(())
}

impl CameraRequest {
    fn read(mut fields: Fields) -> Result<Self, FieldError> {
        let camera = Self {
            eye: fields.numbers("eye")?,
            look: fields.numbers("look")?,
            fov: fields.number("fov")?,
            projection: fields.word("projection", &PROJECTIONS, Some(Projection::Perspective))?,
        };
        if !(camera.fov > 0.0 && camera.fov < 180.0) {
            let found = camera.fov.to_string();
            return Err(Refusal::new(
                fields.place("fov"),
                found,
                "between 0 and 180",
            ));
        }
        fields.finish()?;
        Ok(camera)
    }
}

impl PoseRequest {
    /// The list `poses`, which may be absent.
    pub(super) fn read_list(fields: &mut Fields) -> Result<Vec<Self>, FieldError> {
        let poses = fields.list("poses")?.into_iter();
        let pose = |(place, value): (String, Value)| Self::read(Fields::of_object(&place, value)?);
        poses.map(pose).collect()
    }

    fn read(mut fields: Fields) -> Result<Self, FieldError> {
        let pose = Self {
            object: fields.text("object", "an object's name")?,
            at: ClipPlace::read(&mut fields)?,
            blend: fields.read("blend", |place, value| {
                let mut fields = Fields::of_object(place, value)?;
                let at = ClipPlace::read(&mut fields)?;
                let weight = fields.number("weight")?;
                if !(0.0..=1.0).contains(&weight) {
                    let place = fields.place("weight");
                    return Err(Refusal::new(place, weight.to_string(), "from 0 to 1"));
                }
                fields.finish()?;
                Ok((at, weight))
            })?,
        };
        fields.finish()?;
        Ok(pose)
    }
}

impl ClipPlace {
    fn read(fields: &mut Fields) -> Result<Self, FieldError> {
        Ok(Self {
            clip: fields.text("clip", "a clip's name")?,
            time_secs: fields.number("time")?,
        })
    }
}
