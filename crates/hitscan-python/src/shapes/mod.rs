//! Shapes: meshes, terrain and primitives, made of arrays and files.

mod place;
mod mesh;
mod height_samples;
mod map_place;
mod height_field;
mod primitive;
mod compound;

pub(crate) use compound::PyCompound;
pub(crate) use height_field::PyHeightField;
pub(crate) use height_samples::PyHeightSamples;
pub(crate) use map_place::utm_zone;
pub(crate) use mesh::PyTriMesh;
pub(crate) use place::{checked_origin, corners_of};
pub(crate) use primitive::{MakePrimitive, PyPrimitive};
