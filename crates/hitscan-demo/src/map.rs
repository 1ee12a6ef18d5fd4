//! The demo's map: the valley from above, with objects and rays.

use crate::{Error, MarchComparison, Questions};
use glam::{DVec2, Vec3, Vec3Swizzles};
use hitscan::{QueryFilter, Ray, Sides, World};
use hitscan_assets::Scene;
use hitscan_picture::{Image, Map, Marker, RayEnd, RayMark, object_color};

/// Pixels along the map's longer side.
const SIDE: u32 = 1024;

/// Draws a map of the demo's scene with its questions' rays, and where the march goes wrong.
///
/// # Errors
/// [`Error::NoTerrain`] for a scene that is not the demo's.
pub fn draw_map(
    scene: &Scene,
    questions: &Questions,
    comparison: &MarchComparison,
) -> Result<Image, Error> {
    let world = scene.world();
    let field = world
        .now()
        .height_fields(QueryFilter::new())
        .next()
        .map(|(_, field)| field);
    let bounds = field
        .and_then(|field| field.bounds())
        .ok_or(Error::NoTerrain)?;
    let height = |point: DVec2| {
        let ground = world.now().height(point.as_vec2(), QueryFilter::new());
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
    };
    Ok(map.draw(SIDE)?)
}

/// A disc for each object that is no terrain.
fn markers(world: &World) -> Vec<Marker> {
    let terrains = world.now().height_fields(QueryFilter::new()).count();
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
    match world.now().cast_ray(ray, Sides::Both, QueryFilter::new()) {
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

fn from_above(p: Vec3) -> DVec2 {
    p.xz().as_dvec2()
}
