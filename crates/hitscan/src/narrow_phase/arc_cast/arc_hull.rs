//! An arc against a convex hull.
//!
//! How far inside the plane of each face the arc is, is a quadratic; the arc is in the closed hull where none is
//! negative. It can come to lie in it, or leave it, only at a root of one of them, and whether it does is exact:
//! the signs of the others at that root (`exact/quadratic_root.rs`). Of a rounded hull the path is followed in
//! f64 (`ray_cast/rounded_hull.rs`).

use super::arc::WideArc;
use super::arc_triangle::Facing;
use super::search::ArcSearch;
use super::window::ArcBounds;
use crate::exact::adaptive::{Number, between, cross, dot};
use crate::exact::expansion::nearest_f32;
use crate::exact::quadratic_root::{Quadratic, Root, Slope, roots, sign_at};
use crate::narrow_phase::ray_cast::rounded_hull::Path;
use crate::shape::polytope::Polytope;
use crate::shape::unit_vector::unit;
use crate::{Aabb, ConvexHull, RayHit, Side, Sides, TriangleId};
use core::cmp::Ordering;
use glam::Vec3;

/// How far inside a face the arc is.
struct Depth<'a> {
    polytope: &'a Polytope,
    arc: &'a WideArc,
    face: usize,
}

impl Quadratic for Depth<'_> {
    fn coefficients<N: Number>(&self) -> [N; 3] {
        let [a, b, c] = self.polytope.face_span(self.face);
        // Against the outward normal.
        let inward: [N; 3] = cross(&between(a, c), &between(a, b));
        let [x, y, z]: [[N; 3]; 3] = [0, 1, 2].map(|axis| self.arc.coefficients_from(a, axis));
        [0, 1, 2].map(|power: usize| {
            dot(
                &inward,
                &[x[power].clone(), y[power].clone(), z[power].clone()],
            )
        })
    }
}

/// A t at which the arc is on the boundary of the hull.
struct Contact {
    /// The face whose plane is crossed or touched there.
    own: usize,
    root: Root,
    surface: (usize, Side),
}

impl ArcSearch {
    /// The arc's first hit on a hull from a side that counts; `bounds` are those of the hull.
    pub(crate) fn hull_hit(&self, hull: &ConvexHull, bounds: &Aabb) -> Option<RayHit> {
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        // Not up to the limit: what others have found must not show in the last bit of t.
        let window = ArcBounds::from(&self.arc).window(min, max, self.arc.t_max)?;
        if window[0] > self.limit() {
            return None;
        }
        if hull.radius() > 0.0 {
            return self.rounded_hull_hit(hull, window);
        }
        let polytope = hull.polytope();
        if polytope.is_flat() {
            return self.flat_hull_hit(polytope);
        }
        if let Some(hit) = self.start_in_hull(polytope) {
            return hit;
        }
        self.first_contact(polytope)
    }

    fn depth<'a>(&'a self, polytope: &'a Polytope, face: usize) -> Depth<'a> {
        Depth {
            polytope,
            arc: &self.arc,
            face,
        }
    }

    /// Inside `None` where the arc starts in the closed hull and no side of it there counts.
    fn start_in_hull(&self, polytope: &Polytope) -> Option<Option<RayHit>> {
        let t_min = self.arc.t_min;
        let mut on_boundary = Vec::new();
        for face in 0..polytope.faces().len() {
            match sign_at(&self.depth(polytope, face), t_min) {
                Ordering::Less => return None,
                Ordering::Equal => on_boundary.push(face),
                Ordering::Greater => {}
            }
        }
        let t = (nearest_f32(t_min), t_min);
        if on_boundary.is_empty() {
            let inside = (Vec3::ZERO, Side::Inside);
            return self
                .settings
                .admits(Side::Inside)
                .then(|| Some(self.arc.hit(t, inside)));
        }
        let slope = |face: usize| sign_at(&Slope(&self.depth(polytope, face)), t_min);
        let surface = self.admitted(&on_boundary, slope)?;
        Some(Some(self.hit_on_face(polytope, t, surface)))
    }

