//! Scenes: the TOML file that names terrain, models, solids and crowds, and the world made of it.
//!
//! [`SceneFile`] is the text as plain values, each checked as it is read, so that an error names
//! the line. [`load_scene`] reads the files that it names and fills a `hitscan::World`.
//! Formats of height maps and models do not belong here.
//!
//! # What the scene file means where the contract leaves room
//! - A scene without objects is sound; every query then misses.
//! - Whole numbers are accepted as numbers; NaN and infinity never are.
//! - `time` is 0 where only `clip` is given. A `clip` in quotes is a name; if no clip has it, digits
//!   in quotes count as an index.
//! - `size` of a file that states its own size must agree with it.
//! - `range` goes with `height_scale` only if that is 1. `range` may run downwards.
//! - Names are not empty, since an empty field is no answer.
//! - `euler_degrees = [x, y, z]` may replace `rotation`: a rotation by x degrees about the x
//!   axis, then by y about the y axis, then by z about the z axis. The axes stay as they are, and
//!   each turns counter-clockwise, seen against its axis.
//! - A scene file and a table of places have at most 4 GiB, a height map or a model 32 GiB; all of them
//!   are regular files.
//!
//! # Warnings
//! What is read as the contract says, but is probably meant otherwise, is in [`Scene::warnings`]:
//! an `.asc` whose cells are degrees, 8- and 16-bit codes above 9000 m without `range`, a quaternion whose
//! length is not within 0.9 to 1.1, a time later than a clip's end by more than the clip's length and a
//! second, unknown columns of `places`, members off the map or over holes, and what models warn of.
//!
//! # The earth
//! ```toml
//! [world]
//! origin = [500000.0, 0.0, 6200000.0] # easting, height, northing of x = y = z = 0
//!
//! [[terrain]]
//! heights = "dgm.tif"
//! georeferenced = true        # placed by its own georeference
//!
//! [[model]]
//! file = "mast.glb"
//! translation = [120.5, 0.0, 80.0]
//! on_ground = true            # at the height of the highest terrain at its x and z,
//! y_above = 1.5               # and so many metres above; default 0
//! ```
//! A georeferenced terrain lies with x to the east and z to the south, by the tie point and scale or
//! the transformation of a GeoTIFF, the corner or center of an ESRI ASCII grid, the name of an HGT
//! tile. The positions of all other objects stay x, y, z in metres, relative to the world's origin.
//! Tables have an origin that the scene states in their x, y and z, as f64: it is taken off before
//! these become f32, and added to those of answers.
//! Without `[world] origin`, or without that table, the origin is the north-western sample of the
//! first georeferenced terrain, rounded to a whole metre or foot, at height 0; in degrees it is that
//! sample as it is. The first georeferenced terrain may have an `origin` instead, as other terrains
//! have: its north-western sample then lies there, and the coordinates of the map follow from that.
//! How coordinates become x, y, z is in
//! [`MapFrame`](crate::georeference::MapFrame), which [`Scene::frame`] returns.
//!
//! All georeferenced terrains are in one coordinate system, in which the scene's tables are too; none
//! is reprojected. Grids in degrees have the origin's easting and northing in degrees, and the
//! lengths of a degree at the middle of the first of them, on WGS 84, unless `spacing` states metres
//! between samples. `spacing` goes before the file's unit in a projected system as well.
//! A model `on_ground` is at the x and z that are the nearest f32 to its translation's, so that it is
//! exactly where that height is; it is an error where there is no ground.
//!
//! # The camera
//! ```toml
//! [camera]                    # from where pictures are seen; no answer depends on it
//! eye = [1.6, 2.95, 93.0]
//! look = [-0.7, 2.55, 80.0]
//! fov = 50.0                  # degrees, the default
//! projection = "perspective"  # the default; or "orthographic"
//! ```
//!
//! # More kinds of objects
//! ```toml
//! [[capsule]]
//! name = "post"
//! a = [0.0, 0.5, 0.0]         # all points within `radius` of the segment from a to b
//! b = [0.0, 1.5, 0.0]
//! radius = 0.5
//!
//! [[obb]]                     # an oriented box; `[[turned_box]]` is its alias
//! name = "plank"
//! center = [0.0, 1.0, 0.0]
//! half_size = [2.0, 0.1, 0.5] # along its own axes
//! rotation = [0.0, 0.0, 0.0, 1.0]
//!
//! [[crowd]]                   # many instances of one model
//! name = "guard"              # they are named guard0, guard1, ...; names stay unique over all
//! file = "Fox.glb"            # and up, scene, scale as for [[model]]
//! clip = "Run"                # optional
//! places = "guards.csv"       # a table of transforms; or instead:
//! count = 1000                # that many (up to a million)
//! seed = 7                    # default 0
//! area = [[-50.0, -50.0], [50.0, 50.0]] # x and z of two opposite corners
//!
//! [[hull]]                    # the convex hull of points, solid
//! name = "rock"
//! points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] # or file = a table (.csv) with x y z, or a model
//! radius = 0.1                # all within it, default 0
//! translation = [4.0, 0.0, 0.0] # and rotation, euler_degrees, scale as for [[model]]
//!
//! [[cylinder]]                # solid, with flat ends across the axis
//! name = "barrel"
//! a = [0.0, 0.0, 0.0]         # the middles of both ends
//! b = [0.0, 2.0, 0.0]
//! radius = 0.5
//!
//! [[compound]]                # several solids that are one object
//! name = "post"               # and translation, rotation, euler_degrees, scale as for [[model]]
//! [[compound.part]]
//! name = "foot"               # its own in the compound, default part0, part1, ...
//! shape = "box"               # or sphere, capsule, cylinder, obb, turned_box, hull, with the keys of such an object
//! min = [0.0, 0.0, 0.0]
//! max = [1.0, 0.5, 1.0]
//! ```
//! The order of kinds is terrain, model, sphere, box, capsule, oriented box (under both names in the
//! file's order, numbered together), crowd, hull, cylinder, compound. Any object may have
//! `layers`, a number whose bits are the layers that it is in (default 1).
//!
//! Terrains, models and crowds may have `surface = "ground"`: those of one name are one surface, over whose
//! seams shapes slide ([`World::set_surface`](hitscan::World::set_surface)). `[world] one_surface = true`
//! makes one of all georeferenced terrains that have none of their own.
//!
//! The table of places is CSV with a header: the columns `x` and `z`, and optionally `y` or
//! `y_above` (metres above the ground), `turn` (radians about +y, counter-clockwise seen from above),
//! `time` (seconds on the clip's own timeline) and `scale` (a factor beside the crowd's own). Other columns are passed over with a warning; an empty
//! field is its default. A member without a `y`, and each that is drawn by a seed, is on the highest terrain
//! at its x and z (rounded to f32, so that it is exactly there), or at y = 0 where there is none or
//! a hole. A seed draws position, turn and time evenly; the first members are the same whatever the
//! count, and the same on every machine.

