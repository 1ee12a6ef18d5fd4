//! A subject: something that answers all questions of a workload in one timed pass.
//!
//! Inputs are prepared in the subject's own types beforehand; answers are stored, and turned into
//! forms that compare only after the clock has stopped.

use crate::label::Label;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::hint::black_box;

pub trait Subject<A> {
    fn label(&self) -> &Label;

    /// What must be done before each pass and is not part of the question.
    fn prepare(&mut self) {}

    /// Answers all questions. This is what is timed.
    fn pass(&mut self);

    /// The answers of the last pass.
    fn answers(&mut self) -> Vec<A>;

    /// The memory that what the last pass built takes, where it built something.
    fn bytes(&self) -> Option<usize> {
        None
    }
}

pub type Subjects<'a, A> = Vec<Box<dyn Subject<A> + 'a>>;

/// How many questions a thread takes at once.
const CHUNK: usize = 1024;

/// Answers one question after the other, on one thread or on a pool's.
pub struct Each<'a, I, A, F> {
    label: Label,
    inputs: Vec<I>,
    answers: Vec<A>,
    ask: F,
    pool: Option<&'a ThreadPool>,
}

/// A subject that calls `ask` for each of `inputs`.
pub fn each<'a, I, A, F>(
    label: Label,
    inputs: Vec<I>,
    pool: Option<&'a ThreadPool>,
    ask: F,
) -> Box<dyn Subject<A> + 'a>
where
    I: Sync + 'a,
    A: Copy + Default + Send + 'static,
    F: Fn(&I) -> A + Sync + 'a,
{
    let answers = vec![A::default(); inputs.len()];
    Box::new(Each {
        label,
        inputs,
        answers,
        ask,
        pool,
    })
}

impl<I, A, F> Subject<A> for Each<'_, I, A, F>
where
    I: Sync,
    A: Copy + Send,
    F: Fn(&I) -> A + Sync,
{
    fn label(&self) -> &Label {
        &self.label
    }

    fn pass(&mut self) {
        let ask = &self.ask;
        let answer_all = |(inputs, answers): (&[I], &mut [A])| {
            for (input, answer) in inputs.iter().zip(answers) {
                *answer = ask(input);
            }
        };
        match self.pool {
            None => answer_all((&self.inputs, &mut self.answers)),
            Some(pool) => pool.install(|| {
                let inputs = self.inputs.par_chunks(CHUNK);
                let answers = self.answers.par_chunks_mut(CHUNK);
                inputs.zip(answers).for_each(answer_all);
            }),
        }
        black_box(&self.answers);
    }

    fn answers(&mut self) -> Vec<A> {
        self.answers.clone()
    }
}

/// A subject whose answers are read in another way.
struct Mapped<'a, A, F> {
    subject: Box<dyn Subject<A> + 'a>,
    map: F,
}

/// A subject whose answer to each question, given with the question's number, becomes another.
pub fn mapped<'a, A: 'a, B: 'a>(
    subject: Box<dyn Subject<A> + 'a>,
    map: impl Fn(usize, A) -> B + 'a,
) -> Box<dyn Subject<B> + 'a> {
    Box::new(Mapped { subject, map })
}

impl<A, B, F: Fn(usize, A) -> B> Subject<B> for Mapped<'_, A, F> {
    fn label(&self) -> &Label {
        self.subject.label()
    }

    fn prepare(&mut self) {
        self.subject.prepare();
    }

    fn pass(&mut self) {
        self.subject.pass();
    }

    fn answers(&mut self) -> Vec<B> {
        let answers = self.subject.answers().into_iter().enumerate();
        answers
            .map(|(question, answer)| (self.map)(question, answer))
            .collect()
    }
}

/// One call that answers everything into memory that is used again.
pub struct Filled<R, F, C> {
    label: Label,
    results: Vec<R>,
    fill: F,
    read: C,
}

/// A subject of one call that fills `results`, which keep their memory from pass to pass.
pub fn filled<'a, R: 'a, A: 'a>(
    label: Label,
    results: Vec<R>,
    fill: impl FnMut(&mut Vec<R>) + 'a,
    read: impl Fn(&R) -> A + 'a,
) -> Box<dyn Subject<A> + 'a> {
    Box::new(Filled {
        label,
        results,
        fill,
        read,
    })
}

impl<R, A, F, C> Subject<A> for Filled<R, F, C>
where
    F: FnMut(&mut Vec<R>),
    C: Fn(&R) -> A,
{
    fn label(&self) -> &Label {
        &self.label
    }

    fn pass(&mut self) {
        (self.fill)(&mut self.results);
        black_box(&self.results);
    }

    fn answers(&mut self) -> Vec<A> {
        self.results.iter().map(&self.read).collect()
    }
}

/// Something that is built in the timed pass, and the bytes that it takes.
pub struct Build<T, R, B> {
    label: Label,
    last: Option<T>,
    run: R,
    bytes: B,
}

/// A subject that builds; what it built is dropped before the next build's clock starts.
pub fn build<'a, T: 'a>(
    label: Label,
    run: impl FnMut() -> T + 'a,
    bytes: impl Fn(&T) -> usize + 'a,
) -> Box<dyn Subject<()> + 'a> {
    Box::new(Build {
        label,
        last: None,
        run,
        bytes,
    })
}

impl<T, R: FnMut() -> T, B: Fn(&T) -> usize> Subject<()> for Build<T, R, B> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.last = None;
    }

    fn pass(&mut self) {
        self.last = Some(black_box((self.run)()));
    }

    fn answers(&mut self) -> Vec<()> {
        vec![(); usize::from(self.last.is_some())]
    }

    fn bytes(&self) -> Option<usize> {
        self.last.as_ref().map(&self.bytes)
    }
}
