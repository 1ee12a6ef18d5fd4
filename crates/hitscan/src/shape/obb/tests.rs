//! Oriented boxes: their exact corners, bounds, and what is refused.

use super::*;

fn about_y(angle: f64) -> DQuat {
    DQuat::from_xyzw(0.0, libm::sin(angle / 2.0), 0.0, libm::cos(angle / 2.0))
}

#[test]
fn a_box_that_is_not_turned_has_the_corners_of_an_upright_one() {
    let obb = Obb::new([1.0, -2.0, 1e5], [0.1, 3.0, 0.0], DQuat::IDENTITY).unwrap();
    let low = Vec3::new(1.0, -2.0, 1e5).as_dvec3() - Vec3::new(0.1, 3.0, 0.0).as_dvec3();
    assert_eq!(obb.corners()[0], low);
    assert!(obb.contains([1.0, 1.0, 1e5]));
    assert!(!obb.contains([1.0, 1.0000001, 1e5]));
    assert!(!obb.contains([f32::NAN, 0.0, 0.0]));
}

#[test]
fn corners_make_an_exact_parallelepiped_near_the_ideal_box() {
    for (center, half_size) in [
        ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]),
        ([1e6, -3.0, 0.1], [0.01, 5.0, 0.3]),
        ([1e-40, 0.0, 0.0], [1e-30, 1e-40, 1e-38]),
        ([1e17, 1e17, -1e17], [1e17, 1.0, 3e16]),
    ] {
        let obb = Obb::new(center, half_size, about_y(0.7)).unwrap();
        let corners = obb.corners();
        for axis in 0..3 {
            let bit = 1 << axis;
            for corner in (0..8).filter(|corner| corner & bit == 0) {
                let edge = crate::exact::vector::difference(corners[corner | bit], corners[corner]);
                let expected = (obb.half_edges[axis] * 2.0).to_array();
                assert_eq!(edge.map(|x| x.to_f64()), expected);
            }
        }
        let ideal = Vec3::from(center).as_dvec3()
            + axes(obb.rotation())[0] * f64::from(half_size[0])
            + axes(obb.rotation())[1] * f64::from(half_size[1])
            + axes(obb.rotation())[2] * f64::from(half_size[2]);
        let max = ideal.abs() + Vec3::from(half_size).as_dvec3().length();
        let off = (corners[7] - ideal).abs();
        assert!(off.cmple(max * f64::EPSILON * 8.0 + 1e-44).all(), "{off}");
    }
}

#[test]
fn bad_values_are_refused() {
    let cube = |rotation| Obb::new([0.0; 3], [1.0; 3], rotation);
    let nan = DQuat::from_xyzw(0.0, f64::NAN, 0.0, 1.0);
    assert!(matches!(cube(nan), Err(Error::NotFinite { .. })));
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, -0.0);
    assert!(matches!(cube(zero), Err(Error::ZeroVector { .. })));
    assert_eq!(
        cube(DQuat::from_xyzw(0.0, 0.0, 0.0, -1e300))
            .unwrap()
            .rotation()
            .w,
        -1.0
    );
    let negative = Obb::new([0.0; 3], [1.0, -1.0, 1.0], DQuat::IDENTITY);
    assert!(matches!(negative, Err(Error::BadValue { .. })));
    let far = Obb::new([9e17, 0.0, 0.0], [9e17, 1.0, 1.0], DQuat::IDENTITY);
    assert!(matches!(far, Err(Error::OutOfRange { .. })));
}

#[test]
fn bounds_and_roundings_have_the_bits_of_plain_ones() {
    let mut rng = crate::test_rng::Rng(23);
    for _ in 0..30_000 {
        let mut number = || {
            let x = rng.uniform(-1.0, 1.0);
            x * rng.pick(&[0.0, -0.0, 1.0, 1.0, 1e-30, 1e17, 1e-44])
        };
        let center = DVec3::new(number(), number(), number()).as_vec3();
        let half = DVec3::new(number(), number(), number()).abs().as_vec3();
        let turn = DQuat::from_xyzw(number(), number(), number(), number());
        let Ok(obb) = Obb::new(center, half, turn) else {
            continue;
        };
        let around = Aabb::around_f64(obb.corners()).unwrap();
        let bits = |aabb: Aabb| [aabb.min(), aabb.max()].map(|v| v.to_array().map(f32::to_bits));
        assert_eq!(bits(obb.bounds()), bits(around), "{obb:?}");
    }
    for _ in 0..30_000 {
        let v = DVec3::from(
            [(); 3].map(|()| rng.uniform(-1.0, 1.0) * rng.pick(&[0.0, 1.0, 4.0, 1e9, STEPS])),
        );
        for v in [v, to_even(v) + 0.5] {
            let bits = |v: DVec3| v.to_array().map(f64::to_bits);
            assert_eq!(bits(small_to_even(v)), bits(to_even(v)), "{v}");
        }
    }
}
