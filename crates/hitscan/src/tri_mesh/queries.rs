//! The queries that meshes share with terrain and posed models: what each finds, and their public methods.

use super::ray::batch::{MeshBatch, any_hits};
use super::ray::wavefront::Wavefront;
use super::{PlacedMesh, Surface, TriMesh, is_inside};
use crate::camera::blocks::answer_tile;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::closest_point::{PartInfo, Search, checked_max_distance};
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::parallel::answer_queries;
use crate::query::closest_hits::hit_of;
use crate::query::surface_queries::{self, SurfaceQueries, surface_verbs};
use crate::query::watch::Unwatched;
use crate::simd::dispatch;
use crate::{
    BallisticArc, Camera, CameraTile, ClosestPoint, Contact, ContactsPer, Primitive, Ray,
    RayCastSettings, RayHit, ShapeCast, ShapeHit, Sides, TurningCast, TurningHit,
};
use core::ops::ControlFlow;
use fearless_simd::Simd;
use glam::{DVec3, Vec3};

surface_verbs! { TriMesh {
    /// The nearest hit of `ray`; of equal t the lowest triangle index.
    ///
    /// # Accuracy
    /// Whether a triangle is hit is decided exactly; `t` is the exact value rounded to f32.
    cast_ray;

    /// All hits of `ray`, nearest first.
    ///
    /// A hit at an edge or corner that triangles share counts as if the ray were perturbed by one
    /// fixed infinitesimal, so that the hits of a closed mesh alternate between front and back; a
    /// touch that this would lose is one front and one back hit. Of a ray that starts where it runs in
    /// the plane of a triangle, on it, the first hit may be from either side.
    cast_ray_all;

    /// ```
    /// use hitscan::{Ray, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// let hits = mesh.cast_rays(&rays, ());
    /// assert_eq!(hits[0].map(|hit| hit.t), Some(3.0));
    /// assert!(hits[1].is_none());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_rays;

    /// ```
    /// use hitscan::{Ray, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// assert_eq!(mesh.cast_rays_any(&rays, ()), [true, false]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_rays_any;

    /// ```
    /// use hitscan::{Camera, CameraTile, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [4.0, 0.0, 0.0].into(), [0.0, 4.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let camera = Camera::new([1.0, 1.0, 3.0], [1.0, 1.0, 0.0], 0.5, [9, 7])?;
    /// let hits = mesh.cast_camera(&camera, &CameraTile::whole(&camera), ());
    /// assert_eq!(hits[3 * 9 + 4].map(|hit| hit.t), Some(3.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_camera;

    /// The first hit of `arc`; of equal t the lowest triangle index.
    ///
    /// A triangle is hit where the arc crosses it or only touches it; an arc that lies in a triangle's
    /// plane misses it.
    ///
    /// # Accuracy
    /// Whether a triangle is hit is exact; `t` is the exact root rounded to f32. So no arc passes between
    /// triangles that share an edge.
    cast_arc;

    /// ```
    /// use hitscan::{Aabb, ShapeCast, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let crate_box = Aabb::new([1.0, 2.0, 1.0], [2.0, 3.0, 2.0])?;
    /// let hit = floor.cast_shape(&ShapeCast::new(crate_box, [0.0, -4.0, 0.0])?, ());
    /// assert_eq!(hit.map(|hit| (hit.t, hit.normal.y)), Some((0.5, 1.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_shape;

    /// ```
    /// use hitscan::{ContactsPer, Sphere, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let ball = Sphere::new([2.0, 0.75, 2.0], 1.0)?;
    /// let contacts = floor.contacts(ball, 0.0, ContactsPer::Triangle);
    /// assert_eq!((contacts[0].separation, contacts[0].normal.y), (-0.25, 1.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    contacts;

    /// ```
    /// use hitscan::{TriMesh, glam::Vec3};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let nearest = floor.closest_point([2.0, 3.0, 3.0], 5.0).unwrap();
    /// assert_eq!((nearest.distance, nearest.point), (3.0, Vec3::new(2.0, 0.0, 3.0)));
    /// assert_eq!(nearest.normal, Vec3::Y);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    closest_point;

    /// As [`Self::closest_point`], the mesh counting as a solid if it is closed: strictly
    /// inside, where its winding number is not 0, the distance is negative, and `max_distance` does
    /// not matter.
    ///
    /// A mesh is closed where each edge is run through as often one way as the other; corners are
    /// one where their coordinates are equal, and triangles without area count. That is found out
    /// once, by the first call.
    closest_point_signed;
}}

