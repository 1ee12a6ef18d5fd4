//! Other movers against shapes that move: one solid, compounds part by part, and meshes past solids that stay,
//! as these would move past the mesh.

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::shape_cast::InitialOverlap;
use hitscan::{
    Aabb, Capsule, Compound, CompoundPart, ConvexHull, HeightField, Obb, ObjectCast, Primitive,
    QueryFilter, ShapeCast, Sphere, TriMesh, World,
};
use hitscan_testkit::{Rng, rounds};

fn point(rng: &mut Rng, span: f32) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| rng.uniform_f32(-span, span)))
}

fn solid(rng: &mut Rng) -> Primitive {
    let at = point(rng, 4.0);
    let radius = f64::from(rng.uniform_f32(0.1, 1.0));
    match rng.below(6) {
        0 => Sphere::new(at, radius).expect("in range").into(),
        1 => {
            let half = point(rng, 1.5).abs();
            Aabb::new(at - half, at + half).expect("in range").into()
        }
        2 => {
            let other = at + point(rng, 2.0);
            Capsule::new(at, other, radius).expect("in range").into()
        }
        3 => {
            let half = point(rng, 1.5).abs();
            let turn = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
            Obb::new(at, half, turn).expect("in range").into()
        }
        kind => {
            let corners: Vec<Vec3> = (0..5).map(|_| at + point(rng, 1.5)).collect();
            let hull = ConvexHull::new(corners).expect("in range");
            if kind == 4 {
                return hull.into();
            }
            hull.rounded_by(radius / 4.0).expect("in range").into()
        }
    }
}

fn mesh(rng: &mut Rng) -> TriMesh {
    let at = point(rng, 3.0);
    let corners: Vec<Vec3> = (0..7).map(|_| at + point(rng, 1.5)).collect();
    let triangle = |_| [(); 3].map(|()| u32::try_from(rng.below(7)).expect("small"));
    TriMesh::new(corners, (0..8).map(triangle).collect::<Vec<_>>()).expect("in range")
}

fn ground(rng: &mut Rng) -> HeightField {
    let heights: Vec<f32> = (0..81).map(|_| rng.uniform_f32(-5.0, -3.0)).collect();
    let grid = Grid {
        origin: [-4.0, 0.0, -4.0],
        ..Grid::new(9, 9, [1.0, 1.0])
    };
    HeightField::new(grid, heights).expect("heights")
}

#[test]
fn one_solid_is_answered_as_a_shape_and_compounds_part_by_part() {
    let mut rng = Rng::new(67);
    let (mut hits, mut overlaps, mut of_parts) = (0, 0, 0);
    for _ in 0..rounds(1_500) {
        let mut world = World::new();
        let obstacles = [
            world.add(ground(&mut rng)),
            world.add(mesh(&mut rng)),
            world.add(solid(&mut rng)),
            world.add(solid(&mut rng)),
        ];
        let parts: Vec<Primitive> = (0..1 + rng.below(4)).map(|_| solid(&mut rng)).collect();
        let named = parts.iter().enumerate();
        let named = named.map(|(part, solid)| CompoundPart::new(format!("{part}"), solid.clone()));
        let compound = Compound::new(named.collect::<Vec<_>>()).expect("names");
        let compound = world.add(compound);
        let lone = world.add(parts[0].clone());
        world.update();
        let now = world.now();
        let motion = point(&mut rng, 8.0);
        let movers = [compound, lone];
        let filter = QueryFilter::new().exclude(&movers);
        for overlap in [InitialOverlap::Stop, InitialOverlap::Escape] {
            let cast = |mover| {
                let cast = ObjectCast::new(mover, motion).expect("finite");
                cast.with_initial_overlap(overlap)
            };
            let of_part = |part: &Primitive| {
                let cast = ShapeCast::new(part.clone(), motion).expect("finite");
                cast.with_initial_overlap(overlap)
            };
            let found = now.cast_object(&cast(lone), filter);
            let expected = now.cast_shape(&of_part(&parts[0]), filter);
            assert_eq!(found, expected.map(Into::into));
            let all = now.cast_object_all(&cast(compound), filter);
            for object in obstacles {
                let own = all.iter().find(|hit| hit.object == Some(object));
                let casts = parts
                    .iter()
                    .map(|part| now.cast_shape_all(&of_part(part), filter));
                let of_object =
                    casts.map(|hits| hits.into_iter().find(|hit| hit.object == Some(object)));
                let of_object = of_object
                    .enumerate()
                    .filter_map(|(part, hit)| Some((part, hit?)));
                let first = of_object.min_by(|(_, one), (_, other)| {
                    let overlaps_first = other.is_overlap().cmp(&one.is_overlap());
                    overlaps_first.then(one.t.total_cmp(&other.t))
                });
                let Some((part, expected)) = first else {
                    assert_eq!(own, None);
                    continue;
                };
                let own = own.expect("a part meets it");
                assert_eq!(
                    (own.t, own.is_overlap()),
                    (expected.t, expected.is_overlap())
                );
                // With a t of its own, or all of the same exact time.
                let mover = own.mover_triangle.expect("a part");
                assert_eq!(mover.number(), None);
                if mover.part as usize == part && own.triangle == expected.triangle {
                    of_parts += 1;
                    assert_eq!(own.normal, expected.normal);
                }
                if own.is_overlap() {
                    overlaps += 1;
                } else {
                    hits += 1;
                }
            }
        }
    }
    assert!(
        hits > rounds(1_500) && overlaps > rounds(600) && of_parts > rounds(2_000),
        "{hits} {overlaps} {of_parts}"
    );
}

