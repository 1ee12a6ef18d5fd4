//! Query filters: the objects, and the parts of compounds, that a query considers.

use crate::errors::unknown_object;
use crate::view::View;
use hitscan::{ObjectId, QueryFilter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What is seen: `(layers, ignore)`.
pub(crate) type Seen<'py> = (u32, Vec<Bound<'py, PyAny>>);

/// The objects that a query sees.
pub(crate) struct Filter {
    layers: u32,
    ignored: Vec<ObjectId>,
    ignored_parts: Vec<(ObjectId, u32)>,
}

impl Filter {
    /// What `seen` says of the objects of `view`.
    ///
    /// # Errors
    /// `KeyError` for an object that there is not, `ValueError` for layers where there are no objects.
    pub(crate) fn new(view: &View, (layers, ignore): &Seen<'_>) -> PyResult<Self> {
        if *layers != u32::MAX && view.world().is_err() {
            return Err(PyValueError::new_err(
                "layers: only the objects of a world are in layers",
            ));
        }
        let (parts, objects): (Vec<_>, Vec<_>) = ignore
            .iter()
            .cloned()
            .partition(|key| key.is_instance_of::<PyTuple>());
        let parts = parts.iter().map(|key| ignored_part(view, key));
        Ok(Self {
            layers: *layers,
            ignored_parts: parts.collect::<PyResult<_>>()?,
            ignored: view.objects.of_keys(&objects)?,
        })
    }

    /// As tables take it.
    pub(crate) fn seen(&self) -> hitscan_ask::Seen {
        hitscan_ask::Seen {
            layers: self.layers,
            ignored: hitscan_ask::Ignored {
                objects: self.ignored.clone(),
                parts: self.ignored_parts.clone(),
            },
        }
    }

    /// As the library takes it.
    pub(crate) fn query(&self) -> QueryFilter<'_> {
        QueryFilter::new()
            .layers(self.layers)
            .exclude(&self.ignored)
            .exclude_parts(&self.ignored_parts)
    }
}

/// A part of a compound, given as its object and its name.
fn ignored_part(view: &View, key: &Bound<'_, PyAny>) -> PyResult<(ObjectId, u32)> {
    let (object, name): (Bound<'_, PyAny>, String) = key.extract()?;
    let object = view.objects.of_keys(&[object])?[0];
    let part = view.world()?.compound_part_named(object, &name);
    let part = part.ok_or_else(|| {
        let whose = view.objects.name(object.index()).unwrap_or_default();
        unknown_object(format!("no part of {whose:?} is called {name:?}"))
    })?;
    Ok((object, part))
}
