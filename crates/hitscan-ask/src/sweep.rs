//! Tables of moving boxes: when each box first touches something.

use crate::filter::{FilterColumns, IGNORE, MASK, RowFilter};
use crate::frame::table_frame;
use crate::names::{write_object, write_part};
use hitscan::{Aabb, Error, ShapeCast, Sides};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
};

/// Answers tables of moving boxes about a scene, with the columns of `hitscan sweep`.
///
/// ```
/// use hitscan_ask::SweepTable;
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-sweep-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = SweepTable::new(&scene);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(
///     columns,
///     ["status", "t", "nx", "ny", "nz", "object", "part", "triangle"]
/// );
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SweepTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    frame: Frame,
}

impl<'scene> SweepTable<'scene> {
    /// Prepares to answer moving boxes about `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            frame: table_frame(scene),
        }
    }
}

const QUESTIONS: [QuestionColumn; 11] = [
    QuestionColumn::required("min_x").position(Axis::X, Bound::Min),
    QuestionColumn::required("min_y").position(Axis::Y, Bound::Min),
    QuestionColumn::required("min_z").position(Axis::Z, Bound::Min),
    QuestionColumn::required("max_x").position(Axis::X, Bound::Max),
    QuestionColumn::required("max_y").position(Axis::Y, Bound::Max),
    QuestionColumn::required("max_z").position(Axis::Z, Bound::Max),
    QuestionColumn::required("dx"),
    QuestionColumn::required("dy"),
    QuestionColumn::required("dz"),
    MASK,
    IGNORE,
];

const ANSWERS: [AnswerColumn; 8] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
];

impl Answer for SweepTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let columns: [&[f32]; 9] = std::array::from_fn(|column| questions.column(column));
        let mut filters = self.filters.read(questions);
        for question in 0..questions.len() {
            let moving = moving_box(columns.map(|column| column[question]))
                .map_err(|error| error.to_string());
            match moving.and_then(|moving| Ok((moving, filters.of(question)?))) {
                Ok((moving, filter)) => self.answer_move(&moving, filter, question, out),
                Err(reason) => out.invalid(question, &reason),
            }
        }
    }
}

fn moving_box([a, b, c, d, e, f, dx, dy, dz]: [f32; 9]) -> Result<ShapeCast, Error> {
    ShapeCast::new(Aabb::new([a, b, c], [d, e, f])?, [dx, dy, dz])
}

impl SweepTable<'_> {
    fn answer_move(
        &self,
        moving: &ShapeCast,
        filter: RowFilter<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let mut row = out.row(question);
        let filter = filter.filter();
        let Some(hit) = self
            .scene
            .world()
            .now()
            .cast_shape(moving, Sides::Both, filter)
        else {
            row.text("miss");
            return;
        };
        let status = if hit.is_overlap() { "overlap" } else { "hit" };
        let normal = hit.normal;
        row.text(status)
            .f32(hit.t)
            .f32(normal.x)
            .f32(normal.y)
            .f32(normal.z);
        let Some(object) = hit.object else { return };
        write_object(self.scene, object, &mut row);
        if let Some(triangle) = hit.triangle {
            write_part(self.scene, object, triangle.part, &mut row);
            row.u32(triangle.triangle);
        }
    }
}
