//! Shape casts at a posed model as a whole, and the contacts of a resting shape with it, in the model's
//! space.

use super::part_transforms::PartTransform;
use super::{PosedModel, PosedPart};
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::parallel::answers_of;
use crate::tri_mesh::PlacedMesh;
use crate::{Contact, ContactsPer, Primitive, ShapeCast, ShapeHit, Sides};
use core::ops::ControlFlow;
use glam::DVec3;

impl PosedModel {
    /// The first hit of a moving shape, which is in the model's space, or `None`; see
    /// [`TriMesh::cast_shape`](crate::TriMesh::cast_shape). Of equal hits that of the lowest part counts, then that of the lowest
    /// triangle; the parts are one surface.
    ///
    /// A world answers the same for the model where it is placed by the identity.
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
        PreparedCast::new(cast, sides.into())?.first_hit(&Placed::new(self))
    }

    /// Whether a moving shape hits anything, or overlaps it at the start.
    #[must_use]
    pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
        PreparedCast::new(cast, sides.into()).is_some_and(|cast| cast.meets_any(&Placed::new(self)))
    }

    /// [`PosedModel::cast_shape`] for each moving shape, in order; on the threads of rayon's current
    /// pool where the feature `parallel` is on.
    #[must_use]
    pub fn cast_shapes(
        &self,
        casts: &[ShapeCast],
        sides: impl Into<Sides>,
    ) -> Vec<Option<ShapeHit>> {
        let sides = sides.into();
        let placed = Placed::new(self);
        answers_of(casts, |cast| {
            PreparedCast::new(cast, sides)?.first_hit(&placed)
        })
    }

    /// [`PosedModel::cast_shape_any`] for each moving shape, in order; on threads as
    /// [`PosedModel::cast_shapes`].
    #[must_use]
    pub fn cast_shapes_any(&self, casts: &[ShapeCast], sides: impl Into<Sides>) -> Vec<bool> {
        let sides = sides.into();
        let placed = Placed::new(self);
        answers_of(casts, |cast| {
            PreparedCast::new(cast, sides).is_some_and(|cast| cast.meets_any(&placed))
        })
    }

    /// What a resting shape overlaps, touches or is within `margin` of, metres; see
    /// [`TriMesh::contacts`](crate::TriMesh::contacts).
    #[must_use]
    pub fn contacts(
        &self,
        shape: impl Into<Primitive>,
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Contact> {
        ContactQuery::new(&shape.into(), margin).with_triangles(&Placed::new(self), each)
    }

    /// [`PosedModel::contacts`] for each shape, in order; on threads as [`PosedModel::cast_shapes`].
    #[must_use]
    pub fn contacts_of_shapes(
        &self,
        shapes: &[Primitive],
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Vec<Contact>> {
        let placed = Placed::new(self);
        answers_of(shapes, |shape| {
            ContactQuery::new(shape, margin).with_triangles(&placed, each)
        })
    }

    /// Whether a resting shape overlaps a triangle, exactly; see
    /// [`TriMesh::overlaps_shape`](crate::TriMesh::overlaps_shape).
    #[must_use]
    pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
        ContactQuery::new(&shape.into(), 0.0).overlaps(&Placed::new(self))
    }

    /// [`PosedModel::overlaps_shape`] for each shape, in order; on threads as
    /// [`PosedModel::cast_shapes`].
    #[must_use]
    pub fn overlaps_shapes(&self, shapes: &[Primitive]) -> Vec<bool> {
        let placed = Placed::new(self);
        answers_of(shapes, |shape| {
            ContactQuery::new(shape, 0.0).overlaps(&placed)
        })
    }
}

/// The parts of a model that have triangles, with their transforms. Meshes that the pose deforms are made
/// where a query reaches them.
struct Placed<'a> {
    parts: Vec<(u32, PartInModel<'a>)>,
}

struct PartInModel<'a> {
    part: PosedPart<'a>,
    transform: &'a PartTransform,
}

impl<'a> Placed<'a> {
    fn new(model: &'a PosedModel) -> Self {
        let parts = (0..).zip(model.parts().zip(model.part_transforms().all()));
        let parts = parts.filter(|(_, (part, _))| part.bounds().is_some());
        Self {
            parts: parts
                .map(|(index, (part, transform))| (index, PartInModel { part, transform }))
                .collect(),
        }
    }

    fn visit<T>(
        &self,
        swept: &MovingBox,
        visit: &mut dyn FnMut(&PlacedMesh<'_>) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        for (index, part) in &self.parts {
            if part.is_near(swept) {
                visit(&part.placed(*index))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl PartInModel<'_> {
    fn placed(&self, part: u32) -> PlacedMesh<'_> {
        self.transform.placed(self.part, part)
    }

    /// Whether a moving box may touch it, by the part's own bounds.
    fn is_near(&self, swept: &MovingBox) -> bool {
        let local = match &self.transform.transform {
            None => *swept,
            Some(transform) => match transform.local_box(swept) {
                Some(local) => local,
                None => return true,
            },
        };
        let end = local.motion;
        let (low, high) = (
            local.min + end.min(DVec3::ZERO),
            local.max + end.max(DVec3::ZERO),
        );
        // The sums are rounded once; what the part's own bounds are larger by covers more.
        self.part.bounds().is_some_and(|bounds| {
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            let slack = (low.abs().max(high.abs())) * f64::EPSILON;
            (low - slack).cmple(max).all() && (high + slack).cmpge(min).all()
        })
    }
}

impl TriangleSource for Placed<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        let resting = MovingBox {
            min,
            max,
            motion: DVec3::ZERO,
        };
        self.visit(&resting, &mut |part| part.for_each_in(min, max, visit))
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        // Nothing breaks off.
        let _ = self.visit::<()>(swept, &mut |part| {
            part.best_first(swept, search);
            ControlFlow::Continue(())
        });
    }
}
