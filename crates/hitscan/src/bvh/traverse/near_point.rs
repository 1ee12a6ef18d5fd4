//! Searching the tree around a point, nearest boxes first.
//!
//! Coordinates are taken relative to the point and scaled by a power of two to about 1, in f32: so
//! squares neither overflow nor vanish. What rounding may have added to a squared distance is
//! added to the limit, so the search only culls.

use super::single::first_of;
use super::stack::{Entry, Stack};
use crate::bvh::Bvh;
use crate::bvh::node::{Child, ChildKind, Node, WIDTH};
use crate::simd::dispatch;
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DAffine3, DVec3, Vec3};

/// The relative slack of a squared distance: two subtractions, three squares and two sums round eight times,
/// the root's factor as often.
const DISTANCE_SLACK: f32 = 1.0 + 1.0 / 262_144.0;

/// Far more than underflow takes from a square, where coordinates are about 1.
const MIN_SQUARE: f32 = 1e-34;

/// Bound on the error of a corner that is transformed in f32, relative to the magnitudes involved: those of its
/// products with the transform's columns, and of the translation.
///
/// In units of f32's roundoff u: columns and products are rounded (2), and three sums (3); as much for half
/// a box's size, and its middle and half its size themselves (2): 12 of 16.
const PLACING_ERROR: f32 = 1.0 / 1_048_576.0;

/// A point around which a tree is searched, prepared for boxes that lie where they are or are
/// placed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearPoint {
    /// A power of two.
    scale: f32,
    /// The point, where boxes lie as they are.
    point: [f32; 3],
    /// Where a transform takes coordinates, relative to the point and scaled: by columns.
    placing: Option<[[f32; 3]; 4]>,
}

impl NearPoint {
    /// Around `point`, of a tree whose coordinates are at most `max_abs` in magnitude.
    pub(crate) fn new(point: Vec3, max_abs: f32) -> Self {
        Self {
            scale: scale_for(point.abs().max_element().max(max_abs)),
            point: point.to_array(),
            placing: None,
        }
    }

    /// The same around a tree that `transform` places.
    pub(crate) fn placed(point: DVec3, max_abs: f32, transform: &DAffine3) -> Self {
        let matrix = transform.matrix3;
        let start = transform.translation - point;
        let size = |column: DVec3| column.abs() * f64::from(max_abs);
        let max = size(matrix.x_axis) + size(matrix.y_axis) + size(matrix.z_axis) + start.abs();
        #[expect(clippy::cast_possible_truncation, reason = "the error covers it")]
        let max = (max.max_element() as f32).min(f32::MAX);
        let scale = scale_for(max);
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis, start]
            .map(|column| (column * f64::from(scale)).as_vec3().to_array());
        Self {
            scale,
            point: [0.0; 3],
            placing: Some(columns),
        }
    }

    /// A distance as the search compares it.
    #[inline]
    pub(crate) fn scaled(&self, distance: f64) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "stepped up")]
        let scaled = (distance.max(0.0) * f64::from(self.scale)) as f32;
        scaled.next_up()
    }
}

/// A power of two by which `max_abs` becomes about 1.
fn scale_for(max_abs: f32) -> f32 {
    let exponent = (max_abs.to_bits() >> 23).clamp(2, 252);
    f32::from_bits((254 - exponent) << 23)
}

/// The point in vectors.
pub(crate) struct NearPlanes<S: Simd> {
    scale: f32x8<S>,
    /// In all lanes: the point, or where a transform takes coordinates.
    point: [f32x8<S>; 3],
    columns: [[f32x8<S>; 3]; 3],
    is_placed: bool,
    /// Bound on the error of placed coordinates: relative to the largest, and absolute.
    error: [f32; 2],
}

