//! A table of answers in parts, each a file of its own: what is whole stays, however a run ends.

use std::path::PathBuf;
use std::time::Instant;

use crate::output_writer::OutputWriter;
use crate::pass_through::Plan;
use crate::run::{Answered, answer_all, until_stopped};
use crate::run_options::{Progress, RunOptions, Summary};
use crate::schema::OutputSchema;
use crate::source::Source;
use crate::{Answer, Error, Format, Input, Output, RowRange, check_output, read_parquet_footer};

/// Some rows of an input, and the file of their answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The rows.
    pub rows: RowRange,
    /// The file. All parts have the same ending.
    pub output: PathBuf,
}

impl Part {
    /// `count` parts with as many of the `rows` each, give or take one; `output` names the file of a part by its
    /// place among them, from 0.
    ///
    /// ```
    /// use hitscan_table::{Part, RowRange};
    /// let parts = Part::divide(RowRange { start: 100, end: 110 }, 3, |i| format!("{i}.csv").into());
    /// let rows: Vec<[u64; 2]> = parts.iter().map(|part| [part.rows.start, part.rows.end]).collect();
    /// assert_eq!(rows, [[100, 103], [103, 106], [106, 110]]);
    /// ```
    #[must_use]
    pub fn divide(rows: RowRange, count: u32, output: impl Fn(u32) -> PathBuf) -> Vec<Self> {
        let all = u128::from(rows.end.saturating_sub(rows.start));
        let bound = |i: u32| {
            let before = all * u128::from(i) / u128::from(count);
            rows.start + u64::try_from(before).unwrap_or(u64::MAX)
        };
        let part = |i| Self {
            rows: RowRange {
                start: bound(i),
                end: bound(i + 1),
            },
            output: output(i),
        };
        (0..count).map(part).collect()
    }
}

/// How many rows an input has: those of Parquet by its footer, other formats are read for it.
///
/// ```
/// use hitscan_table::{Input, RunOptions, count_rows};
/// use std::sync::atomic::AtomicBool;
/// let bytes = b"x\n1\n2\n\n3".as_slice().into();
/// let name = "numbers.csv".to_owned();
/// let cancel = AtomicBool::new(false);
/// assert_eq!(count_rows(Input::Bytes { name, bytes }, &RunOptions::new(&cancel))?, 3);
/// # Ok::<(), hitscan_table::Error>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()) about its input.
pub fn count_rows(input: Input, options: &RunOptions<'_>) -> Result<u64, Error> {
    let options = &RunOptions {
        rows: None,
        ..*options
    };
    let files = match input {
        Input::Files(paths) => paths.into_iter().map(Input::File).collect(),
        input => vec![input],
    };
    until_stopped(options, |stop| {
        let mut rows = 0;
        for file in files {
            let format = file.format(options.input_format)?;
            if let (Format::Parquet, Input::File(path)) = (format, &file) {
                rows += read_parquet_footer(path)?.rows();
                continue;
            }
            let (mut source, _) = Source::open(file, options, stop)?;
            while let Some(chunk) = source.next_chunk()? {
                if stop.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                rows += chunk.row_count() as u64;
            }
        }
        Ok(rows)
    })
}

