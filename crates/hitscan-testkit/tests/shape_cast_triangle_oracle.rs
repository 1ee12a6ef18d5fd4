//! The moving box against a triangle, compared with rational arithmetic in two ways.

use hitscan::broad_phase::{AabbCast, ImpactStart};
use hitscan::glam::{DVec3, Vec3};
use hitscan::shape_cast::{PairHit, box_triangle};
use hitscan::{Aabb, shape_cast};
use hitscan_testkit::shape_cast_oracle::{
    MovingBox, Outcome, Vector, interior_overlaps, moving_box_lp, moving_box_triangle, nearest_f32,
    rational, to_f64, vector,
};
use hitscan_testkit::{Rng, ShapeCastScene, rounds};

const SEED: u64 = 0x7a1;

/// A case in both kinds of numbers.
struct Case {
    shown: String,
    exact: MovingBox,
    exact_triangle: [Vector; 3],
    moving: AabbCast,
    triangle: [DVec3; 3],
}

impl Case {
    fn new(scene: ShapeCastScene, rng: &mut Rng) -> Self {
        let ([min, max], motion) = (scene.corners(rng), scene.motion(rng));
        let mut corners = scene.triangle(rng).map(|corner| corner.map(f64::from));
        // Corners in the world are f64: some of them are not f32, and miss a touch by a few ulps.
        if rng.one_in(4) {
            let (corner, axis) = (rng.below(3), rng.below(3));
            corners[corner][axis] = corners[corner][axis].next_up();
        }
        let wide = |x: [f32; 3]| vector(x.map(f64::from));
        let start = Aabb::new(min, max).expect("corners in order");
        let moving = AabbCast::new(start, motion).expect("a finite motion");
        Self {
            shown: format!("{scene:?} {moving:?} {corners:?}"),
            exact: MovingBox {
                min: wide(min),
                max: wide(max),
                motion: wide(motion),
            },
            exact_triangle: corners.map(vector),
            moving,
            triangle: corners.map(DVec3::from_array),
        }
    }
}

/// Whether `found` is the unit vector along `expected`, to f32's precision.
fn is_along(found: Vec3, expected: &Vector) -> bool {
    let longest = expected
        .iter()
        .map(|x| if *x < rational(0.0) { -x } else { x.clone() });
    let longest = longest.max().expect("three components");
    let [x, y, z] = expected.each_ref().map(|x| to_f64(&(x / &longest)));
    let direction = DVec3::new(x, y, z);
    let unit = direction / direction.length();
    (found.as_dvec3() - unit).length() < 1e-7
}

#[test]
fn triangles_agree_with_thirteen_rational_axes() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = [0; 3];
    for number in 0..rounds(7_000) {
        let case = Case::new(
            ShapeCastScene::ALL[number % ShapeCastScene::ALL.len()],
            &mut rng,
        );
        let expected = moving_box_triangle(&case.exact, &case.exact_triangle);
        let found = box_triangle(&case.moving, case.triangle);
        let shown = format!("{number}: {}: {expected:?}, found {found:?}", case.shown);
        match (&expected, found) {
            (Outcome::Miss, None) => counts[0] += 1,
            (Outcome::Overlap, Some(contact)) => {
                counts[1] += 1;
                assert_eq!(contact.start, ImpactStart::Overlap, "{shown}");
                assert_eq!((contact.t.to_bits(), contact.normal), (0, Vec3::ZERO));
            }
            (Outcome::Hit { t, normal }, Some(contact)) => {
                counts[2] += 1;
                assert_eq!(contact.start, ImpactStart::Separate, "{shown}");
                assert_eq!(contact.t.to_bits(), nearest_f32(t).to_bits(), "{shown}");
                assert!(is_along(contact.normal, normal), "{shown}");
            }
            _ => panic!("{shown}"),
        }
        check_culling(&case, found);
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(
        counts.iter().all(|&count| count > rounds(500)),
        "{counts:?}"
    );
}

/// A tree's box around the triangle must not be culled before the contact.
fn check_culling(case: &Case, found: Option<PairHit>) {
    let Some(contact) = found else { return };
    let [a, b, c] = case.triangle;
    let min = a.min(b).min(c).as_vec3().to_array().map(f32::next_down);
    let max = a.max(b).max(c).as_vec3().to_array().map(f32::next_up);
    let bounds = Aabb::new(min, max).expect("corners in order");
    let earliest = case.moving.earliest_t(&bounds);
    assert!(earliest.is_some_and(|t| t <= contact.t), "{}", case.shown);
}

