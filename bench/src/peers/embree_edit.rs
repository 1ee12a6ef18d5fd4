//! Embree: terrain that is edited, its grid refitted after each edit.

use super::embree::{Mode, Scene};
use super::native::{Raw as _, RawMet};
use crate::answer::Met;
use crate::inputs;
use crate::label::Label;
use crate::subject::Subject;
use crate::workloads::edit::Edit;

/// Edits one grid over and over, fitting the scene after each edit.
struct Editing<'a> {
    label: Label,
    scene: Scene,
    size: usize,
    edits: &'a [Edit],
    raw: Vec<RawMet>,
}

pub fn edit_terrain<'a>(
    terrain: &inputs::Terrain,
    edits: &'a [Edit],
) -> Box<dyn Subject<Option<Met>> + 'a> {
    Box::new(Editing {
        label: Mode::Robust.label("grid, refitted"),
        scene: Scene::grid(terrain, Mode::Robust, true),
        size: terrain.size,
        edits,
        raw: vec![RawMet::default(); edits.len()],
    })
}

impl Subject<Option<Met>> for Editing<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn pass(&mut self) {
        for (edit, answer) in self.edits.iter().zip(&mut self.raw) {
            self.scene.edit(self.size, edit);
            let question = std::slice::from_ref(&edit.question);
            self.scene.nearest(question, std::slice::from_mut(answer));
        }
    }

    fn answers(&mut self) -> Vec<Option<Met>> {
        self.raw
            .iter()
            .map(|raw| raw.read().map(Met::unnumbered))
            .collect()
    }
}
