//! `hitscan overlap`: which objects overlap, by bounding boxes or exactly.

use crate::arguments::OverlapArguments;
use crate::ask::output;
use crate::failure::Failure;
use crate::scene::OpenScene;
use crate::watch::check_interrupt;
use hitscan::QueryFilter;
use hitscan::world::Place;
use hitscan_table::{AnswerColumn, ColumnKind, RowWriter, TableWriter};

pub(crate) fn run(arguments: &OverlapArguments) -> Result<(), Failure> {
    let scene = OpenScene::read(&arguments.scene)?;
    let columns: &[AnswerColumn] = if arguments.exact { &MEETING } else { &BOUNDS };
    let mut table = TableWriter::create(output(arguments.output.as_deref()), columns)?;
    if arguments.exact {
        write_meetings(&scene, &mut table)?;
    } else {
        write_bounds(&scene, &mut table)?;
    }
    table.finish()?;
    Ok(())
}

const BOUNDS: [AnswerColumn; 8] = [
    AnswerColumn::new("object_a", ColumnKind::Text),
    AnswerColumn::new("object_b", ColumnKind::Text),
    AnswerColumn::new("min_x", ColumnKind::F32),
    AnswerColumn::new("min_y", ColumnKind::F32),
    AnswerColumn::new("min_z", ColumnKind::F32),
    AnswerColumn::new("max_x", ColumnKind::F32),
    AnswerColumn::new("max_y", ColumnKind::F32),
    AnswerColumn::new("max_z", ColumnKind::F32),
];

const MEETING: [AnswerColumn; 13] = [
    AnswerColumn::new("kind", ColumnKind::Text),
    AnswerColumn::new("object_a", ColumnKind::Text),
    AnswerColumn::new("part_a", ColumnKind::Text),
    AnswerColumn::new("triangle_a", ColumnKind::U32),
    AnswerColumn::new("object_b", ColumnKind::Text),
    AnswerColumn::new("part_b", ColumnKind::Text),
    AnswerColumn::new("triangle_b", ColumnKind::U32),
    AnswerColumn::new("x0", ColumnKind::F32),
    AnswerColumn::new("y0", ColumnKind::F32),
    AnswerColumn::new("z0", ColumnKind::F32),
    AnswerColumn::new("x1", ColumnKind::F32),
    AnswerColumn::new("y1", ColumnKind::F32),
    AnswerColumn::new("z1", ColumnKind::F32),
];

fn write_bounds(scene: &OpenScene, table: &mut TableWriter) -> Result<(), Failure> {
    for pair in scene.world().now().broad_phase_pairs(QueryFilter::new()) {
        let mut row = table.row()?;
        row.text(scene.object_name(pair.a))
            .text(scene.object_name(pair.b));
        for corner in [pair.intersection.min(), pair.intersection.max()] {
            row.f32(corner.x).f32(corner.y).f32(corner.z);
        }
    }
    Ok(())
}

fn write_meetings(scene: &OpenScene, table: &mut TableWriter) -> Result<(), Failure> {
    for pair in scene.world().now().broad_phase_pairs(QueryFilter::new()) {
        check_interrupt()?;
        for meeting in scene
            .world()
            .now()
            .overlaps_of(pair.a, pair.b, QueryFilter::new())
        {
            let mut row = table.row()?;
            row.text(meeting.kind.name());
            for place in [&meeting.a, &meeting.b] {
                write_place(scene, place, &mut row);
            }
            for end in meeting.segment.iter().flatten() {
                row.f32(end.x).f32(end.y).f32(end.z);
            }
        }
    }
    Ok(())
}

fn write_place(scene: &OpenScene, place: &Place, row: &mut RowWriter<'_>) {
    row.text(scene.object_name(place.object));
    let Some(on) = place.triangle else {
        row.empty().empty();
        return;
    };
    scene.write_part(place.object, on.part, row);
    row.u32(on.triangle);
}
