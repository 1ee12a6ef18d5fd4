//! A resting shape, prepared for many obstacles.

use super::ContactStatus;
use super::triangle_source::SourceTriangle;
use crate::Primitive;
use crate::exact::expansion::two_sum;
use crate::exact::extremes::{bounds_of, box_around};
use crate::narrow_phase::convex::{
    CertainOverlap, Convex, Core, Filtered, Outline, RestingContact, resting_contact_within,
};
use glam::DVec3;

/// A resting shape and how far apart from it obstacles count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactQuery<'a> {
    convex: Convex<'a>,
    outline: Outline,
    /// A box around the shape.
    min: DVec3,
    max: DVec3,
    /// A box around the shape's core.
    core: [DVec3; 2],
    /// Not negative.
    margin: f64,
}

impl<'a> ContactQuery<'a> {
    /// A margin that is negative or NaN counts as 0.
    pub(crate) fn new(shape: &'a Primitive, margin: f32) -> Self {
        let bounds = shape.bounds();
        let convex = Convex::from(shape);
        Self {
            core: match &convex.core {
                Core::Cylinder(cylinder) => cylinder.bounds(),
                core => bounds_of(core.corners()),
            },
            outline: Outline::new(&convex),
            convex,
            min: bounds.min().as_dvec3(),
            max: bounds.max().as_dvec3(),
            margin: f64::from(margin).max(0.0),
        }
    }

    /// The corners of a box around all that is within the margin.
    pub(crate) fn reach(&self) -> (DVec3, DVec3) {
        if self.margin == 0.0 {
            return (self.min, self.max);
        }
        // Beyond f32's range nothing is.
        let margin = self.margin.min(f64::from(f32::MAX));
        let down = (self.min - margin).to_array().map(f64::next_down);
        let up = (self.max + margin).to_array().map(f64::next_up);
        (DVec3::from_array(down), DVec3::from_array(up))
    }

    /// The largest `(from - p) · direction` of all points p of the shape.
    pub(crate) fn extent_against(&self, direction: DVec3, from: DVec3) -> f64 {
        if let Core::Cylinder(cylinder) = &self.convex.core {
            return (from - cylinder.furthest(-direction)).dot(direction);
        }
        let corners = self.convex.core.corners().iter();
        let extents = corners.map(|corner| (from - corner).dot(direction));
        extents.fold(f64::NEG_INFINITY, f64::max) + self.convex.radius * direction.length()
    }

    /// The shape's outline.
    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// That of all that is within the margin.
    pub(super) fn outline_within_margin(&self) -> Outline {
        self.outline.grown(self.margin.min(f64::from(f32::MAX)))
    }

    /// How far apart obstacles count.
    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }

    /// No more than the separation from a triangle.
    pub(crate) fn quick_separation(&self, corners: &[DVec3; 3]) -> f64 {
        self.outline.least_separation(corners)
    }

    /// How shape and obstacle lie, if they are within the margin, decided exactly.
    pub(crate) fn contact(&self, obstacle: &Convex) -> Option<RestingContact> {
        self.contact_within(obstacle, f64::INFINITY)
    }

    /// How shape and obstacle lie, if they are within the margin, decided exactly. Where they are
    /// certainly further apart than `limit` it may be `None` too.
    pub(crate) fn contact_within(&self, obstacle: &Convex, limit: f64) -> Option<RestingContact> {
        resting_contact_within(obstacle, &self.convex, self.margin, limit)
    }

    /// The contact with a triangle, if that has an area and is within the margin.
    pub(crate) fn with_triangle(&self, triangle: &SourceTriangle) -> Option<RestingContact> {
        if self.is_box_near(triangle) {
            self.decide(triangle)
        } else {
            None
        }
    }

    /// Whether the box around a triangle is within the margin.
    pub(super) fn is_box_near(&self, triangle: &SourceTriangle) -> bool {
        let [min, max] = box_around(&triangle.corners);
        self.least_separation(min, max).is_some()
    }

    /// The contact with a triangle whose box is near.
    pub(super) fn decide(&self, triangle: &SourceTriangle) -> Option<RestingContact> {
        if self.quick_separation(&triangle.corners) > self.margin() {
            return None;
        }
        self.contact(&triangle.convex())
    }

    /// How the shape lies to a triangle, where f64 is certain of it.
    pub(super) fn filter(&self, triangle: &Convex) -> Filtered {
        self.convex.filter_overlap(triangle)
    }

    /// The contact with a triangle that the filter found to overlap.
    pub(super) fn certain(&self, triangle: &Convex, overlap: &CertainOverlap) -> RestingContact {
        RestingContact::certain([&triangle.core, &self.convex.core], overlap)
    }

    /// No obstacle inside the box from `min` to `max` has a lower separation; `None` where all are
    /// beyond the margin.
    ///
    /// Cores are nearer to what they are made of than boxes around the shapes: what is inside is no
    /// nearer than its box is to the core's box, less the radius. Where these two overlap, moving the
    /// shape until they do not parts its core from all that is inside: the depth is no greater than
    /// the least such way along x, y or z and the radius. Differences that are not rounded have no slack
    /// where there is no radius: so what is inside a level box and ties has that bound itself.
    pub(crate) fn least_separation(&self, min: DVec3, max: DVec3) -> Option<f64> {
        let ([core_min, core_max], radius) = (self.core, self.convex.radius);
        // Both differences are rounded once each.
        let (below, above) = (min - core_max, core_min - max);
        let apart = below.max(above);
        let way = apart.max_element();
        let separation = if way > 0.0
            && radius == 0.0
            && apart.cmpgt(DVec3::ZERO).bitmask().count_ones() == 1
        {
            let is_exact =
                has_exact(below, [min, core_max], way) || has_exact(above, [core_min, max], way);
            if is_exact { way } else { way.next_down() }
        } else if way > 0.0 {
            let apart = apart.max(DVec3::ZERO);
            // Three squares, two sums, a root and the differences: eight roundings.
            let distance = apart.length_squared().sqrt() * (1.0 - 8.0 * f64::EPSILON);
            let distance = if distance.is_finite() { distance } else { way };
            let separation = distance - radius;
            separation - f64::EPSILON * (separation.abs() + radius)
        } else {
            // The way out up or down each axis is the greater of both sides' overlaps' lesser one.
            let (up, down) = (max - core_min, core_max - min);
            let way = up.min(down).min_element();
            if radius > 0.0 {
                let separation = -way.next_up() - radius;
                separation - f64::EPSILON * (separation.abs() + radius)
            } else if has_exact(up, [max, core_min], way) || has_exact(down, [core_max, min], way) {
                0.0 - way
            } else {
                -way.next_up()
            }
        };
        (separation <= self.margin).then_some(separation)
    }
}

/// Whether one of the rounded `differences` of two vectors is this number, and not rounded.
fn has_exact(differences: DVec3, [a, b]: [DVec3; 2], number: f64) -> bool {
    (0..3).any(|axis| differences[axis] == number && two_sum(a[axis], -b[axis]).1 == 0.0)
}

/// How they lie.
pub(crate) fn status(contact: &RestingContact) -> ContactStatus {
    match contact.status() {
        core::cmp::Ordering::Less => ContactStatus::Overlap,
        core::cmp::Ordering::Equal => ContactStatus::Touching,
        core::cmp::Ordering::Greater => ContactStatus::Near,
    }
}
