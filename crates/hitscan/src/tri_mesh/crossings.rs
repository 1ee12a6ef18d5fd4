//! Counts of the triangles that rays cross, and by them which points are inside: without what is only needed
//! to name the hits, to place them and to put them in order.
//!
//! A crossing inside a triangle's face counts as it is found. Where a ray hits an edge or a corner, which
//! triangles share, all of its hits are found as [`TriMesh::cast_ray_all`] finds them.

use super::ray::ray_stream::RayStream;
use super::{LeafTriangle, PlacedMesh, TriMesh, is_inside};
use crate::narrow_phase::ray_cast::hit::Side;
use crate::narrow_phase::ray_cast::ray_triangle::{Feature, TriangleHit};
use crate::parallel::answer_queries;
use crate::query::collector::Collector;
use crate::query::surface_queries::SurfaceQueries;
use crate::{Ray, RayCastSettings, Sides};
use glam::Vec3;

/// The direction of the rays that tell whether points are inside: aligned with nothing, as edges and grids of
/// points often are.
const OUTWARD: [f32; 3] = [0.931, 0.317, 0.181];

/// The hits of a ray from the sides that count.
#[derive(Debug, Clone, Copy)]
struct Crossings {
    fronts: u32,
    backs: u32,
    /// Whether all are inside faces.
    are_clear: bool,
    /// Whether the ray starts on a triangle, as far as f32 has it.
    starts_on_surface: bool,
}

impl Collector<LeafTriangle> for Crossings {
    const IS_ANY_ENOUGH: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(_: f32) -> Self {
        Self {
            fronts: 0,
            backs: 0,
            are_clear: true,
            starts_on_surface: false,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record_hit(&mut self, hit: &TriangleHit) {
        let is_front = hit.side == Side::Front;
        self.fronts += u32::from(is_front);
        self.backs += u32::from(!is_front);
        self.are_clear &= hit.feature == Feature::Face;
        self.starts_on_surface |= hit.t == 0.0;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn consider(
        &mut self,
        _: f32,
        _: LeafTriangle,
        _: impl FnOnce(&LeafTriangle, &LeafTriangle) -> bool,
    ) -> bool {
        // It is recorded, and others matter as before.
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn t_max(&self) -> Option<f32> {
        Some(f32::INFINITY)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn best(&self) -> Option<LeafTriangle> {
        None
    }
}

impl Crossings {
    fn count(&self, sides: Sides) -> u32 {
        match sides {
            Sides::Both => self.fronts + self.backs,
            Sides::Front => self.fronts,
            Sides::Back => self.backs,
        }
    }
}

impl TriMesh {
    /// The number of hits of each ray, that of [`Self::cast_ray_all`], without the hits.
    ///
    /// ```
    /// use hitscan::{Ray, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2], [0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// let mut counts = [0; 2];
    /// mesh.count_hits_into(&rays, (), &mut counts);
    /// assert_eq!(counts, [2, 0]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Panics
    /// Where the slices differ in length.
    pub fn count_hits_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        counts: &mut [u32],
    ) {
        assert_eq!(rays.len(), counts.len(), "as many counts as rays");
        let sides = settings.into().sides;
        answer_queries(rays, counts, |rays, counts| {
            self.crossings(rays, |number, crossings| {
                counts[number] = match crossings {
                    Some(crossings) if crossings.are_clear => crossings.count(sides),
                    _ => self.count_exactly(&rays[number], sides),
                };
            });
        });
    }

    /// Whether each point is strictly inside: the mesh is closed ([`Self::is_closed`]), and its winding
    /// number around the point is not 0, which is decided exactly. Points that are not finite are outside.
    ///
    /// # Panics
    /// Where the slices differ in length.
    pub fn contain_into(&self, points: &[Vec3], are_inside: &mut [bool]) {
        assert_eq!(points.len(), are_inside.len(), "as many answers as points");
        are_inside.fill(false);
        if !self.is_closed() {
            return;
        }
        answer_queries(points, are_inside, |points, are_inside| {
            let ray = |point: &Vec3| Ray::new_or_empty(*point, OUTWARD);
            let rays: Vec<Ray> = points.iter().map(ray).collect();
            self.crossings(&rays, |number, crossings| {
                are_inside[number] = match crossings {
                    Some(crossings) if crossings.are_clear && !crossings.starts_on_surface => {
                        crossings.fronts != crossings.backs
                    }
                    _ => self.contains_exactly(points[number]),
                };
            });
        });
    }

    #[cold]
    #[inline(never)]
    fn count_exactly(&self, ray: &Ray, sides: Sides) -> u32 {
        let count = self.all_hits(ray, sides).len();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    #[cold]
    #[inline(never)]
    fn contains_exactly(&self, point: Vec3) -> bool {
        let mesh = core::iter::once(PlacedMesh::from(self));
        point.is_finite() && is_inside(point.as_dvec3(), mesh)
    }

    /// Passes on what each ray crosses, in any order; `None` of a few that are left.
    fn crossings(&self, rays: &[Ray], mut pass_on: impl FnMut(usize, Option<&Crossings>)) {
        let mut stream = RayStream::<Crossings>::new();
        let left = stream.run((self, Sides::Both), rays, |number, found, _| {
            pass_on(number, Some(found));
        });
        left.iter().for_each(|&number| pass_on(number, None));
    }
}
