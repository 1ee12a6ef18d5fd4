//! An arc against a solid between three pairs of parallel planes: boxes, axis-aligned and oriented.
//!
//! How far inside each plane the arc is, is a quadratic; the arc is in the closed solid where none of
//! the six is negative. It can come to lie in it, or leave it, only at a root of one of them, and
//! whether it does is exact: the signs of the others at that root (`exact/quadratic_root.rs`).

use super::arc::WideArc;
use super::search::ArcSearch;
use super::window::ArcBounds;
use crate::exact::adaptive::{Number, dot, vector};
use crate::exact::expansion::nearest_f32;
use crate::exact::quadratic_root::{Quadratic, Root, Slope, roots, sign_at};
use crate::shape::obb::face_normal;
use crate::{Aabb, Obb, RayHit, Side};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A solid between three pairs of parallel planes.
pub(crate) trait Slabs: Copy {
    /// How far inside a face the arc is, times any positive factor.
    fn depth<N: Number>(&self, arc: &WideArc, face: Face) -> [N; 3];

    /// The outward unit normal of a face.
    fn normal(&self, face: Face) -> Vec3;
}

/// A face of such a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Face {
    axis: usize,
    end: End,
}

/// At which end of its axis a face is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

impl Face {
    const ALL: [Self; 6] = [
        Self::lower(0),
        Self::upper(0),
        Self::lower(1),
        Self::upper(1),
        Self::lower(2),
        Self::upper(2),
    ];

    const fn lower(axis: usize) -> Self {
        let end = End::Lower;
        Self { axis, end }
    }

    const fn upper(axis: usize) -> Self {
        let end = End::Upper;
        Self { axis, end }
    }
}

impl Slabs for Aabb {
    fn depth<N: Number>(&self, arc: &WideArc, face: Face) -> [N; 3] {
        match face.end {
            End::Lower => arc.coefficients_from(self.min().as_dvec3(), face.axis),
            End::Upper => {
                let beyond = arc.coefficients_from::<N>(self.max().as_dvec3(), face.axis);
                beyond.map(|one| negative(&one))
            }
        }
    }

    fn normal(&self, face: Face) -> Vec3 {
        let mut normal = Vec3::ZERO;
        normal[face.axis] = match face.end {
            End::Lower => -1.0,
            End::Upper => 1.0,
        };
        normal
    }
}

impl Slabs for Obb {
    fn depth<N: Number>(&self, arc: &WideArc, face: Face) -> [N; 3] {
        let directions = self.directions();
        if is_upright(&directions) {
            // As of an axis-aligned box, to the last bit.
            let edge = self.half_edges()[face.axis];
            return match face.end {
                End::Lower => arc.coefficients_from(self.middle() - edge, face.axis),
                End::Upper => {
                    let beyond = arc.coefficients_from::<N>(self.middle() + edge, face.axis);
                    beyond.map(|one| negative(&one))
                }
            };
        }
        let normal: [N; 3] = face_normal(&directions, face.axis);
        let half_width = dot(&normal, &vector(self.half_edges()[face.axis]));
        let from_middle: [[N; 3]; 3] =
            [0, 1, 2].map(|axis| arc.coefficients_from(self.middle(), axis));
        let along = [0, 1, 2].map(|power: usize| {
            let [x, y, z] = &from_middle;
            dot(
                &normal,
                &[x[power].clone(), y[power].clone(), z[power].clone()],
            )
        });
        let [constant, linear, square] = match face.end {
            End::Lower => along,
            End::Upper => along.map(|one| negative(&one)),
        };
        [constant.plus(&half_width), linear, square]
    }

    fn normal(&self, face: Face) -> Vec3 {
        self.normal(face.axis, face.end == End::Upper)
    }
}

/// Whether each of these directions is along its own axis, upwards.
fn is_upright(directions: &[DVec3; 3]) -> bool {
    let is_along = |axis: usize| {
        let [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
        let direction = directions[axis];
        direction[axis] > 0.0 && direction[j] == 0.0 && direction[k] == 0.0
    };
    (0..3).all(is_along)
}

fn negative<N: Number>(a: &N) -> N {
    N::from_f64(0.0).minus(a)
}

/// How far inside a face the arc is.
struct Depth<'a, S> {
    solid: &'a S,
    arc: &'a WideArc,
    face: Face,
}

impl<S: Slabs> Quadratic for Depth<'_, S> {
    fn coefficients<N: Number>(&self) -> [N; 3] {
        self.solid.depth(self.arc, self.face)
    }
}

/// A t at which the arc is on the boundary of the solid.
struct Contact {
    /// The face whose plane is crossed or touched there.
    own: Face,
    root: Root,
    t: f32,
    normal: Vec3,
    side: Side,
}

