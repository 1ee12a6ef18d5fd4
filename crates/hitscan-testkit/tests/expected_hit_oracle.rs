//! Reasons why a ray does not hit an object that it was expected to hit, against brute force over all
//! objects and triangles.
//!
//! Worlds have small whole coordinates, so that rays are decided here in whole numbers and quotients of
//! them.

use glam::{DAffine3, DVec3, Vec3};
use hitscan::explain::NotHit;
use hitscan::{
    Aabb, FilteredBy, ObjectId, QueryFilter, Ray, RayCastSettings, RayStart, Side, Sides, Snapshot,
    Sphere, World,
};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::explained_world::{
    filter_of, filtered_by, solid, triangles, whole, whole_point, world,
};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};
use std::collections::BTreeMap;
use std::sync::Arc;

const SEED: u64 = 0x0E31_0002;

#[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
fn rounded(t: f64) -> f32 {
    t as f32 + 0.0
}

/// The t at which the ray's line hits a triangle, and the side. All products are whole and small.
fn crossing(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<(f64, Side)> {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let volume = |p: DVec3, q: DVec3| direction.dot((p - origin).cross(q - origin));
    let volumes = [volume(a, b), volume(b, c), volume(c, a)];
    let normal = (b - a).cross(c - a);
    let slope = normal.dot(direction);
    let is_through = volumes.iter().all(|v| v * slope >= 0.0);
    let side = if slope < 0.0 { Side::Front } else { Side::Back };
    (slope != 0.0 && is_through).then(|| (normal.dot(a - origin) / slope, side))
}

/// From when to when the ray's line is in a box.
fn through(ray: &Ray, bounds: &Aabb) -> Option<[f64; 2]> {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..3 {
        let low = f64::from(bounds.min()[k]) - origin[k];
        let high = f64::from(bounds.max()[k]) - origin[k];
        if direction[k] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (p, q) = (low / direction[k], high / direction[k]);
        (enter, leave) = (enter.max(p.min(q)), leave.min(p.max(q)));
    }
    (enter <= leave).then_some([enter, leave])
}

/// The hits of the ray on an object in a range: t, and whether the side counts.
fn met_in(
    snapshot: &Snapshot,
    ray: &Ray,
    object: ObjectId,
    sides: Sides,
    [from, to]: [f64; 2],
) -> Vec<(f64, bool)> {
    if let Some(solid) = solid(snapshot, object) {
        assert_eq!(sides, Sides::Both, "boxes are of one kind here");
        let inside = through(ray, &solid.bounds()).into_iter();
        return inside
            .filter(|[enter, leave]| enter.max(from) <= leave.min(to))
            .map(|[enter, _]| (enter.max(from), true))
            .collect();
    }
    let all = triangles(snapshot, object).into_iter();
    all.filter_map(|(_, corners)| crossing(ray, corners))
        .filter(|(t, _)| (from..=to).contains(t))
        .map(|(t, side)| (t, sides.admits(side)))
        .collect()
}

fn first(all: &[(f64, bool)], only_admitted: bool) -> Option<f64> {
    let counts = all.iter().filter(|(_, counts)| *counts || !only_admitted);
    counts.map(|(t, _)| *t).min_by(f64::total_cmp)
}

/// The hit on an object: t, whether in range, whether from a side that counts.
fn meeting(
    snapshot: &Snapshot,
    ray: &Ray,
    object: ObjectId,
    sides: Sides,
) -> Option<(f64, bool, bool)> {
    let [from, to] = [ray.t_min(), ray.t_max()].map(f64::from);
    let within = |range| met_in(snapshot, ray, object, sides, range);
    for only_admitted in [true, false] {
        if let Some(t) = first(&within([from, to]), only_admitted) {
            return Some((t, true, only_admitted));
        }
    }
    let (before, after) = (within([0.0, from]), within([to, f64::INFINITY]));
    for only_admitted in [true, false] {
        let ends = [first(&before, only_admitted), first(&after, only_admitted)];
        let beyond = |t: &f64| (rounded(*t) - ray.t_max()).max(ray.t_min() - rounded(*t));
        let nearest = ends.into_iter().flatten();
        if let Some(t) = nearest.min_by(|t, u| beyond(t).total_cmp(&beyond(u))) {
            return Some((t, false, only_admitted));
        }
    }
    None
}

#[test]
fn reasons_are_those_of_brute_force() {
    let mut rng = Rng::new(SEED);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..rounds(1500) {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..16 {
            let direction = whole_point(&mut rng, 3);
            let Ok(ray) = Ray::new(whole_point(&mut rng, 6), direction) else {
                continue;
            };
            let from = whole(&mut rng, 2);
            let t_max = if rng.one_in(2) {
                from + whole(&mut rng, 1).abs()
            } else {
                f32::INFINITY
            };
            let ray = ray.with_range(from, t_max).unwrap();
            let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
            let mut chosen = filter_of(&mut rng, snapshot);
            let is_solid = |id: &ObjectId| solid(snapshot, *id).is_some();
            if sides != Sides::Both {
                chosen.1.extend(snapshot.objects().filter(is_solid));
            }
            let filter = QueryFilter::new().layers(chosen.0).exclude(&chosen.1);
            let refused = |id| filtered_by(snapshot, &chosen, id);
            for object in snapshot.objects() {
                if sides != Sides::Both && is_solid(&object) {
                    continue;
                }
                let found = snapshot
                    .explain_expected(&ray, object, (sides, filter))
                    .unwrap();
                assert_eq!(found.hit, snapshot.cast_ray(&ray, (sides, filter)));
                let met = meeting(snapshot, &ray, object, sides);
                let mut expected: Vec<&str> =
                    refused(object).map(FilteredBy::name).into_iter().collect();
                let mut hidden = None;
                if let Some((t, is_in_range, is_admitted)) = met {
                    expected.extend((!is_in_range).then_some("out_of_range"));
                    expected.extend((!is_admitted).then_some("wrong_side"));
                    let range = match is_in_range {
                        true => [ray.t_min(), ray.t_max()],
                        false => [
                            ray.t_min().min(rounded(t)),
                            ray.t_max().max(rounded(t).next_up()),
                        ],
                    };
                    let range = range.map(f64::from);
                    hidden = (snapshot.objects())
                        .filter(|other| *other != object && refused(*other).is_none())
                        .filter_map(|other| {
                            let all = met_in(snapshot, &ray, other, sides, range);
                            Some((rounded(first(&all, true)?), other))
                        })
                        .min_by(|a, b| a.partial_cmp(b).unwrap())
                        .filter(|before| *before < (rounded(t), object));
                    expected.extend(hidden.map(|_| "hidden"));
                } else {
                    expected.push("missed");
                }
                let names: Vec<&str> = found.reasons.iter().map(NotHit::name).collect();
                assert_eq!(names, expected, "{ray:?} {sides:?} {object:?} {found:?}");
                assert_eq!(found.met.map(|met| met.t), met.map(|(t, ..)| rounded(t)));
                assert!(found.met.is_none_or(|met| met.object == Some(object)));
                let is_hit = found.hit.is_some_and(|hit| hit.object == Some(object));
                assert_eq!(names.is_empty(), is_hit);
                let by = found.reasons.iter().find_map(|reason| match reason {
                    NotHit::Hidden(by) => Some((by.t, by.object.unwrap())),
                    _ => None,
                });
                assert_eq!(by, hidden);
                *counts.entry(names.join(" ")).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    for reasons in [
        "",
        "layers",
        "ignored",
        "out_of_range",
        "wrong_side",
        "hidden",
        "missed",
    ] {
        let of_one = counts.get(reasons).copied().unwrap_or_default();
        assert!(
            of_one > rounds(150) || !has_usual_numbers(),
            "{reasons}: {counts:?}"
        );
    }
    let several = counts.keys().filter(|names| names.contains(' ')).count();
    assert!(several > 8, "{counts:?}");
}

/// ```text
///   ------+        A ray that ends inside a closed mesh, and one that never leaves its outside.
///   o-->  |  wall
///   ------+
/// ```
#[test]
fn within_a_closed_mesh_the_far_wall_is_out_of_range() {
    let mut world = World::new();
    let cube = Arc::new(ClosedMesh::cube(2).tri_mesh());
    // Mirrored, and larger.
    let placement = DAffine3::from_scale(DVec3::new(-4.0, 4.0, 4.0));
    let room = world.add_at(cube, placement).unwrap();
    world.update();
    let bounds = world.now().object_bounds(room).unwrap();
    let middle = bounds.min().midpoint(bounds.max()) + Vec3::new(0.0, 0.1, 0.2);
    let ray = Ray::new(middle, Vec3::X)
        .unwrap()
        .with_range(0.0, 0.5)
        .unwrap();
    let found = world.now().explain_expected(&ray, room, ()).unwrap();
    assert_eq!(
        (found.hit, found.reasons.as_slice()),
        (None, &[NotHit::OutOfRange][..])
    );
    assert_eq!(
        found.met.map(|met| (met.t, met.side)),
        Some((4.0, Side::Back))
    );
    let from_outside = ray.with_range(0.0, f32::INFINITY).unwrap();
    let found = world
        .now()
        .explain_expected(&from_outside, room, Sides::Front)
        .unwrap();
    assert_eq!(found.reasons, [NotHit::WrongSide]);
    assert_eq!(found.met.map(|met| met.t), Some(4.0));
}

#[test]
fn solids_that_a_ray_starts_in() {
    let mut world = World::new();
    let ball = world.add(Sphere::new([0.0; 3], 2.0).unwrap());
    world.update();
    let now = world.now();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let short = ray.with_range(0.0, 1.0).unwrap();
    let late = ray.with_range(3.0, 9.0).unwrap();
    let reasons = |ray: &Ray, settings: RayCastSettings| {
        let found = now.explain_expected(ray, ball, settings).unwrap();
        (found.met.map(|met| met.t), found.reasons)
    };
    assert_eq!(reasons(&ray, RayStart::Solid.into()), (Some(0.0), vec![]));
    assert_eq!(reasons(&ray, RayStart::Hollow.into()), (Some(2.0), vec![]));
    assert_eq!(
        reasons(&ray, Sides::Front.into()),
        (Some(0.0), vec![NotHit::WrongSide])
    );
    // Hollow, and over before its boundary.
    assert_eq!(
        reasons(&short, RayStart::Hollow.into()),
        (Some(0.0), vec![NotHit::WrongSide])
    );
    assert_eq!(
        reasons(&late, ().into()),
        (Some(0.0), vec![NotHit::OutOfRange])
    );
}

#[test]
fn what_is_nothing_is_explained_as_such() {
    let mut world = World::new();
    let crate_box = world.add(Aabb::new([4.0, -1.0, -1.0], [5.0, 1.0, 1.0]).unwrap());
    let gone = world.add(Aabb::new([6.0, -1.0, -1.0], [7.0, 1.0, 1.0]).unwrap());
    world.update();
    world.remove(gone).unwrap();
    world.update();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!(world.now().explain_expected(&ray, gone, ()), None);
    let empty = Ray::new_or_empty([0.0; 3], [0.0; 3]);
    let found = world.now().explain_expected(&empty, crate_box, ()).unwrap();
    let (approach, turn) = (None, None);
    assert_eq!(found.reasons, [NotHit::Missed { approach, turn }]);
    // In no layer, it is hit by nothing.
    world.set_layers(crate_box, 0).unwrap();
    world.update();
    let found = world.now().explain_expected(&ray, crate_box, ()).unwrap();
    assert_eq!(
        (found.met, found.reasons),
        (None, vec![NotHit::Filtered(FilteredBy::Layers)])
    );
}

#[test]
fn of_the_past_an_earlier_snapshot_is_asked() {
    let mut world = World::new();
    world.keep_history(8);
    let runner = world.add(Sphere::new([4.0, 0.0, 0.0], 0.5).unwrap());
    for tick in 0..4_u8 {
        let center = [4.0, 0.0, 2.0 * f32::from(tick)];
        world
            .set_primitive(runner, Sphere::new(center, 0.5).unwrap())
            .unwrap();
        world.update();
        world.record(tick.into()).unwrap();
    }
    let shot = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let distance_at = |time: f64| {
        let then = world.at(time).unwrap();
        let found = then.explain_expected(&shot, runner, ()).unwrap();
        match found.reasons[..] {
            [] => 0.0,
            [NotHit::Missed { approach, .. }] => approach.unwrap().distance,
            _ => panic!("{found:?}"),
        }
    };
    assert_eq!([3.0, 1.5, 1.0, 0.0].map(distance_at), [5.5, 2.5, 1.5, 0.0]);
}
