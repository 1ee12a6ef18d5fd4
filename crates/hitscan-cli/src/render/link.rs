//! Links to the viewer: the camera that one shows, and its shot.

use super::shots::{self, Kind};
use super::{fov_degrees, surface_color, view};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::link::{self, refused};
use glam::DVec3;
use hitscan::Interior;
use hitscan::shape_cast::InitialOverlap;
use hitscan::{ContactsPer, ObjectId, Sides};
use hitscan_ask::{
    March, MoveSettings, OverlapTest, ShapeKind, ViewshedOptions, ViewshedTable, find_terrain,
};
use hitscan_assets::Scene;
use hitscan_picture::{
    Link, MAX_SAMPLES, Painter, PictureOptions, Projection, RenderOptions, Shot, View, Viewpoint,
    ViewshedTint,
};
use hitscan_table::{Input, answer_fields};
use std::io::Cursor;
use std::sync::Arc;

/// How the page draws what a link shows, once nothing moves.
pub(super) fn options<'a>(scene: &'a Scene, link: &Link) -> Result<RenderOptions<'a>, Failure> {
    let size = link.size.unwrap_or([960, 540]);
    let fov_degrees = fov_degrees(scene.camera());
    let picture = PictureOptions {
        viewpoint: viewpoint(scene, link)?,
        projection: projection(scene, link),
        fov_y: link.fov_degrees.unwrap_or(fov_degrees).to_radians(),
        color: surface_color(scene),
        outline: link.outline,
        shows: link.shows,
        layers: link.layers.unwrap_or(u32::MAX),
        hidden: hidden(scene, link)?,
        viewshed: viewshed(scene, link)?,
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

/// The camera in the page's numbers, f32: where a link states none, that of the scene, else the overview of
/// a wide picture.
fn viewpoint(scene: &Scene, link: &Link) -> Result<Viewpoint, Failure> {
    let nearest_f32 = |point: DVec3| point.as_vec3().as_dvec3();
    let home = match scene.camera() {
        Some(camera) => view(camera),
        None => Painter::new(scene.world().now(), &PictureOptions::new([16, 9]))?.view(),
    };
    let eye = link.eye.map_or(home.eye, DVec3::from);
    let target = link.look.map_or(home.target, DVec3::from);
    Ok(Viewpoint::At(View {
        eye: nearest_f32(eye),
        target: nearest_f32(target),
    }))
}

/// As a link states it, where it states none but an eye in perspective.
fn projection(scene: &Scene, link: &Link) -> Projection {
    let camera = scene.camera().filter(|_| link.eye.is_none());
    link.projection.unwrap_or(match camera {
        Some(camera) if camera.is_orthographic => Projection::Orthographic,
        _ => Projection::Perspective,
    })
}

fn hidden(scene: &Scene, link: &Link) -> Result<Vec<ObjectId>, Failure> {
    let object = |name: &String| {
        let object = scene.object_named(name);
        object.ok_or_else(|| refused("hide", name, "the name of an object"))
    };
    link.hidden.iter().map(object).collect()
}

/// Whether the shot is a viewshed, which tints the ground.
fn is_viewshed(link: &Link) -> bool {
    link.tool.as_deref() == Some("viewshed")
}

/// What the eye of a link's viewshed sees.
fn viewshed(scene: &Scene, link: &Link) -> Result<Option<Arc<ViewshedTint>>, Failure> {
    let Some(question) = link.question.as_deref().filter(|_| is_viewshed(link)) else {
        return Ok(None);
    };
    let options = link.options.iter();
    let options = options.map(|(name, value)| (name.as_str(), value.as_str()));
    let options = ViewshedOptions::read(options).map_err(|wrong| {
        let found = format!("{}:{}", wrong.name, wrong.found);
        refused("options", &found, &wrong.expected)
    })?;
    let terrain = find_terrain(scene, options.terrain.as_deref()).map_err(Failure::usage)?;
    let table = ViewshedTable::new(scene, terrain, options.settings);
    let row = answer_fields("the link's question", question, &table)?;
    if let Some(reason) = row.invalid {
        return Err(Failure::usage(format!("the link's question: {reason}")));
    }
    let field = scene.now().height_field(terrain);
    let found = field.zip(table.into_viewshed());
    Ok(found.map(|(field, viewshed)| {
        let tint = ViewshedTint::new(terrain, *field.grid(), viewshed);
        Arc::new(tint)
    }))
}

/// The shot of a link, answered.
pub(super) fn shots(scene: &Scene, link: &Link) -> Result<Vec<Shot>, Failure> {
    let Some(question) = link.question.as_ref().filter(|_| !is_viewshed(link)) else {
        return Ok(Vec::new());
    };
    if question.is_empty() {
        let is_overlap = link.tool.as_deref() == Some("overlap");
        let test = is_overlap.then(|| overlap_test(link)).transpose()?;
        return Ok(test.map_or_else(Vec::new, |test| shots::of_pairs(scene, test)));
    }
    let kind = kind(link)?;
    let table = link::question_table(link)?;
    let input = Input::Stream {
        name: "the link's question".to_owned(),
        reader: Box::new(Cursor::new(table)),
    };
    Ok(shots::of_input(scene, kind, input, &[])?.reported("the link's question"))
}

/// An option of a link's tool.
fn option<'link>(link: &'link Link, name: &str) -> Option<&'link str> {
    let found = link.options.iter().find(|(option, _)| option == name);
    found.map(|(_, value)| value.as_str())
}

