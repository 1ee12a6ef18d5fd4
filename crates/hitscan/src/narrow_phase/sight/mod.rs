//! Lines of sight: the open segment between two points, against a triangle and against each solid.
//!
//! Everything is decided on the two end points themselves, in f64 and exactly, never on a rounded
//! direction: so ground is not hidden by its own triangles, and two lines that meet in a point agree
//! there. Trees and worlds find what may be in the way (`world/query/sight.rs`).

mod on_ground;
mod sight_line;
mod solid;

pub(crate) use on_ground::{ground_height, is_on_ground};
pub(crate) use sight_line::{SightLine, is_in_plane};
pub(crate) use solid::{blocks, entry};