#[test]
fn a_mesh_meets_what_stays_when_that_would_meet_the_mesh() {
    let mut rng = Rng::new(71);
    let (mut hits, mut overlaps, mut misses) = (0, 0, 0);
    for _ in 0..rounds(4_000) {
        let (solid, own) = (solid(&mut rng), mesh(&mut rng));
        let motion = point(&mut rng, 8.0);
        let mut world = World::new();
        let stays = world.add(solid.clone());
        let turn = DAffine3::from_rotation_translation(
            DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
            DVec3::new(0.5, 0.25, 0.0),
        );
        let moves = world.add_at(own, turn).expect("in range");
        world.update();
        let now = world.now();
        let cast = ObjectCast::new(moves, motion).expect("finite");
        let found = now.cast_object(&cast, ());
        let back = ShapeCast::new(solid, -motion).expect("finite");
        let expected = now.cast_shape(&back, QueryFilter::new().exclude_one(stays));
        match (found, expected) {
            (None, None) => misses += 1,
            (Some(found), Some(expected)) => {
                assert_eq!(found.is_overlap(), expected.is_overlap());
                assert_eq!(found.t, expected.t);
                assert_eq!(found.mover_triangle, expected.triangle);
                assert_eq!(found.object, Some(stays));
                assert_eq!(found.triangle, None);
                if found.is_overlap() {
                    overlaps += 1;
                } else {
                    hits += 1;
                    let sum = found.normal + expected.normal;
                    assert!(sum.length() < 1e-6, "{found:?} {expected:?}");
                }
            }
            (found, expected) => panic!("{found:?} {expected:?} {motion:?}"),
        }
    }
    assert!(
        hits > rounds(100) && overlaps > rounds(60) && misses > rounds(500),
        "{hits} {overlaps} {misses}"
    );
}

/// An overlap at the start goes before any number of contacts there, wherever the trees have it.
#[test]
fn an_overlap_is_found_behind_many_contacts() {
    let prism = [0.0_f32, 8.0].map(|z| [[0.0, 0.0, z], [8.0, 8.0, z], [8.0, 0.0, z]]);
    let prism = ConvexHull::new(prism.concat()).expect("in range");
    let mut corners = Vec::new();
    for i in 0..7_u8 {
        for j in 0..7_u8 {
            let [i, j] = [i, j].map(|number| 1.0 + f32::from(number));
            corners.push(Vec3::new(i, i, j));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..6_u32 {
        for j in 0..6_u32 {
            let first = 7 * i + j;
            triangles.push([first, first + 1, first + 7]);
            triangles.push([first + 1, first + 8, first + 7]);
        }
    }
    let inside = [[4.0, 3.0, 4.0], [4.25, 3.0, 4.0], [4.0, 3.0, 4.25]];
    corners.extend(inside.map(Vec3::from));
    triangles.push([49, 50, 51]);
    let mut world = World::new();
    world.add(prism);
    let sheet = world.add(TriMesh::new(corners, triangles).expect("in range"));
    world.update();
    let cast = ObjectCast::new(sheet, [0.0, -1.0, 0.0]).expect("a motion");
    let hit = world.now().cast_object(&cast, ()).expect("they overlap");
    let triangle = hit.mover_triangle.map(|on| on.triangle);
    assert!(hit.start.is_overlap() && triangle == Some(72), "{hit:?}");
}
