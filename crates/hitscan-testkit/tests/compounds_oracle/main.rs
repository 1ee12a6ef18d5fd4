//! A compound answers as its parts do where each is an object of its own at the same place: with the part named, and
//! with the ties of one object.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

mod joints;
mod kept;
mod pairs;
mod scenes;
mod with_meshes;
mod worlds;

use hitscan::glam::{DQuat, Vec3};
use hitscan::{
    Aabb, BallisticArc, Capsule, Contact, ContactsPer, ConvexHull, InitialOverlap, Obb, Primitive,
    QueryFilter, Ray, RayCastSettings, RayHit, RayStart, ShapeCast, ShapeHit, Sides, Sphere,
    StartState, TriangleId,
};
use hitscan_testkit::{Rng, rounds};
use pairs::ask_pairs;
use worlds::{Pair, place, quarters};

/// How often each kind of query on a pair of worlds has a hit.
#[derive(Default, Debug)]
struct Counts {
    rays: usize,
    all: usize,
    arcs: usize,
    closest: usize,
    blockers: usize,
    casts: usize,
    contacts: usize,
    overlaps: usize,
    of_parts: usize,
}

#[test]
fn a_compound_answers_as_its_parts_do() {
    let mut rng = Rng::new(77);
    let mut counts = Counts::default();
    for round in 0..rounds(1000) {
        let pair = Pair::new(&mut rng, round);
        for _ in 0..40 {
            let hidden = pair.hidden(&mut rng);
            ask_rays(&mut rng, &pair, &hidden, &mut counts);
            ask_points(&mut rng, &pair, &hidden, &mut counts);
            ask_shapes(&mut rng, &pair, &hidden, &mut counts);
        }
        ask_batches(&mut rng, &pair);
        ask_pairs(&mut rng, &pair, &mut counts);
    }
    println!("{counts:?}");
    let Counts {
        rays,
        all,
        arcs,
        closest,
        blockers,
        casts,
        contacts,
        overlaps,
        of_parts,
    } = counts;
    let least = [
        rays, all, arcs, closest, blockers, casts, contacts, of_parts,
    ]
    .into_iter()
    .min();
    assert!(
        least > Some(rounds(1000)) && overlaps > rounds(1000) / 4,
        "{least:?}"
    );
}

fn settings(rng: &mut Rng) -> RayCastSettings {
    RayCastSettings {
        sides: [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)],
        start: [RayStart::Solid, RayStart::Hollow][rng.below(2)],
    }
}

fn ray(rng: &mut Rng) -> Ray {
    let (from, to) = (place(rng), place(rng));
    let direction = if rng.one_in(3) {
        Vec3::AXES[rng.below(3)]
    } else {
        to - from
    };
    let direction = if direction == Vec3::ZERO {
        Vec3::X
    } else {
        direction
    };
    let t_max = if rng.one_in(5) { 0.5 } else { f32::INFINITY };
    Ray::new(from, direction)
        .unwrap()
        .with_range(0.0, t_max)
        .unwrap()
}

