//! Cylinders in the way of what turns.

use hitscan::glam::Vec3;
use hitscan::{Aabb, Cylinder, ShapeCast, TurningStatus, World};

/// A cylinder is no piece that a turn is decided against: the shape comes to the box around it, and no further.
#[test]
fn nothing_passes_through_a_cylinder() {
    let pillar = Cylinder::new([3.0, -1.0, 0.0], [3.0, 1.0, 0.0], 0.5).unwrap();
    let mut world = World::new();
    let id = world.add(pillar);
    world.update();
    let beam = Aabb::new([-0.25; 3], [0.25; 3]).unwrap();
    let cast = |motion: [f32; 3], angle| {
        let turning = ShapeCast::new(beam, motion)
            .unwrap()
            .turning(Vec3::Y, angle);
        world.now().cast_turning(&turning.unwrap(), ())
    };
    let hit = cast([8.0, 0.0, 0.0], 1.0).unwrap();
    assert_eq!(
        (hit.status, hit.object),
        (TurningStatus::Undecided, Some(id))
    );
    assert!(hit.t > 0.2 && hit.t < 0.3, "{hit:?}");
    assert_eq!(cast([0.0, 0.0, 8.0], 1.0), None);
    // Without an angle the plain cast answers.
    let plain = cast([8.0, 0.0, 0.0], 0.0).unwrap();
    assert_eq!((plain.status, plain.t), (TurningStatus::Hit, 0.28125));
    let inside = ShapeCast::new(beam, [0.0, 1.0, 0.0]).unwrap();
    let refused = ShapeCast::new(pillar, [0.0, 1.0, 0.0]).unwrap();
    assert!(refused.turning(Vec3::Y, 1.0).is_err());
    assert!(inside.turning(Vec3::Y, 1.0).is_ok());
}
