//! The threads that cast: one for each processor, shared fairly among pages.
//!
//! What is urgent goes first: a free thread takes the next job of the most urgent that wait, from the page
//! whose turn it is among those that have such jobs. So a page that requests much waits for itself alone, a
//! picture that moves waits for none that is refined, and a page that is gone leaves nothing behind. A
//! long job pauses between its steps, and its thread does what is more urgent meanwhile. Now and then a job
//! goes before more urgent ones, so that pictures that move for ever hold up no page for ever. The threads
//! are a pool of their own: what a question splits over threads never waits behind tiles.

use crate::viewer::Urgency;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something to be done on a casting thread.
pub(super) trait Job: Send {
    fn urgency(&self) -> Urgency;

    /// Whether what comes of it is wanted; else it is dropped when its turn comes.
    fn is_wanted(&self) -> bool;

    /// Does it; more urgent jobs are done within `pause`.
    fn run(self: Box<Self>, pause: &dyn Fn());
}

/// The kinds of urgency, the least urgent first, and how many more urgent jobs go before one that waits:
/// of refinement a tile takes several times as long as of the others.
const LEVELS: [(Urgency, u32); 3] = [
    (Urgency::Refinement, 32),
    (Urgency::FirstLook, 8),
    (Urgency::Motion, 0),
];

/// The threads, and what waits for them.
pub(super) struct Casting {
    pool: ThreadPool,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    levels: [Level; LEVELS.len()],
    /// How many threads are at work.
    busy: usize,
    /// The number of the next page.
    next: u64,
}

/// What waits that is equally urgent.
#[derive(Default)]
struct Level {
    /// The pages that have such jobs, the one whose turn it is first; none is empty.
    queues: VecDeque<(u64, VecDeque<Box<dyn Job>>)>,
    /// How many more urgent jobs were taken before the next of these.
    passed: u32,
}

/// A page's place among those that cast. Where it is dropped, jobs that are not begun are too.
pub(super) struct Seat {
    casting: Arc<Casting>,
    page: u64,
}

impl Casting {
    /// Starts a thread for each processor.
    pub(super) fn new() -> Result<Arc<Self>, ThreadPoolBuildError> {
        let name = |index| format!("casting {index}");
        Ok(Arc::new(Self {
            pool: ThreadPoolBuilder::new().thread_name(name).build()?,
            waiting: Mutex::default(),
        }))
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// A place for a page.
    pub(super) fn seat(self: &Arc<Self>) -> Seat {
        let mut waiting = self.waiting();
        waiting.next += 1;
        Seat {
            casting: Arc::clone(self),
            page: waiting.next,
        }
    }

    /// What waits; a job that panicked did so outside of the lock.
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does jobs until there are none.
    fn work(&self) {
        loop {
            let mut waiting = self.waiting();
            let Some(job) = waiting.take(0) else {
                waiting.busy -= 1;
                return;
            };
            drop(waiting);
            self.run(job);
        }
    }

    fn run(&self, job: Box<dyn Job>) {
        let level = level_of(job.urgency());
        let pause = || {
            for _ in 0..LEVELS[level].1 {
                let next = self.waiting().take(level + 1);
                let Some(next) = next else {
                    return;
                };
                self.run(next);
            }
        };
        // A job that fails harms its own page alone.
        let _ = catch_unwind(AssertUnwindSafe(|| job.run(&pause)));
    }
}

fn level_of(urgency: Urgency) -> usize {
    let level = LEVELS.iter().position(|(known, _)| *known == urgency);
    level.unwrap_or(0)
}

impl Waiting {
    /// The next job of those that are at least as urgent as this level.
    fn take(&mut self, least: usize) -> Option<Box<dyn Job>> {
        loop {
            let waits = |level: &usize| !self.levels[*level].queues.is_empty();
            let mut waiting = (least..LEVELS.len()).filter(waits);
            let is_due = |level: &usize| self.levels[*level].passed >= LEVELS[*level].1;
            let level = waiting.clone().find(is_due).or(waiting.next_back())?;
            let (page, mut queue) = self.levels[level].queues.pop_front()?;
            let mut job = queue.pop_front();
            while job.as_ref().is_some_and(|job| !job.is_wanted()) {
                job = queue.pop_front();
            }
            if !queue.is_empty() {
                self.levels[level].queues.push_back((page, queue));
            }
            if job.is_some() {
                self.levels[level].passed = 0;
                for less in &mut self.levels[..level] {
                    less.passed = match less.queues.is_empty() {
                        true => 0,
                        false => less.passed + 1,
                    };
                }
                return job;
            }
        }
    }

