//! The demo's map: the valley from above, with its objects and rays.

use super::questions::Questions;
use super::ridge::Comparison;
use crate::picture::image::Image;
use crate::picture::map::{self, Map, Mark, Shot, ShotEnd};
use crate::picture::palette;
use crate::scene::OpenScene;
use glam::{DVec2, Vec3, Vec3Swizzles};
use hitscan::world::World;
use hitscan::{QueryFilter, Ray, Sides};

/// Pixels along the map's longer side.
const SIDE: u32 = 1024;

/// Draws the map; `None` where the scene has no terrain.
pub(crate) fn draw(
    scene: &OpenScene,
    questions: &Questions,
    comparison: &Comparison,
) -> Option<Image> {
    let world = scene.world();
    let (_, field) = world.height_fields().next()?;
    let bounds = field.bounds()?;
    let height = |place: DVec2| {
        let ground = world.height(place.as_vec2(), QueryFilter::new()).ok()?;
        Some(f64::from(ground.height))
    };
    let reach = f64::from((bounds.max() - bounds.min()).length());
    let mut shots: Vec<Shot> = questions
        .rays
        .iter()
        .map(|asked| shot(world, &asked.question, reach))
        .collect();
    shots.extend(comparison.worst.iter().filter_map(|mistake| {
        let marched = mistake.marched?;
        Some(Shot {
            from: seen_from_above(mistake.exact.point),
            to: seen_from_above(marched.point),
            end: ShotEnd::Mistake,
        })
    }));
    let map = Map {
        min: seen_from_above(bounds.min()),
        max: seen_from_above(bounds.max()),
        height: &height,
        marks: marks(world),
        shots,
    };
    map::draw(&map, SIDE)
}

/// A disc for each object that is no terrain.
fn marks(world: &World) -> Vec<Mark> {
    let terrains = world.height_fields().count();
    let others = world.objects().skip(terrains);
    (0..)
        .zip(others)
        .filter_map(|(index, object)| {
            let bounds = world.object_bounds(object)?;
            let (min, max) = (seen_from_above(bounds.min()), seen_from_above(bounds.max()));
            Some(Mark {
                center: (min + max) / 2.0,
                radius: (max - min).max_element() / 2.0,
                colour: palette::object(index).as_vec3(),
            })
        })
        .collect()
}

/// A ray to its hit; one without a hit goes to its end, or `reach` metres far.
fn shot(world: &World, ray: &Ray, reach: f64) -> Shot {
    let from = seen_from_above(ray.at(ray.t_min()));
    match world.cast_ray(ray, Sides::Both) {
        Some(met) => Shot {
            from,
            to: seen_from_above(met.hit.point),
            end: ShotEnd::Hit,
        },
        None => {
            let direction = ray.direction().as_dvec3();
            let t = f64::from(ray.t_max()).min(reach / direction.length());
            Shot {
                from,
                to: from + DVec2::new(direction.x, direction.z) * t,
                end: ShotEnd::Miss,
            }
        }
    }
}

fn seen_from_above(p: Vec3) -> DVec2 {
    p.xz().as_dvec2()
}
