//! The scene as pages list it.

use super::event::LoadedScene;
use crate::limits;
use crate::protocol::{CameraReply, ClipReply, ObjectReply, SceneReply};
use glam::DVec3;
use hitscan::model::{Clip, Model};
use hitscan::{Aabb, ObjectId};
use hitscan_ask::table_frame;
use hitscan_assets::{Scene, SceneCamera};
use hitscan_picture::{Projection, View, Viewpoint};

/// The first objects, a camera and all notes.
pub(super) fn scene_reply(loaded: &LoadedScene) -> SceneReply {
    let scene = &loaded.scene;
    let world = scene.world().now();
    let objects = world.objects().take(limits::SCENE_OBJECTS);
    let notes = [&loaded.notes, scene.warnings(), scene.notes()].concat();
    SceneReply {
        id: None,
        name: loaded.name.clone(),
        title: loaded.title.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        source: loaded.source.clone(),
        objects: objects.map(|object| object_reply(scene, object)).collect(),
        bounds: world.bounds().as_ref().map(corners),
        camera: overview(scene),
        start: scene.camera().map(camera_reply),
        notes,
        objects_total: scene.object_count(),
        origin: Some(table_frame(scene).origin).filter(|origin| *origin != [0.0; 3]),
    }
}

fn object_reply(scene: &Scene, object: ObjectId) -> ObjectReply {
    let world = scene.world().now();
    let model = world.model(object);
    let parts = (0..).map_while(|part| scene.part_name(object, part));
    let at = scene.clip_time(object);
    let clip = at.and_then(|at| clip_names(model?).into_iter().nth(at.clip as usize));
    ObjectReply {
        name: scene.object_name(object).unwrap_or_default().to_owned(),
        kind: world.kind(object).map_or("", |kind| kind.name()),
        layers: world.layers(object).unwrap_or(0),
        bounds: world.object_bounds(object).as_ref().map(corners),
        triangles: world.triangle_count(object),
        parts: parts.map(str::to_owned).collect(),
        clips: model.map(|model| clips(model)).unwrap_or_default(),
        clip,
        time: at.map(|at| at.time_secs),
    }
}

fn clips(model: &Model) -> Vec<ClipReply> {
    let clips = model.clips().iter().zip(clip_names(model));
    let clip = |(clip, name): (&Clip, String)| ClipReply {
        name,
        start: clip.start_secs(),
        end: clip.end_secs(),
    };
    clips.map(clip).collect()
}

/// What clips are called: the index of one without a name, or with that of one before it.
fn clip_names(model: &Model) -> Vec<String> {
    let clips = model.clips().iter().enumerate();
    let name = |(index, clip): (usize, &Clip)| match clip.name() {
        Some(name) if model.find_clip(name) == Some(index) => name.to_owned(),
        _ => index.to_string(),
    };
    clips.map(name).collect()
}

/// The camera of a picture that shows everything, 16 by 9.
fn overview(scene: &Scene) -> CameraReply {
    let bounds = scene.world().now().bounds();
    let view = Viewpoint::Overview.view(
        bounds.as_ref(),
        Projection::Perspective,
        SceneCamera::FOV_DEGREES.to_radians(),
        [16, 9],
    );
    let view = view.unwrap_or(View {
        eye: DVec3::new(2.0, 2.0, 3.0),
        target: DVec3::ZERO,
    });
    camera_reply(&SceneCamera {
        eye: view.eye,
        look: view.target,
        fov_degrees: SceneCamera::FOV_DEGREES,
        is_orthographic: false,
    })
}

/// A camera in the page's numbers.
fn camera_reply(camera: &SceneCamera) -> CameraReply {
    CameraReply {
        eye: camera.eye.as_vec3().to_array(),
        look: camera.look.as_vec3().to_array(),
        fov: camera.fov_degrees,
        projection: match camera.is_orthographic {
            false => "perspective",
            true => "orthographic",
        },
    }
}

fn corners(bounds: &Aabb) -> [[f32; 3]; 2] {
    [bounds.min().to_array(), bounds.max().to_array()]
}
