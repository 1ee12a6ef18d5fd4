//! How a resting shape and an obstacle lie.

use super::Convex;
use ::core::cmp::Ordering;
use glam::{DVec3, Vec3};

#[derive(Debug, Clone)]
pub(crate) struct RestingContact;

impl RestingContact {
    /// Less: overlap, equal: touch, greater: apart.
    pub(crate) fn status(&self) -> Ordering {
        Ordering::Greater
    }
    pub(crate) fn separation(&self) -> f32 {
        1.0
    }
    pub(crate) fn compare_separation(&self, margin: f64) -> Ordering {
        1.0_f64.total_cmp(&margin)
    }
    pub(crate) fn normal(&self) -> Vec3 {
        Vec3::X
    }
    pub(crate) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        a.x.total_cmp(&b.x)
    }
    pub(crate) fn point(&self) -> Vec3 {
        Vec3::ZERO
    }
}

pub(crate) fn resting_contact(_obstacle: &Convex, _shape: &Convex) -> RestingContact {
    RestingContact
}
