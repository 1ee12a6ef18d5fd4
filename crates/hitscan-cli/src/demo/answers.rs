//! The demo's questions, answered one by one and laid out beside their answers.
//!
//! The library is called here as any program would call it; the tables of answers come from the
//! commands.

use super::listing::Listing;
use super::place::{location, point};
use super::shape_answers;
use hitscan::height_field::Ground;
use hitscan::{ObjectId, QueryFilter, RayHit, Sides, World};
use hitscan_ask::March;
use hitscan_assets::Scene;
use hitscan_demo::{MarchComparison, Question, Questions};
use std::collections::BTreeMap;
use std::io;

/// The radius of the sampled heights, metres.
pub(super) const RADIUS: f64 = 3.0;

/// Writes every question with its answer; the errors are those of the writer.
pub(super) fn write(
    out: &mut dyn io::Write,
    scene: &Scene,
    questions: &Questions,
    comparison: &MarchComparison,
) -> io::Result<()> {
    writeln!(out, "\nRays: what does each meet first?\n")?;
    rays(scene, questions).write(out)?;
    if let Some(Question { label, query }) = questions.rays.first() {
        let world = scene.world();
        let hits = world.now().cast_ray_all(query, ());
        let sides: Vec<&str> = hits.iter().map(|hit| hit.side.name()).collect();
        writeln!(
            out,
            "\n  All hits of the first ray ({label}): {}.",
            sides.join(" ")
        )?;
        let is_blocked = world.now().cast_ray_any(query, ());
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
    shape_answers::write(out, scene, questions)?;
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

fn rays(scene: &Scene, questions: &Questions) -> Listing {
    let headings = [
        "ray", "status", "object", "part", "triangle", "side", "t", "distance", "point",
    ];
    let mut listing = Listing::new(&headings);
    for Question { label, query } in &questions.rays {
        let mut cells = vec![(*label).to_owned()];
        match scene.world().now().cast_ray(query, ()) {
            None => cells.push("miss".to_owned()),
            Some(hit) => {
                cells.push("hit".to_owned());
                cells.extend(location(scene, hit.object, hit.triangle));
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

fn heights(scene: &Scene, questions: &Questions) -> Listing {
    let mut listing = Listing::new(&[
        "point", "x", "z", "exact", "normal", "triangle", "max", "mean",
    ]);
    let world = scene.world();
    for Question {
        label,
        query: [x, z],
    } in &questions.points
    {
        let mut cells = vec![(*label).to_owned(), format!("{x:.2}"), format!("{z:.2}")];
        let (snapshot, filter) = (world.now(), QueryFilter::new());
        let exact = snapshot.height([*x, *z], filter);
        cells.push(height(exact));
        cells.extend(match exact.ok().and_then(|ground| ground.surface) {
            Some(surface) => [point(surface.normal), surface.triangle.to_string()],
            None => [String::new(), String::new()],
        });
        cells.push(height(snapshot.max_height([*x, *z], RADIUS, filter)));
        cells.push(height(snapshot.mean_height([*x, *z], RADIUS, filter)));
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

fn moves(scene: &Scene, questions: &Questions) -> Listing {
    let mut listing = Listing::new(&["box", "status", "object", "part", "triangle", "t", "normal"]);
    for Question { label, query } in &questions.moves {
        let mut cells = vec![(*label).to_owned()];
        match scene.world().now().cast_shape(query, ()) {
            None => cells.push("miss".to_owned()),
            Some(hit) => {
                let status = if hit.is_overlap() { "overlap" } else { "hit" };
                cells.push(status.to_owned());
                cells.extend(location(scene, hit.object, hit.triangle));
                cells.push(format!("{:.4}", hit.t));
                cells.push(point(hit.normal));
            }
        }
        listing.row(cells);
    }
    listing
}

fn overlaps(scene: &Scene) -> Listing {
    let world = scene.world();
    let mut listing = Listing::new(&["object", "and", "their boxes share", "their shapes"]);
    let kinds = overlap_kinds(world);
    for pair in world.now().broad_phase_pairs(()) {
        let size = pair.intersection.max() - pair.intersection.min();
        let shared = if size.min_element() > 0.0 {
            format!("{:.2} x {:.2} x {:.2} m", size.x, size.y, size.z)
        } else {
            "a touch".to_owned()
        };
        let names = [pair.a, pair.b].map(|object| scene.object_name(object).unwrap_or_default());
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

/// How the shapes of each pair of objects overlap: each kind with how many there are.
fn overlap_kinds(world: &World) -> BTreeMap<[ObjectId; 2], String> {
    let mut counts: BTreeMap<[ObjectId; 2], BTreeMap<&str, u32>> = BTreeMap::new();
    for overlap in world.now().overlaps(()) {
        let (a, b) = (overlap.a.object, overlap.b.object);
        let kinds = counts.entry([a.min(b), a.max(b)]).or_default();
        *kinds.entry(overlap.kind.name()).or_default() += 1;
    }
    let list = |kinds: BTreeMap<&str, u32>| {
        let words: Vec<String> = kinds
            .into_iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        words.join(", ")
    };
    counts
        .into_iter()
        .map(|(pair, kinds)| (pair, list(kinds)))
        .collect()
}

fn march(scene: &Scene, comparison: &MarchComparison) -> Listing {
    let mut listing = Listing::new(&["ray", "search", "distance", "point", "off by"]);
    let Some((_, field)) = scene.world().now().height_fields(()).next() else {
        return listing;
    };
    let answer = |hit: Option<RayHit>| {
        hit.map_or_else(
            || ["nothing found".to_owned(), String::new()],
            |hit| [format!("{:.3} m", hit.distance), point(hit.point)],
        )
    };
    for error in &comparison.worst {
        let origin = point(error.ray.origin());
        let fine = March::default().with_step(0.001).ok();
        let fine = fine.and_then(|march| march.cast_ray(field, &error.ray, Sides::Both));
        let searches = [
            (format!("from {origin}"), "exact", Some(error.exact)),
            (String::new(), "march", error.marched),
            (String::new(), "march, steps of 1 mm", fine),
        ];
        for (about, search, hit) in searches {
            let [distance, point] = answer(hit);
            let off = hit.map_or_else(
                || "everything".to_owned(),
                |hit| format!("{:.3} m", (hit.distance - error.exact.distance).abs()),
            );
            listing.row([about, search.to_owned(), distance, point, off]);
        }
    }
    listing
}