fn ask_rays(rng: &mut Rng, pair: &Pair, hidden: &[u32], counts: &mut Counts) {
    let (ray, settings) = (ray(rng), settings(rng));
    let (parts, objects) = (pair.hidden_parts(hidden), pair.hidden_objects(hidden));
    let (seen, others) = (
        QueryFilter::new().exclude_parts(&parts),
        QueryFilter::new().exclude(&objects),
    );
    let (now, apart) = (pair.compound.now(), pair.apart.now());

    let hit = now.cast_ray(&ray, (settings, seen));
    let expected = apart
        .cast_ray(&ray, (settings, others))
        .map(|hit| pair.of_compound(hit));
    assert_eq!(hit, expected, "{ray:?} {settings:?} {pair}");
    counts.rays += usize::from(hit.is_some());
    counts.of_parts += usize::from(hit.is_some_and(|hit| hit.object == Some(pair.id)));
    assert_eq!(now.cast_ray_any(&ray, (settings, seen)), hit.is_some());

    let all = now.cast_ray_all(&ray, (settings, seen));
    let expected = apart.cast_ray_all(&ray, (settings, others)).into_iter();
    let expected: Vec<RayHit> = expected.map(|hit| pair.of_compound(hit)).collect();
    assert_eq!(all, expected, "{ray:?} {settings:?} {pair}");
    counts.all += usize::from(all.len() > 2);

    let (visited, visits) = now.trace_ray(&ray, (settings, seen), 10_000);
    assert_eq!(visited, hit, "{ray:?} {pair}");
    let is_named = |part: u32| visits.visits.iter().any(|visit| visit.part == Some(part));
    let part = hit
        .filter(|hit| hit.object == Some(pair.id))
        .and_then(|hit| hit.part());
    assert!(part.is_none_or(is_named), "{ray:?} {pair}");

    let gravity = place(rng) * 0.25;
    let arc = BallisticArc::new(ray.origin(), ray.direction(), gravity).unwrap();
    let arc = arc.with_range(0.0, 4.0).unwrap();
    let hit = now.cast_arc(&arc, (settings, seen));
    let expected = apart
        .cast_arc(&arc, (settings, others))
        .map(|hit| pair.of_compound(hit));
    assert_eq!(hit, expected, "{arc:?} {settings:?} {pair}");
    assert_eq!(now.cast_arc_any(&arc, (settings, seen)), hit.is_some());
    counts.arcs += usize::from(hit.is_some());
}

fn ask_points(rng: &mut Rng, pair: &Pair, hidden: &[u32], counts: &mut Counts) {
    let (from, to) = (place(rng), place(rng));
    let (parts, objects) = (pair.hidden_parts(hidden), pair.hidden_objects(hidden));
    let (seen, others) = (
        QueryFilter::new().exclude_parts(&parts),
        QueryFilter::new().exclude(&objects),
    );
    let (now, apart) = (pair.compound.now(), pair.apart.now());

    let distance = [0.0, 0.5, 2.0, f32::INFINITY][rng.below(4)];
    let nearest = now.closest_point(from, distance, seen);
    let expected = apart
        .closest_point(from, distance, others)
        .map(|mut found| {
            (found.object, found.triangle) = pair.named(found.object, found.triangle);
            found
        });
    assert_eq!(nearest, expected, "{from} {distance} {pair}");
    counts.closest += usize::from(nearest.is_some());

    let blocker = now.first_blocker(from, to, seen);
    let expected = apart.first_blocker(from, to, others).map(|mut found| {
        let (object, triangle) = pair.named(Some(found.object), found.triangle);
        (found.object, found.triangle) = (object.unwrap(), triangle);
        found
    });
    assert_eq!(blocker, expected, "{from} {to} {pair}");
    assert_eq!(now.is_visible(from, to, seen), blocker.is_none());
    counts.blockers += usize::from(blocker.is_some());
}

fn shape(rng: &mut Rng) -> Primitive {
    let (center, half) = (
        place(rng),
        Vec3::from([(); 3].map(|()| quarters(rng, 4).abs())),
    );
    let turn = DQuat::from_xyzw(0.5, 0.5, -0.5, 0.5);
    match rng.below(5) {
        0 => Sphere::new(center, half.x + 0.25).unwrap().into(),
        1 => Aabb::new(center - half, center + half).unwrap().into(),
        2 => Capsule::new(center, center + half, half.z + 0.25)
            .unwrap()
            .into(),
        3 => Obb::new(center, half, turn).unwrap().into(),
        _ => {
            let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|point| center + point);
            let hull = ConvexHull::new(points).unwrap();
            hull.with_radius([0.0, 0.25][rng.below(2)]).unwrap().into()
        }
    }
}

