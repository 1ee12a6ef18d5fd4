//! Mapping of the input's columns to those of the question.
//!
//! Only names are compared here, no rows are read.

use crate::{AxisMap, Bound, Error, Frame, QuestionColumn, QuestionKind};

/// For each column of the question, the input's column that holds it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColumnMapping {
    /// `None`: the input lacks the column, and each row has its default.
    pub(crate) columns: Vec<Option<MappedColumn>>,
}

/// A column of the input that holds a column of the question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MappedColumn {
    /// The position among the input's columns.
    pub(crate) index: usize,
    pub(crate) meaning: Meaning,
}

/// What the values of a mapped column mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meaning {
    /// What the question's column says.
    Own,
    /// A position in a frame, under the question's own name.
    InFrame(AxisMap),
    /// A position in a frame, under the axis's alias.
    ByAlias(AxisMap),
    /// Metres above the ground.
    Above,
}

impl MappedColumn {
    /// The map of a position in a frame.
    pub(crate) fn map(self) -> Option<AxisMap> {
        match self.meaning {
            Meaning::InFrame(map) | Meaning::ByAlias(map) => Some(map),
            Meaning::Own | Meaning::Above => None,
        }
    }
}

impl ColumnMapping {
    /// Finds the columns of the question among the input's `names`.
    pub(crate) fn new(
        file: &str,
        names: &[String],
        questions: &[QuestionColumn],
        frame: Option<&Frame>,
    ) -> Result<Self, Error> {
        let find = |question: &QuestionColumn| find(file, names, questions, question, frame);
        Ok(Self {
            columns: questions.iter().map(find).collect::<Result<_, _>>()?,
        })
    }

    /// Whether the table names a position by an alias.
    pub(crate) fn uses_aliases(&self) -> bool {
        let mut columns = self.columns.iter().flatten();
        columns.any(|column| matches!(column.meaning, Meaning::ByAlias(_)))
    }

    /// For each column of the question whether the table has it.
    pub(crate) fn are_there(&self) -> Vec<bool> {
        self.columns.iter().map(Option::is_some).collect()
    }

    /// For each column of the question whether it holds metres above the ground.
    pub(crate) fn are_above(&self) -> Vec<bool> {
        let is_above = |column: &Option<MappedColumn>| {
            column.is_some_and(|column| column.meaning == Meaning::Above)
        };
        self.columns.iter().map(is_above).collect()
    }

    /// What the question reads from the input's column `index`; `None` where that is nothing.
    pub(crate) fn kind_at(
        &self,
        index: usize,
        questions: &[QuestionColumn],
    ) -> Option<(QuestionKind, MappedColumn)> {
        let mut mapped = self.columns.iter().zip(questions);
        mapped.find_map(|(column, question)| {
            let column = column.filter(|column| column.index == index)?;
            Some((question.kind, column))
        })
    }
}

/// Finds a column of the question by its own name or by another that it may have.
fn find(
    file: &str,
    names: &[String],
    questions: &[QuestionColumn],
    question: &QuestionColumn,
    frame: Option<&Frame>,
) -> Result<Option<MappedColumn>, Error> {
    let choices = choices(question, frame);
    let mut found: Option<(MappedColumn, &str)> = None;
    for (name, meaning) in &choices {
        for index in (0..names.len()).filter(|&index| names[index] == *name) {
            match found {
                None => {
                    found = Some((
                        MappedColumn {
                            index,
                            meaning: *meaning,
                        },
                        name,
                    ))
                }
                Some((first, other)) if other == name => {
                    return Err(Error::DuplicateColumn {
                        file: file.to_owned(),
                        column: name.clone(),
                        first: first.index + 1,
                        second: index + 1,
                    });
                }
                Some((_, other)) => {
                    return Err(Error::AmbiguousColumn {
                        file: file.to_owned(),
                        column: other.to_owned(),
                        other: name.clone(),
                    });
                }
            }
        }
    }
    if found.is_none() && question.is_required() {
        let others: Vec<String> = choices[1..]
            .iter()
            .map(|(name, _)| format!("or `{name}` in its place; "))
            .collect();
        return Err(Error::MissingColumn {
            file: file.to_owned(),
            column: question.name,
            hint: foreign_hint(names, question, frame)
                .unwrap_or_else(|| others.concat() + &hint(question.name, names, questions)),
        });
    }
    Ok(found.map(|(column, _)| column))
}