mod location;
mod faults;
mod camera;
mod hull_entry;
mod entry;
mod names;
mod pieces;
mod table;
mod plain_table;
mod shown_value;
mod keys;
mod rotation;
mod shared_keys;
mod parse_primitives;
mod parse_crowd;
mod parse_hull;
mod parse_compound;
mod parse_terrain;
mod parse_camera;
mod parse_world;
mod parse;
mod scene_model;
mod recorded_files;
mod scene_textures;
mod given_names;
mod content;
mod place_terrains;
mod terrain;
mod ground;
mod model_colliders;
mod models;
mod csv_table;
mod places;
mod crowd;
mod precision;
mod baked;
mod surfaces;
mod builder;
mod hull_file;
mod hulls;
mod compounds;
mod load;

#[cfg(test)]
mod text_tests;
#[cfg(test)]
mod tests;

pub use baked::{bake, open_baked, open_baked_bytes, write_baked};
pub use camera::SceneCamera;
pub use content::{ClipTime, Scene};
pub use entry::{
    BoxEntry, CapsuleEntry, ClipChoice, ColliderUse, CrowdEntry, CrowdMembers, CylinderEntry,
    ModelEntry, ObbEntry, SceneFile, SphereEntry, TerrainEntry,
};
pub use given_names::UnfitNames;
pub use hull_entry::{CompoundEntry, HullEntry, HullPoints, NodeChoice, PartEntry, PartSolid};
pub use hull_file::read_hull;
pub use load::{
    check_scene_from, check_scene_text_from, check_scene_with_map, load_scene, load_scene_from,
    load_scene_text, load_scene_text_from, load_scene_with_map,
};
pub use location::Location;
pub use parse::TABLE_KEYS;
pub use places::PLACES_COLUMNS;
pub use scene_model::SceneModel;
