//! The demo's map: the valley from above, with its objects and rays.

use super::questions::Questions;
use super::ridge::Comparison;
use glam::{DVec2, Vec3, Vec3Swizzles};
use hitscan::world::{World, WorldGround};
use hitscan::{Filter, Ray, Sides};
use hitscan_assets::Scene;
use hitscan_picture::{Error, Image, Map, Marker, RayEnd, RayMark, object_color};

/// Pixels along the map's longer side.
const SIDE: u32 = 1024;

/// Draws the map; `None` where the scene has no terrain.
pub(crate) fn draw(
    scene: &Scene,
    questions: &Questions,
    comparison: &Comparison,
) -> Result<Option<Image>, Error> {
    let world = scene.world();
    let Some(bounds) = world
        .height_fields()
        .next()
        .and_then(|(_, field)| field.bounds())
    else {
        return Ok(None);
    };
    let height = |place: DVec2| {
        let place = place.as_vec2();
        match world.height(place.x, place.y, Filter::new()) {
            WorldGround::Height(_, ground) => Some(f64::from(ground.height)),
            WorldGround::Outside | WorldGround::Hole => None,
        }
    };
    let reach = f64::from((bounds.max() - bounds.min()).length());
    let mut shots: Vec<RayMark> = questions
        .rays
        .iter()
        .map(|asked| shot(world, &asked.question, reach))
        .collect();
    shots.extend(comparison.worst.iter().filter_map(|mistake| {
        let marched = mistake.marched?;
        Some(RayMark {
            from: seen_from_above(mistake.exact.point),
            to: seen_from_above(marched.point),
            end: RayEnd::Mistake,
        })
    }));
    let map = Map {
        min: seen_from_above(bounds.min()),
        max: seen_from_above(bounds.max()),
        height: &height,
        markers: marks(world),
        rays: shots,
    };
    map.draw(SIDE).map(Some)
}

/// A disc for each object that is no terrain.
fn marks(world: &World) -> Vec<Marker> {
    let terrains = world.height_fields().count();
    let others = world.objects().skip(terrains);
    (0..)
        .zip(others)
        .filter_map(|(index, object)| {
            let bounds = world.object_bounds(object)?;
            let (min, max) = (seen_from_above(bounds.min()), seen_from_above(bounds.max()));
            Some(Marker {
                center: (min + max) / 2.0,
                radius: (max - min).max_element() / 2.0,
                color: object_color(index).as_vec3(),
            })
        })
        .collect()
}

/// A ray to its hit; one without a hit goes to its end, or `reach` metres far.
fn shot(world: &World, ray: &Ray, reach: f64) -> RayMark {
    let from = seen_from_above(ray.at(ray.t_min()));
    match world.cast_ray(ray, Sides::Both) {
        Some(met) => RayMark {
            from,
            to: seen_from_above(met.hit.point),
            end: RayEnd::Hit,
        },
        None => {
            let direction = ray.direction().as_dvec3();
            let t = f64::from(ray.t_max()).min(reach / direction.length());
            RayMark {
                from,
                to: from + DVec2::new(direction.x, direction.z) * t,
                end: RayEnd::Miss,
            }
        }
    }
}

fn seen_from_above(p: Vec3) -> DVec2 {
    p.xz().as_dvec2()
}
