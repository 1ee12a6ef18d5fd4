//! "Did you mean": the known names that are closest to one that is not known.
//!
//! Used for keys of scene files and headers, columns, clips and the like; it decides nothing but the
//! words of a message.

/// The least Jaro-Winkler similarity, from 0 to 1, at which a name is suggested.
const MIN_SIMILARITY: f64 = 0.75;

/// How many known names a message lists.
const LISTED: usize = 10;

/// The names there are, for a message about one that is not among them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownNames {
    /// The one that was probably meant.
    pub suggestion: Option<String>,
    /// The nearest ones, the nearest first, ten at most.
    pub nearest: Vec<String>,
    /// How many there are.
    pub count: usize,
}

impl KnownNames {
    /// The names in `known`, seen from `name`.
    pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found: Vec<(f64, &str)> = Vec::new();
        let mut count = 0;
        for candidate in known {
            count += 1;
            let similarity = similarity(name, candidate);
            let place = found.partition_point(|(other, _)| *other >= similarity);
            if place < LISTED {
                found.truncate(LISTED - 1);
                found.insert(place, (similarity, candidate));
            }
        }
        let close = found
            .first()
            .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
        Self {
            suggestion: close.map(|(_, name)| (*name).to_owned()),
            nearest: found.iter().map(|(_, name)| (*name).to_owned()).collect(),
            count,
        }
    }
}

impl std::fmt::Display for KnownNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(name) = &self.suggestion {
            write!(f, "; did you mean `{name}`?")?;
        }
        let Some((last, before)) = self.nearest.split_last() else {
            return f.write_str("; there are none");
        };
        let more = self.count - self.nearest.len();
        if more == 0 && before.is_empty() {
            return match self.suggestion {
                Some(_) => Ok(()),
                None => write!(f, "; there is `{last}`"),
            };
        }
        let start = if self.suggestion.is_some() {
            " There"
        } else {
            "; there"
        };
        write!(f, "{start} are ")?;
        for (index, name) in before.iter().enumerate() {
            let gap = if index == 0 { "" } else { ", " };
            write!(f, "{gap}`{name}`")?;
        }
        match more {
            0 => write!(f, " and `{last}`"),
            _ => write!(f, ", `{last}` and {more} more"),
        }
    }
}

/// From 0 to 1, in any case of the letters.
fn similarity(name: &str, candidate: &str) -> f64 {
    strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase())
}

/// The name in `known` that is most similar to `name`, if one is similar enough.
pub(crate) fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|&candidate| (similarity(name, candidate), candidate))
        .filter(|&(similarity, _)| similarity >= MIN_SIMILARITY)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::{KnownNames, closest};

    #[test]
    fn close_names_are_suggested_and_far_ones_are_not() {
        let known = [
            "heights",
            "spacing",
            "height_scale",
            "range",
            "origin",
            "size",
        ];
        for (name, expected) in [
            ("spacng", Some("spacing")),
            ("Spacing", Some("spacing")),
            ("height", Some("heights")),
            ("heightscale", Some("height_scale")),
            ("orgin", Some("origin")),
            ("wavelength", None),
            ("", None),
        ] {
            assert_eq!(closest(name, &known), expected, "{name}");
        }
    }

    #[test]
    fn ten_names_at_most_are_listed_the_nearest_first() {
        let many: Vec<String> = (0..30).map(|k| format!("guard{k}")).collect();
        let many = || many.iter().map(String::as_str);
        for (known, text) in [
            (KnownNames::near("Run", []), "; there are none"),
            (KnownNames::near("Runn", ["Run"]), "; did you mean `Run`?"),
            (KnownNames::near("x", ["Run"]), "; there is `Run`"),
            (
                KnownNames::near("run", ["Walk", "Run"]),
                "; did you mean `Run`? There are `Run` and `Walk`",
            ),
            (
                KnownNames::near("x", ["Walk", "Run", "Sit"]),
                "; there are `Walk`, `Run` and `Sit`",
            ),
        ] {
            assert_eq!(known.to_string(), text);
        }
        let known = KnownNames::near("guard31", many());
        assert_eq!((known.nearest.len(), known.count), (10, 30));
        let text = known.to_string();
        assert!(
            text.starts_with("; did you mean `guard1`? There are `guard1`, `guard3`, "),
            "{text}"
        );
        assert!(text.ends_with(" and 20 more"), "{text}");
    }
}
