//! Storage of heights: the grid, its cells, and the pyramid of minimum and maximum heights.

pub(in crate::height_field) mod grid;
pub(in crate::height_field) mod cell_index;
pub(in crate::height_field) mod height_range;
pub(in crate::height_field) mod pyramid;
pub(in crate::height_field) mod tile;
