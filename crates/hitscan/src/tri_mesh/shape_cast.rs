//! Shape casts at a mesh, and the contacts of a resting shape with it.
//!
//! The tree is searched best first (`placed.rs`); `shape_cast/` and `contact/` decide what counts.

use super::{PlacedMesh, TriMesh};
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::parallel::answers_of;
use crate::{Contact, ContactsPer, Primitive, ShapeCast, ShapeHit, Sides};

impl TriMesh {
    /// The first hit of a moving shape with the mesh's triangles, or `None`; see
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
    /// use hitscan::{Aabb, ShapeCast, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let crate_box = Aabb::new([1.0, 2.0, 1.0], [2.0, 3.0, 2.0])?;
    /// let hit = floor.cast_shape(&ShapeCast::new(crate_box, [0.0, -4.0, 0.0])?, ());
    /// assert_eq!(hit.map(|hit| (hit.t, hit.normal.y)), Some((0.5, 1.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
        PreparedCast::new(cast, sides.into()).first_hit(&PlacedMesh::from(self))
    }

    /// Whether a moving shape hits anything, or overlaps it at the start.
    #[must_use]
    pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
        PreparedCast::new(cast, sides.into()).meets_any(&PlacedMesh::from(self))
    }

    /// [`TriMesh::cast_shape`] for each moving shape, in order; on the threads of rayon's current pool
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

    /// [`TriMesh::cast_shape_any`] for each moving shape, in order; on threads as
    /// [`TriMesh::cast_shapes`].
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
    /// use hitscan::{ContactsPer, Sphere, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let ball = Sphere::new([2.0, 0.75, 2.0], 1.0)?;
    /// let contacts = floor.contacts(ball, 0.0, ContactsPer::Triangle);
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
        ContactQuery::new(shape, margin).with_triangles(&PlacedMesh::from(self), each)
    }

    /// [`TriMesh::contacts`] for each shape, in order; on threads as [`TriMesh::cast_shapes`].
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
        ContactQuery::new(shape, 0.0).overlaps(&PlacedMesh::from(self))
    }

    /// [`TriMesh::overlaps_shape`] for each shape, in order; on threads as [`TriMesh::cast_shapes`].
    #[must_use]
    pub fn overlaps_shapes(&self, shapes: &[Primitive]) -> Vec<bool> {
        answers_of(shapes, |shape| self.overlaps_any(shape))
    }
}

#[cfg(test)]
mod tests {
    use crate::narrow_phase::contact::query::ContactQuery;
    use crate::narrow_phase::contact::triangle_source::{
        BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
    };
    use crate::narrow_phase::convex::Outline;
    use crate::narrow_phase::ray_cast::hit::TriangleId;
    use crate::narrow_phase::shape_cast::prepared::{Encounter, PreparedCast};
    use crate::tri_mesh::{MeshTransform, PlacedMesh};
    use crate::{Aabb, InitialOverlap, ShapeCast, Sides, TriMesh};
    use core::cell::Cell;
    use core::ops::ControlFlow;
    use glam::{DAffine3, DVec3, Vec3};

    /// A flat wall of `2 * size * size` triangles at x = 0, in an order that is not the wall's.
    fn wall(size: u32) -> TriMesh {
        let at = |i: u32| Vec3::new(0.0, (i / (size + 1)) as f32, (i % (size + 1)) as f32);
        let positions = (0..(size + 1) * (size + 1)).map(at).collect();
        let cell = |k: u32| {
            let k = k * 7919 % (size * size);
            let corner = k / size * (size + 1) + k % size;
            let above = corner + size + 1;
            [[corner, corner + 1, above], [corner + 1, above + 1, above]]
        };
        TriMesh::new(positions, (0..size * size).flat_map(cell).collect()).unwrap()
    }

