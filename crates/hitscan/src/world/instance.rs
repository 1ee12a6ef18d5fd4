//! An instance: a model in its pose, or a mesh, with a transform into the world.
//!
//! Making one costs a box; its parts are placed when a query first comes near (a skinned one that is alone at
//! once), and deformed parts are computed only where rays reach them. Queries are answered by the parts (`model/posed/placed_parts.rs`).

pub(crate) use super::geometry::Geometry;
use super::instance_transform::{check_range, inverse, is_in_range};
use crate::model::{Model, PartPlaces, PlacedPart, PlacedParts, PosedModel};
use crate::simd::prefetch;
use crate::tri_mesh::MeshTransform;
use crate::{Aabb, Error, TriMesh};
use glam::DAffine3;
use std::sync::{Arc, OnceLock};

/// A model in its pose, or a mesh, in the world.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    geometry: Geometry,
    transform: MeshTransform,
    /// A box that holds whatever a query may hit; see [`PlacedPart::culling_bounds`].
    culling_bounds: Option<Aabb>,
    /// Where the parts are in the world, once one was queried.
    places: OnceLock<PartPlaces>,
}

impl Instance {
    /// The instance of `geometry` with this transform.
    ///
    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite, [`Error::OutOfRange`]
    /// where it carries a corner beyond ±1e18.
    pub(crate) fn new(geometry: Geometry, world_from_model: &DAffine3) -> Result<Arc<Self>, Error> {
        let model_from_world = inverse(world_from_model)?;
        let transform = MeshTransform::with_inverse(world_from_model, &model_from_world);
        Self::with_transform(geometry, &transform)
    }

    /// The instance that has the world's coordinates.
    pub(crate) fn unplaced(geometry: Geometry) -> Arc<Self> {
        Self::new(geometry, &DAffine3::IDENTITY)
            .expect("meshes and posed models are in range at their own coordinates")
    }

    /// The instance of `geometry` with the transform of this one.
    ///
    /// # Errors
    /// As [`Instance::new`].
    pub(crate) fn with_geometry(&self, geometry: Geometry) -> Result<Arc<Self>, Error> {
        Self::with_transform(geometry, &self.transform)
    }

    fn with_transform(geometry: Geometry, transform: &MeshTransform) -> Result<Arc<Self>, Error> {
        let culling_bounds = geometry.bounds(&transform.world_from_mesh);
        let is_in_range = is_in_range(culling_bounds.as_ref());
        let places = geometry.places_at_hand(transform, culling_bounds);
        // Written where it stays: it is too large to be moved.
        let instance = Arc::new(Self {
            geometry,
            transform: *transform,
            culling_bounds,
            places: places.map_or_else(OnceLock::new, OnceLock::from),
        });
        if !is_in_range {
            // At the ends of what is accepted each part is checked by itself.
            instance.parts().all().try_for_each(check_part_range)?;
        }
        Ok(instance)
    }

    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub(crate) fn model(&self) -> Option<&Arc<Model>> {
        self.geometry.posed_model().map(PosedModel::model)
    }

    pub(crate) fn world_from_model(&self) -> &DAffine3 {
        &self.transform.world_from_mesh
    }

    /// Whether it has the world's coordinates.
    #[inline]
    pub(crate) fn is_unplaced(&self) -> bool {
        self.transform.is_identity()
    }

    /// Whether it may be elsewhere at a later tick, where it is `later`. Joint matrices are in the world's space, and
    /// poses in that of a transform: from the one kind to the other there is no way.
    pub(crate) fn may_move_to(self: &Arc<Self>, later: &Arc<Self>) -> bool {
        let is_by_joints = |instance: &Self| instance.geometry.is_by_joints();
        !Arc::ptr_eq(self, later) && is_by_joints(self) == is_by_joints(later)
    }

    /// A box that holds what [`PosedModel::blended`] makes of this and a later one, where both are of one model that
    /// is posed by joint matrices; `None` for others.
    pub(crate) fn bounds_by_joints_to(&self, later: &Self) -> Option<Option<Aabb>> {
        let (Geometry::Model(a), Geometry::Model(b)) = (&self.geometry, &later.geometry) else {
            return None;
        };
        let is_of_one = Arc::ptr_eq(a.model(), b.model());
        let is_blended = is_of_one && self.is_unplaced() && later.is_unplaced();
        is_blended.then(|| a.bounds_to(b)).flatten()
    }

    pub(crate) fn culling_bounds(&self) -> Option<&Aabb> {
        self.culling_bounds.as_ref()
    }

    /// The smallest box of f32 around all triangles in the world.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        let boxes = self.parts().all().filter_map(|part| part.bounds());
        boxes.reduce(|all, one| all.union(&one))
    }

    /// The parts in the world.
    #[inline]
    pub(crate) fn parts(&self) -> PlacedParts<'_> {
        let places = self
            .places
            .get_or_init(|| (self.geometry).places(&self.transform, self.culling_bounds));
        places.of(self.geometry.posed_model(), &self.transform)
    }

    /// Prefetches what [`Instance::with_geometry`] reads.
    pub(crate) fn prefetch_transform(&self) {
        prefetch(&self.transform);
    }

    /// Prefetches what a ray that comes near reads first of a posed model.
    #[inline]
    pub(crate) fn prefetch_pose(&self) {
        self.geometry.prefetch_pose();
    }

    pub(crate) fn triangle_count(&self) -> usize {
        match &self.geometry {
            Geometry::Mesh(mesh) => mesh.triangles().len(),
            Geometry::Model(posed) => posed.model().triangle_count(),
        }
    }

    /// Counts what it takes on the heap: the address of each thing, which others may share, and its
    /// bytes.
    pub(crate) fn count_bytes(&self, count: &mut impl FnMut(usize, usize)) {
        let mut mesh = |mesh: &Arc<TriMesh>| count(Arc::as_ptr(mesh).addr(), mesh.memory_bytes());
        if let Geometry::Mesh(own) = &self.geometry {
            mesh(own);
        }
        let places = self.places.get();
        (places.into_iter().flat_map(PartPlaces::meshes_at_rest)).for_each(&mut mesh);
        if let Geometry::Model(posed) = &self.geometry {
            let model = posed.model();
            count(Arc::as_ptr(model).addr(), model.memory_bytes());
            let bytes = size_of::<PosedModel>() + posed.memory_bytes();
            count(Arc::as_ptr(posed).addr(), bytes);
        }
        let places = places.map_or(0, PartPlaces::memory_bytes);
        count(core::ptr::from_ref(self).addr(), size_of::<Self>() + places);
    }
}

/// Refuses a part beyond the range that shapes accept.
///
/// # Errors
/// [`Error::OutOfRange`] or [`Error::NotFinite`] where a corner is beyond ±1e18.
fn check_part_range(part: PlacedPart<'_>) -> Result<(), Error> {
    if is_in_range(part.culling_bounds()) {
        return Ok(());
    }
    if let (Some(own), Some(transform)) = (part.mesh().bounds(), part.transform()) {
        let largest = transform.max_abs_of(&own);
        if !largest.is_finite() {
            let (what, found) = ("placed corner", largest);
            return Err(Error::NotFinite { what, found });
        }
    }
    // The box may be larger than what it is around.
    part.bounds().map_or(Ok(()), |own| check_range(&own))
}
