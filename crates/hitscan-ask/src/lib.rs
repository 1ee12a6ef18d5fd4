//! Tables of questions about a scene: which columns hold a question, and which hold its answer.
//!
//! The columns are those of the program `hitscan`, and so are the bits of the answers: whoever
//! answers a table through this crate, be it from Python or in a test, writes what the command
//! writes.
//!
//! | type | command | a question | its answer |
//! |---|---|---|---|
//! | [`RayTable`] | `hitscan ray` | `ox oy oz dx dy dz`, optional `t_min t_max` | `status`, and of a hit `t distance x y z nx ny nz object part triangle u v side` |
//! | [`ArcTable`] | `hitscan arc` | `ox oy oz vx vy vz`, optional `gx gy gz t_min t_max` | `status`, and of a hit `t x y z nx ny nz object part triangle u v side` |
//! | [`HeightTable`] | `hitscan height` | `x z` | `status`, `height nx ny nz object triangle` |
//! | [`FootprintTable`] | `hitscan height --method footprint` | `x z`, and `radius` or `half_x half_z` with optional `angle` | `status`, `height nx ny nz object min max slope plane coverage` |
//! | [`SweepTable`] | `hitscan sweep` | a shape's columns ([`ShapeKind`]), `dx dy dz` | `status`, `t nx ny nz object part triangle` |
//! | [`ObjectSweepTable`] | `hitscan sweep --object` | `mover`, `dx dy dz` | `status`, `t nx ny nz object part triangle mover_part mover_triangle` |
//! | [`TurningTable`] | `hitscan sweep --turning` | a shape's columns, `dx dy dz`, `axis_x axis_y axis_z angle`, optional `pivot_x pivot_y pivot_z tolerance` | `status`, `t nx ny nz object part triangle gap` |
//! | [`ObjectTurningTable`] | `hitscan sweep --object --turning` | `mover`, and as [`TurningTable`] | the same, with `mover_part mover_triangle` before `gap` |
//! | [`ContactTable`] | `hitscan overlap` with a table | a shape's columns, optional `margin` | a row for each contact: `row status separation nx ny nz x y z object part triangle` |
//! | [`ClosestTable`] | `hitscan closest` | `px py pz`, optional `max_distance` | `status`, and of the nearest point `distance x y z nx ny nz object part triangle u v` |
//! | [`OverlapTable`] | `hitscan overlap` | none: it lists the pairs of a scene | the pair and its intersection, or how the two shapes overlap |
//! | [`DistanceTable`] | `hitscan distance` | `object_a object_b`, optional `max_distance` | `status`, and `distance nx ny nz x0 y0 z0 x1 y1 z1 part_a triangle_a part_b triangle_b` |
//! | [`NearPairTable`] | `hitscan distance` without a table, `hitscan overlap --apart` | none: it lists pairs of a scene | the pair, and as [`DistanceTable`] |
//! | [`SightLineTable`] | `hitscan sight`, one table | `x y z target_x target_y target_z` | `status`, and of a blocker `t object part triangle` |
//! | [`SightTable`] | `hitscan sight` | two tables, `x y z` each | for each pair `eye target status`, and of a blocker `t object part triangle` |
//! | [`ViewshedTable`] | `hitscan viewshed --link` | `x z`, optional `y` | `status`, and the viewshed |
//! | [`EyeTable`] | `hitscan viewshed --eyes` | `x z`, optional `y` | none: the eyes are read |
//!
//! All but [`OverlapTable`], [`NearPairTable`], [`SightTable`] and [`EyeTable`] implement [`hitscan_table::Answer`], so that [`hitscan_table::run()`] streams a
//! file of any format through them, in parallel and in order. Their tables may have two more
//! columns: `mask`, the layers that a row sees, a bit each (all of them where the field is empty),
//! and `ignore`, the names of the objects that it passes through, with `;` between them (a `;` of a
//! name is `\;`).
//!
//! In place of `oy` a table of rays or arcs may have `oy_above`: metres above the ground, for eyes and masts;
//! and so `py_above`, `y_above` (eyes and targets), `cy_above`, `ay_above`, `by_above`, `min_y_above` and
//! `max_y_above`. The ground is the exact height at (ox, oz), of a box at its middle, of the highest terrain, in f64, whatever `mask` and
//! `ignore` say; the sum is rounded to f32 once. Off every map and over a hole the row is `invalid`.
//!
//! About a scene that has a map ([`table_frame`]) positions are read and answered as f64, and may be
//! named by the map's axes: `easting northing` (`lon lat` where the map is in degrees) in place of `x
//! z` and of `ox oz`, `height` in place of `oy`, `min_easting max_easting min_height max_height
//! min_northing max_northing` in place of the corners of a box, `a_easting` and so on in place of the ends
//! of a capsule, `pivot_easting` and so on of what something turns about. The hits of rays and arcs that are
//! named so are at `hit_easting hit_height hit_northing` in place of `x y z`, contacts at `contact_easting` and
//! so on, and `height` answers heights of the map. `dx dy dz` are metres east, up and south in any case.
//!
//! [`March`] is the classic approximate search for the ground along a ray, which [`RayHits::March`]
//! answers with; it is there to compare with the exact search.
//!
//! # Example
//! ```
//! use hitscan::Sides;
//! use hitscan_ask::{HitColumns, RayHits, RayTable};
//! use hitscan_table::{Input, Output, RunOptions, run};
//! use std::sync::atomic::AtomicBool;
//!
//! # let folder = std::env::temp_dir().join(format!("hitscan-ask-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let [scene, rays, hits] = ["scene.toml", "rays.csv", "hits.csv"].map(|name| folder.join(name));
//! std::fs::write(&scene, "[[sphere]]\nname = 'planet'\ncenter = [0, 0, 0]\nradius = 2\n")?;
//! std::fs::write(&rays, "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n0,3,5,0,0,-1\n")?;
//!
//! let scene = hitscan_assets::load_scene(&scene)?;
//! let table = RayTable::new(&scene, RayHits::Nearest(HitColumns::World), Sides::Both);
//! let cancel = AtomicBool::new(false);
//! let output = Output::File(hits.clone());
//! run(Input::File(rays), output, &table, &RunOptions::new(&cancel))?;
//!
//! let answers = std::fs::read_to_string(&hits)?;
//! let mut rows = answers.lines().skip(1);
//! assert_eq!(
//!     rows.next(),
//!     Some("0,0,5,0,0,-1,hit,3,3,0,0,2,0,0,1,planet,,,,,front")
//! );
//! assert_eq!(rows.next(), Some("0,3,5,0,0,-1,miss,,,,,,,,,,,,,,"));
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod names;
mod hit_row;
mod filter;
mod above;
mod frame;
mod march;
mod visits;
mod expected;
mod explain;
mod json;
mod ray_questions;
mod ray;
mod arc;
mod terrains;
mod highest_terrain;
mod height;
mod shape;
mod footprint;
mod sweep;
mod object_sweep;
mod turning;
mod object_turning;
mod contacts;
mod placement;
mod overlap_rows;
mod overlap;
mod closest;
mod distance;
mod invalid;
mod sight;
mod eyes;
mod viewshed;

