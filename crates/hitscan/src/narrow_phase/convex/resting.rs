//! The contact of two resting shapes: overlap, touch or distance, and the way out.
//!
//! Where the cores are apart the separation is their distance less the radii, where they intersect minus the
//! depth of `way_out.rs` and the radii. Enclosures in f64 come first; what they do not decide is
//! decided by the squares of exact lengths.

use super::certain_overlap::CertainOverlap;
use super::certified_contact::CertifiedDirection;
use super::certified_gap::{CertifiedGap, certified_gap};
use super::core::CompactCore;
use super::difference::Difference;
use super::patch::Patch;
use super::relation::{Nearest, Relation, relation};
use super::separating_axes::CorePair;
use super::signed_root::SignedRoot;
use super::way_out::PenetrationAxis;
use super::{Convex, Core};
use crate::exact::adaptive::{Number, between, dot};
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::exact::rounding::nearest_f32_by;
use ::core::cell::OnceCell;
use ::core::cmp::Ordering;
use glam::DVec3;

/// A resting shape's contact with an obstacle, or the distance of the two.
#[derive(Debug, Clone)]
pub(crate) struct RestingContact {
    /// Of the obstacle and the shape.
    compact_cores: [CompactCore; 2],
    pub(super) radii: [f64; 2],
    pub(super) status: Ordering,
    /// The exact separation lies in it.
    enclosure: [f64; 2],
    pub(super) source: SeparationSource,
    /// Computed on first use.
    patch: OnceCell<Option<Box<Patch>>>,
}

/// The source of the separation: distance or depth.
#[derive(Debug, Clone, Copy)]
pub(super) enum SeparationSource {
    /// The cores are apart.
    Distance(Nearest),
    /// The cores intersect.
    Depth(PenetrationAxis),
    /// One of the two is a cylinder.
    Certified(CertifiedResting),
}

/// What is kept of the gap of a pair with a cylinder.
#[derive(Debug, Clone, Copy)]
pub(super) struct CertifiedResting {
    pub(super) direction: CertifiedDirection,
    pub(super) point: DVec3,
    /// Where the shapes are apart, a nearest pair of points.
    pub(super) nearest: [DVec3; 2],
    pub(super) gap: f64,
    are_cores_apart: bool,
}

/// The contact of `shape` with `obstacle`. A triangle without area is infinitely far.
pub(crate) fn resting_contact(obstacle: &Convex, shape: &Convex) -> RestingContact {
    let all = f64::INFINITY;
    resting_contact_within(obstacle, shape, all, all).unwrap_or_else(|| RestingContact {
        compact_cores: [(&obstacle.core).into(), (&shape.core).into()],
        radii: [0.0; 2],
        status: Ordering::Greater,
        enclosure: [f64::INFINITY; 2],
        source: SeparationSource::Depth(PenetrationAxis::Across),
        patch: OnceCell::new(),
    })
}

/// The contact of `shape` with `obstacle`, where their separation is at most `margin`; `None` where it is
/// greater, exactly, and for a triangle without area. Where f64 shows that it is greater than `limit` it
/// may be `None` too.
pub(crate) fn resting_contact_within(
    obstacle: &Convex,
    shape: &Convex,
    margin: f64,
    limit: f64,
) -> Option<RestingContact> {
    let radii = [obstacle.radius, shape.radius];
    let cores = [&obstacle.core, &shape.core];
    let are_mirrored = [obstacle.is_mirrored, shape.is_mirrored];
    if obstacle.core.is_cylinder() || shape.core.is_cylinder() {
        if obstacle.core.is_degenerate_triangle() || shape.core.is_degenerate_triangle() {
            return None;
        }
        let gap = certified_gap(obstacle, shape, DVec3::ZERO);
        let contact = RestingContact::certified([obstacle, shape], &gap);
        let is_within = contact.enclosure[0] <= limit && contact.compare_separation(margin).is_le();
        return is_within.then_some(contact);
    }
    let contact = match relation(cores, radii, obstacle.is_mirrored, margin.min(limit))? {
        Relation::Certain(overlap) => RestingContact::certain(cores, &overlap),
        Relation::Intersecting(order) => {
            let pair = CorePair::of(&obstacle.core, &shape.core);
            RestingContact::intersecting(&pair, are_mirrored, radii, order)
        }
        Relation::Apart(nearest, distance) => {
            RestingContact::apart(cores.map(CompactCore::from), radii, nearest, distance)
        }
    };
    let is_within = contact.enclosure[0] <= limit && contact.compare_separation(margin).is_le();
    is_within.then_some(contact)
}

