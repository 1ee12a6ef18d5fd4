//! Stand-in: a model as it stands, posed eagerly.

use super::{Model, Part, Pose, PosedModel, PosedShape, Winding};
use crate::ray::LocalRay;
use crate::ray_triangle::Crossing;
use crate::{Aabb, Error, Sides, TriMesh};
use glam::{DAffine3, DVec3};
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Stance {
    model: Arc<Model>,
    pose: Pose,
    posed: PosedModel,
    meshes: Vec<Arc<TriMesh>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct StancePart<'a> {
    stance: &'a Stance,
    index: usize,
}

impl Stance {
    pub(crate) fn new(model: &Arc<Model>, pose: &Pose) -> Result<Self, Error> {
        let posed = model.posed(pose)?;
        let mesh = |(part, posed): (&Part, &super::PosedPart)| match &posed.shape {
            PosedShape::AtRest => Arc::clone(part.mesh()),
            PosedShape::Deformed(positions) => Arc::new(part.mesh().moved(positions.clone())),
        };
        let meshes = model.parts().iter().zip(posed.parts()).map(mesh).collect();
        Ok(Self {
            model: Arc::clone(model),
            pose: pose.clone(),
            posed,
            meshes,
        })
    }

    pub(crate) fn at_clip(model: &Arc<Model>, clip: usize, time_secs: f64) -> Result<Self, Error> {
        Self::new(model, &model.pose_at(clip, time_secs)?)
    }

    pub(crate) fn model(&self) -> &Arc<Model> {
        &self.model
    }

    pub(crate) fn between(a: &Self, b: &Self, share: f64) -> Result<Self, Error> {
        Self::new(&a.model, if share < 0.5 { &a.pose } else { &b.pose })
    }

    pub(crate) fn reach(&self) -> f64 {
        let bounds = self.posed.parts().iter().zip(&self.meshes);
        bounds
            .filter_map(|(posed, mesh)| {
                let bounds = mesh.bounds()?;
                let far = bounds
                    .min()
                    .abs()
                    .max(bounds.max().abs())
                    .as_dvec3()
                    .length();
                Some(posed.model_from_part.translation.length() + 3.0 * far)
            })
            .fold(0.0, f64::max)
            * 2.0
    }

    pub(crate) fn part_count(&self) -> usize {
        self.meshes.len()
    }

    pub(crate) fn part(&self, index: usize) -> StancePart<'_> {
        StancePart {
            stance: self,
            index,
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.posed.memory_bytes()
    }
}

impl<'a> StancePart<'a> {
    pub(crate) fn model_from_part(self) -> DAffine3 {
        self.stance.posed.parts()[self.index].model_from_part
    }

    pub(crate) fn winding(self) -> Winding {
        self.stance.posed.parts()[self.index].winding
    }

    pub(crate) fn bounds(self) -> Option<Aabb> {
        self.mesh().bounds()
    }

    pub(crate) fn at_rest(self) -> Option<&'a Arc<TriMesh>> {
        matches!(
            self.stance.posed.parts()[self.index].shape,
            PosedShape::AtRest
        )
        .then(|| self.mesh())
    }

    pub(crate) fn nearest(
        self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
    ) -> Option<(u32, Crossing)> {
        self.mesh().nearest(ray, sides, limit)
    }

    pub(crate) fn is_hit(self, ray: &LocalRay, sides: Sides) -> bool {
        self.mesh().is_hit(ray, sides)
    }

    pub(crate) fn for_each_candidate(self, ray: &LocalRay, visit: impl FnMut(u32, &[DVec3; 3])) {
        self.mesh().for_each_candidate(ray, visit);
    }

    pub(crate) fn mesh(self) -> &'a Arc<TriMesh> {
        &self.stance.meshes[self.index]
    }
}