    /// A search that counts its visits.
    struct Counted<'a> {
        search: &'a mut dyn BestFirst,
        visited: &'a Cell<usize>,
    }

    impl BestFirst for Counted<'_> {
        fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
            self.search.lower_bound(min, max)
        }

        fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
            self.search.quick_bound(min, max)
        }

        fn outline(&self) -> Option<&Outline> {
            self.search.outline()
        }

        fn resting(&self) -> Option<&Outline> {
            self.search.resting()
        }

        fn has_found(&self) -> bool {
            self.search.has_found()
        }

        fn is_done(&self) -> bool {
            self.search.is_done()
        }

        fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
            self.search.admits(bound, id)
        }

        fn time_limit(&self) -> f32 {
            self.search.time_limit()
        }

        fn visit(&mut self, triangle: SourceTriangle) {
            self.visited.set(self.visited.get() + 1);
            self.search.visit(triangle);
        }
    }

    /// A mesh that counts the triangles that searches visit.
    struct CountedMesh<'a>(PlacedMesh<'a>, Cell<usize>);

    impl TriangleSource for CountedMesh<'_> {
        fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
            self.0.for_each_in(min, max, visit)
        }

        fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
            let visited = &self.1;
            self.0.best_first(swept, &mut Counted { search, visited });
        }
    }

    #[test]
    fn a_box_against_a_flat_wall_visits_few_triangles() {
        let mesh = wall(200);
        let far = DAffine3::from_translation(DVec3::new(100.0, 0.3, 0.7));
        let far = MeshTransform::new(far);
        for (low, high) in [(90.0, 92.0), (60.25, 140.75), (-10.0, 300.0)] {
            for (transform, x) in [(None, 0.0), (Some(&far), 100.0)] {
                let start = Aabb::new([x - 9.0, low, low], [x - 8.0, high, high]).unwrap();
                let cast = ShapeCast::new(start, [16.0, 0.5, -0.5]).unwrap();
                let prepared = PreparedCast::new(&cast, Sides::Both);
                let placed = PlacedMesh {
                    transform,
                    ..PlacedMesh::from(&mesh)
                };
                let counted = CountedMesh(placed, Cell::new(0));
                let found = prepared
                    .first_triangle(&counted, 1.0)
                    .map(|first| first.triangle.id);
                let all = (0..).zip(mesh.triangles()).filter_map(|(triangle, _)| {
                    let triangle = placed.triangle(triangle);
                    match prepared.meet_triangle(&triangle, 1.0)? {
                        Encounter::Contact(contact) => Some((contact.floor(), triangle.id)),
                        Encounter::Overlap => None,
                    }
                });
                let expected = all
                    .min_by(|(t, id), (other, other_id)| t.total_cmp(other).then(id.cmp(other_id)));
                assert_eq!(found, expected.map(|(_, id)| id));
                let visited = counted.1.get();
                assert!(visited < 64, "{visited} visited: {cast:?}");
            }
        }
    }

    #[test]
    fn a_box_in_a_flat_wall_visits_few_triangles() {
        let mesh = wall(200);
        for high in [12.25, 90.25, 150.25] {
            let start = Aabb::new([-0.1, 10.0, 10.0], [high, high, high]).unwrap();
            let source = CountedMesh(PlacedMesh::from(&mesh), Cell::new(0));
            assert!(
                ContactQuery::new(&start.into(), 0.0)
                    .least(&source)
                    .is_some()
            );
            assert!(source.1.get() < 100, "{:?}", source.1);
            for overlaps in [InitialOverlap::Stop, InitialOverlap::Escape] {
                let source = CountedMesh(PlacedMesh::from(&mesh), Cell::new(0));
                let cast = ShapeCast::new(start, [-1.0, 0.5, 0.25]).unwrap();
                let cast = PreparedCast::new(&cast.with_initial_overlap(overlaps), Sides::Both);
                assert!(cast.first_hit(&source).is_some_and(|hit| hit.t == 0.0));
                assert!(source.1.get() < 200, "{:?}", source.1);
            }
        }
    }
}
