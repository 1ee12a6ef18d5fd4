//! Meshes to draw terrain by.

use bevy_asset::RenderAssetUsages;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use hitscan::HeightField;
use hitscan::height_field::{Diagonal, Grid};

/// The triangles of terrain, without its holes.
#[expect(clippy::cast_possible_truncation, reason = "a mesh is drawn in f32")]
pub(super) fn to_mesh(field: &HeightField) -> Mesh {
    let grid = field.grid();
    let samples = (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| (column, row)));
    let positions: Vec<[f32; 3]> = samples
        .map(|(column, row)| {
            let height = f64::from(field.sample(column, row).unwrap_or(0.0));
            [grid.x(column), grid.origin[1] + height, grid.z(row)].map(|at| at as f32)
        })
        .collect();
    let count = field.triangle_count() as u32;
    let exists = |triangle: &u32| field.triangle(*triangle).is_some();
    let corners = (0..count)
        .filter(exists)
        .flat_map(|triangle| corners(grid, triangle));
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_indices(Indices::U32(corners.collect()))
    .with_computed_normals()
}

/// The samples at a triangle's corners, as the height field orders them.
#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer than 2^32 samples"
)]
fn corners(grid: &Grid, triangle: u32) -> [u32; 3] {
    let cell = triangle as usize / 2;
    let cells_a_row = grid.columns - 1;
    let first = cell / cells_a_row * grid.columns + cell % cells_a_row;
    let below = first + grid.columns;
    let corners = match (grid.diagonal, triangle % 2) {
        (Diagonal::Anti, 0) => [first, below, first + 1],
        (Diagonal::Anti, _) => [first + 1, below, below + 1],
        (Diagonal::Main, 0) => [first, below + 1, first + 1],
        (Diagonal::Main, _) => [first, below, below + 1],
    };
    corners.map(|sample| sample as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_math::Vec3;

    #[test]
    fn the_mesh_has_the_triangles_of_the_height_field_and_none_of_its_holes() {
        for diagonal in [Diagonal::Anti, Diagonal::Main] {
            let grid = Grid {
                diagonal,
                origin: [4.0, 2.0, -1.0],
                ..Grid::new(4, 3, [0.5, 2.0])
            };
            let mut heights: Vec<f32> =
                (0..12_u8).map(|sample| f32::from(sample * 5 % 7)).collect();
            heights[6] = f32::NAN;
            let field = HeightField::new(grid, heights).unwrap();
            let mesh = to_mesh(&field);
            let drawn = mesh.triangles().unwrap();
            let drawn: Vec<[Vec3; 3]> = drawn.map(|triangle| triangle.vertices).collect();
            let all = (0..12_u32).filter_map(|triangle| field.triangle(triangle));
            let exact: Vec<[Vec3; 3]> = all.map(|corners| corners.map(|at| at.as_vec3())).collect();
            assert_eq!(drawn, exact, "{diagonal:?}");
            assert_eq!(
                drawn.len(),
                6,
                "six of twelve have no corner that is a hole"
            );
        }
    }
}
