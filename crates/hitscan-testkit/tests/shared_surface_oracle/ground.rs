//! Ground that is cut into pieces of all kinds.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::model::{Model, ModelData, NodeData, PartData, PosedModel};
use hitscan::{HeightField, TriMesh, TriangleId};
use hitscan_testkit::Rng;
use std::sync::Arc;

/// Quads along each side of the ground.
pub(crate) const ACROSS: usize = 6;

/// A piece of the ground.
pub(crate) enum Piece {
    Field(Arc<HeightField>),
    Mesh(Arc<TriMesh>, DAffine3),
    Model(Arc<PosedModel>, DAffine3),
}

/// A triangle: its part and index in its piece, and its corners in the world.
pub(crate) type PieceTriangle = (TriangleId, [DVec3; 3]);

/// Pieces that make one ground, each with its triangles in order.
pub(crate) struct Ground(pub(crate) Vec<(Piece, Vec<PieceTriangle>)>);

impl Ground {
    /// Quads of one metre on few levels, cut into tiles along grid lines.
    pub(crate) fn new(rng: &mut Rng) -> Self {
        let mut heights = [[0.0_f32; ACROSS + 1]; ACROSS + 1];
        let steps: &[f32] = match rng.below(3) {
            0 => &[0.0],
            1 => &[0.0, 0.0, 0.0, 0.0, 0.5],
            _ => &[0.0, 0.0, 0.5, -0.5, 1.0],
        };
        for height in heights.as_flattened_mut() {
            *height = steps[rng.below(steps.len())];
        }
        let lines = |rng: &mut Rng| match rng.below(3) {
            0 => vec![0, 3, ACROSS],
            1 => vec![0, 2, 3, ACROSS],
            _ => vec![0, 1, 4, ACROSS],
        };
        let (columns, rows) = (lines(rng), lines(rng));
        let mut pieces = Vec::new();
        for z in rows.windows(2) {
            for x in columns.windows(2) {
                pieces.push(tile(rng, &heights, [x[0], x[1]], [z[0], z[1]]));
            }
        }
        // The order of objects is not that of places.
        for last in (1..pieces.len()).rev() {
            pieces.swap(last, rng.below(last + 1));
        }
        Self(pieces)
    }
}

fn tile(
    rng: &mut Rng,
    heights: &[[f32; ACROSS + 1]; ACROSS + 1],
    [x0, x1]: [usize; 2],
    [z0, z1]: [usize; 2],
) -> (Piece, Vec<PieceTriangle>) {
    let height = |i: usize, j: usize| heights[j][i];
    if rng.one_in(2) {
        let grid = Grid {
            origin: [x0 as f64, 0.0, z0 as f64],
            diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
            ..Grid::new(x1 - x0 + 1, z1 - z0 + 1, [1.0; 2])
        };
        let samples = (z0..=z1).flat_map(|j| (x0..=x1).map(move |i| height(i, j)));
        let mut samples: Vec<f32> = samples.collect();
        if rng.one_in(6) {
            let hole = rng.below(samples.len());
            samples[hole] = f32::NAN;
        }
        let field = HeightField::new(grid, samples).unwrap();
        let count = u32::try_from(field.triangle_count()).unwrap();
        let triangles = (0..count).filter_map(|triangle| {
            Some((TriangleId { part: 0, triangle }, field.triangle(triangle)?))
        });
        let triangles = triangles.collect();
        return (Piece::Field(Arc::new(field)), triangles);
    }
    // Where it is by its transform, which leaves whole numbers.
    let offset = DVec3::from_array([0; 3].map(|_: i32| rng.below(7) as f64 - 3.0));
    let at = |i: usize, j: usize| Vec3::new(i as f32, height(i, j), j as f32);
    let mut corners: Vec<[Vec3; 3]> = Vec::new();
    for (i, j) in (z0..z1).flat_map(|j| (x0..x1).map(move |i| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
        corners.extend(match rng.below(3) {
            0 => [[a, b, c], [c, d, a]],
            1 => [[b, c, d], [d, a, b]],
            // The other way round.
            _ => [[c, b, a], [a, d, c]],
        });
    }
    let of_part = |part: usize, corners: &[[Vec3; 3]]| -> Vec<PieceTriangle> {
        let part = u32::try_from(part).unwrap();
        let ids = (0..).map(move |triangle| TriangleId { part, triangle });
        let corners = corners.iter();
        ids.zip(corners.map(|corners| corners.map(Vec3::as_dvec3)))
            .collect()
    };
    let own = |corners: &[[Vec3; 3]]| -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let points = corners.as_flattened().iter();
        let points = points.map(|corner| (corner.as_dvec3() - offset).as_vec3());
        let indices = (0..).step_by(3).take(corners.len());
        (
            points.collect(),
            indices.map(|i| [i, i + 1, i + 2]).collect(),
        )
    };
    let place = DAffine3::from_translation(offset);
    if rng.one_in(2) {
        let (points, indices) = own(&corners);
        let mesh = TriMesh::new(points, indices).unwrap();
        return (Piece::Mesh(Arc::new(mesh), place), of_part(0, &corners));
    }
    let middle = rng.below(corners.len() + 1);
    let (first, second) = corners.split_at(middle);
    let parts = [first, second].map(|corners| {
        let (positions, triangles) = own(corners);
        PartData {
            positions,
            triangles,
            ..PartData::default()
        }
    });
    let data = ModelData {
        nodes: vec![NodeData::default()],
        parts: parts.into(),
        ..ModelData::default()
    };
    let model = Arc::new(Model::new(data).unwrap());
    let posed = PosedModel::new(&model, model.rest_pose()).unwrap();
    let triangles = [of_part(0, first), of_part(1, second)].concat();
    (Piece::Model(Arc::new(posed), place), triangles)
}
