//! The fields of an answer that a call requests.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Fields of an answer, a bit each.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    /// All that there are.
    names: &'static [&'static str],
    asked: u16,
}

impl Fields {
    /// The fields of `asked` among all; the first `usual` ones where none is requested.
    ///
    /// # Errors
    /// `ValueError` for a name that no field has.
    pub(crate) fn named(
        names: &'static [&'static str],
        usual: usize,
        asked: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let Some(asked) = asked else {
            let asked = (1 << usual) - 1;
            return Ok(Self { names, asked });
        };
        let mut fields = Self { names, asked: 0 };
        for name in asked {
            let place = names.iter().position(|field| *field == name);
            let Some(place) = place else {
                return Err(PyValueError::new_err(format!(
                    "fields: no field is called {name:?}; there are {}",
                    names.join(", ")
                )));
            };
            fields.asked |= 1 << place;
        }
        Ok(fields)
    }

    /// What `make` makes, where the field `name` is requested.
    pub(crate) fn if_asked<T>(
        self,
        name: &str,
        make: impl FnOnce() -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        self.has(name).then(make).transpose()
    }

    pub(crate) fn has(self, name: &str) -> bool {
        let place = self.names.iter().position(|field| *field == name);
        place.is_some_and(|place| self.asked >> place & 1 == 1)
    }
}