/// Whether shape and obstacle overlap (`Less`), touch (`Equal`) or are apart, exactly, at less cost than
/// their contact. A triangle without area is apart from everything.
pub(crate) fn resting_status(obstacle: &Convex, shape: &Convex) -> Ordering {
    let radii = [obstacle.radius, shape.radius];
    let cores = [&obstacle.core, &shape.core];
    let radius = radii[0] + radii[1];
    if obstacle.core.is_cylinder() || shape.core.is_cylinder() {
        if obstacle.core.is_degenerate_triangle() || shape.core.is_degenerate_triangle() {
            return Ordering::Greater;
        }
        return certified_gap(obstacle, shape, DVec3::ZERO).status();
    }
    let is_faceted = |core: &&Core<'_>| matches!(core, Core::Box(_) | Core::Hull(_));
    if radius == 0.0
        && cores.iter().any(is_faceted)
        && !matches!(cores, [Core::Triangle(_), Core::Box(_)])
    {
        // Separating axes decide every pair with a box, sides every pair with a hull.
        return CorePair::of(&obstacle.core, &shape.core).compare_on_axes();
    }
    match relation(cores, radii, obstacle.is_mirrored, 0.0) {
        None => Ordering::Greater,
        Some(Relation::Certain(overlap)) => overlap.status,
        Some(Relation::Intersecting(_)) if radius > 0.0 => Ordering::Less,
        Some(Relation::Intersecting(order)) => order,
        Some(Relation::Apart(..)) if radius == 0.0 => Ordering::Greater,
        Some(Relation::Apart(nearest, distance)) => {
            RestingContact::apart(cores.map(CompactCore::from), radii, nearest, distance).status
        }
    }
}

impl RestingContact {
    /// Two shapes whose cores overlap or touch.
    fn intersecting(
        cores: &CorePair,
        are_mirrored: [bool; 2],
        radii: [f64; 2],
        order: Ordering,
    ) -> Self {
        let (way, [low, high]) = cores.way_out(are_mirrored);
        let radius = radii[0] + radii[1];
        let status = if radius > 0.0 { Ordering::Less } else { order };
        let enclosure = if status.is_eq() {
            [0.0; 2]
        } else {
            widened([-radius - high, -radius - low], radius)
        };
        Self {
            compact_cores: [(&cores.obstacle).into(), (&cores.shape).into()],
            radii,
            status,
            enclosure,
            source: SeparationSource::Depth(way),
            patch: OnceCell::new(),
        }
    }

    /// A box and a triangle that overlap, as the filter found.
    pub(crate) fn certain([obstacle, shape]: [&Core; 2], overlap: &CertainOverlap) -> Self {
        Self {
            compact_cores: [obstacle.into(), shape.into()],
            radii: [0.0; 2],
            status: overlap.status,
            enclosure: overlap.separation(),
            source: SeparationSource::Depth(overlap.way),
            patch: OnceCell::new(),
        }
    }

    /// Two shapes, one of which is a cylinder.
    fn certified([obstacle, shape]: [&Convex; 2], gap: &CertifiedGap) -> Self {
        let radii = [obstacle.radius, shape.radius];
        Self {
            compact_cores: [(&obstacle.core).into(), (&shape.core).into()],
            radii,
            status: gap.status(),
            enclosure: gap.enclosure(),
            source: SeparationSource::Certified(CertifiedResting {
                direction: CertifiedDirection(gap.direction),
                point: gap.point(obstacle.radius),
                nearest: gap.nearest_points(radii),
                gap: gap.gap,
                are_cores_apart: gap.are_cores_apart,
            }),
            patch: OnceCell::new(),
        }
    }

