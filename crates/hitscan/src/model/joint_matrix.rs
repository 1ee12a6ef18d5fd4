//! Affine transforms of vertices, laid out for vectors of four.
//!
//! Every product and sum is that of `DAffine3`, in its order, in every vector width.

use fearless_simd::{Simd, f64x4, prelude::*};
use glam::{DAffine3, DMat3, DVec3};
use smallvec::SmallVec;

/// An affine transform: its columns, each with a zero behind it, so that one is one vector.
///
/// Not aligned to whole vectors: memory that is takes the allocator longer than unaligned loads cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointMatrix {
    pub(super) columns: [[f64; 4]; 4],
}

impl From<&DAffine3> for JointMatrix {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(transform: &DAffine3) -> Self {
        let DMat3 {
            x_axis: x,
            y_axis: y,
            z_axis: z,
        } = transform.matrix3;
        let t = transform.translation;
        Self {
            columns: [
                [x.x, x.y, x.z, 0.0],
                [y.x, y.y, y.z, 0.0],
                [z.x, z.y, z.z, 0.0],
                [t.x, t.y, t.z, 0.0],
            ],
        }
    }
}

impl From<&JointMatrix> for DAffine3 {
    fn from(joint_matrix: &JointMatrix) -> Self {
        let [x, y, z, translation] = joint_matrix.columns.map(|[x, y, z, _]| DVec3::new(x, y, z));
        Self {
            matrix3: DMat3::from_cols(x, y, z),
            translation,
        }
    }
}

/// Four columns in f32, one after the other, each with a number behind that means nothing.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct RoundedColumns(pub(super) [[f32; 8]; 2]);

impl RoundedColumns {
    /// The number in a row of a column.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(&self, column: usize, row: usize) -> f32 {
        self.0[column / 2][4 * (column % 2) + row]
    }
}

/// Four columns, rounded to f32; which is bounded where they are used.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn rounded_columns<S: Simd>([x, y, z, translation]: [f64x4<S>; 4]) -> RoundedColumns {
    RoundedColumns([x.narrow(y).to_array(), z.narrow(translation).to_array()])
}

impl JointMatrix {
    pub(super) const IDENTITY: Self = Self {
        columns: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0],
        ],
    };

    /// Its columns in f32.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn rounded<S: Simd>(&self, simd: S) -> RoundedColumns {
        let [x, y, z, translation] = &self.columns;
        let column = |column| f64x4::load_array_ref(simd, column);
        rounded_columns([column(x), column(y), column(z), column(translation)])
    }

    /// `at` transformed: `((x * at.x + y * at.y) + z * at.z) + translation`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn transformed<S: Simd>(&self, simd: S, at: DVec3) -> f64x4<S> {
        let translation = f64x4::load_array_ref(simd, &self.columns[3]);
        self.turned(simd, &[at.x, at.y, at.z, 0.0]) + translation
    }

    /// `inner`, then this.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn after<S: Simd>(&self, simd: S, inner: &Self) -> Self {
        let [x, y, z, translation] = &inner.columns;
        let own = f64x4::load_array_ref(simd, &self.columns[3]);
        Self {
            columns: [
                self.turned(simd, x).to_array(),
                self.turned(simd, y).to_array(),
                self.turned(simd, z).to_array(),
                (self.turned(simd, translation) + own).to_array(),
            ],
        }
    }

    /// `(x * v.x + y * v.y) + z * v.z`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn turned<S: Simd>(&self, simd: S, v: &[f64; 4]) -> f64x4<S> {
        let [x, y, z, _] = &self.columns;
        (f64x4::load_array_ref(simd, x) * v[0] + f64x4::load_array_ref(simd, y) * v[1])
            + f64x4::load_array_ref(simd, z) * v[2]
    }
}

/// The number of a skeleton's nodes up to which their transforms need no memory from the allocator.
const FEW_NODES: usize = 32;

/// The transforms of a skeleton's nodes.
pub(super) type JointMatrices = SmallVec<[JointMatrix; FEW_NODES]>;

/// Fills an empty list with so many identities: few by one copy, as the list itself would write one after
/// the other.
pub(super) fn fill_with_identities(joint_matrices: &mut JointMatrices, count: usize) {
    static IDENTITIES: [JointMatrix; FEW_NODES] = [JointMatrix::IDENTITY; FEW_NODES];
    match IDENTITIES.get(..count) {
        Some(few) => joint_matrices.extend_from_slice(few),
        None => joint_matrices.resize(count, JointMatrix::IDENTITY),
    }
}
