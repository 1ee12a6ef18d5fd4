//! The first contact of a moving shape: overlap at the start, or a contact at an exact time.

use super::box_contact::BoxContact;
use super::certified_contact::CertifiedContact;
use super::round_contact::RoundContact;
use super::sides::SideContact;
use ::core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// How a moving shape first hits an obstacle.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "taken apart where it is made; a box would cost an allocation a contact"
)]
pub(crate) enum Meeting {
    /// They overlap at t = 0.
    Overlap,
    /// They come into contact.
    Contact(TimedContact),
}

/// A contact at an exact time. Each kind of pair has its own way to keep it.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "round contacts are the usual ones; a box would cost an allocation each"
)]
pub(crate) enum TimedContact {
    /// At least one of the two has a radius.
    Round(RoundContact),
    /// Neither has one.
    Box(Box<BoxContact>),
    /// Nor here, and one of them is a polytope.
    Side(Box<SideContact>),
    /// One of them is a cylinder.
    Certified(Box<CertifiedContact>),
}

impl TimedContact {
    /// An enclosure of the exact time: `0 <= low <= time <= high <= 1`.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        match self {
            Self::Round(contact) => contact.enclosure(),
            Self::Box(contact) => contact.enclosure(),
            Self::Side(contact) => contact.enclosure(),
            Self::Certified(contact) => [contact.floor(); 2],
        }
    }

    /// The exact time rounded down to f64.
    pub(crate) fn floor(&self) -> f64 {
        match self {
            Self::Round(contact) => contact.floor(),
            Self::Box(contact) => contact.floor(),
            Self::Side(contact) => contact.floor(),
            Self::Certified(contact) => contact.floor(),
        }
    }

    /// The exact time rounded once to the nearest f32, never -0.
    pub(crate) fn t(&self) -> f32 {
        match self {
            Self::Round(contact) => contact.t(),
            Self::Box(contact) => contact.t(),
            Self::Side(contact) => contact.t(),
            Self::Certified(contact) => contact.t(),
        }
    }

    /// The unit normal from the obstacle to the shape, against the motion, within 2^-22.
    pub(crate) fn normal(&self) -> Vec3 {
        match self {
            Self::Round(contact) => contact.normal(),
            Self::Box(contact) => contact.normal(),
            Self::Side(contact) => contact.normal(),
            Self::Certified(contact) => contact.normal(),
        }
    }

    /// The exact sign of `n · (a - b)`, n being the exact normal at the exact time.
    pub(crate) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        match self {
            Self::Round(contact) => contact.compare_along_normal(a, b),
            Self::Box(contact) => contact.compare_along_normal(a, b),
            Self::Side(contact) => contact.compare_along_normal(a, b),
            Self::Certified(contact) => contact.direction.compare(a, b),
        }
    }

    /// Whether each corner of the obstacle, a triangle, is one of those that lie furthest along the
    /// exact normal, for a contact with one of its corners or edges; `None` where that takes exact
    /// arithmetic, and for other obstacles.
    pub(crate) fn certain_furthest(&self) -> Option<[bool; 3]> {
        match self {
            Self::Round(contact) => contact.certain_furthest(),
            Self::Box(_) | Self::Side(_) | Self::Certified(_) => None,
        }
    }

    /// A point that both share at the exact time, but for rounding.
    pub(crate) fn point(&self) -> Vec3 {
        match self {
            Self::Round(contact) => contact.point(),
            Self::Box(contact) => contact.point(),
            Self::Side(contact) => contact.point(),
            Self::Certified(contact) => contact.point(),
        }
    }
}