/// The advice about a table that has the axis of a missing column in other coordinates.
fn foreign_hint(
    names: &[String],
    question: &QuestionColumn,
    frame: Option<&Frame>,
) -> Option<String> {
    let (position, frame) = question.position.zip(frame)?;
    let is_there = |name: &str| {
        let mut known = names.iter().map(|name| {
            let mut bounds = ["min_", "max_", "a_", "b_"].into_iter();
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
fn choices(question: &QuestionColumn, frame: Option<&Frame>) -> Vec<(String, Meaning)> {
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
fn hint(missing: &str, names: &[String], questions: &[QuestionColumn]) -> String {
    // A single letter is similar to every other, so only its case may differ; one edit in a short
    // name, two in a longer one.
    let limit = match missing.len() {
        0..=1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    let near = names
        .iter()
        .filter(|name| !name.is_empty() && questions.iter().all(|question| question.name != **name))
        .map(|name| {
            (
                strsim::damerau_levenshtein(&plain(name), &plain(missing)),
                name,
            )
        })
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance);
    if let Some((_, name)) = near {
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
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`"));
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!("there is {}{more}", shown.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, AxisAlias};

    const QUESTIONS: [QuestionColumn; 3] = [
        QuestionColumn::required("ox"),
        QuestionColumn::required("min_x"),
        QuestionColumn::optional("t_max", 1.0),
    ];

    fn map_columns(header: &str) -> Result<ColumnMapping, String> {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        ColumnMapping::new("a.csv", &names, &QUESTIONS, None).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_are_found_in_any_order() {
        let indices = |header| {
            let mapping = map_columns(header).unwrap();
            let index = |column: &Option<MappedColumn>| column.map(|column| column.index);
            mapping.columns.iter().map(index).collect::<Vec<_>>()
        };
        assert_eq!(indices("id,min_x,t_max,ox"), [Some(3), Some(1), Some(2)]);
        assert_eq!(indices("ox,min_x"), [Some(0), Some(1), None]);
    }

    #[test]
    fn a_frame_gives_columns_other_names() {
        const QUESTIONS: [QuestionColumn; 3] = [
            QuestionColumn::required("oy")
                .position(Axis::Y, Bound::Point)
                .or_above("oy_above"),
            QuestionColumn::required("min_z").position(Axis::Z, Bound::Min),
            QuestionColumn::required("max_z").position(Axis::Z, Bound::Max),
        ];
        let northing = AxisMap {
            zero: 5.0,
            metres_per_unit: -1.0,
        };
        let mut frame = Frame::at([1.0, 7.0, 3.0]);
        frame.aliases[2] = Some(AxisAlias {
            name: "northing".to_owned(),
            map: northing,
        });
        let map = |header: &str| {
            let names: Vec<String> = header.split(',').map(str::to_owned).collect();
            let mapping = ColumnMapping::new("a.csv", &names, &QUESTIONS, Some(&frame));
            mapping.map_err(|error| error.to_string())
        };
        let column = |index, meaning| Some(MappedColumn { index, meaning });
        let own = |axis| Meaning::InFrame(frame.own_map(axis));
        let mapping = map("oy,min_z,max_z").unwrap();
        assert!(!mapping.uses_aliases());
        let expected = [
            column(0, own(Axis::Y)),
            column(1, own(Axis::Z)),
            column(2, own(Axis::Z)),
        ];
        assert_eq!(mapping.columns, expected);
        let mapping = map("min_northing,max_northing,oy_above").unwrap();
        assert!(mapping.uses_aliases());
        assert_eq!(mapping.are_above(), [true, false, false]);
        let expected = [
            column(2, Meaning::Above),
            column(1, Meaning::ByAlias(northing)),
            column(0, Meaning::ByAlias(northing)),
        ];
        assert_eq!(mapping.columns, expected);
        for (header, expected) in [
            (
                "oy,oy_above,min_z,max_z",
                "`oy` and `oy_above` are two ways to say the same",
            ),
            (
                "oy,max_z",
                "`min_z` is missing; or `max_northing` in its place; ",
            ),
        ] {
            let message = map(header).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn messages_name_the_column_and_what_helps() {
        for (header, expected) in [
            ("OX,min_x", "the column `ox` is missing; did you mean `OX`?"),
            (
                "ox,minx",
                "the column `min_x` is missing; did you mean `minx`?",
            ),
            ("ox,min x", "did you mean `min x`?"),
            ("ox,mni_x", "did you mean `mni_x`?"),
            (
                "ox,name",
                "the column `min_x` is missing; there is `ox`, `name`",
            ),
            ("ox;min_x", "the header has no comma but ';'"),
            (
                "ox,a,b,ox",
                "the column `ox` appears twice (columns 1 and 4)",
            ),
            ("ox,min_x,t_max,t_max", "the column `t_max` appears twice"),
        ] {
            let message = map_columns(header).expect_err(header);
            assert!(message.starts_with("a.csv: "), "{message}");
            assert!(message.contains(expected), "{header}: {message}");
        }
    }
}