impl SurfaceQueries for TriMesh {
    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        dispatch!(self.bvh.width(), simd => self.closest_hit(simd, ray, sides))
    }

    fn has_hit(&self, ray: &Ray, sides: Sides) -> bool {
        self.is_hit(&LocalRay::from(ray), sides)
    }

    fn all_hits(&self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let local = LocalRay::from(ray);
        let mut hits = PartHits::default();
        self.for_each_candidate(&local, |triangle, corners| {
            hits.test(&local, triangle, corners);
        });
        hits.into_ray_hits(ray, sides)
    }

    fn nearest_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]) {
        answer_queries(rays, hits, |rays, hits| {
            MeshBatch::new().answer(self, rays, sides, hits);
        });
    }

    fn have_hits(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        answer_queries(rays, are_hits, |rays, are_hits| {
            any_hits(&mut Wavefront::new(), (self, sides), rays, are_hits);
        });
    }

    fn camera_hits(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<Option<RayHit>> {
        let width = self.bvh.width();
        answer_tile(view, width, MeshBatch::new, |batch, rays, hits| {
            batch.answer(self, rays, sides, hits);
        })
    }

    fn camera_any(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<bool> {
        let width = self.bvh.width();
        answer_tile(view, width, Wavefront::new, |wavefront, rays, are_hits| {
            any_hits(wavefront, (self, sides), rays, are_hits);
        })
    }

    fn search_along_arc(&self, search: &mut ArcSearch) {
        PlacedMesh::from(self).search_arc(search);
    }

    fn closest(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        self.closest_to(point, checked_max_distance(point, max_distance)?, false)
    }

    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = checked_max_distance(point, max_distance)?;
        let mesh = core::iter::once(PlacedMesh::from(self));
        let is_inside = self.is_closed() && is_inside(point.as_dvec3(), mesh);
        let max_distance = if is_inside {
            f64::INFINITY
        } else {
            max_distance
        };
        self.closest_to(point, max_distance, is_inside)
    }
}

impl TriMesh {
    /// The traversal of [`TriMesh::nearest`] with the hit made in the same function: a returned one
    /// goes through memory, which takes a camera's ray a tenth longer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn closest_hit<S: Simd>(&self, simd: S, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let local = LocalRay::from(ray);
        let closest = self.closest_triangle_hit(simd, &local, sides, f32::INFINITY, Unwatched)?;
        Some(hit_of(ray, &closest))
    }

    /// The closest point up to `max_distance`, of a point that is inside or not.
    fn closest_to(&self, point: Vec3, max_distance: f64, is_inside: bool) -> Option<ClosestPoint> {
        let mut search = Search::new(point.as_dvec3(), max_distance, f64::INFINITY);
        PlacedMesh::from(self).search_near(&mut search);
        let part_info = PartInfo {
            is_inside,
            ..PartInfo::SURFACE
        };
        Some(search.into_found()?.answer(point.as_dvec3(), part_info))
    }
}

/// The triangles where they are in the mesh's space.
impl TriangleSource for TriMesh {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        PlacedMesh::from(self).for_each_in(min, max, visit)
    }

    fn for_each_near(
        &self,
        outline: &Outline,
        bounds: (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        PlacedMesh::from(self).for_each_near(outline, bounds, visit)
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        PlacedMesh::from(self).best_first(swept, search);
    }
}
