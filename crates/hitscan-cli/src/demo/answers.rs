//! The demo's questions, asked one by one and printed beside their answers.
//!
//! Here the library is used as a program would use it; the tables of answers come from the
//! commands. Read `questions.rs` for what is asked.

use super::listing::Listing;
use super::questions::{Asked, Questions};
use super::ridge::Comparison;
use crate::ask::march::March;
use crate::scene::OpenScene;
use glam::Vec3;
use hitscan::height_field::Ground;
use hitscan::shape_cast::StartState;
use hitscan::world::{ObjectId, World};
use hitscan::{Hit, QueryFilter, Sides, TriangleId};
use std::collections::BTreeMap;
use std::io;

/// The radius of the sampled heights, metres.
pub(crate) const RADIUS: f64 = 3.0;

/// Writes every question with its answer.
///
/// # Errors
/// Those of the writer.
pub(crate) fn write(
    out: &mut dyn io::Write,
    scene: &OpenScene,
    questions: &Questions,
    comparison: &Comparison,
) -> io::Result<()> {
    writeln!(out, "\nRays: what does each meet first?\n")?;
    rays(scene, questions).write(out)?;
    if let Some(Asked { about, question }) = questions.rays.first() {
        let world = scene.world();
        let hits = world.cast_ray_all(question, Sides::Both);
        let sides: Vec<&str> = hits.iter().map(|met| met.hit.side.name()).collect();
        writeln!(
            out,
            "\n  All hits of the first ray ({about}): {}.",
            sides.join(" ")
        )?;
        let is_blocked = world.cast_ray_any(question, Sides::Both);
        let word = if is_blocked { "yes" } else { "no" };
        writeln!(out, "  Is anything in its way at all: {word}.")?;
    }
    writeln!(
        out,
        "\nHeights: how high is the ground, metres? (max and mean: within {RADIUS} m)\n"
    )?;
    heights(scene, questions).write(out)?;
    writeln!(
        out,
        "\nMoving boxes: when do they first meet something, from 0 to 1?\n"
    )?;
    moves(scene, questions).write(out)?;
    writeln!(
        out,
        "\nOverlaps: which objects' boxes touch, and how do their shapes meet?\n"
    )?;
    overlaps(scene).write(out)?;
    writeln!(
        out,
        "\nThe classic march (steps of half a cell, 32 bisections) beside the exact answer\n\n  \
         Of {} rays at sharp crests the march got {} wrong: it steps over ridges that are thinner\n  \
         than its step. The exact search misses none of them.\n",
        comparison.rays, comparison.wrong
    )?;
    march(scene, comparison).write(out)
}

fn rays(scene: &OpenScene, questions: &Questions) -> Listing {
    let headings = [
        "ray", "status", "object", "part", "triangle", "side", "t", "distance", "point",
    ];
    let mut listing = Listing::new(&headings);
    for Asked { about, question } in &questions.rays {
        let mut cells = vec![(*about).to_owned()];
        match scene.world().cast_ray(question, Sides::Both) {
            None => cells.push("miss".to_owned()),
            Some(met) => {
                let hit = met.hit;
                let id = hit.triangle.map(|on| TriangleId {
                    part: on.part,
                    triangle: on.triangle,
                });
                cells.push("hit".to_owned());
                cells.extend(place(scene, met.object, id));
                cells.push(hit.side.name().to_owned());
                cells.push(format!("{:.4}", hit.t));
                cells.push(format!("{:.3} m", hit.distance));
                cells.push(point(hit.point));
            }
        }
        listing.row(cells);
    }
    listing
}

/// Object, part and triangle, as the tables name them.
fn place(scene: &OpenScene, object: ObjectId, triangle: Option<TriangleId>) -> [String; 3] {
    let part = triangle.and_then(|id| scene.part_name(object, id.part));
    [
        scene.object_name(object).to_owned(),
        part.unwrap_or_default().to_owned(),
        triangle.map_or_else(String::new, |id| id.triangle.to_string()),
    ]
}

fn point(p: Vec3) -> String {
    format!("({:.2}, {:.2}, {:.2})", p.x, p.y, p.z)
}

