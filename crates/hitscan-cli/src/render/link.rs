//! What a link to the viewer shows.

use super::shots::{self, Kind};
use super::surface_color;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use glam::DVec3;
use hitscan::model::{Model, Pose};
use hitscan::shape_cast::Overlaps;
use hitscan::{ObjectId, Sides};
use hitscan_ask::{March, MoveSettings, ShapeKind};
use hitscan_assets::Scene;
use hitscan_picture::{
    ClipMoment, Error, Link, LinkPose, MAX_SAMPLES, Painter, PictureOptions, RenderOptions, Shot,
    View, Viewpoint,
};
use hitscan_table::Input;
use std::io::Cursor;

/// The angle of a link that states none, degrees.
const FOV_DEGREES: f64 = 50.0;

/// The scene with its models as they stand in a link.
pub(super) fn posed(scene: &Scene, link: &Link) -> Result<Scene, Failure> {
    if link.poses.is_empty() {
        return Ok(scene.clone());
    }
    let mut world = scene.world().clone();
    for pose in &link.poses {
        let refused = |expected: &str| refused("pose", &pose.object, expected);
        let object = scene.object_named(&pose.object);
        let model = object.and_then(|object| Some((object, scene.world().now().model(object)?)));
        let (object, model) = model.ok_or_else(|| refused("the name of a model"))?;
        world
            .set_pose(object, &whole_pose(model, pose)?)
            .map_err(|error| refused(&error.to_string()))?;
    }
    world.update();
    Ok(scene.with_now(world.now().clone()))
}

fn whole_pose(model: &Model, wanted: &LinkPose) -> Result<Pose, Failure> {
    let pose = pose_at(model, &wanted.at)?;
    let Some((other, weight)) = &wanted.blend else {
        return Ok(pose);
    };
    let blended = pose.blended(&pose_at(model, other)?, *weight);
    blended.map_err(|error| refused("pose", &weight.to_string(), &error.to_string()))
}

fn pose_at(model: &Model, at: &ClipMoment) -> Result<Pose, Failure> {
    let index = || at.clip.parse().ok();
    let clip = model.find_clip(&at.clip).or_else(index);
    let clip = clip.filter(|clip: &usize| *clip < model.clips().len());
    let clip = clip.ok_or_else(|| refused("pose", &at.clip, "a clip of the model"))?;
    let pose = model.pose_at(clip, at.time_secs);
    pose.map_err(|error| refused("pose", &at.time_secs.to_string(), &error.to_string()))
}

/// How the page draws what a link shows, once nothing moves.
pub(super) fn options<'a>(scene: &'a Scene, link: &Link) -> Result<RenderOptions<'a>, Failure> {
    let size = link.size.unwrap_or([960, 540]);
    let picture = PictureOptions {
        viewpoint: viewpoint(scene, link)?,
        projection: link.projection,
        fov_y: link.fov_degrees.unwrap_or(FOV_DEGREES).to_radians(),
        color: surface_color(scene),
        outline: link.outline,
        shows: link.shows,
        layers: link.layers.unwrap_or(u32::MAX),
        hidden: hidden(scene, link)?,
        ..PictureOptions::new(size).softly_lit()
    };
    Ok(RenderOptions {
        picture,
        samples: Some(MAX_SAMPLES),
        // The page has it beside the picture.
        legend: false,
        ..RenderOptions::new(size, &INTERRUPTED)
    })
}

/// The camera in the page's numbers, f32: where a link states none, the overview of a wide picture.
fn viewpoint(scene: &Scene, link: &Link) -> Result<Viewpoint, Failure> {
    let nearest_f32 = |point: DVec3| point.as_vec3().as_dvec3();
    let options = PictureOptions::new([16, 9]);
    let overview = Painter::new(scene.world().now(), &options)?.view();
    let eye = link.eye.map_or(overview.eye, DVec3::from);
    let target = link.look.map_or(overview.target, DVec3::from);
    Ok(Viewpoint::At(View {
        eye: nearest_f32(eye),
        target: nearest_f32(target),
    }))
}

fn hidden(scene: &Scene, link: &Link) -> Result<Vec<ObjectId>, Failure> {
    let object = |name: &String| {
        let object = scene.object_named(name);
        object.ok_or_else(|| refused("hide", name, "the name of an object"))
    };
    link.hidden.iter().map(object).collect()
}

/// The shot of a link, asked.
pub(super) fn shots(scene: &Scene, link: &Link) -> Result<Vec<Shot>, Failure> {
    if link.question.is_empty() {
        return Ok(Vec::new());
    }
    let Some(kind) = kind(link)? else {
        return Ok(Vec::new());
    };
    let names = link.question.iter().map(|(name, _)| name);
    let values = link.question.iter().map(|(_, value)| value);
    let table = format!("{}\n{}\n", csv_row(names), csv_row(values));
    let input = Input::Stream {
        name: "the link's question".to_owned(),
        reader: Box::new(Cursor::new(table)),
    };
    Ok(shots::of_input(scene, kind, input)?.reported("the link's question"))
}

/// What a link's tool asks; `None` for a tool whose answers are no lines.
fn kind(link: &Link) -> Result<Option<Kind>, Failure> {
    let option = |name: &str| {
        let found = link.options.iter().find(|(option, _)| option == name);
        found.map(|(_, value)| value.as_str())
    };
    let sides = match option("sides") {
        None | Some("both") => Sides::Both,
        Some("front") => Sides::Front,
        Some("back") => Sides::Back,
        Some(other) => return Err(refused("options", other, "sides both, front or back")),
    };
    Ok(Some(match link.tool.as_deref() {
        None | Some("ray") => match option("method") {
            Some("march") => Kind::March(sides, march(&option)?),
            _ => Kind::Ray(sides),
        },
        Some("arc") => Kind::Arc(sides),
        Some("height") => Kind::Height,
        Some("sweep") => {
            let shape = option("shape").unwrap_or("box").replace('-', "_");
            let kind = ShapeKind::ALL.into_iter().find(|kind| kind.name() == shape);
            let expected = "shape box, turned_box, sphere or capsule";
            Kind::Sweep(MoveSettings {
                shape: kind.ok_or_else(|| refused("options", &shape, expected))?,
                sides,
                overlaps: match option("overlaps") {
                    Some("leave") => Overlaps::Leave,
                    _ => Overlaps::Stop,
                },
                ..MoveSettings::default()
            })
        }
        Some(_) => return Ok(None),
    }))
}

fn march<'a>(option: &impl Fn(&str) -> Option<&'a str>) -> Result<March, Failure> {
    let mut march = March::default();
    if let Some(step) = option("step") {
        let metres = step.parse().ok();
        let with_step = metres.and_then(|metres| march.with_step(metres).ok());
        let expected = "a step of positive length, metres";
        march = with_step.ok_or_else(|| refused("options", step, expected))?;
    }
    if let Some(bisections) = option("bisections") {
        let expected = "bisections, a whole number";
        let count = bisections.parse();
        march = march.with_bisections(count.map_err(|_| refused("options", bisections, expected))?);
    }
    Ok(march)
}

/// Fields as CSV has them.
fn csv_row<'a>(fields: impl Iterator<Item = &'a String>) -> String {
    let quoted = fields.map(|field| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    });
    quoted.collect::<Vec<_>>().join(",")
}

fn refused(field: &str, found: &str, expected: &str) -> Failure {
    let error = Error::Link {
        field: field.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    };
    error.into()
}
