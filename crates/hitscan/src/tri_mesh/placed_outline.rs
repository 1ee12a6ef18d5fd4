//! The box around a mesh, or a deformed part, where a transform takes it, by the boxes of its tree's root side
//! by side.
//!
//! A box is taken as its middle and its half edges: the half edges of the box around what the transform makes
//! of it are theirs times the magnitudes of the matrix.
//!
//! Source: Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990.

use super::transformed_box::widened_box;
use crate::Aabb;
use crate::bvh::{Bvh, WIDTH};
use crate::simd::{Width, dispatch};
use fearless_simd::{Simd, f32x8, f64x4, prelude::*};
use glam::{DAffine3, DVec3};

/// As [`placed_box`](super::placed_box) of the mesh that this tree is of.
pub(crate) fn placed_outline<B: Clone>(tree: &Bvh<B>, world_from_part: &DAffine3) -> Option<Aabb> {
    let (all, root) = (tree.bounds_ref()?, tree.root()?);
    placed_pieces(tree.width(), (all, root.boxes()), world_from_part)
}

/// As [`placed_box`](super::placed_box) of a part in `all`, whose pieces are in these boxes: `pieces[axis][0]`
/// holds their lower ends, `pieces[axis][1]` the upper ones. There is a first, and those that do not exist are
/// turned inside out.
pub(crate) fn placed_pieces(
    width: Width,
    (all, pieces): (&Aabb, &Pieces),
    world_from_part: &DAffine3,
) -> Option<Aabb> {
    let ends = dispatch!(width, simd => transformed_pieces(simd, pieces, world_from_part));
    widened_box(ends, all, world_from_part)
}

/// Eight boxes side by side.
type Pieces = [[[f32; WIDTH]; 2]; 3];

