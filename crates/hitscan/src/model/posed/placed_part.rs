//! A part with its transform into an outer space: into its model, or by an instance into the world.
//!
//! Rays are brought into the part's space. Where the transform is too ill-conditioned for that, and for
//! all other queries, it is the corners that are taken into the outer space (`tri_mesh/placed.rs`).

use super::{PosedModel, PosedPart};
use crate::model::Winding;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::narrow_phase::contact::triangle_source::MovingBox;
use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::tri_mesh::{MeshTransform, PlacedMesh, TriangleWatch, is_inside};
use crate::{Aabb, Ray, RayHit, Side, Sides, TriMesh, TriangleId};
use glam::{DAffine3, DVec3, Vec3};
use std::sync::{Arc, OnceLock};

/// Where a part is placed.
#[derive(Debug, Clone)]
pub(super) struct PartPlace {
    /// The triangles in the part's space; `None` where the pose deforms them.
    pub(super) mesh: Option<Arc<TriMesh>>,
    pub(super) transform: PartTransform,
    /// How the sides of its triangles are turned where rays are cast at them: in the part's space, or in
    /// the outer one where the transform does not take rays.
    winding: Winding,
    /// Whether the front of its triangles is that from which their corners in the outer space run
    /// clockwise.
    is_mirrored: bool,
    pub(super) culling_bounds: Option<Aabb>,
    /// The box around the triangles in the outer space, once it was queried.
    bounds: OnceLock<Option<Aabb>>,
}

/// Into the outer space.
#[derive(Debug, Clone)]
pub(super) enum PartTransform {
    /// That of the model, or none where it has none.
    Model,
    /// Another one, as the part has a place of its own in the model.
    Own(Box<MeshTransform>),
}

impl PartTransform {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<'a>(&'a self, of_model: Option<&'a MeshTransform>) -> Option<&'a MeshTransform> {
        match self {
            Self::Model => of_model,
            Self::Own(own) => Some(own),
        }
    }
}

impl PartPlace {
    /// Where `transform` takes a mesh, and the box that holds it there; see
    /// [`PlacedPart::culling_bounds`].
    pub(super) fn of_mesh(
        mesh: &Arc<TriMesh>,
        transform: Option<&MeshTransform>,
        culling_bounds: Option<Aabb>,
    ) -> Self {
        let is_mirrored = is_mirrored(transform);
        Self {
            mesh: Some(Arc::clone(mesh)),
            culling_bounds,
            winding: winding(transform, is_mirrored),
            is_mirrored,
            transform: PartTransform::Model,
            bounds: OnceLock::new(),
        }
    }

    /// Where `outer_from_model` takes a part of a model in its pose, and the box that holds it there, where
    /// that is known.
    pub(super) fn of_part(
        part: PosedPart<'_>,
        outer_from_model: Option<&MeshTransform>,
        culling_bounds: Option<Aabb>,
    ) -> Self {
        let model_from_part = part.model_from_part();
        let own = if model_from_part == DAffine3::IDENTITY {
            PartTransform::Model
        } else {
            let outer_from_part = match outer_from_model {
                Some(outer) => outer.world_from_mesh * model_from_part,
                None => model_from_part,
            };
            PartTransform::Own(Box::new(MeshTransform::new(outer_from_part)))
        };
        let is_mirrored = is_mirrored(outer_from_model) != (part.winding() == Winding::Mirrored);
        let transform = own.get(outer_from_model);
        Self {
            mesh: part.at_rest().cloned(),
            culling_bounds: culling_bounds
                .or_else(|| part.placed_bounds(outer_from_part(transform))),
            winding: winding(transform, is_mirrored),
            is_mirrored,
            transform: own,
            bounds: OnceLock::new(),
        }
    }
}

/// How local rays see the sides of triangles that `transform` takes into the outer space.
fn winding(transform: Option<&MeshTransform>, is_mirrored: bool) -> Winding {
    // Where the transform itself mirrors, a ray in the part's space hits the outside as
    // outside. What is left is mirrored in the vertices.
    let is_seen = transform.is_some_and(|own| own.takes_rays() && own.is_mirrored());
    match is_mirrored != is_seen {
        true => Winding::Mirrored,
        false => Winding::Kept,
    }
}

fn outer_from_part(transform: Option<&MeshTransform>) -> &DAffine3 {
    transform.map_or(&DAffine3::IDENTITY, |transform| &transform.world_from_mesh)
}

fn is_mirrored(transform: Option<&MeshTransform>) -> bool {
    transform.is_some_and(MeshTransform::is_mirrored)
}

