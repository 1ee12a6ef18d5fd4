//! Cylinders as their ends, in f64, and their radius.

use crate::{Cylinder, Error};
use glam::DVec3;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Cylinder")]
pub(super) struct CylinderParameters {
    a: DVec3,
    b: DVec3,
    radius: f64,
}

impl From<&Cylinder> for CylinderParameters {
    fn from(cylinder: &Cylinder) -> Self {
        let ([a, b], radius) = (cylinder.segment(), cylinder.radius());
        Self { a, b, radius }
    }
}

impl TryFrom<CylinderParameters> for Cylinder {
    type Error = Error;

    /// The ends are f64: a transform may have placed them.
    fn try_from(cylinder: CylinderParameters) -> Result<Self, Error> {
        Self::between_points([cylinder.a, cylinder.b], cylinder.radius)
    }
}