fn heights(scene: &OpenScene, questions: &Questions) -> Listing {
    let mut listing = Listing::new(&[
        "point", "x", "z", "exact", "normal", "triangle", "max", "mean",
    ]);
    let world = scene.world();
    for Asked {
        about,
        question: [x, z],
    } in &questions.points
    {
        let mut cells = vec![(*about).to_owned(), format!("{x:.2}"), format!("{z:.2}")];
        let place = [*x, *z];
        let exact = world.height(place, QueryFilter::new());
        cells.push(height(exact));
        cells.extend(match exact.ok().and_then(|ground| ground.surface) {
            Some(surface) => [point(surface.normal), surface.triangle.to_string()],
            None => [String::new(), String::new()],
        });
        cells.push(height(world.max_height(place, RADIUS, QueryFilter::new())));
        cells.push(height(world.mean_height(place, RADIUS, QueryFilter::new())));
        listing.row(cells);
    }
    listing
}

fn height(ground: Ground) -> String {
    match ground {
        Ground::Height(ground) => format!("{:.3}", ground.height),
        Ground::Outside => "outside".to_owned(),
        Ground::Hole => "hole".to_owned(),
        Ground::Empty => "empty".to_owned(),
    }
}

fn moves(scene: &OpenScene, questions: &Questions) -> Listing {
    let mut listing = Listing::new(&["box", "status", "object", "part", "triangle", "t", "normal"]);
    for Asked { about, question } in &questions.moves {
        let mut cells = vec![(*about).to_owned()];
        match scene.world().sweep_box(question, QueryFilter::new()) {
            None => cells.push("miss".to_owned()),
            Some(met) => {
                let status = match met.contact.start {
                    StartState::Separate => "hit",
                    StartState::Overlap => "overlap",
                };
                cells.push(status.to_owned());
                cells.extend(place(scene, met.object, met.triangle));
                cells.push(format!("{:.4}", met.contact.t));
                cells.push(point(met.contact.normal));
            }
        }
        listing.row(cells);
    }
    listing
}

fn overlaps(scene: &OpenScene) -> Listing {
    let world = scene.world();
    let mut listing = Listing::new(&["object", "and", "their boxes share", "their shapes"]);
    let kinds = meeting_kinds(world);
    for pair in world.broad_phase_pairs() {
        let size = pair.intersection.max() - pair.intersection.min();
        let shared = if size.min_element() > 0.0 {
            format!("{:.2} x {:.2} x {:.2} m", size.x, size.y, size.z)
        } else {
            "a touch".to_owned()
        };
        let names = [pair.a, pair.b].map(|object| scene.object_name(object));
        let found = kinds.get(&[pair.a, pair.b]).map_or("", String::as_str);
        let shapes = if found.is_empty() {
            "do not meet"
        } else {
            found
        };
        listing.row([names[0], names[1], &shared, shapes].map(str::to_owned));
    }
    listing
}

/// How the shapes of each pair of objects meet: each kind with the number of meetings.
fn meeting_kinds(world: &World) -> BTreeMap<[ObjectId; 2], String> {
    let mut counts: BTreeMap<[ObjectId; 2], BTreeMap<&str, u32>> = BTreeMap::new();
    for meeting in world.overlaps() {
        let (a, b) = (meeting.a.object, meeting.b.object);
        let kinds = counts.entry([a.min(b), a.max(b)]).or_default();
        *kinds.entry(meeting.kind.name()).or_default() += 1;
    }
    let told = |kinds: BTreeMap<&str, u32>| {
        let words: Vec<String> = kinds
            .into_iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        words.join(", ")
    };
    counts
        .into_iter()
        .map(|(pair, kinds)| (pair, told(kinds)))
        .collect()
}

fn march(scene: &OpenScene, comparison: &Comparison) -> Listing {
    let mut listing = Listing::new(&["ray", "search", "distance", "point", "off by"]);
    let Some((_, field)) = scene.world().height_fields().next() else {
        return listing;
    };
    let answer = |hit: Option<Hit>| {
        hit.map_or_else(
            || ["nothing found".to_owned(), String::new()],
            |hit| [format!("{:.3} m", hit.distance), point(hit.point)],
        )
    };
    for mistake in &comparison.worst {
        let origin = point(mistake.ray.origin());
        let fine = March::default().with_step(0.001).ok();
        let fine = fine.and_then(|march| march.cast_ray(field, &mistake.ray, Sides::Both));
        let searches = [
            (format!("from {origin}"), "exact", Some(mistake.exact)),
            (String::new(), "march", mistake.marched),
            (String::new(), "march, steps of 1 mm", fine),
        ];
        for (about, search, hit) in searches {
            let [distance, place] = answer(hit);
            let off = hit.map_or_else(
                || "everything".to_owned(),
                |hit| format!("{:.3} m", (hit.distance - mistake.exact.distance).abs()),
            );
            listing.row([about, search.to_owned(), distance, place, off]);
        }
    }
    listing
}
