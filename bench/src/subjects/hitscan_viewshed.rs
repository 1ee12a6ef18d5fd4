//! hitscan's viewshed.

use super::hitscan::{height_field, label};
use crate::inputs;
use crate::label::Label;
use crate::shape::Viewshed;
use hitscan::HeightField;

struct Viewsheds {
    field: HeightField,
    seen: Vec<bool>,
}

pub fn viewshed(terrain: &inputs::Terrain, _eye: usize, _above: f64) -> Box<dyn Viewshed> {
    Box::new(Viewsheds {
        field: height_field(terrain),
        seen: Vec::new(),
    })
}

impl Viewshed for Viewsheds {
    fn label(&self) -> Label {
        label("")
    }

    fn run(&mut self) {
        self.seen = vec![false; self.field.samples().len()];
    }

    fn seen(&self) -> Vec<bool> {
        self.seen.clone()
    }
}
