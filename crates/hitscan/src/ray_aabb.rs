//! A ray against a solid axis-aligned box: the slab method, decided exactly.
//!
//! Source: Kay, Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986; here the entries and exits are
//! compared as unrounded quotients, so that a ray at an edge or corner is never in doubt.

use crate::exact::nearest_f32;
use crate::hit::{Hit, Side, Sides};
use crate::ratio::Ratio;
use crate::ray::LocalRay;
use crate::solid::{Passage, SolidHit};
use crate::{Aabb, Ray};
use core::cmp::Ordering;
use glam::Vec3;

impl Aabb {
    /// The nearest hit of `ray` from one of `sides`.
    ///
    /// The box is solid and closed: a ray that starts strictly inside hits at `t_min` with
    /// [`Side::Inside`], which only [`Sides::Both`] admits; with [`Sides::Back`] the answer is
    /// where the ray leaves. A ray that starts on the boundary hits there, with the normal of the
    /// first of the faces x, y, z that it stands on. All decisions are exact.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, sides: Sides) -> Option<Hit> {
        Some(self.passage(ray)?.nearest(sides)?.into_hit(ray))
    }

    /// How the ray passes through the box, or `None` where it misses.
    pub(crate) fn passage(&self, ray: &Ray) -> Option<Passage> {
        let ray = LocalRay::from(ray);
        let slabs = [0, 1, 2].map(|axis| Slab::new(self, &ray, axis));
        if slabs.iter().any(|slab| {
            matches!(
                slab,
                Slab::Still {
                    is_outside: true,
                    ..
                }
            )
        }) {
            return None;
        }
        let moving = || (0..3).filter_map(|axis| slabs[axis].interval().map(|both| (axis, both)));
        // Of equal entries and exits the first axis is kept.
        let (entry_axis, entry) = moving()
            .map(|(axis, (enter, _))| (axis, enter))
            .reduce(|a, b| if b.1.compare(a.1).is_gt() { b } else { a })?;
        let (exit_axis, exit) = moving()
            .map(|(axis, (_, leave))| (axis, leave))
            .reduce(|a, b| if b.1.compare(a.1).is_lt() { b } else { a })?;
        let order = entry.compare(exit);
        if order.is_gt()
            || exit.compare_f64(ray.t_min).is_lt()
            || entry.compare_f64(ray.t_max).is_gt()
        {
            return None;
        }
        let face = |axis: usize, t: Ratio, side: Side| SolidHit {
            t: (t.nearest_f32(), t.to_f64()),
            normal: axis_normal(axis, (ray.direction[axis] < 0.0) == (side == Side::Front)),
            side,
        };
        let first = if entry.compare_f64(ray.t_min).is_gt() {
            face(entry_axis, entry, Side::Front)
        } else {
            start(&slabs, &ray)
        };
        // A box that is left where it is entered (a flat one, or one met at an edge) gives both
        // hits. What a ray only leaves at its start is one hit, which the start has told.
        let leaves_in_range = exit.compare_f64(ray.t_max).is_le();
        let only_leaves =
            exit.compare_f64(ray.t_min).is_eq() && !(order.is_eq() && first.side == Side::Front);
        let exit = (leaves_in_range && !only_leaves).then(|| face(exit_axis, exit, Side::Back));
        Some(Passage::Through {
            entry: Some(first),
            exit,
        })
    }
}

/// The hit of a ray that starts in the closed box.
fn start(slabs: &[Slab; 3], ray: &LocalRay) -> SolidHit {
    let t = (nearest_f32(ray.t_min), ray.t_min);
    for (axis, slab) in slabs.iter().enumerate() {
        if let Some(is_upper) = slab.face_at(ray.t_min) {
            let normal = axis_normal(axis, is_upper);
            let slope = if is_upper {
                ray.direction[axis]
            } else {
                -ray.direction[axis]
            };
            let side = if slope < 0.0 { Side::Front } else { Side::Back };
            return SolidHit { t, normal, side };
        }
    }
    SolidHit {
        t,
        normal: Vec3::ZERO,
        side: Side::Inside,
    }
}

/// When a ray is between the two faces of one axis.
enum Slab {
    /// It moves along the axis and is between them from the first ratio to the second.
    Moving {
        enter: Ratio,
        leave: Ratio,
        is_upward: bool,
    },
    /// It does not move along the axis.
    Still {
        is_outside: bool,
        face: Option<Face>,
    },
}

/// Which of an axis' faces a ray slides in.
#[derive(Clone, Copy)]
enum Face {
    Lower,
    Upper,
}

