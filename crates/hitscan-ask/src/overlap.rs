//! Tables of overlaps: which objects of a scene overlap, by bounding boxes or exactly.

use crate::Error;
use crate::frame::table_frame;
use crate::names::{write_object, write_part};
use hitscan::QueryFilter;
use hitscan::world::OverlapFeature;
use hitscan_assets::Scene;
use hitscan_table::{AnswerColumn, Axis, ColumnKind, Frame, RowWriter, TableWriter};
use std::sync::atomic::{AtomicBool, Ordering};

/// What decides whether two objects overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverlapTest {
    /// Their bounding boxes: one row for each pair that touches or overlaps, with the intersection.
    Bounds,
    /// Their shapes: one row for each pair of triangles or solids that overlap, and how.
    Exact,
}

/// Lists the overlaps in a scene, with the columns of `hitscan overlap`.
///
/// ```
/// use hitscan_ask::{OverlapTable, OverlapTest};
/// use hitscan_table::{Output, TableWriter};
/// use std::sync::atomic::AtomicBool;
///
/// # let folder = std::env::temp_dir().join(format!("hitscan-ask-overlap-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let (scene, pairs) = (folder.join("scene.toml"), folder.join("pairs.csv"));
/// let boxes = "[[box]]\nmin = [0, 0, 0]\nmax = [2, 2, 2]\n\
///              [[box]]\nmin = [1, 1, 1]\nmax = [3, 3, 3]\n";
/// std::fs::write(&scene, boxes)?;
///
/// let scene = hitscan_assets::load_scene(&scene)?;
/// let table = OverlapTable::new(&scene, OverlapTest::Bounds);
/// let mut writer = TableWriter::create(Output::File(pairs.clone()), table.columns())?;
/// table.write(&mut writer, &AtomicBool::new(false))?;
/// writer.finish()?;
///
/// let rows = std::fs::read_to_string(&pairs)?;
/// assert_eq!(rows.lines().nth(1), Some("box0,box1,1,1,1,2,2,2"));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OverlapTable<'scene> {
    scene: &'scene Scene,
    test: OverlapTest,
    frame: Frame,
}

const BOUNDS: [AnswerColumn; 8] = [
    AnswerColumn::new("object_a", ColumnKind::Text),
    AnswerColumn::new("object_b", ColumnKind::Text),
    AnswerColumn::new("min_x", ColumnKind::F32).on_axis(Axis::X),
    AnswerColumn::new("min_y", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("min_z", ColumnKind::F32).on_axis(Axis::Z),
    AnswerColumn::new("max_x", ColumnKind::F32).on_axis(Axis::X),
    AnswerColumn::new("max_y", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("max_z", ColumnKind::F32).on_axis(Axis::Z),
];

const EXACT: [AnswerColumn; 13] = [
    AnswerColumn::new("kind", ColumnKind::Text),
    AnswerColumn::new("object_a", ColumnKind::Text),
    AnswerColumn::new("part_a", ColumnKind::Text),
    AnswerColumn::new("triangle_a", ColumnKind::U32),
    AnswerColumn::new("object_b", ColumnKind::Text),
    AnswerColumn::new("part_b", ColumnKind::Text),
    AnswerColumn::new("triangle_b", ColumnKind::U32),
    AnswerColumn::new("x0", ColumnKind::F32).on_axis(Axis::X),
    AnswerColumn::new("y0", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("z0", ColumnKind::F32).on_axis(Axis::Z),
    AnswerColumn::new("x1", ColumnKind::F32).on_axis(Axis::X),
    AnswerColumn::new("y1", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("z1", ColumnKind::F32).on_axis(Axis::Z),
];

impl<'scene> OverlapTable<'scene> {
    /// Prepares to list the overlaps in `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, test: OverlapTest) -> Self {
        Self {
            scene,
            test,
            frame: table_frame(scene),
        }
    }

    /// The coordinates of the table's positions, for the writer's options.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    /// The columns of the table, in order.
    #[must_use]
    pub fn columns(&self) -> &'static [AnswerColumn] {
        match self.test {
            OverlapTest::Bounds => &BOUNDS,
            OverlapTest::Exact => &EXACT,
        }
    }

    /// Writes all rows to a table that was created with [`OverlapTable::columns`].
    ///
    /// # Errors
    /// [`Error::Table`] where the writer fails, or with [`hitscan_table::Error::Cancelled`] soon
    /// after `cancel` is set.
    pub fn write(&self, table: &mut TableWriter, cancel: &AtomicBool) -> Result<(), Error> {
        for pair in self
            .scene
            .world()
            .now()
            .broad_phase_pairs(QueryFilter::new())
        {
            if cancel.load(Ordering::Relaxed) {
                return Err(hitscan_table::Error::Cancelled.into());
            }
            if self.test == OverlapTest::Bounds {
                let mut row = table.row()?;
                write_object(self.scene, pair.a, &mut row);
                write_object(self.scene, pair.b, &mut row);
                for corner in [pair.intersection.min(), pair.intersection.max()] {
                    row.f32(corner.x).f32(corner.y).f32(corner.z);
                }
                continue;
            }
            for overlap in self
                .scene
                .world()
                .now()
                .overlaps_of(pair.a, pair.b, QueryFilter::new())
            {
                let mut row = table.row()?;
                row.text(overlap.kind.name());
                for feature in [&overlap.a, &overlap.b] {
                    self.write_feature(feature, &mut row);
                }
                for end in overlap.segment.iter().flatten() {
                    row.f32(end.x).f32(end.y).f32(end.z);
                }
            }
        }
        Ok(())
    }

    /// Writes an object and, where it has triangles, which of them.
    fn write_feature(&self, feature: &OverlapFeature, row: &mut RowWriter<'_>) {
        write_object(self.scene, feature.object, row);
        let Some(triangle) = feature.triangle else {
            row.empty().empty();
            return;
        };
        write_part(self.scene, feature.object, triangle.part, row);
        row.u32(triangle.triangle);
    }
}