    /// How many jobs wait.
    fn count(&self) -> usize {
        let queues = self.levels.iter().flat_map(|level| &level.queues);
        queues.map(|(_, queue)| queue.len()).sum()
    }
}

impl Level {
    /// Adds a job after those of this page that are here.
    fn add(&mut self, page: u64, job: Box<dyn Job>) {
        match self.queues.iter_mut().find(|(other, _)| *other == page) {
            Some((_, queue)) => queue.push_back(job),
            None => self.queues.push_back((page, VecDeque::from([job]))),
        }
    }
}

impl Seat {
    /// Adds a job after those of this page that wait and are equally urgent.
    pub(super) fn add(&self, job: Box<dyn Job>) {
        let mut waiting = self.casting.waiting();
        let level = level_of(job.urgency());
        waiting.levels[level].add(self.page, job);
        let threads = self.casting.threads();
        let more = waiting.count().min(threads - waiting.busy);
        waiting.busy += more;
        drop(waiting);
        for _ in 0..more {
            let casting = Arc::clone(&self.casting);
            self.casting.pool.spawn(move || casting.work());
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut waiting = self.casting.waiting();
        for level in &mut waiting.levels {
            level.queues.retain(|(page, _)| *page != self.page);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Urgency::{FirstLook, Motion, Refinement};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    /// A job of a test: what it does between its pauses.
    struct Steps {
        urgency: Urgency,
        is_wanted: Arc<AtomicBool>,
        steps: Vec<Box<dyn FnOnce() + Send>>,
    }

    impl Job for Steps {
        fn urgency(&self) -> Urgency {
            self.urgency
        }

        fn is_wanted(&self) -> bool {
            self.is_wanted.load(Ordering::Relaxed)
        }

        fn run(self: Box<Self>, pause: &dyn Fn()) {
            for (index, step) in self.steps.into_iter().enumerate() {
                if index > 0 {
                    pause();
                }
                step();
            }
        }
    }

    fn job(urgency: Urgency, step: impl FnOnce() + Send + 'static) -> Box<dyn Job> {
        Box::new(Steps {
            urgency,
            is_wanted: Arc::new(true.into()),
            steps: vec![Box::new(step)],
        })
    }

    /// Casting by one thread, which waits until the sender is dropped.
    fn held() -> (Arc<Casting>, mpsc::Sender<()>) {
        let casting = Casting {
            pool: ThreadPoolBuilder::new().num_threads(1).build().unwrap(),
            waiting: Mutex::default(),
        };
        let casting = Arc::new(casting);
        let (release, wait) = mpsc::channel();
        let holder = casting.seat();
        holder.add(job(Motion, move || while wait.recv().is_ok() {}));
        // A job that is begun is not dropped.
        while casting.waiting().count() > 0 {
            std::thread::yield_now();
        }
        (casting, release)
    }

    /// Says on `done` when it is done.
    fn says(urgency: Urgency, name: &str, done: &mpsc::Sender<String>) -> Box<dyn Job> {
        let (name, done) = (name.to_owned(), done.clone());
        job(urgency, move || done.send(name).unwrap())
    }

    fn add(seat: &Seat, urgency: Urgency, name: &str, count: usize, done: &mpsc::Sender<String>) {
        for index in 0..count {
            seat.add(says(urgency, &format!("{name}{index}"), done));
        }
    }

    #[test]
    fn pages_take_turns() {
        let (casting, release) = held();
        let [a, b, c] = [casting.seat(), casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        add(&a, Motion, "a", 5, &done);
        add(&b, Motion, "b", 2, &done);
        add(&c, Motion, "c", 1, &done);
        drop((release, done));
        let order: Vec<String> = order.iter().collect();
        assert_eq!(order, ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"]);
    }

    #[test]
    fn what_is_not_begun_is_dropped_with_its_page() {
        let (casting, release) = held();
        let [a, b] = [casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        add(&a, Motion, "a", 100, &done);
        add(&a, Refinement, "a", 100, &done);
        add(&b, Motion, "b", 2, &done);
        drop(a);
        drop((release, done));
        assert_eq!(order.iter().collect::<Vec<_>>(), ["b0", "b1"]);
    }

    #[test]
    fn what_moves_goes_before_first_looks_and_these_before_refinement() {
        let (casting, release) = held();
        let [a, b, c] = [casting.seat(), casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        add(&a, Refinement, "fine", 3, &done);
        add(&b, Refinement, "fine-too", 1, &done);
        add(&b, FirstLook, "look", 2, &done);
        add(&c, Motion, "move", 2, &done);
        // The same page's older job waits too.
        add(&a, Motion, "move-too", 1, &done);
        drop((release, done));
        let order: Vec<String> = order.iter().collect();
        let expected = "move0 move-too0 move1 look0 look1 fine0 fine-too0 fine1 fine2";
        assert_eq!(order.join(" "), expected);
    }

    #[test]
    fn pictures_that_move_for_ever_hold_up_nobody_for_ever() {
        let (casting, release) = held();
        let [moving, looking, refining] = [casting.seat(), casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        add(&refining, Refinement, "fine", 2, &done);
        add(&looking, FirstLook, "look", 4, &done);
        add(&moving, Motion, "move", 100, &done);
        drop((release, done));
        let order: Vec<String> = order.iter().collect();
        let places = |name: &str| -> Vec<usize> {
            let found = order.iter().enumerate();
            let found = found.filter(|(_, done)| done.starts_with(name));
            found.map(|(place, _)| place).collect()
        };
        assert_eq!(places("look"), [8, 17, 26, 36]);
        assert_eq!(places("fine"), [32, 65]);
        assert_eq!(order.len(), 106);
    }

    #[test]
    fn a_long_job_pauses_for_what_is_more_urgent() {
        let (casting, release) = held();
        let [a, b] = [casting.seat(), casting.seat()].map(Arc::new);
        let (done, order) = mpsc::channel();
        let said = |name: &str| {
            let (name, done) = (name.to_owned(), done.clone());
            move || done.send(name).unwrap()
        };
        // A frame of another page, and more of its own, come while it is developed.
        let (own, other, more) = (Arc::clone(&a), Arc::clone(&b), done.clone());
        let comes = move || {
            add(&own, Refinement, "next", 1, &more);
            add(&other, Motion, "move", 40, &more);
        };
        let steps: [Box<dyn FnOnce() + Send>; 4] = [
            Box::new(said("begun")),
            Box::new(comes),
            Box::new(said("half")),
            Box::new(said("done")),
        ];
        a.add(Box::new(Steps {
            urgency: Refinement,
            is_wanted: Arc::new(true.into()),
            steps: steps.into(),
        }));
        drop((release, done));
        let order: Vec<String> = order.iter().collect();
        let moved = |range: std::ops::Range<u32>| range.map(|index| format!("move{index}"));
        let mut expected = vec!["begun".to_owned()];
        expected.extend(moved(0..32));
        expected.push("half".to_owned());
        expected.extend(moved(32..40));
        expected.extend(["done", "next0"].map(str::to_owned));
        assert_eq!(order, expected);
    }

    #[test]
    fn what_is_no_longer_wanted_takes_no_turn() {
        let (casting, release) = held();
        let [a, b] = [casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        let is_wanted = Arc::new(AtomicBool::new(true));
        for _ in 0..5 {
            let done = done.clone();
            a.add(Box::new(Steps {
                urgency: Motion,
                is_wanted: Arc::clone(&is_wanted),
                steps: vec![Box::new(move || done.send("stale".to_owned()).unwrap())],
            }));
        }
        add(&a, Motion, "a", 2, &done);
        add(&b, Motion, "b", 2, &done);
        is_wanted.store(false, Ordering::Relaxed);
        drop((release, done));
        let order: Vec<String> = order.iter().collect();
        assert_eq!(order, ["a0", "b0", "a1", "b1"]);
    }
}
