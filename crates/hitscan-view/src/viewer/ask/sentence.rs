//! An answer as a sentence, for who reads or listens.

use hitscan::world::ObjectKind;
use hitscan_assets::Scene;
use hitscan_table::Value;
use std::fmt::Write as _;

/// The answers of a question by their columns.
pub(super) type Row = [(String, Option<Value>)];

/// The sentence of the first of a question's answers, of which there are so many.
pub(super) fn sentence(
    answers: &[Vec<(String, Option<Value>)>],
    total: usize,
    invalid: Option<&str>,
) -> String {
    sentence_of(answers.first().map(Vec::as_slice), total, invalid)
}

/// The same, where what the first answer names may be the face of a hull.
pub(super) fn sentence_in(
    world: &Scene,
    answers: &[Vec<(String, Option<Value>)>],
    total: usize,
    invalid: Option<&str>,
) -> String {
    let mut first = answers.first().cloned();
    if let Some(row) = first.as_mut().filter(|row| is_of_solid(world, row)) {
        let number = row.iter_mut().find(|(name, _)| name == "triangle");
        number
            .into_iter()
            .for_each(|(name, _)| FACE.clone_into(name));
    }
    sentence_of(first.as_deref(), total, invalid)
}

/// In place of the column `triangle` of what is a face.
const FACE: &str = "face";

/// Whether an answer is of a solid, or of a part that is one.
fn is_of_solid(scene: &Scene, row: &Row) -> bool {
    let Some(object) = text(row, "object").and_then(|name| scene.object_named(name)) else {
        return false;
    };
    let world = scene.now();
    match text(row, "part") {
        None => world.kind(object) == Some(ObjectKind::ConvexHull),
        Some(part) => world.compound_part_named(object, part).is_some(),
    }
}

fn sentence_of(first: Option<&Row>, total: usize, invalid: Option<&str>) -> String {
    if let Some(reason) = invalid {
        return format!("The question cannot be used: {reason}.");
    }
    let Some(first) = first else {
        return "There is no answer.".to_owned();
    };
    let mut sentence = of_row(first);
    if total > 1 {
        // Writing to a string does not fail.
        let _ = write!(sentence, " It is the first of {total}.");
    }
    sentence
}

fn of_row(row: &Row) -> String {
    let status = text(row, "status").unwrap_or_default();
    match status {
        "hit" => hit(row),
        "overlap" if number(row, "distance").is_some() => "The two overlap.".to_owned(),
        "touching" if number(row, "distance").is_some() => "The two touch.".to_owned(),
        "overlap" if number(row, "separation").is_some() => {
            let depth = number(row, "separation").map_or(0.0, f64::abs);
            format!("Overlaps {} by {} m.", aside(row), short(depth))
        }
        "overlap" => format!("Overlaps {} at the start.", aside(row)),
        "touching" => format!("Touches {}.", what(row)),
        "near" => {
            let separation = number(row, "separation").unwrap_or(0.0);
            format!("Is {} m from {}.", short(separation), what(row))
        }
        "separate" => "Overlaps and touches nothing.".to_owned(),
        "apart" => format!(
            "The two are {} m apart.",
            short(number(row, "distance").unwrap_or(0.0))
        ),
        "undecided" if text(row, "object").is_none() => {
            "What it comes to is not decided.".to_owned()
        }
        "undecided" => format!(
            "Meets nothing up to t = {}; beyond, {} is not decided.",
            short(number(row, "t").unwrap_or(0.0)),
            aside(row)
        ),
        "miss" => "Hits nothing.".to_owned(),
        "visible" => "The target is seen.".to_owned(),
        "blocked" if text(row, "object").is_none() => "The target is hidden.".to_owned(),
        "blocked" => {
            let way = number(row, "t").unwrap_or(0.0) * 100.0;
            format!(
                "The target is hidden behind {} {} % of the way to it.",
                aside(row),
                short(way)
            )
        }
        "ok" | "inside" => ground_or_closest(row, status),
        "none" => "Nothing is within the distance.".to_owned(),
        "outside" => "No map is there.".to_owned(),
        "hole" => "The map has a hole there.".to_owned(),
        "empty" => "No sample is within the radius.".to_owned(),
        other => format!("The answer is {other}."),
    }
}

fn hit(row: &Row) -> String {
    if text(row, "object").is_none() {
        return "Hits something.".to_owned();
    }
    let mut sentence = format!("Hits {}", what(row));
    if let Some(distance) = number(row, "distance") {
        sentence = format!("Hits {} after {} m", aside(row), short(distance));
    } else if let Some(t) = number(row, "t") {
        sentence = format!("Hits {} at t = {}", aside(row), short(t));
    }
    let _ = match text(row, "side") {
        Some("front") => write!(sentence, ", from the front"),
        Some("back") => write!(sentence, ", from the back"),
        Some("inside") => write!(sentence, ", starting inside"),
        _ => Ok(()),
    };
    if let Some(gap) = number(row, "gap").filter(|gap| *gap > 0.0) {
        let _ = write!(sentence, ", then at most {} m from it", small(gap));
    }
    sentence.push('.');
    sentence
}