impl ArcSearch {
    /// The arc's first hit on a solid from a side that counts; `bounds` are those of the solid.
    pub(crate) fn slabs_hit<S: Slabs>(&self, solid: &S, bounds: &Aabb) -> Option<RayHit> {
        let arc = &self.arc;
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        ArcBounds::from(arc).window(min, max, self.limit())?;
        if let Some(hit) = self.start_in_slabs(solid) {
            return Some(hit);
        }
        let mut first: Option<Contact> = None;
        for own in Face::ALL {
            let depth = Depth {
                solid,
                arc,
                face: own,
            };
            for root in roots(&depth).into_iter().flatten() {
                if root.compare_f64(&depth, self.limit()).is_gt() {
                    break;
                }
                let is_later = first.as_ref().is_some_and(|first| {
                    let other = Depth {
                        solid,
                        arc,
                        face: first.own,
                    };
                    root.compare(&depth, first.root, &other).is_ge()
                });
                if is_later {
                    break;
                }
                // What is there at the start is answered by the start.
                if root.compare_f64(&depth, arc.t_min).is_le() {
                    continue;
                }
                if let Some(contact) = self.contact(solid, own, root) {
                    first = Some(contact);
                    break;
                }
            }
        }
        let Contact {
            root,
            t,
            normal,
            side,
            ..
        } = first?;
        Some(arc.hit((t, root.to_f64()), (normal, side)))
    }

    /// The hit of an arc that starts in the closed solid, if its side counts.
    fn start_in_slabs<S: Slabs>(&self, solid: &S) -> Option<RayHit> {
        let arc = &self.arc;
        let depth = |face| Depth { solid, arc, face };
        let signs = depth_signs(|face| sign_at(&depth(face), arc.t_min))?;
        let surface = if signs.as_flattened().contains(&Ordering::Equal) {
            let slope = |face| sign_at(&Slope(&depth(face)), arc.t_min);
            let (face, side) = self.surface(&signs, slope, |_| false)?;
            (solid.normal(face), side)
        } else {
            (Vec3::ZERO, Side::Inside)
        };
        let t = (nearest_f32(arc.t_min), arc.t_min);
        self.settings.admits(surface.1).then(|| arc.hit(t, surface))
    }

    /// The contact at a root of a face's depth, if the arc's point there is in the closed solid, and a
    /// side of it counts.
    fn contact<S: Slabs>(&self, solid: &S, own: Face, root: Root) -> Option<Contact> {
        let arc = &self.arc;
        let depth = |face| Depth { solid, arc, face };
        let signs = depth_signs(|face| {
            if face == own {
                Ordering::Equal
            } else {
                root.sign_of(&depth(own), &depth(face))
            }
        })?;
        let slope = |face| root.sign_of(&depth(own), &Slope(&depth(face)));
        // As a ray in a face's plane, an arc that never leaves that plane enters through other faces:
        // a quadratic that is 0 with both of its derivatives is 0 everywhere.
        let lies_in = |face| {
            face != own
                && slope(face).is_eq()
                && root
                    .sign_of(&depth(own), &Slope(&Slope(&depth(face))))
                    .is_eq()
        };
        let (face, side) = self.surface(&signs, slope, lies_in)?;
        Some(Contact {
            own,
            root,
            t: root.nearest_f32(&depth(own)),
            normal: solid.normal(face),
            side,
        })
    }

    /// The first face, in order of the axes, that a boundary point is on and whose side counts.
    ///
    /// A point of a flat solid is on both faces of that axis: the one that the arc comes from, else the
    /// lower; where that side does not count, the arc leaves by the other at the same t.
    fn surface(
        &self,
        signs: &[[Ordering; 2]; 3],
        slope: impl Fn(Face) -> Ordering,
        lies_in: impl Fn(Face) -> bool,
    ) -> Option<(Face, Side)> {
        for (axis, [lower, upper]) in signs.iter().enumerate() {
            let mut faces = [(Face::lower(axis), lower), (Face::upper(axis), upper)];
            if lower.is_eq() && upper.is_eq() && slope(faces[0].0).is_lt() {
                faces.reverse();
            }
            for (face, _) in faces.into_iter().filter(|(_, sign)| sign.is_eq()) {
                if lies_in(face) {
                    break;
                }
                let side = side(slope(face));
                if self.settings.admits(side) {
                    return Some((face, side));
                }
            }
        }
        None
    }
}

/// The signs of the depths of all faces, lower and upper of each axis; `None` outside the solid.
fn depth_signs(sign: impl Fn(Face) -> Ordering) -> Option<[[Ordering; 2]; 3]> {
    let mut signs = [[Ordering::Equal; 2]; 3];
    for (axis, signs) in signs.iter_mut().enumerate() {
        *signs = [sign(Face::lower(axis)), sign(Face::upper(axis))];
        if signs.contains(&Ordering::Less) {
            return None;
        }
    }
    Some(signs)
}

/// The side of a hit, by the slope of the depth.
fn side(slope: Ordering) -> Side {
    if slope.is_gt() {
        Side::Front
    } else {
        Side::Back
    }
}
