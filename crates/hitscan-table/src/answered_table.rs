//! All rows of a table, each answered by itself as values, beside what the table says the answer is.
//!
//! For tables that are shown or compared with answers of before; [`run`](crate::run()) is for those
//! that are written.

use std::cell::OnceCell;
use std::fmt;

use arrow_array::RecordBatch;

use crate::csv::{Cells, CsvChunk, Fields, is_quoted, unquote};
use crate::run::until_stopped;
use crate::run_options::RunOptions;
use crate::schema::check_types;
use crate::single_row::Table;
use crate::source::{Chunk, InputSchema, Rows, Source};
use crate::{Answer, AnsweredRow, Error, Input};

/// What a row has in some columns of its table: their names and the texts of their fields, as CSV has
/// them; `None` where a field is empty.
pub type FileFields = [(String, Option<String>)];

/// The names of a table's columns.
///
/// ```
/// use hitscan_table::{Input, RunOptions, column_names};
/// use std::sync::atomic::AtomicBool;
/// let name = "rays.csv".to_owned();
/// let bytes = b"ox,oy,\"a note\"\n1,2,3\n".as_slice().into();
/// let cancel = AtomicBool::new(false);
/// let names = column_names(Input::Bytes { name, bytes }, &RunOptions::new(&cancel))?;
/// assert_eq!(names, ["ox", "oy", "a note"]);
/// # Ok::<(), hitscan_table::Error>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()) about its input.
pub fn column_names(input: Input, options: &RunOptions<'_>) -> Result<Vec<String>, Error> {
    until_stopped(options, |stop| {
        let (_, schema) = Source::open(input, options, stop)?;
        Ok(schema.names())
    })
}

/// Answers the rows of `input`, each by itself and in order, and passes them to `take` with what the
/// table has in the columns of the answer, so that a table of answers is run again, and in those that
/// are neither a question's nor an answer's.
///
/// ```
/// # use hitscan_table::{
/// #     Answer, AnswerBuilder, AnswerColumn, ColumnKind, Input, QuestionColumn, Questions, RunOptions,
/// #     Value, answer_rows,
/// # };
/// # use std::sync::atomic::AtomicBool;
/// struct Square;
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
/// let name = "squares.csv".to_owned();
/// let bytes = b"x,square\n2,4\n3,8\n".as_slice().into();
/// let cancel = AtomicBool::new(false);
/// let mut wrong = Vec::new();
/// answer_rows(Input::Bytes { name, bytes }, &Square, &RunOptions::new(&cancel), &mut |row, file, _| {
///     let Some(Value::Number(square)) = row.answers[0][0].1 else { return Ok(()) };
///     if file[0].1.as_deref() != Some(square.to_string().as_str()) {
///         wrong.push(row.location.row);
///     }
///     Ok(())
/// })?;
/// assert_eq!(wrong, [1]);
/// # Ok::<(), hitscan_table::Error>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()) about its input, but for columns with an answer's name; and those of
/// `take`.
///
/// # Panics
/// When `job` panics, or does not answer as [`AnswerBuilder`](crate::AnswerBuilder) requires.
pub fn answer_rows(
    input: Input,
    job: &dyn Answer,
    options: &RunOptions<'_>,
    take: &mut dyn FnMut(AnsweredRow, &FileFields, &OtherFields<'_, '_>) -> Result<(), Error>,
) -> Result<(), Error> {
    until_stopped(options, |stop| {
        let file = input.name();
        let (mut source, schema) = Source::open(input, options, stop)?;
        let table = Table::new(file.clone(), schema.names(), job, options)?;
        if let InputSchema::Columnar { schema, .. } = &schema {
            check_types(&file, schema, &table.mapping, job.questions())?;
        }
        let of_answer = table.answers.iter();
        let of_answer = of_answer.filter_map(|column| {
            let index = table.names.iter().position(|name| *name == column.name)?;
            Some((index, column.name.clone()))
        });
        let of_answer: Vec<(usize, String)> = of_answer.collect();
        // Those of the first row are those of all.
        let mut others = None;
        while let Some(chunk) = source.next_chunk()? {
            let rows = table.chunk(&chunk)?;
            let texts = ChunkTexts::new(&chunk);
            for index in 0..chunk.row_count() {
                if stop.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let row = rows.answer(index)?;
                let fields = texts.of_row(index, of_answer.iter().map(|(column, _)| *column));
                let names = of_answer.iter().map(|(_, name)| name.clone());
                let answer: Vec<_> = names.zip(fields).collect();
                let others: &[usize] = others.get_or_insert_with(|| {
                    let is_other = |name: &String| {
                        !row.question.iter().any(|(column, _)| column == name)
                            && !of_answer.iter().any(|(_, column)| column == name)
                    };
                    let others = (0..table.names.len()).filter(|&at| is_other(&table.names[at]));
                    others.collect::<Vec<usize>>()
                });
                let others = OtherFields {
                    names: &table.names,
                    columns: others,
                    texts: &texts,
                    row: index,
                };
                take(row, &answer, &others)?;
            }
        }
        Ok(())
    })
}

/// The fields of a row that are neither a question's nor an answer's, read on demand.
pub struct OtherFields<'a, 'c> {
    names: &'a [String],
    columns: &'a [usize],
    texts: &'a ChunkTexts<'c>,
    row: usize,
}

impl OtherFields<'_, '_> {
    /// The first of them, at most so many.
    #[must_use]
    pub fn first(&self, most: usize) -> Vec<(String, Option<String>)> {
        let columns = &self.columns[..self.columns.len().min(most)];
        let texts = self.texts.of_row(self.row, columns.iter().copied());
        let names = columns.iter().map(|&column| self.names[column].clone());
        names.zip(texts).collect()
    }
}

impl fmt::Debug for OtherFields<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.columns.iter().map(|&column| &self.names[column]);
        f.debug_list().entries(names).finish()
    }
}

/// The fields of a chunk as texts.
enum ChunkTexts<'c> {
    Csv(&'c CsvChunk),
    /// How the values of each column are written, once one of them was; `None` where they cannot be.
    Columnar(&'c RecordBatch, Vec<OnceCell<Option<Cells<'c>>>>),
}

impl<'c> ChunkTexts<'c> {
    fn new(chunk: &'c Chunk) -> Self {
        match &chunk.rows {
            Rows::Csv(rows) => Self::Csv(rows),
            Rows::Columnar(batch) => {
                let cells = (0..batch.num_columns()).map(|_| OnceCell::new());
                Self::Columnar(batch, cells.collect())
            }
        }
    }

    /// The texts of some fields of a row; `None` where one is empty.
    fn of_row(&self, row: usize, columns: impl Iterator<Item = usize>) -> Vec<Option<String>> {
        match self {
            Self::Csv(rows) => {
                let row = rows.row(row);
                let mut fields = Fields::default();
                fields.split(row);
                let text = |column| text_of_field(fields.get(row, column));
                columns.map(text).collect()
            }
            Self::Columnar(batch, cells) => {
                let text = |column: usize| {
                    let cells = cells[column].get_or_init(|| Cells::new(batch.column(column)).ok());
                    let mut field = Vec::new();
                    cells.as_ref()?.write(row, &mut field).ok()?;
                    text_of_field(&field)
                };
                columns.map(text).collect()
            }
        }
    }
}

fn text_of_field(field: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&unquote(field)).into_owned();
    (is_quoted(field) || !text.trim().is_empty()).then_some(text)
}
