//! A ray against a solid between three pairs of parallel planes: the slab method, decided exactly.
//!
//! Source: Kay, Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986; here the entries and exits are
//! compared as unrounded quotients, so that a ray at an edge or corner is never in doubt. Which
//! planes they are is decided in `ray_aabb.rs` and `ray_obb.rs`; `ray_hull.rs` has planes that are no pairs.

use super::hit::Side;
use super::ray::LocalRay;
use super::solid_hits::{SolidHit, SolidHits};
use crate::exact::expansion::nearest_f32;
use core::cmp::Ordering;
use glam::Vec3;

/// When a ray crosses a plane: a quotient that is kept unrounded.
pub(crate) trait CrossingTime: Copy {
    /// How the exact values compare.
    fn compare(self, other: Self) -> Ordering;
    /// How the exact value compares with `limit`.
    fn compare_f64(self, limit: f64) -> Ordering;
    /// The nearest f32, never -0.
    fn nearest_f32(self) -> f32;
    /// The value in f64, with a relative error of a few units in the last place where it is f32's
    /// nearest.
    fn to_f64(self) -> f64;
}

/// When a ray is between the two faces of one axis.
#[derive(Clone, Copy)]
pub(crate) enum Slab<T> {
    /// It moves along the axis and is between them from the first time to the second.
    Moving {
        enter: T,
        leave: T,
        /// Whether it goes from the lower face to the upper one.
        is_upward: bool,
    },
    /// It is parallel to the faces.
    Parallel {
        is_outside: bool,
        /// Which of the faces it slides in.
        face: Option<Face>,
    },
}

/// One of an axis' two faces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    Lower,
    Upper,
}

/// How the ray passes through the solid between three slabs, or `None` where it misses.
///
/// `normal` is the outward unit normal of a face.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn solid_hits<T: CrossingTime>(
    slabs: &[Slab<T>; 3],
    ray: &LocalRay,
    normal: impl Fn(usize, Face) -> Vec3,
) -> Option<SolidHits> {
    let is_beside = |slab: &Slab<T>| {
        matches!(
            slab,
            Slab::Parallel {
                is_outside: true,
                ..
            }
        )
    };
    if ray.is_empty() || slabs.iter().any(is_beside) {
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
    let hit = |axis: usize, t: T, side: Side| {
        let is_lower = slabs[axis].is_upward() == (side == Side::Front);
        let face = if is_lower { Face::Lower } else { Face::Upper };
        let normal = normal(axis, face);
        let t = (t.nearest_f32(), t.to_f64());
        SolidHit {
            t,
            normal,
            side,
            face: None,
        }
    };
    passage(
        [entry, exit],
        ray,
        |_| false,
        || start(slabs, ray, &normal),
        |is_entry| {
            if is_entry {
                hit(entry_axis, entry, Side::Front)
            } else {
                hit(exit_axis, exit, Side::Back)
            }
        },
    )
}

/// How the ray passes through a solid whose last plane it enters at one time, and whose first it leaves at
/// another; `None` where it misses. The exit may be omitted if the first hit is from a side that `suffices`.
/// `start` is the hit of a ray that starts in the closed solid, `hit` that of the entry, or else of the exit.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn passage<T: CrossingTime>(
    [entry, exit]: [T; 2],
    ray: &LocalRay,
    suffices: impl FnOnce(Side) -> bool,
    start: impl FnOnce() -> SolidHit,
    hit: impl Fn(bool) -> SolidHit,
) -> Option<SolidHits> {
    let order = entry.compare(exit);
    if order.is_gt() || exit.compare_f64(ray.t_min).is_lt() || entry.compare_f64(ray.t_max).is_gt()
    {
        return None;
    }
    let first = if entry.compare_f64(ray.t_min).is_gt() {
        hit(true)
    } else {
        start()
    };
    if suffices(first.side) {
        return Some(SolidHits::Through {
            entry: Some(first),
            exit: None,
        });
    }
    // A box that is left where it is entered (a flat one, or one hit at an edge) gives both
    // hits. What a ray only leaves at its start is one hit, which the start gives.
    let leaves_in_range = exit.compare_f64(ray.t_max).is_le();
    let only_leaves =
        exit.compare_f64(ray.t_min).is_eq() && !(order.is_eq() && first.side == Side::Front);
    let exit = (leaves_in_range && !only_leaves).then(|| hit(false));
    Some(SolidHits::Through {
        entry: Some(first),
        exit,
    })
}

/// The hit of a ray that starts in the closed solid.
fn start<T: CrossingTime>(
    slabs: &[Slab<T>; 3],
    ray: &LocalRay,
    normal: &impl Fn(usize, Face) -> Vec3,
) -> SolidHit {
    let t = (nearest_f32(ray.t_min), ray.t_min);
    for (axis, slab) in slabs.iter().enumerate() {
        if let Some(face) = slab.face_at(ray.t_min) {
            let normal = normal(axis, face);
            // A ray that slides in the face is neither going in nor out.
            let is_inward = match slab {
                Slab::Moving { is_upward, .. } => *is_upward == (face == Face::Lower),
                Slab::Parallel { .. } => false,
            };
            let side = if is_inward { Side::Front } else { Side::Back };
            return SolidHit {
                t,
                normal,
                side,
                face: None,
            };
        }
    }
    SolidHit {
        t,
        normal: Vec3::ZERO,
        side: Side::Inside,
        face: None,
    }
}

impl<T: CrossingTime> Slab<T> {
    fn interval(&self) -> Option<(T, T)> {
        match self {
            Self::Moving { enter, leave, .. } => Some((*enter, *leave)),
            Self::Parallel { .. } => None,
        }
    }

    fn is_upward(&self) -> bool {
        matches!(
            self,
            Self::Moving {
                is_upward: true,
                ..
            }
        )
    }

    /// The face of this axis in which the ray is at `t`.
    fn face_at(&self, t: f64) -> Option<Face> {
        match self {
            Self::Moving {
                enter,
                leave,
                is_upward,
            } => {
                let (near, far) = if *is_upward {
                    (Face::Lower, Face::Upper)
                } else {
                    (Face::Upper, Face::Lower)
                };
                if enter.compare_f64(t) == Ordering::Equal {
                    Some(near)
                } else if leave.compare_f64(t) == Ordering::Equal {
                    Some(far)
                } else {
                    None
                }
            }
            Self::Parallel { face, .. } => *face,
        }
    }
}