#[test]
fn triangles_agree_with_a_linear_program() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let (zero, one, half) = (rational(0.0), rational(1.0), rational(0.5));
    let mut counts = [0; 4];
    while counts.iter().sum::<usize>() < rounds(1_200) {
        let number = rng.below(ShapeCastScene::ALL.len());
        let case = Case::new(ShapeCastScene::ALL[number], &mut rng);
        let is_solid = (0..3).all(|axis| case.exact.min[axis] < case.exact.max[axis]);
        let is_moving = case.exact.motion.iter().any(|x| *x != zero);
        let area = (case.triangle[1] - case.triangle[0]).cross(case.triangle[2] - case.triangle[0]);
        if !is_solid || !is_moving || area == DVec3::ZERO {
            continue;
        }
        let found = box_triangle(&case.moving, case.triangle);
        let shown = format!("{}: found {found:?}", case.shown);
        let meets_at = |t: &_| interior_overlaps(&case.exact, &case.exact_triangle, t);
        let times = moving_box_lp(&case.exact, &case.exact_triangle);
        let Some((enter, leave)) = times.filter(|(a, b)| *b > zero && *a <= one) else {
            counts[0] += 1;
            assert_eq!(found, None, "{shown}");
            continue;
        };
        let between = (&enter + &leave) * &half;
        match found {
            Some(contact) if contact.start == ImpactStart::Overlap => {
                counts[1] += 1;
                assert!(meets_at(&zero), "{shown}");
            }
            Some(contact) => {
                counts[2] += 1;
                assert!(!meets_at(&zero), "{shown}");
                assert!(enter == leave || meets_at(&between), "{shown}");
                assert_eq!(
                    contact.t.to_bits(),
                    nearest_f32(&enter).to_bits(),
                    "{shown}"
                );
            }
            // The box slides along the triangle without ever touching it.
            None => {
                counts[3] += 1;
                assert!(!meets_at(&between), "{shown}");
            }
        }
    }
    println!("misses, overlaps, hits, slides: {counts:?}");
    assert!(counts.iter().all(|&count| count > rounds(10)), "{counts:?}");
}

/// Flat ground at height 0: cells of a metre, `size` each way, around the origin.
fn ground(size: i32) -> Vec<[DVec3; 3]> {
    let at = |x: i32, z: i32| DVec3::new(f64::from(x), 0.0, f64::from(z));
    let cells = (-size..size).flat_map(|x| (-size..size).map(move |z| (x, z)));
    cells
        .flat_map(|(x, z)| {
            let (near, far) = (at(x, z + 1), at(x + 1, z));
            [[at(x, z), near, far], [far, near, at(x + 1, z + 1)]]
        })
        .collect()
}

#[test]
fn a_resting_box_slides_over_inner_edges() {
    let mut rng = Rng::new(SEED + 2);
    for _ in 0..rounds(200) {
        let (x, z) = (rng.uniform_f32(-4.0, 4.0), rng.uniform_f32(-4.0, 4.0));
        let resting = Aabb::new([x, 0.0, z], [x + 1.0, 1.0, z + 1.0]).unwrap();
        let across = [rng.uniform_f32(-4.0, 4.0), 0.0, rng.uniform_f32(-4.0, 4.0)];
        for triangle in ground(8) {
            for (height, hits) in [(0.0, false), (0.25, false), (-0.25, true)] {
                let motion = Vec3::from_array(across) + Vec3::Y * height;
                let moving = AabbCast::new(resting, motion).unwrap();
                let first = box_triangle(&moving, triangle);
                // Pressed down, it hits at once what it rests on, and all of that from above.
                if let Some(contact) = first.filter(|contact| contact.t == 0.0) {
                    assert!(hits && contact.normal == Vec3::Y, "{moving:?} {triangle:?}");
                }
                assert!(hits || first.is_none(), "{moving:?} {triangle:?}");
            }
        }
    }
}

#[test]
fn a_falling_box_lands_on_ground_with_its_normal() {
    let mut rng = Rng::new(SEED + 3);
    for _ in 0..rounds(200) {
        let [x, z] = [(); 2].map(|()| rng.uniform_f32(-3.0, 3.0));
        let above = Aabb::new([x, 1.0, z], [x + 1.5, 2.0, z + 0.5]).unwrap();
        let motion = [rng.uniform_f32(-3.0, 3.0), -4.0, rng.uniform_f32(-3.0, 3.0)];
        let moving = AabbCast::new(above, motion).unwrap();
        let all = ground(8).into_iter();
        let contacts = all.filter_map(|triangle| shape_cast::box_triangle(&moving, triangle));
        let first = contacts.min_by(|a, b| a.t.total_cmp(&b.t)).unwrap();
        assert_eq!((first.t, first.normal), (0.25, Vec3::Y));
    }
}

#[test]
fn a_corner_hits_a_face_and_an_edge_hits_an_edge() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let toward = AabbCast::new(unit, [2.0; 3]).unwrap();
    // The corner (1, 1, 1) hits the plane x + y + z = 6 half way.
    let oblique = [DVec3::X, DVec3::Y, DVec3::Z].map(|corner| corner * 6.0);
    let contact = box_triangle(&toward, oblique).unwrap();
    assert_eq!(contact.t, 0.5);
    assert!((contact.normal + Vec3::ONE / 3.0_f32.sqrt()).length() < 1e-6);
    // The box's edge x = y = 1 hits the edge from (3, 1, -1) to (1, 3, 2) where x + y = 4.
    let slanted = [[3.0, 1.0, -1.0], [1.0, 3.0, 2.0], [9.0, 9.0, 0.0]].map(DVec3::from_array);
    let sideways = AabbCast::new(unit, [2.0, 2.0, 0.0]).unwrap();
    let contact = box_triangle(&sideways, slanted).unwrap();
    assert_eq!(contact.t, 0.5);
    assert!((contact.normal + Vec3::new(1.0, 1.0, 0.0) / 2.0_f32.sqrt()).length() < 1e-6);
}

#[test]
fn degenerate_and_unusable_triangles_are_never_hit() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let moving = AabbCast::new(unit, [9.0, 0.0, 0.0]).unwrap();
    let point = DVec3::new(4.0, 0.5, 0.5);
    let line = [point, point + DVec3::Y * 0.1, point + DVec3::Y * 0.3];
    assert_eq!(box_triangle(&moving, [point; 3]), None);
    assert_eq!(box_triangle(&moving, line), None);
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        assert_eq!(
            box_triangle(&moving, [point, point + DVec3::Y, DVec3::splat(bad)]),
            None
        );
    }
}