fn ask_shapes(rng: &mut Rng, pair: &Pair, hidden: &[u32], counts: &mut Counts) {
    let shape = shape(rng);
    let (parts, objects) = (pair.hidden_parts(hidden), pair.hidden_objects(hidden));
    let (seen, others) = (
        QueryFilter::new().exclude_parts(&parts),
        QueryFilter::new().exclude(&objects),
    );
    let (now, apart) = (pair.compound.now(), pair.apart.now());

    let cast = ShapeCast::new(shape.clone(), place(rng)).unwrap();
    let rule = [InitialOverlap::Stop, InitialOverlap::Escape][rng.below(2)];
    let cast = cast.with_initial_overlap(rule);
    let all = now.cast_shape_all(&cast, seen);
    let deepest = now.contacts(&shape, 0.0, ContactsPer::Object, seen);
    let deepest = deepest.into_iter().find(|one| one.object == Some(pair.id));
    let expected = firsts(pair, apart.cast_shape_all(&cast, others), deepest);
    assert_eq!(
        all.len(),
        expected.len(),
        "{cast:?} {all:?} {expected:?} {pair}"
    );
    for (hit, expected) in all.iter().zip(&expected) {
        assert!(
            expected.contains(hit),
            "{cast:?} {hit:?} not {expected:?} {pair}"
        );
    }
    assert_eq!(
        now.cast_shape(&cast, seen),
        all.first().copied(),
        "{cast:?} {pair}"
    );
    assert_eq!(
        now.cast_shape_any(&cast, seen),
        !all.is_empty(),
        "{cast:?} {pair}"
    );
    counts.casts += usize::from(!all.is_empty());

    let margin = [0.0, 0.5, 2.0][rng.below(3)];
    let found = now.contacts(&shape, margin, ContactsPer::Triangle, seen);
    let expected = apart.contacts(&shape, margin, ContactsPer::Triangle, others);
    let expected: Vec<Contact> = expected
        .into_iter()
        .map(|one| contact_of(pair, one))
        .collect();
    assert_eq!(found, expected, "{shape:?} {margin} {pair}");
    let objects = now.contacts(&shape, margin, ContactsPer::Object, seen);
    let of_compound = objects.iter().find(|one| one.object == Some(pair.id));
    let of_parts = || found.iter().filter(|one| one.object == Some(pair.id));
    let least = of_parts().map(|one| one.separation).reduce(f32::min);
    assert_eq!(
        of_compound.map(|one| one.separation),
        least,
        "{shape:?} {margin} {pair}"
    );
    assert!(of_compound.is_none_or(|one| of_parts().any(|other| other == one)));
    // Of those with a separation that f32 holds, the lowest.
    if let Some(of_compound) = of_compound.filter(|one| (one.separation * 4.0).fract() == 0.0)
        && matches!(shape, Primitive::Aabb(_) | Primitive::Obb(_))
        && pair.has_boxes_only()
    {
        let first = of_parts().find(|one| Some(one.separation) == least);
        assert_eq!(Some(of_compound), first, "{shape:?} {pair}");
    }
    counts.contacts += usize::from(of_compound.is_some());
    assert_eq!(
        now.overlaps_shape(&shape, seen),
        apart.overlaps_shape(&shape, others),
        "{shape:?} {pair}"
    );
}

fn contact_of(pair: &Pair, mut contact: Contact) -> Contact {
    (contact.object, contact.triangle) = pair.named(contact.object, contact.triangle);
    contact
}

