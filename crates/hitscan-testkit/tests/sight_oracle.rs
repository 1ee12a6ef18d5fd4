//! Lines of sight against rational arithmetic, over all triangles and solids of small worlds, on end
//! points that are near-degenerate on purpose: on samples, edges and faces, and a few ulps beside.

#![expect(
    clippy::unwrap_used,
    reason = "a shape that is refused is a failed test"
)]

use glam::{DAffine3, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid, Ground, ViewshedQuery, Visibility};
use hitscan::{
    Aabb, Capsule, HeightField, ObjectId, QueryFilter, Sphere, TriMesh, TriangleId, World,
};
use hitscan_testkit::sight_oracle::{Found, Thing, wide};
use hitscan_testkit::{Nasty, Rng, Vector, exact, is_nearest_f32, round_to_f32, rounds, vector};
use std::sync::Arc;

struct Scene {
    world: World,
    things: Vec<(ObjectId, Thing)>,
    /// Points to look from and at: corners, samples, middles.
    places: Vec<Vec3>,
    terrain: Arc<HeightField>,
}

fn random_scene(nasty: &mut Nasty) -> Scene {
    let mut world = World::new();
    let mut things = Vec::new();
    let mut places = Vec::new();
    let rng = &mut nasty.rng;
    let grid = Grid {
        origin: [-2.0, [0.0, 0.3][rng.below(2)], -2.0],
        diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
        ..Grid::new(4, 5, [[1.0, 0.7][rng.below(2)], 1.0])
    };
    let kind = rng.below(3);
    let heights: Vec<f32> = (0..20)
        .map(|index| match kind {
            _ if rng.one_in(12) => f32::NAN,
            0 => f32::from(u8::try_from(rng.below(2)).unwrap()),
            1 => f32::from(u8::try_from(index % 4).unwrap()) * 0.5,
            _ => rng.uniform_f32(-1.0, 1.0),
        })
        .collect();
    let terrain = Arc::new(HeightField::new(grid, heights).unwrap());
    let triangles = u32::try_from(terrain.triangle_count()).unwrap();
    let corners: Vec<(u32, [Vector; 3])> = (0..triangles)
        .filter_map(|triangle| Some((triangle, terrain.triangle(triangle)?.map(wide))))
        .collect();
    places.extend((0..triangles).filter_map(|index| Some(terrain.triangle(index)?[0].as_vec3())));
    let is_terrain = true;
    let thing = Thing::Triangles {
        corners,
        is_terrain,
    };
    things.push((world.add(Arc::clone(&terrain)), thing));

    let positions: Vec<Vec3> = (0..5).map(|_| nasty.point() * 0.5).collect();
    // The last factor makes a sheet that rays are not taken through.
    let thin = [1.0, 1.0, -1.0 / 16384.0][nasty.rng.below(3)];
    let turn = DAffine3::from_cols_array(&[
        0.0, 0.0, thin, 0.0, 2.0, 0.0, -1.0, 0.0, 0.0, 0.5, 0.25, -0.5,
    ]);
    let mesh = TriMesh::new(positions.clone(), vec![[0, 1, 2], [2, 3, 0], [4, 1, 3]]).unwrap();
    let placed = |corner: u32| turn.transform_point3(positions[corner as usize].as_dvec3());
    let corners = (0..)
        .zip(mesh.triangles())
        .map(|(index, triangle)| (index, triangle.map(|corner| wide(placed(corner)))))
        .collect();
    places.extend((0..5).map(|corner| placed(corner).as_vec3()));
    let thing = Thing::Triangles {
        corners,
        is_terrain: false,
    };
    things.push((world.add_at(Arc::new(mesh), turn).unwrap(), thing));

    for _ in 0..2 {
        let (p, q) = (nasty.point(), nasty.point());
        let aabb = Aabb::new(p.min(q), p.max(q)).unwrap();
        places.extend([aabb.min(), aabb.max(), (aabb.min() + aabb.max()) * 0.5]);
        let thing = Thing::Box(vector(aabb.min()), vector(aabb.max()));
        things.push((world.add(aabb), thing));
    }
    let (center, radius) = (nasty.point(), [0.5, 1.0][nasty.rng.below(2)]);
    let thing = Thing::Capsule([vector(center), vector(center)], exact(radius));
    things.push((world.add(Sphere::new(center, radius).unwrap()), thing));
    let (a, b) = (nasty.point(), nasty.point());
    let thing = Thing::Capsule([vector(a), vector(b)], exact(radius));
    let capsule = Capsule::new(a, b, radius).unwrap();
    things.push((world.add(capsule), thing));
    places.extend([center, a, b]);
    world.update();
    Scene {
        world,
        things,
        places,
        terrain,
    }
}

