//! Order, bounded memory, early ends.

use std::fs;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex};

use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Error, Input, Output, QuestionColumn, Questions,
    RunOptions, run,
};

use crate::{Countdown, Double, Folder, Page, Sum, answer, small_batches, text_input};

const ROWS: u32 = 50_000;

fn many_rows() -> String {
    let row = |i: u32| format!("{},{i}\n", i % 4);
    "x,id\n".to_owned() + &(0..ROWS).map(row).collect::<String>()
}

#[test]
fn threads_and_batches_change_nothing() {
    let mut expected = "x,id,row,status,t\n".to_owned();
    for i in 0..ROWS {
        let x = i % 4;
        if x == 0 {
            expected += &format!("{x},{i},{i},miss,\n");
        }
        for left in (1..=x).rev() {
            expected += &format!("{x},{i},{i},hit,{left}\n");
        }
    }
    let cancel = AtomicBool::new(false);
    for (threads, batch_rows) in [(1, 8192), (8, 1000), (8, 7), (3, 1)] {
        let options = RunOptions {
            threads: NonZeroUsize::new(threads).unwrap(),
            batch_rows: NonZeroUsize::new(batch_rows).unwrap(),
            ..RunOptions::new(&cancel)
        };
        let page = Page::default();
        let summary = run(text_input(many_rows()), page.output(), &Countdown, &options).unwrap();
        assert_eq!(summary.rows, u64::from(ROWS));
        // Not assert_eq, which would print megabytes.
        assert!(
            page.bytes() == expected.as_bytes(),
            "{threads} threads, {batch_rows} rows"
        );
    }
}

/// A table that never ends.
struct Endless;

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let row = b"1,1\n";
        let whole = out.len() / row.len() * row.len();
        for (byte, value) in out[..whole].iter_mut().zip(row.iter().cycle()) {
            *byte = *value;
        }
        Ok(whole)
    }
}

fn endless() -> Input {
    Input::Stream {
        name: "endless".to_owned(),
        reader: Box::new((&b"x,z\n"[..]).chain(Endless)),
    }
}

/// Answers as [`Sum`] and counts the rows it was given; the first batch waits until as many as may
/// be under way at once have come.
struct Counting<'a> {
    rows: &'a AtomicU64,
    wait_for: u64,
}

impl Answer for Counting<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        Sum.questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        Sum.answers()
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        self.rows
            .fetch_add(questions.len() as u64, Ordering::SeqCst);
        while questions.row_number(0) == 0 && self.rows.load(Ordering::SeqCst) < self.wait_for {
            std::thread::yield_now();
        }
        Sum.answer(questions, out);
    }
}

#[test]
fn batches_under_way_are_few_however_long_the_table_is() {
    const BATCH: u64 = 100;
    let answered = AtomicU64::new(0);
    let job = Counting {
        rows: &answered,
        // With four threads there are twelve batches at once.
        wait_for: 12 * BATCH,
    };
    let (cancel, most) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = |progress: hitscan_table::Progress| {
        most.fetch_max(
            answered.load(Ordering::SeqCst) - progress.rows,
            Ordering::SeqCst,
        );
        cancel.store(progress.rows >= 5000 * BATCH, Ordering::Relaxed);
    };
    let options = RunOptions {
        batch_rows: NonZeroUsize::new(100).unwrap(),
        progress: &progress,
        ..small_batches(&cancel)
    };
    let error = run(endless(), Page::default().output(), &job, &options).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
    assert!(most.load(Ordering::SeqCst) <= 12 * BATCH, "{most:?}");
}

