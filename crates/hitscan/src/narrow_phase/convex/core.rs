//! A shape without its radius: a point, a segment, a triangle, a box that need not be right-angled, a polytope,
//! or a cylinder.

use super::cylinder::CylinderCore;
use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot};
use crate::exact::expansion::Expansion;
use crate::exact::extremes::bounds_of;
use crate::shape::box_hull::BoxHull;
use crate::shape::polytope::Polytope;
use core::cmp::Ordering;
use glam::DVec3;
use std::sync::Arc;

/// A convex set with corners in f64; of a cylinder they are the centres of its ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core<'a> {
    Point(DVec3),
    Segment([DVec3; 2]),
    Triangle([DVec3; 3]),
    Box(BoxHull),
    Hull(&'a Arc<Polytope>),
    Cylinder(CylinderCore),
}

/// A core as answers keep it: small, since a box lies elsewhere.
#[derive(Debug, Clone)]
pub(super) enum CompactCore {
    Point(DVec3),
    Segment([DVec3; 2]),
    Triangle([DVec3; 3]),
    Box(Box<BoxHull>),
    Hull(Arc<Polytope>),
    Cylinder(Box<CylinderCore>),
}

impl From<&Core<'_>> for CompactCore {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(core: &Core) -> Self {
        match core {
            Core::Point(point) => Self::Point(*point),
            Core::Segment(ends) => Self::Segment(*ends),
            Core::Triangle(corners) => Self::Triangle(*corners),
            Core::Box(hull) => Self::Box(Box::new(*hull)),
            Core::Hull(hull) => Self::Hull(Arc::clone(hull)),
            Core::Cylinder(cylinder) => Self::Cylinder(Box::new(*cylinder)),
        }
    }
}

impl<'a> From<&'a CompactCore> for Core<'a> {
    fn from(core: &'a CompactCore) -> Self {
        match core {
            CompactCore::Point(point) => Self::Point(*point),
            CompactCore::Segment(ends) => Self::Segment(*ends),
            CompactCore::Triangle(corners) => Self::Triangle(*corners),
            CompactCore::Box(hull) => Self::Box(**hull),
            CompactCore::Hull(hull) => Self::Hull(hull),
            CompactCore::Cylinder(cylinder) => Self::Cylinder(**cylinder),
        }
    }
}

/// A vector between two points: a direction of any length.
pub(crate) type Way = [DVec3; 2];

/// A face: a corner, the two next to it, and whether that is all of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub(crate) corner: DVec3,
    pub(crate) next: [DVec3; 2],
    /// A triangle rather than a parallelogram.
    pub(super) is_triangle: bool,
}

