//! Passes that run wholly in C or C++, for peers that are libraries of those.
//!
//! No `unsafe` is here; each peer's own file calls its shim.

use crate::answer::{Answer, Met, Touch, UNNUMBERED};
use crate::label::Label;
use crate::subject::Subject;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::hint::black_box;

/// How many questions a thread takes at once: whole packets of 16.
const CHUNK: usize = 1024;

/// A hit as C answers it; t is infinite where there is none. `native/questions.h` is the same.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct RawMet {
    pub t: f32,
    pub primitive: u32,
}

/// What a shim answers, and how it reads.
pub trait Raw: Copy + Default + Send + 'static {
    type Answer: Answer;
    fn read(self) -> Self::Answer;
}

impl Raw for RawMet {
    type Answer = Option<Met>;

    fn read(self) -> Option<Met> {
        let Self { t, primitive } = self;
        (t < f32::INFINITY).then_some(Met { t, primitive })
    }
}

/// A first contact as C answers it; the distance is infinite where there is none.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct RawTouch {
    pub distance: f32,
    pub normal: [f32; 3],
}

impl Raw for RawTouch {
    type Answer = Option<Touch>;

    fn read(self) -> Option<Touch> {
        let Self { distance, normal } = self;
        let primitive = UNNUMBERED;
        (distance < f32::INFINITY).then_some(Touch {
            distance,
            normal,
            primitive,
        })
    }
}

impl Raw for bool {
    type Answer = bool;

    fn read(self) -> bool {
        self
    }
}

/// Calls a shim for the answers from the `first` question on, as many as there is room for.
pub struct Native<'a, R, F> {
    label: Label,
    raw: Vec<R>,
    ask: F,
    pool: Option<&'a ThreadPool>,
}

pub fn native<'a, R: Raw>(
    label: Label,
    count: usize,
    pool: Option<&'a ThreadPool>,
    ask: impl Fn(usize, &mut [R]) + Sync + 'a,
) -> Box<dyn Subject<R::Answer> + 'a> {
    Box::new(Native {
        label,
        raw: vec![R::default(); count],
        ask,
        pool,
    })
}

impl<R: Raw, F: Fn(usize, &mut [R]) + Sync> Subject<R::Answer> for Native<'_, R, F> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn pass(&mut self) {
        let (ask, raw) = (&self.ask, &mut self.raw);
        match self.pool {
            None => ask(0, raw),
            Some(pool) => pool.install(|| {
                let chunks = raw.par_chunks_mut(CHUNK).enumerate();
                chunks.for_each(|(chunk, raw)| ask(chunk * CHUNK, raw));
            }),
        }
        black_box(&self.raw);
    }

    fn answers(&mut self) -> Vec<R::Answer> {
        self.raw.iter().map(|raw| raw.read()).collect()
    }
}
