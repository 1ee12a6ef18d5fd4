//! Oracle of posed vertices, computed plainly in f64 from the model's data.
//!
//! By other formulas than the library's: rows of matrices, recursion to the root, rotations by cross
//! products, arcs by bisection, splines by de Casteljau, skins by blended matrices.

use hitscan::glam::{DQuat, DVec3};
use hitscan::model::{
    ChannelData, Interpolation, ModelData, NodeTransform, PartData, Property, SkinData,
};

/// A 4x4 matrix, row by row.
pub type Matrix = [[f64; 4]; 4];

/// A vertex in a pose, in the model's space.
#[derive(Debug, Clone, Copy)]
pub struct OracleVertex {
    /// Metres.
    pub position: [f64; 3],
    /// For each axis the sum of the magnitudes of all that is added up on the way there: what a
    /// rounding error may be measured by.
    pub magnitude: [f64; 3],
}

/// All vertices of all parts, with nodes as they rest or as clip and time, seconds, have them.
///
/// # Panics
/// When the data is not one that [`hitscan::Model::new`] accepts.
#[must_use]
pub fn posed_vertices(data: &ModelData, clip: Option<(usize, f64)>) -> Vec<Vec<OracleVertex>> {
    let mut data = data.clone();
    let nodes = data.nodes.iter();
    let mut weights: Vec<Vec<f64>> = nodes
        .map(|node| node.morph_weights.iter().map(|x| f64::from(*x)).collect())
        .collect();
    if let Some((clip, time)) = clip {
        for channel in data.clips[clip].channels.clone() {
            let value = sampled(&channel, time);
            if channel.property == Property::Weights {
                weights[channel.node] = value;
            } else {
                animate(
                    &mut data.nodes[channel.node].local,
                    channel.property,
                    &value,
                );
            }
        }
    }
    let parts = data.parts.iter();
    parts
        .map(|part| part_vertices(&data, part, &weights[part.node]))
        .collect()
}

/// From a node's space to the model's.
#[must_use]
pub fn model_from_node(data: &ModelData, node: usize) -> Matrix {
    let local = local_matrix(&data.nodes[node].local);
    match data.nodes[node].parent {
        Some(parent) => product(&model_from_node(data, parent), &local),
        None => local,
    }
}

/// The same chain with all entries made positive.
fn magnitude_from_node(data: &ModelData, node: usize) -> Matrix {
    let local = magnitudes(&local_matrix(&data.nodes[node].local));
    match data.nodes[node].parent {
        Some(parent) => product(&magnitude_from_node(data, parent), &local),
        None => local,
    }
}

fn part_vertices(data: &ModelData, part: &PartData, weights: &[f64]) -> Vec<OracleVertex> {
    (0..part.positions.len())
        .map(|vertex| {
            let component = |axis: usize, magnitude: bool| {
                let kept = |x: f64| if magnitude { x.abs() } else { x };
                let mut sum = kept(f64::from(part.positions[vertex][axis]));
                for (target, weight) in part.morph_targets.iter().zip(weights) {
                    sum += kept(f64::from(target[vertex][axis]) * weight);
                }
                sum
            };
            let point = [0, 1, 2].map(|axis| component(axis, false));
            let size = [0, 1, 2].map(|axis| component(axis, true));
            let (matrix, magnitude) = match &part.skin {
                None => (
                    model_from_node(data, part.node),
                    magnitude_from_node(data, part.node),
                ),
                Some(skin) => {
                    let range = vertex * skin.influences..(vertex + 1) * skin.influences;
                    let joints = &skin.joints[range.clone()];
                    blended(data, &data.skins[skin.skin], joints, &skin.weights[range])
                }
            };
            OracleVertex {
                position: transformed(&matrix, point),
                magnitude: transformed(&magnitude, size),
            }
        })
        .collect()
}

fn blended(data: &ModelData, skin: &SkinData, joints: &[u16], weights: &[f32]) -> (Matrix, Matrix) {
    let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    let (mut matrix, mut magnitude) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
    for (index, (&joint, &weight)) in joints.iter().zip(weights).enumerate() {
        let weight = match (sum == 0.0, index) {
            (true, 0) => 1.0,
            (true, _) => 0.0,
            (false, _) => f64::from(weight) / sum,
        };
        let node = skin.joints[usize::from(joint)];
        let bind = match skin.inverse_bind.get(usize::from(joint)) {
            Some(columns) => rows(&columns.to_cols_array_2d()),
            None => IDENTITY,
        };
        let joint_matrix = product(&model_from_node(data, node), &bind);
        let joint_magnitude = product(&magnitude_from_node(data, node), &magnitudes(&bind));
        for row in 0..4 {
            for column in 0..4 {
                matrix[row][column] += weight * joint_matrix[row][column];
                magnitude[row][column] += weight * joint_magnitude[row][column];
            }
        }
    }
    (matrix, magnitude)
}

fn animate(local: &mut NodeTransform, property: Property, value: &[f64]) {
    let NodeTransform::Trs {
        translation,
        rotation,
        scale,
    } = local
    else {
        panic!("a matrix is not animated");
    };
    match property {
        Property::Translation => *translation = DVec3::from_slice(value),
        Property::Scale => *scale = DVec3::from_slice(value),
        Property::Rotation => *rotation = DQuat::from_slice(value),
        Property::Weights => {}
    }
}