impl Core<'_> {
    /// The corners; of a cylinder the centres of its ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn corners(&self) -> &[DVec3] {
        match self {
            Self::Point(point) => core::slice::from_ref(point),
            Self::Segment(ends) => ends,
            Self::Triangle(corners) => corners,
            Self::Box(hull) => &hull.corners,
            Self::Hull(hull) => hull.corners(),
            Self::Cylinder(cylinder) => &cylinder.ends,
        }
    }

    /// The corners of the box around it.
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        match self {
            Self::Cylinder(cylinder) => cylinder.bounds(),
            _ => self.corner_bounds(),
        }
    }

    /// Those of the box around its corners.
    #[inline]
    pub(super) fn corner_bounds(&self) -> [DVec3; 2] {
        match self {
            Self::Hull(hull) => hull.bounds(),
            _ => bounds_of(self.corners()),
        }
    }

    /// The edges by their ends; a cylinder has none.
    pub(crate) fn edges(&self) -> Vec<Way> {
        match self {
            Self::Point(_) | Self::Cylinder(_) => Vec::new(),
            Self::Segment(ends) => vec![*ends],
            Self::Triangle([a, b, c]) => vec![[*a, *b], [*b, *c], [*c, *a]],
            Self::Box(hull) => (0..3)
                .flat_map(|axis| {
                    let lower = (0..8).filter(move |corner| corner >> axis & 1 == 0);
                    lower
                        .map(move |corner| [hull.corners[corner], hull.corners[corner | 1 << axis]])
                })
                .collect(),
            Self::Hull(hull) => (hull.edges().iter())
                .map(|edge| hull.edge_ends(edge))
                .collect(),
        }
    }

    /// The faces; those of a polytope as triangles.
    pub(crate) fn faces(&self) -> Vec<Face> {
        match self {
            Self::Point(_) | Self::Segment(_) | Self::Cylinder(_) => Vec::new(),
            Self::Triangle([a, b, c]) => vec![Face {
                corner: *a,
                next: [*b, *c],
                is_triangle: true,
            }],
            Self::Box(hull) => (0..3)
                .flat_map(|axis| {
                    [0, 1 << axis].map(|corner: usize| Face {
                        corner: hull.corners[corner],
                        next: [1, 2].map(|i| hull.corners[corner | 1 << ((axis + i) % 3)]),
                        is_triangle: false,
                    })
                })
                .collect(),
            Self::Hull(hull) => (0..hull.faces().len())
                .flat_map(|face| hull.fan(face))
                .map(|[corner, first, second]| Face {
                    corner,
                    next: [first, second],
                    is_triangle: true,
                })
                .collect(),
        }
    }

    /// The directions of the edges, each once; a flat box has three all the same.
    pub(super) fn directions(&self) -> Vec<Way> {
        match self {
            Self::Box(hull) => hull.directions.map(|way| [DVec3::ZERO, way]).to_vec(),
            _ => self.edges(),
        }
    }

    /// Pairs of directions that each span a face.
    pub(super) fn face_spans(&self) -> Vec<[Way; 2]> {
        if let Self::Hull(hull) = self {
            let spans = (0..hull.faces().len()).map(|face| hull.face_span(face));
            return spans.map(|[a, b, c]| [[a, b], [a, c]]).collect();
        }
        let directions = self.directions();
        match directions[..] {
            [x, y, z] if matches!(self, Self::Box(_)) => vec![[y, z], [z, x], [x, y]],
            [first, second, _] => vec![[first, second]],
            _ => Vec::new(),
        }
    }

    /// The same, if it is no polytope.
    pub(super) fn without_hull(&self) -> Option<Core<'static>> {
        match self {
            Self::Point(point) => Some(Core::Point(*point)),
            Self::Segment(ends) => Some(Core::Segment(*ends)),
            Self::Triangle(corners) => Some(Core::Triangle(*corners)),
            Self::Box(hull) => Some(Core::Box(*hull)),
            Self::Cylinder(cylinder) => Some(Core::Cylinder(*cylinder)),
            Self::Hull(_) => None,
        }
    }

    /// Whether it is a single point.
    pub(super) fn is_point(&self) -> bool {
        matches!(self, Self::Point(_))
    }

    /// Whether it is a cylinder, whose pairs are decided by an enclosure of the gap.
    pub(crate) fn is_cylinder(&self) -> bool {
        matches!(self, Self::Cylinder(_))
    }

    /// Whether it is a triangle without area, exactly.
    pub(crate) fn is_degenerate_triangle(&self) -> bool {
        let Self::Triangle(corners) = self else {
            return false;
        };
        !decided(has_area::<Approx>(corners), || {
            has_area::<Expansion>(corners)
        })
    }

    /// An order of cores: by kind, then by coordinates.
    ///
    /// A pair is computed in this order, so that it has the same bits whichever of the two moves.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let (mine, others) = (self.corners(), other.corners());
        let coordinates = |corners: &[DVec3]| -> Vec<f64> {
            corners
                .iter()
                .flat_map(|corner| corner.to_array())
                .collect()
        };
        mine.len().cmp(&others.len()).then_with(|| {
            let (mine, others) = (coordinates(mine), coordinates(others));
            let unequal = mine.iter().zip(&others).find(|(a, b)| a != b);
            unequal.map_or(Ordering::Equal, |(a, b)| a.total_cmp(b))
        })
    }
}

fn has_area<N: Number>([a, b, c]: &[DVec3; 3]) -> Option<bool> {
    let normal: [N; 3] = cross(&between(*a, *b), &between(*a, *c));
    let squared = dot(&normal, &normal);
    Some(squared.known_sign()?.is_gt())
}