/// As [`run`](crate::run()), with the answers of each of `parts`, which are in order and do not overlap, in a
/// file of its own. A file appears when its part is whole; `written` is then called with the part's index
/// in `parts` and its summary. Rows of no part are not answered.
///
/// The input is read once. Of [`RunOptions`] `rows` does not count, and an error of `invalid_rows` leaves
/// the parts before it.
///
/// ```
/// # use hitscan_table::{Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions};
/// use hitscan_table::{Input, Part, RowRange, RunOptions, run_parts};
/// # struct Square;
/// # impl Answer for Square {
/// #     fn questions(&self) -> &[QuestionColumn] {
/// #         const { &[QuestionColumn::required("x")] }
/// #     }
/// #     fn answers(&self) -> &[AnswerColumn] {
/// #         const { &[AnswerColumn::new("square", ColumnKind::F32)] }
/// #     }
/// #     fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
/// #         for (i, x) in questions.column(0).iter().enumerate() {
/// #             out.row(i).f32(x * x);
/// #         }
/// #     }
/// # }
/// # use std::sync::atomic::AtomicBool;
/// # let folder = std::env::temp_dir().join("hitscan-table-run-parts-example");
/// # std::fs::create_dir_all(&folder)?;
/// # let cancel = AtomicBool::new(false);
/// let (name, bytes) = ("numbers.csv".to_owned(), b"x\n1\n2\n3\n".as_slice().into());
/// let rows = RowRange { start: 0, end: 3 };
/// let parts = Part::divide(rows, 2, |i| folder.join(format!("part-{i}.csv")));
/// let options = RunOptions::new(&cancel);
/// run_parts(Input::Bytes { name, bytes }, &parts, &Square, &options, &mut |_, _| {})?;
/// assert_eq!(std::fs::read_to_string(&parts[1].output)?, "x,square\n2,4\n3,9\n");
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()).
///
/// # Panics
/// When `job` panics, or does not answer as [`AnswerBuilder`](crate::AnswerBuilder) requires.
pub fn run_parts(
    input: Input,
    parts: &[Part],
    job: &dyn Answer,
    options: &RunOptions<'_>,
    written: &mut dyn FnMut(usize, &Summary),
) -> Result<Summary, Error> {
    let Some(first) = parts.first() else {
        return Ok(Summary::default());
    };
    until_stopped(options, |stop| {
        let file = input.name();
        let output = Output::File(first.output.clone());
        let format = output.format(options.output_format)?;
        check_output(&output)?;
        let ranges = parts.iter().map(|part| part.rows);
        let ranges: Vec<RowRange> = ranges.filter(|rows| rows.start < rows.end).collect();
        let (source, schema) = Source::open_ranges(input, options, &ranges, stop)?;
        let plan = Plan::new(file.clone(), schema, format, job, options)?;
        let mut writer = PartWriter {
            file: &file,
            parts,
            format,
            schema: plan.output_schema(),
            options,
            written,
            current: 0,
            open: None,
            total: Summary {
                first_row: first.rows.start,
                coarse_columns: plan.coarse_columns(),
                ..Summary::default()
            },
        };
        let reading = answer_all(source, &plan, job, options, stop, &mut |answered| {
            writer.write(answered)
        })?;
        writer.finish_until(u64::MAX)?;
        let mut total = writer.total;
        total.times.reading = reading;
        Ok(total)
    })
}

/// Writes parts one after the other.
struct PartWriter<'a> {
    /// What messages call the input.
    file: &'a str,
    parts: &'a [Part],
    format: Format,
    schema: &'a OutputSchema,
    options: &'a RunOptions<'a>,
    written: &'a mut dyn FnMut(usize, &Summary),
    /// The place of the part that is written.
    current: usize,
    open: Option<(OutputWriter, Summary)>,
    /// Of the parts that are whole.
    total: Summary,
}

impl PartWriter<'_> {
    /// Writes a chunk, whose rows are of one part.
    fn write(&mut self, answered: Answered) -> Result<(), Error> {
        self.finish_until(answered.first_row)?;
        let options = self.options;
        let (fraction, end) = (answered.fraction, answered.end_row());
        let (mut writer, mut summary) = self.opened()?;
        let begin = Instant::now();
        writer.write(&answered.output)?;
        summary.times.writing += begin.elapsed();
        answered.add_to(&mut summary, options);
        (options.progress)(Progress {
            rows: self.total.rows + summary.rows,
            fraction,
        });
        self.open = Some((writer, summary));
        // What is whole gets its name at once: the next rows may be long in coming.
        self.finish_until(end)
    }

    /// The part that is written, which is created where nothing of it was written yet.
    fn opened(&mut self) -> Result<(OutputWriter, Summary), Error> {
        if let Some(open) = self.open.take() {
            return Ok(open);
        }
        let part = &self.parts[self.current];
        let output = Output::File(part.output.clone());
        let summary = Summary {
            first_row: part.rows.start,
            ..Summary::default()
        };
        Ok((
            OutputWriter::create(output, self.format, self.schema)?,
            summary,
        ))
    }

    /// Completes all parts whose rows come before `row`, those without rows too.
    fn finish_until(&mut self, row: u64) -> Result<(), Error> {
        while self
            .parts
            .get(self.current)
            .is_some_and(|part| part.rows.end <= row)
        {
            let (writer, mut summary) = self.opened()?;
            let part = &self.parts[self.current].rows;
            if summary.rows < part.end - part.start {
                // The input was cut off since its rows were counted.
                let end = part.start + summary.rows;
                let file = self.file.to_owned();
                return Err(Error::NoSuchRow {
                    file,
                    row: end,
                    rows: end,
                });
            }
            summary.check(self.options.invalid_rows)?;
            let begin = Instant::now();
            writer.finish((self.options.footer)(&summary))?;
            summary.times.writing += begin.elapsed();
            (self.written)(self.current, &summary);
            self.total.extend(summary);
            self.current += 1;
        }
        Ok(())
    }
}