/// The value of a channel at a time: a scan for the keys, then glTF's interpolation by other means.
fn sampled(channel: &ChannelData, time: f64) -> Vec<f64> {
    let times: Vec<f64> = channel.times.iter().map(|key| f64::from(*key)).collect();
    let is_spline = channel.interpolation == Interpolation::CubicSpline;
    let slots = if is_spline { 3 } else { 1 };
    let width = channel.values.len() / times.len() / slots;
    let stored = |key: usize, slot: usize| -> Vec<f64> {
        let start = (key * slots + slot) * width;
        let values = &channel.values[start..start + width];
        values.iter().map(|x| f64::from(*x)).collect()
    };
    let is_normalized = is_spline && channel.property == Property::Rotation;
    let finished = |value: Vec<f64>| if is_normalized { unit(&value) } else { value };
    let value = |key| stored(key, usize::from(is_spline));
    if time <= times[0] {
        return finished(value(0));
    }
    let Some(after) = times.iter().position(|key| *key > time) else {
        return finished(value(times.len() - 1));
    };
    let before = after - 1;
    let span = times[after] - times[before];
    let u = (time - times[before]) / span;
    match channel.interpolation {
        Interpolation::Step => value(before),
        Interpolation::Linear if channel.property == Property::Rotation => {
            arc(&value(before), &value(after), u)
        }
        Interpolation::Linear => mixed(&value(before), &value(after), u),
        Interpolation::CubicSpline => {
            let (start, end) = (value(before), value(after));
            let leaving = offset(&start, &stored(before, 2), span / 3.0);
            let arriving = offset(&end, &stored(after, 0), -span / 3.0);
            let (a, b, c) = (
                mixed(&start, &leaving, u),
                mixed(&leaving, &arriving, u),
                mixed(&arriving, &end, u),
            );
            finished(mixed(&mixed(&a, &b, u), &mixed(&b, &c, u), u))
        }
    }
}

/// The rotation `u` of the way along the shorter arc, by halving the arc where u lies: half way, the
/// sum of both ends is divided by twice the cosine of half the angle.
fn arc(from: &[f64], to: &[f64], u: f64) -> Vec<f64> {
    let (mut low, mut high) = (from.to_vec(), to.to_vec());
    let mut cosine: f64 = low.iter().zip(&high).map(|(a, b)| a * b).sum();
    if cosine < 0.0 {
        high = high.iter().map(|x| -x).collect();
    }
    cosine = cosine.abs().min(1.0);
    let (mut start, mut end) = (0.0, 1.0);
    for _ in 0..60 {
        cosine = f64::midpoint(cosine, 1.0).sqrt();
        let sums = low.iter().zip(&high).map(|(a, b)| a + b);
        let half: Vec<f64> = sums.map(|sum| sum / (2.0 * cosine)).collect();
        let middle = f64::midpoint(start, end);
        if u < middle {
            (end, high) = (middle, half);
        } else {
            (start, low) = (middle, half);
        }
    }
    low
}

fn unit(q: &[f64]) -> Vec<f64> {
    let largest = q.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return vec![0.0, 0.0, 0.0, 1.0];
    }
    let q: Vec<f64> = q.iter().map(|x| x / largest).collect();
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.iter().map(|x| x / length).collect()
}

fn mixed(from: &[f64], to: &[f64], u: f64) -> Vec<f64> {
    let pairs = from.iter().zip(to);
    pairs.map(|(a, b)| (1.0 - u) * a + u * b).collect()
}

fn offset(from: &[f64], by: &[f64], times: f64) -> Vec<f64> {
    from.iter().zip(by).map(|(a, b)| a + b * times).collect()
}

const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

fn local_matrix(local: &NodeTransform) -> Matrix {
    match local {
        NodeTransform::Matrix(columns) => rows(&columns.to_cols_array_2d()),
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } => {
            let vector = [rotation.x, rotation.y, rotation.z];
            let mut matrix = IDENTITY;
            for column in 0..3 {
                // Rodrigues: e + 2w (v x e) + 2 v x (v x e), without regard to |q|.
                let mut axis = [0.0; 3];
                axis[column] = 1.0;
                let once = cross(vector, axis);
                let twice = cross(vector, once);
                for row in 0..3 {
                    let turned = axis[row] + 2.0 * (rotation.w * once[row] + twice[row]);
                    matrix[row][column] = turned * scale[column];
                }
            }
            for row in 0..3 {
                matrix[row][3] = translation[row];
            }
            matrix
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn rows(columns: &[[f64; 4]; 4]) -> Matrix {
    let mut matrix = IDENTITY;
    for row in 0..3 {
        for column in 0..4 {
            matrix[row][column] = columns[column][row];
        }
    }
    matrix
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut matrix = [[0.0; 4]; 4];
    for row in 0..4 {
        for column in 0..4 {
            matrix[row][column] = (0..4).map(|k| a[row][k] * b[k][column]).sum();
        }
    }
    matrix
}

fn magnitudes(matrix: &Matrix) -> Matrix {
    matrix.map(|row| row.map(f64::abs))
}

fn transformed(matrix: &Matrix, point: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| {
        let r = matrix[row];
        r[0] * point[0] + r[1] * point[1] + r[2] * point[2] + r[3]
    })
}
