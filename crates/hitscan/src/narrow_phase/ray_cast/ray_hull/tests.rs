//! Tests that faces which are passed over in lanes do not count.

use super::*;
use crate::test_rng::Rng;

/// Rays at corners, edges and faces, in the planes of faces, and beside.
#[test]
fn faces_that_are_passed_over_do_not_count() {
    let mut rng = Rng(41);
    let (mut hits, mut ends, mut few, mut all) = (0, 0, 0, 0);
    for round in 0..6000_usize {
        let is_coarse = round % 3 == 0;
        let count = [4, 5, 9, 30, 100][round % 5];
        let scale = [1.0, 1e-18, 1e12, 1.0][rng.below(4)];
        let mut point = || {
            Vec3::from([(); 3].map(|()| {
                let x = rng.signed();
                if is_coarse {
                    (2.0 * x).round() * 0.5
                } else {
                    x
                }
            }))
        };
        let offset = if round % 7 == 2 {
            point() * 1e5
        } else {
            Vec3::ZERO
        };
        let corners: Vec<Vec3> = (0..count).map(|_| point()).collect();
        let origin = if round % 4 == 0 {
            point() * 0.5
        } else {
            point() * 3.0
        };
        let target = match round % 6 {
            0 => corners[0],
            1 => (corners[0] + corners[1]) * 0.5,
            _ => point(),
        };
        let placed = corners.iter().map(|corner| (*corner + offset) * scale);
        let hull = ConvexHull::new(placed).unwrap();
        let ray = Ray::new((origin + offset) * scale, (target - origin) * scale);
        let Ok(ray) = ray else { continue };
        if hull.polytope().is_flat() {
            continue;
        }
        let t_max = [f32::INFINITY, 1.0, 0.25][round % 11 % 3];
        let ray = LocalRay::from(&ray.with_range(0.0, t_max).unwrap());
        let line = Line {
            polytope: hull.polytope(),
            ray: &ray,
        };
        let every: FewFaces = (0..).take(hull.polytope().faces().len()).collect();
        all += every.len();
        few += match line.crossed() {
            None => 0,
            Some(Crossed::Ends(_)) => {
                ends += 1;
                2
            }
            Some(Crossed::Faces(faces)) => faces.len(),
        };
        let expected = line.hits_by(every, None);
        hits += usize::from(expected.is_some());
        let found = line.solid_hits(None);
        assert_eq!(
            format!("{found:?}"),
            format!("{expected:?}"),
            "{hull:?} {ray:?}"
        );
    }
    assert!(
        hits > 1500 && ends > 1000 && few * 8 < all,
        "{hits} {ends} {few} {all}"
    );
}

/// Of a box, whose faces do not fill the last lanes: what is beyond them is no face.
#[test]
fn rays_that_all_but_run_along_a_face_are_decided() {
    let corners = (0..8_u8).map(|bits| [0, 1, 2].map(|axis| f32::from(bits >> axis & 1)));
    let hull = ConvexHull::new(corners).unwrap();
    for tiny in [1e-30, 1e-38, f32::MIN_POSITIVE] {
        for (height, slope, is_hit) in [
            (1.5, -tiny, false),
            (1.5, tiny, false),
            (1.0, -tiny, true),
            (1.0, tiny, false),
            (0.5, -tiny, true),
        ] {
            let ray = Ray::new([-5.0, height, 0.25], [1.0, slope, 0.0]).unwrap();
            let hit = hull.cast_ray(&ray, ());
            assert_eq!(hit.is_some(), is_hit, "{ray:?}");
        }
    }
}
