//! A view that is checked: the painter of its pictures, and what its rays hit.

use crate::protocol::{FieldError, PictureMode, Refusal, ViewRequest};
use glam::{DVec3, Vec3};
use hitscan::{ObjectId, QueryFilter, RayHit};
use hitscan_ask::{ignore_field, ignored};
use hitscan_assets::Scene;
use hitscan_picture::{
    Painter, PictureOptions, Shows, SurfaceColor, View as Camera, Viewpoint, ViewshedTint,
};
use std::fmt;
use std::sync::Arc;

/// What a page sees.
pub(super) struct View {
    pub(super) request: ViewRequest,
    /// The scene, its tables answered from the view's poses.
    pub(super) scene: Scene,
    pub(super) painter: Painter<'static>,
    hidden: Vec<ObjectId>,
}

impl View {
    /// Refuses what no picture can be made of, before anything is done for it.
    pub(super) fn check(request: &ViewRequest, scene: &Scene) -> Result<(), FieldError> {
        hidden_objects(scene, &request.hide)?;
        let camera = &request.camera;
        let [eye, look] = [camera.eye, camera.look].map(|point| nearest_f32(point).as_vec3());
        let camera = hitscan::Camera::new(eye, look, camera.fov.to_radians(), request.size);
        camera.map_err(|error| bad_camera(request, error.to_string()))?;
        Ok(())
    }

    /// A view of a scene in its poses, its ground tinted by what an eye sees.
    pub(super) fn new(
        request: &ViewRequest,
        scene: &Scene,
        viewshed: Option<Arc<ViewshedTint>>,
    ) -> Result<Self, FieldError> {
        let hidden = hidden_objects(scene, &request.hide)?;
        let camera = &request.camera;
        let options = PictureOptions {
            viewpoint: Viewpoint::At(Camera {
                eye: nearest_f32(camera.eye),
                target: nearest_f32(camera.look),
            }),
            projection: camera.projection,
            fov_y: camera.fov.to_radians(),
            color: surface_color(scene),
            outline: request.outline,
            shows: match request.mode {
                PictureMode::Picture => Shows::Picture,
                PictureMode::Cost => Shows::Cost,
            },
            layers: request.layers,
            hidden: hidden.clone(),
            viewshed,
            ..PictureOptions::new(request.size).softly_lit()
        };
        let painter = Painter::new(scene.now(), &options)
            .map_err(|error| bad_camera(request, cause(&error)))?;
        Ok(Self {
            request: request.clone(),
            scene: scene.clone(),
            painter,
            hidden,
        })
    }

    /// What its rays hit.
    pub(super) fn filter(&self) -> QueryFilter<'_> {
        let filter = QueryFilter::new().layers(self.request.layers);
        filter.exclude(&self.hidden)
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("View");
        fields
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

fn bad_camera(request: &ViewRequest, reason: String) -> FieldError {
    let camera = &request.camera;
    let (fov, [x, y, z]) = (camera.fov, camera.eye);
    Refusal::new("camera", format!("eye [{x},{y},{z}], fov {fov}"), reason)
}

/// A camera's point: f32, as rays begin there.
fn nearest_f32(point: [f64; 3]) -> DVec3 {
    DVec3::from(point).as_vec3().as_dvec3()
}

/// The colours of a scene's surfaces, as its files have them.
fn surface_color(scene: &Scene) -> SurfaceColor<'static> {
    let scene = scene.clone();
    Arc::new(move |hit: &RayHit| {
        let color = scene.surface_color(hit)?;
        Some(Vec3::from(color).as_dvec3())
    })
}

/// What an error says at its root.
fn cause(error: &dyn std::error::Error) -> String {
    error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

/// The objects of these names, which must be such that the column `ignore` can name them in answers.
fn hidden_objects(scene: &Scene, names: &[String]) -> Result<Vec<ObjectId>, FieldError> {
    let object = |(index, name): (usize, &String)| {
        let refused = |expected| {
            let place = format!("hide[{index}]");
            Refusal::new(place, name.clone(), expected)
        };
        let object = scene.object_named(name);
        let object = object.ok_or_else(|| refused("the name of an object"))?;
        // Another name before it, so that it is not the whole field.
        let field = ignore_field([name.as_str(), name.as_str()]);
        match ignored(scene, &field) {
            Ok(found) if found.objects == [object, object] => Ok(object),
            _ => Err(refused("a name that `ignore` can have beside others")),
        }
    };
    names.iter().enumerate().map(object).collect()
}