/// A part where it is placed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPart<'a> {
    /// Its number in the model, 0 for a mesh.
    pub(crate) index: u32,
    pub(super) place: &'a PartPlace,
    /// The transform of the model or the mesh into the outer space; `None` for the identity.
    pub(super) outer_from_model: Option<&'a MeshTransform>,
    /// The model that it is a part of; `None` for a mesh.
    pub(super) posed_model: Option<&'a PosedModel>,
}

/// Rays, and what they hit.
impl<'a> PlacedPart<'a> {
    /// The transform through which rays are brought to the part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of_rays(&self) -> Option<&'a MeshTransform> {
        self.transform().filter(|own| own.takes_rays())
    }

    /// The ray in the part's space, with the same t; itself at the identity and where the transform does
    /// not take rays.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        match self.of_rays() {
            Some(transform) => ray.transformed(transform.ray_inverse()),
            None => *ray,
        }
    }

    /// From the space of [local rays](Self::local_ray) to the outer one.
    pub(crate) fn outer_from_rays(&self) -> DAffine3 {
        self.of_rays()
            .map_or(DAffine3::IDENTITY, |transform| transform.world_from_mesh)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn takes_rays(&self) -> bool {
        self.transform().is_none_or(MeshTransform::takes_rays)
    }

    /// The nearest hit of a [local ray](Self::local_ray); see [`TriMesh::nearest`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn nearest(
        &self,
        local: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let sides = self.mesh_sides(sides);
        if !self.takes_rays() {
            return self.placed_mesh().nearest(local, sides, limit, watch);
        }
        match &self.place.mesh {
            Some(mesh) => mesh.nearest(local, sides, limit, watch),
            None => self.posed_part().nearest(local, sides, limit, watch),
        }
    }

    /// Whether a [local ray](Self::local_ray) hits it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_hit(&self, local: &LocalRay, sides: Sides) -> bool {
        let sides = self.mesh_sides(sides);
        if !self.takes_rays() {
            return self.placed_mesh().is_hit(local, sides);
        }
        match &self.place.mesh {
            Some(mesh) => mesh.is_hit(local, sides),
            None => self.posed_part().is_hit(local, sides),
        }
    }

    /// Visits every triangle that a [local ray](Self::local_ray) may hit.
    pub(crate) fn for_each_candidate(
        &self,
        local: &LocalRay,
        mut visit: impl FnMut(u32, &[DVec3; 3]),
    ) {
        if !self.takes_rays() {
            return self.placed_mesh().for_each_candidate(local, &mut visit);
        }
        match &self.place.mesh {
            Some(mesh) => mesh.for_each_candidate(local, visit),
            None => self.posed_part().for_each_candidate(local, visit),
        }
    }

    /// All hits of a ray of the outer space, in the order of [`PartHits::into_sorted`].
    pub(crate) fn all_hits(&self, ray: &Ray) -> impl Iterator<Item = RayHit> {
        let local = self.local_ray(&LocalRay::from(ray));
        let mut hits = PartHits::default();
        self.for_each_candidate(&local, |triangle, corners| {
            hits.test(&local, triangle, corners);
        });
        let sorted = hits.into_sorted(|side| self.turned(side)).into_iter();
        sorted.map(|(triangle, hit)| self.hit(ray, triangle, &hit))
    }

    /// What a ray of the outer space hits, for the hit of its local ray.
    pub(crate) fn hit(&self, ray: &Ray, triangle: u32, hit: &TriangleHit) -> RayHit {
        let part = self.index;
        let outer = TriangleHit {
            normal: self.outer_normal(hit.normal),
            side: self.turned(hit.side),
            ..*hit
        };
        RayHit::on_triangle(ray, TriangleId { part, triangle }, &outer)
    }

    /// The normal in the outer space of what a local ray hits, not of unit length. Outward stays outward,
    /// also where the transform mirrors.
    pub(crate) fn outer_normal(&self, local: DVec3) -> DVec3 {
        let normal = match self.of_rays() {
            Some(transform) => {
                // Divided by its largest component, so that the product stays in f64's range.
                let scaled = local / local.abs().max_element();
                transform.ray_inverse().matrix3.transpose() * scaled
            }
            None => local,
        };
        match self.place.winding {
            Winding::Kept => normal,
            Winding::Mirrored => -normal,
        }
    }

    /// The side of the surface in the outer space, for a side that a local ray hits, and the other way
    /// round.
    pub(crate) fn turned(&self, side: Side) -> Side {
        self.place.winding.turned(side)
    }

    /// The sides of the mesh that are `sides` of the surface in the outer space.
    pub(crate) fn mesh_sides(&self, sides: Sides) -> Sides {
        self.place.winding.mesh_sides(sides)
    }

    /// How local rays see the sides of its triangles.
    pub(crate) fn winding(&self) -> Winding {
        self.place.winding
    }

    /// The mesh for so many rays that come together; `None` where they are better cast one by one.
    pub(crate) fn mesh_for(&self, rays: usize) -> Option<&'a TriMesh> {
        if !self.takes_rays() {
            return None;
        }
        match &self.place.mesh {
            Some(mesh) => Some(mesh),
            None => self.posed_part().whole_for(rays),
        }
    }

    /// The mesh for rays that come together, unless the pose deforms it.
    pub(crate) fn mesh_at_hand(&self) -> Option<&'a TriMesh> {
        (self.place.mesh.as_deref()).filter(|_| self.takes_rays())
    }
}

