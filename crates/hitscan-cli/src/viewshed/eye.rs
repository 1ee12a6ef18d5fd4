//! The eye in the world, from the coordinates that were typed.

use crate::arguments::{Coordinate, Eye, EyeSystem};
use crate::failure::Failure;
use glam::{DVec3, Vec2, Vec3};
use hitscan::height_field::ViewshedQuery;
use hitscan_assets::georeference::MapFrame;

/// The question from this eye, in a scene whose map has this frame.
pub(super) fn from(eye: &Eye, frame: Option<&MapFrame>) -> Result<ViewshedQuery, Failure> {
    let is_of_the_map = match (eye.system, frame) {
        (EyeSystem::World, _) => false,
        // Where a scene only states its origin, numbers without names are still the world's.
        (EyeSystem::Unnamed, frame) => frame.is_some_and(|frame| frame.crs().is_some()),
        (EyeSystem::Projected | EyeSystem::Geographic, Some(frame)) => {
            let is_geographic = eye.system == EyeSystem::Geographic;
            if is_geographic != frame.is_geographic() {
                let [east, _, north] = frame.axis_names();
                return Err(Failure::usage(format!(
                    "--eye: the scene's map has {east} and {north}: write {east}=..,{north}=.."
                )));
            }
            true
        }
        (EyeSystem::Projected | EyeSystem::Geographic, None) => {
            return Err(Failure::usage(
                "--eye: the scene has no map: write X,Z or X,Y,Z, or give the map \
                 `georeferenced = true` (`--georeferenced` for a height map in place of a scene)",
            ));
        }
    };
    let Some(frame) = frame.filter(|_| is_of_the_map) else {
        let [x, z] = eye.place.map(|place| place.narrow);
        return Ok(match eye.height {
            Some(y) => ViewshedQuery::at(Vec3::new(x, y.narrow, z)),
            None => ViewshedQuery::standing(Vec2::new(x, z)),
        });
    };
    if eye.system == EyeSystem::Unnamed && eye.height.is_some() {
        let [east, height, north] = frame.axis_names();
        return Err(Failure::usage(format!(
            "--eye: three numbers on a map need names: x=..,y=..,z=.. for metres of the world, \
             {east}=..,{north}=..,{height}=.. for the map"
        )));
    }
    let [first, second] = eye.place.map(|place| place.wide);
    let height = eye.height.map_or(0.0, |height: Coordinate| height.wide);
    let world = DVec3::from_array(frame.world_from_map([first, height, second])).as_vec3();
    Ok(match eye.height {
        Some(_) => ViewshedQuery::at(world),
        None => ViewshedQuery::standing(Vec2::new(world.x, world.z)),
    })
}
