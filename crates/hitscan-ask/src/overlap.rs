//! Tables of overlaps: which objects of a scene overlap, by bounding boxes or exactly.

use crate::Error;
use crate::frame::table_frame;
use crate::names::{write_feature, write_object};
use crate::overlap_rows::{First, FirstRows, RowSink, Rows};
use hitscan::overlap::OverlapKind;
use hitscan::world::{AabbPair, OverlapFeature, OverlapPair};
use hitscan::{QueryFilter, TriangleId, WorkLimit};
use hitscan_assets::Scene;
use hitscan_table::{AnswerColumn, Axis, ColumnKind, Frame, TableWriter, ValueTable};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// What decides whether two objects overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverlapTest {
    /// Their bounding boxes: one row for each pair that touches or overlaps, with the intersection.
    Bounds,
    /// Their shapes: one row for each pair of triangles or solids that overlap, and how.
    ///
    /// A row of the kind `contains` without triangles: all of `object_b` is within `object_a`, which
    /// is closed or a solid, and may be the later of the two. With a triangle: that triangle is
    /// within the other object, a solid.
    Exact,
    /// Their shapes: one row for each pair of objects, with how many rows of [`OverlapTest::Exact`]
    /// there are of each kind (`inside`: triangles within a solid), and `contains`: `a` or `b`, the
    /// one that contains all of the other.
    Summary,
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
    limit: Option<u64>,
    work: Option<&'scene WorkLimit<'scene>>,
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

const SUMMARY: [AnswerColumn; 7] = [
    AnswerColumn::new("object_a", ColumnKind::Text),
    AnswerColumn::new("object_b", ColumnKind::Text),
    AnswerColumn::new("cross", ColumnKind::U32),
    AnswerColumn::new("coplanar", ColumnKind::U32),
    AnswerColumn::new("touch", ColumnKind::U32),
    AnswerColumn::new("inside", ColumnKind::U32),
    AnswerColumn::new("contains", ColumnKind::Text),
];

impl<'scene> OverlapTable<'scene> {
    /// Prepares to list the overlaps in `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, test: OverlapTest) -> Self {
        Self {
            scene,
            test,
            limit: None,
            work: None,
            frame: table_frame(scene),
        }
    }

    /// Ends the table after so many rows.
    #[must_use]
    pub fn with_limit(self, limit: Option<u64>) -> Self {
        Self { limit, ..self }
    }

    /// Fails as if it were cancelled where this limit is reached.
    #[must_use]
    pub fn with_work_limit(self, limit: &'scene WorkLimit<'scene>) -> Self {
        let work = Some(limit);
        Self { work, ..self }
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
            OverlapTest::Summary => &SUMMARY,
        }
    }

    /// Writes all rows to a table that was created with [`OverlapTable::columns`]. Rows are not
    /// held: memory does not grow with their number.
    ///
    /// # Errors
    /// [`Error::Table`] where the writer fails, or with [`hitscan_table::Error::Cancelled`] soon
    /// after `cancel` is set.
    pub fn write(&self, table: &mut TableWriter, cancel: &AtomicBool) -> Result<(), Error> {
        self.write_rows(table, cancel)?;
        Ok(())
    }

    /// The first `most` rows as values, and how many there are; rows beyond
    /// [`OverlapTable::with_limit`] are not counted.
    ///
    /// # Errors
    /// [`Error::Table`] with [`hitscan_table::Error::Cancelled`] soon after `cancel` is set.
    pub fn first_rows(&self, most: usize, cancel: &AtomicBool) -> Result<FirstRows, Error> {
        let mut first = First {
            table: ValueTable::new(self.columns(), self.frame()),
            left: most,
        };
        let count = self.write_rows(&mut first, cancel)?;
        let rows = first.table.finish();
        Ok(FirstRows { rows, count })
    }

    /// Writes all rows, and returns how many there are.
    fn write_rows(&self, sink: &mut dyn RowSink, cancel: &AtomicBool) -> Result<u64, Error> {
        let snapshot = self.scene.now();
        let limit = self.limit.unwrap_or(u64::MAX);
        let mut rows = Rows { sink, left: limit };
        let mut result = Ok(());
        let mut write = |pair: AabbPair| {
            if rows.left == 0 {
                return ControlFlow::Break(());
            }
            result = check(cancel).and_then(|()| match self.test {
                OverlapTest::Bounds => self.write_bounds(&pair, &mut rows),
                OverlapTest::Exact => self.write_overlaps(&pair, &mut rows, cancel),
                OverlapTest::Summary => self.write_summary(&pair, &mut rows, cancel),
            });
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        // All pairs are found faster together, and take as much memory as there are.
        let _ = match (self.limit, self.work) {
            (None, None) => {
                let pairs = snapshot.broad_phase_pairs(());
                pairs.into_iter().try_for_each(&mut write)
            }
            _ => snapshot.visit_broad_phase_pairs(self.filter(), &mut write),
        };
        result?;
        match self.work {
            Some(work) if work.is_reached() => Err(hitscan_table::Error::Cancelled.into()),
            _ => Ok(limit - rows.left),
        }
    }

    fn filter(&self) -> QueryFilter<'scene> {
        match self.work {
            None => QueryFilter::new(),
            Some(limit) => QueryFilter::new().work_limit(limit),
        }
    }

    fn write_bounds(&self, pair: &AabbPair, rows: &mut Rows<'_>) -> Result<(), Error> {
        let Some(mut row) = rows.row()? else {
            return Ok(());
        };
        write_object(self.scene, pair.a, &mut row);
        write_object(self.scene, pair.b, &mut row);
        for corner in [pair.intersection.min(), pair.intersection.max()] {
            row.f32(corner.x).f32(corner.y).f32(corner.z);
        }
        Ok(())
    }

    fn write_overlaps(
        &self,
        pair: &AabbPair,
        rows: &mut Rows<'_>,
        cancel: &AtomicBool,
    ) -> Result<(), Error> {
        self.visit(pair, |overlap| {
            check(cancel)?;
            if let Some(mut row) = rows.row()? {
                row.text(overlap.kind.name());
                for OverlapFeature { object, triangle } in [overlap.a, overlap.b] {
                    write_feature(self.scene, object, triangle, &mut row);
                }
                for end in overlap.segment.iter().flatten() {
                    row.f32(end.x).f32(end.y).f32(end.z);
                }
            }
            Ok(match rows.left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })
        })
    }

    fn write_summary(
        &self,
        pair: &AabbPair,
        rows: &mut Rows<'_>,
        cancel: &AtomicBool,
    ) -> Result<(), Error> {
        let [mut cross, mut coplanar, mut touch, mut inside] = [0_u32; 4];
        let mut container = None;
        self.visit(pair, |overlap| {
            check(cancel)?;
            let count = match overlap.kind {
                OverlapKind::Cross => &mut cross,
                OverlapKind::Coplanar => &mut coplanar,
                OverlapKind::Touch => &mut touch,
                OverlapKind::Contains if is_of_triangle(&overlap) => &mut inside,
                OverlapKind::Contains => {
                    container = Some(overlap.a.object);
                    return Ok(ControlFlow::Continue(()));
                }
            };
            *count = count.saturating_add(1);
            Ok(ControlFlow::Continue(()))
        })?;
        if [cross, coplanar, touch, inside] == [0; 4] && container.is_none() {
            return Ok(());
        }
        let Some(mut row) = rows.row()? else {
            return Ok(());
        };
        write_object(self.scene, pair.a, &mut row);
        write_object(self.scene, pair.b, &mut row);
        for count in [cross, coplanar, touch, inside] {
            row.u32(count);
        }
        match container {
            None => row.empty(),
            Some(object) if object == pair.a => row.text("a"),
            Some(_) => row.text("b"),
        };
        Ok(())
    }

    /// Calls `each` with the overlaps of a pair until it breaks or fails.
    fn visit(
        &self,
        pair: &AabbPair,
        mut each: impl FnMut(OverlapPair) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let mut result = Ok(());
        let snapshot = self.scene.now();
        let _ = snapshot.visit_overlaps_of(pair.a, pair.b, self.filter(), |overlap| {
            each(overlap).unwrap_or_else(|error| {
                result = Err(error);
                ControlFlow::Break(())
            })
        });
        result
    }
}

