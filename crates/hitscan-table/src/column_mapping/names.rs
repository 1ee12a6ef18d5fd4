//! The names under which a table may have a column of the question, and advice about those that it lacks.

use super::mapped_column::Meaning;
use crate::{Bound, Frame, QuestionColumn};

/// The advice about a table that has the axis of a missing column in other coordinates.
pub(super) fn foreign_hint(
    names: &[String],
    question: &QuestionColumn,
    frame: Option<&Frame>,
) -> Option<String> {
    let (position, frame) = question.position.zip(frame)?;
    let is_there = |name: &str| {
        let mut known = names.iter().map(|name| {
            let mut bounds = ["min_", "max_", "a_", "b_", "target_", "pivot_"].into_iter();
            let bound = bounds.find_map(|bound| name.strip_prefix(bound));
            bound.unwrap_or(name)
        });
        known.any(|known| known == name)
    };
    let mut foreign = frame.foreign.iter();
    let found = foreign.find(|other| other.axis == position.axis && is_there(&other.name))?;
    Some(format!("there is `{}`, but {}", found.name, found.advice))
}

/// The names under which a table may have a column of the question, its own first.
pub(super) fn choices(question: &QuestionColumn, frame: Option<&Frame>) -> Vec<(String, Meaning)> {
    let own = question.name.to_owned();
    let mut choices = match question.position.zip(frame) {
        None => vec![(own, Meaning::Own)],
        Some((position, frame)) => {
            let map = frame.own_map(position.axis);
            let meaning = match map.is_identity() {
                true => Meaning::Own,
                false => Meaning::InFrame(map),
            };
            let mut choices = vec![(own, meaning)];
            if let Some(alias) = frame.alias(position.axis) {
                // The smaller end on an axis that runs backwards is the greater one in the table.
                let runs_back = alias.map.metres_per_unit < 0.0;
                let prefix = match (position.bound, runs_back) {
                    (Bound::Point, _) => "",
                    (Bound::Min, false) | (Bound::Max, true) => "min_",
                    (Bound::Max, false) | (Bound::Min, true) => "max_",
                    (Bound::A, _) => "a_",
                    (Bound::B, _) => "b_",
                    (Bound::Target, _) => "target_",
                    (Bound::Pivot, _) => "pivot_",
                };
                let name = format!("{prefix}{}", alias.name);
                choices.push((name, Meaning::ByAlias(alias.map)));
            }
            choices
        }
    };
    if let Some(above) = question.above {
        choices.push((above.to_owned(), Meaning::Above));
    }
    choices
}

/// The names under which a table may have a column of the question.
pub(crate) fn names_of(question: &QuestionColumn, frame: Option<&Frame>) -> Vec<String> {
    let choices = choices(question, frame).into_iter();
    choices.map(|(name, _)| name).collect()
}

/// A name without case and marks, for comparison.
pub(crate) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The hint about a missing column: a similar name, or the names that exist.
pub(super) fn hint(missing: &str, names: &[String], questions: &[QuestionColumn]) -> String {
    let is_unread = |name: &&String| questions.iter().all(|question| question.name != **name);
    if let Some(name) = similar(missing, names.iter().filter(is_unread)) {
        return format!("did you mean `{name}`?");
    }
    if let [only] = names
        && let Some(separator) = [';', '\t', '|'].into_iter().find(|&c| only.contains(c))
    {
        return format!(
            "the header has no comma but {separator:?}; fields are separated by commas, or by tabs \
             in a file that ends in .tsv (`--input-format tsv`)"
        );
    }
    format!("there is {}", list(names))
}

/// The one of `names` that is nearest to a name that is not among them, if one is near.
pub(super) fn similar<'n>(
    missing: &str,
    names: impl Iterator<Item = &'n String>,
) -> Option<&'n String> {
    // A single letter is similar to every other, so only its case may differ; one edit in a short
    // name, two in a longer one.
    let limit = match missing.len() {
        0..=1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    let distance = |name: &str| strsim::damerau_levenshtein(&plain(name), &plain(missing));
    let near = names
        .filter(|name| !name.is_empty())
        .map(|name| (distance(name), name))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance);
    near.map(|(_, name)| name)
}

/// The names, for a message.
pub(super) fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`"));
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", shown.collect::<Vec<_>>().join(", "))
}
