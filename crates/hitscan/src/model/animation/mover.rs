//! A node that a clip moves: which of its properties change, and where their values come from.

use glam::{DQuat, DVec3};

/// A node that a clip moves, turns or scales.
#[derive(Debug)]
pub(super) struct Mover {
    pub(super) node: usize,
    /// What of it stays as it is: as it rests, or as all keys have it.
    pub(super) still: Trs,
    pub(super) translation: Motion,
    pub(super) rotation: Motion,
    pub(super) scale: Motion,
}

/// Where the value of a property comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Motion {
    /// It does not change.
    Still,
    /// The track with this number.
    Track(usize),
    /// This place in a sample of the rows.
    Row(usize),
}

/// A node's transform in its parent's space, as a clip may animate it.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Trs {
    pub(in crate::model) translation: DVec3,
    pub(in crate::model) rotation: DQuat,
    pub(in crate::model) scale: DVec3,
}

impl Mover {
    /// Has it read rows for the tracks that have a place there.
    pub(super) fn put_into_rows(&mut self, places: &[Option<usize>]) {
        for motion in [&mut self.translation, &mut self.rotation, &mut self.scale] {
            if let Motion::Track(track) = *motion
                && let Some(place) = places[track]
            {
                *motion = Motion::Row(place);
            }
        }
    }
}
