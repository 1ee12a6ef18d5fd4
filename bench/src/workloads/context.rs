//! The context of a group's process: the subjects and queries that it runs, and the report of its
//! results.

use crate::answer::Answer;
use crate::label::Family;
use crate::machine;
use crate::race::Race;
use crate::report::Line;
use crate::subject::Subjects;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Rounds of a full and of a quick run.
const ROUNDS: [usize; 2] = [7, 3];
/// Rounds where hitscan runs alone, which is done in many processes.
const ROUNDS_ALONE: usize = 3;
/// The queries of a quick run.
const QUICK: usize = 100_000;

/// How often every subject runs.
pub fn rounds(is_quick: bool, is_ours_alone: bool) -> usize {
    if is_ours_alone {
        ROUNDS_ALONE
    } else {
        ROUNDS[usize::from(is_quick)]
    }
}

pub struct Context {
    wanted: Vec<String>,
    pub is_quick: bool,
    pub is_ours_alone: bool,
    /// The two threads of the workloads that have two; they are not pinned.
    pub two_threads: ThreadPool,
}

impl Context {
    /// Pins this thread, and makes rayon's own pool one thread on the same core.
    pub fn new(options: &crate::arguments::Group) -> Result<Self, String> {
        let failed = |error| format!("threads did not start: {error}");
        let two_threads = ThreadPoolBuilder::new().num_threads(2).build();
        let two_threads = two_threads.map_err(failed)?;
        machine::pin()?;
        let one = ThreadPoolBuilder::new().num_threads(1).build_global();
        one.map_err(failed)?;
        Ok(Self {
            wanted: options.workloads.clone(),
            is_quick: options.is_quick,
            is_ours_alone: options.is_ours_alone,
            two_threads,
        })
    }

    pub fn wants(&self, workload: &str) -> bool {
        self.wanted.iter().any(|wanted| wanted == workload)
    }

    /// Whether a workload is wanted whose name begins so.
    pub fn wants_any(&self, beginning: &str) -> bool {
        self.wanted
            .iter()
            .any(|wanted| wanted.starts_with(beginning))
    }

    /// How many queries a workload has that has `full` in a full run.
    pub fn queries(&self, full: usize) -> usize {
        if self.is_quick { full.min(QUICK) } else { full }
    }

    /// As [`Context::queries`], for queries that cost as much as `cost` ordinary ones.
    pub fn expensive_queries(&self, full: usize, cost: usize) -> usize {
        if self.is_quick {
            full.min(QUICK / cost)
        } else {
            full
        }
    }

    /// What peers bring, which is not made where hitscan runs alone.
    pub fn peers<T>(&self, make: impl FnOnce() -> Vec<T>) -> Vec<T> {
        if self.is_ours_alone {
            Vec::new()
        } else {
            make()
        }
    }

    pub fn race<A: Answer>(
        &self,
        workload: &str,
        subjects: Subjects<'_, A>,
        queries: usize,
        tolerance: f32,
        describe: &dyn Fn(usize) -> String,
    ) {
        self.run(Race {
            workload,
            subjects,
            queries,
            tolerance,
            describe,
            truth: None,
        });
    }

    /// A race whose right answers are known.
    pub fn race_for_truth<A: Answer>(
        &self,
        workload: &str,
        subjects: Subjects<'_, A>,
        (truth, tolerance): (Vec<Option<f32>>, f32),
        describe: &dyn Fn(usize) -> String,
    ) {
        self.run(Race {
            workload,
            subjects,
            queries: truth.len(),
            tolerance,
            describe,
            truth: Some(truth),
        });
    }

    /// A race of `queries`, some of which are checked: those whose right answers are given.
    pub fn race_in_part<A: Answer>(
        &self,
        workload: &str,
        subjects: Subjects<'_, A>,
        queries: usize,
        truth: Vec<Option<f32>>,
        describe: &dyn Fn(usize) -> String,
    ) {
        self.run(Race {
            workload,
            subjects,
            queries,
            tolerance: 0.0,
            describe,
            truth: Some(truth),
        });
    }

    /// Something that the reader of the table must be aware of.
    pub fn note(&self, text: &str) {
        println!("{}", Line::Note(text.to_owned()).write());
    }

    fn run<A: Answer>(&self, mut race: Race<'_, A>) {
        if self.is_ours_alone {
            let is_ours = |family| family == Family::Hitscan;
            race.subjects
                .retain(|subject| is_ours(subject.label().family));
        }
        for row in race.run(rounds(self.is_quick, self.is_ours_alone)) {
            println!("{}", Line::Row(row).write());
        }
    }
}
