//! Cylinders so thin that from afar both ends are one point, and hulls without a face beside cylinders.

use hitscan::overlap::OverlapKind;
use hitscan::world::DistanceStatus;
use hitscan::{ConvexHull, Cylinder, ShapeCast, Sphere, World};

#[test]
fn a_coin_is_where_it_is_from_afar() {
    let coin = Cylinder::new([0.0; 3], [0.0, 1e-12, 0.0], 1.0).unwrap();
    let post = Cylinder::new([0.0, 20_000.0, 0.0], [0.0, 20_001.0, 0.0], 1.0).unwrap();
    let mut world = World::new();
    let ids = [world.add(coin), world.add(post)];
    world.update();
    let now = world.now();
    let found = now.distance(ids[0], ids[1], f64::INFINITY, ()).unwrap();
    assert_eq!(
        (found.status, found.distance),
        (DistanceStatus::Apart, 20_000.0)
    );
    let ball = Sphere::new([0.0, 18_000.0, 0.0], 1.0).unwrap();
    let fall = ShapeCast::new(ball, [0.0, -20_000.0, 0.0]).unwrap();
    let hit = now.cast_shape(&fall, ()).expect("the coin is below");
    assert!((hit.t - 17_999.0 / 20_000.0).abs() < 1e-6, "{hit:?}");
}

#[test]
fn what_has_no_face_holds_no_cylinder() {
    let can = Cylinder::new([1.0, -1.0, 0.0], [1.0, 1.0, 0.0], 1.0).unwrap();
    for end in [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]] {
        let stick = ConvexHull::new([[0.0, 0.0, 0.0], end]).unwrap();
        let mut world = World::new();
        let (a, b) = (world.add(stick), world.add(can));
        world.update();
        let found = world.now().overlaps_of(a, b, ());
        let holds = |pair: &hitscan::world::OverlapPair| {
            pair.kind == OverlapKind::Contains && pair.a.object == a
        };
        assert!(!found.is_empty() && !found.iter().any(holds), "{found:?}");
    }
}