/// A place, a point on the ground as f32 has it, one nearby, or one between two places.
fn random_end(nasty: &mut Nasty, scene: &Scene) -> Vec3 {
    let pick = |rng: &mut Rng| scene.places[rng.below(scene.places.len())];
    match nasty.rng.below(6) {
        0 | 1 => pick(&mut nasty.rng),
        2 => (pick(&mut nasty.rng) + pick(&mut nasty.rng)) * 0.5,
        3 => {
            let mut place = pick(&mut nasty.rng);
            let axis = nasty.rng.below(3);
            place[axis] = place[axis].next_up();
            place
        }
        4 => {
            let rng = &mut nasty.rng;
            let point = [rng.uniform_f32(-2.0, 1.0), rng.uniform_f32(-2.0, 2.0)];
            match scene.terrain.height(point) {
                Ground::Height(ground) => Vec3::new(point[0], ground.height, point[1]),
                _ => nasty.point(),
            }
        }
        _ => nasty.point(),
    }
}

#[test]
fn sight_is_that_of_rational_arithmetic() {
    let mut nasty = Nasty::new(0x5167);
    let (mut visible, mut blocked, mut grounded) = (0, 0, 0);
    for _ in 0..rounds(80) {
        let scene = random_scene(&mut nasty);
        let world = scene.world.now();
        for _ in 0..20 {
            let (from, to) = (
                random_end(&mut nasty, &scene),
                random_end(&mut nasty, &scene),
            );
            // Some ignore an object.
            let ignored: Vec<ObjectId> = scene
                .things
                .iter()
                .filter(|_| nasty.rng.one_in(3))
                .map(|(object, _)| *object)
                .collect();
            let filter = QueryFilter::new().exclude(&ignored);
            let ends = [vector(from), vector(to)];
            let found: Vec<Found> = scene
                .things
                .iter()
                .filter(|(object, _)| !ignored.contains(object))
                .flat_map(|(object, thing)| thing.blocks(*object, &ends[0], &ends[1]))
                .collect();
            let context = format!("{from:?} {to:?} {ignored:?}");
            assert_eq!(
                world.is_visible(from, to, filter),
                found.is_empty(),
                "{context}"
            );
            assert_eq!(
                world.is_visible(to, from, filter),
                found.is_empty(),
                "{context}"
            );
            let blocker = world.first_blocker(from, to, filter);
            assert_eq!(blocker.is_none(), found.is_empty(), "{context}");
            let Some(blocker) = blocker else {
                visible += 1;
                continue;
            };
            blocked += 1;
            let named = found
                .iter()
                .find(|one| (one.object, one.triangle) == (blocker.object, blocker.triangle))
                .unwrap();
            if let Some(t) = &named.t {
                assert!(is_nearest_f32(blocker.t, t), "{context} {blocker:?}");
            }
            for other in &found {
                let Some(t) = &other.t else { continue };
                let t = round_to_f32(t);
                let rank = |object, on: Option<TriangleId>| (object, on.map(|on| on.triangle));
                let is_later = blocker.t < t
                    || (blocker.t == t
                        && rank(blocker.object, blocker.triangle)
                            <= rank(other.object, other.triangle));
                assert!(is_later, "{context} {blocker:?} {t}");
            }
            grounded += usize::from(
                scene
                    .terrain
                    .height([from.x, from.z])
                    .ok()
                    .is_some_and(|ground| ground.height == from.y),
            );
        }
    }
    assert!(
        visible > rounds(200) && blocked > rounds(200) && grounded > rounds(30),
        "{visible} {blocked} {grounded}"
    );
}

