//! V1: which samples of a terrain are seen from above its middle.
//!
//! Times are those of one sample. The whole commands are timed beside them, files included
//! (`viewshed_commands.rs`).

use super::context::Context;
use super::viewshed_commands;
use crate::inputs::{Flight, Terrain};
use crate::label::Label;
use crate::peers;
use crate::shape::Viewshed;
use crate::subject::{Subject, Subjects};
use crate::subjects::hitscan_viewshed;

/// An eye above the ground, metres.
pub const STANDING: f64 = 2.0;
/// One from which most of the ground is seen.
pub const FLYING: f64 = 200.0;
/// How many samples are held against lines of sight that are followed cell by cell in f64.
const CHECKED: usize = 50_000;
/// Steps from one of them to the next: no divisor of what a map has in a row.
const STEP: usize = 7919;
/// Lines of sight end so much before their target, on whose own triangles they would end.
const END: f64 = 1.0 - 1e-9;

pub fn run(context: &Context, name: &str, size: usize, above: f64) {
    let (terrain, middle) = (Terrain::new(size), size / 2);
    let mut viewsheds = vec![hitscan_viewshed::viewshed(&terrain, middle, above)];
    viewsheds.extend(context.peers(|| peers::viewsheds(&terrain, middle, above)));
    for viewshed in &mut viewsheds {
        viewshed.run();
    }
    if let [ours, others @ ..] = viewsheds.as_slice() {
        for other in others {
            context.note(&difference(name, ours.as_ref(), other.as_ref()));
        }
    }
    let samples: Vec<usize> = (0..CHECKED)
        .map(|index| index * STEP % (size * size))
        .collect();
    let place = |sample: usize| [sample % size, sample / size];
    let truth = samples
        .iter()
        .map(|sample| sees(&terrain, (middle, above), place(*sample)).then_some(0.0));
    let truth: Vec<Option<f32>> = truth.collect();
    let subjects: Subjects<bool> = viewsheds
        .into_iter()
        .map(|viewshed| Box::new(Sampled::new(viewshed, &samples)) as _)
        .collect();
    let describe = |index: usize| format!("sample {:?}", place(samples[index]));
    context.race_in_part(name, subjects, size * size, truth, &describe);
    if !context.is_ours_alone {
        viewshed_commands::run(context, name, (&terrain, above));
    }
}

/// How far two viewsheds differ, in percent of all samples and of those that are seen.
fn difference(name: &str, ours: &dyn Viewshed, other: &dyn Viewshed) -> String {
    let (own, others) = (ours.seen(), other.seen());
    let seen = own.iter().filter(|seen| **seen).count();
    let different = own
        .iter()
        .zip(&others)
        .filter(|(own, other)| own != other)
        .count();
    let percent = |count: usize| 100.0 * different as f64 / count as f64;
    let library = other.label().library;
    let (all, part) = (percent(own.len()), percent(seen));
    format!(
        "{name}: hitscan sees {seen} of {} samples; {library} differs on {different} of them, \
         {all:.2} % of all and {part:.2} % of those seen",
        own.len()
    )
}

/// Whether the eye sees a sample: no triangle lies above the line between them.
fn sees(terrain: &Terrain, (middle, above): (usize, f64), [column, row]: [usize; 2]) -> bool {
    let height = |column: usize, row: usize| f64::from(terrain.sample(column, row));
    let from = [middle as f64, height(middle, middle) + above, middle as f64];
    let to = [column as f64, height(column, row), row as f64];
    let line = Flight {
        from,
        velocity: [0, 1, 2].map(|axis| to[axis] - from[axis]),
        gravity: 0.0,
    };
    line.landing(terrain, END).is_none()
}

/// A viewshed whose answers are those of some samples.
struct Sampled<'a> {
    label: Label,
    viewshed: Box<dyn Viewshed>,
    samples: &'a [usize],
}

impl<'a> Sampled<'a> {
    fn new(viewshed: Box<dyn Viewshed>, samples: &'a [usize]) -> Self {
        Self {
            label: viewshed.label(),
            viewshed,
            samples,
        }
    }
}

impl Subject<bool> for Sampled<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.viewshed.prepare();
    }

    fn pass(&mut self) {
        self.viewshed.run();
    }

    fn answers(&mut self) -> Vec<bool> {
        let seen = self.viewshed.seen();
        self.samples.iter().map(|sample| seen[*sample]).collect()
    }
}
