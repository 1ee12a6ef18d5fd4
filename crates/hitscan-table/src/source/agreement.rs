//! Agreement of the files of one input: the same columns.

use std::sync::Arc;

use arrow_schema::{Field, FieldRef, Schema};

use super::rows::InputSchema;
use crate::Error;

/// The schema of files with the schema `all`, the first of which is `first`, and of one more, `file`. Columns
/// must have the same names and types in the same order.
pub(super) fn agree(
    first: &str,
    all: InputSchema,
    file: &str,
    own: &InputSchema,
) -> Result<InputSchema, Error> {
    let differ = |reason: String| Error::FilesDiffer {
        file: file.to_owned(),
        first: first.to_owned(),
        reason,
    };
    let (names, own_names) = (all.names(), own.names());
    let other = names.iter().zip(&own_names).position(|(a, b)| a != b);
    if let Some(i) = other {
        let (expected, found) = (&names[i], &own_names[i]);
        return Err(differ(format!(
            "column {} is `{found}` and there `{expected}`",
            i + 1
        )));
    }
    if names.len() != own_names.len() {
        return Err(differ(format!(
            "it has {} columns and there are {} there",
            own_names.len(),
            names.len()
        )));
    }
    match (all, own) {
        (InputSchema::Csv(header), InputSchema::Csv(_)) => Ok(InputSchema::Csv(header)),
        (InputSchema::Columnar { schema, .. }, InputSchema::Columnar { schema: own, .. }) => {
            let fields = schema.fields().iter().zip(own.fields());
            let joined = |(field, own): (&FieldRef, &FieldRef)| match field.data_type() {
                known if known == own.data_type() => Ok(nullable(field, own)),
                known => Err(differ(format!(
                    "the column `{}` has the type {} and there {known}",
                    own.name(),
                    own.data_type()
                ))),
            };
            let fields = fields.map(joined).collect::<Result<Vec<_>, _>>()?;
            let metadata = schema.metadata().clone();
            Ok(InputSchema::Columnar {
                schema: Arc::new(Schema::new_with_metadata(fields, metadata)),
                // Each file has its own.
                one_dictionary: false,
            })
        }
        (InputSchema::Csv(_), InputSchema::Columnar { .. }) => Err(differ(
            "it has typed columns, and there they are text: give them in two runs".to_owned(),
        )),
        (InputSchema::Columnar { .. }, InputSchema::Csv(_)) => Err(differ(
            "its columns are text, and there they are typed: give them in two runs".to_owned(),
        )),
    }
}

/// A field that may be null where one of both may.
fn nullable(field: &FieldRef, own: &FieldRef) -> FieldRef {
    match own.is_nullable() && !field.is_nullable() {
        true => Arc::new(Field::clone(field).with_nullable(true)),
        false => field.clone(),
    }
}
