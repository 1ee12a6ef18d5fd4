//! `--expect OBJECT`: why a ray does not hit an object that it was expected to hit, as JSON and as text.

use crate::failure::Failure;
use crate::listing::{columns_of, fields};
use crate::terminal::escaped;
use crate::trace::{approach, point};
use hitscan::ObjectId;
use hitscan_ask::{NamedExpectation, NamedPlace, NamedReason, NamedTurn, f32_json};
use hitscan_assets::{KnownNames, Scene};
use serde_json::Value as Json;

/// The object with this name.
pub(crate) fn object(scene: &Scene, name: &str) -> Result<ObjectId, Failure> {
    scene.object_named(name).ok_or_else(|| {
        let known = KnownNames::near(name, scene.object_names());
        Failure::usage(format!("--expect names no object but `{name}`{known}"))
    })
}

pub(crate) fn to_json(expectation: &NamedExpectation) -> Json {
    let reasons = expectation.reasons.iter().map(reason);
    fields([
        ("object", expectation.object.as_str().into()),
        ("is_hit", expectation.is_hit.into()),
        ("met", expectation.met.as_ref().map_or(Json::Null, place)),
        ("reasons", reasons.collect()),
    ])
}

fn reason(one: &NamedReason) -> Json {
    fields([
        ("reason", one.reason.into()),
        ("by", one.by.as_ref().map_or(Json::Null, place)),
        (
            "approach",
            one.approach.as_ref().map_or(Json::Null, approach),
        ),
        ("turn", one.turn.as_ref().map_or(Json::Null, turn)),
        ("why", one.why.as_str().into()),
    ])
}

fn place(one: &NamedPlace) -> Json {
    fields([
        ("object", one.object.as_str().into()),
        ("part", one.part.as_deref().into()),
        ("triangle", one.triangle.into()),
        ("t", f32_json(one.t)),
        ("distance", f32_json(one.distance)),
        ("point", point(&one.point)),
        ("side", one.side.into()),
    ])
}

fn turn(one: &NamedTurn) -> Json {
    fields([
        ("angle", f32_json(one.angle)),
        ("part", one.part.as_deref().into()),
        ("triangle", one.triangle.into()),
        ("t", f32_json(one.t)),
        ("point", point(&one.point)),
    ])
}

pub(crate) fn to_text(expectation: &NamedExpectation) -> String {
    let name = escaped(&expectation.object);
    if expectation.is_hit {
        return format!("\nexpected: {name}\n  it is what the ray hits\n");
    }
    let reasons = expectation.reasons.iter();
    let rows: Vec<[String; 2]> = reasons
        .map(|one| [one.reason.to_owned(), escaped(&one.why)])
        .collect();
    format!(
        "\nexpected: {name}\n{}",
        columns_of(["reason", "why"], &rows)
    )
}
