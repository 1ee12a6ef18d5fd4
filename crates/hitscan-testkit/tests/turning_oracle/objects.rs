//! Objects of many pieces: terrain, meshes in any order of triangles, worlds with filters.

use crate::bodies::Body;
use crate::checks::{Seen, check};
use crate::{on_the_way, random_turn, shapes};
use hitscan::glam::Vec3;
use hitscan::height_field::Grid;
use hitscan::{Aabb, HeightField, QueryFilter, TriMesh, TurningHit, World};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};
use std::sync::Arc;

/// Hills of 7 by 7 samples around the origin, and their triangles.
fn hills(rng: &mut Rng) -> (HeightField, Vec<Body>) {
    let mut grid = Grid::new(7, 7, [1.0, 1.0]);
    grid.origin = [-3.0, 0.0, -3.0];
    let heights = (0..49).map(|_| rng.uniform_f32(-0.5, 0.5)).collect();
    let field = HeightField::new(grid, heights).unwrap();
    let bodies = (0..72).map(|i| Body {
        points: field.triangle(i).unwrap().to_vec(),
        radius: 0.0,
    });
    let bodies = bodies.collect();
    (field, bodies)
}

/// A mesh of the same triangles, with three corners for each, and in another order.
fn mesh(bodies: &[Body], order: &[usize]) -> TriMesh {
    let corners = order.iter().flat_map(|i| &bodies[*i].points);
    let positions: Vec<Vec3> = corners.map(|corner| corner.as_vec3()).collect();
    let triangles = (0..72).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    TriMesh::new(positions, triangles.collect()).unwrap()
}

fn shuffled(rng: &mut Rng, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

/// A terrain and a mesh of its triangles in another order answer the same time. Of several triangles at that
/// time each names its own lowest, so that how near is the same where both name one triangle.
#[track_caller]
fn assert_same_first(field: Option<&TurningHit>, mesh: Option<&TurningHit>, order: &[usize]) {
    assert_eq!(
        field.map(|hit| hit.t.to_bits()),
        mesh.map(|hit| hit.t.to_bits())
    );
    let (Some(field), Some(mesh)) = (field, mesh) else {
        return;
    };
    let named = |hit: &TurningHit| hit.triangle.unwrap().triangle as usize;
    let (in_field, in_mesh) = (named(field), named(mesh));
    let place_of = |triangle| order.iter().position(|other| *other == triangle);
    if order[in_mesh] == in_field {
        assert_eq!(bits(Some(field)), bits(Some(mesh)));
    } else {
        assert!(in_field < order[in_mesh], "{in_field}: {field:?} {mesh:?}");
        assert!(
            place_of(in_field) > Some(in_mesh),
            "{in_mesh}: {field:?} {mesh:?}"
        );
    }
}

/// When and how near, to the bit.
fn bits(hit: Option<&TurningHit>) -> Option<[u32; 2]> {
    hit.map(|hit| [hit.t.to_bits(), hit.gap.to_bits()])
}

#[test]
fn hills_are_answered_as_sampled_and_the_same_in_any_order() {
    let mut rng = Rng::new(389);
    let mut seen = Seen::default();
    for _ in 0..rounds(150) {
        let (field, bodies) = hills(&mut rng);
        let (cast, turn) = random_turn(&mut rng, 0.75);
        let found = field.cast_turning(&cast);
        let named = found.map_or(0, |hit| hit.triangle.unwrap().triangle as usize);
        let near: Vec<Body> = match found {
            // All of a miss; of a hit what is not far from the shape's way.
            None => bodies.clone(),
            Some(_) => bodies
                .iter()
                .step_by(3)
                .chain([&bodies[named]])
                .cloned()
                .collect(),
        };
        let place = if found.is_some() { near.len() - 1 } else { 0 };
        check(
            &turn,
            &near,
            place,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
        let order = shuffled(&mut rng, 72);
        let mesh = mesh(&bodies, &order);
        let on_mesh = mesh.cast_turning(&cast);
        assert_same_first(found.as_ref(), on_mesh.as_ref(), &order);
        assert_eq!(mesh.cast_turnings(std::slice::from_ref(&cast))[0], on_mesh);
        let mut world = World::new();
        world.add(Aabb::new([90.0; 3], [91.0; 3]).unwrap());
        let terrain = world.add(Arc::new(field));
        world.update();
        let in_world = world.now().cast_turning(&cast, ());
        assert_eq!(in_world.and_then(|hit| hit.object), found.map(|_| terrain));
        assert_eq!(bits(in_world.as_ref()), bits(found.as_ref()));
        let none = world
            .now()
            .cast_turning(&cast, QueryFilter::new().exclude_one(terrain));
        assert_eq!(none, None);
    }
    println!("{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.hits >= rounds(20) && seen.misses >= rounds(10),
            "{seen:?}"
        );
    }
}

#[test]
fn a_world_answers_the_first_of_its_solids() {
    let mut rng = Rng::new(390);
    let mut seen = Seen::default();
    for _ in 0..rounds(150) {
        let (cast, turn) = random_turn(&mut rng, 0.7);
        let mut world = World::new();
        let mut solids = Vec::new();
        for _ in 0..6 {
            let at = on_the_way(&mut rng, &turn, 1.5);
            let (solid, body) = shapes::solid(&mut rng, at, 0.5);
            solids.push((world.add(solid.clone()), solid, body));
        }
        world.update();
        let found = world.now().cast_turning(&cast, ());
        // One by one.
        let alone = solids.iter().map(|(_, solid, _)| solid.cast_turning(&cast));
        let first = alone.flatten().map(|hit| hit.t).reduce(f32::min);
        assert_eq!(found.map(|hit| hit.t), first, "{turn:?}");
        let named = found.and_then(|hit| hit.object);
        let named = solids
            .iter()
            .position(|(object, ..)| Some(*object) == named);
        let bodies: Vec<Body> = solids.iter().map(|(.., body)| body.clone()).collect();
        let named = named.unwrap_or(0);
        check(
            &turn,
            &bodies,
            named,
            cast.tolerance(),
            found.as_ref(),
            &mut seen,
        );
    }
    println!("{seen:?}");
    if has_usual_numbers() {
        assert!(
            seen.hits >= rounds(40) && seen.misses >= rounds(5),
            "{seen:?}"
        );
    }
}
