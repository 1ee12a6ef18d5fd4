//! Instanced geometry: a mesh, or a model in its pose.

use crate::model::{PartPlaces, PosedModel};
use crate::simd::prefetch;
use crate::tri_mesh::{MeshTransform, placed_outline};
use crate::{Aabb, TriMesh};
use glam::DAffine3;
use std::sync::Arc;

/// What is instanced.
#[derive(Debug, Clone)]
pub(crate) enum Geometry {
    /// A mesh, which counts as a model with one part.
    Mesh(Arc<TriMesh>),
    /// A model in a pose.
    Model(Arc<PosedModel>),
}

impl Geometry {
    /// The model; `None` for a mesh.
    #[inline]
    pub(crate) fn posed_model(&self) -> Option<&PosedModel> {
        match self {
            Self::Mesh(_) => None,
            Self::Model(posed) => Some(posed),
        }
    }

    /// Whether it is the very same as another.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mesh(one), Self::Mesh(other)) => Arc::ptr_eq(one, other),
            (Self::Model(one), Self::Model(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Whether it is a model that is posed by joint matrices.
    #[inline]
    pub(crate) fn is_by_joints(&self) -> bool {
        self.posed_model()
            .is_some_and(|posed| posed.joint_matrices().is_some())
    }

    /// Where `world_from_model` takes the parts, and with them the whole into its [box](Self::bounds).
    pub(super) fn places(
        &self,
        world_from_model: &MeshTransform,
        culling_bounds: Option<Aabb>,
    ) -> PartPlaces {
        let moved = (!world_from_model.is_identity()).then_some(world_from_model);
        match self {
            Self::Mesh(mesh) => PartPlaces::of_mesh(mesh, moved, culling_bounds),
            Self::Model(posed) => {
                // The box of joint matrices is wider than that of the parts, which are worked out here.
                let culling_bounds = culling_bounds.filter(|_| !self.is_by_joints());
                PartPlaces::of_model(posed, moved, culling_bounds)
            }
        }
    }

    /// The same, where they cost next to nothing: of a pose of long ago a query would else write to memory that
    /// has left the caches.
    pub(super) fn places_at_hand(
        &self,
        world_from_model: &MeshTransform,
        culling_bounds: Option<Aabb>,
    ) -> Option<PartPlaces> {
        let moved = (!world_from_model.is_identity()).then_some(world_from_model);
        let posed = self.posed_model().filter(|posed| posed.is_at_hand())?;
        PartPlaces::of_skinned(posed, moved, culling_bounds?)
    }

    /// Prefetches the pose of a model.
    #[inline]
    pub(super) fn prefetch_pose(&self) {
        if let Self::Model(posed) = self {
            prefetch(Arc::as_ptr(posed));
        }
    }

    /// How far from its origin anything of it may be, in its pose.
    pub(crate) fn max_radius(&self) -> f64 {
        let bounds = self.bounds(&DAffine3::IDENTITY);
        bounds.map_or(0.0, |bounds| {
            let far = bounds.min().abs().max(bounds.max().abs()).as_dvec3();
            far.dot(far).sqrt()
        })
    }

    /// A box around the whole in the world; see
    /// [`PlacedPart::culling_bounds`](crate::model::PlacedPart::culling_bounds).
    pub(crate) fn bounds(&self, world_from_model: &DAffine3) -> Option<Aabb> {
        match self {
            Self::Mesh(mesh) => placed_outline(mesh.bvh(), world_from_model),
            Self::Model(posed) => {
                if let Some(bounds) = posed.bounds_by_joints()
                    && *world_from_model == DAffine3::IDENTITY
                {
                    return bounds;
                }
                let boxes = posed.parts().filter_map(|part| {
                    let model_from_part = part.model_from_part();
                    let world_from_part = if model_from_part == DAffine3::IDENTITY {
                        *world_from_model
                    } else {
                        *world_from_model * model_from_part
                    };
                    part.placed_bounds(&world_from_part)
                });
                boxes.reduce(|all, one| all.union(&one))
            }
        }
    }
}
