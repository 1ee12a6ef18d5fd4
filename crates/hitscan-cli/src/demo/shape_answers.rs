//! Answers about moving and resting shapes, arcs, nearest things, footprints and sight, and why an
//! answer is the answer.

use super::listing::Listing;
use super::place::{location, point};
use hitscan::explain::{Hits, Question as Asked};
use hitscan::height_field::Footprint;
use hitscan::{ContactStatus, ContactsPer, Primitive, ShapeCast, ShapeHit, Sides, Snapshot};
use hitscan_assets::Scene;
use hitscan_demo::{Question, Questions};
use std::io;

/// Writes the questions with their answers; the errors are those of the writer.
pub(super) fn write(
    out: &mut dyn io::Write,
    scene: &Scene,
    questions: &Questions,
) -> io::Result<()> {
    writeln!(out, "\nMoving spheres and capsules: when, and where?\n")?;
    moving(scene, questions).write(out)?;
    writeln!(
        out,
        "\nContacts: what is within {} m of a resting box, and how does it get out?\n",
        Questions::MARGIN
    )?;
    contacts(scene, questions).write(out)?;
    writeln!(
        out,
        "\nClosest points: what is nearest, within {} m? (negative inside, closed models too)\n",
        Questions::REACH
    )?;
    closest(scene, questions).write(out)?;
    writeln!(out, "\nArcs: where do thrown and fired things land?\n")?;
    arcs(scene, questions).write(out)?;
    writeln!(
        out,
        "\nFootprints: how does the ground lie within {} m?\n",
        Questions::FOOTPRINT_RADIUS
    )?;
    footprints(scene, questions).write(out)?;
    writeln!(out, "\nSight: who sees what, and what is in the way?\n")?;
    sight(scene, questions).write(out)?;
    explanation(out, scene, questions)
}

fn now(scene: &Scene) -> &Snapshot {
    scene.world().now()
}

fn moving(scene: &Scene, questions: &Questions) -> Listing {
    let headings = [
        "shape", "status", "object", "part", "triangle", "t", "normal", "point",
    ];
    let mut listing = Listing::new(&headings);
    let balls = questions.balls.iter();
    let balls = balls.map(|ball| (ball.label, ball.query.cast()));
    let walks = questions.walks.iter();
    let walks = walks.map(|person| (person.label, person.query.cast()));
    for (label, cast) in balls.chain(walks) {
        let hit = cast.ok().and_then(|cast| first_hit(scene, &cast));
        let mut cells = vec![label.to_owned()];
        match hit {
            None => cells.push("miss".to_owned()),
            Some(hit) => {
                let status = if hit.is_overlap() { "overlap" } else { "hit" };
                cells.push(status.to_owned());
                cells.extend(location(scene, hit.object, hit.triangle));
                cells.push(format!("{:.4}", hit.t));
                cells.extend([point(hit.normal), point(hit.point)]);
            }
        }
        listing.row(cells);
    }
    listing
}

fn first_hit(scene: &Scene, cast: &ShapeCast) -> Option<ShapeHit> {
    now(scene).cast_shape(cast, ())
}

fn contacts(scene: &Scene, questions: &Questions) -> Listing {
    let headings = [
        "box", "status", "object", "part", "triangle", "apart", "way out",
    ];
    let mut listing = Listing::new(&headings);
    for Question { label, query } in &questions.shapes {
        let shape = Primitive::from(*query);
        let found = now(scene).contacts(shape, Questions::MARGIN, ContactsPer::Object, ());
        if found.is_empty() {
            listing.row([*label, "separate"].map(str::to_owned));
        }
        for contact in found {
            let status = match contact.status {
                ContactStatus::Overlap => "overlap",
                ContactStatus::Touching => "touching",
                ContactStatus::Near => "near",
            };
            let mut cells = vec![(*label).to_owned(), status.to_owned()];
            cells.extend(location(scene, contact.object, contact.triangle));
            cells.push(format!("{:.3} m", contact.separation));
            cells.push(point(contact.normal));
            listing.row(cells);
        }
    }
    listing
}

