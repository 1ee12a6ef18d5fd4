//! K1: a frame of 1,000 skinned characters, each at its own time, and 1,000 rays through them. K2: one
//! character and 10,000 rays a pose. K3: K1's frame with a history of 64 ticks, each ray cast into
//! one of them.
//!
//! Times of K1 and K3 are those of a frame, as those are what a game pays.

use super::context::Context;
use crate::answer::Met;
use crate::inputs::Question;
use crate::inputs::characters::Characters;
use crate::label::Label;
use crate::peers::parry_characters;
use crate::subject::Subject;
use crate::subjects::hitscan_characters;
use std::hint::black_box;
use std::ops::Range;
use std::rc::Rc;

const MANY: usize = 1_000;
/// Rays a frame of K1 and K3.
const SHOTS: usize = 1_000;
/// Rays a pose of K2.
const RAYS_A_POSE: usize = 10_000;
/// How many ticks K3 keeps.
pub const TICKS: u64 = 64;
/// Frames of one pass of a full and of a quick run; peers take up to seconds for each.
const FRAMES: [usize; 2] = [8, 3];
/// Poses of one pass of K2.
const POSES: [usize; 2] = [10, 5];
/// Distances up to 90 m, on vertices that everybody rounds to f32.
const TOLERANCE: f32 = 1e-3;

pub fn run(context: &Context) {
    let frames = FRAMES[usize::from(context.is_quick)];
    let crowd = || Rc::new(Characters::crowd(MANY, SHOTS, TICKS));
    if context.wants("K1") {
        let crowd = crowd();
        let mut subjects = vec![
            hitscan_characters::lazily_posed(&crowd, frames),
            hitscan_characters::skinning_all(&crowd, frames),
        ];
        subjects.extend(context.peers(|| parry_characters::frames(&crowd, frames)));
        let describe = |index: usize| format!("{:?}", crowd.rays[index]);
        context.race("K1", subjects, frames, TOLERANCE, &describe);
    }
    if context.wants("K2") {
        let poses = POSES[usize::from(context.is_quick)];
        let alone = Rc::new(Characters::alone(RAYS_A_POSE));
        let mut subjects = hitscan_characters::one_character(&alone, poses);
        let parry = || vec![parry_characters::one_character(&alone, poses)];
        subjects.extend(context.peers(parry));
        let describe = |index: usize| format!("{:?}", alone.rays[index]);
        context.race("K2", subjects, poses * RAYS_A_POSE, TOLERANCE, &describe);
    }
    if context.wants("K3") {
        let crowd = crowd();
        let subjects = vec![
            hitscan_characters::rewound(&crowd, frames),
            hitscan_characters::not_rewound(&crowd, frames),
        ];
        let describe = |index: usize| format!("{:?}", crowd.rays[index]);
        context.race("K3", subjects, frames, TOLERANCE, &describe);
    }
}

/// What keeps characters, and answers rays.
pub trait Cast {
    type Ray;

    fn ray(question: &Question) -> Self::Ray;
    /// What is built before the clock starts on these frames.
    fn start(&mut self, characters: &Characters, frames: Range<u64>);
    /// All characters have new poses; brings everything up to date.
    fn step(&mut self, characters: &Characters, frame: u64);
    /// The nearest hit and its character, or its triangle where there is one character; as of `tick`
    /// where the past is kept.
    fn nearest(&self, ray: &Self::Ray, tick: u64) -> Option<Met>;

    /// What the last frame's answers are held as: themselves.
    fn answers_of(&self, answers: &[Option<Met>], _characters: &Characters) -> Vec<Option<Met>> {
        answers.to_vec()
    }

    fn bytes(&self) -> Option<usize> {
        None
    }
}

/// A subject whose pass is some frames; its answers are those of the last frame.
pub struct Frames<C: Cast> {
    label: Label,
    cast: C,
    characters: Rc<Characters>,
    frames: u64,
    rays: Vec<C::Ray>,
    answers: Vec<Option<Met>>,
}

pub fn frames<'a, C: Cast + 'a>(
    label: Label,
    cast: C,
    characters: &Rc<Characters>,
    frames: usize,
) -> Box<dyn Subject<Option<Met>> + 'a>
where
    C::Ray: 'a,
{
    Box::new(Frames {
        label,
        cast,
        rays: characters.rays.iter().map(C::ray).collect(),
        answers: vec![None; characters.rays.len()],
        characters: Rc::clone(characters),
        frames: frames as u64,
    })
}

impl<C: Cast> Frames<C> {
    fn timed(&self) -> Range<u64> {
        TICKS..TICKS + self.frames
    }
}

impl<C: Cast> Subject<Option<Met>> for Frames<C> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.cast.start(&self.characters, self.timed());
    }

    fn pass(&mut self) {
        for frame in self.timed() {
            self.cast.step(&self.characters, frame);
            let queries = self.rays.iter().zip(&self.characters.ages);
            for (answer, (ray, age)) in self.answers.iter_mut().zip(queries) {
                *answer = self.cast.nearest(ray, frame - age);
            }
            black_box(&self.answers);
        }
    }

    fn answers(&mut self) -> Vec<Option<Met>> {
        self.cast.answers_of(&self.answers, &self.characters)
    }

    fn bytes(&self) -> Option<usize> {
        self.cast.bytes()
    }
}