/// The hits on separate objects, reduced to those of each object: of the parts of the compound all that may
/// be the first within one object. Exact times that round to one f32 are not distinguished here. An overlap
/// at the start is that of the object's contact.
fn firsts(pair: &Pair, hits: Vec<ShapeHit>, deepest: Option<Contact>) -> Vec<Vec<ShapeHit>> {
    let hits = hits.into_iter().map(|mut hit| {
        (hit.object, hit.triangle) = pair.named(hit.object, hit.triangle);
        if hit.object == Some(pair.id)
            && let StartState::Overlap {
                separation,
                way_out,
            } = &mut hit.start
        {
            let deepest = deepest.expect("an overlap is a contact");
            assert!(deepest.separation <= *separation);
            (*separation, *way_out) = (deepest.separation, deepest.normal);
        }
        hit
    });
    let (of_parts, others): (Vec<ShapeHit>, Vec<ShapeHit>) =
        hits.partition(|hit| hit.object == Some(pair.id));
    let is_overlap = |hit: &ShapeHit| {
        hit.t == 0.0 && hit.normal == Vec3::ZERO && matches!(hit.start, StartState::Overlap { .. })
    };
    let first_overlap = of_parts
        .iter()
        .filter(|hit| is_overlap(hit))
        .min_by_key(|hit| hit.triangle);
    let of_compound: Vec<ShapeHit> = match first_overlap {
        Some(overlap) => vec![*overlap],
        None => {
            let least = of_parts.iter().map(|hit| hit.t).reduce(f32::min);
            of_parts
                .into_iter()
                .filter(|hit| Some(hit.t) == least)
                .collect()
        }
    };
    let mut all: Vec<Vec<ShapeHit>> = others.into_iter().map(|hit| vec![hit]).collect();
    if !of_compound.is_empty() {
        all.push(of_compound);
    }
    all.sort_by(|a, b| {
        a[0].t
            .total_cmp(&b[0].t)
            .then(a[0].object.cmp(&b[0].object))
    });
    all
}

/// Rays together, beside each other and not.
fn ask_batches(rng: &mut Rng, pair: &Pair) {
    let scattered: Vec<Ray> = (0..300).map(|_| ray(rng)).collect();
    let eye = place(rng);
    let beside: Vec<Ray> = (0..256_u16)
        .map(|index| {
            let (x, y) = (f32::from(index % 16), f32::from(index / 16));
            let target = Vec3::new(x * 0.1 - 0.8, y * 0.1 - 0.8, 0.0);
            Ray::new(eye - Vec3::Z * 9.0, target - eye + Vec3::Z * 9.0).unwrap()
        })
        .collect();
    let hidden = pair.hidden(rng);
    let parts = pair.hidden_parts(&hidden);
    let seen = QueryFilter::new().exclude_parts(&parts);
    for rays in [scattered, beside] {
        let one_by_one: Vec<_> = rays
            .iter()
            .map(|ray| pair.compound.now().cast_ray(ray, seen))
            .collect();
        assert_eq!(
            pair.compound.now().cast_rays(&rays, seen),
            one_by_one,
            "{pair}"
        );
        let is_hit: Vec<bool> = one_by_one.iter().map(Option::is_some).collect();
        assert_eq!(
            pair.compound.now().cast_rays_any(&rays, seen),
            is_hit,
            "{pair}"
        );
    }
}

#[test]
fn an_overlap_goes_before_a_hit_with_another_part() {
    use hitscan::{Compound, CompoundPart, World};
    // A box that touches the first part and runs into it, and overlaps the second.
    let cast = ShapeCast::new(Aabb::new([0.0; 3], [1.0; 3]).unwrap(), [1.0, 0.0, 0.0]).unwrap();
    let wall = Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]).unwrap();
    let inside = Aabb::new([0.25; 3], [0.5; 3]).unwrap();
    let both = [
        CompoundPart::new("wall", wall),
        CompoundPart::new("inside", inside),
    ];
    let mut world = World::new();
    let id = world.add(Compound::new(both).unwrap());
    world.update();
    let hit = world.now().cast_shape(&cast, ()).unwrap();
    let part = TriangleId {
        part: 1,
        triangle: TriangleId::WHOLE_PART,
    };
    assert_eq!(
        (hit.object, hit.triangle, hit.t),
        (Some(id), Some(part), 0.0)
    );
    assert!(matches!(hit.start, StartState::Overlap { .. }));
    let only_wall = [(id, 1)];
    let hit = world
        .now()
        .cast_shape(&cast, QueryFilter::new().exclude_parts(&only_wall))
        .unwrap();
    assert_eq!((hit.triangle.unwrap().part, hit.normal), (0, Vec3::NEG_X));
}