#[test]
fn a_cancelled_run_leaves_nothing() {
    let folder = Folder::new();
    for name in ["hits.csv", "hits.parquet", "hits.arrow"] {
        let cancel = AtomicBool::new(false);
        let progress = |progress: hitscan_table::Progress| {
            cancel.store(progress.rows > 30, Ordering::Relaxed);
        };
        let options = RunOptions {
            progress: &progress,
            ..small_batches(&cancel)
        };
        let output = Output::File(folder.path(name));
        let error = run(endless(), output, &Sum, &options).unwrap_err();
        assert!(matches!(error, Error::Cancelled), "{error}");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

/// A stream that says nothing more and does not end until the test does.
struct Silent(Receiver<()>);

impl Read for Silent {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        Ok(0)
    }
}

#[test]
fn a_run_that_waits_for_input_can_be_cancelled() {
    let (hold, silence) = channel();
    let input = Input::Stream {
        name: "silent".to_owned(),
        reader: Box::new((&b"x,z\n1,1\n"[..]).chain(Silent(silence))),
    };
    let cancel = AtomicBool::new(false);
    let options = RunOptions {
        progress: &|_| cancel.store(true, Ordering::Relaxed),
        ..RunOptions::new(&cancel)
    };
    let error = run(input, Page::default().output(), &Sum, &options).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
    drop(hold);
}

/// A stream whose reader has gone away after some bytes.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            Some(left) => {
                self.0 = left;
                Ok(bytes.len())
            }
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_run_even_while_the_input_is_silent() {
    for (bytes, wait) in [(0, false), (10_000, false), (50, true)] {
        let output = Output::Stream {
            name: "pipe".to_owned(),
            writer: Box::new(Closing(bytes)),
        };
        let (hold, silence) = channel();
        let input = match wait {
            false => endless(),
            true => Input::Stream {
                name: "silent".to_owned(),
                reader: Box::new((&b"x,z\n1,1\n1,1\n"[..]).chain(Silent(silence))),
            },
        };
        let error = answer(input, output, &Sum).unwrap_err();
        assert!(matches!(error, Error::OutputClosed), "{error}");
        drop(hold);
    }
}

/// A stream that counts the bytes written.
#[derive(Clone, Default)]
struct Told(Arc<(Mutex<usize>, Condvar)>);

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.0.0.lock().unwrap() += bytes.len();
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hands out a row, and the next when the answer to the last was written.
struct Conversation {
    told: Told,
    rows: usize,
    seen: usize,
}

impl Read for Conversation {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let (written, changed) = &*self.told.0;
        let mut written = written.lock().unwrap();
        while *written == self.seen {
            written = changed.wait(written).unwrap();
        }
        self.seen = *written;
        if self.rows == 0 {
            return Ok(0);
        }
        self.rows -= 1;
        out[..4].copy_from_slice(b"1,1\n");
        Ok(4)
    }
}

#[test]
fn a_slow_producer_is_answered_row_by_row() {
    let told = Told::default();
    let conversation = Conversation {
        told: told.clone(),
        rows: 20,
        seen: 0,
    };
    let input = Input::Stream {
        name: "conversation".to_owned(),
        reader: Box::new((&b"x,z\n"[..]).chain(conversation)),
    };
    let output = Output::Stream {
        name: "told".to_owned(),
        writer: Box::new(told),
    };
    assert_eq!(answer(input, output, &Sum).unwrap().rows, 20);
}

#[test]
fn progress_ends_at_the_whole_table() {
    let folder = Folder::new();
    let path = folder.write("in.csv", many_rows());
    let cancel = AtomicBool::new(false);
    let (calls, last) = (AtomicUsize::new(0), Mutex::new(None));
    let progress = |now: hitscan_table::Progress| {
        calls.fetch_add(1, Ordering::Relaxed);
        *last.lock().unwrap() = Some(now);
    };
    let options = RunOptions {
        progress: &progress,
        ..RunOptions::new(&cancel)
    };
    for name in ["in.parquet", "in.arrow", "in.csv"] {
        let (page, input) = (Page::default(), folder.path(name));
        if name != "in.csv" {
            // Any job makes a file of the format; its answers are renamed on the way.
            let output = Output::File(input.clone());
            run(
                Input::File(path.clone()),
                output,
                &Countdown,
                &RunOptions::new(&cancel),
            )
            .unwrap();
        }
        let summary = run(Input::File(input), page.output(), &Double, &options).unwrap();
        let last = last.lock().unwrap().unwrap();
        assert_eq!(
            (last.rows, last.fraction),
            (summary.rows, Some(1.0)),
            "{name}"
        );
    }
    assert!(calls.load(Ordering::Relaxed) > 3 * 6);
    assert_eq!(folder.names(), ["in.arrow", "in.csv", "in.parquet"]);
    fs::remove_file(path).unwrap();
}
