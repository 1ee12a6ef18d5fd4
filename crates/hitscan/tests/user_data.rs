//! The user data of objects in the answers of a world.

use glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::height_field::{Footprint, Grid};
use hitscan::world::ObjectShape;
use hitscan::{
    Aabb, BallisticArc, Capsule, ContactsPer, HeightField, Ray, ShapeCast, Snapshot, Sphere,
    TriMesh, World,
};
use std::error::Error;

/// The user data of each object; they are 20 m apart along x, and their tops are at y = 0.
const NUMBERS: [u64; 5] = [100, 101, u64::MAX, 103, 104];

fn world() -> Result<World, Box<dyn Error>> {
    let corners = [
        [-2.0, 0.0, -2.0],
        [-2.0, 0.0, 2.0],
        [2.0, 0.0, 2.0],
        [2.0, 0.0, -2.0],
    ];
    let mut grid = Grid::new(2, 2, [4.0, 4.0]);
    grid.origin = [-2.0, 0.0, -2.0];
    let shapes: [ObjectShape; 5] = [
        HeightField::new(grid, vec![0.0; 4])?.into(),
        Sphere::new([20.0, -1.0, 0.0], 1.0)?.into(),
        Aabb::new([38.0, -1.0, -2.0], [42.0, 0.0, 2.0])?.into(),
        Capsule::new([60.0, -1.0, -1.0], [60.0, -1.0, 1.0], 1.0)?.into(),
        TriMesh::new(corners.map(Vec3::from).into(), vec![[0, 1, 2], [0, 2, 3]])?.into(),
    ];
    let mut world = World::new();
    let mut last = None;
    for (shape, number) in shapes.into_iter().zip(NUMBERS) {
        let id = world.add(shape);
        world.set_user_data(id, number)?;
        last = Some(id);
    }
    let place = DAffine3::from_translation(DVec3::new(80.0, 0.0, 0.0));
    world.set_transform(last.ok_or("no object")?, place)?;
    Ok(world)
}

/// The middles of the objects' tops, each a little above.
fn above() -> impl Iterator<Item = Vec3> {
    (0..NUMBERS.len()).map(|number| Vec3::new(20.0 * number as f32 + 0.25, 0.5, 0.125))
}

/// Asserts that an answer exists for each object and has its number.
fn is_each<T>(
    answers: impl IntoIterator<Item = T>,
    number: impl Fn(&T) -> Option<u64>,
    query: &str,
) {
    let found: Vec<Option<u64>> = answers.into_iter().map(|answer| number(&answer)).collect();
    assert_eq!(found, NUMBERS.map(Some), "{query}");
}

fn check(now: &Snapshot) -> Result<(), Box<dyn Error>> {
    let down = |from: Vec3| Ray::new(from, [0.0, -1.0, 0.0]);
    let rays = above().map(down).collect::<Result<Vec<_>, _>>()?;
    is_each(
        &rays,
        |ray| Some(now.cast_ray(ray, ())?.user_data),
        "cast_ray",
    );
    is_each(
        now.cast_rays(&rays, ()),
        |hit| Some((*hit)?.user_data),
        "cast_rays",
    );
    is_each(
        &rays,
        |ray| Some(now.cast_ray_all(ray, ()).first()?.user_data),
        "cast_ray_all",
    );
    // Enough rays at each object that they are cast together.
    let many: Vec<Ray> = rays.iter().flat_map(|ray| [*ray; 64]).collect();
    let hits = now.cast_rays(&many, ());
    is_each(
        hits.chunks(64),
        |hits| Some(hits[63]?.user_data),
        "many rays",
    );

    let drop = |from: Vec3| BallisticArc::new(from, [0.0, -1.0, 0.0], BallisticArc::GRAVITY);
    let arcs = above().map(drop).collect::<Result<Vec<_>, _>>()?;
    is_each(
        now.cast_arcs(&arcs, ()),
        |hit| Some((*hit)?.user_data),
        "cast_arcs",
    );

    let balls = above()
        .map(|center| Sphere::new(center, 0.25))
        .collect::<Result<Vec<_>, _>>()?;
    let fall = |ball: &Sphere| ShapeCast::new(*ball, [0.0, -1.0, 0.0]);
    let casts = balls.iter().map(fall).collect::<Result<Vec<_>, _>>()?;
    is_each(
        now.cast_shapes(&casts, ()),
        |hit| Some((*hit)?.user_data),
        "cast_shapes",
    );
    is_each(
        &casts,
        |cast| Some(now.cast_shape_all(cast, ()).first()?.user_data),
        "cast_shape_all",
    );
    is_each(
        &balls,
        |ball| {
            Some(
                now.contacts(**ball, 1.0, ContactsPer::Object, ())
                    .first()?
                    .user_data,
            )
        },
        "contacts",
    );

    let points: Vec<Vec3> = above().collect();
    is_each(
        now.closest_points(&points, 9.0, ()),
        |found| Some((*found)?.user_data),
        "closest_points",
    );
    let below = |point: &Vec3| *point - 0.75 * Vec3::Y;
    is_each(
        &points,
        |point| Some(now.first_blocker(**point, below(point), ())?.user_data),
        "first_blocker",
    );

    let ground = now.height(Vec2::ZERO, ()).ok().ok_or("no ground")?;
    assert_eq!(ground.user_data, NUMBERS[0]);
    let disc = Footprint::disc([0.0, 0.0], 1.0)?;
    let ground = now.footprint(&disc, ()).ok().ok_or("no ground")?;
    assert_eq!(ground.user_data, NUMBERS[0]);
    Ok(())
}

#[test]
fn answers_have_the_user_data_of_their_object() -> Result<(), Box<dyn Error>> {
    let mut world = world()?;
    world.keep_history(2);
    world.update();
    check(world.now())?;
    for tick in 0..2 {
        world.record(tick)?;
    }
    check(&world.at(0.5).ok_or("no such time")?)
}

#[test]
fn without_a_world_or_a_number_it_is_0() -> Result<(), Box<dyn Error>> {
    let ball = Sphere::new([0.0, 0.0, 0.0], 1.0)?;
    let ray = Ray::new([0.0, 3.0, 0.0], [0.0, -1.0, 0.0])?;
    assert_eq!(ball.cast_ray(&ray, ()).map(|hit| hit.user_data), Some(0));
    let mut world = World::new();
    world.add(ball);
    world.update();
    assert_eq!(
        world.now().cast_ray(&ray, ()).map(|hit| hit.user_data),
        Some(0)
    );
    Ok(())
}
