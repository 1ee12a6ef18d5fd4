//! The command and the options that a table's columns imply.

use super::settings::ToolSettings;
use crate::protocol::{FieldError, Refusal, TableRequest, Tool};
use hitscan_assets::Scene;
use hitscan_table::{Answer, QuestionColumn};

/// Tools with the options that distinguish their columns, those with more columns first, as a table of
/// their answers has columns of others.
const KINDS: [(Tool, &[(&str, &str)]); 19] = [
    (Tool::Distance, &[]),
    (Tool::Sweep, &[("object", "true")]),
    (Tool::Sweep, &[("shape", "hull")]),
    (Tool::Sweep, &[("shape", "obb")]),
    (Tool::Sweep, &[("shape", "capsule")]),
    (Tool::Sweep, &[("shape", "box")]),
    (Tool::Sweep, &[("shape", "sphere")]),
    (Tool::Ray, &[]),
    (Tool::Arc, &[]),
    (Tool::Overlap, &[("shape", "hull")]),
    (Tool::Overlap, &[("shape", "obb")]),
    (Tool::Overlap, &[("shape", "capsule")]),
    (Tool::Overlap, &[("shape", "box")]),
    (Tool::Overlap, &[("shape", "sphere")]),
    (Tool::Closest, &[]),
    (Tool::Sight, &[]),
    (Tool::Height, &[("method", "footprint")]),
    (Tool::Height, &[("method", "exact")]),
    (Tool::Height, &[]),
];

/// The options that the columns of questions determine.
const BY_QUESTIONS: [(Tool, &str, (&str, &str)); 2] = [
    (Tool::Sweep, "axis_x", ("turning", "true")),
    (Tool::Sweep, "angle", ("turning", "true")),
];

/// The options that the columns of answers determine: where a table has the column, or lacks it.
const BY_ANSWERS: [(Tool, &str, bool, (&str, &str)); 8] = [
    (Tool::Ray, "row", true, ("hits", "all")),
    (Tool::Sweep, "row", true, ("hits", "all")),
    (Tool::Ray, "t", false, ("hits", "any")),
    (Tool::Sweep, "t", false, ("hits", "any")),
    (Tool::Arc, "t", false, ("hits", "any")),
    (Tool::Ray, "joint", true, ("bind", "true")),
    (Tool::Sweep, "start", true, ("contact", "true")),
    (Tool::Sight, "t", true, ("blocker", "true")),
];

/// The tool of a table and its settings.
pub(super) fn table_settings(
    request: &TableRequest,
    scene: &Scene,
    columns: &[String],
) -> Result<(Tool, ToolSettings), FieldError> {
    let has = |name: &str| columns.iter().any(|column| column == name);
    // Eyes have the columns of heights too: targets show that they are eyes, whatever the query.
    let sight = ToolSettings::Sight {
        names_blocker: false,
    };
    let of_heights =
        request.tool == Some(Tool::Height) && has_question(sight.table(scene).as_answer(), columns);
    let wanted = request.tool.filter(|_| !of_heights);
    for (tool, told) in KINDS {
        if wanted.is_some_and(|wanted| wanted != tool) {
            continue;
        }
        let mut options = match of_heights {
            true => Default::default(),
            false => request.options.clone(),
        };
        for (name, value) in told {
            options.add(name, value);
        }
        for (of, column, (name, value)) in BY_QUESTIONS {
            if of == tool && has(column) {
                options.add(name, value);
            }
        }
        if has("status") {
            for (of, column, is_there, (name, value)) in BY_ANSWERS {
                if of == tool && has(column) == is_there {
                    options.add(name, value);
                }
            }
        }
        let Ok(settings) = ToolSettings::read(tool, options) else {
            continue;
        };
        if has_question(settings.table(scene).as_answer(), columns) {
            return Ok((tool, settings));
        }
    }
    // What is wrong with the options goes before what is wrong with the columns.
    if let Some(tool) = request.tool {
        ToolSettings::read(tool, request.options.clone())?;
    }
    let expected = match request.tool {
        Some(tool) => format!("the columns of `hitscan {}`", tool.name()),
        None => "the columns of `hitscan ray`, `height`, `sweep`, `overlap`, `closest`, `arc`, \
                 `sight` or `distance`"
            .to_owned(),
    };
    Err(Refusal::new("table", columns.join(","), expected))
}

/// Whether a table has all columns that a question must have, under one of their names.
fn has_question(table: &dyn Answer, columns: &[String]) -> bool {
    let alias = |column: &QuestionColumn| {
        let position = column.position?;
        let alias = table.frame()?.alias(position.axis)?;
        Some(alias.name.clone())
    };
    let is_there = |column: &QuestionColumn| {
        let by_alias = alias(column);
        columns.iter().any(|name| {
            let is_above = column.above == Some(name);
            let is_alias = by_alias
                .as_ref()
                .is_some_and(|alias| name.ends_with(alias.as_str()));
            name == column.name || is_above || is_alias
        })
    };
    let questions = table.questions();
    let has: Vec<bool> = questions.iter().map(&is_there).collect();
    let mut required = questions.iter().filter(|column| column.is_required());
    required.all(is_there) && table.check_columns(&has).is_ok()
}
