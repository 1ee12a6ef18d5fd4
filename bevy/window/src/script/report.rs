//! The result of the script: counts of what agrees, and failures.

use bevy::prelude::*;
use std::collections::BTreeSet;

/// The script's result.
#[derive(Resource, Default)]
pub(super) struct Report {
    /// Answers about the present, and about the past, that agree with brute force.
    pub(super) agreed: [usize; 2],
    /// Rays too close to a border for brute force to tell.
    pub(super) at_borders: usize,
    /// The names of the joints that were hit.
    pub(super) joints: BTreeSet<String>,
    pub(super) lit_pixels: usize,
    pub(super) is_pictured: bool,
    failures: Vec<String>,
}

/// The least number of answers about the present, and about the past.
const LEAST: [usize; 2] = [50, 12];

/// The least number of joints.
const LEAST_JOINTS: usize = 5;

impl Report {
    pub(super) fn fail(&mut self, failure: String) {
        self.failures.push(failure);
    }

    /// Prints it, and says how the program ends.
    pub(super) fn end(&mut self, frames: u32) -> AppExit {
        let [now, past] = self.agreed;
        if self.agreed[0] < LEAST[0] || self.agreed[1] < LEAST[1] {
            self.fail("too few answers were compared".to_owned());
        }
        if self.joints.len() < LEAST_JOINTS {
            self.fail("too few joints were hit".to_owned());
        }
        if !self.is_pictured {
            self.fail("the renderer gave no screenshot".to_owned());
        }
        println!(
            "{frames} frames: {now} hits by the pointer and {past} in the past agree with brute force in f64, \
             {} rays were at borders; on {:?}; {} pixels of the screenshot are the hit triangle's",
            self.at_borders, self.joints, self.lit_pixels
        );
        for failure in &self.failures {
            eprintln!("failed: {failure}");
        }
        if self.failures.is_empty() {
            AppExit::Success
        } else {
            AppExit::error()
        }
    }
}
