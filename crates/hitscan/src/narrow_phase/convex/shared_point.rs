//! A point that two cores share, which are known to meet.
//!
//! Any common point will do. In f64 one is proposed, and taken only where a bound of all rounding
//! proves it; cores that barely touch go to `shared_point_exact.rs`.

use super::Core;
use super::separating_axes::CorePair;
use super::shared_point_exact::{ExactShift, exact_shared_point};
use super::shared_point_hull;
use crate::exact::expansion::nearest_f32;
use crate::shape::unit_vector::wide_unit;
use glam::{DVec3, Vec3};

/// What rounding does to a height over a plane, relative to the extent of both cores, is less: the
/// plane's normal is off by less than 2^-40, if its edges are not [`FLAT`], and the rest is a few
/// roundings of local coordinates.
const ROUNDING: f64 = 1.0 / (1_u64 << 38) as f64;

/// Below this, relative to the lengths multiplied, a determinant is too small to divide by. Rounding
/// takes less than 2^-50 of these lengths, and so, of a quotient by the square of a greater
/// determinant, less than 2^-30.
const FLAT: f64 = 1.0 / (1_u64 << 10) as f64;

/// A point that both cores share, the shape being moved by `shift`.
///
/// `normal` is the direction, of any length, from the obstacle to the shape along which they touch;
/// `None` where they may overlap. The point is within 2^-22 of the largest coordinate of a right one.
pub(super) fn shared_point(
    pair: &CorePair,
    shift: DVec3,
    exact_shift: &dyn Fn() -> ExactShift,
    normal: Option<DVec3>,
) -> Vec3 {
    let has_hull = [&pair.obstacle, &pair.shape]
        .iter()
        .any(|core| matches!(core, Core::Hull(_)));
    let found = if has_hull {
        match normal {
            Some(normal) => shared_point_hull::between_supports(pair, shift, normal),
            None => shared_point_hull::inside(pair, shift),
        }
    } else {
        let local = Local::new(pair, shift);
        let found = match normal {
            Some(normal) => local.between_supports(normal),
            None => local.inside(),
        };
        found.map(|point| point + local.origin)
    };
    let point = found.unwrap_or_else(|| exact_shared_point(pair, &exact_shift(), shift));
    Vec3::from_array(point.to_array().map(nearest_f32))
}

/// Both cores seen from a corner of the obstacle, with the shape where it is moved to.
struct Local {
    origin: DVec3,
    obstacle: Polytope,
    shape: Polytope,
    /// Bound on the error of a point by rounding.
    tolerance: f64,
}

impl Local {
    fn new(pair: &CorePair, shift: DVec3) -> Self {
        let origin = pair.obstacle.corners()[0];
        let obstacle = Polytope::new(&pair.obstacle, origin, DVec3::ZERO);
        let shape = Polytope::new(&pair.shape, origin, shift);
        let all = obstacle.corners().iter().chain(shape.corners());
        let extent = all.fold(shift.abs(), |max, corner| max.max(corner.abs()));
        Self {
            origin,
            obstacle,
            shape,
            tolerance: ROUNDING * extent.max_element(),
        }
    }

    /// A point of what the cores touch with, along the direction in which the shape lies.
    fn between_supports(&self, normal: DVec3) -> Option<DVec3> {
        let normal = wide_unit(normal);
        let lower = self.obstacle.furthest(normal, self.tolerance)?;
        let upper = self.shape.furthest(-normal, self.tolerance)?;
        match (lower.corners(), upper.corners()) {
            ([corner], _) | (_, [corner]) => Some(*corner),
            (&[p, q], &[r, s]) => self.crossing([p, q], [r, s]),
            _ => self
                .in_face(&lower, &upper, normal)
                .or_else(|| self.in_face(&upper, &lower, normal)),
        }
    }

