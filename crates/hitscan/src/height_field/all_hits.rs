//! Every hit of a ray on the terrain, in order.

use super::HeightField;
use super::ray::hit_of;
use crate::ray_cast::all_hits::PartHits;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::{Hit, Ray, Sides};
use core::ops::ControlFlow;

impl HeightField {
    /// All hits of `ray` from `sides`, in order of t, those of equal t so that front and back
    /// alternate where they can.
    ///
    /// Where the ray passes through an edge or corner, it hits one of the triangles there; where it
    /// only touches one, that counts as one hit from the front and one from the back.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{HeightField, Ray, Side, Sides};
    /// // A ridge along z, which a ray along x enters and leaves.
    /// let heights = [0.0, 2.0, 0.0].repeat(2);
    /// let field = HeightField::new(Grid::new(3, 2, [1.0, 1.0]), heights)?;
    /// let ray = Ray::new([-1.0, 1.0, 0.5], [1.0, 0.0, 0.0])?;
    /// let hits = field.cast_ray_all(&ray, Sides::Both);
    /// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.5, 2.5]);
    /// assert_eq!(hits[1].side, Side::Back);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_ray_all(&self, ray: &Ray, sides: Sides) -> Vec<Hit> {
        let found = self.all_hits(&LocalRay::from(ray)).into_iter();
        found
            .filter(|(_, hit)| sides.admits(hit.side))
            .map(|hit| hit_of(ray, &hit))
            .collect()
    }

    /// All hits of the ray, sorted.
    pub(crate) fn all_hits(&self, ray: &LocalRay) -> Vec<(u32, TriangleHit)> {
        let mut hits = PartHits::default();
        // No visit breaks, so how the walk ends says nothing.
        let _ = self.for_each_candidate(ray, &mut |triangle, corners| {
            hits.test(ray, triangle, corners);
            ControlFlow::Continue(())
        });
        hits.into_sorted(|side| side)
    }
}
