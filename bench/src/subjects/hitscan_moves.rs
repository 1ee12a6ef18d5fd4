//! hitscan on shapes that move or rest, and on the points nearest to others.

use super::hitscan::{alone, height_field, label, tri_mesh};
use crate::answer::{Met, Touch, UNNUMBERED};
use crate::inputs;
use crate::inputs::convex::{self, MOVING_CORNERS};
use crate::inputs::moves::{Kind, Move, Solid};
use crate::shape::Obstacle;
use crate::subject::{Subjects, each, filled, mapped};
use glam::{DAffine3, Vec3};
use hitscan::{
    Aabb, Capsule, ClosestPoint, Contact, ContactsPer, ConvexHull, Cylinder, HeightField,
    Primitive, ShapeCast, ShapeHit, Sphere, TriMesh,
};
use std::sync::{Arc, Mutex};

pub fn primitive(solid: Solid, middle: [f32; 3]) -> Primitive {
    let half = solid.half;
    let aside = |way: [f32; 3]| [0, 1, 2].map(|axis| middle[axis] + half * way[axis]);
    let shape = match solid.kind {
        Kind::Sphere => Sphere::new(middle, f64::from(half)).map(Primitive::from),
        Kind::Cube => Aabb::new(aside([-1.0; 3]), aside([1.0; 3])).map(Primitive::from),
        Kind::Capsule => {
            let ends = [aside([0.0, -1.0, 0.0]), aside([0.0, 1.0, 0.0])];
            Capsule::new(ends[0], ends[1], f64::from(half)).map(Primitive::from)
        }
        Kind::Hull => {
            let place = DAffine3::from_translation(Vec3::from(middle).as_dvec3());
            let hull = moving_hull(half).placed(&place);
            hull.map(Primitive::from)
        }
        Kind::Cylinder => {
            let ends = [aside([0.0, -1.0, 0.0]), aside([0.0, 1.0, 0.0])];
            Cylinder::new(ends[0], ends[1], f64::from(half)).map(Primitive::from)
        }
    };
    shape.expect("shapes are in range")
}

/// The hull that moves, around 0; all that are placed share what was built of it.
fn moving_hull(half: f32) -> ConvexHull {
    static HULLS: Mutex<Vec<(f32, ConvexHull)>> = Mutex::new(Vec::new());
    let mut hulls = HULLS.lock().expect("nothing panics with the lock");
    if let Some((_, hull)) = hulls.iter().find(|(size, _)| *size == half) {
        return hull.clone();
    }
    let hull = ConvexHull::new(convex::hull(MOVING_CORNERS, f64::from(half)));
    let hull = hull.expect("points are in range");
    hulls.push((half, hull.clone()));
    hull
}

pub fn casts(solid: Solid, moves: &[Move]) -> Vec<ShapeCast> {
    let cast = |own: &Move| {
        let cast = ShapeCast::new(primitive(solid, own.middle), own.motion);
        cast.expect("motions are finite")
    };
    moves.iter().map(cast).collect()
}

/// One by one and all at once; answers are read by the length of each move.
pub fn first_contacts<'a>(
    casts: Vec<ShapeCast>,
    moves: &[Move],
    one: impl Fn(&ShapeCast) -> Option<ShapeHit> + Sync + 'a,
    many: impl Fn(&[ShapeCast]) -> Vec<Option<ShapeHit>> + Send + Sync + 'a,
) -> Subjects<'a, Option<Touch>> {
    let all = casts.clone();
    let fill = move |hits: &mut Vec<Option<ShapeHit>>| *hits = alone().install(|| many(&all));
    let hits = vec![
        each(label(""), casts, None, one),
        filled(
            label("cast_shapes").of_many(),
            Vec::new(),
            fill,
            |hit: &Option<ShapeHit>| *hit,
        ),
    ];
    let lengths: Arc<[f32]> = moves.iter().map(|own| own.length).collect();
    let read = |hits| {
        let lengths = Arc::clone(&lengths);
        mapped(hits, move |index, hit: Option<ShapeHit>| {
            let hit = hit?;
            Some(Touch {
                distance: hit.t * lengths[index],
                normal: hit.normal.into(),
                primitive: hit.triangle.map_or(UNNUMBERED, |hit| hit.triangle),
            })
        })
    };
    hits.into_iter().map(read).collect()
}

pub struct Terrain(HeightField);

impl Terrain {
    pub fn new(terrain: &inputs::Terrain) -> Self {
        Self(height_field(terrain))
    }
}

impl Obstacle for Terrain {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let one = |cast: &ShapeCast| self.0.cast_shape(cast, ());
        let many = |casts: &[ShapeCast]| self.0.cast_shapes(casts, ());
        first_contacts(casts(solid, moves), moves, one, many)
    }
}

pub struct Mesh(TriMesh);

impl Mesh {
    pub fn new(mesh: &inputs::Mesh) -> Self {
        Self(tri_mesh(mesh))
    }
}

impl Obstacle for Mesh {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let one = |cast: &ShapeCast| self.0.cast_shape(cast, ());
        let many = |casts: &[ShapeCast]| self.0.cast_shapes(casts, ());
        first_contacts(casts(solid, moves), moves, one, many)
    }
}

/// O1: the least separation of each shape within a margin, one by one and all at once.
pub fn separations<'a>(
    mesh: &inputs::Mesh,
    solid: Solid,
    middles: &[[f32; 3]],
    margin: f32,
) -> Subjects<'a, Option<f32>> {
    let mesh = Arc::new(tri_mesh(mesh));
    let read = |contacts: &[Contact]| Some(contacts.first()?.separation);
    let shapes = middles.iter().map(|middle| primitive(solid, *middle));
    let shapes: Vec<Primitive> = shapes.collect();
    let (all, shared) = (shapes.clone(), Arc::clone(&mesh));
    let fill = move |contacts: &mut Vec<Vec<Contact>>| {
        *contacts =
            alone().install(|| shared.contacts_of_shapes(&all, margin, ContactsPer::Object));
    };
    let ask =
        move |shape: &Primitive| read(&mesh.contacts(shape.clone(), margin, ContactsPer::Object));
    vec![
        each(label(""), shapes, None, ask),
        filled(
            label("contacts_of_shapes").of_many(),
            Vec::new(),
            fill,
            move |contacts: &Vec<Contact>| read(contacts),
        ),
    ]
}

/// C1: the distance of each point, one by one and all at once.
pub fn distances<'a>(mesh: &inputs::Mesh, points: &[[f32; 3]]) -> Subjects<'a, Option<Met>> {
    let mesh = Arc::new(tri_mesh(mesh));
    let read = |nearest: Option<ClosestPoint>| {
        let nearest = nearest?;
        Some(Met {
            t: nearest.distance,
            primitive: nearest.triangle?.triangle,
        })
    };
    let points: Vec<Vec3> = points.iter().map(|point| Vec3::from(*point)).collect();
    let (all, shared) = (points.clone(), Arc::clone(&mesh));
    let fill = move |nearest: &mut Vec<Option<ClosestPoint>>| {
        *nearest = alone().install(|| shared.closest_points(&all, f32::INFINITY));
    };
    let ask = move |point: &Vec3| read(mesh.closest_point(*point, f32::INFINITY));
    vec![
        each(label(""), points, None, ask),
        filled(
            label("closest_points").of_many(),
            Vec::new(),
            fill,
            move |nearest| read(*nearest),
        ),
    ]
}
