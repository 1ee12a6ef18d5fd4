//! The visits of an explained ray, and why it hits nothing, as JSON and as text.

use crate::listing::{columns_of, fields};
use crate::terminal::escaped;
use hitscan_ask::{NamedApproach, NamedChange, NamedTrace, NamedVisit, f32_json};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// How many visits are listed at most.
pub(crate) const MOST_VISITS: usize = 10_000;

/// Whether an explanation lists visits, or only counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VisitList {
    Counted,
    Listed,
}

/// The keys of an explanation with a trace.
pub(crate) fn to_json(trace: &NamedTrace, list: VisitList) -> Vec<(&'static str, Json)> {
    let mut pairs = vec![("visit_count", trace.count.into())];
    if list == VisitList::Listed {
        let visits: Vec<Json> = trace.visits.iter().map(visit).collect();
        pairs.push(("visits", visits.into()));
    }
    if let Some(miss) = &trace.miss {
        let passed: Vec<Json> = miss.passed.iter().map(approach).collect();
        let changes: Vec<Json> = miss.changes.iter().map(change).collect();
        pairs.extend([("passed", passed.into()), ("changes", changes.into())]);
    }
    pairs
}

pub(crate) fn point(at: &[f32; 3]) -> Json {
    at.iter().map(|x| f32_json(*x)).collect()
}

fn visit(one: &NamedVisit) -> Json {
    fields([
        ("what", one.what.into()),
        ("depth", one.depth.into()),
        ("object", one.object.as_deref().into()),
        ("part", one.part.as_deref().into()),
        ("triangle", one.triangle.into()),
        (
            "triangle_corners",
            one.triangle_corners
                .map_or(Json::Null, |corners| corners.iter().map(point).collect()),
        ),
        ("level", one.level.into()),
        ("column", one.place.map(|place| place[0]).into()),
        ("row", one.place.map(|place| place[1]).into()),
        ("corners", one.corners.iter().map(point).collect()),
        ("t", one.t.iter().map(|t| f32_json(*t)).collect()),
        ("best", one.best.map_or(Json::Null, f32_json)),
        ("verdict", one.verdict.into()),
        ("is_decided_exactly", one.is_decided_exactly.into()),
        ("why", one.why.as_str().into()),
    ])
}

pub(crate) fn approach(one: &NamedApproach) -> Json {
    fields([
        ("object", one.object.as_str().into()),
        ("part", one.part.as_deref().into()),
        ("triangle", one.triangle.into()),
        ("distance", f32_json(one.distance)),
        ("t", f32_json(one.t)),
        ("on_ray", point(&one.on_ray)),
        ("on_object", point(&one.on_object)),
    ])
}

fn change(one: &NamedChange) -> Json {
    fields([
        ("change", one.change.into()),
        ("object", one.object.as_str().into()),
        ("part", one.part.as_deref().into()),
        ("triangle", one.triangle.into()),
        ("t", f32_json(one.t)),
        ("why", one.why.as_str().into()),
    ])
}

/// The lines of a trace.
pub(crate) fn to_text(trace: &NamedTrace, list: VisitList) -> String {
    let mut text = String::new();
    if let Some(miss) = &trace.miss {
        if !miss.passed.is_empty() {
            text.push_str("\npassed\n");
            let row = |one: &NamedApproach| {
                let [object, part, triangle] = name(&one.object, one.part.as_deref(), one.triangle);
                [
                    object,
                    part,
                    triangle,
                    one.t.to_string(),
                    one.distance.to_string(),
                ]
            };
            let rows: Vec<[String; 5]> = miss.passed.iter().map(row).collect();
            let columns = ["object", "part", "triangle", "t", "distance"];
            text.push_str(&columns_of(columns, &rows));
        }
        if !miss.changes.is_empty() {
            text.push_str("\nwhat would make it hit\n");
            let row = |one: &NamedChange| {
                let [object, part, triangle] = name(&one.object, one.part.as_deref(), one.triangle);
                [
                    one.change.to_owned(),
                    object,
                    part,
                    triangle,
                    one.why.clone(),
                ]
            };
            let rows: Vec<[String; 5]> = miss.changes.iter().map(row).collect();
            let columns = ["change", "object", "part", "triangle", "why"];
            text.push_str(&columns_of(columns, &rows));
        }
    }
    let _ = writeln!(text, "\nvisits: {}", trace.count);
    if list == VisitList::Listed {
        let row = |one: &NamedVisit| {
            let object = one.object.as_deref().unwrap_or_default();
            let [object, part, triangle] = name(object, one.part.as_deref(), one.triangle);
            let place = match (one.level, one.place) {
                (Some(0), Some([column, row])) => format!("{column},{row}"),
                (Some(level), Some([column, row])) => format!("{column},{row} of level {level}"),
                _ => String::new(),
            };
            let what = format!("{}{}", "  ".repeat(one.depth.min(20) as usize), one.what);
            let verdict = one.verdict.to_owned();
            [
                what,
                object,
                part,
                triangle,
                place,
                verdict,
                one.why.clone(),
            ]
        };
        let rows: Vec<[String; 7]> = trace.visits.iter().map(row).collect();
        let columns = [
            "what", "object", "part", "triangle", "place", "verdict", "why",
        ];
        text.push_str(&columns_of(columns, &rows));
        let more = trace.count.saturating_sub(trace.visits.len() as u64);
        if more > 0 {
            let _ = writeln!(text, "  and {more} more");
        }
    }
    text
}

fn name(object: &str, part: Option<&str>, triangle: Option<u32>) -> [String; 3] {
    let triangle = triangle.map(|triangle| triangle.to_string());
    [
        escaped(object),
        escaped(part.unwrap_or_default()),
        triangle.unwrap_or_default(),
    ]
}
