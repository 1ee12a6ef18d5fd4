//! The demo's pictures from above: a map with objects, rays and arcs, and what a guard sees.

use crate::{Error, MarchComparison, Questions};
use glam::{DVec2, Vec3, Vec3Swizzles};
use hitscan::height_field::{Viewshed, ViewshedQuery};
use hitscan::{Aabb, BallisticArc, Ray, World};
use hitscan_assets::Scene;
use hitscan_picture::{Image, Map, Marker, PathMark, RayEnd, RayMark, draw_viewshed, object_color};

/// Pixels along the map's longer side.
const SIDE: u32 = 1024;

/// Seconds between the dots on an arc.
const ARC_STEP: f32 = 0.5;

/// Draws a map of the demo's scene with its questions' rays and arcs, and where the march goes wrong.
///
/// # Errors
/// [`Error::NoTerrain`] for a scene that is not the demo's.
pub fn draw_map(
    scene: &Scene,
    questions: &Questions,
    comparison: &MarchComparison,
) -> Result<Image, Error> {
    let world = scene.world();
    let field = world.now().height_fields(()).next().map(|(_, field)| field);
    let bounds = field
        .and_then(|field| field.bounds())
        .ok_or(Error::NoTerrain)?;
    let height = |point: DVec2| {
        let ground = world.now().height(point.as_vec2(), ());
        Some(f64::from(ground.ok()?.height))
    };
    let diagonal = f64::from((bounds.max() - bounds.min()).length());
    let mut rays: Vec<RayMark> = questions
        .rays
        .iter()
        .map(|question| ray_mark(world, &question.query, diagonal))
        .collect();
    rays.extend(comparison.worst.iter().filter_map(|error| {
        let marched = error.marched?;
        Some(RayMark {
            from: from_above(error.exact.point),
            to: from_above(marched.point),
            end: RayEnd::Mistake,
        })
    }));
    let map = Map {
        min: from_above(bounds.min()),
        max: from_above(bounds.max()),
        height: &height,
        markers: markers(world),
        rays,
        paths: questions
            .arcs
            .iter()
            .map(|question| path_mark(world, &question.query, &bounds))
            .collect(),
    };
    Ok(map.draw(SIDE)?)
}

/// What of the terrain the guard of the questions sees, and a picture of it.
///
/// # Errors
/// [`Error::NoTerrain`] for a scene that is not the demo's.
pub fn watch_valley(scene: &Scene, questions: &Questions) -> Result<(Viewshed, Image), Error> {
    let snapshot = scene.world().now();
    let (terrain, field) = snapshot.height_fields(()).next().ok_or(Error::NoTerrain)?;
    let query = ViewshedQuery::standing(questions.guard).with_above(Questions::GUARD_EYES)?;
    let viewshed = snapshot
        .viewshed(terrain, &query, ())
        .ok_or(Error::NoTerrain)?;
    let image = draw_viewshed(field, &viewshed)?;
    Ok((viewshed, image))
}

/// A disc for each object that is no terrain.
fn markers(world: &World) -> Vec<Marker> {
    let terrains = world.now().height_fields(()).count();
    let others = world.now().objects().skip(terrains);
    (0..)
        .zip(others)
        .filter_map(|(index, object)| {
            let bounds = world.now().object_bounds(object)?;
            let (min, max) = (from_above(bounds.min()), from_above(bounds.max()));
            Some(Marker {
                center: (min + max) / 2.0,
                radius: (max - min).max_element() / 2.0,
                color: object_color(index).as_vec3(),
            })
        })
        .collect()
}

/// A ray to its hit; one without a hit goes to its end, or `length` metres far.
fn ray_mark(world: &World, ray: &Ray, length: f64) -> RayMark {
    let from = from_above(ray.at(ray.t_min()));
    match world.now().cast_ray(ray, ()) {
        Some(hit) => RayMark {
            from,
            to: from_above(hit.point),
            end: RayEnd::Hit,
        },
        None => {
            let direction = ray.direction().as_dvec3();
            let t = f64::from(ray.t_max()).min(length / direction.length());
            RayMark {
                from,
                to: from + DVec2::new(direction.x, direction.z) * t,
                end: RayEnd::Miss,
            }
        }
    }
}

/// An arc to where it lands; one that does not land goes to the edge of the map.
fn path_mark(world: &World, arc: &BallisticArc, map: &Aabb) -> PathMark {
    let hit = world.now().cast_arc(arc, ());
    let end_secs = hit.map_or(f32::INFINITY, |hit| hit.t);
    let is_on_map = |point: &Vec3| {
        let [low, high] = [map.min(), map.max()].map(Vec3Swizzles::xz);
        point.xz().cmpge(low).all() && point.xz().cmple(high).all() && point.y >= map.min().y
    };
    let points = (0..100_u8)
        .map(|step| f32::from(step) * ARC_STEP)
        .take_while(|&secs| secs < end_secs)
        .map(|secs| arc.at(secs))
        .take_while(is_on_map)
        .map(from_above)
        .collect();
    PathMark {
        points,
        end: hit.map(|hit| from_above(hit.point)),
    }
}

fn from_above(p: Vec3) -> DVec2 {
    p.xz().as_dvec2()
}
