//! Worlds of small whole coordinates for explanations, and what is so of every explanation.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "it is for tests, which may fail"
)]

use crate::Rng;
use glam::{DAffine3, DVec3, Vec3};
use hitscan::explain::{Candidate, Explanation, Verdict};
use hitscan::height_field::Grid;
use hitscan::world::ObjectShape;
use hitscan::{
    Aabb, FilteredBy, HeightField, ObjectId, Primitive, Snapshot, TriMesh, Triangle, TriangleId,
    World,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A whole number between `-max` and `max`.
pub fn whole(rng: &mut Rng, max: i8) -> f32 {
    let span = usize::try_from(2 * i32::from(max) + 1).unwrap();
    let steps = u8::try_from(rng.below(span)).unwrap();
    f32::from(steps) - f32::from(max)
}

/// A point with such coordinates.
pub fn whole_point(rng: &mut Rng, max: i8) -> Vec3 {
    Vec3::from_array([0; 3].map(|_: u8| whole(rng, max)))
}

/// Terrain with holes, two sheets of triangles, and boxes, in layers 1 and 2.
pub fn world(rng: &mut Rng) -> World {
    let mut world = World::new();
    let heights = (0..36).map(|_| {
        if rng.one_in(5) {
            f32::NAN
        } else {
            whole(rng, 2) - 3.0
        }
    });
    let heights: Vec<f32> = heights.collect();
    let grid = Grid {
        origin: [-5.0, 0.0, -5.0],
        ..Grid::new(6, 6, [2.0, 2.0])
    };
    let mut objects = vec![world.add(Arc::new(HeightField::new(grid, heights).unwrap()))];
    for _ in 0..2 {
        let positions: Vec<Vec3> = (0..7).map(|_| whole_point(rng, 5)).collect();
        let corners = |rng: &mut Rng| [0; 3].map(|_: u8| u32::try_from(rng.below(7)).unwrap());
        let triangles = (0..8).map(|_| corners(rng)).collect();
        let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
        objects.push(world.add_at(mesh, DAffine3::IDENTITY).unwrap());
    }
    for _ in 0..3 {
        let min = whole_point(rng, 5);
        let size = whole_point(rng, 1) + 1.0;
        objects.push(world.add(Aabb::new(min, min + size).unwrap()));
    }
    for object in objects {
        if rng.one_in(4) {
            world.set_layers(object, 0b10).unwrap();
        }
    }
    world.update();
    world
}

/// The triangles of an object; none of a solid.
pub fn triangles(snapshot: &Snapshot, object: ObjectId) -> Vec<(TriangleId, [DVec3; 3])> {
    let id = |triangle: usize| TriangleId {
        part: 0,
        triangle: u32::try_from(triangle).unwrap(),
    };
    match snapshot.shape(object).unwrap() {
        ObjectShape::HeightField(field) => (0..field.triangle_count())
            .filter_map(|triangle| Some((id(triangle), field.triangle(id(triangle).triangle)?)))
            .collect(),
        ObjectShape::TriMesh(mesh) => {
            let corners = |corner: &u32| mesh.positions()[*corner as usize].as_dvec3();
            let all = mesh.triangles().iter().enumerate();
            all.map(|(triangle, own)| (id(triangle), [0, 1, 2].map(|k: usize| corners(&own[k]))))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The solid that an object is, if it is one.
pub fn solid(snapshot: &Snapshot, object: ObjectId) -> Option<Primitive> {
    match snapshot.shape(object)? {
        ObjectShape::Primitive(solid) => Some(solid),
        _ => None,
    }
}

/// What is always so: the order, objects that are filtered, and objects that are not hit.
pub fn check_form(
    snapshot: &Snapshot,
    explanation: &Explanation,
    filter: &dyn Fn(ObjectId) -> Option<FilteredBy>,
    counts: &mut BTreeMap<&'static str, usize>,
) {
    let candidates = &explanation.candidates;
    for candidate in candidates {
        *counts.entry(candidate.verdict.name()).or_default() += 1;
    }
    let (hit, missed): (Vec<&Candidate>, Vec<&Candidate>) =
        candidates.iter().partition(|one| one.t.is_some());
    assert!(
        candidates[..hit.len()].iter().all(|one| one.t.is_some()),
        "hits are first"
    );
    let key = |one: &&Candidate| (one.t.unwrap(), one.object, one.triangle);
    assert!(hit.is_sorted_by(|a, b| key(a).partial_cmp(&key(b)).unwrap().is_le()));
    assert!(missed.is_sorted_by_key(|one| one.object));
    for object in snapshot.objects() {
        let of_object = hit.iter().filter(|one| one.object == object).count();
        let alone: Vec<_> = missed.iter().filter(|one| one.object == object).collect();
        assert_eq!(alone.len(), usize::from(of_object == 0), "{object:?}");
        if let Some(reason) = filter(object) {
            assert_eq!(alone[0].verdict, Verdict::Filtered(reason));
            assert_eq!(alone[0].why, reason.name());
        }
    }
}

/// The layers that are seen, and the object that is excluded.
pub fn filter_of(rng: &mut Rng, snapshot: &Snapshot) -> (u32, Vec<ObjectId>) {
    let layers = if rng.one_in(3) { 0b01 } else { u32::MAX };
    let excluded = if rng.one_in(3) {
        snapshot.objects().nth(rng.below(6)).into_iter().collect()
    } else {
        Vec::new()
    };
    (layers, excluded)
}

/// Why such a filter leaves an object out, if it does.
pub fn filtered_by(
    snapshot: &Snapshot,
    (layers, excluded): &(u32, Vec<ObjectId>),
    object: ObjectId,
) -> Option<FilteredBy> {
    if snapshot.layers(object).unwrap() & layers == 0 {
        return Some(FilteredBy::Layers);
    }
    excluded.contains(&object).then_some(FilteredBy::Excluded)
}

/// A triangle whose corners are f32; `None` where the library refuses it.
pub fn single(corners: [DVec3; 3]) -> Option<Triangle> {
    let [a, b, c] = corners.map(|corner| corner.as_vec3());
    Triangle::new(a, b, c).ok()
}
