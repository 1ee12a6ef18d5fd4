//! A changing world under queries from two threads, for as long as one likes: answers stay right and
//! memory flat.

use crate::Rng;
use crate::living_world::{LivingWorld, Questions};
use hitscan::{ObjectId, World};
use std::collections::VecDeque;

/// Objects in the world, about.
const OBJECTS: usize = 60;
/// Objects that change in a frame, at most.
const CHANGES: usize = 16;
/// Ticks that are kept.
const TICKS: usize = 8;
/// Frames between two looks at the memory.
const FRAMES_A_LOOK: u64 = 32;
/// Looks until the world has its usual size.
const WARM: usize = 8;

/// A world in change, and what it must answer.
#[derive(Debug)]
pub struct Soak {
    living: LivingWorld,
    rng: Rng,
    /// Questions of each thread in a frame.
    questions_a_frame: usize,
    /// The last ticks as worlds of their own, with the objects that theirs correspond to.
    then: VecDeque<(u64, World, Vec<ObjectId>)>,
    frame: u64,
    questions: u64,
    hits: u64,
    /// Bytes of the world and its history, look by look.
    bytes: Vec<usize>,
}

impl Soak {
    /// An initial world, on which each thread runs so many queries in a frame.
    #[must_use]
    pub fn new(seed: u64, questions_a_frame: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut living = LivingWorld::new(&mut rng);
        living.world.keep_history(TICKS);
        Self {
            living,
            rng,
            questions_a_frame,
            then: VecDeque::new(),
            frame: 0,
            questions: 0,
            hits: 0,
            bytes: Vec::new(),
        }
    }

    /// Changes the world, and queries it from two threads.
    ///
    /// # Panics
    /// When an answer differs from that of a world built afresh, of the present or of a tick that is
    /// kept.
    #[expect(
        clippy::cast_precision_loss,
        reason = "frames are counted from 0, far below 2^53"
    )]
    pub fn frame(&mut self) {
        for _ in 0..self.rng.below(CHANGES) {
            self.living.change(&mut self.rng);
        }
        while self.living.len() < OBJECTS {
            self.living.add(&mut self.rng);
        }
        self.living.world.update();
        let tick = self.frame;
        let recorded = self.living.world.record(tick);
        recorded.expect("ticks follow each other");
        let (afresh, order) = self.living.afresh();
        self.then.push_back((tick, afresh, order));
        if self.then.len() > TICKS {
            self.then.pop_front();
        }
        let seeds = [self.rng.next_u32(), self.rng.next_u32()];
        let (world, then, count) = (&self.living.world, &self.then, self.questions_a_frame);
        let hits: u64 = std::thread::scope(|scope| {
            let threads =
                seeds.map(|seed| scope.spawn(move || ask(world, then, count, seed.into())));
            let hits = threads.map(|thread| thread.join().expect("the answers agree"));
            hits.into_iter().sum()
        });
        self.hits += hits;
        self.questions += 2 * count as u64;
        if self.frame.is_multiple_of(FRAMES_A_LOOK) {
            let world = &self.living.world;
            self.bytes
                .push(world.memory_bytes() + world.history_bytes());
        }
        self.living.gone.clear();
        self.frame += 1;
        // Between ticks there is no oracle here; that queries end and return numbers is enough.
        let between = self.living.world.at(tick as f64 - 0.5);
        if let Some(between) = between {
            let questions = Questions::random(&mut self.rng);
            let hit = between.cast_ray(&questions.ray(), hitscan::Sides::Both);
            assert!(hit.is_none_or(|hit| hit.t.is_finite()));
        }
    }

    /// What was done, in a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let most = self.bytes.iter().max().copied().unwrap_or_default();
        format!(
            "{} frames, {} questions, {} rays that hit, at most {most} bytes",
            self.frame, self.questions, self.hits
        )
    }

    /// How many questions were hits.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Whether the world takes no more memory than when it had reached its usual size; `None` where
    /// there were too few frames to decide.
    #[must_use]
    pub fn is_memory_flat(&self) -> Option<bool> {
        let (warm, later) = self.bytes.split_at_checked(WARM)?;
        let before = warm.iter().max()?;
        Some(later.iter().max()? <= &(2 * before))
    }
}

/// Queries the present, and the ticks that are kept; returns how many rays hit.
#[expect(
    clippy::cast_precision_loss,
    reason = "ticks are counted from 0, far below 2^53"
)]
fn ask(
    world: &World,
    then: &VecDeque<(u64, World, Vec<ObjectId>)>,
    count: usize,
    seed: u64,
) -> u64 {
    let mut rng = Rng::new(seed);
    let mut hits = 0;
    for question in 0..count {
        let questions = Questions::random(&mut rng);
        let back = if question % 2 == 0 {
            0
        } else {
            rng.below(then.len())
        };
        let (tick, afresh, order) = &then[then.len() - 1 - back];
        let own: Vec<ObjectId> = afresh.now().objects().collect();
        let expected = questions.ask(afresh.now(), &own);
        let past = world.at(*tick as f64).expect("the tick is kept");
        let found = questions.ask(&past, order);
        assert_eq!(found, expected, "tick {tick}");
        if back == 0 {
            assert_eq!(questions.ask(world.now(), order), expected, "now");
        }
        hits += u64::from(found[0] != "None");
    }
    hits
}
