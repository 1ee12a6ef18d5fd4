//! The moving box against a box, compared with rational arithmetic.

use hitscan::shape_cast::AabbCast;
use hitscan::{Aabb, glam::Vec3};
use hitscan_testkit::shape_cast_oracle::{
    MovingBox, Outcome, moving_box_box, nearest_f32, to_f32, vector,
};
use hitscan_testkit::{Rng, ShapeCastScene, cast_box};

const SEED: u64 = 0x5eeb;

#[test]
fn boxes_agree_with_rational_arithmetic() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = [0; 3];
    for case in 0..28_000 {
        let scene = ShapeCastScene::ALL[case % ShapeCastScene::ALL.len()];
        let ([min, max], motion) = (scene.corners(&mut rng), scene.motion(&mut rng));
        let [low, high] = scene.corners(&mut rng);
        let wide = |x: [f32; 3]| vector(x.map(f64::from));
        let exact = MovingBox {
            min: wide(min),
            max: wide(max),
            motion: wide(motion),
        };
        let expected = moving_box_box(&exact, &wide(low), &wide(high));
        let moving = AabbCast::new(Aabb::new(min, max).unwrap(), motion).unwrap();
        let obstacle = Aabb::new(low, high).unwrap();
        let found = cast_box(&moving, obstacle);
        let shown = format!("{scene:?} {moving:?} {obstacle:?}: {expected:?}");
        match (&expected, found) {
            (Outcome::Miss, None) => counts[0] += 1,
            (Outcome::Overlap, Some(contact)) => {
                counts[1] += 1;
                assert!(contact.is_overlap(), "{shown}");
                assert_eq!((contact.t.to_bits(), contact.normal), (0, Vec3::ZERO));
            }
            (Outcome::Hit { t, normal }, Some(contact)) => {
                counts[2] += 1;
                let normal = Vec3::from_array(normal.each_ref().map(to_f32));
                assert_eq!(contact.normal, normal, "{shown}");
                assert_eq!(contact.t.to_bits(), nearest_f32(t).to_bits(), "{shown}");
            }
            _ => panic!("found {found:?}, {shown}"),
        }
        match (found, moving.earliest_t(&obstacle)) {
            (Some(contact), Some(earliest)) => assert!(earliest <= contact.t, "{shown}"),
            (Some(_), None) => panic!("culled: {shown}"),
            (None, _) => {}
        }
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(counts.iter().all(|&count| count > 1500), "{counts:?}");
}
