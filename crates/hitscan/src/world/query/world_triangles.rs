//! The triangles of objects, with their corners in world space in f64.

use crate::narrow_phase::ray_cast::hit::{TriangleId, triangle_rank};
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::Snapshot;
use crate::world::object::Shape;
use crate::{Aabb, ObjectId};
use core::ops::ControlFlow;
use glam::DVec3;

/// A triangle in world space.
pub(super) struct WorldTriangle {
    pub(super) id: TriangleId,
    pub(super) corners: [DVec3; 3],
}

impl WorldTriangle {
    /// The smallest box of f32 around it.
    pub(super) fn bounds(&self) -> Aabb {
        let [a, b, c] = self.corners;
        Aabb::around_f64([a, b, c]).unwrap_or(Aabb::from_ordered(a.as_vec3(), a.as_vec3()))
    }
}

impl Snapshot {
    /// All triangles of an object, in order of part and triangle.
    pub(super) fn all_triangles(
        &self,
        object: ObjectId,
        filter: &QueryFilter<'_>,
    ) -> ControlFlow<(), Vec<WorldTriangle>> {
        match self.object_bounds(object) {
            Some(bounds) => self.triangles_in(object, &bounds, filter),
            None => ControlFlow::Continue(Vec::new()),
        }
    }

    /// The triangles of an object whose boxes touch `region`, in order of part and triangle.
    pub(super) fn triangles_in(
        &self,
        object: ObjectId,
        region: &Aabb,
        filter: &QueryFilter<'_>,
    ) -> ControlFlow<(), Vec<WorldTriangle>> {
        let mut found = Vec::new();
        let (min, max) = (region.min().as_dvec3(), region.max().as_dvec3());
        let mut add = |id, corners| {
            filter.step()?;
            let triangle = WorldTriangle { id, corners };
            if triangle.bounds().touches(region) {
                found.push(triangle);
            }
            ControlFlow::Continue(())
        };
        let shape = self.shape_of(object);
        if let Some(Shape::HeightField(field)) = shape {
            field.for_each_triangle_in(min, max, &mut |triangle, corners| {
                add(TriangleId { part: 0, triangle }, *corners)
            })?;
        }
        if let Some(instance) = shape.and_then(Shape::meshes) {
            for part in instance.parts().all() {
                part.for_each_triangle_in((min, max), &mut |triangle| {
                    add(triangle.id, triangle.corners)
                })?;
            }
        }
        sort_by_rank(&mut found, |triangle| {
            [triangle_rank(Some(triangle.id)), 0, 0]
        });
        ControlFlow::Continue(found)
    }

    pub(super) fn shape_of(&self, object: ObjectId) -> Option<&Shape> {
        Some(&self.state().object(object)?.shape)
    }
}
