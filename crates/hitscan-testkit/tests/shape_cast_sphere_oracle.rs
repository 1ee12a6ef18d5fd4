//! The moving box against a sphere, compared with rational arithmetic.

use hitscan::glam::{DVec3, Vec3};
use hitscan::shape_cast::AabbCast;
use hitscan::{Aabb, ShapeHit, Sphere};
use hitscan_testkit::shape_cast_oracle::{
    MovingBox, SphereOutcome, moving_box_sphere, rational, vector,
};
use hitscan_testkit::{Rng, ShapeCastScene, cast_box, rounds};

const SEED: u64 = 0x50f7;

/// A radius of the scene's size: often one that makes the box touch at the start or on the way.
fn radius(scene: ShapeCastScene, rng: &mut Rng) -> f64 {
    let length = f64::from(scene.coordinate(rng) - scene.coordinate(rng)).abs();
    match rng.below(6) {
        // The diagonals of whole offsets, and what is next to them.
        0 => length * 2.0_f64.sqrt(),
        1 => length * 1.25,
        2 => length.next_up(),
        3 => length * 1e-9,
        _ => length,
    }
}

#[test]
fn spheres_agree_with_rational_arithmetic() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = [0; 3];
    for number in 0..rounds(3_500) {
        let scene = ShapeCastScene::ALL[number % ShapeCastScene::ALL.len()];
        let [min, max] = scene.corners(&mut rng);
        let center = [(); 3].map(|()| scene.coordinate(&mut rng));
        // Half of the boxes move by twice the way from a corner to the center.
        let motion = if rng.one_in(2) {
            scene.motion(&mut rng)
        } else {
            [0, 1, 2].map(|axis| 2.0 * (center[axis] - min[axis]))
        };
        // No sphere has a greater radius.
        let radius = radius(scene, &mut rng).min(1e18);
        if radius == 0.0 {
            continue;
        }
        let wide = |x: [f32; 3]| vector(x.map(f64::from));
        let exact = MovingBox {
            min: wide(min),
            max: wide(max),
            motion: wide(motion),
        };
        let expected = moving_box_sphere(&exact, &wide(center), &rational(radius));
        let moving = AabbCast::new(Aabb::new(min, max).unwrap(), motion).unwrap();
        let sphere = Sphere::new(center, radius).unwrap();
        let found = cast_box(&moving, sphere);
        let shown = format!(
            "{number}: {scene:?} {moving:?} {center:?} {radius:?}: {expected:?}, found {found:?}"
        );
        match (&expected, found) {
            (SphereOutcome::Miss, None) => counts[0] += 1,
            (SphereOutcome::Overlap, Some(contact)) => {
                counts[1] += 1;
                assert!(contact.is_overlap(), "{shown}");
                assert_eq!((contact.t.to_bits(), contact.normal), (0, Vec3::ZERO));
            }
            (SphereOutcome::Hit { t, normal }, Some(contact)) => {
                counts[2] += 1;
                assert!(!contact.is_overlap(), "{shown}");
                assert_eq!(contact.t.to_bits(), t.to_bits(), "{shown}");
                let away = contact.normal.as_dvec3() - DVec3::from_array(*normal);
                assert!(away.length() < 2e-7, "{shown}");
            }
            _ => panic!("{shown}"),
        }
        check_culling(&moving, center, radius, found);
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(
        counts.iter().all(|&count| count > rounds(500)),
        "{counts:?}"
    );
}

/// A tree's box around the sphere must not be culled before the contact.
fn check_culling(moving: &AabbCast, center: [f32; 3], radius: f64, found: Option<ShapeHit>) {
    let Some(contact) = found else { return };
    let center = Vec3::from_array(center).as_dvec3();
    let min = (center - radius).as_vec3().to_array().map(f32::next_down);
    let max = (center + radius).as_vec3().to_array().map(f32::next_up);
    // Spheres may reach beyond what boxes may.
    let Ok(bounds) = Aabb::new(min, max) else {
        return;
    };
    let earliest = moving.earliest_t(&bounds);
    assert!(earliest.is_some_and(|t| t <= contact.t), "{moving:?}");
}

/// However small, it overlaps a box that touches its center.
#[test]
fn a_sphere_of_the_smallest_radius_is_no_point() {
    let mut rng = Rng::new(SEED + 1);
    let mut counts = [0; 3];
    for _ in 0..rounds(2_000) {
        let ([min, max], motion) = (
            ShapeCastScene::Grid.corners(&mut rng),
            ShapeCastScene::Grid.motion(&mut rng),
        );
        let center = [(); 3].map(|()| ShapeCastScene::Grid.coordinate(&mut rng));
        let wide = |x: [f32; 3]| vector(x.map(f64::from));
        let exact = MovingBox {
            min: wide(min),
            max: wide(max),
            motion: wide(motion),
        };
        let radius = 1e-100;
        let expected = moving_box_sphere(&exact, &wide(center), &rational(radius));
        let moving = AabbCast::new(Aabb::new(min, max).unwrap(), motion).unwrap();
        let found = cast_box(&moving, Sphere::new(center, radius).unwrap());
        let t = found.map(|hit| (hit.is_overlap(), hit.t));
        let expected = match expected {
            SphereOutcome::Miss => None,
            SphereOutcome::Overlap => Some((true, 0.0)),
            SphereOutcome::Hit { t, .. } => Some((false, t)),
        };
        assert_eq!(t, expected, "{moving:?} {center:?}");
        counts[t.map_or(0, |(is_overlap, _)| 1 + usize::from(is_overlap))] += 1;
    }
    println!("misses, hits, overlaps: {counts:?}");
    assert!(counts.iter().all(|&count| count > rounds(50)), "{counts:?}");
}

#[test]
fn touching_counts_only_on_the_way_in() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    // The sphere touches the face x = 1.
    let sphere = Sphere::new([3.0, 0.5, 0.5], 2.0).unwrap();
    let contact = |motion: [f32; 3]| cast_box(&AabbCast::new(unit, motion).unwrap(), sphere);
    assert_eq!(contact([-1.0, 0.0, 0.0]), None);
    assert_eq!(contact([0.0, 1.0, 0.0]), None);
    assert_eq!(contact([0.0; 3]), None);
    let pressed = contact([1.0, 3.0, 0.0]).unwrap();
    assert_eq!((pressed.t, pressed.normal), (0.0, Vec3::NEG_X));
}

#[test]
fn a_graze_is_no_contact() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let passing = AabbCast::new(unit, [8.0, 0.0, 0.0]).unwrap();
    let cast = |center: [f32; 3], radius: f64| {
        let sphere = Sphere::new(center, radius).unwrap();
        cast_box(&passing, sphere)
    };
    // The face y = 1 slides below a sphere that reaches down to it.
    assert_eq!(cast([4.0, 3.0, 0.5], 2.0), None);
    assert!(cast([4.0, 3.0, 0.5], 2.0_f64.next_up()).is_some());
    // The edge y = z = 1 passes at a distance of 5 = √(3² + 4²).
    assert_eq!(cast([4.0, 4.0, 5.0], 5.0), None);
    assert!(cast([4.0, 4.0, 5.0], 5.0_f64.next_up()).is_some());
}