/// Level ground with few posts, pits and holes, an object of a world.
fn level_terrain(rng: &mut Rng, size: [usize; 2]) -> Arc<HeightField> {
    let spoilt = [40, 150][rng.below(2)];
    let heights: Vec<f32> = (0..size[0] * size[1])
        .map(|_| match rng.one_in(spoilt) {
            true => [f32::NAN, 1.0, 3.0, 2.25][rng.below(4)],
            false => 2.0,
        })
        .collect();
    let grid = Grid {
        origin: [-3.0, 0.5, 1.0],
        diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
        ..Grid::new(size[0], size[1], [[1.0, 0.5][rng.below(2)], 1.0])
    };
    Arc::new(HeightField::new(grid, heights).unwrap())
}

/// A point at the height of level ground: on a sample, an edge, or anywhere.
fn level_end(rng: &mut Rng, terrain: &HeightField) -> Vec3 {
    let grid = terrain.grid();
    let steps = [grid.columns, grid.rows].map(|count| {
        let step = rng.below(count) as f64;
        step + [0.0, 0.0, 0.5, 0.25, f64::from(rng.uniform_f32(-0.5, 0.5))][rng.below(5)]
    });
    let [x, z] = [0, 1].map(|axis: usize| grid.origin[2 * axis] + steps[axis] * grid.spacing[axis]);
    DVec3::new(x, 2.5, z).as_vec3()
}

#[test]
fn sight_over_level_ground_is_that_of_rational_arithmetic() {
    let mut nasty = Nasty::new(0x516a);
    let rng = &mut nasty.rng;
    let (mut visible, mut blocked) = (0, 0);
    for _ in 0..rounds(20) {
        let size = [[90, 4], [5, 70]][rng.below(2)];
        let terrain = level_terrain(rng, size);
        let triangles = u32::try_from(terrain.triangle_count()).unwrap();
        let corners = (0..triangles)
            .filter_map(|triangle| Some((triangle, terrain.triangle(triangle)?.map(wide))))
            .collect();
        let mut world = World::new();
        let object = world.add(Arc::clone(&terrain));
        world.update();
        let thing = Thing::Triangles {
            corners,
            is_terrain: true,
        };
        for _ in 0..10 {
            let (from, to) = (level_end(rng, &terrain), level_end(rng, &terrain));
            let found = thing.blocks(object, &vector(from), &vector(to));
            let everything = QueryFilter::new();
            let context = format!("{from:?} {to:?}");
            let is_visible = world.now().is_visible(from, to, everything);
            assert_eq!(is_visible, found.is_empty(), "{context}");
            let blocker = world.now().first_blocker(from, to, everything);
            let named = blocker.map(|blocker| blocker.triangle);
            let expected = found.iter().min_by(|one, other| {
                let rank = |found: &Found| (round(found), found.triangle.map(|on| on.triangle));
                let (one, other) = (rank(one), rank(other));
                one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
            });
            assert_eq!(named, expected.map(|found| found.triangle), "{context}");
            visible += usize::from(is_visible);
            blocked += usize::from(!is_visible);
        }
    }
    let least = rounds(40);
    assert!(visible > least && blocked > least, "{visible} {blocked}");
}

/// The t of what blocks, as it is reported.
fn round(found: &Found) -> f32 {
    found.t.as_ref().map_or(0.0, round_to_f32)
}

