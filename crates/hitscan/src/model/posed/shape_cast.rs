//! Shape casts at a posed model as a whole, and the contacts of a resting shape with it, in the model's
//! space.

use super::PosedModel;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::parallel::answers_of;
use crate::{Contact, ContactsPer, Primitive, ShapeCast, ShapeHit, Sides};

impl PosedModel {
    /// The first hit of a moving shape, which is in the model's space, or `None`; see
    /// [`TriMesh::cast_shape`](crate::TriMesh::cast_shape). Of equal hits that of the lowest part index counts, then that of the lowest
    /// triangle; the parts are one surface.
    ///
    /// A world answers the same for the model where it is placed by the identity.
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
        PreparedCast::new(cast, sides.into()).first_hit(&self.placed_parts())
    }

    /// Whether a moving shape hits anything, or overlaps it at the start.
    #[must_use]
    pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
        PreparedCast::new(cast, sides.into()).meets_any(&self.placed_parts())
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
        answers_of(casts, |cast| self.cast_shape(cast, sides))
    }

    /// [`PosedModel::cast_shape_any`] for each moving shape, in order; on threads as
    /// [`PosedModel::cast_shapes`].
    #[must_use]
    pub fn cast_shapes_any(&self, casts: &[ShapeCast], sides: impl Into<Sides>) -> Vec<bool> {
        let sides = sides.into();
        answers_of(casts, |cast| self.cast_shape_any(cast, sides))
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
        self.contacts_of(&shape.into(), margin, each)
    }

    fn contacts_of(&self, shape: &Primitive, margin: f32, each: ContactsPer) -> Vec<Contact> {
        ContactQuery::new(shape, margin).with_triangles(&self.placed_parts(), each)
    }

    /// [`PosedModel::contacts`] for each shape, in order; on threads as [`PosedModel::cast_shapes`].
    #[must_use]
    pub fn contacts_of_shapes(
        &self,
        shapes: &[Primitive],
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Vec<Contact>> {
        answers_of(shapes, |shape| self.contacts_of(shape, margin, each))
    }

    /// Whether a resting shape overlaps a triangle, exactly; see
    /// [`TriMesh::overlaps_shape`](crate::TriMesh::overlaps_shape).
    #[must_use]
    pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
        self.overlaps_any(&shape.into())
    }

    fn overlaps_any(&self, shape: &Primitive) -> bool {
        ContactQuery::new(shape, 0.0).overlaps(&self.placed_parts())
    }

    /// [`PosedModel::overlaps_shape`] for each shape, in order; on threads as
    /// [`PosedModel::cast_shapes`].
    #[must_use]
    pub fn overlaps_shapes(&self, shapes: &[Primitive]) -> Vec<bool> {
        answers_of(shapes, |shape| self.overlaps_any(shape))
    }
}
