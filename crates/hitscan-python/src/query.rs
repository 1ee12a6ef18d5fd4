//! The query of a table, read from a Python object with the options of `hitscan ray`, `height`, `sweep`,
//! `closest`, `distance` and `sight` as attributes.

use crate::rays::sides_named;
use crate::sweeps::initial_overlap_named;
use hitscan::{Interior, Sides};
use hitscan_ask::{
    ClosestTable, ContactColumns, DistanceTable, HeightMethod, HeightTable, HitColumns, MoveHits,
    MoveSettings, ObjectSweepTable, RayHits, RayTable, ShapeKind, SightLineTable, SweepTable,
    TurningHits, TurningSettings, TurningTable,
};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Frame, QuestionColumn, Questions,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The attributes of a Python object that say what a table queries.
#[derive(FromPyObject)]
pub(crate) struct QueryOptions {
    query: String,
    hits: String,
    sides: String,
    bind: bool,
    method: String,
    radius: Option<f64>,
    shape: String,
    initial_overlap: Option<String>,
    overlaps: Option<String>,
    contact: bool,
    turning: bool,
    tolerance: Option<f64>,
    moves_objects: bool,
    signed: bool,
    blocker: bool,
    columns: Option<Vec<String>>,
    row_number: bool,
    prefix: String,
}

/// What a table queries, and which columns of the answers are written.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    kind: QueryKind,
    row_number: bool,
    /// The names of the answer's columns that are written; `None`: all of them.
    pub(crate) columns: Option<Vec<String>>,
    /// What comes in front of the names of the answer's columns.
    pub(crate) prefix: String,
}

#[derive(Debug, Clone, Copy)]
enum QueryKind {
    Ray(RayHits, Sides),
    Height(HeightMethod),
    Sweep(MoveSettings),
    ObjectSweep(MoveSettings),
    Turning(TurningSettings),
    Distance,
    Closest(Interior),
    /// Whether the first blocker is named.
    Sight(bool),
}

impl Query {
    /// What the options mean together; options that exclude each other are refused.
    pub(crate) fn new(options: QueryOptions) -> PyResult<Self> {
        let kind = match options.query.as_str() {
            "ray" => options.ray(),
            "height" => options.height(),
            "sweep" => options.sweep(),
            "closest" => Ok(QueryKind::Closest(match options.signed {
                false => Interior::Solids,
                true => Interior::ClosedSurfaces,
            })),
            "distance" => Ok(QueryKind::Distance),
            "sight" => Ok(QueryKind::Sight(options.blocker)),
            other => {
                let expected = "'ray', 'height', 'sweep', 'closest', 'distance' or 'sight'";
                Err(wrong("query", expected, other))
            }
        };
        let mut columns = options.columns;
        if let Some(columns) = columns.as_mut().filter(|_| options.row_number) {
            columns.push(ROW.to_owned());
        }
        Ok(Self {
            kind: kind?,
            row_number: options.row_number,
            columns,
            prefix: options.prefix,
        })
    }

    /// The columns and answers of such a table about `scene`.
    pub(crate) fn table<'scene>(&self, scene: &'scene Scene) -> Box<dyn Answer + 'scene> {
        let table: Box<dyn Answer + 'scene> = match self.kind {
            QueryKind::Ray(hits, sides) => Box::new(RayTable::new(scene, hits, sides)),
            QueryKind::Height(method) => Box::new(HeightTable::new(scene, method)),
            QueryKind::Sweep(settings) => Box::new(SweepTable::with_settings(scene, settings)),
            QueryKind::ObjectSweep(settings) => Box::new(ObjectSweepTable::new(scene, settings)),
            QueryKind::Turning(settings) => Box::new(TurningTable::new(scene, settings)),
            QueryKind::Distance => Box::new(DistanceTable::new(scene)),
            QueryKind::Closest(interior) => Box::new(ClosestTable::new(scene, interior)),
            QueryKind::Sight(names_blockers) => {
                Box::new(SightLineTable::new(scene, names_blockers))
            }
        };
        match self.row_number {
            true => Box::new(Numbered::new(table)),
            false => table,
        }
    }
}

/// The column with the number of the input's row.
const ROW: &str = "row";

impl QueryOptions {
    fn ray(&self) -> PyResult<QueryKind> {
        let columns = match self.bind {
            false => HitColumns::World,
            true => HitColumns::WorldAndBind,
        };
        let hits = match (self.hits.as_str(), self.bind) {
            ("nearest", _) => RayHits::Nearest(columns),
            ("all", _) => RayHits::All(columns),
            ("any", false) => RayHits::Any,
            ("any", true) => {
                return Err(PyValueError::new_err("bind needs hits 'nearest' or 'all'"));
            }
            (other, _) => return Err(wrong("hits", "'nearest', 'all' or 'any'", other)),
        };
        Ok(QueryKind::Ray(hits, sides_named(&self.sides)?))
    }