impl<S: Simd> NearPlanes<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(simd: S, near: &NearPoint) -> Self {
        let splat = |x: f32| f32x8::splat(simd, x);
        let vector = |v: [f32; 3]| [splat(v[0]), splat(v[1]), splat(v[2])];
        let columns = near.placing.unwrap_or([[0.0; 3]; 4]);
        let [x, y, z, start] = columns.map(Vec3::from_array).map(Vec3::abs);
        let is_placed = near.placing.is_some();
        Self {
            scale: splat(near.scale),
            point: vector(if is_placed { columns[3] } else { near.point }),
            columns: [vector(columns[0]), vector(columns[1]), vector(columns[2])],
            is_placed,
            error: [x + y + z, start].map(|sizes| PLACING_ERROR * sizes.max_element()),
        }
    }

    /// Bound on the error of these corners where [`NearPlanes::corners`] puts them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn error(&self, simd: S, rows: &[[f32; WIDTH]; 3]) -> f32 {
        if !self.is_placed {
            return 0.0;
        }
        let size = |row: &[f32; WIDTH]| f32x8::load_array_ref(simd, row).abs();
        let [x, y, z] = rows;
        let max_abs = size(x).max(size(y)).max(size(z)).reduce_max();
        max_abs * self.error[0] + self.error[1]
    }

    /// Corners relative to the point, scaled.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn corners(&self, simd: S, rows: &[[f32; WIDTH]; 3]) -> [f32x8<S>; 3] {
        let [x, y, z] = [
            f32x8::load_array_ref(simd, &rows[0]),
            f32x8::load_array_ref(simd, &rows[1]),
            f32x8::load_array_ref(simd, &rows[2]),
        ];
        if self.is_placed {
            [
                self.place(0, [x, y, z]),
                self.place(1, [x, y, z]),
                self.place(2, [x, y, z]),
            ]
        } else {
            [
                (x - self.point[0]) * self.scale,
                (y - self.point[1]) * self.scale,
                (z - self.point[2]) * self.scale,
            ]
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place(&self, axis: usize, [x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
        let [a, b, c] = &self.columns;
        a[axis] * x + b[axis] * y + c[axis] * z + self.point[axis]
    }

    /// The squared distances of a node's boxes, none of them too large.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn squares(&self, simd: S, node: &Node) -> f32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let away = |axis: usize| {
            let low = f32x8::load_array_ref(simd, &node.bounds[axis][0]);
            let high = f32x8::load_array_ref(simd, &node.bounds[axis][1]);
            let point = self.point[axis];
            (low - point).max(point - high).max(zero) * self.scale
        };
        let [x, y, z] = if self.is_placed {
            self.placed_away(simd, node)
        } else {
            [away(0), away(1), away(2)]
        };
        x * x + y * y + z * z
    }

    /// How far boxes around the placed boxes are away along each axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn placed_away(&self, simd: S, node: &Node) -> [f32x8<S>; 3] {
        let zero = f32x8::splat(simd, 0.0);
        let half = f32x8::splat(simd, 0.5);
        let ends = |axis: usize| {
            let low = f32x8::load_array_ref(simd, &node.bounds[axis][0]) * half;
            let high = f32x8::load_array_ref(simd, &node.bounds[axis][1]) * half;
            (high + low, high - low)
        };
        let (x, y, z) = (ends(0), ends(1), ends(2));
        let max_abs = |(middle, size): (f32x8<S>, f32x8<S>)| middle.abs() + size;
        let error = max_abs(x).max(max_abs(y)).max(max_abs(z)) * self.error[0] + self.error[1];
        let away = |axis: usize| {
            let middle = self.place(axis, [x.0, y.0, z.0]);
            let [a, b, c] = &self.columns;
            let size = a[axis].abs() * x.1 + b[axis].abs() * y.1 + c[axis].abs() * z.1;
            (middle.abs() - size - error).max(zero)
        };
        [away(0), away(1), away(2)]
    }
}

/// The squared distance up to which boxes are visited, for a scaled limit.
#[cfg_attr(not(debug_assertions), inline(always))]
fn square_limit(limit: f32) -> f32 {
    limit * limit * DISTANCE_SLACK + MIN_SQUARE
}