fn ground_or_closest(row: &Row, status: &str) -> String {
    if let Some(height) = number(row, "height") {
        let on = text(row, "object").map_or_else(String::new, |object| format!(" on {object}"));
        return format!("The ground is at {} m{on}.", short(height));
    }
    let distance = short(number(row, "distance").unwrap_or(0.0).abs());
    match status {
        "inside" => format!("Is inside {}, {distance} m from its boundary.", what(row)),
        _ => format!("The nearest is {}, {distance} m away.", what(row)),
    }
}

/// Object, part and triangle.
fn what(row: &Row) -> String {
    let mut what = text(row, "object").unwrap_or("something").to_owned();
    if let Some(part) = text(row, "part") {
        let _ = write!(what, ", part {part}");
    }
    for kind in ["triangle", FACE] {
        if let Some(Value::Integer(number)) = value(row, kind) {
            let _ = write!(what, ", {kind} {number}");
        }
    }
    what
}

/// The same in the middle of a sentence that goes on: an aside ends by a comma, as it begins.
fn aside(row: &Row) -> String {
    let what = what(row);
    match what.contains(", ") {
        true => what + ",",
        false => what,
    }
}

/// A number of metres or of t with at most three decimals, for people.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A small length rounded up to a micrometre.
fn small(number: f64) -> String {
    let text = format!("{:.6}", (number * 1e6).ceil() / 1e6);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn value<'row>(row: &'row Row, name: &str) -> Option<&'row Value> {
    let column = row.iter().find(|(column, _)| column == name)?;
    column.1.as_ref()
}

fn text<'row>(row: &'row Row, name: &str) -> Option<&'row str> {
    match value(row, name)? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn number(row: &Row, name: &str) -> Option<f64> {
    match value(row, name)? {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(columns: &[(&str, Value)]) -> Vec<(String, Option<Value>)> {
        let column = |(name, value): &(&str, Value)| ((*name).to_owned(), Some(value.clone()));
        columns.iter().map(column).collect()
    }

    #[test]
    fn answers_are_sentences() {
        let text = |text: &str| Value::Text(text.to_owned());
        let hit = row(&[
            ("status", text("hit")),
            ("distance", Value::Number(12.25)),
            ("object", text("fox")),
            ("part", text("tail")),
            ("triangle", Value::Integer(7)),
            ("side", text("front")),
        ]);
        assert_eq!(
            sentence(std::slice::from_ref(&hit), 1, None),
            "Hits fox, part tail, triangle 7, after 12.25 m, from the front."
        );
        let two = sentence(&[hit.clone(), hit], 2, None);
        assert!(two.ends_with("It is the first of 2."), "{two}");
        let miss = row(&[("status", text("miss"))]);
        assert_eq!(sentence(&[miss], 1, None), "Hits nothing.");
        let near = row(&[
            ("status", text("near")),
            ("separation", Value::Number(0.5)),
            ("object", text("floor")),
        ]);
        assert_eq!(sentence(&[near], 1, None), "Is 0.5 m from floor.");
        let came = row(&[
            ("status", text("hit")),
            ("t", Value::Number(0.25)),
            ("object", text("post")),
            ("gap", Value::Number(0.000_899_2)),
        ]);
        assert_eq!(
            sentence(&[came], 1, None),
            "Hits post at t = 0.25, then at most 0.0009 m from it."
        );
        let apart = row(&[("status", text("apart")), ("distance", Value::Number(3.0))]);
        assert_eq!(sentence(&[apart], 1, None), "The two are 3 m apart.");
        let seen = row(&[("status", text("visible"))]);
        assert_eq!(sentence(&[seen], 1, None), "The target is seen.");
        let blocked = row(&[
            ("status", text("blocked")),
            ("t", Value::Number(0.25)),
            ("object", text("wall")),
            ("triangle", Value::Integer(7)),
        ]);
        assert_eq!(
            sentence(&[blocked], 1, None),
            "The target is hidden behind wall, triangle 7, 25 % of the way to it."
        );
        assert!(sentence(&[], 0, Some("`dx` is no number")).contains("`dx`"));
    }

    #[test]
    fn a_comma_stands_once_where_a_triangle_is_named() {
        for (status, number, expected) in [
            ("hit", "distance", "Hits fox, triangle 7, after 0.076 m."),
            (
                "overlap",
                "separation",
                "Overlaps fox, triangle 7, by 0.076 m.",
            ),
            ("touching", "separation", "Touches fox, triangle 7."),
            ("near", "separation", "Is 0.076 m from fox, triangle 7."),
            (
                "ok",
                "distance",
                "The nearest is fox, triangle 7, 0.076 m away.",
            ),
        ] {
            let on_fox = row(&[
                ("status", Value::Text(status.to_owned())),
                (number, Value::Number(0.0764)),
                ("object", Value::Text("fox".to_owned())),
                ("triangle", Value::Integer(7)),
            ]);
            assert_eq!(sentence(&[on_fox], 1, None), expected);
        }
    }
}
