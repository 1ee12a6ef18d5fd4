//! Queries that keep within a limit: with enough steps the same bits, with few or once they are cancelled the
//! limit is reached, and little was done.

#![expect(clippy::unwrap_used, reason = "a panic is a failed test")]

use hitscan::height_field::{Footprint, Grid, ViewshedQuery};
use hitscan::{Aabb, HeightField, ObjectId, QueryFilter, Snapshot, TriMesh, WorkLimit, World};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SIDE: u16 = 301;

/// Hilly ground that rises along x, and a world of it.
fn ground() -> (World, ObjectId) {
    let height = |sample: u32| {
        let (x, z) = (sample % u32::from(SIDE), sample / u32::from(SIDE));
        f32::from(u16::try_from((x * 7 + z * 13) % 23 + x).unwrap())
    };
    let heights = (0..u32::from(SIDE) * u32::from(SIDE)).map(height).collect();
    let grid = Grid::new(SIDE.into(), SIDE.into(), [1.0; 2]);
    let mut world = World::new();
    let map = world.add(HeightField::new(grid, heights).unwrap());
    world.update();
    (world, map)
}

/// The walls of a box, so many times in one place: all are as near to its middle.
fn shells(count: u32) -> TriMesh {
    let corner = |number: u8| {
        let side = |axis: u8| if number >> axis & 1 == 0 { -1.0 } else { 1.0 };
        [side(0), side(1), side(2)].into()
    };
    let positions = (0..8).map(corner).collect();
    let sides: [[u32; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let walls = sides.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let triangles = (0..count).flat_map(|_| walls.concat()).collect();
    let mesh = TriMesh::new(positions, triangles).unwrap();
    assert!(mesh.is_closed());
    mesh
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
    check(now, 0, |now, filter| {
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
    for _ in 0..50 {
        world.add(Aabb::new([-1.0, 3.0, -1.0], [1.0, 4.0, 1.0]).unwrap());
    }
    world.add(shells(100));
    world.update();
    // Beside all boxes, and in the middle of all walls.
    for point in [[0.0, 2.0, 0.0], [0.0; 3]] {
        for far in [f32::INFINITY, 100.0] {
            check(world.now(), 20, |now, filter| {
                now.closest_point_signed(point, far, filter)
            });
            check(world.now(), 20, |now, filter| {
                now.closest_point(point, far, filter)
            });
        }
    }
}

#[test]
fn viewsheds() {
    let (mut world, map) = ground();
    world.add(Aabb::new([120.0, 0.0, 120.0], [130.0, 300.0, 125.0]).unwrap());
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
    let tower = world.add(Aabb::new([120.0, 0.0, 120.0], [130.0, 300.0, 125.0]).unwrap());
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