#[test]
fn a_viewshed_from_level_ground_is_the_sight_of_every_sample() {
    let mut nasty = Nasty::new(0x516b);
    let rng = &mut nasty.rng;
    let (mut visible, mut hidden) = (0, 0);
    for _ in 0..rounds(40) {
        let size = [[33, 21], [18, 40]][rng.below(2)];
        let terrain = level_terrain(rng, size);
        let mut world = World::new();
        let object = world.add(Arc::clone(&terrain));
        // Another terrain as high, across the first one's border.
        let other = *terrain.grid();
        let other = Grid {
            origin: [other.origin[0] + 7.0, 2.5, other.origin[2] - 4.0],
            ..Grid::new(9, 12, [1.0; 2])
        };
        let other = HeightField::new(other, vec![0.0; 108]).unwrap();
        world.add(Arc::new(other));
        world.update();
        let (world, everything) = (world.now(), QueryFilter::new());
        let eye = level_end(rng, &terrain);
        let seen = world
            .viewshed(object, &ViewshedQuery::at(eye), everything)
            .unwrap();
        let grid = terrain.grid();
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let Some(height) = terrain.sample(column, row) else {
                    continue;
                };
                let y = grid.origin[1] + f64::from(height);
                let target = DVec3::new(grid.x(column), y, grid.z(row)).as_vec3();
                let is_visible = world.is_visible(eye, target, everything);
                let found = seen.at(column, row) == Some(Visibility::Visible);
                assert_eq!(found, is_visible, "{eye:?} {target:?} {grid:?}");
                visible += usize::from(is_visible);
                hidden += usize::from(!is_visible);
            }
        }
    }
    assert!(
        visible > rounds(4_000) && hidden > rounds(4_000),
        "{visible} {hidden}"
    );
}

#[test]
fn plurals_answer_as_one_by_one_and_points_that_are_no_points_see_nothing() {
    let mut nasty = Nasty::new(0x5168);
    let scene = random_scene(&mut nasty);
    let world = scene.world.now();
    let everything = QueryFilter::new();
    let targets = &scene.places;
    let eyes: Vec<Vec3> = targets.iter().step_by(3).map(|at| *at + Vec3::Y).collect();
    let visible = world.visible_pairs(&eyes, targets, everything);
    let blockers = world.first_blockers(&eyes, targets, everything);
    let mut pairs = visible.iter().zip(&blockers);
    for eye in &eyes {
        for target in targets {
            let (is_visible, blocker) = pairs.next().unwrap();
            assert_eq!(world.is_visible(*eye, *target, everything), *is_visible);
            assert_eq!(world.first_blocker(*eye, *target, everything), *blocker);
        }
    }
    assert!(!world.is_visible(Vec3::NAN, Vec3::ZERO, everything));
    assert!(!world.is_visible(Vec3::ZERO, Vec3::INFINITY, everything));
    assert_eq!(world.first_blocker(Vec3::NAN, Vec3::ZERO, everything), None);
}

#[test]
fn a_viewshed_is_the_sight_of_every_sample() {
    let mut nasty = Nasty::new(0x5169);
    let (mut visible, mut hidden) = (0, 0);
    for _ in 0..rounds(60) {
        let scene = random_scene(&mut nasty);
        let world = scene.world.now();
        let terrain = scene.things[0].0;
        let eye = random_end(&mut nasty, &scene);
        let ignored: Vec<ObjectId> = scene
            .things
            .iter()
            .filter(|_| nasty.rng.one_in(3))
            .map(|(object, _)| *object)
            .collect();
        let filter = QueryFilter::new().exclude(&ignored);
        let seen = world
            .viewshed(terrain, &ViewshedQuery::at(eye), filter)
            .unwrap();
        let grid = scene.terrain.grid();
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let Some(height) = scene.terrain.sample(column, row) else {
                    assert_eq!(seen.at(column, row), Some(Visibility::Outside));
                    continue;
                };
                let y = grid.origin[1] + f64::from(height);
                let target = DVec3::new(grid.x(column), y, grid.z(row));
                // Sight is queried in f32.
                if target.as_vec3().as_dvec3() != target {
                    continue;
                }
                let is_visible = world.is_visible(eye, target.as_vec3(), filter);
                let expected = if is_visible {
                    Visibility::Visible
                } else {
                    Visibility::Hidden
                };
                assert_eq!(seen.at(column, row), Some(expected), "{eye:?} {target:?}");
                visible += usize::from(is_visible);
                hidden += usize::from(!is_visible);
            }
        }
        let not_terrain = scene.things[1].0;
        let query = ViewshedQuery::at(eye);
        assert_eq!(world.viewshed(not_terrain, &query, filter), None);
    }
    assert!(
        visible > rounds(100) && hidden > rounds(100),
        "{visible} {hidden}"
    );
}
