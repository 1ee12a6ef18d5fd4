//! Query filters: the objects that a query considers.

use crate::view::View;
use hitscan::{ObjectId, QueryFilter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What is seen: `(layers, ignore)`.
pub(crate) type Seen<'py> = (u32, Vec<Bound<'py, PyAny>>);

/// The objects that a query sees.
pub(crate) struct Filter {
    layers: u32,
    ignored: Vec<ObjectId>,
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
        Ok(Self {
            layers: *layers,
            ignored: view.objects.of_keys(ignore)?,
        })
    }

    /// As tables take it.
    pub(crate) fn seen(&self) -> hitscan_ask::Seen {
        hitscan_ask::Seen {
            layers: self.layers,
            ignored: hitscan_ask::Ignored {
                objects: self.ignored.clone(),
                parts: Vec::new(),
            },
        }
    }

    /// As the library takes it.
    pub(crate) fn query(&self) -> QueryFilter<'_> {
        QueryFilter::new()
            .layers(self.layers)
            .exclude(&self.ignored)
    }
}
