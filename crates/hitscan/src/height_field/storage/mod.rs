//! How heights are stored: the grid, its cells, and the pyramid of the least and greatest heights.

pub(in crate::height_field) mod grid;
pub(in crate::height_field) mod cell_index;
pub(in crate::height_field) mod height_range;
pub(in crate::height_field) mod pyramid;
pub(in crate::height_field) mod tile;
