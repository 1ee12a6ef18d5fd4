//! The recorder of walks over terrain.

use super::recorder::Recorder;
use super::visit_log::{BoxOutcome, Subject, TriangleOutcome, VisitLog};
use super::visits::Visited;
use crate::HeightField;
use crate::height_field::{Block, BlockChild, FieldWatch, TestedChildren};
use crate::query::watch::Outcome;

/// Records the walk over a terrain.
#[derive(Clone, Copy)]
pub(super) struct FieldRecorder<'a>(pub(super) &'a Recorder<'a>);

impl FieldRecorder<'_> {
    fn with_field(&self, run: impl FnOnce(&HeightField, &Subject, &mut VisitLog)) {
        if let Some((subject, field)) = &*self.0.field.borrow() {
            run(field, subject, &mut self.0.log.borrow_mut());
        }
    }

    fn record_block(&self, block: Block, outcome: BoxOutcome) {
        self.with_field(|field, subject, log| {
            add_block((field, subject), block, outcome, log);
        });
    }

    fn record_cell(&self, place: [u32; 2], outcome: BoxOutcome) {
        self.with_field(|field, subject, log| {
            add_cell((field, subject), place, outcome, log);
        });
    }

    fn record_triangle(&self, triangle: u32, outcome: Outcome) {
        self.with_field(|field, subject, log| {
            let place = (triangle, field.root_block().level + 1);
            match field.triangle(triangle) {
                Some(corners) => {
                    log.add_triangle(subject, place, &corners, TriangleOutcome::Decided(outcome));
                }
                None => log.add_hole(subject, place, &field.triangle_or_hole(triangle)),
            }
        });
    }
}

fn add_block(
    (field, subject): (&HeightField, &Subject),
    block: Block,
    outcome: BoxOutcome,
    log: &mut VisitLog,
) {
    let Block { level, column, row } = block;
    let depth = field.root_block().level - level;
    if let Some(ends) = field.block_box(block) {
        let what = Visited::Block { level, column, row };
        log.add_box(subject, (what, depth), ends, outcome);
    }
}

fn add_cell(
    (field, subject): (&HeightField, &Subject),
    [column, row]: [u32; 2],
    outcome: BoxOutcome,
    log: &mut VisitLog,
) {
    let what = Visited::Cell { column, row };
    let ends = field.cell_box([column, row]);
    log.add_box(subject, (what, field.root_block().level), ends, outcome);
}

impl FieldWatch for FieldRecorder<'_> {
    fn begins(&self, may_touch: bool) {
        let outcome = if may_touch {
            BoxOutcome::Opened
        } else {
            BoxOutcome::Missed
        };
        self.with_field(|field, subject, log| {
            add_block((field, subject), field.root_block(), outcome, log);
        });
    }

    fn climbed(&self, block: Block) {
        self.with_field(|field, subject, log| {
            // The walk begins with the box of the whole map.
            if block != field.root_block() {
                add_block((field, subject), block, BoxOutcome::Opened, log);
            }
        });
    }

    fn tested(&self, block: Block, children: TestedChildren) {
        self.with_field(|field, subject, log| {
            let refused = children.in_order().filter(|(_, is_touched)| !is_touched);
            for child in refused.filter_map(|(child, _)| field.child_of(block, child)) {
                match child {
                    BlockChild::Block(block) => {
                        add_block((field, subject), block, BoxOutcome::Missed, log);
                    }
                    BlockChild::Cell(place) => {
                        add_cell((field, subject), place, BoxOutcome::Missed, log);
                    }
                }
            }
        });
    }

    fn entered(&self, block: Block) {
        self.record_block(block, BoxOutcome::Opened);
    }

    fn left_out(&self, block: Block) {
        self.record_block(block, BoxOutcome::Skipped);
    }

    #[expect(clippy::cast_possible_truncation, reason = "of 2^32 cells at most")]
    fn entered_cell(&self, column: usize, row: usize) {
        self.record_cell([column as u32, row as u32], BoxOutcome::Opened);
    }

    fn looked_up(&self, triangle: u32) {
        self.with_field(|field, subject, log| {
            add_cell(
                (field, subject),
                field.cell_of(triangle),
                BoxOutcome::Opened,
                log,
            );
        });
    }

    fn tested_triangle(&self, triangle: u32, outcome: Outcome) {
        self.record_triangle(triangle, outcome);
    }

    fn missed_others(&self, first_triangle: u32, decided: u32) {
        for half in (0..2).filter(|half| decided >> half & 1 == 0) {
            self.record_triangle(first_triangle + half, Outcome::Refused);
        }
    }
}