    /// The crossing of two edges that cross or nearly do, unless they are nearly parallel.
    fn crossing(&self, [p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> Option<DVec3> {
        let (u, v, w) = (q - p, s - r, r - p);
        let normal = u.cross(v);
        let (squared, lengths) = (
            normal.length_squared(),
            u.length_squared() * v.length_squared(),
        );
        if squared < FLAT * FLAT * lengths || squared == 0.0 {
            return None;
        }
        let fraction = w.cross(v).dot(normal) / squared;
        Some(p + u * fraction.clamp(0.0, 1.0))
    }

    /// A point of one flat set that is clearly inside another one of the same plane.
    fn in_face(&self, set: &Polytope, face: &Polytope, normal: DVec3) -> Option<DVec3> {
        let order: &[usize] = match face.count {
            3 => &[0, 1, 2],
            4 => &[0, 1, 3, 2],
            _ => return None,
        };
        let middle = face.middle();
        let ring: Vec<DVec3> = order.iter().map(|i| face.corners[*i]).collect();
        let sides = (0..ring.len()).map(|i| {
            let (from, to) = (ring[i], ring[(i + 1) % ring.len()]);
            HalfSpace::new(normal.cross(to - from), from, middle)
        });
        let sides: Vec<HalfSpace> = sides.collect();
        let corners = set.corners().iter().copied();
        let candidates = core::iter::once(set.middle()).chain(corners);
        let on_sides = set.sides().filter_map(|edge| middle_inside(&sides, edge));
        let mut all = candidates.chain(on_sides);
        all.find(|point| self.is_inside(&sides, *point))
    }

    fn is_inside(&self, sides: &[HalfSpace], point: DVec3) -> bool {
        sides.iter().all(|side| side.depth(point) > self.tolerance)
    }

    /// A point of one core that is clearly inside the other one.
    fn inside(&self) -> Option<DVec3> {
        self.inside_of(&self.shape, &self.obstacle)
            .or_else(|| self.inside_of(&self.obstacle, &self.shape))
    }

    fn inside_of(&self, set: &Polytope, body: &Polytope) -> Option<DVec3> {
        match (set.count, body.count) {
            (1, _) => Some(set.corners[0]),
            (_, 8) => {
                let sides = body.slabs();
                let middle = core::iter::once(set.middle());
                let on_edges = set.sides().filter_map(|edge| middle_inside(&sides, edge));
                let mut all = middle.chain(on_edges);
                all.find(|point| self.is_inside(&sides, *point))
            }
            (_, 3) => set.sides().find_map(|edge| self.through(body, edge)),
            (2, 2) => self.crossing(
                [set.corners[0], set.corners[1]],
                [body.corners[0], body.corners[1]],
            ),
            _ => None,
        }
    }

    /// Where an edge clearly passes through a triangle.
    fn through(&self, triangle: &Polytope, [from, to]: [DVec3; 2]) -> Option<DVec3> {
        let [a, b, c] = [0, 1, 2].map(|i: usize| triangle.corners[i]);
        let normal = (b - a).cross(c - a);
        if normal.length() < FLAT * (b - a).length() * (c - a).length() {
            return None;
        }
        let plane = HalfSpace::new(normal, a, a + normal);
        let (start, end) = (plane.depth(from), plane.depth(to));
        let across = (end - start).abs();
        let is_across = (start < 0.0) != (end < 0.0);
        if !is_across || across < FLAT * (to - from).length() || across <= self.tolerance / FLAT {
            return None;
        }
        let point = from + (to - from) * (start / (start - end));
        let middle = triangle.middle();
        let sides = [[a, b], [b, c], [c, a]]
            .map(|[from, to]| HalfSpace::new(normal.cross(to - from), from, middle));
        let tolerance = self.tolerance / FLAT;
        let is_inside = sides.iter().all(|side| side.depth(point) > tolerance);
        is_inside.then_some(point)
    }
}

/// The middle of the part of an edge that is inside of all half spaces.
fn middle_inside(sides: &[HalfSpace], [from, to]: [DVec3; 2]) -> Option<DVec3> {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for side in sides {
        let (start, end) = (side.depth(from), side.depth(to));
        let fraction = start / (start - end);
        if start < 0.0 && end > 0.0 {
            enter = enter.max(fraction);
        } else if start > 0.0 && end < 0.0 {
            leave = leave.min(fraction);
        } else if start < 0.0 {
            return None;
        }
    }
    (enter < leave).then(|| from + (to - from) * f64::midpoint(enter, leave))
}

/// What lies on one side of a plane.
struct HalfSpace {
    /// Of unit length, inward.
    normal: DVec3,
    point: DVec3,
}

impl HalfSpace {
    /// The side of the plane through `point`, square to `normal`, on which `inner` lies. Depths are
    /// no numbers where the normal vanishes.
    fn new(normal: DVec3, point: DVec3, inner: DVec3) -> Self {
        let normal = wide_unit(normal);
        let is_inward = normal.dot(inner - point) >= 0.0;
        Self {
            normal: if is_inward { normal } else { -normal },
            point,
        }
    }

    fn depth(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.point)
    }
}

/// The corners of a core, or of a face of it.
struct Polytope {
    corners: [DVec3; 8],
    count: usize,
}

impl Polytope {
    fn new(core: &Core, origin: DVec3, shift: DVec3) -> Self {
        let mut corners = [DVec3::ZERO; 8];
        let of_core = core.corners();
        for (corner, original) in corners.iter_mut().zip(of_core) {
            *corner = (*original - origin) + shift;
        }
        Self {
            corners,
            count: of_core.len(),
        }
    }

