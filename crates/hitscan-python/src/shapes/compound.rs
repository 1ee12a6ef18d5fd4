//! Compounds: several solids with names that are one object.

use crate::errors::library_error;
use crate::shapes::{MakePrimitive, PyPrimitive};
use glam::DVec3;
use hitscan::{Compound, CompoundPart};
use pyo3::prelude::*;

/// Several solids with names.
#[pyclass(frozen, name = "Compound", module = "hitscan._hitscan")]
pub(crate) struct PyCompound {
    parts: Vec<Part>,
}

/// A solid of a compound.
struct Part {
    name: String,
    solid: MakePrimitive,
    user_data: u64,
}

impl PyCompound {
    /// Two opposite ends of it, as of [`MakePrimitive::ends`].
    pub(crate) fn ends(&self) -> [DVec3; 2] {
        let ends = self.parts.iter().map(|part| part.solid.ends());
        let around =
            |[low, high]: [DVec3; 2], [one, other]: [DVec3; 2]| [low.min(one), high.max(other)];
        ends.reduce(around).unwrap_or_default()
    }

    /// The compound, measured from `origin`.
    pub(crate) fn compound(&self, origin: DVec3) -> Result<Compound, hitscan::Error> {
        let parts = self.parts.iter().map(|part| {
            let solid = part.solid.primitive(Some(origin))?;
            Ok(CompoundPart::new(&*part.name, solid).with_user_data(part.user_data))
        });
        Compound::new(parts.collect::<Result<Vec<_>, hitscan::Error>>()?)
    }
}

#[pymethods]
impl PyCompound {
    /// The compound of parts `(name, solid, user_data)`.
    #[new]
    fn new(parts: Vec<(String, PyRef<'_, PyPrimitive>, u64)>) -> PyResult<Self> {
        let parts = parts.into_iter().map(|(name, solid, user_data)| Part {
            name,
            solid: solid.make.clone(),
            user_data,
        });
        let made = Self {
            parts: parts.collect(),
        };
        made.compound(DVec3::ZERO)
            .map_err(|error| library_error(&error))?;
        Ok(made)
    }
}
