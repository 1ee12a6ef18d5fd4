//! Invariants of every trace of a ray's traversal.

use glam::Vec3;
use hitscan::explain::{TestCounts, TriangleMiss, Visit, VisitVerdict, Visited, Visits};
use hitscan::{QueryFilter, Ray, RayCastSettings, RayHit, Snapshot};
use std::collections::BTreeMap;

/// Casts a ray plainly, traced and counted, and checks that the answers have the same bits and that
/// the trace is sound; returns the answer and the trace.
///
/// # Panics
/// Where they differ or it is not.
pub fn check_trace(
    snapshot: &Snapshot,
    ray: &Ray,
    settings: RayCastSettings,
    filter: QueryFilter<'_>,
) -> (Option<RayHit>, Visits) {
    let (traced, trace) = snapshot.trace_ray(ray, (settings, filter), usize::MAX);
    let (counted, counts) = snapshot.cast_ray_counted(ray, (settings, filter));
    let plain = snapshot.cast_ray(ray, (settings, filter));
    assert_eq!(traced.map(bits), plain.map(bits), "{ray:?}");
    assert_eq!(counted.map(bits), plain.map(bits), "{ray:?}");
    assert_eq!(trace.count, trace.visits.len() as u64);
    if counts != TestCounts::of(&trace.visits) {
        // Ray by ray a deformed part may come to be deformed as a whole, and is then walked as a mesh.
        let (_, again) = snapshot.trace_ray(ray, (settings, filter), usize::MAX);
        assert_ne!(again, trace, "{ray:?} {counts:?}");
    }
    let hits = trace
        .visits
        .iter()
        .filter(|visit| visit.verdict == VisitVerdict::Hit);
    let found = hits
        .clone()
        .next_back()
        .map(|visit| (visit.object, visit.t[0].to_bits(), of_triangle(visit)));
    let expected = plain.map(|hit| {
        let triangle = hit.triangle.map(|id| (id.part, id.triangle));
        (hit.object, hit.t.to_bits(), triangle)
    });
    match found {
        // A solid's first number is when its line enters it, which may be before the ray begins.
        Some((object, _, None)) => assert_eq!(Some(object), plain.map(|hit| hit.object)),
        found => assert_eq!(found, expected, "{ray:?}"),
    }
    check_visits(&trace.visits);
    (plain, trace)
}

/// The part and the number of a triangle.
fn of_triangle(visit: &Visit) -> Option<(u32, u32)> {
    match visit.what {
        Visited::Triangle { triangle, .. } => Some((visit.part?, triangle)),
        _ => None,
    }
}

/// All numbers of a hit, bit for bit.
#[must_use]
pub fn bits(hit: RayHit) -> ([u32; 10], String) {
    let [x, y, z] = hit.point.to_array();
    let [nx, ny, nz] = hit.normal.to_array();
    let [u, v] = hit.barycentrics;
    let numbers = [hit.t, hit.distance, x, y, z, nx, ny, nz, u, v];
    let rest = (hit.side, hit.object, hit.triangle);
    (numbers.map(f32::to_bits), format!("{rest:?}"))
}

/// Checks each visit, and that boxes hold what is visited in them.
fn check_visits(visits: &[Visit]) {
    // The best t, where it is known: a ray may start inside of a solid or meet its far side.
    let mut best: Option<Option<f32>> = Some(None);
    // The last open box of each tree and depth: that which holds what is visited next one deeper.
    let mut open: BTreeMap<(&str, Option<u32>, u32), &Visit> = BTreeMap::new();
    for visit in visits {
        let numbers = visit.corners.as_flattened().iter().chain(&visit.t);
        assert!(
            numbers.clone().all(|number| number.is_finite()),
            "{visit:?}"
        );
        if let Some(best) = best {
            assert_eq!(visit.best, best, "{visit:?}");
        }
        check_verdict(visit);
        if let VisitVerdict::Hit | VisitVerdict::Tie = visit.verdict {
            best = match visit.what {
                Visited::Triangle { .. } => Some(Some(visit.t[0])),
                _ => None,
            };
        }
        let holder = match visit.what {
            Visited::Triangle { .. } => ["leaf", "cell"]
                .iter()
                .find_map(|tree| open.get(&(*tree, visit.part, visit.depth - 1)).copied()),
            // Clusters are widened, each by what the test of it may be off.
            Visited::TreeNode if visit.depth > 0 => {
                open.get(&("leaf", visit.part, visit.depth - 1)).copied()
            }
            Visited::WorldNode | Visited::Object if visit.depth > 0 => {
                open.get(&("world", None, visit.depth - 1)).copied()
            }
            _ => None,
        };
        if let Some(holder) = holder
            && visit.verdict != VisitVerdict::Hole
            && (holder.object == visit.object
                || matches!(visit.what, Visited::WorldNode | Visited::Object))
        {
            let inner = match &visit.what {
                Visited::Triangle { corners, .. } => corners.as_slice(),
                _ => visit.corners.as_slice(),
            };
            assert!(
                inner.iter().all(|at| holds(holder, *at)),
                "{holder:?} {visit:?}"
            );
        }
        if visit.verdict == VisitVerdict::Opened {
            let tree = match visit.what {
                Visited::WorldNode => "world",
                Visited::TreeNode | Visited::Cluster => "leaf",
                Visited::Cell { .. } => "cell",
                _ => continue,
            };
            let part = if tree == "world" { None } else { visit.part };
            open.retain(|(other, ..), _| *other == tree || tree == "world");
            open.insert((tree, part, visit.depth), visit);
        }
    }
}

fn check_verdict(visit: &Visit) {
    let what = visit.what.name();
    assert!(!visit.sentence().is_empty());
    match visit.verdict {
        VisitVerdict::Opened | VisitVerdict::Filtered(_) => assert!(visit.what.is_box(), "{what}"),
        VisitVerdict::Farther => assert!(visit.best.is_some(), "{visit:?}"),
        VisitVerdict::Hit | VisitVerdict::WrongSide(_) => assert!(!visit.what.is_box(), "{what}"),
        _ => {}
    }
    if let Some(TriangleMiss::PassesEdge { edge, weight }) = visit.miss {
        assert!(
            weight < 0.0 && edge[0] < edge[1] && edge[1] < 3,
            "{visit:?}"
        );
    }
}

/// Whether a visited box, which may be turned, holds a point, but for what f32 rounds away.
fn holds(visit: &Visit, at: [f32; 3]) -> bool {
    let corner = |index: usize| Vec3::from_array(visit.corners[index]).as_dvec3();
    let (low, at) = (corner(0), Vec3::from_array(at).as_dvec3());
    let size = visit
        .corners
        .as_flattened()
        .iter()
        .fold(0.0_f32, |most, x| most.max(x.abs()));
    let margin = 4.0 * f64::from(f32::EPSILON) * f64::from(size);
    (0..3).all(|axis| {
        let edge = corner(1 << axis) - low;
        // The direction across the other two edges: edges of a sheared box are not perpendicular.
        let others = [1, 2].map(|other| corner(1 << ((axis + other) % 3)) - low);
        let across = others[0].cross(others[1]);
        let (depth, whole) = (across.dot(at - low), across.dot(edge));
        // A flat box has no volume to compare with.
        let room = margin * across.length() * 4.0;
        let (least, most) = (whole.min(0.0), whole.max(0.0));
        depth >= least - room && depth <= most + room
    })
}
