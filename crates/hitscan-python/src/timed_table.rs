//! Tables whose rows query the past, each its own tick.

use crate::objects::Objects;
use crate::past::not_kept;
use crate::query::Query;
use crate::table_scene::scene_of;
use crate::view::View;
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use glam::DVec3;
use hitscan::world::Past;
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Frame, QuestionColumn, Questions, f64_values,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// The past of a world, and the column with each row's tick.
#[derive(Clone)]
pub(crate) struct TimedScenes {
    past: Past,
    objects: Arc<Objects>,
    origin: Option<DVec3>,
    column: String,
}

impl TimedScenes {
    /// Those of a view with a past, whose ticks are in a column of this name.
    ///
    /// # Errors
    /// `TypeError` for what is no name.
    pub(crate) fn of(py: Python<'_>, view: &View) -> PyResult<Option<Self>> {
        let Some(asked) = &view.past else {
            return Ok(None);
        };
        let column = asked.given().extract::<String>(py).map_err(|_| {
            PyTypeError::new_err(
                "ticks: expected the name of the table's column with each row's tick",
            )
        })?;
        Ok(Some(Self {
            past: asked.past().clone(),
            objects: Arc::clone(&view.objects),
            origin: view.origin,
            column,
        }))
    }

    /// # Errors
    /// `ValueError` for a table without the column.
    pub(crate) fn check(&self, schema: &arrow_schema::Schema) -> PyResult<()> {
        match schema.column_with_name(&self.column) {
            Some(_) => Ok(()),
            None => Err(PyValueError::new_err(format!(
                "ticks: the table has no column {:?}",
                self.column
            ))),
        }
    }

    /// What answers a batch whose first row has this number, as `query` says; `present` is its table
    /// for the present.
    ///
    /// # Errors
    /// What the column's own type contradicts.
    pub(crate) fn table<'a>(
        &'a self,
        query: &'a Query,
        present: &'a dyn Answer,
        (batch, first_row): (&RecordBatch, u64),
    ) -> Result<TimedTable<'a>, ArrowError> {
        let column = batch.column_by_name(&self.column);
        let ticks = column.map(f64_values).transpose()?;
        Ok(TimedTable {
            scenes: self,
            query,
            present,
            ticks: ticks.unwrap_or_default(),
            first_row,
        })
    }

    /// The world as it was, as a scene.
    fn at(&self, tick: f64) -> Result<Scene, String> {
        let then = self
            .past
            .at(tick)
            .ok_or_else(|| not_kept(&self.past, tick))?;
        scene_of(then, &self.objects, self.origin).map_err(|error| error.to_string())
    }
}

/// Answers a batch, each row about its own tick; where its field is empty, about the present.
pub(crate) struct TimedTable<'a> {
    scenes: &'a TimedScenes,
    query: &'a Query,
    present: &'a dyn Answer,
    /// By the batch's rows; the text of what is no number.
    ticks: Vec<Result<Option<f64>, String>>,
    first_row: u64,
}

impl TimedTable<'_> {
    /// Answers questions about one tick.
    fn answer_part(
        &self,
        tick: &Result<Option<f64>, String>,
        part: &Questions,
        out: &mut AnswerBuilder,
    ) {
        let scene = match tick {
            Ok(None) => return self.present.answer(part, out),
            Ok(Some(tick)) => self.scenes.at(*tick),
            Err(text) => {
                let column = &self.scenes.column;
                Err(format!(
                    "the column `{column}` holds no number but `{text}`"
                ))
            }
        };
        match scene {
            Ok(scene) => self.query.table(&scene).answer(part, out),
            Err(reason) => (0..part.len()).for_each(|question| out.invalid(question, &reason)),
        }
    }
}

impl Answer for TimedTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        self.present.questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        self.present.answers()
    }

    fn frame(&self) -> Option<&Frame> {
        self.present.frame()
    }

    fn check_columns(&self, are_there: &[bool]) -> Result<(), String> {
        self.present.check_columns(are_there)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let tick = |question: usize| {
            let row = questions.row_number(question) - self.first_row;
            usize::try_from(row).map_or(&Ok(None), |row| &self.ticks[row])
        };
        let mut first = 0;
        while first < questions.len() {
            let asked = tick(first);
            let mut end = first + 1;
            while end < questions.len() && tick(end) == asked {
                end += 1;
            }
            let part = questions.part(first..end);
            out.part(first, |out| self.answer_part(asked, &part, out));
            first = end;
        }
    }
}