pub use arc::{ArcHits, ArcTable};
pub use closest::ClosestTable;
pub use contacts::ContactTable;
pub use distance::{DistanceTable, NearPairTable, NearPairs};
pub use error::Error;
pub use expected::{NamedExpectation, NamedPlace, NamedReason, NamedTurn};
pub use explain::{Explain, NamedCandidate, candidates_of};
pub use eyes::EyeTable;
pub use filter::{Ignored, Seen, ignore_field, ignored, ignored_names};
pub use footprint::FootprintTable;
pub use frame::{possible_frames, table_frame};
pub use height::{HeightMethod, HeightTable};
pub use highest_terrain::highest_terrain;
pub use hitscan_table::{Axis, AxisAlias, AxisMap, Frame};
pub use json::{candidate_json, f32_json, row_json, value_json};
pub use march::{March, MarchLooks};
pub use names::joint_of;
pub use object_sweep::ObjectSweepTable;
pub use object_turning::ObjectTurningTable;
pub use overlap::{OverlapTable, OverlapTest};
pub use overlap_rows::FirstRows;
pub use placement::{PlacementChecks, PlacementTable};
pub use ray::{HitColumns, RayHits, RayTable};
pub use shape::ShapeKind;
pub use sight::{SightExplanation, SightLineTable, SightPairs, SightTable};
pub use sweep::{ContactColumns, MoveHits, MoveSettings, SweepTable};
pub use turning::{TurningHits, TurningSettings, TurningTable};
pub use viewshed::{
    ViewshedGround, ViewshedOptions, ViewshedSettings, ViewshedTable, WrongOption, described_eye,
    find_terrain,
};
pub use visits::{NamedApproach, NamedChange, NamedMiss, NamedTrace, NamedVisit};

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
