//! The queries that terrain shares with meshes and posed models: what each finds, and their public methods.

use super::HeightField;
use crate::narrow_phase::arc_cast::arc::WideArc;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::closest_point::{PartInfo, Search, checked_max_distance};
use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::closest_hits::hit_of;
use crate::query::collector::{Any, Closest};
use crate::query::surface_queries::{self, SurfaceQueries, surface_verbs};
use crate::query::watch::Unwatched;
use crate::{
    BallisticArc, Camera, CameraTile, ClosestPoint, Contact, ContactsPer, Primitive, Ray,
    RayCastSettings, RayHit, ShapeCast, ShapeHit, Sides, TurningCast, TurningHit,
};
use core::ops::ControlFlow;
use glam::Vec3;

surface_verbs! { HeightField {
    /// Where `ray` first hits the terrain.
    ///
    /// A ray in a triangle's plane misses that triangle, holes let rays pass, and a hit at an edge
    /// or corner belongs to that of its triangles with the lowest index that is hit at the same t.
    ///
    /// # Accuracy
    /// Whether and which triangle is hit is exact; `t` is the exact value rounded to f32.
    cast_ray;

    /// All hits of `ray`, nearest first.
    ///
    /// A hit at an edge or corner that triangles share counts as if the ray were perturbed by one
    /// fixed infinitesimal; a touch that this would lose is one front and one back hit.
    cast_ray_all;

    /// A ray of a batch takes a half to a fifth of the time of one cast alone.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{HeightField, Ray};
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// let rays = [0.25, 5.0].map(|x| Ray::new([x, 3.0, 0.5], [0.0, -1.0, 0.0]).unwrap());
    /// let hits = field.cast_rays(&rays, ());
    /// assert_eq!(hits[0].map(|hit| hit.t), Some(2.75));
    /// assert!(hits[1].is_none());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_rays;

    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{HeightField, Ray};
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// let rays = [0.25, 5.0].map(|x| Ray::new([x, 3.0, 0.5], [0.0, -1.0, 0.0]).unwrap());
    /// assert_eq!(field.cast_rays_any(&rays, ()), [true, false]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_rays_any;

    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Camera, CameraTile, HeightField};
    /// let field = HeightField::new(Grid::new(2, 2, [8.0, 8.0]), vec![1.0; 4])?;
    /// let camera = Camera::new([4.0, 3.0, 4.0], [4.0, 0.0, 4.0], 0.5, [9, 7])?;
    /// let hits = field.cast_camera(&camera, &CameraTile::whole(&camera), ());
    /// assert_eq!(hits[3 * 9 + 4].map(|hit| hit.t), Some(2.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_camera;

    /// Where `arc` first hits the terrain.
    ///
    /// Holes let it pass. It hits triangles that it crosses and such that it only touches; one that lies in a
    /// triangle's plane misses that. A hit at an edge or corner belongs to the lowest of the
    /// triangles that are hit at the same t.
    ///
    /// # Accuracy
    /// Whether and which triangle is hit is exact; `t` is the exact root rounded to f32.
    cast_arc;

    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Aabb, HeightField, ShapeCast};
    /// let plain = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81])?;
    /// let crate_box = Aabb::new([1.5, 2.0, 1.5], [3.0, 3.0, 3.0])?;
    /// let hit = plain.cast_shape(&ShapeCast::new(crate_box, [0.0, -4.0, 0.0])?, ());
    /// assert_eq!(hit.map(|hit| (hit.t, hit.normal.y)), Some((0.5, 1.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    cast_shape;

    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{ContactsPer, HeightField, Sphere};
    /// let plain = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81])?;
    /// let ball = Sphere::new([4.25, 0.75, 4.5], 1.0)?;
    /// let contacts = plain.contacts(ball, 0.0, ContactsPer::Object);
    /// assert_eq!((contacts[0].separation, contacts[0].normal.y), (-0.25, 1.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    contacts;

    /// Terrain has no inside. Holes are ignored.
    ///
    /// ```
    /// use hitscan::{HeightField, glam::Vec3, height_field::Grid};
    /// let plain = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81])?;
    /// let nearest = plain.closest_point([4.5, -2.0, 11.0], f32::INFINITY).unwrap();
    /// assert_eq!((nearest.point, nearest.distance), (Vec3::new(4.5, 0.0, 8.0), 13_f32.sqrt()));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    closest_point;

    /// As [`Self::closest_point`]: terrain has no inside.
    closest_point_signed;
}}

impl SurfaceQueries for HeightField {
    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let local = LocalRay::from(ray);
        self.nearest(&local, sides, f32::INFINITY, Unwatched)
            .map(|nearest| hit_of(ray, &nearest))
    }

    fn has_hit(&self, ray: &Ray, sides: Sides) -> bool {
        self.hits_any(&LocalRay::from(ray), sides)
    }

    fn all_hits(&self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let local = LocalRay::from(ray);
        let mut hits = PartHits::default();
        // Nothing breaks off, so the result is not used.
        let _ = self.for_each_candidate(&local, &mut |triangle, corners| {
            hits.test(&local, triangle, corners);
            ControlFlow::Continue(())
        });
        hits.into_ray_hits(ray, sides)
    }

    fn nearest_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]) {
        self.answer_rays::<Closest<u32>>(rays, sides, hits);
    }

    fn have_hits(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        self.answer_rays::<Any>(rays, sides, are_hits);
    }

    fn camera_hits(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<Option<RayHit>> {
        self.answer_camera::<Closest<u32>>(view, sides)
    }

    fn camera_any(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<bool> {
        self.answer_camera::<Any>(view, sides)
    }

    fn search_along_arc(&self, search: &mut ArcSearch) {
        self.search_arc(search);
    }

    fn prefetch_arc(&self, arc: &BallisticArc) {
        self.fetch_start(&WideArc::from(arc));
    }

    fn closest(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = checked_max_distance(point, max_distance)?;
        let mut search = Search::new(point.as_dvec3(), max_distance, f64::INFINITY);
        self.search_near(&mut search);
        let found = search.into_found()?;
        Some(found.answer(point.as_dvec3(), PartInfo::SURFACE))
    }

    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        self.closest(point, max_distance)
    }
}
