//! Questions made of rows of several arrays, read a chunk at a time on the threads that answer them.

use crate::arrays::{Argument, broadcast};
use crate::invalid::{BadRows, Invalid};
use crate::past::Times;
use crate::python_memory::{Column, Rows};
use crate::rows_on_threads::{Buffers, chunk_rows, for_each};
use crate::threads::lock;
use crate::view::{Target, View};
use hitscan::Error;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::Mutex;

/// What a row of an array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// One element.
    Number,
    /// The last axis, of so many elements: 3 or 4.
    Of(usize),
    /// x and z of a last axis of two elements (x, z) or three (x, y, z).
    Ground,
}

/// An array of a call.
pub(crate) struct Asked<'a, 'py> {
    pub(crate) name: &'static str,
    pub(crate) value: &'a Bound<'py, PyAny>,
    pub(crate) row: Row,
}

/// A few neighbouring numbers of each question.
enum Part {
    Numbers(Rows),
    Pairs(Rows),
    Triples(Rows),
    Quads(Rows),
}

/// The questions of a call.
pub(crate) struct Questions {
    parts: Vec<Part>,
    /// How many numbers a question has.
    width: usize,
    shape: Vec<usize>,
    count: usize,
    /// What a question is called in errors.
    name: &'static str,
    /// Whether the first array is wider than f32.
    is_wide: bool,
    invalid: Invalid,
    threads: Option<usize>,
    /// The time of each row, where it is not the present.
    times: Option<Times>,
}

/// A chunk of questions.
pub(crate) struct Chunk<Q> {
    values: Vec<f64>,
    /// Those that are questions.
    pub(crate) questions: Vec<Q>,
    /// The row of each of them.
    pub(crate) rows: Vec<usize>,
    /// The rows that are none.
    pub(crate) bad: Vec<usize>,
}

impl<Q> Default for Chunk<Q> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            questions: Vec::new(),
            rows: Vec::new(),
            bad: Vec::new(),
        }
    }
}

/// The answers of questions that may have any number of them.
pub(crate) struct Flat<A> {
    /// Those of the first question first.
    pub(crate) answers: Vec<A>,
    /// How many each question has.
    pub(crate) counts: Vec<usize>,
}

impl Questions {
    /// The questions in these arrays, broadcast with one another and with `also`, the name and the
    /// shape of something else that has rows.
    ///
    /// # Errors
    /// `TypeError` and `ValueError` for what is not such arrays.
    pub(crate) fn new(
        (py, view): (Python<'_>, &View),
        name: &'static str,
        asked: &[Asked<'_, '_>],
        also: Option<(&'static str, usize)>,
        (invalid, threads): (&str, Option<usize>),
    ) -> PyResult<Self> {
        let invalid = Invalid::named(invalid)?;
        let past = view.past.as_ref();
        let ticks = past.map(|past| past.argument(py)).transpose()?;
        let arguments = asked.iter().map(|one| Argument::new(one.name, one.value));
        let arguments = arguments.collect::<PyResult<Vec<_>>>()?;
        let also = also.map(|(name, count)| (name, [count]));
        let mut shapes = Vec::with_capacity(arguments.len() + 1);
        for (argument, one) in arguments.iter().zip(asked) {
            let leading = match (one.row, argument.shape().last()) {
                (Row::Number, _) => argument.shape(),
                (Row::Of(width), _) => argument.leading(width)?,
                (Row::Ground, Some(3)) => argument.leading(3)?,
                (Row::Ground, Some(2)) => argument.leading(2)?,
                (Row::Ground, _) => return Err(argument.unexpected("(..., 2) or (..., 3)")),
            };
            shapes.push((one.name, leading));
        }
        shapes.extend(also.as_ref().map(|(name, count)| (*name, count.as_slice())));
        shapes.extend(ticks.as_ref().map(|ticks| (ticks.name(), ticks.shape())));
        let shape = broadcast(&shapes)?;
        let mut parts = Vec::with_capacity(arguments.len());
        let mut width = 0;
        for (argument, one) in arguments.iter().zip(asked) {
            let rows = |columns| argument.rows(&shape, columns);
            match one.row {
                Row::Number => parts.push(Part::Numbers(rows(None)?)),
                Row::Of(4) => parts.push(Part::Quads(rows(Some((0, 4)))?)),
                Row::Of(_) => parts.push(Part::Triples(rows(Some((0, 3)))?)),
                Row::Ground if argument.shape().last() == Some(&2) => {
                    parts.push(Part::Pairs(rows(Some((0, 2)))?));
                }
                Row::Ground => {
                    parts.push(Part::Numbers(rows(Some((0, 1)))?));
                    parts.push(Part::Numbers(rows(Some((2, 1)))?));
                }
            }
            width += match one.row {
                Row::Number => 1,
                Row::Of(width) => width,
                Row::Ground => 2,
            };
        }
        let times = past
            .zip(ticks.as_ref())
            .map(|(past, ticks)| past.times(ticks, &shape, invalid == Invalid::Mark));
        Ok(Self {
            times: times.transpose()?,
            parts,
            width,
            count: shape.iter().product(),
            shape,
            name,
            is_wide: arguments
                .first()
                .is_none_or(|argument| !argument.number().fits_f32()),
            invalid,
            threads,
        })
    }

    /// The leading axes.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// What answers a row.
    pub(crate) fn target<'a>(&self, view: &'a View, row: usize) -> Cow<'a, Target> {
        view.at(self.times.as_ref(), row)
    }

