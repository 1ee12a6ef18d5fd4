//! hitscan's viewshed.

use super::hitscan::{alone, height_field, label};
use crate::inputs;
use crate::label::Label;
use crate::shape;
use hitscan::height_field::{Viewshed, ViewshedQuery, Visibility};
use hitscan::{ObjectId, QueryFilter, World};
use std::sync::Arc;

struct Viewsheds {
    world: World,
    terrain: ObjectId,
    query: ViewshedQuery,
    size: usize,
    last: Option<Viewshed>,
}

/// From so many metres above the sample (eye, eye).
pub fn viewshed(terrain: &inputs::Terrain, eye: usize, above: f64) -> Box<dyn shape::Viewshed> {
    let mut world = World::new();
    let object = world.add(Arc::new(height_field(terrain)));
    world.update();
    let query = ViewshedQuery::standing([eye as f32; 2]).with_above(above);
    Box::new(Viewsheds {
        world,
        terrain: object,
        query: query.expect("the eye is a finite way above"),
        size: terrain.size,
        last: None,
    })
}

impl shape::Viewshed for Viewsheds {
    fn label(&self) -> Label {
        label("")
    }

    fn prepare(&mut self) {
        self.last = None;
    }

    fn run(&mut self) {
        let now = self.world.now();
        let filter = QueryFilter::new();
        self.last = alone().install(|| now.viewshed(self.terrain, &self.query, filter));
    }

    fn seen(&self) -> Vec<bool> {
        let viewshed = self.last.as_ref().expect("a viewshed has run");
        let places =
            (0..self.size * self.size).map(|sample| (sample % self.size, sample / self.size));
        let is_seen = |(column, row)| viewshed.at(column, row) == Some(Visibility::Visible);
        places.map(is_seen).collect()
    }
}
