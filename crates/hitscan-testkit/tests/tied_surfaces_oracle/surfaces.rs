//! Flat, sloped and folded ground of unit cells, and shapes in it.

use crate::rules::Triangles;
use glam::{DQuat, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid, HeightField};
use hitscan::{
    Aabb, Capsule, Contact, ContactsPer, Obb, Primitive, ShapeCast, ShapeHit, Sphere, TriMesh,
};
use hitscan_testkit::Rng;

/// A mesh or a terrain.
pub(crate) enum Surface {
    Mesh(Box<TriMesh>),
    Field(Box<HeightField>),
}

impl Surface {
    pub(crate) fn contacts(
        &self,
        shape: Primitive,
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Contact> {
        match self {
            Self::Mesh(mesh) => mesh.contacts(shape, margin, each),
            Self::Field(field) => field.contacts(shape, margin, each),
        }
    }

    pub(crate) fn cast(&self, cast: &ShapeCast) -> (Option<ShapeHit>, bool) {
        match self {
            Self::Mesh(mesh) => (mesh.cast_shape(cast, ()), mesh.cast_shape_any(cast, ())),
            Self::Field(field) => (field.cast_shape(cast, ()), field.cast_shape_any(cast, ())),
        }
    }
}

const CELLS: usize = 5;

/// A plane, or a fold, with heights that f64 holds; `far` moves it.
pub(crate) fn surface(case: usize, rng: &mut Rng) -> (Surface, Triangles, [f32; 2]) {
    let slopes = [[0.0, 0.0], [0.0, 0.0], [0.25, 0.0], [-0.5, 0.125]];
    let slope = slopes[rng.below(4)];
    let fold = [0.0, 0.0, 0.5][rng.below(3)];
    // Of terrain, f64 that is no f32, so that differences are rounded.
    let base = [0.0, 0.0, 0.1][rng.below(3)];
    let height = |x: usize, z: usize| {
        let ridge = (x as f32 - 2.0).max(0.0) * fold;
        slope[0] * x as f32 + slope[1] * z as f32 - ridge
    };
    let points = CELLS + 1;
    if case.is_multiple_of(2) {
        let heights = (0..points * points).map(|i| height(i % points, i / points));
        let grid = Grid {
            origin: [0.0, base, 0.0],
            diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
            ..Grid::new(points, points, [1.0, 1.0])
        };
        let field = HeightField::new(grid, heights.collect()).expect("numbers are usable");
        let count = u32::try_from(field.triangle_count()).expect("numbers are usable");
        let triangles = (0..count).map(|i| field.triangle(i).expect("no holes"));
        let triangles = triangles.collect();
        return (Surface::Field(Box::new(field)), triangles, slope);
    }
    let at = |i: usize| {
        Vec3::new(
            (i % points) as f32,
            height(i % points, i / points),
            (i / points) as f32,
        )
    };
    let positions: Vec<Vec3> = (0..points * points).map(at).collect();
    let stride = [1, 7, 12][rng.below(3)];
    let is_flipped = rng.below(2) == 1;
    let cell = |k: usize| {
        let k = k * stride % (CELLS * CELLS);
        let corner = k / CELLS * points + k % CELLS;
        let below = corner + points;
        let both = [[corner, below, corner + 1], [corner + 1, below, below + 1]];
        both.map(|[a, b, c]| {
            if is_flipped && k.is_multiple_of(3) {
                [a, c, b]
            } else {
                [a, b, c]
            }
        })
    };
    let indices: Vec<[usize; 3]> = (0..CELLS * CELLS).flat_map(cell).collect();
    let triangles = indices
        .iter()
        .map(|all| all.map(|i| positions[i].as_dvec3()))
        .collect();
    let indices = indices
        .iter()
        .map(|all| all.map(|i| u32::try_from(i).expect("numbers are usable")))
        .collect();
    (
        Surface::Mesh(Box::new(
            TriMesh::new(positions, indices).expect("indices are in range"),
        )),
        triangles,
        slope,
    )
}

/// A shape in the ground, on it or a little above it.
pub(crate) fn shape(kind: usize, slope: [f32; 2], rng: &mut Rng) -> Primitive {
    let place = |rng: &mut Rng| {
        let x = 1.0 + rng.below(13) as f32 * 0.25;
        if rng.below(3) == 0 {
            x + rng.uniform_f32(0.0, 0.25)
        } else {
            x
        }
    };
    let (x, z) = (place(rng), place(rng));
    let ground = slope[0] * x + slope[1] * z;
    let half = Vec3::from([(); 3].map(|()| [0.5, 0.75, 1.0, 1.25][rng.below(4)]));
    let depth = [0.1, 0.125, 0.0, -0.0625, half.y, 0.25][rng.below(6)];
    let at = Vec3::new(x, ground + half.y - depth, z);
    let radius = f64::from(half.y);
    match kind {
        0 => Aabb::new(at - half, at + half)
            .expect("numbers are usable")
            .into(),
        1 | 2 => {
            let up = DVec3::new(-f64::from(slope[0]), 1.0, -f64::from(slope[1]));
            let turns = [
                DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
                DQuat::from_xyzw(0.0, 0.28, 0.0, 0.96),
                DQuat::from_xyzw(0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt()),
                DQuat::IDENTITY,
                // Flush with a slope, as far as it may be.
                DQuat::from_rotation_arc(DVec3::Y, up / up.length()),
            ];
            let tilted = [
                DQuat::from_xyzw(0.02, 0.28, 0.01, 0.96),
                DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
                DQuat::from_xyzw(0.1, 0.0, 0.0, 1.0),
            ];
            let turn = if kind == 1 {
                turns[rng.below(5)]
            } else {
                tilted[rng.below(3)]
            };
            Obb::new(at, half, turn).expect("numbers are usable").into()
        }
        3 => Sphere::new(at, radius).expect("numbers are usable").into(),
        _ => {
            let ways = [Vec3::X, Vec3::Z, Vec3::Y, Vec3::new(0.5, 0.25, -0.5)];
            Capsule::new(at, at + ways[rng.below(4)], radius)
                .expect("numbers are usable")
                .into()
        }
    }
}
