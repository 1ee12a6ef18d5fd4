//! Batches of typed columns in memory, answered without a file.
//!
//! For callers that have Arrow data of their own and decide themselves how it is read, on which
//! threads it is answered and where it goes; [`run`](crate::run()) is for files.

use std::fmt;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::bad_rows::Treatment;
use crate::pass_through::{OutputChunk, Plan};
use crate::run::answer_chunk;
use crate::run_options::RunOptions;
use crate::schema::OutputSchema;
use crate::source::{Chunk, InputSchema, Rows};
use crate::{Answer, Error, Format};

/// Answers batches of one schema, on any number of threads.
///
/// The columns of a batch are in its answer, in front of the answer's own and not copied, unless a
/// question has not exactly one answer. Values are read as those of a file with such columns.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use arrow_array::{Float64Array, RecordBatch, cast::AsArray, types::Float32Type};
/// use hitscan_table::{
///     Answer, AnswerBuilder, AnswerColumn, BatchAnswerer, ColumnKind, QuestionColumn, Questions,
///     RunOptions,
/// };
///
/// struct Square;
///
/// impl Answer for Square {
///     fn questions(&self) -> &[QuestionColumn] {
///         const { &[QuestionColumn::required("x")] }
///     }
///     fn answers(&self) -> &[AnswerColumn] {
///         const { &[AnswerColumn::new("square", ColumnKind::F32)] }
///     }
///     fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
///         for (i, x) in questions.column(0).iter().enumerate() {
///             out.row(i).f32(x * x);
///         }
///     }
/// }
///
/// let x = Arc::new(Float64Array::from(vec![1.5, f64::NAN, 3.0]));
/// let batch = RecordBatch::try_from_iter([("x", x as _)])?;
/// let cancel = AtomicBool::new(false);
/// let answerer =
///     BatchAnswerer::new("points", batch.schema(), &Square, &RunOptions::new(&cancel))?;
/// let answers = answerer.answer(&batch, 0)?;
/// assert_eq!(&answers.schema(), answerer.schema());
/// let squares: Vec<_> = answers["square"].as_primitive::<Float32Type>().iter().collect();
/// assert_eq!(squares, [Some(2.25), None, Some(9.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchAnswerer<'a> {
    plan: Plan<'a>,
    job: &'a dyn Answer,
    treatment: Treatment,
    schema: SchemaRef,
}

impl<'a> BatchAnswerer<'a> {
    /// Checks the columns of batches, which messages call `name`. Of the options `invalid_rows`,
    /// `prefix` and `columns` count.
    ///
    /// # Errors
    /// Those of [`run`](crate::run()) about the columns of its input.
    pub fn new(
        name: &str,
        schema: SchemaRef,
        job: &'a dyn Answer,
        options: &RunOptions<'_>,
    ) -> Result<Self, Error> {
        let input = InputSchema::Columnar {
            schema: schema.clone(),
            // Batches are passed on one by one, each with its own dictionaries.
            one_dictionary: true,
        };
        let plan = Plan::new(name.to_owned(), input, Format::Arrow, job, options)?;
        let plan = plan.without_counts();
        let schema = match plan.output_schema() {
            OutputSchema::Columnar(schema) => schema.clone(),
            OutputSchema::Csv(_) => schema,
        };
        Ok(Self {
            plan,
            job,
            treatment: Treatment::of(options),
            schema,
        })
    }

    /// The schema of the answers.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Answers the rows of a batch in order; the first has the number `first_row`.
    ///
    /// # Errors
    /// [`Error::InvalidRow`] if such rows are refused, and [`Error::Damaged`] when the batch
    /// contradicts the schema.
    ///
    /// # Panics
    /// When the [`Answer`] panics, or does not answer as
    /// [`AnswerBuilder`](crate::AnswerBuilder) requires.
    pub fn answer(&self, batch: &RecordBatch, first_row: u64) -> Result<RecordBatch, Error> {
        let chunk = Chunk {
            first_row,
            rows: Rows::Columnar(batch.clone()),
            fraction: None,
            file: None,
        };
        let answered = answer_chunk(&self.plan, self.job, self.treatment, &chunk)?;
        match answered.output {
            OutputChunk::Columnar(answers) => Ok(answers),
            OutputChunk::Csv(_) => unreachable!("chunks have the format of the schema"),
        }
    }
}

impl fmt::Debug for BatchAnswerer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchAnswerer")
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}