/// The triangles.
impl<'a> PlacedPart<'a> {
    /// All triangles, in the part's space.
    pub(crate) fn mesh(&self) -> &'a Arc<TriMesh> {
        match &self.place.mesh {
            Some(mesh) => mesh,
            None => self.posed_part().mesh(),
        }
    }

    /// The triangles of a part that the pose deforms, and where its vertices are, in the part's space;
    /// `None` where there is a mesh of them, or is to be one.
    pub(super) fn deformed_for_one_call(&self) -> Option<(&'a [[u32; 3]], Vec<Vec3>)> {
        if self.place.mesh.is_some() {
            return None;
        }
        let part = self.posed_part();
        if part.whole_for_all_triangles().is_some() {
            return None;
        }
        Some((part.triangles(), part.positions().into_owned()))
    }

    /// All triangles, as they are in the outer space.
    pub(crate) fn placed_mesh(&self) -> PlacedMesh<'a> {
        PlacedMesh {
            mesh: self.mesh(),
            part: self.index,
            transform: self.transform(),
            is_mirrored: self.place.is_mirrored,
        }
    }

    /// Whether it is closed by itself and has a point strictly inside.
    pub(super) fn holds(&self, point: DVec3) -> bool {
        self.mesh().is_closed() && is_inside(point, core::iter::once(self.placed_mesh()))
    }

    fn posed_part(&self) -> PosedPart<'a> {
        (self.posed_model)
            .and_then(|posed_model| posed_model.part(self.index as usize))
            .expect("a deformed part is one of its model's")
    }

    /// Into the outer space; `None` for the identity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn transform(&self) -> Option<&'a MeshTransform> {
        self.place.transform.get(self.outer_from_model)
    }

    pub(crate) fn outer_from_part(&self) -> &'a DAffine3 {
        outer_from_part(self.transform())
    }

    /// Whether the front of its triangles is that from which their corners in the outer space run
    /// clockwise.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.place.is_mirrored
    }

    /// The box around the triangles in the outer space, or `None` without triangles. No deformed mesh is kept
    /// for it.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        *self.place.bounds.get_or_init(|| match &self.place.mesh {
            Some(mesh) => self.bounds_around(mesh.triangles(), mesh.positions()),
            None => {
                let part = self.posed_part();
                self.bounds_around(part.triangles(), &part.positions())
            }
        })
    }

    fn bounds_around(&self, triangles: &[[u32; 3]], positions: &[Vec3]) -> Option<Aabb> {
        let corners = triangles.as_flattened().iter();
        Aabb::around_f64(corners.map(|corner| {
            let at = positions[*corner as usize].as_dvec3();
            self.outer_from_part().transform_point3(at)
        }))
    }

    /// A box that holds what a transformed ray from 0 may hit, and the triangles in the outer space. A ray's
    /// own origin adds [`MARGIN`](crate::tri_mesh::MARGIN) of its magnitude.
    ///
    /// At a hit, `t |direction|` is at most the way from the origin to the box, so that all
    /// magnitudes involved are the origin's, the box's and the translation's.
    pub(crate) fn culling_bounds(&self) -> Option<&'a Aabb> {
        self.place.culling_bounds.as_ref()
    }

    /// Whether a moving box may touch it on its way.
    #[inline]
    pub(super) fn may_touch(&self, swept: &MovingBox) -> bool {
        let MovingBox { min, max, motion } = *swept;
        let (low, high) = (min + motion.min(DVec3::ZERO), max + motion.max(DVec3::ZERO));
        // Each sum is rounded once.
        let slack = low.abs().max(high.abs()) * f64::EPSILON;
        self.culling_bounds().is_some_and(|bounds| {
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            ((low - slack).cmple(max) & (high + slack).cmpge(min)).all()
        })
    }

    /// Whether an arc may touch it before what the search has found: `true` for a mesh at rest, which has
    /// as good a box itself, where that of a deformed part is known before its triangles are.
    pub(super) fn may_touch_arc(&self, search: &ArcSearch) -> bool {
        let is_in = |bounds: &Aabb| {
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            let window = ArcBounds::from(&search.arc).window(min, max, search.limit());
            window.is_some()
        };
        self.place.mesh.is_some() || self.culling_bounds().is_some_and(is_in)
    }
}