    /// Whether rows query different times.
    pub(crate) fn have_times(&self) -> bool {
        self.times.is_some()
    }

    /// Whether positions are answered in f64.
    pub(crate) fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Makes a question of each row and its numbers, and calls `answer` with each chunk of them, until
    /// the call is to fail.
    ///
    /// # Errors
    /// `ValueError` for rows that are no question, unless they are only marked; what a signal raised.
    pub(crate) fn answer<Q: Send>(
        &self,
        py: Python<'_>,
        make: impl Fn(usize, &[f64]) -> Result<Q, Error> + Sync,
        answer: impl Fn(&Chunk<Q>) + Sync,
    ) -> PyResult<()> {
        let bad = BadRows::new(self.invalid);
        let chunk = chunk_rows(self.count, self.threads);
        let buffers = Buffers::<Chunk<Q>>::new();
        for_each(py, self.count.div_ceil(chunk), self.threads, |number| {
            let first = number * chunk;
            buffers.with(|buffer| {
                self.read(first, chunk.min(self.count - first), buffer, &make, &bad);
                // Of a call that fails the other rows are only counted.
                if !bad.fails() {
                    answer(buffer);
                }
            });
        })?;
        bad.check(self.name, &self.shape)
    }

    /// As [`Self::answer`], where `answer` is called with each row and its question; `None` where the
    /// row is none.
    pub(crate) fn answer_each<Q: Send>(
        &self,
        py: Python<'_>,
        make: impl Fn(usize, &[f64]) -> Result<Q, Error> + Sync,
        answer: impl Fn(usize, Option<&Q>) + Sync,
    ) -> PyResult<()> {
        self.answer(py, make, |chunk| {
            for (&row, question) in chunk.rows.iter().zip(&chunk.questions) {
                answer(row, Some(question));
            }
            for &row in &chunk.bad {
                answer(row, None);
            }
        })
    }

    /// As [`Self::answer`], where an answer is yes or no; of rows that are no question it is no.
    pub(crate) fn answer_flags<Q: Send>(
        &self,
        py: Python<'_>,
        make: impl Fn(usize, &[f64]) -> Result<Q, Error> + Sync,
        answer: impl Fn(usize, &Q) -> bool + Sync,
    ) -> PyResult<Py<PyArrayDyn<bool>>> {
        let column = Column::new(py, &self.shape)?;
        self.answer_each(py, make, |row, question| {
            column.put(row, question.is_some_and(|question| answer(row, question)));
        })?;
        Ok(column.into_array())
    }