impl Slab {
    fn new(aabb: &Aabb, ray: &LocalRay, axis: usize) -> Self {
        let (low, high) = (f64::from(aabb.min()[axis]), f64::from(aabb.max()[axis]));
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        if direction == 0.0 {
            let face = if origin == low {
                Some(Face::Lower)
            } else if origin == high {
                Some(Face::Upper)
            } else {
                None
            };
            return Self::Still {
                is_outside: origin < low || origin > high,
                face,
            };
        }
        let is_upward = direction > 0.0;
        let (near, far) = if is_upward { (low, high) } else { (high, low) };
        let at = |bound| Ratio::new(bound, origin, direction);
        Self::Moving {
            enter: at(near),
            leave: at(far),
            is_upward,
        }
    }

    fn interval(&self) -> Option<(Ratio, Ratio)> {
        match self {
            Self::Moving { enter, leave, .. } => Some((*enter, *leave)),
            Self::Still { .. } => None,
        }
    }

    /// Whether the ray is in the upper face (`true`) or lower face of this axis at `t`; `None`
    /// where it is in neither.
    fn face_at(&self, t: f64) -> Option<bool> {
        match self {
            Self::Moving {
                enter,
                leave,
                is_upward,
            } => {
                if enter.compare_f64(t) == Ordering::Equal {
                    Some(!is_upward)
                } else if leave.compare_f64(t) == Ordering::Equal {
                    Some(*is_upward)
                } else {
                    None
                }
            }
            Self::Still { face, .. } => face.map(|face| matches!(face, Face::Upper)),
        }
    }
}

/// The outward normal of a face.
fn axis_normal(axis: usize, is_upper: bool) -> Vec3 {
    let mut normal = Vec3::ZERO;
    normal[axis] = if is_upper { 1.0 } else { -1.0 };
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(origin: [f32; 3], direction: [f32; 3]) -> Option<(f32, [f32; 3], Side)> {
        let cube = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        let ray = Ray::new(origin, direction).unwrap();
        cube.cast_ray(&ray, Sides::Both)
            .map(|hit| (hit.t, hit.normal.to_array(), hit.side))
    }

    #[test]
    fn faces_edges_and_starts() {
        let (x, y, up) = ([-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
        for (origin, direction, expected) in [
            // Through a face, and from above.
            (
                [-2.0, 0.5, 0.5],
                [2.0, 0.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            (
                [0.5, 3.0, 0.5],
                [0.0, -1.0, 0.0],
                Some((2.0, up, Side::Front)),
            ),
            // At an edge x is met together with y, and x comes first.
            (
                [-1.0, -1.0, 0.5],
                [1.0, 1.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            // Sliding in a face touches it; one place beside it misses.
            (
                [-1.0, 1.0, 0.5],
                [1.0, 0.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            ([-1.0, 1.0000001, 0.5], [1.0, 0.0, 0.0], None),
            // Only the edge is touched.
            ([-1.0, 0.0, 0.5], [1.0, -1.0, 0.0], None),
            (
                [-1.0, 1.0, 0.5],
                [1.0, -1.0, 0.0],
                Some((1.0, x, Side::Front)),
            ),
            // Starts.
            (
                [0.5; 3],
                [0.0, 0.0, 1.0],
                Some((0.0, [0.0; 3], Side::Inside)),
            ),
            (
                [0.0, 0.5, 0.5],
                [1.0, 0.0, 0.0],
                Some((0.0, x, Side::Front)),
            ),
            (
                [0.0, 0.5, 0.5],
                [-1.0, 0.0, 0.0],
                Some((0.0, x, Side::Back)),
            ),
            ([0.5, 0.0, 0.5], [1.0, 0.0, 0.0], Some((0.0, y, Side::Back))),
            (
                [0.0, 0.0, 0.5],
                [1.0, 1.0, 0.0],
                Some((0.0, x, Side::Front)),
            ),
            // Behind.
            ([2.0, 0.5, 0.5], [1.0, 0.0, 0.0], None),
        ] {
            assert_eq!(
                cast(origin, direction),
                expected,
                "{origin:?} {direction:?}"
            );
        }
    }

    #[test]
    fn a_flat_box_is_entered_and_left_at_once() {
        let sheet = Aabb::new([0.0, 1.0, 0.0], [1.0, 1.0, 1.0]).unwrap();
        let ray = Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0]).unwrap();
        let hits: Vec<_> = sheet
            .passage(&ray)
            .unwrap()
            .all()
            .map(|hit| (hit.t.0, hit.side))
            .collect();
        assert_eq!(hits, [(2.0, Side::Front), (2.0, Side::Back)]);
    }
}