    fn height(&self) -> PyResult<QueryKind> {
        let method = match (self.method.as_str(), self.radius) {
            ("exact", None) => HeightMethod::Exact,
            ("max", Some(radius)) => HeightMethod::Max(length(radius)?),
            ("mean", Some(radius)) => HeightMethod::Mean(length(radius)?),
            ("exact", Some(_)) => {
                return Err(PyValueError::new_err(
                    "radius belongs to method 'max' and 'mean'",
                ));
            }
            ("max" | "mean", None) => {
                return Err(PyValueError::new_err(
                    "method 'max' and 'mean' need a radius in metres",
                ));
            }
            (other, _) => return Err(wrong("method", "'exact', 'max' or 'mean'", other)),
        };
        Ok(QueryKind::Height(method))
    }

    fn sweep(&self) -> PyResult<QueryKind> {
        let expected = "'box', 'obb', 'sphere', 'capsule', 'cylinder' or 'hull'";
        let shape = ShapeKind::from_name(&self.shape)
            .ok_or_else(|| wrong("shape", expected, &self.shape))?;
        if self.turning {
            return self.turning_sweep(shape);
        }
        if self.tolerance.is_some() {
            return Err(PyValueError::new_err("tolerance belongs to turning sweeps"));
        }
        let initial_overlap =
            initial_overlap_named(self.initial_overlap.as_deref(), self.overlaps.as_deref())?;
        let columns = match self.contact {
            false => ContactColumns::Hit,
            true => ContactColumns::HitAndContact,
        };
        let hits = match (self.hits.as_str(), self.contact) {
            ("nearest", _) => MoveHits::Nearest(columns),
            ("all", _) => MoveHits::All(columns),
            ("any", false) => MoveHits::Any,
            ("any", true) => {
                return Err(PyValueError::new_err(
                    "contact needs hits 'nearest' or 'all'",
                ));
            }
            (other, _) => return Err(wrong("hits", "'nearest', 'all' or 'any'", other)),
        };
        let settings = MoveSettings {
            shape,
            sides: sides_named(&self.sides)?,
            initial_overlap,
            hits,
        };
        Ok(match self.moves_objects {
            true => QueryKind::ObjectSweep(settings),
            false => QueryKind::Sweep(settings),
        })
    }

    fn turning_sweep(&self, shape: ShapeKind) -> PyResult<QueryKind> {
        let hits = match self.hits.as_str() {
            "nearest" => TurningHits::Nearest,
            "any" => TurningHits::Any,
            other => return Err(wrong("hits", "'nearest' or 'any' of turning", other)),
        };
        let others = [
            ("contact", self.contact),
            ("moves_objects", self.moves_objects),
            ("sides", self.sides != "both"),
            (
                "initial_overlap",
                self.initial_overlap.is_some() || self.overlaps.is_some(),
            ),
        ];
        if let Some((name, _)) = others.into_iter().find(|(_, is_given)| *is_given) {
            return Err(PyValueError::new_err(format!(
                "{name} and turning exclude each other"
            )));
        }
        if let Some(tolerance) = self
            .tolerance
            .filter(|found| !(found.is_finite() && *found > 0.0))
        {
            return Err(PyValueError::new_err(format!(
                "tolerance: expected a length of more than 0 metres, found {tolerance}"
            )));
        }
        Ok(QueryKind::Turning(TurningSettings {
            shape,
            tolerance: self.tolerance,
            hits,
        }))
    }
}

/// A table with the number of the input's row in a column `row` in front of its answers.
struct Numbered<'a> {
    table: Box<dyn Answer + 'a>,
    answers: Vec<AnswerColumn>,
}

impl<'a> Numbered<'a> {
    fn new(table: Box<dyn Answer + 'a>) -> Self {
        let has_row = |column: &AnswerColumn| column.kind == ColumnKind::RowNumber;
        let row = AnswerColumn::new(ROW, ColumnKind::RowNumber);
        let first = (!table.answers().iter().any(has_row)).then_some(row);
        let answers = first.into_iter().chain(table.answers().iter().copied());
        Self {
            answers: answers.collect(),
            table,
        }
    }
}

impl Answer for Numbered<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        self.table.questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        &self.answers
    }

    fn frame(&self) -> Option<&Frame> {
        self.table.frame()
    }

    fn check_columns(&self, are_there: &[bool]) -> Result<(), String> {
        self.table.check_columns(are_there)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        self.table.answer(questions, out);
    }
}

fn length(radius: f64) -> PyResult<f64> {
    if radius.is_finite() && radius >= 0.0 {
        return Ok(radius);
    }
    let message = format!("radius: expected a length of at least 0 metres, found {radius}");
    Err(PyValueError::new_err(message))
}

fn wrong(option: &str, expected: &str, found: &str) -> PyErr {
    PyValueError::new_err(format!("{option}: expected {expected}, found {found:?}"))
}
