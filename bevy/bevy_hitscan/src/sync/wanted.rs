//! The object that an entity should be in the world.

use super::apply::Wanted;
use super::pose::PosedBy;
use super::scene::{HittableItem, Scene};
use crate::mesh::{Baked, MeshState};
use crate::world::{BuiltCollider, BuiltHeightField, Pose, TrackedShape, Uses};
use crate::{HeightFieldCollider, HitscanCollider, HitscanError, HitscanWorld};
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::Affine3A;
use bevy_mesh::Mesh;
use bevy_platform::collections::HashSet;
use std::sync::Arc;

impl HitscanWorld {
    /// What an entity should be in the world; takes note of what that is made of.
    pub(super) fn wanted(
        &mut self,
        entity: Entity,
        own: &HittableItem<'_, '_>,
        scene: &Scene,
        changed_images: &HashSet<AssetId<Image>>,
    ) -> Result<Option<Wanted>, HitscanError> {
        let layers = scene.layers(entity, own);
        let (Some(layers), Some(transform)) = (layers, own.transform) else {
            self.use_all(entity, Uses::default());
            return Ok(None);
        };
        let mut affine = transform.affine();
        let mut pose = Pose::default();
        let shape = if let Some(source) = own.height_field {
            let image = source.image();
            let uses = Uses {
                image,
                height_map: source.height_map(),
                ..Uses::default()
            };
            self.use_all(entity, uses);
            let is_read = image.is_none_or(|image| !changed_images.contains(&image));
            self.height_field(entity, source, is_read, scene)?
        } else if let Some(source) = own.collider {
            self.use_all(entity, Uses::default());
            source.check_transform(&affine)?;
            Some(self.collider(entity, source)?)
        } else if let Some(mesh) = own.mesh_id() {
            let posed = self.posed_mesh(entity, mesh, own, scene)?;
            posed.map(|(baked, posed_as)| {
                pose = posed_as;
                TrackedShape::Mesh(baked)
            })
        } else {
            self.use_all(entity, Uses::default());
            None
        };
        let Some(shape) = shape else {
            return Ok(None);
        };
        if !pose.joints.is_empty() {
            affine = Affine3A::IDENTITY;
        }
        if !affine.is_finite() {
            return Err(HitscanError::TransformNotFinite);
        }
        Ok(Some(Wanted {
            is_one_sided: matches!(shape, TrackedShape::Mesh(_)) && !own.has_backfaces,
            shape,
            affine,
            pose,
            layers,
            order: own.order(),
        }))
    }

    fn height_field(
        &self,
        entity: Entity,
        source: &HeightFieldCollider,
        is_read: bool,
        scene: &Scene,
    ) -> Result<Option<TrackedShape>, HitscanError> {
        let tracked = match self.shape(entity) {
            Some(TrackedShape::HeightField(built)) if built.source.is_same(source) => Some(built),
            _ => None,
        };
        // An image is read again only where it has changed.
        if let Some(built) = tracked
            && source.image().is_some()
            && is_read
        {
            return Ok(Some(TrackedShape::HeightField(Arc::clone(built))));
        }
        let (images, maps) = (scene.images.as_deref(), scene.height_maps.as_deref());
        let Some(field) = source.build(images, maps)? else {
            return Ok(None);
        };
        let same = tracked.filter(|built| Arc::ptr_eq(&built.field, &field));
        if let Some(built) = same {
            return Ok(Some(TrackedShape::HeightField(Arc::clone(built))));
        }
        Ok(Some({
            let source = source.clone();
            TrackedShape::HeightField(Arc::new(BuiltHeightField { source, field }))
        }))
    }

    fn collider(
        &self,
        entity: Entity,
        source: &HitscanCollider,
    ) -> Result<TrackedShape, HitscanError> {
        if let Some(TrackedShape::Collider(built)) = self.shape(entity)
            && built.source == *source
        {
            return Ok(TrackedShape::Collider(Arc::clone(built)));
        }
        let compound = Arc::new(source.build()?);
        let source = source.clone();
        Ok(TrackedShape::Collider(Arc::new(BuiltCollider {
            source,
            compound,
        })))
    }

    /// The mesh and how it is posed; `None` while it is not there.
    fn posed_mesh(
        &mut self,
        entity: Entity,
        mesh: AssetId<Mesh>,
        own: &HittableItem<'_, '_>,
        scene: &Scene,
    ) -> Result<Option<(Baked, Pose)>, HitscanError> {
        let moved = match scene.meshes.as_deref() {
            Some(meshes) => self.meshes.moved(mesh, meshes),
            None => Ok(None),
        };
        let posed_by = match &moved {
            Ok(Some(moved)) => PosedBy::new(own, *moved, scene),
            Ok(None) | Err(_) => PosedBy::default(),
        };
        let uses = Uses {
            mesh: Some(mesh),
            image: None,
            height_map: None,
            matrices: posed_by.matrices,
            followed: posed_by.followed.clone(),
        };
        self.use_all(entity, uses);
        if moved?.is_none() {
            return Ok(None);
        }
        let (posing, matrices) = posed_by.posing(scene)?;
        let baked = match self
            .meshes
            .state(mesh, &posing, matrices, scene.is_blocking())
        {
            MeshState::Baked(baked) => baked.clone(),
            MeshState::Fault(fault) => return Err(fault.clone()),
            MeshState::Nothing => return Ok(None),
        };
        let pose = match &baked {
            Baked::Mesh(_) => Pose::default(),
            Baked::Model(model) => posed_by.pose(model, scene)?,
        };
        Ok(Some((baked, pose)))
    }

    fn shape(&self, entity: Entity) -> Option<&TrackedShape> {
        self.tracked.get(&entity).map(|tracked| &tracked.shape)
    }
}
