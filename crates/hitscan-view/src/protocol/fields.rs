//! The fields of a JSON object, each taken once; what is left at the end is refused.

use super::refusal::{FieldError, Refusal, shown};
use serde_json::{Map, Value};

/// What a refused whole number of 32 bits should have been.
const WHOLE_32: &str = "a whole number from 0 to 4294967295";

/// The fields of an object that are not taken yet.
#[derive(Debug)]
pub(crate) struct Fields {
    /// What comes in front of a field's name in refusals: `camera.`, say.
    path: String,
    left: Map<String, Value>,
}

impl Fields {
    /// The fields of a whole message.
    pub(crate) fn of_message(left: Map<String, Value>) -> Self {
        let path = String::new();
        Self { path, left }
    }

    /// The fields of the object at a place.
    pub(crate) fn of_object(place: &str, value: Value) -> Result<Self, FieldError> {
        match value {
            Value::Object(left) => Ok(Self {
                path: format!("{place}."),
                left,
            }),
            other => Err(Refusal::new(place, shown(&other), "an object")),
        }
    }

    /// The place of a field, as a refusal names it.
    pub(crate) fn place(&self, name: &str) -> String {
        format!("{}{name}", self.path)
    }

    /// Refuses what is left.
    pub(crate) fn finish(self) -> Result<(), FieldError> {
        match self.left.into_iter().next() {
            None => Ok(()),
            Some((name, value)) => Err(Refusal::new(
                format!("{}{name}", self.path),
                shown(&value),
                "no such field",
            )),
        }
    }

    /// A field that may be absent.
    pub(crate) fn optional(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name)
    }

    /// A field that must be there.
    pub(crate) fn required(&mut self, name: &str, expected: &str) -> Result<Value, FieldError> {
        self.optional(name)
            .ok_or_else(|| Refusal::new(self.place(name), "nothing", expected))
    }

    /// A field that is read by `read`, which gets its place; `None` where it is absent.
    pub(crate) fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str, Value) -> Result<T, FieldError>,
    ) -> Result<Option<T>, FieldError> {
        let place = self.place(name);
        self.optional(name)
            .map(|value| read(&place, value))
            .transpose()
    }

    /// A whole number of 32 bits.
    pub(crate) fn u32(&mut self, name: &str) -> Result<u32, FieldError> {
        let value = self.required(name, WHOLE_32)?;
        u32_at(&self.place(name), &value)
    }

    /// A whole number of 32 bits that may be absent.
    pub(crate) fn optional_u32(&mut self, name: &str) -> Result<Option<u32>, FieldError> {
        self.read(name, |place, value| u32_at(place, &value))
    }

    /// A whole number that is exact as a JavaScript number.
    pub(crate) fn optional_u53(&mut self, name: &str) -> Result<Option<u64>, FieldError> {
        self.read(name, |place, value| {
            let number = value.as_u64().filter(|&number| number <= 1 << 53);
            number
                .ok_or_else(|| Refusal::new(place, shown(&value), "a whole number from 0 to 2^53"))
        })
    }

    /// A number, which JSON says is finite.
    pub(crate) fn number(&mut self, name: &str) -> Result<f64, FieldError> {
        let value = self.required(name, "a number")?;
        number_at(&self.place(name), &value)
    }

    /// True or false, false where absent.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, FieldError> {
        let flag = self.read(name, |place, value| {
            let expected = "true or false";
            let flag = value.as_bool();
            flag.ok_or_else(|| Refusal::new(place, shown(&value), expected))
        });
        Ok(flag?.unwrap_or(false))
    }

    /// Text.
    pub(crate) fn text(&mut self, name: &str, expected: &str) -> Result<String, FieldError> {
        let value = self.required(name, expected)?;
        text_at(&self.place(name), value, expected)
    }

    /// Text that may be absent.
    pub(crate) fn optional_text(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<String>, FieldError> {
        self.read(name, |place, value| text_at(place, value, expected))
    }

    /// What one of some words means; `default` where the field is absent.
    pub(crate) fn word<T: Copy>(
        &mut self,
        name: &str,
        words: &[(&str, T)],
        default: Option<T>,
    ) -> Result<T, FieldError> {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let expected = match known.as_slice() {
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
            [] => String::new(),
        };
        let place = self.place(name);
        let value = match (self.optional(name), default) {
            (Some(value), _) => value,
            (None, Some(default)) => return Ok(default),
            (None, None) => return Err(Refusal::new(place, "nothing", expected)),
        };
        let found = words
            .iter()
            .find(|(word, _)| value.as_str() == Some(word))
            .map(|(_, meaning)| *meaning);
        found.ok_or_else(|| Refusal::new(place, shown(&value), expected))
    }

    /// A list of so many numbers.
    pub(crate) fn numbers<const N: usize>(&mut self, name: &str) -> Result<[f64; N], FieldError> {
        let expected = format!("a list of {N} numbers");
        let value = self.required(name, &expected)?;
        numbers_at(&self.place(name), &value)
    }

    /// A list of two whole numbers that may be absent.
    pub(crate) fn optional_pair(&mut self, name: &str) -> Result<Option<[u32; 2]>, FieldError> {
        self.read(name, |place, value| {
            let expected = "a list of two whole numbers";
            let wrong = || Refusal::new(place, shown(&value), expected);
            let Some([first, second]) = value.as_array().map(Vec::as_slice) else {
                return Err(wrong());
            };
            Ok([
                u32_at(&format!("{place}[0]"), first)?,
                u32_at(&format!("{place}[1]"), second)?,
            ])
        })
    }

    /// A list, empty where it is absent, with each item's place.
    pub(crate) fn list(&mut self, name: &str) -> Result<Vec<(String, Value)>, FieldError> {
        let items = self.read(name, |place, value| match value {
            Value::Array(items) => {
                let item = |(index, item)| (format!("{place}[{index}]"), item);
                Ok(items.into_iter().enumerate().map(item).collect())
            }
            other => Err(Refusal::new(place, shown(&other), "a list")),
        });
        Ok(items?.unwrap_or_default())
    }

    /// What is left, with its names.
    pub(crate) fn into_rest(self) -> Vec<(String, Value)> {
        self.left.into_iter().collect()
    }
}

/// A whole number of 32 bits at a place.
pub(crate) fn u32_at(place: &str, value: &Value) -> Result<u32, FieldError> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| Refusal::new(place, shown(value), WHOLE_32))
}

/// A number at a place.
pub(crate) fn number_at(place: &str, value: &Value) -> Result<f64, FieldError> {
    let number = value.as_f64().filter(|number| number.is_finite());
    number.ok_or_else(|| Refusal::new(place, shown(value), "a number"))
}

/// So many numbers at a place.
pub(crate) fn numbers_at<const N: usize>(
    place: &str,
    value: &Value,
) -> Result<[f64; N], FieldError> {
    let list = value.as_array().filter(|list| list.len() == N);
    let Some(list) = list else {
        let expected = format!("a list of {N} numbers");
        return Err(Refusal::new(place, shown(value), expected));
    };
    let mut numbers = [0.0; N];
    for (index, (number, value)) in numbers.iter_mut().zip(list).enumerate() {
        *number = number_at(&format!("{place}[{index}]"), value)?;
    }
    Ok(numbers)
}

/// Text at a place.
pub(crate) fn text_at(place: &str, value: Value, expected: &str) -> Result<String, FieldError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(Refusal::new(place, shown(&other), expected)),
    }
}
