//! Contacts of one object at one time: which of them a neighbour suppresses, on either surface.
//!
//! A contact with the normal n is suppressed where a triangle of the obstacle makes the feature of its triangle
//! along n inactive, or one of the mover that of the mover's triangle along -n
//! (`narrow_phase/contact/internal_edges/`), of the triangles that any of the contacts is with.

use crate::narrow_phase::contact::by_corner::ByCorner;
use crate::narrow_phase::contact::internal_edges::ContactFeature;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::ray_cast::hit::triangle_rank;
use crate::sorting::sort_by_rank;
use crate::world::piece_tree::Piece;
use core::cmp::Ordering;
use glam::DVec3;

/// Pieces of the mover and of the obstacle, as the triangles that they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrianglePair {
    pub(super) mover: Option<SourceTriangle>,
    pub(super) obstacle: Option<SourceTriangle>,
}

impl TrianglePair {
    pub(super) fn of([mover, obstacle]: [&Piece<'_>; 2]) -> Self {
        Self {
            mover: mover.triangle().copied(),
            obstacle: obstacle.triangle().copied(),
        }
    }
}

/// The triangles of both that are in question at a time.
pub(super) struct InQuestion {
    mover: Triangles,
    obstacle: Triangles,
}

impl InQuestion {
    pub(super) fn new(pairs: &[TrianglePair]) -> Self {
        Self {
            mover: Triangles::new(pairs.iter().filter_map(|pair| pair.mover).collect()),
            obstacle: Triangles::new(pairs.iter().filter_map(|pair| pair.obstacle).collect()),
        }
    }

    /// Whether one of the triangles suppresses a contact of a pair, whose exact normal compares points like this.
    pub(super) fn suppress(
        &self,
        pair: &TrianglePair,
        compare: &dyn Fn(DVec3, DVec3) -> Ordering,
    ) -> bool {
        let of_obstacle = |triangle| self.obstacle.deactivate(triangle, compare);
        let of_mover = |triangle| self.mover.deactivate(triangle, &|a, b| compare(b, a));
        pair.obstacle.as_ref().is_some_and(of_obstacle) || pair.mover.as_ref().is_some_and(of_mover)
    }
}

/// Different triangles of one object.
struct Triangles {
    all: Vec<SourceTriangle>,
    by_corner: ByCorner,
}

impl Triangles {
    fn new(mut all: Vec<SourceTriangle>) -> Self {
        sort_by_rank(&mut all, |triangle| {
            [triangle_rank(Some(triangle.id)), 0, 0]
        });
        all.dedup_by_key(|triangle| triangle.id);
        let by_corner = ByCorner::new(all.len(), &|place| all[place].corners);
        Self { all, by_corner }
    }

    /// Whether another triangle makes the feature of one inactive.
    fn deactivate(
        &self,
        triangle: &SourceTriangle,
        compare: &dyn Fn(DVec3, DVec3) -> Ordering,
    ) -> bool {
        if self.all.len() <= 1 {
            return false;
        }
        let feature = ContactFeature::new(&triangle.corners, compare);
        if feature.is_face() {
            return false;
        }
        let mut at_corner = self.by_corner.at(feature.corner());
        at_corner.any(|place| {
            let other = &self.all[place];
            other.id != triangle.id && feature.is_inactive_beside(&other.corners, compare)
        })
    }
}