/// The ends of the box around what a transform makes of boxes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn transformed_pieces<S: Simd>(simd: S, pieces: &Pieces, transform: &DAffine3) -> (DVec3, DVec3) {
    // Four children each.
    let mut middles = [[f64x4::splat(simd, 0.0); 3]; 2];
    let mut halves = middles;
    for (axis, [lower, upper]) in pieces.iter().enumerate() {
        // A place without a box has the first one.
        let (first_lower, first_upper) = (lower[0], upper[0]);
        let (lower, upper) = (lane(simd, lower), lane(simd, upper));
        let is_child = lower.simd_le(upper);
        let lower = is_child.select(lower, f32x8::splat(simd, first_lower));
        let upper = is_child.select(upper, f32x8::splat(simd, first_upper));
        let (lower, upper) = (simd.widen_f32x8(lower), simd.widen_f32x8(upper));
        for (half, (lower, upper)) in [(lower.0, upper.0), (lower.1, upper.1)]
            .into_iter()
            .enumerate()
        {
            middles[half][axis] = (lower + upper) * 0.5;
            halves[half][axis] = (upper - lower) * 0.5;
        }
    }
    let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let row = transform.matrix3.row(axis);
        let offset = transform.translation[axis];
        let mut ends = (
            f64x4::splat(simd, f64::INFINITY),
            f64x4::splat(simd, f64::NEG_INFINITY),
        );
        for half in 0..2 {
            let [x, y, z] = middles[half];
            let middle = x * row.x + y * row.y + z * row.z + offset;
            let [x, y, z] = halves[half];
            let extent = x * row.x.abs() + y * row.y.abs() + z * row.z.abs();
            ends = (ends.0.min(middle - extent), ends.1.max(middle + extent));
        }
        low[axis] = ends.0.reduce_min();
        high[axis] = ends.1.reduce_max();
    }
    (low, high)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn lane<S: Simd>(simd: S, row: &[f32; WIDTH]) -> f32x8<S> {
    f32x8::load_array_ref(simd, row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriMesh;
    use crate::test_rng::Rng;
    use crate::tri_mesh::MARGIN;
    use crate::tri_mesh::transformed_box::max_abs;
    use glam::{DMat3, DQuat, Vec3};

    /// From one triangle, whose root has one child, to full roots; near the origin, far from it, and flat.
    fn mesh(rng: &mut Rng) -> TriMesh {
        let count = rng.pick(&[1, 3, 9, 40, 300]);
        let far = f64::from(rng.pick(&[0.0_f32, 1.0, 1e6, -1e12]));
        let flat = rng.pick(&[1.0, 1.0, 0.0]);
        let mut point = || {
            let at = [1.0, flat, 1.0]
                .map(|size| far + size * rng.uniform(-1.0, 1.0) * far.abs().max(1.0));
            DVec3::from(at).as_vec3()
        };
        let positions: Vec<Vec3> = (0..3 * count).map(|_| point()).collect();
        let triangles = (0..count).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]);
        TriMesh::new(positions, triangles.collect::<Vec<[u32; 3]>>()).unwrap()
    }

    fn transform(rng: &mut Rng, mesh: &TriMesh) -> DAffine3 {
        let mut numbers = || [(); 4].map(|()| rng.uniform(-1.0, 1.0));
        let turn = DMat3::from_quat(DQuat::from_array(numbers()).normalize());
        let [x, y, z, far] = numbers();
        let shear = DMat3::from_cols(DVec3::new(x, y, z), DVec3::new(z, x, far), DVec3::Z);
        let matrix = match rng.below(4) {
            0 => turn,
            1 => turn * rng.pick(&[1e-7, 3.0, 1e9]),
            2 => turn * shear,
            _ => DMat3::from_diagonal(DVec3::new(1.0, 0.0, -2.0)),
        };
        let at = match rng.below(3) {
            0 => DVec3::ZERO,
            1 => DVec3::new(y, far, z) * 100.0,
            // Back to the origin: coordinates are differences of far greater ones.
            _ => -(matrix * mesh.positions()[0].as_dvec3()),
        };
        DAffine3::from_mat3_translation(matrix, at)
    }

    #[test]
    fn it_holds_the_placed_corners_with_a_margin_and_little_more() {
        let mut rng = Rng(65);
        let mut slack: f64 = 0.0;
        for _ in 0..3_000 {
            let mesh = mesh(&mut rng);
            let transform = transform(&mut rng, &mesh);
            let found = placed_outline(mesh.bvh(), &transform).unwrap();
            for width in Width::available() {
                let again = placed_outline(mesh.clone().with_width(width).bvh(), &transform);
                assert_eq!(again, Some(found), "{width:?}");
            }
            let (min, max) = (found.min().as_dvec3(), found.max().as_dvec3());
            let corners = mesh
                .positions()
                .iter()
                .map(|at| transform.transform_point3(at.as_dvec3()));
            let (low, high) = corners
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| {
                    (low.min(at), high.max(at))
                });
            let margin = MARGIN
                * max_abs(low)
                    .max(max_abs(high))
                    .max(max_abs(transform.translation));
            assert!((min + margin).cmple(low).all() && (max - margin).cmpge(high).all());
            // Turned boxes are larger than what is in them.
            let bounds = mesh.bounds().unwrap();
            let size = (bounds.max() - bounds.min()).as_dvec3().length();
            let stretch = transform
                .matrix3
                .to_cols_array()
                .iter()
                .fold(0.0, |sum: f64, x| sum.max(x.abs()));
            let beyond = (low - min).max(max - high).max_element();
            slack = slack.max(beyond / (5.0 * size * stretch + 4.0 * margin + f64::MIN_POSITIVE));
        }
        assert!(slack <= 1.0, "{slack}");
    }

    #[test]
    fn what_overflows_is_beyond_every_range() {
        let mut rng = Rng(66);
        let mesh = mesh(&mut rng);
        for scale in [1e300, f64::MAX] {
            let transform = DAffine3::from_scale(DVec3::new(scale, 1.0, scale));
            let found = placed_outline(mesh.bvh(), &transform).unwrap();
            assert!(!(found.max() - found.min()).is_finite());
        }
    }
}