impl<B: Clone> Bvh<B> {
    /// Visits leaves around a point, nearest first, until the others are farther than the limit
    /// that `visit` returned last. Distances are scaled.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn near_leaves<S: Simd>(
        &self,
        simd: S,
        planes: &NearPlanes<S>,
        limit: f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let mut limit = square_limit(limit);
        let mut stack = Stack::new();
        let mut depth = 0;
        let mut child = Child::ROOT;
        loop {
            match child.kind() {
                ChildKind::Leaf(leaf) => limit = square_limit(visit(leaf)),
                ChildKind::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let squares = planes.squares(simd, node);
                    let is_near = squares.simd_le(f32x8::splat(simd, limit));
                    #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
                    let mut near = is_near.to_bitmask() as u32 & node.used;
                    if near != 0 {
                        let squares = squares.to_array();
                        stack.reserve(&mut depth);
                        let base = depth;
                        let first = first_of(&mut near);
                        let mut nearest = Entry::new(squares[first], node.children[first]);
                        while near != 0 {
                            let place = first_of(&mut near);
                            let other = Entry::new(squares[place], node.children[place]);
                            let farther = nearest.max(other);
                            self.prefetch(farther.child());
                            stack.insert(base, &mut depth, farther);
                            nearest = nearest.min(other);
                        }
                        child = nearest.child();
                        continue;
                    }
                }
            }
            child = loop {
                match stack.pop(&mut depth) {
                    None => return,
                    Some(entry) if entry <= Entry::last(limit) => break entry.child(),
                    Some(_) => {}
                }
            };
        }
    }

    /// Visits items around a point, nearest boxes first, until the others are farther than the
    /// limit that `visit` returned last, metres.
    pub(crate) fn near_items(&self, point: Vec3, limit: f64, visit: &mut dyn FnMut(u32) -> f64) {
        let near = NearPoint::new(point, self.max_abs);
        dispatch!(self.width, simd => {
            let planes = NearPlanes::new(simd, &near);
            let mut current = limit;
            self.near_leaves(simd, &planes, near.scaled(limit), |leaf| {
                let _ = self.for_each_item(leaf, |item| {
                    current = visit(item);
                    core::ops::ControlFlow::Continue(())
                });
                near.scaled(current)
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use crate::test_rng::Rng;

    #[test]
    fn boxes_come_until_the_limit() {
        let boxes: Vec<Aabb> = (0..500u16)
            .map(|i| {
                let corner = Vec3::new(
                    f32::from(i % 10),
                    f32::from(i / 10 % 10),
                    f32::from(i / 100),
                );
                Aabb::new(corner, corner + Vec3::splat(0.25)).unwrap()
            })
            .collect();
        for scale in [1.0, 1e-30, 1e17] {
            let scaled: Vec<Aabb> = boxes
                .iter()
                .map(|one| Aabb::new(one.min() * scale, one.max() * scale).unwrap())
                .collect();
            let tree = Bvh::<()>::build(&scaled);
            let point = Vec3::new(3.5, 2.0, -1.0) * scale;
            let distance = |one: &Aabb| {
                let away = (one.min() - point).max(point - one.max()).max(Vec3::ZERO);
                away.as_dvec3().length()
            };
            let limit = 2.5 * f64::from(scale);
            let mut found = vec![false; boxes.len()];
            tree.near_items(point, limit, &mut |item| {
                found[item as usize] = true;
                limit
            });
            for (item, one) in scaled.iter().enumerate() {
                assert!(found[item] || distance(one) > limit);
                assert!(!found[item] || distance(one) < 1.001 * limit, "{scale}");
            }
        }
    }

    #[test]
    fn placed_boxes_of_any_size_come_until_the_limit() {
        let mut rng = Rng(17);
        let mut point = |size: f32| Vec3::from_array([0; 3].map(|_| rng.signed() * size));
        let mut boxes: Vec<Aabb> = (0..400)
            .map(|_| {
                let low = point(5.0);
                Aabb::from_ordered(low, low + point(0.2).abs())
            })
            .collect();
        let turn = glam::DQuat::from_xyzw(0.5, -0.1, 0.7, 0.5).normalize();
        let at = DVec3::new(3.0, -2.0, 1.0);
        let placing = DAffine3::from_scale_rotation_translation(DVec3::splat(0.7), turn, at);
        let mut alone = 0;
        for far in [0.0, 1e3, 1e6, 1e9] {
            boxes.push(Aabb::from_ordered(Vec3::splat(far), Vec3::splat(2.0 * far)));
            let tree = Bvh::<()>::build(&boxes);
            let mut visits = 0;
            for case in 0..600 {
                let around = placing.transform_point3(point(6.0).as_dvec3());
                let limit = [0.05, 0.5, 1.0][case % 3];
                let near = NearPoint::placed(around, tree.max_abs, &placing);
                let mut found = vec![false; boxes.len()];
                dispatch!(tree.width, simd => {
                    let planes = NearPlanes::new(simd, &near);
                    let scaled = near.scaled(limit);
                    tree.near_leaves(simd, &planes, scaled, |item| {
                        found[item as usize] = true;
                        scaled
                    });
                });
                for (one, found) in boxes.iter().zip(found) {
                    let corners = [one.min(), one.max(), one.min().with_x(one.max().x)];
                    let placed = corners.map(|p| placing.transform_point3(p.as_dvec3()));
                    let is_near = placed.iter().any(|p| p.distance(around) <= limit);
                    assert!(found || !is_near, "{far}: {one:?} from {around}");
                    visits += usize::from(found);
                }
            }
            alone = if far == 0.0 { visits } else { alone };
            assert!(
                visits > 500 && visits < 2 * alone,
                "{far}: {visits}, {alone}"
            );
        }
    }
}
