//! Questions, answers and candidates as JSON: what `--explain ROW --json` writes, and pages get.

use crate::explain::NamedCandidate;
use hitscan_table::Value;
use serde_json::{Map, Value as Json};

/// The columns of a question or an answer, without those that have no value.
///
/// ```
/// use hitscan_table::Value;
/// let t = ("t".to_owned(), Some(Value::Number(0.5)));
/// let row = hitscan_ask::row_json(&[t, ("part".to_owned(), None)]);
/// assert_eq!(serde_json::Value::Object(row).to_string(), r#"{"t":0.5}"#);
/// ```
#[must_use]
pub fn row_json(columns: &[(String, Option<Value>)]) -> Map<String, Json> {
    let column = |(name, value): &(String, Option<Value>)| {
        let value = value.as_ref()?;
        Some((name.clone(), value_json(value)))
    };
    columns.iter().filter_map(column).collect()
}

/// A value of a row: a number is whole where it is whole, and text where it is infinite.
///
/// ```
/// use hitscan_table::Value;
/// let texts = [3.0, 0.1, f64::INFINITY].map(|number| hitscan_ask::value_json(&Value::Number(number)).to_string());
/// assert_eq!(texts, ["3", "0.1", "\"inf\""]);
/// ```
#[must_use]
pub fn value_json(value: &Value) -> Json {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Integer(integer) => (*integer).into(),
        Value::Number(found) => number(*found),
    }
}

/// A candidate; what it has not is null.
#[must_use]
pub fn candidate_json(candidate: &NamedCandidate) -> Map<String, Json> {
    let fields = [
        ("object", candidate.object.as_str().into()),
        ("part", candidate.part.as_deref().into()),
        ("triangle", candidate.triangle.into()),
        ("t", candidate.t.map_or(Json::Null, f32_json)),
        ("verdict", candidate.verdict.into()),
        ("why", candidate.why.as_str().into()),
    ];
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// An f32 with its own shortest digits.
///
/// ```
/// assert_eq!(hitscan_ask::f32_json(0.1).to_string(), "0.1");
/// ```
#[must_use]
pub fn f32_json(value: f32) -> Json {
    number(value.to_string().parse().unwrap_or(f64::from(value)))
}

/// A number, whole where it is; JSON has no infinity, which is text.
fn number(number: f64) -> Json {
    /// Up to here every whole number is an f64.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if !number.is_finite() {
        return number.to_string().into();
    }
    if number.fract() == 0.0 && number.abs() < WHOLE {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        return (number as i64).into();
    }
    number.into()
}
