//! Short `Debug` of values that hold much: how many of what, and nothing of trees and tables.

use crate::model::{Clip, Part, PosedModel, SkinnedModel};
use crate::{HeightField, Model, TriMesh, World};
use core::fmt::{Debug, Formatter, Result};

impl Debug for TriMesh {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("TriMesh")
            .field("positions", &self.positions().len())
            .field("triangles", &self.triangles().len())
            .field("bounds", &self.bounds())
            .finish_non_exhaustive()
    }
}

impl Debug for HeightField {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("HeightField")
            .field("grid", self.grid())
            .field("holes", &self.hole_count())
            .finish_non_exhaustive()
    }
}

impl Debug for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Model")
            .field("nodes", &self.nodes().len())
            .field("joints", &self.joint_count())
            .field("parts", &self.parts().len())
            .field("triangles", &self.triangle_count())
            .field("clips", &self.clips().len())
            .finish_non_exhaustive()
    }
}

impl Debug for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Part")
            .field("name", &self.name())
            .field("mesh", self.mesh())
            .finish_non_exhaustive()
    }
}

impl Debug for Clip {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Clip")
            .field("name", &self.name())
            .field("end_secs", &self.end_secs())
            .finish_non_exhaustive()
    }
}

impl Debug for PosedModel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("PosedModel")
            .field("model", self.model())
            .finish_non_exhaustive()
    }
}

impl Debug for SkinnedModel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("SkinnedModel")
            .field("parts", &self.parts().len())
            .finish_non_exhaustive()
    }
}

impl Debug for World {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("World")
            .field("now", self.now())
            .field("history", &self.history())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height_field::Grid;

    #[test]
    fn large_values_are_short() {
        let heights = vec![0.5; 300 * 300];
        let field = HeightField::new(Grid::new(300, 300, [1.0; 2]), heights).unwrap();
        let corners = |x: u16| [[f32::from(x), 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let positions: Vec<glam::Vec3> = (0..999).flat_map(corners).map(glam::Vec3::from).collect();
        let triangles = (0..999).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
        let mesh = TriMesh::new(positions, triangles).unwrap();
        let mut world = World::new();
        world.add(std::sync::Arc::new(field.clone()));
        world.update();
        for text in [
            format!("{field:?}"),
            format!("{mesh:?}"),
            format!("{world:?}"),
        ] {
            assert!(text.len() < 300, "{text}");
        }
        assert!(format!("{mesh:?}").contains("triangles: 999"));
    }
}