    fn first_contact(&self, polytope: &Polytope) -> Option<RayHit> {
        let mut first: Option<Contact> = None;
        for own in 0..polytope.faces().len() {
            let depth = self.depth(polytope, own);
            for root in roots(&depth).into_iter().flatten() {
                if root.compare_f64(&depth, self.limit()).is_gt() {
                    break;
                }
                let is_later = first.as_ref().is_some_and(|first| {
                    root.compare(&depth, first.root, &self.depth(polytope, first.own))
                        .is_ge()
                });
                if is_later {
                    break;
                }
                // What is there at the start is answered by the start.
                if root.compare_f64(&depth, self.arc.t_min).is_le() {
                    continue;
                }
                if let Some(surface) = self.contact_at(polytope, own, root) {
                    first = Some(Contact { own, root, surface });
                    break;
                }
            }
        }
        let Contact { own, root, surface } = first?;
        let t = (root.nearest_f32(&self.depth(polytope, own)), root.to_f64());
        Some(self.hit_on_face(polytope, t, surface))
    }

    /// The face and side of the hit at a root of a face's depth, if the arc's point there is in the closed hull,
    /// and a side of it counts.
    fn contact_at(&self, polytope: &Polytope, own: usize, root: Root) -> Option<(usize, Side)> {
        let depth = |face| self.depth(polytope, face);
        let mut there = Vec::new();
        for face in 0..polytope.faces().len() {
            let sign = if face == own {
                Ordering::Equal
            } else {
                root.sign_of(&depth(own), &depth(face))
            };
            match sign {
                Ordering::Less => return None,
                Ordering::Equal => there.push(face),
                Ordering::Greater => {}
            }
        }
        let slope = |face| root.sign_of(&depth(own), &Slope(&depth(face)));
        self.admitted(&there, slope)
    }

    /// The lowest of the faces that a boundary point is on whose side counts.
    fn admitted(
        &self,
        there: &[usize],
        slope: impl Fn(usize) -> Ordering,
    ) -> Option<(usize, Side)> {
        let mut sides = there.iter().copied().map(|face| {
            let is_front = slope(face).is_gt();
            (face, if is_front { Side::Front } else { Side::Back })
        });
        sides.find(|(_, side)| self.settings.admits(*side))
    }

    /// A flat hull is hit as its triangles are, by the face that the arc hits.
    fn flat_hull_hit(&self, polytope: &Polytope) -> Option<RayHit> {
        if polytope.faces().is_empty() || !self.settings.admits(Side::Front) {
            return None;
        }
        let mut all = self.with_sides(Sides::Both);
        for (triangle, corners) in (0..).zip(polytope.fan(0)) {
            all.test_triangle(TriangleId { part: 0, triangle }, &corners, Facing::Kept);
        }
        let hit = all.into_best()?;
        Some(RayHit {
            side: Side::Front,
            triangle: Some(TriangleId {
                part: 0,
                triangle: u32::from(hit.side == Side::Back),
            }),
            normal: if hit.side == Side::Back {
                Vec3::ZERO - hit.normal
            } else {
                hit.normal
            },
            barycentrics: [0.0; 2],
            ..hit
        })
    }

    fn hit_on_face(
        &self,
        polytope: &Polytope,
        t: (f32, f64),
        (face, side): (usize, Side),
    ) -> RayHit {
        let face = &polytope.faces()[face];
        RayHit {
            triangle: Some(TriangleId {
                part: 0,
                triangle: u32::from(face.own),
            }),
            ..self.arc.hit(t, (unit(face.normal), side))
        }
    }

    /// The first hit on a rounded hull, which the arc can only be near between two times.
    fn rounded_hull_hit(&self, hull: &ConvexHull, [from, to]: [f64; 2]) -> Option<RayHit> {
        let arc = &self.arc;
        let path = Path {
            origin: arc.origin,
            velocity: arc.velocity,
            half: arc.half,
        };
        let t_min = (nearest_f32(arc.t_min), arc.t_min);
        let (order, normal, side) = hull.start_of(&path, arc.t_min);
        if order.is_lt() && self.settings.admits(Side::Inside) {
            return Some(arc.hit(t_min, (Vec3::ZERO, Side::Inside)));
        }
        if order.is_eq() && self.settings.admits(side) {
            return Some(arc.hit(t_min, (normal, side)));
        }
        let mut is_inside = order.is_lt() || order.is_eq() && side == Side::Front;
        let mut t = from;
        loop {
            let (found, side) = if is_inside {
                (hull.left_by(&path, [t, to])?, Side::Back)
            } else {
                (hull.reached_by(&path, [t, to])?, Side::Front)
            };
            if self.settings.admits(side) {
                let normal = hull.normal_at(arc.at(found));
                return Some(arc.hit((nearest_f32(found), found), (normal, side)));
            }
            // On from beyond the surface, where it was passed.
            let beyond = found + (found.abs() + (to - from).abs()) * 1e-12;
            if beyond >= to {
                return None;
            }
            (t, is_inside) = (beyond, !is_inside);
        }
    }
}
