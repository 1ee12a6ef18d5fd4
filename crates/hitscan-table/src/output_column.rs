//! The columns of an output as one run has them: with their final names, and in its coordinates.

use arrow_schema::{DataType, Field};

use crate::{AnswerColumn, AxisMap, ColumnKind, Error, Frame};

/// A column of an output, as one run has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OutputColumn {
    pub(crate) name: String,
    pub(crate) kind: ColumnKind,
    /// Where it is a position in a frame, that axis's map.
    pub(crate) map: Option<AxisMap>,
}

impl OutputColumn {
    /// The columns of an answer with `prefix` in front of their names, in the coordinates of
    /// `frame`. `uses_aliases`: whether the table names its positions by the axes' aliases.
    pub(crate) fn all(
        answers: &[AnswerColumn],
        prefix: &str,
        frame: Option<&Frame>,
        uses_aliases: bool,
    ) -> Vec<Self> {
        let column = |answer: &AnswerColumn| {
            let place = answer.axis.zip(frame).map(|(axis, frame)| {
                let alias = frame.alias(axis).filter(|_| uses_aliases);
                (alias, alias.map_or(frame.own_map(axis), |alias| alias.map))
            });
            let name = match (place, answer.alias_prefix) {
                (Some((Some(alias), _)), Some(before)) => format!("{before}{}", alias.name),
                _ => answer.name.to_owned(),
            };
            Self {
                name: format!("{prefix}{name}"),
                kind: answer.kind,
                map: place.map(|(_, map)| map).filter(|map| !map.is_identity()),
            }
        };
        answers.iter().map(column).collect()
    }

    /// The positions of the answer's columns that have these names, in the answer's order.
    pub(crate) fn kept(answers: &[AnswerColumn], names: &[String]) -> Result<Vec<usize>, Error> {
        let is_there = |name: &str| answers.iter().any(|answer| answer.name == name);
        if let Some(unknown) = names.iter().find(|name| !is_there(name)) {
            let columns: Vec<&str> = answers.iter().map(|answer| answer.name).collect();
            return Err(Error::NoSuchAnswer {
                column: unknown.clone(),
                columns: columns.join(", "),
            });
        }
        let is_kept = |&i: &usize| names.iter().any(|name| name == answers[i].name);
        Ok((0..answers.len()).filter(is_kept).collect())
    }

    /// Refuses a column of the answer that has the name of one of the input's.
    pub(crate) fn check_names(columns: &[Self], file: &str, names: &[String]) -> Result<(), Error> {
        match columns.iter().find(|column| names.contains(&column.name)) {
            None => Ok(()),
            Some(taken) => Err(Error::AnswerNameTaken {
                file: file.to_owned(),
                column: taken.name.clone(),
            }),
        }
    }

    /// The column's Arrow field.
    pub(crate) fn field(&self) -> Field {
        let data_type = match self.kind {
            ColumnKind::Status | ColumnKind::Text => DataType::Utf8,
            ColumnKind::F32 if self.map.is_some() => DataType::Float64,
            ColumnKind::F32 => DataType::Float32,
            ColumnKind::U32 => DataType::UInt32,
            ColumnKind::U64 | ColumnKind::RowNumber => DataType::UInt64,
        };
        Field::new(&self.name, data_type, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, AxisAlias};

    const ANSWERS: [AnswerColumn; 3] = [
        AnswerColumn::new("t", ColumnKind::F32),
        AnswerColumn::new("x", ColumnKind::F32)
            .on_axis(Axis::X)
            .named_by_alias("hit_"),
        AnswerColumn::new("height", ColumnKind::F32).on_axis(Axis::Y),
    ];

    fn columns(prefix: &str, frame: Option<&Frame>, uses_aliases: bool) -> Vec<(String, DataType)> {
        let columns = OutputColumn::all(&ANSWERS, prefix, frame, uses_aliases);
        let shown =
            |column: &OutputColumn| (column.name.clone(), column.field().data_type().clone());
        columns.iter().map(shown).collect()
    }

    #[test]
    fn names_and_types_follow_prefix_and_frame() {
        use DataType::{Float32, Float64};
        let expect = |names: [&str; 3], types: [DataType; 3]| {
            let names = names.map(str::to_owned);
            names.into_iter().zip(types).collect::<Vec<_>>()
        };
        let plain = expect(["p_t", "p_x", "p_height"], [Float32, Float32, Float32]);
        assert_eq!(columns("p_", None, false), plain);
        let map = AxisMap {
            zero: 5.0,
            metres_per_unit: 1.0,
        };
        let mut frame = Frame::at([1.0, 2.0, 3.0]);
        frame.aliases[0] = Some(AxisAlias {
            name: "easting".to_owned(),
            map,
        });
        let own = expect(["t", "x", "height"], [Float32, Float64, Float64]);
        assert_eq!(columns("", Some(&frame), false), own);
        let alias = expect(["t", "hit_easting", "height"], [Float32, Float64, Float64]);
        assert_eq!(columns("", Some(&frame), true), alias);
    }
}
