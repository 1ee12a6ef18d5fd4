//! Stand-in: a tree over items that come, go and move, built anew at each update.

use super::Bvh;
use crate::Aabb;
use crate::simd::Width;
use std::sync::Arc;

#[derive(Debug, Clone, Default)]
pub(crate) struct MovingTree {
    tree: Arc<Bvh>,
    bounds: Vec<Option<Aabb>>,
    width: Option<Width>,
}

impl MovingTree {
    pub(crate) fn set(&mut self, item: u32, bounds: Option<Aabb>) {
        let item = item as usize;
        if item >= self.bounds.len() {
            self.bounds.resize(item + 1, None);
        }
        self.bounds[item] = bounds;
    }

    pub(crate) fn update(&mut self) {
        let (items, bounds): (Vec<u32>, Vec<Aabb>) = (0..)
            .zip(&self.bounds)
            .filter_map(|(item, bounds)| Some((item, (*bounds)?)))
            .unzip();
        let mut tree = Bvh::build(&bounds);
        tree.renumber(|item| items[item as usize]);
        if let Some(width) = self.width {
            tree.set_width(width);
        }
        self.tree = Arc::new(tree);
    }

    pub(crate) fn tree(&self) -> &Arc<Bvh> {
        &self.tree
    }

    pub(crate) fn bounds_of(&self, item: u32) -> Option<Aabb> {
        *self.bounds.get(item as usize)?
    }

    pub(crate) fn set_width(&mut self, width: Width) {
        self.width = Some(width);
        Arc::make_mut(&mut self.tree).set_width(width);
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.tree.memory_bytes() + size_of_val(self.bounds.as_slice())
    }
}