    fn corners(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    fn middle(&self) -> DVec3 {
        let weight = 1.0 / f64::from(u8::try_from(self.count).unwrap_or(1));
        let corners = self.corners().iter();
        corners.fold(DVec3::ZERO, |sum, corner| sum + *corner * weight)
    }

    /// The edges of a box or a triangle, or the sides of a face, by their ends.
    fn sides(&self) -> impl Iterator<Item = [DVec3; 2]> + '_ {
        const OF_BOX: [[usize; 2]; 12] = [
            [0, 1],
            [2, 3],
            [0, 2],
            [1, 3],
            [4, 5],
            [6, 7],
            [4, 6],
            [5, 7],
            [0, 4],
            [1, 5],
            [2, 6],
            [3, 7],
        ];
        const OF_TRIANGLE: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
        let sides: &[[usize; 2]] = match self.count {
            8 => &OF_BOX,
            // A face has its corners in the order of the box's.
            4 => &OF_BOX[..4],
            3 => &OF_TRIANGLE,
            2 => &OF_TRIANGLE[..1],
            _ => &[],
        };
        sides.iter().map(|side| side.map(|i| self.corners[i]))
    }

    /// The half spaces whose intersection a box is.
    fn slabs(&self) -> [HalfSpace; 6] {
        let (first, last, middle) = (self.corners[0], self.corners[7], self.middle());
        let edges = [1, 2, 4].map(|k: usize| self.corners[k] - first);
        let normal = |i: usize| edges[(i + 1) % 3].cross(edges[(i + 2) % 3]);
        [0, 1, 2, 3, 4, 5].map(|side: usize| {
            let point = if side < 3 { first } else { last };
            HalfSpace::new(normal(side % 3), point, middle)
        })
    }

    /// The corners that may lie furthest along a unit direction, each place once; `None` where these
    /// are no corner, edge or face.
    fn furthest(&self, direction: DVec3, tolerance: f64) -> Option<Self> {
        let heights = self.corners().iter().map(|corner| direction.dot(*corner));
        let top = heights.clone().fold(f64::NEG_INFINITY, f64::max);
        let mut corners = [DVec3::ZERO; 8];
        let mut count = 0;
        for (height, corner) in heights.zip(self.corners()) {
            if height >= top - 2.0 * tolerance && !corners[..count].contains(corner) {
                corners[count] = *corner;
                count += 1;
            }
        }
        (count <= 4).then_some(Self { corners, count })
    }
}
