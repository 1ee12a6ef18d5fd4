//! Rows with rigid boxes.

use crate::boxes::Boxes;
use crate::brute_force::{Answer, Scene};
use crate::parallel::cast_all;
use crate::row::{Errors, Line, Row, median, ratio};
use crate::stage::{Frame, frame};
use crate::subject::{Subject, timed};
use bevy_app::App;
use bevy_hitscan::HitscanDiagnostics;
use core::time::Duration;

/// What a round does to the boxes before its frame.
type Change = fn(&mut Boxes, &mut App, u16);

/// The same boxes for each subject.
struct Race {
    subjects: Vec<(Subject, App, Boxes)>,
    lines: Vec<Line>,
    bevy: Vec<Frame>,
}

impl Race {
    fn new(subjects: &[Subject], count: usize, half_size: f32) -> Self {
        let spawn = |subject: &Subject| {
            let mut app = subject.app();
            let boxes = Boxes::spawn(*subject, &mut app, count, half_size);
            (*subject, app, boxes)
        };
        let peers = subjects.iter().filter(|subject| **subject != Subject::Bevy);
        Self {
            subjects: subjects.iter().map(spawn).collect(),
            lines: peers.map(|subject| Line::new(subject.name())).collect(),
            bevy: Vec::new(),
        }
    }

    /// Rounds in which each subject's boxes are changed, it has a frame and casts rays, in turns. What changes cost
    /// beyond what they cost in Bevy counts as upkeep.
    fn run(&mut self, rounds: u16, ray_count: usize, change: Change) {
        let rays = self.subjects[0].2.rays(usize::from(rounds) * ray_count);
        for (round, rays) in (0..rounds).zip(rays.chunks(ray_count)) {
            let mut bevy = (Frame::default(), Duration::ZERO);
            for (subject, app, boxes) in &mut self.subjects {
                let ((), changing) = timed(|| change(boxes, app, round));
                let own = frame(app);
                if *subject == Subject::Bevy {
                    bevy = (own, changing);
                    self.bevy.push(own);
                    continue;
                }
                let (_, took) = subject.cast_rays(app, rays);
                for line in self
                    .lines
                    .iter_mut()
                    .filter(|line| line.name == subject.name())
                {
                    let changing = changing.saturating_sub(bevy.1);
                    line.upkeep.push(subject.upkeep(&own, &bevy.0) + changing);
                    line.rays.push(took);
                }
            }
        }
    }

    /// Compares answers with brute force over all boxes.
    fn compare(&mut self, ray_count: usize) {
        for (subject, app, boxes) in &mut self.subjects {
            let rays = boxes.rays(ray_count);
            for line in self
                .lines
                .iter_mut()
                .filter(|line| line.name == subject.name())
            {
                let scene = Scene::new(app);
                let truth: Vec<Answer> = cast_all(&rays, |_, ray| scene.cast_ray(ray));
                let (answers, _) = subject.cast_rays(app, &rays);
                line.errors = Errors::of(&answers, &truth);
            }
        }
    }

    fn row(self, name: &'static str, what: &str) -> Row {
        let propagate = self.bevy.iter().map(|frame| frame.propagate);
        Row {
            name,
            what: what.to_owned(),
            lines: self.lines,
            bevy: vec![("propagating", median(&propagate.collect::<Vec<_>>()))],
            aims: Vec::new(),
        }
    }
}

/// E3: nothing changes.
#[must_use]
pub fn at_rest(rounds: u16) -> Row {
    let subjects = [
        Subject::Bevy,
        Subject::Hitscan,
        Subject::MeshRayCast,
        Subject::Avian,
        Subject::Rapier,
    ];
    let mut race = Race::new(&subjects, 100_000, 86.0);
    race.run(rounds, 1, |_, _, _| {});
    let app = &race.subjects[1].1;
    let is_at_rest = app.world().resource::<HitscanDiagnostics>().is_at_rest();
    race.compare(200);
    let mut row = race.row("E3", "100,000 static meshes, nothing changes, one ray");
    let [ours, theirs] = [Subject::Hitscan, Subject::MeshRayCast].map(|subject| row.line(subject));
    let changed = if is_at_rest { "nothing" } else { "something" };
    row.aims = vec![
        format!("The sync changes {changed}."),
        format!(
            "It takes {:.2} of propagating; the aim is 1.",
            ratio(median(&ours.upkeep), row.bevy[0].1)
        ),
        format!(
            "`MeshRayCast` takes {:.0} times as long for the ray; the aim is 200.",
            ratio(median(&theirs.rays), median(&ours.rays))
        ),
    ];
    row
}

const PHYSICS: [Subject; 4] = [
    Subject::Bevy,
    Subject::Hitscan,
    Subject::Avian,
    Subject::Rapier,
];

/// How many boxes move, or are there while some come and go.
const BOXES: usize = 10_000;

/// How many come and go.
const REPLACED: u16 = 500;

/// E4: all move.
#[must_use]
pub fn in_motion(rounds: u16) -> Row {
    let mut race = Race::new(&PHYSICS, BOXES, 40.0);
    race.run(rounds, 1_000, |boxes, app, round| {
        boxes.move_all(app.world_mut(), round)
    });
    race.compare(1_000);
    let mut row = race.row("E4", "10,000 rigid boxes that move each frame, 1,000 rays");
    let ours = row.line(Subject::Hitscan).together();
    row.aims = vec![format!(
        "avian3d takes {:.2} times as long, the aim is 1; bevy_rapier3d {:.2} times.",
        ratio(row.line(Subject::Avian).together(), ours),
        ratio(row.line(Subject::Rapier).together(), ours),
    )];
    row
}

/// E5: some come and some go, beside [`in_motion`].
#[must_use]
pub fn coming_and_going(rounds: u16, in_motion: &Row) -> Row {
    let mut race = Race::new(&PHYSICS, BOXES, 40.0);
    race.run(rounds, 1_000, |boxes, app, _| {
        boxes.replace(app.world_mut(), REPLACED)
    });
    race.compare(1_000);
    let mut row = race.row(
        "E5",
        "500 spawns and 500 despawns a frame among 10,000 boxes, 1,000 rays",
    );
    let upkeep = |row: &Row, subject: Subject| median(&row.line(subject).upkeep);
    let each = |subject: Subject| {
        let changed = upkeep(&row, subject) / u32::from(2 * REPLACED);
        let moved = upkeep(in_motion, subject) / u32::try_from(BOXES).unwrap_or(u32::MAX);
        (changed, moved)
    };
    let (changed, moved) = each(Subject::Hitscan);
    row.aims = vec![format!(
        "Each spawn or despawn takes {:.2} µs, {:.1} times what a move takes in E4; the aim is 2. avian3d's takes \
         {:.2} µs, bevy_rapier3d's {:.2} µs.",
        changed.as_secs_f64() * 1e6,
        ratio(changed, moved),
        each(Subject::Avian).0.as_secs_f64() * 1e6,
        each(Subject::Rapier).0.as_secs_f64() * 1e6,
    )];
    row
}