fn closest(scene: &Scene, questions: &Questions) -> Listing {
    let headings = ["from", "object", "part", "triangle", "distance", "point"];
    let mut listing = Listing::new(&headings);
    for Question { label, query } in &questions.probes {
        let mut cells = vec![(*label).to_owned()];
        match now(scene).closest_point_signed(*query, Questions::REACH, ()) {
            None => cells.push("none".to_owned()),
            Some(nearest) => {
                cells.extend(location(scene, nearest.object, nearest.triangle));
                cells.push(format!("{:.3} m", nearest.distance));
                cells.push(point(nearest.point));
            }
        }
        listing.row(cells);
    }
    listing
}

fn arcs(scene: &Scene, questions: &Questions) -> Listing {
    let headings = ["arc", "status", "object", "part", "triangle", "t", "point"];
    let mut listing = Listing::new(&headings);
    for Question { label, query } in &questions.arcs {
        let mut cells = vec![(*label).to_owned()];
        match now(scene).cast_arc(query, ()) {
            None => cells.push("miss".to_owned()),
            Some(hit) => {
                cells.push("hit".to_owned());
                cells.extend(location(scene, hit.object, hit.triangle));
                cells.push(format!("{:.4} s", hit.t));
                cells.push(point(hit.point));
            }
        }
        listing.row(cells);
    }
    listing
}

fn footprints(scene: &Scene, questions: &Questions) -> Listing {
    let headings = ["around", "mean", "min", "max", "slope", "coverage"];
    let mut listing = Listing::new(&headings);
    for Question { label, query } in &questions.points {
        let disc = Footprint::disc(*query, Questions::FOOTPRINT_RADIUS).ok();
        let ground = disc.and_then(|disc| now(scene).footprint(&disc, ()).ok());
        let mut cells = vec![(*label).to_owned()];
        match ground {
            None => cells.push("no ground".to_owned()),
            Some(ground) => {
                let heights = [ground.height, ground.min, ground.max];
                cells.extend(heights.map(|height| format!("{height:.3}")));
                cells.push(format!("{:.1} degrees", ground.slope.to_degrees()));
                cells.push(format!("{:.2}", ground.coverage));
            }
        }
        listing.row(cells);
    }
    listing
}

fn sight(scene: &Scene, questions: &Questions) -> Listing {
    let mut listing = Listing::new(&["eye", "target", "status", "object", "part", "triangle", "t"]);
    for eye in &questions.eyes {
        for target in &questions.targets {
            let blocker = now(scene).first_blocker(eye.query, target.query, ());
            let mut cells = vec![eye.label.to_owned(), target.label.to_owned()];
            match blocker {
                None => cells.push("visible".to_owned()),
                Some(blocker) => {
                    cells.push("blocked".to_owned());
                    cells.extend(location(scene, blocker.object, blocker.triangle));
                    cells.push(format!("{:.4}", blocker.t));
                }
            }
            listing.row(cells);
        }
    }
    listing
}

/// Why the answer of the first ray is the answer.
fn explanation(out: &mut dyn io::Write, scene: &Scene, questions: &Questions) -> io::Result<()> {
    let Some(Question { label, query }) = questions.rays.first() else {
        return Ok(());
    };
    let question = Asked::Ray {
        ray: *query,
        settings: Sides::Both.into(),
        hits: Hits::Nearest,
    };
    let explained = now(scene).explain(&question, ());
    writeln!(
        out,
        "\nExplained: what the first ray ({label}) met, and what became of it\n"
    )?;
    let mut listing = Listing::new(&["object", "part", "triangle", "t", "verdict", "why"]);
    for candidate in explained.candidates {
        let mut cells = location(scene, candidate.object, candidate.triangle).to_vec();
        cells.push(candidate.t.map_or_else(String::new, |t| format!("{t:.4}")));
        cells.push(candidate.verdict.name().to_owned());
        cells.push(candidate.why);
        listing.row(cells);
    }
    listing.write(out)
}
