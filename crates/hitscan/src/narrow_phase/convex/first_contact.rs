//! First contact of a moving convex shape with a resting one.

use super::box_contact::{BoxEncounter, first_box_contact};
use super::certified_contact::{CertifiedMeeting, first_certified_contact};
use super::round_first_contact::round_first_contact;
use super::separating_axes::CorePair;
use super::sides::first_side_contact;
use super::{Convex, Core, Meeting, TimedContact};
use ::core::cmp::Ordering;
use glam::DVec3;

/// The first contact of `shape`, which is translated by `motion` while t goes from 0 to 1, with the
/// resting `obstacle`.
///
/// `None` where there is no hit: also for touching and parting, grazing, sliding along, no motion
/// without overlap, and a triangle without area.
pub(crate) fn first_contact(obstacle: &Convex, shape: &Convex, motion: DVec3) -> Option<Meeting> {
    first_contact_by(obstacle, shape, motion, 1.0)
}

/// The same, where contacts after the time `latest`, from 0 to 1, may be omitted.
pub(crate) fn first_contact_by(
    obstacle: &Convex,
    shape: &Convex,
    motion: DVec3,
    latest: f64,
) -> Option<Meeting> {
    if obstacle.core.is_cylinder() || shape.core.is_cylinder() {
        return Some(
            match first_certified_contact(obstacle, shape, motion, latest)? {
                CertifiedMeeting::Overlap => Meeting::Overlap,
                CertifiedMeeting::Contact(contact) => {
                    Meeting::Contact(TimedContact::Certified(Box::new(contact)))
                }
            },
        );
    }
    if obstacle.radius == 0.0
        && shape.radius == 0.0
        && CorePair::of(&obstacle.core, &shape.core).is_by_sides()
    {
        let meeting = first_side_contact(&obstacle.core, &shape.core, motion, latest)?;
        return Some(meeting.map_or(Meeting::Overlap, |contact| {
            Meeting::Contact(TimedContact::Side(Box::new(contact)))
        }));
    }
    if obstacle.radius == 0.0
        && let Core::Box(hull) = &shape.core
        && let Some(resting) = obstacle.core.without_hull()
    {
        let meeting = first_box_contact(&resting, hull, motion, latest)?;
        return Some(match meeting {
            BoxEncounter::Overlap => Meeting::Overlap,
            BoxEncounter::Contact(contact) => {
                Meeting::Contact(TimedContact::Box(Box::new(contact)))
            }
        });
    }
    // A moving by d against B at rest is B moving by -d against A: each pair is computed one way.
    let is_swapped = obstacle.core.order(&shape.core) == Ordering::Less;
    let (resting, moving, motion) = if is_swapped {
        (shape, obstacle, -motion)
    } else {
        (obstacle, shape, motion)
    };
    round_first_contact(resting, moving, motion, latest, is_swapped)
}