/// Whether an object's triangle takes part, or a part of a compound is held, and not the whole object.
fn is_of_triangle(overlap: &OverlapPair) -> bool {
    let is_triangle =
        |feature: OverlapFeature| feature.triangle.and_then(TriangleId::number).is_some();
    // The first holds the second, unless one is a triangle.
    is_triangle(overlap.a) || is_triangle(overlap.b) || overlap.b.triangle.is_some()
}

/// Fails once `cancel` is set.
fn check(cancel: &AtomicBool) -> Result<(), Error> {
    if cancel.load(Ordering::Relaxed) {
        return Err(hitscan_table::Error::Cancelled.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_table::{Output, Value};

    #[test]
    fn first_rows_are_those_of_the_table_and_all_are_counted() {
        let folder = std::env::temp_dir().join(format!("hitscan-pairs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let boxes: String = (0..5)
            .map(|at| {
                format!(
                    "[[box]]\nmin = [{at}.1, 0, 0]\nmax = [{at}.9, 1.5, {}]\n",
                    at + 1
                )
            })
            .chain(["[[sphere]]\ncenter = [2, 1, 0.5]\nradius = 3\n".to_owned()])
            .collect();
        std::fs::write(folder.join("scene.toml"), boxes).unwrap();
        let scene = hitscan_assets::load_scene(&folder.join("scene.toml")).unwrap();
        let cancel = AtomicBool::new(false);
        for test in [
            OverlapTest::Bounds,
            OverlapTest::Exact,
            OverlapTest::Summary,
        ] {
            let table = OverlapTable::new(&scene, test);
            let csv = folder.join("pairs.csv");
            let mut writer =
                TableWriter::create(Output::File(csv.clone()), table.columns()).unwrap();
            table.write(&mut writer, &cancel).unwrap();
            writer.finish().unwrap();
            let text = std::fs::read_to_string(csv).unwrap();
            let written: Vec<&str> = text.lines().skip(1).collect();
            let first = table.first_rows(3, &cancel).unwrap();
            assert_eq!(first.count, written.len() as u64, "{test:?}");
            assert_eq!(first.rows.len(), 3, "{test:?}");
            for (row, line) in first.rows.iter().zip(written) {
                let texts = row.iter().map(|(_, value)| match value {
                    None => String::new(),
                    Some(Value::Text(text)) => text.clone(),
                    Some(Value::Number(number)) => number.to_string(),
                    Some(Value::Integer(number)) => number.to_string(),
                });
                assert_eq!(texts.collect::<Vec<_>>().join(","), line, "{test:?}");
            }
            let limited = table.with_limit(Some(2)).first_rows(3, &cancel).unwrap();
            assert_eq!((limited.count, limited.rows.len()), (2, 2), "{test:?}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
