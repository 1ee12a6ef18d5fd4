//! Random skinned meshes and joint matrices, and their vertices skinned plainly.

use hitscan::glam::{Affine3A, Mat3A, Mat4, Quat, Vec3, Vec3A};
use hitscan::model::SkinnedMeshData;
use hitscan_testkit::Rng;

pub(crate) fn point(rng: &mut Rng, span: f32) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| rng.uniform_f32(-span, span)))
}

pub(crate) fn turn(rng: &mut Rng) -> Quat {
    let q = [(); 4].map(|()| rng.uniform_f32(-1.0, 1.0));
    let length = q.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-3);
    Quat::from_array(q.map(|x| x / length))
}

/// A mesh of 2 to 7 joints with up to 8 influences a vertex, some of weights that do not sum up to 1.
pub(crate) fn mesh(rng: &mut Rng) -> SkinnedMeshData {
    let joint_count = 2 + rng.below(6);
    let vertices = 12 + rng.below(60);
    let influences = 1 + rng.below(8);
    let targets = if rng.one_in(2) { 0 } else { 1 + rng.below(3) };
    let weight = |rng: &mut Rng| match rng.below(4) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.uniform_f32(0.0, 1.0),
    };
    let corner = |rng: &mut Rng| u32::try_from(rng.below(vertices)).unwrap();
    let parent = |rng: &mut Rng, joint: usize| {
        let has_none = joint == 0 || rng.one_in(5);
        (!has_none).then(|| rng.below(joint))
    };
    SkinnedMeshData {
        name: "body".into(),
        positions: (0..vertices).map(|_| point(rng, 1.0)).collect(),
        indices: (0..3 * (10 + rng.below(60))).map(|_| corner(rng)).collect(),
        influences,
        joints: (0..vertices * influences)
            .map(|_| u16::try_from(rng.below(joint_count)).unwrap())
            .collect(),
        weights: (0..vertices * influences).map(|_| weight(rng)).collect(),
        morph_displacements: (0..targets * vertices).map(|_| point(rng, 0.4)).collect(),
        joint_count,
        inverse_bind: match rng.below(3) {
            0 => Vec::new(),
            _ => (0..joint_count)
                .map(|_| {
                    let turn = turn(rng);
                    Mat4::from_rotation_translation(turn, point(rng, 1.0))
                })
                .collect(),
        },
        parents: (0..joint_count).map(|joint| parent(rng, joint)).collect(),
    }
}

/// A matrix of a joint as no sane engine has it.
pub(crate) fn joint_matrix(rng: &mut Rng) -> Affine3A {
    let scale = match rng.below(10) {
        0 => Vec3::ZERO,
        1 => Vec3::new(1.0, 0.0, 1.0),
        2 => Vec3::new(-1.0, 1.0, 1.0),
        3 => Vec3::splat(-0.5),
        4 => Vec3::splat(1e5),
        5 => Vec3::splat(1e-6),
        6 => Vec3::new(1.0, 100.0, 0.01),
        _ => Vec3::ONE,
    };
    let mut matrix3 = Mat3A::from_quat(turn(rng)) * Mat3A::from_diagonal(scale);
    if rng.one_in(6) {
        matrix3.y_axis += matrix3.x_axis * 2.0;
    }
    let span = [0.0, 2.0, 2.0, 1e4, 1e8][rng.below(5)];
    Affine3A {
        matrix3,
        translation: Vec3A::from(point(rng, span)),
    }
}

pub(crate) fn triangles(data: &SkinnedMeshData) -> Vec<[u32; 3]> {
    let corners = data.indices.chunks_exact(3);
    corners
        .map(|corners| [corners[0], corners[1], corners[2]])
        .collect()
}

/// Rows of a 3x4 matrix.
type Rows = [[f64; 4]; 3];

fn rows(columns: [f32; 12]) -> Rows {
    core::array::from_fn(|row| core::array::from_fn(|column| f64::from(columns[3 * column + row])))
}

/// `a`, then nothing of the last row, which is 0 0 0 1.
fn product(a: &Rows, b: &Rows) -> Rows {
    core::array::from_fn(|row| {
        core::array::from_fn(|column| {
            let [x, y, z] = [0, 1, 2].map(|k| a[row][k] * b[k][column]);
            let sum = (x + y) + z;
            if column == 3 { sum + a[row][3] } else { sum }
        })
    })
}

/// Where each vertex is, rounded to f32: displaced by the targets in their order, then moved by each of its joints in
/// ascending order, times the joint's weight.
pub(crate) fn skinned(
    data: &SkinnedMeshData,
    joints: &[Affine3A],
    morph_weights: &[f32],
) -> Vec<Vec3> {
    let vertices = data.positions.len();
    let world_from_bind: Vec<Rows> = (0..data.joint_count)
        .map(|joint| {
            let world_from_joint = rows(joints[joint].to_cols_array());
            let inverse_bind = match data.inverse_bind.get(joint) {
                Some(matrix) => rows(Affine3A::from_mat4(*matrix).to_cols_array()),
                None => rows(Affine3A::IDENTITY.to_cols_array()),
            };
            product(&world_from_joint, &inverse_bind)
        })
        .collect();
    (0..vertices)
        .map(|vertex| {
            let mut at = data.positions[vertex].to_array().map(f64::from);
            for (target, weight) in morph_weights.iter().enumerate() {
                if *weight != 0.0 {
                    let by = data.morph_displacements[target * vertices + vertex].to_array();
                    for axis in 0..3 {
                        at[axis] += f64::from(by[axis]) * f64::from(*weight);
                    }
                }
            }
            let own = vertex * data.influences..(vertex + 1) * data.influences;
            let weight_of = |joint: usize| -> f64 {
                let own = data.joints[own.clone()]
                    .iter()
                    .zip(&data.weights[own.clone()]);
                let mut weights: Vec<f32> = own
                    .filter(|(own, _)| usize::from(**own) == joint)
                    .map(|(_, weight)| *weight)
                    .collect();
                weights.sort_by(f32::total_cmp);
                weights.iter().copied().map(f64::from).sum()
            };
            let weights: Vec<f64> = (0..data.joint_count).map(weight_of).collect();
            let sum: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
            let mut placed = [0.0; 3];
            for (joint, rows) in world_from_bind.iter().enumerate() {
                let weight = match sum {
                    0.0 if joint == usize::from(data.joints[own.start]) => 1.0,
                    0.0 => 0.0,
                    sum => weights[joint] / sum,
                };
                if weight == 0.0 {
                    continue;
                }
                for axis in 0..3 {
                    let [x, y, z] = [0, 1, 2].map(|k| rows[axis][k] * at[k]);
                    placed[axis] += (((x + y) + z) + rows[axis][3]) * weight;
                }
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "rounded once, as it is promised"
            )]
            Vec3::from_array(placed.map(|x| x as f32))
        })
        .collect()
}