    /// Two shapes whose cores are apart, with an enclosure of their distance.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn apart(
        compact_cores: [CompactCore; 2],
        radii: [f64; 2],
        nearest: Nearest,
        [low, high]: [f64; 2],
    ) -> Self {
        let radius = radii[0] + radii[1];
        let mut contact = Self {
            compact_cores,
            radii,
            status: Ordering::Greater,
            enclosure: widened([low.max(0.0) - radius, high - radius], radius),
            source: SeparationSource::Distance(nearest),
            patch: OnceCell::new(),
        };
        if radius > 0.0 {
            contact.status = contact.compare_separation(0.0);
        }
        contact
    }

    /// The same contact of other cores that are as far apart, and as near in the same points.
    pub(super) fn with_cores(self, compact_cores: [CompactCore; 2]) -> Self {
        Self {
            compact_cores,
            patch: OnceCell::new(),
            ..self
        }
    }

    /// Whether the cores are apart.
    pub(crate) fn is_by_distance(&self) -> bool {
        match &self.source {
            SeparationSource::Distance(_) => true,
            SeparationSource::Depth(_) => false,
            SeparationSource::Certified(certified) => certified.are_cores_apart,
        }
    }

    /// Whether the two overlap (`Less`), touch (`Equal`) or are apart.
    pub(crate) fn status(&self) -> Ordering {
        self.status
    }

    /// An enclosure of the exact separation.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        self.enclosure
    }

    /// The exact separation rounded once to the nearest f32, never -0: the distance of the two, or minus
    /// the depth.
    pub(crate) fn separation(&self) -> f32 {
        if self.status.is_eq() {
            return 0.0;
        }
        if let SeparationSource::Certified(certified) = &self.source {
            return nearest_f32(certified.gap) + 0.0;
        }
        let [low, high] = self.enclosure.map(nearest_f32);
        if low == high {
            return low;
        }
        let exact = self.exact_core_separation();
        let [low, high] = self.enclosure;
        let [first, second] = self.radii;
        nearest_f32_by(f64::midpoint(low, high), &|limit| {
            exact.compare_sum([limit, first, second])
        })
    }

    /// How the exact separation compares with a margin.
    pub(crate) fn compare_separation(&self, margin: f64) -> Ordering {
        let [low, high] = self.enclosure;
        if low > margin {
            Ordering::Greater
        } else if high < margin {
            Ordering::Less
        } else if low == high || self.is_certified() {
            // What an enclosure does not decide about a cylinder counts as equal.
            Ordering::Equal
        } else {
            let [first, second] = self.radii;
            self.exact_core_separation()
                .compare_sum([margin, first, second])
        }
    }

    /// How the exact separation compares with that of another contact of the same shape.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let ([low, high], [other_low, other_high]) = (self.enclosure, other.enclosure);
        if low > other_high {
            Ordering::Greater
        } else if high < other_low {
            Ordering::Less
        } else if low == high && other_low == other_high
            || self.is_certified()
            || other.is_certified()
        {
            Ordering::Equal
        } else if self.radii != other.radii {
            let more = [self.radii[0], -other.radii[0]];
            let other = other.exact_core_separation();
            self.exact_core_separation().compare_with_more(&other, more)
        } else if self.is_the_same_as(other) {
            Ordering::Equal
        } else {
            self.exact_core_separation()
                .compare(&other.exact_core_separation())
        }
    }

    fn is_certified(&self) -> bool {
        matches!(self.source, SeparationSource::Certified(_))
    }

    /// Whether both certainly are the distance of the same corners or edges, as of triangles that share
    /// them.
    fn is_the_same_as(&self, other: &Self) -> bool {
        if let (Some(own), Some(others)) = (self.nearest_edge(), other.nearest_edge()) {
            return own == others || own == [others[1], others[0]];
        }
        let corners = |contact: &Self| Some(contact.clearly_nearest()?.corners());
        match (corners(self), corners(other)) {
            (Some(corners), Some(others)) => corners == others,
            _ => false,
        }
    }

    /// The ends of the triangle's edge on which its nearest point certainly lies; twice the same for a
    /// corner.
    ///
    /// The nearest point is one of those that lie furthest along the offset, and so not on what is
    /// certainly lower than an edge, or than a corner.
    fn nearest_edge(&self) -> Option<[DVec3; 2]> {
        let (SeparationSource::Distance(nearest), CompactCore::Triangle(corners)) =
            (&self.source, &self.compact_cores[0])
        else {
            return None;
        };
        let is_lower = |corner: usize, than: usize| {
            let way = between(corners[than], corners[corner]);
            dot(&nearest.approx_offset(), &way).known_sign() == Some(Ordering::Less)
        };
        let last = (0..3).find(|&last| {
            let (corner, next) = ((last + 1) % 3, (last + 2) % 3);
            is_lower(last, corner) && is_lower(last, next)
        })?;
        let (corner, next) = ((last + 1) % 3, (last + 2) % 3);
        Some(if is_lower(next, corner) {
            [corners[corner]; 2]
        } else if is_lower(corner, next) {
            [corners[next]; 2]
        } else {
            [corners[corner], corners[next]]
        })
    }

    /// The pieces of the cores that are nearest, where they are apart and f64 decides which.
    pub(super) fn clearly_nearest(&self) -> Option<Patch> {
        match self.source {
            SeparationSource::Depth(_) | SeparationSource::Certified(_) => None,
            SeparationSource::Distance(_) => {
                let found = || self.difference().clearly_nearest().map(Box::new);
                self.patch.get_or_init(found).as_deref().copied()
            }
        }
    }

    /// The distance of the cores, or minus the depth to which they meet.
    fn exact_core_separation(&self) -> SignedRoot {
        match self.source {
            SeparationSource::Depth(way) => self.cores().exact_depth(way),
            SeparationSource::Distance(_) => match self.difference().squared_distance() {
                Some(squared) => SignedRoot {
                    is_negative: false,
                    squared,
                },
                None => SignedRoot::zero(),
            },
            // Never compared but by its enclosure.
            SeparationSource::Certified(_) => SignedRoot::zero(),
        }
    }

    pub(super) fn cores(&self) -> CorePair<'_> {
        let [obstacle, shape] = [0, 1].map(|i: usize| Core::from(&self.compact_cores[i]));
        CorePair { obstacle, shape }
    }

    pub(super) fn difference(&self) -> Difference<'_> {
        let CorePair { obstacle, shape } = self.cores();
        Difference::new(&obstacle, &shape, DVec3::ZERO)
    }
}

/// An enclosure widened by the rounding error of adding the radii.
fn widened([low, high]: [f64; 2], radius: f64) -> [f64; 2] {
    let off = |x: f64| 4.0 * UNIT_ROUNDOFF * (x.abs() + radius);
    [low - off(low), high + off(high)]
}
