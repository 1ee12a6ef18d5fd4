//! The neighbours that may suppress one contact, looked for in the trees: for where most contacts of a time are not
//! computed.

use super::pair_cast::PairCast;
use crate::narrow_phase::contact::internal_edges::ContactFeature;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::shape_cast::prepared::{CastContact, Encounter};
use crate::world::piece_tree::{Piece, PieceTree, Trees};
use core::cmp::Ordering;
use glam::DVec3;

/// Compares two points along an exact normal.
type Compare<'a> = &'a dyn Fn(DVec3, DVec3) -> Ordering;

/// The features of the two triangles of a contact that are no faces.
fn edges_and_corners(
    pieces: [&Piece<'_>; 2],
    contact: &CastContact,
) -> [Option<(SourceTriangle, ContactFeature)>; 2] {
    let [mover, obstacle] = pieces;
    let along: Compare<'_> = &|a, b| contact.compare_along_normal(a, b);
    let against: Compare<'_> = &|a, b| contact.compare_along_normal(b, a);
    [(mover, against), (obstacle, along)].map(|(piece, compare)| {
        let triangle = piece.triangle()?;
        let feature = ContactFeature::new(&triangle.corners, compare);
        (!feature.is_face()).then_some((*triangle, feature))
    })
}

/// Whether it is with faces and solids alone, which no neighbour suppresses.
pub(super) fn is_of_faces(pieces: [&Piece<'_>; 2], contact: &CastContact) -> bool {
    edges_and_corners(pieces, contact)
        .iter()
        .all(Option::is_none)
}

/// Whether a triangle that hits a piece of the other at this time, rounded down, suppresses a contact of the
/// same time.
pub(super) fn is_suppressed(
    cast: &PairCast,
    (movers, obstacles): Trees<'_, '_, '_>,
    pieces: [&Piece<'_>; 2],
    (contact, floor): (&CastContact, f64),
) -> bool {
    let [of_mover, of_obstacle] = edges_and_corners(pieces, contact);
    let along: Compare<'_> = &|a, b| contact.compare_along_normal(a, b);
    let against: Compare<'_> = &|a, b| contact.compare_along_normal(b, a);
    let by_obstacle = of_obstacle.is_some_and(|own| {
        let meets = |other: &Piece<'_>| {
            let holds = |bounds: &[DVec3; 2]| may_meet(cast, [bounds, &other.bounds()], floor);
            let mut is_met = false;
            movers.for_each_in(&holds, &mut |mover| {
                is_met = is_met || meets_at(cast, [&mover, other], floor);
            });
            is_met
        };
        is_deactivated(obstacles, &own, along, &meets)
    });
    by_obstacle
        || of_mover.is_some_and(|own| {
            let meets = |other: &Piece<'_>| {
                let holds = |bounds: &[DVec3; 2]| may_meet(cast, [&other.bounds(), bounds], floor);
                let mut is_met = false;
                obstacles.for_each_in(&holds, &mut |obstacle| {
                    is_met = is_met || meets_at(cast, [other, &obstacle], floor);
                });
                is_met
            };
            is_deactivated(movers, &own, against, &meets)
        })
}

/// Whether a triangle of a tree that `counts` makes a feature inactive.
fn is_deactivated(
    tree: &PieceTree<'_>,
    (own, feature): &(SourceTriangle, ContactFeature),
    compare: Compare<'_>,
    counts: &dyn Fn(&Piece<'_>) -> bool,
) -> bool {
    let mut is_found = false;
    tree.for_each_touching([feature.corner(); 2], &mut |other| {
        let Some(triangle) = other.triangle() else {
            return;
        };
        is_found = is_found
            || triangle.id != own.id
                && feature.is_inactive_beside(&triangle.corners, compare)
                && counts(&other);
    });
    is_found
}

fn may_meet(cast: &PairCast, boxes: [&[DVec3; 2]; 2], floor: f64) -> bool {
    cast.earliest(boxes)
        .is_some_and(|earliest| earliest <= floor.next_up())
}

/// Whether two pieces meet at a time that is rounded down to this.
fn meets_at(cast: &PairCast, pieces: [&Piece<'_>; 2], floor: f64) -> bool {
    if pieces[0].is_degenerate() {
        return false;
    }
    let [mover, obstacle] = pieces.map(Piece::convex);
    match cast.meet([&mover, &obstacle], floor.next_up().min(1.0)) {
        Some(Encounter::Contact(contact)) => contact.floor() == floor,
        Some(Encounter::Overlap) | None => false,
    }
}
