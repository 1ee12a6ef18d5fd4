//! Mapping of the input's columns to those of the question.
//!
//! Only names are compared here, no rows are read.

mod mapped_column;
mod names;
mod assigned;

pub(crate) use mapped_column::{Constant, MappedColumn, Meaning, ValueSource};
pub(crate) use names::{names_of, plain};

use crate::{AssignedValue, Assignment, Error, Frame, QuestionColumn, QuestionKind};
use assigned::Assigned;
use names::{choices, foreign_hint, hint};

/// For each column of the question, what holds it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColumnMapping {
    /// `None`: the input lacks the column, and each row has its default.
    pub(crate) columns: Vec<Option<MappedColumn>>,
    /// The name by which a column was assigned.
    assigned: Vec<Option<String>>,
}

impl ColumnMapping {
    /// Finds the columns of the question among the input's `names`.
    pub(crate) fn new(
        file: &str,
        names: &[String],
        questions: &[QuestionColumn],
        frame: Option<&Frame>,
        assignments: &[Assignment],
    ) -> Result<Self, Error> {
        let mut assigned = Assigned::new(file, names, questions, frame, assignments)?;
        let (mut columns, mut by_name) = (Vec::new(), Vec::new());
        for (i, question) in questions.iter().enumerate() {
            let (column, name) = match assigned.take(i) {
                Some((column, name)) => (Some(column), Some(name)),
                None => (find(file, names, questions, question, frame)?, None),
            };
            columns.push(column);
            by_name.push(name);
        }
        Ok(Self {
            columns,
            assigned: by_name,
        })
    }

    /// A mapping without assigned columns.
    #[cfg(test)]
    pub(crate) fn of(columns: Vec<Option<MappedColumn>>) -> Self {
        let assigned = vec![None; columns.len()];
        Self { columns, assigned }
    }

    /// The name by which a column of the question was assigned, if it was.
    pub(crate) fn assigned_name(&self, question: usize) -> Option<&str> {
        self.assigned[question].as_deref()
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
            let column = column.filter(|column| column.index() == Some(index))?;
            Some((question.kind, column))
        })
    }
}

/// Refuses assignments that are wrong whatever columns the table has.
pub(crate) fn check_assignments(
    file: &str,
    questions: &[QuestionColumn],
    frame: Option<&Frame>,
    assignments: &[Assignment],
) -> Result<(), Error> {
    let mut names: Vec<String> = Vec::new();
    for assignment in assignments {
        if let AssignedValue::Column(name) = &assignment.value
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    Assigned::new(file, &names, questions, frame, assignments).map(drop)
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
    let mut found: Option<(usize, Meaning, &str)> = None;
    for (name, meaning) in &choices {
        for index in (0..names.len()).filter(|&index| names[index] == *name) {
            match found {
                None => found = Some((index, *meaning, name)),
                Some((first, _, other)) if other == name => {
                    return Err(Error::DuplicateColumn {
                        file: file.to_owned(),
                        column: name.clone(),
                        first: first + 1,
                        second: index + 1,
                    });
                }
                Some((_, _, other)) => {
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
    Ok(found.map(|(index, meaning, _)| MappedColumn {
        source: ValueSource::Input(index),
        meaning,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, AxisAlias, AxisMap, Bound};

    const QUESTIONS: [QuestionColumn; 3] = [
        QuestionColumn::required("ox"),
        QuestionColumn::required("min_x"),
        QuestionColumn::optional("t_max", 1.0),
    ];

    fn map_columns(header: &str) -> Result<ColumnMapping, String> {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        ColumnMapping::new("a.csv", &names, &QUESTIONS, None, &[])
            .map_err(|error| error.to_string())
    }

    #[test]
    fn columns_are_found_in_any_order() {
        let indices = |header| {
            let mapping = map_columns(header).unwrap();
            let index = |column: &Option<MappedColumn>| column.and_then(MappedColumn::index);
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
            let mapping = ColumnMapping::new("a.csv", &names, &QUESTIONS, Some(&frame), &[]);
            mapping.map_err(|error| error.to_string())
        };
        let column = |index, meaning| {
            let source = ValueSource::Input(index);
            Some(MappedColumn { source, meaning })
        };
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
    fn assigned_columns_and_numbers_come_before_names() {
        let mut frame = Frame::at([100.0, 0.0, 0.0]);
        frame.aliases[0] = Some(AxisAlias {
            name: "easting".to_owned(),
            map: AxisMap {
                zero: 500.0,
                metres_per_unit: 2.0,
            },
        });
        const QUESTIONS: [QuestionColumn; 4] = [
            QuestionColumn::required("ox").position(Axis::X, Bound::Point),
            QuestionColumn::required("oy").or_above("oy_above"),
            QuestionColumn::optional("t_max", 1.0).accepting_infinity(),
            QuestionColumn::optional_mask("mask", 1),
        ];
        let names = ["ox", "oy", "x y"].map(str::to_owned);
        let map = |list: &str| {
            let list = Assignment::parse_list(list).unwrap();
            ColumnMapping::new("a.csv", &names, &QUESTIONS, Some(&frame), &list)
                .map_err(|error| error.to_string())
        };
        let number = |value, stated| ValueSource::Constant(Constant::Number { value, stated });
        let mapping = map("oy_above=2,ox=101.5,t_max=inf,mask=0b11").unwrap();
        let sources = mapping.columns.iter().flatten().map(|column| column.source);
        let expected = [
            number(1.5, 101.5),
            number(2.0, 2.0),
            number(f32::INFINITY, f64::INFINITY),
            ValueSource::Constant(Constant::Mask(3)),
        ];
        assert_eq!(sources.collect::<Vec<_>>(), expected);
        assert_eq!(mapping.are_above(), [false, true, false, false]);
        assert_eq!(mapping.assigned_name(1), Some("oy_above"));
        assert!(mapping.kind_at(1, &QUESTIONS).is_none());
        let mapping = map("easting=x y").unwrap();
        assert!(mapping.uses_aliases());
        assert_eq!(mapping.columns[0].and_then(MappedColumn::index), Some(2));
        assert!(mapping.kind_at(0, &QUESTIONS).is_none());
        for (list, expected) in [
            (
                "oxx=oy",
                "`oxx=oy`: the question has no column `oxx`; did you mean `ox`?",
            ),
            ("zz=oy", "it has ox, easting, oy, oy_above, t_max, mask"),
            (
                "ox=xy",
                "no column `xy`, and it is no number; did you mean `x y`?",
            ),
            ("ox=nan", "the table has `ox`, `oy`, `x y`"),
            (
                "oy=1,oy_above=2",
                "`oy` and `oy_above` are two names of one column",
            ),
            ("oy=1e99", "`oy=1e99`: expected a finite number"),
            ("oy=inf", "expected a finite number"),
            ("mask=1.5", "expected a whole number"),
        ] {
            let message = map(list).unwrap_err();
            assert!(message.starts_with("a.csv: "), "{message}");
            assert!(message.contains(expected), "{list}: {message}");
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
