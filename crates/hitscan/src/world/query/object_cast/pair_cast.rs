//! The move of one piece of the mover against one of an obstacle.

use crate::exact::expansion::floor_difference_quotient;
use crate::narrow_phase::convex::{
    Convex, Meeting, RestingContact, first_contact_by, resting_contact, resting_contact_within,
};
use crate::narrow_phase::shape_cast::lower_bound::earliest_contact;
use crate::narrow_phase::shape_cast::prepared::{CastContact, Encounter};
use crate::world::piece_tree::Piece;
use crate::{InitialOverlap, Sides};
use glam::DVec3;

/// How pieces move, and what counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairCast {
    pub(super) motion: DVec3,
    inv_speeds: DVec3,
    pub(super) overlaps: InitialOverlap,
    sides: Sides,
}

impl PairCast {
    pub(crate) fn new(motion: DVec3, overlaps: InitialOverlap, sides: Sides) -> Self {
        Self {
            motion,
            inv_speeds: motion.recip(),
            overlaps,
            sides,
        }
    }

    /// The same where every overlap stops the mover.
    pub(super) fn stopping(&self) -> Self {
        Self {
            overlaps: InitialOverlap::Stop,
            ..*self
        }
    }

    /// A time before which nothing of the mover inside the first box hits anything inside the second; see
    /// [`earliest_contact`].
    #[inline]
    pub(super) fn earliest(&self, boxes: [&[DVec3; 2]; 2]) -> Option<f64> {
        let [mover, obstacle] = boxes;
        // Boxes that touch and part: signs of differences are exact.
        let is_ahead = (self.motion.cmpgt(DVec3::ZERO) & obstacle[1].cmple(mover[0]))
            | (self.motion.cmplt(DVec3::ZERO) & obstacle[0].cmpge(mover[1]));
        if is_ahead.any() {
            return None;
        }
        self.earliest_touch(boxes)
    }

    /// The same, where what only touches, and is not hit, counts too.
    #[inline]
    pub(crate) fn earliest_touch(&self, [mover, obstacle]: [&[DVec3; 2]; 2]) -> Option<f64> {
        earliest_contact(*mover, *obstacle, self.inv_speeds)
    }

    /// The time before which the boxes do not touch on all axes, rounded down to f64: where boxes are no
    /// larger than what is in them no contact in them comes before it, as exact times are rounded down.
    pub(super) fn entry_floor(&self, [mover, obstacle]: [&[DVec3; 2]; 2]) -> f64 {
        let mut entry = 0.0_f64;
        for axis in 0..3 {
            let speed = self.motion[axis];
            let (from, to) = if speed > 0.0 {
                (mover[1][axis], obstacle[0][axis])
            } else {
                // The same way and speed, seen the other way round.
                (-mover[0][axis], -obstacle[1][axis])
            };
            // A way that is not longer takes no time.
            if speed != 0.0 && to > from {
                entry = entry.max(floor_difference_quotient(to, from, speed.abs()));
            }
        }
        entry
    }

    /// Whether pieces of obstacles count from every side.
    pub(super) fn admits_all(&self) -> bool {
        self.sides == Sides::Both || self.motion == DVec3::ZERO
    }

    /// Whether a piece of an obstacle counts from the side that faces the motion.
    pub(super) fn admits(&self, obstacle: &Piece<'_>) -> bool {
        match obstacle.triangle() {
            Some(triangle) if !self.admits_all() => self.sides.admits(triangle.side(self.motion)),
            _ => true,
        }
    }

    /// How a piece of the mover first hits one of an obstacle, or `None`. Contacts after the time `latest`,
    /// from 0 to 1, may be omitted. What it escapes from is not hit.
    pub(super) fn meet(
        &self,
        [mover, obstacle]: [&Convex<'_>; 2],
        latest: f64,
    ) -> Option<Encounter> {
        match first_contact_by(obstacle, mover, self.motion, latest)? {
            Meeting::Contact(contact) => Some(Encounter::Contact(CastContact::Timed(contact))),
            Meeting::Overlap => match self.overlaps {
                InitialOverlap::Stop => Some(Encounter::Overlap),
                InitialOverlap::Escape => {
                    let resting = resting_contact(obstacle, mover);
                    let is_deeper = !self.escapes(&resting);
                    is_deeper.then_some(Encounter::Contact(CastContact::Stuck(resting)))
                }
            },
        }
    }

    /// Whether the motion does not lead deeper into what is overlapped at the start.
    pub(super) fn escapes(&self, resting: &RestingContact) -> bool {
        resting
            .compare_along_normal(self.motion, DVec3::ZERO)
            .is_ge()
    }
}

/// The contact of two pieces that overlap or touch at the start.
pub(super) fn resting_pair([mover, obstacle]: [&Piece<'_>; 2]) -> Option<RestingContact> {
    if mover.is_degenerate() {
        return None;
    }
    resting_contact_within(&obstacle.convex(), &mover.convex(), 0.0, f64::INFINITY)
}