    /// As [`Self::answer`], where `answer` finds any number of answers of a question.
    pub(crate) fn answer_flat<Q: Send, A: Send>(
        &self,
        py: Python<'_>,
        make: impl Fn(usize, &[f64]) -> Result<Q, Error> + Sync,
        answer: impl Fn(usize, &Q) -> Vec<A> + Sync,
    ) -> PyResult<Flat<A>> {
        let found = Mutex::new(Vec::new());
        self.answer(py, make, |chunk| {
            let mut answers = Vec::new();
            let mut counts = Vec::with_capacity(chunk.rows.len());
            for (&row, question) in chunk.rows.iter().zip(&chunk.questions) {
                let start = answers.len();
                answers.extend(answer(row, question));
                counts.push((row, answers.len() - start));
            }
            if !answers.is_empty() {
                lock(&found).push((counts, answers));
            }
        })?;
        let mut found = found
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // Chunks are in the order of their first rows.
        found.sort_unstable_by_key(|(counts, _)| counts.first().map(|(row, _)| *row));
        let mut flat = Flat {
            answers: Vec::with_capacity(found.iter().map(|(_, answers)| answers.len()).sum()),
            counts: vec![0; self.count],
        };
        for (counts, answers) in found {
            for (row, count) in counts {
                flat.counts[row] = count;
            }
            flat.answers.extend(answers);
        }
        Ok(flat)
    }

    fn read<Q>(
        &self,
        first: usize,
        count: usize,
        chunk: &mut Chunk<Q>,
        make: impl Fn(usize, &[f64]) -> Result<Q, Error>,
        bad: &BadRows,
    ) {
        chunk.values.resize(count * self.width, 0.0);
        let mut place = 0;
        for part in &self.parts {
            let into = (chunk.values.as_mut_slice(), self.width, place);
            place += match part {
                Part::Numbers(rows) => read_part::<1>(rows, first, into),
                Part::Pairs(rows) => read_part::<2>(rows, first, into),
                Part::Triples(rows) => read_part::<3>(rows, first, into),
                Part::Quads(rows) => read_part::<4>(rows, first, into),
            };
        }
        chunk.questions.clear();
        chunk.rows.clear();
        chunk.bad.clear();
        for place in 0..count {
            let row = first + place;
            let values = &chunk.values[place * self.width..(place + 1) * self.width];
            let made = match &self.times {
                Some(times) => times.check(row).and_then(|()| make(row, values)),
                None => make(row, values),
            };
            match made {
                Ok(question) => {
                    chunk.questions.push(question);
                    chunk.rows.push(row);
                }
                Err(reason) => {
                    chunk.bad.push(row);
                    bad.note(row, reason);
                }
            }
        }
    }
}

/// Reads rows of `N` numbers to the places from `place` on of questions of `width` numbers.
fn read_part<const N: usize>(
    rows: &Rows,
    first: usize,
    (values, width, place): (&mut [f64], usize, usize),
) -> usize {
    const AT_ONCE: usize = 128;
    let mut buffer = [[0.0; N]; AT_ONCE];
    let mut next = first;
    for questions in values.chunks_mut(AT_ONCE * width) {
        let some = &mut buffer[..questions.len() / width];
        rows.read(next, some);
        next += some.len();
        for (question, row) in questions.chunks_exact_mut(width).zip(some) {
            question[place..place + N].copy_from_slice(row);
        }
    }
    N
}

/// The numbers of a row from `place` on.
pub(crate) fn three(values: &[f64], place: usize) -> [f64; 3] {
    [values[place], values[place + 1], values[place + 2]]
}

/// A distance that is 0 or more; it may be infinite.
pub(crate) fn distance(what: &'static str, found: f64) -> Result<f64, Error> {
    if found >= 0.0 {
        return Ok(found);
    }
    Err(Error::BadValue {
        what,
        expected: "at least 0",
        found,
    })
}
