//! Rows with a thousand animated characters.

use crate::brute_force::{Answer, Scene};
use crate::crowd::Crowd;
use crate::numbers::Numbers;
use crate::parallel::cast_all;
use crate::row::{Errors, Line, Row, median, ratio};
use crate::stage::{Frame, frame};
use crate::subject::{Subject, numbered, timed};
use bevy_app::{App, PreUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_shape::Ray3d;
use core::time::Duration;

/// A thousand characters.
const CROWD: Crowd = Crowd {
    columns: 40,
    rows: 25,
};

/// How many ticks are kept.
const TICKS: u16 = 64;

/// Crowds that walk in step, one for each subject, and what their frames took.
struct Crowds {
    subjects: Vec<(Subject, App)>,
    bevy: Vec<Frame>,
}

impl Crowds {
    fn new(subjects: &[Subject]) -> Self {
        let spawn = |subject: &Subject| (*subject, subject.with_crowd(subject.app(), CROWD));
        Self {
            subjects: subjects.iter().map(spawn).collect(),
            bevy: Vec::new(),
        }
    }

    /// Rounds in which each subject has a frame and casts what `rays` says, in turns.
    fn race(&mut self, rounds: usize, mut rays: impl FnMut(usize) -> Vec<Ray3d>) -> Vec<Line> {
        let subjects = self
            .subjects
            .iter()
            .filter(|(subject, _)| *subject != Subject::Bevy);
        let mut lines: Vec<Line> = subjects
            .map(|(subject, _)| Line::new(subject.name()))
            .collect();
        for round in 0..rounds {
            let rays = rays(round);
            let mut bevy = Frame::default();
            for (subject, app) in &mut self.subjects {
                let own = frame(app);
                if *subject == Subject::Bevy {
                    bevy = own;
                    self.bevy.push(own);
                    continue;
                }
                let (_, took) = subject.cast_rays(app, &rays);
                for line in lines.iter_mut().filter(|line| line.name == subject.name()) {
                    line.upkeep.push(subject.upkeep(&own, &bevy));
                    line.rays.push(took);
                }
            }
        }
        lines
    }

    /// Compares what each subject answers with what is drawn in its own app.
    fn compare(&mut self, lines: &mut [Line], rays: &[Ray3d]) {
        for (subject, app) in &mut self.subjects {
            for line in lines.iter_mut().filter(|line| line.name == subject.name()) {
                let scene = Scene::new(app);
                let truth: Vec<Answer> = cast_all(rays, |_, ray| scene.cast_ray(ray));
                let (answers, _) = subject.cast_rays(app, rays);
                line.errors = Errors::of(&answers, &truth);
            }
        }
    }

    fn part(&self, part: impl Fn(&Frame) -> Duration) -> Duration {
        median(&self.bevy.iter().map(part).collect::<Vec<_>>())
    }

    fn bevy(&self, row: Vec<Line>, name: &'static str, what: String) -> Row {
        Row {
            name,
            what,
            lines: row,
            bevy: vec![
                ("animating", self.part(|frame| frame.animate)),
                ("propagating", self.part(|frame| frame.propagate)),
            ],
            aims: Vec::new(),
        }
    }
}

const ALL: [Subject; 6] = [
    Subject::Bevy,
    Subject::Hitscan,
    Subject::MeshRayCast,
    Subject::SkinnedMeshRayCast,
    Subject::Avian,
    Subject::Rapier,
];

/// E1: one pointer.
#[must_use]
pub fn one_pointer(rounds: usize) -> Row {
    let mut crowds = Crowds::new(&ALL);
    let mut numbers = Numbers(3);
    let mut lines = crowds.race(rounds, |_| CROWD.pointers(1, &mut numbers));
    crowds.compare(&mut lines, &CROWD.pointers(1_000, &mut Numbers(5)));
    let what = "1,000 animated characters, one pointer".to_owned();
    let mut row = crowds.bevy(lines, "E1", what);
    let bounds = median(&row.line(Subject::SkinnedMeshRayCast).upkeep);
    row.bevy.push(("`update_skinned_mesh_bounds`", bounds));
    let ours = row.line(Subject::Hitscan);
    let theirs = median(&row.line(Subject::MeshRayCast).rays) + bounds;
    let animated = row.bevy[0].1 + row.bevy[1].1;
    row.aims = vec![
        format!(
            "Sync and pick take {:.2} of `MeshRayCast` and `update_skinned_mesh_bounds` together; the aim is 1.",
            ratio(ours.together(), theirs)
        ),
        format!(
            "The sync takes {:.1} % of animating and propagating; the aim is 5 %.",
            100.0 * ratio(median(&ours.upkeep), animated)
        ),
    ];
    row
}

/// E2: a thousand rays.
#[must_use]
pub fn thousand_rays(rounds: usize) -> Row {
    let mut crowds = Crowds::new(&ALL);
    let mut numbers = Numbers(9);
    let rays = CROWD.shots(1_000, 12.0, &mut numbers);
    let mut lines = crowds.race(rounds, |_| rays.clone());
    crowds.compare(&mut lines, &rays);
    let what = "1,000 animated characters, 1,000 rays".to_owned();
    let mut row = crowds.bevy(lines, "E2", what);
    let ours = row.line(Subject::Hitscan).together();
    let times = |subject: Subject| ratio(row.line(subject).together(), ours);
    row.aims = vec![format!(
        "`MeshRayCast` takes {:.0} times as long, the aim is 20; skinned {:.1} times, the aim is 40; avian3d {:.2} and \
         bevy_rapier3d {:.2} times, the aim is 1.",
        times(Subject::MeshRayCast),
        times(Subject::SkinnedMeshRayCast),
        times(Subject::Avian),
        times(Subject::Rapier),
    )];
    row
}

/// The name of the plugin's line in E6.
const PAST: &str = "bevy_hitscan, in the past";

/// E6: the rays of E2, each at a tick of the past, beside E2 itself in the same rounds.
#[must_use]
pub fn past_ticks(rounds: usize) -> Row {
    let mut app = Subject::Hitscan.app();
    app.add_plugins(HitscanHistoryPlugin {
        ticks: usize::from(TICKS),
    });
    app.add_systems(PreUpdate, |mut tick: ResMut<HitscanTick>| tick.0 += 1);
    let mut past = Subject::Hitscan.with_crowd(app, CROWD);
    let mut crowds = Crowds::new(&[Subject::Bevy, Subject::Hitscan]);
    for _ in 0..TICKS {
        frame(&mut past);
    }
    let mut numbers = Numbers(9);
    let rays = CROWD.shots(1_000, 12.0, &mut numbers);
    let mut age = || f64::from(numbers.between(0.0, f32::from(TICKS - 1)));
    let ages: Vec<f64> = rays.iter().map(|_| age()).collect();
    let [mut of_past, mut of_present] = [PAST, Subject::Hitscan.name()].map(Line::new);
    for _ in 0..rounds {
        let own = frame(&mut past);
        let (_, took) = cast_ago(&mut past, &rays, &ages);
        of_past.upkeep.push(own.hitscan);
        of_past.rays.push(took);
        let lines = crowds.race(1, |_| rays.clone());
        of_present.upkeep.extend(&lines[0].upkeep);
        of_present.rays.extend(&lines[0].rays);
    }
    of_past.errors = errors_at_ticks(&mut past, &rays);
    let mut lines = vec![of_past, of_present];
    crowds.compare(&mut lines, &rays);
    let took = lines.iter().map(Line::together).collect::<Vec<_>>();
    let what = "the rays of E2, each at a random time of 64 ticks".to_owned();
    let mut row = crowds.bevy(lines, "E6", what);
    row.aims = vec![format!(
        "It takes {:.2} times as long as E2; the aim is 1.5.",
        ratio(took[0], took[1])
    )];
    row
}

/// The nearest hit of each ray so many ticks ago, and how long that took.
fn cast_ago(app: &mut App, rays: &[Ray3d], ages: &[f64]) -> (Vec<Answer>, Duration) {
    let mut state = SystemState::<(Hitscan, Res<HitscanTick>)>::new(app.world_mut());
    let (hitscan, tick) = state.get(app.world()).expect("the plugin is there");
    let now = f64::from(u32::try_from(tick.0).expect("few ticks"));
    let filter = HitscanFilter::new();
    let cast = |number: usize, ray: Ray3d| {
        let past = hitscan.at(now - ages[number]).expect("the tick is kept");
        let hit = past.cast_ray(ray, &filter)?;
        Some((hit.entity, hit.distance))
    };
    let (hits, took) = timed(|| cast_all(rays, cast));
    (numbered(app.world(), hits), took)
}

/// Answers at whole ticks, beside what was drawn in them; between two, Bevy draws nothing.
fn errors_at_ticks(app: &mut App, rays: &[Ray3d]) -> Errors {
    const AGES: [u16; 4] = [48, 30, 12, 0];
    let mut truth: Vec<Answer> = Vec::new();
    let mut ages: Vec<f64> = Vec::new();
    let mut pieces = rays.chunks(rays.len() / AGES.len());
    for age in (0..TICKS).rev() {
        frame(app);
        if AGES.contains(&age)
            && let Some(piece) = pieces.next()
        {
            let scene = Scene::new(app);
            truth.extend(cast_all(piece, |_, ray| scene.cast_ray(ray)));
            ages.extend(piece.iter().map(|_| f64::from(age)));
        }
    }
    let (answers, _) = cast_ago(app, &rays[..truth.len()], &ages);
    Errors::of(&answers, &truth)
}