/// What decides which pairs of objects a link shows.
fn overlap_test(link: &Link) -> Result<OverlapTest, Failure> {
    match option(link, "exact") {
        None | Some("false") => Ok(OverlapTest::Bounds),
        Some("true") => Ok(OverlapTest::Exact),
        Some(other) => Err(refused("options", other, "exact true or false")),
    }
}

/// The shape of a link's query.
fn shape_kind(link: &Link) -> Result<ShapeKind, Failure> {
    let shape = option(link, "shape").unwrap_or("box").replace('-', "_");
    let expected = "shape box, obb, sphere, capsule, hull or cylinder";
    ShapeKind::from_name(&shape).ok_or_else(|| refused("options", &shape, expected))
}

/// The query of a link's tool.
fn kind(link: &Link) -> Result<Kind, Failure> {
    let option = |name: &str| option(link, name);
    let sides = match option("sides") {
        None | Some("both") => Sides::Both,
        Some("front") => Sides::Front,
        Some("back") => Sides::Back,
        Some(other) => return Err(refused("options", other, "sides both, front or back")),
    };
    Ok(match link.tool.as_deref() {
        None | Some("ray") => match option("method") {
            Some("march") => Kind::March(sides, march(&option)?),
            _ => Kind::Ray(sides),
        },
        Some("arc") => Kind::Arc(sides),
        Some("height") => Kind::Height,
        Some("sight") => Kind::Sight,
        Some("sweep") if option("turning") == Some("true") || option("object") == Some("true") => {
            let expected = "a shape that does not turn: objects and turns are drawn by the page";
            return Err(refused("options", "turning or object", expected));
        }
        Some("sweep") => Kind::Sweep(MoveSettings {
            shape: shape_kind(link)?,
            sides,
            initial_overlap: match option("initial_overlap").or_else(|| option("overlaps")) {
                Some("escape" | "leave") => InitialOverlap::Escape,
                _ => InitialOverlap::Stop,
            },
            ..MoveSettings::default()
        }),
        Some("closest") => Kind::Closest(match option("signed") {
            Some("true") => Interior::ClosedSurfaces,
            _ => Interior::Solids,
        }),
        Some("overlap") => Kind::Overlap(
            shape_kind(link)?,
            match option("each") {
                Some("triangle") => ContactsPer::Triangle,
                _ => ContactsPer::Object,
            },
        ),
        Some(other) => return Err(refused("tool", other, "a tool whose shots are drawn")),
    })
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
