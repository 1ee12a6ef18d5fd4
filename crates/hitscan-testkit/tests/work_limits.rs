//! Queries that keep within a limit: with enough steps the same bits, with few or once they are cancelled the
//! limit is reached, and little was done.

#![expect(clippy::unwrap_used, reason = "a panic is a failed test")]

use hitscan::height_field::{Footprint, Grid, ViewshedQuery};
use hitscan::{Aabb, HeightField, ObjectId, QueryFilter, Snapshot, TriMesh, WorkLimit, World};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SIDE: u16 = 301;

/// Hilly ground, and a world of it.
fn ground() -> (World, ObjectId) {
    let height = |sample: u32| {
        let (x, z) = (sample % u32::from(SIDE), sample / u32::from(SIDE));
        f32::from(u16::try_from((x * 7 + z * 13) % 23).unwrap())
    };
    let heights = (0..u32::from(SIDE) * u32::from(SIDE)).map(height).collect();
    let grid = Grid::new(SIDE.into(), SIDE.into(), [1.0; 2]);
    let mut world = World::new();
    let map = world.add(HeightField::new(grid, heights).unwrap());
    world.update();
    (world, map)
}

/// A closed box of `4 * rows` triangles around its sides, and its lids: around the middle all sides are as near.
fn tower(rows: u16) -> TriMesh {
    let mut positions = Vec::new();
    for row in 0..=rows {
        let y = f32::from(row);
        for [x, z] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
            positions.push([x, y, z].into());
        }
    }
    let mut triangles = Vec::new();
    for row in 0..u32::from(rows) {
        for side in 0..4 {
            let [a, b] = [4 * row + side, 4 * row + (side + 1) % 4];
            triangles.extend([[a, a + 4, b], [b, a + 4, b + 4]]);
        }
    }
    let top = 4 * u32::from(rows);
    triangles.extend([
        [0, 1, 2],
        [0, 2, 3],
        [top, top + 2, top + 1],
        [top, top + 3, top + 2],
    ]);
    TriMesh::new(positions, triangles).unwrap()
}

/// Checks a query: `few` steps are not enough for it.
fn check<A: PartialEq + std::fmt::Debug>(
    snapshot: &Snapshot,
    few: u64,
    query: impl Fn(&Snapshot, QueryFilter<'_>) -> A,
) {
    let cancel = AtomicBool::new(false);
    let all = query(snapshot, QueryFilter::new());
    let enough = WorkLimit::new(1 << 40, &cancel);
    assert_eq!(query(snapshot, QueryFilter::new().work_limit(&enough)), all);
    assert!(!enough.is_reached());
    let taken = (1 << 40) - enough.steps_left();
    assert!(taken > few, "{taken} steps");
    // As many as it takes do.
    let exactly = WorkLimit::new(taken, &cancel);
    assert_eq!(
        query(snapshot, QueryFilter::new().work_limit(&exactly)),
        all
    );
    assert!(!exactly.is_reached());
    let limit = WorkLimit::new(few, &cancel);
    let _ = query(snapshot, QueryFilter::new().work_limit(&limit));
    assert!(limit.is_reached());
    cancel.store(true, Ordering::Relaxed);
    let limit = WorkLimit::new(1 << 40, &cancel);
    let _ = query(snapshot, QueryFilter::new().work_limit(&limit));
    assert!(limit.is_reached());
    assert_eq!(
        limit.steps_left(),
        1 << 40,
        "nothing is done once it is cancelled"
    );
}

#[test]
fn heights_within_a_radius() {
    let (world, _) = ground();
    let now = world.now();
    for radius in [40.0, 140.5] {
        check(now, 3, |now, filter| {
            now.mean_height([150.3, 149.8], radius, filter)
        });
    }
    check(now, 3, |now, filter| {
        now.max_height([150.3, 149.8], 90.0, filter)
    });
}

#[test]
fn footprints() {
    let (world, _) = ground();
    let footprint = Footprint::rectangle([150.0, 150.0], [90.0, 60.0], 0.4).unwrap();
    check(world.now(), 10, |now, filter| {
        now.footprint(&footprint, filter)
    });
    let disc = Footprint::disc([150.0, 150.0], 90.0).unwrap();
    check(world.now(), 10, |now, filter| now.footprint(&disc, filter));
}

#[test]
fn closest_points() {
    let mut world = World::new();
    for place in 0..50_u16 {
        let x = 10.0 * f32::from(place);
        world.add(Aabb::new([x, 0.0, 40.0], [x + 1.0, 1.0, 41.0]).unwrap());
    }
    world.add(tower(500));
    world.update();
    for far in [f32::INFINITY, 100.0] {
        check(world.now(), 20, |now, filter| {
            now.closest_point_signed([0.0, 250.3, 0.0], far, filter)
        });
        check(world.now(), 20, |now, filter| {
            now.closest_point([0.0, 250.3, 0.0], far, filter)
        });
    }
}

#[test]
fn viewsheds() {
    let (mut world, map) = ground();
    world.add(Aabb::new([120.0, 0.0, 120.0], [130.0, 60.0, 125.0]).unwrap());
    world.update();
    let eye = ViewshedQuery::standing([150.3, 149.8])
        .with_above(30.0)
        .unwrap();
    check(world.now(), 1000, |now, filter| {
        now.viewshed(map, &eye, filter)
    });
    // From below the ground each sample is tested by itself.
    let eye = ViewshedQuery::at([150.3, -5.0, 149.8]);
    check(world.now(), 1000, |now, filter| {
        now.viewshed(map, &eye, filter)
    });
}

#[test]
fn a_viewshed_ends_soon_after_it_is_cancelled() {
    let (mut world, map) = ground();
    let tower = world.add(Aabb::new([120.0, 0.0, 120.0], [130.0, 60.0, 125.0]).unwrap());
    world.update();
    let eye = ViewshedQuery::standing([150.3, 149.8])
        .with_above(200.0)
        .unwrap();
    let tests = |cancels: bool| {
        let cancel = AtomicBool::new(false);
        let tests = AtomicUsize::new(0);
        // Looked at for each sample that is near the tower's shadow, and before.
        let predicate = |object: ObjectId| {
            if object == tower && tests.fetch_add(1, Ordering::Relaxed) > 10 && cancels {
                cancel.store(true, Ordering::Relaxed);
            }
            true
        };
        let limit = WorkLimit::new(1 << 40, &cancel);
        let filter = QueryFilter::new().predicate(&predicate).work_limit(&limit);
        let _ = world.now().viewshed(map, &eye, filter);
        assert_eq!(limit.is_reached(), cancels);
        tests.load(Ordering::Relaxed)
    };
    let (few, many) = (tests(true), tests(false));
    assert!(4 * few < many, "{few} and {many}");
}
