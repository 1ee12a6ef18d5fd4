//! Shape casts at terrain, and the contacts of a resting shape with it.
//!
//! The pyramid is searched best first (`triangle_source.rs`); `shape_cast/` and `contact/` decide what
//! counts.

pub(in crate::height_field) mod near_shape;
pub(in crate::height_field) mod near_lanes;
pub(in crate::height_field) mod near_search;
pub(in crate::height_field) mod near_cells;
pub(in crate::height_field) mod triangle_source;

use super::HeightField;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::parallel::answers_of;
use crate::{Contact, ContactsPer, Primitive, ShapeCast, ShapeHit, Sides};

impl HeightField {
    /// The first hit of a moving shape with the terrain's triangles, or `None`; see
    /// [`Triangle::cast_shape`](crate::Triangle::cast_shape) for a single triangle.
    ///
    /// An overlap at the start comes first, of several that with the lowest triangle index. Else the hit of
    /// the earliest exact time, rounded down to f64; of equal ones the lowest triangle index.
    ///
    /// Contacts with edges inside a flat or concave surface (ghost contacts) are suppressed, so shapes slide
    /// over triangulated ground as over a smooth one. Sides are tested after that: a triangle whose side
    /// does not count still suppresses the edges that it shares.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Aabb, HeightField, ShapeCast};
    /// let plain = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81])?;
    /// let crate_box = Aabb::new([1.5, 2.0, 1.5], [3.0, 3.0, 3.0])?;
    /// let hit = plain.cast_shape(&ShapeCast::new(crate_box, [0.0, -4.0, 0.0])?, ());
    /// assert_eq!(hit.map(|hit| (hit.t, hit.normal.y)), Some((0.5, 1.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
        PreparedCast::new(cast, sides.into()).first_hit(self)
    }

    /// Whether a moving shape hits anything, or overlaps it at the start.
    #[must_use]
    pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
        PreparedCast::new(cast, sides.into()).meets_any(self)
    }

    /// [`HeightField::cast_shape`] for each moving shape, in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn cast_shapes(
        &self,
        casts: &[ShapeCast],
        sides: impl Into<Sides>,
    ) -> Vec<Option<ShapeHit>> {
        let sides = sides.into();
        answers_of(casts, |cast| self.cast_shape(cast, sides))
    }

    /// [`HeightField::cast_shape_any`] for each moving shape, in order; on threads as
    /// [`HeightField::cast_shapes`].
    #[must_use]
    pub fn cast_shapes_any(&self, casts: &[ShapeCast], sides: impl Into<Sides>) -> Vec<bool> {
        let sides = sides.into();
        answers_of(casts, |cast| self.cast_shape_any(cast, sides))
    }

    /// What a resting shape overlaps, touches or is within `margin` of, metres: one contact
    /// ([`ContactsPer::Object`]), or one for each triangle, in order ([`ContactsPer::Triangle`]). A
    /// negative margin counts as 0.
    ///
    /// Terrain and triangles are surfaces: a shape below the ground or inside a mesh that touches none of
    /// them has no contacts.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{ContactsPer, HeightField, Sphere};
    /// let plain = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81])?;
    /// let ball = Sphere::new([4.25, 0.75, 4.5], 1.0)?;
    /// let contacts = plain.contacts(ball, 0.0, ContactsPer::Object);
    /// assert_eq!((contacts[0].separation, contacts[0].normal.y), (-0.25, 1.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
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
        ContactQuery::new(shape, margin).with_triangles(self, each)
    }

    /// [`HeightField::contacts`] for each shape, in order; on threads as [`HeightField::cast_shapes`].
    #[must_use]
    pub fn contacts_of_shapes(
        &self,
        shapes: &[Primitive],
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Vec<Contact>> {
        answers_of(shapes, |shape| self.contacts_of(shape, margin, each))
    }

    /// Whether a resting shape overlaps a triangle, exactly: one that only touches does not.
    #[must_use]
    pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
        self.overlaps_any(&shape.into())
    }

    fn overlaps_any(&self, shape: &Primitive) -> bool {
        ContactQuery::new(shape, 0.0).overlaps(self)
    }

    /// [`HeightField::overlaps_shape`] for each shape, in order; on threads as [`HeightField::cast_shapes`].
    #[must_use]
    pub fn overlaps_shapes(&self, shapes: &[Primitive]) -> Vec<bool> {
        answers_of(shapes, |shape| self.overlaps_any(shape))
    }
}
