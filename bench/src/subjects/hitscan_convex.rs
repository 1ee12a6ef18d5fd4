//! hitscan on hulls and cylinders, meshes that move, distances of meshes, and shapes that turn.

use super::hitscan::{height_field, label, ray, tri_mesh};
use super::hitscan_moves::{casts, first_contacts, primitive};
use crate::answer::{Met, Touch, UNNUMBERED};
use crate::inputs::convex::Turn;
use crate::inputs::moves::{Move, Solid};
use crate::inputs::{self, Rays};
use crate::label::{Family, Label};
use crate::shape::Obstacle;
use crate::subject::{Subjects, build, each};
use glam::{DAffine3, Vec3};
use hitscan::{
    ConvexHull, Cylinder, ObjectCast, ObjectId, Ray, RayHit, ShapeCast, TurningCast, TurningStatus,
    World,
};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

fn hull(points: &[[f32; 3]]) -> ConvexHull {
    ConvexHull::new(points.iter().copied()).expect("the points have a hull")
}

fn met(hit: Option<RayHit>) -> Option<Met> {
    hit.map(|hit| Met {
        t: hit.t,
        primitive: UNNUMBERED,
    })
}

/// H1.
pub fn rays_at_hull<'a>(points: &[[f32; 3]], rays: &Rays) -> Subjects<'a, Option<Met>> {
    let hull = hull(points);
    let ask = move |ray: &Ray| met(hull.cast_ray(ray, ()));
    vec![each(
        label("ConvexHull"),
        rays.iter().map(ray).collect(),
        None,
        ask,
    )]
}

/// Y1: an upright cylinder around 0.
pub fn rays_at_cylinder<'a>(half: f32, radius: f32, rays: &Rays) -> Subjects<'a, Option<Met>> {
    let ends = [[0.0, -half, 0.0], [0.0, half, 0.0]];
    let cylinder = Cylinder::new(ends[0], ends[1], radius).expect("the cylinder is in range");
    let ask = move |ray: &Ray| met(cylinder.cast_ray(ray, ()));
    vec![each(
        label("Cylinder"),
        rays.iter().map(ray).collect(),
        None,
        ask,
    )]
}

/// A hull that others move at.
pub struct Hull(ConvexHull);

impl Hull {
    pub fn new(points: &[[f32; 3]]) -> Self {
        Self(hull(points))
    }
}

impl Obstacle for Hull {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let one = |cast: &ShapeCast| self.0.cast_shape(cast, ());
        let many = move |casts: &[ShapeCast]| casts.iter().map(one).collect();
        first_contacts(casts(solid, moves), moves, one, many)
    }
}

/// H4.
pub fn build_hull(points: &[[f32; 3]]) -> Subjects<'_, ()> {
    let bytes = |hull: &ConvexHull| size_of_val(hull.corners()) + size_of_val(hull.own_corners());
    vec![build(label("ConvexHull"), || hull(points), bytes)]
}

/// A world of a mesh at rest and the same or another elsewhere.
fn two(mesh: &inputs::Mesh, other: &inputs::Mesh, place: [f32; 3]) -> (World, [ObjectId; 2]) {
    let mut world = World::new();
    let place = DAffine3::from_translation(Vec3::from(place).as_dvec3());
    let ids = [
        world.add(Arc::new(tri_mesh(mesh))),
        world
            .add_at(Arc::new(tri_mesh(other)), place)
            .expect("the place is in range"),
    ];
    world.update();
    (world, ids)
}

/// D1: how far a mesh is from itself moved to each place.
pub fn mesh_distances<'a>(mesh: &inputs::Mesh, places: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    let worlds = places.iter().map(|place| two(mesh, mesh, *place));
    let ask = |(world, [a, b]): &(World, [ObjectId; 2])| {
        let found = world.now().distance(*a, *b, f64::INFINITY, ());
        found.map(|found| found.distance)
    };
    vec![each(label("distance"), worlds.collect(), None, ask)]
}

/// E1: a small mesh that is moved at a large one, whole and by one cast a triangle.
pub fn moved_meshes<'a>(
    mesh: &inputs::Mesh,
    small: &inputs::Mesh,
    moves: &[Move],
) -> Subjects<'a, Option<f32>> {
    let (world, [_, mover]) = two(mesh, small, [0.0, 8.0, 0.0]);
    let whole = world.now().clone();
    // The mover rests 8 m above the middle of the obstacle, where no move begins.
    let shape = Arc::new(tri_mesh(small));
    let prepared = moves.iter().map(|own| {
        let place = DAffine3::from_translation(Vec3::from(own.middle).as_dvec3());
        let mover = hitscan::Mover::placed(Arc::clone(&shape), place).expect("it is in range");
        (
            ObjectCast::new(mover, own.motion).expect("motions are finite"),
            own.length,
        )
    });
    let ignored = [mover];
    let ask = move |(cast, length): &(ObjectCast, f32)| {
        let filter = hitscan::QueryFilter::new().exclude(&ignored);
        Some(whole.cast_object(cast, filter)?.t * length)
    };
    let obstacle = tri_mesh(mesh);
    let triangles: Vec<ConvexHull> = (0..small.triangles.len())
        .map(|triangle| hull(&small.corners(triangle)))
        .collect();
    let by_hand = move |own: &Move| {
        let place = DAffine3::from_translation(Vec3::from(own.middle).as_dvec3());
        let times = triangles.iter().filter_map(|triangle| {
            let triangle = triangle.placed(&place).expect("it is in range");
            let cast = ShapeCast::new(triangle, own.motion).expect("motions are finite");
            Some(obstacle.cast_shape(&cast, ())?.t)
        });
        let first = times.fold(f32::INFINITY, f32::min);
        first.is_finite().then_some(first * own.length)
    };
    let name = "a cast of each triangle";
    vec![
        each(label("cast_object"), prepared.collect(), None, ask),
        each(
            Label::new(Family::ByHand, name),
            moves.to_vec(),
            None,
            by_hand,
        ),
    ]
}

/// N1: when each shape first comes near the ground.
pub fn turns_over_terrain<'a>(
    terrain: &inputs::Terrain,
    solid: Solid,
    turns: &[Turn],
    tolerance: f64,
) -> Subjects<'a, Option<f32>> {
    let field = height_field(terrain);
    let prepared = turns.iter().map(|turn| {
        let cast = ShapeCast::new(primitive(solid, turn.own.middle), turn.own.motion);
        let turning = cast
            .expect("motions are finite")
            .turning(turn.axis, FRAC_PI_2);
        let turning = turning
            .expect("axes are not zero")
            .with_tolerance(tolerance);
        turning.expect("the tolerance is positive")
    });
    let ask = move |cast: &TurningCast| {
        let hit = field.cast_turning(cast)?;
        (hit.status != TurningStatus::Undecided).then_some(hit.t)
    };
    vec![each(label("cast_turning"), prepared.collect(), None, ask)]
}
