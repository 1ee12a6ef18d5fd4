//! A view that is checked: the camera, the world in its poses, and what its rays meet.

use crate::protocol::{FieldError, Refusal, ViewRequest};
use hitscan::{Camera, ObjectId, QueryFilter, Ray};
use hitscan_assets::Scene;

/// What a page sees.
#[derive(Debug)]
pub(super) struct View {
    pub(super) request: ViewRequest,
    /// The scene, its tables answered from the view's poses.
    pub(super) scene: Scene,
    hidden: Vec<ObjectId>,
    camera: Camera,
}

impl View {
    pub(super) fn new(request: &ViewRequest, scene: &Scene) -> Result<Self, FieldError> {
        let hidden = hidden_objects(scene, &request.hide)?;
        let camera = &request.camera;
        #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
        let [eye, look] = [camera.eye, camera.look].map(|point| point.map(|number| number as f32));
        let camera = Camera::new(eye, look, camera.fov.to_radians(), request.size);
        let camera = camera
            .map_err(|error| Refusal::new("camera", "eye, look and fov", error.to_string()))?;
        Ok(Self {
            request: request.clone(),
            scene: scene.clone(),
            hidden,
            camera,
        })
    }

    /// What its rays meet.
    pub(super) fn filter(&self) -> QueryFilter<'_> {
        let filter = QueryFilter::new().layers(self.request.layers);
        filter.exclude(&self.hidden)
    }

    /// The ray of a pixel of a picture in which each pixel stands for a block of `scale` rays a side.
    pub(super) fn ray(&self, [column, row]: [u32; 2], scale: u8) -> Ray {
        let middle = |pixel: u32| {
            // No picture is 2^16 pixels wide.
            #[expect(clippy::cast_precision_loss, reason = "no picture is 2^16 pixels wide")]
            let pixel = pixel as f32;
            (pixel + 0.5) * f32::from(scale)
        };
        self.camera.ray(middle(column), middle(row))
    }

    /// Width and height of a picture with such blocks.
    pub(super) fn size(&self, scale: u8) -> [u32; 2] {
        self.request.size.map(|side| side.div_ceil(scale.into()))
    }
}

/// The objects of these names. A `;` parts the names of the column `ignore`, in which answers name
/// them.
fn hidden_objects(scene: &Scene, names: &[String]) -> Result<Vec<ObjectId>, FieldError> {
    let object = |(index, name): (usize, &String)| {
        let expected = match scene.object_named(name) {
            Some(object) if !name.contains(';') => return Ok(object),
            Some(_) => "a name without `;`",
            None => "the name of an object",
        };
        Err(Refusal::new(
            format!("hide[{index}]"),
            name.clone(),
            expected,
        ))
    };
    names.iter().enumerate().map(object).collect()
}
