//! Shape casts and contacts of a world against its objects one by one, and theirs against all triangles.

use crate::height_field::Grid;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::brute_force::Soup;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::test_rng::Rng;
use crate::world::instance::Instance;
use crate::world::object::Shape;
use crate::{
    Aabb, Capsule, Contact, ContactsPer, HeightField, InitialOverlap, Obb, ObjectId, Primitive,
    QueryFilter, ShapeCast, ShapeHit, Sides, Sphere, TriMesh, World,
};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use std::sync::Arc;

struct Numbers(Rng);

impl Numbers {
    /// A number from -1 to 1, often one of a coarse grid.
    fn next(&mut self) -> f32 {
        let x = self.0.signed();
        if self.0.below(2) == 0 {
            x
        } else {
            (x * 4.0).round() / 4.0
        }
    }

    fn vector(&mut self, scale: f32) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * scale
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        self.0.pick(of)
    }

    fn turn(&mut self) -> DQuat {
        let [x, y, z] = self.vector(1.0).as_dvec3().to_array();
        DQuat::from_xyzw(x, y, z, 0.7)
    }

    fn shape(&mut self, span: f32) -> Primitive {
        let (at, size) = (self.vector(span), self.vector(1.0).abs());
        let radius = f64::from(size.x) + 0.125;
        match self.pick(&[0, 1, 2, 3]) {
            0 => Sphere::new(at, radius).unwrap().into(),
            1 => Capsule::new(at, at + size, radius).unwrap().into(),
            2 => Aabb::new(at, at + size).unwrap().into(),
            _ => Obb::new(at, size, self.turn()).unwrap().into(),
        }
    }

    fn mesh(&mut self) -> TriMesh {
        let points: Vec<Vec3> = (0..16).map(|_| self.vector(2.0)).collect();
        let mut corner = || self.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        let triangles = (0..24).map(|_| [corner(), corner(), corner()]).collect();
        TriMesh::new(points, triangles).unwrap()
    }

    fn world(&mut self) -> World {
        let mut world = World::new();
        let grid = Grid {
            origin: [-4.0, -1.0, -4.0],
            ..Grid::new(9, 9, [1.0, 1.0])
        };
        let heights = (0..81).map(|_| self.next()).collect();
        world.add(Arc::new(HeightField::new(grid, heights).unwrap()));
        for (scale, sheared) in [
            (DVec3::new(1.0, 1.0, 1.5), DQuat::IDENTITY),
            (DVec3::new(-1.0, 1.0, 1.5), DQuat::IDENTITY),
            // A slab, and what no inverse is good for.
            (DVec3::new(1.5, -1e-4, 1.0), DQuat::IDENTITY),
            (DVec3::new(1.0, 1e-9, 1.5), self.turn().normalize()),
        ] {
            let mesh = Arc::new(self.mesh());
            let placed = DAffine3::from_scale_rotation_translation(
                scale,
                self.turn().normalize(),
                self.vector(3.0).as_dvec3(),
            ) * DAffine3::from_quat(sheared);
            world.add_at(mesh, placed).unwrap();
        }
        for _ in 0..6 {
            let shape = self.shape(4.0);
            world.add(shape);
        }
        world.update();
        world
    }
}

/// All triangles of an instance as they are in the world.
fn soup(instance: &Instance) -> Soup {
    let triangles = instance.parts().all().flat_map(|part| {
        let placed = part.placed_mesh();
        let numbers = (0..).zip(placed.mesh.triangles());
        numbers.map(move |(triangle, _)| placed.triangle(triangle))
    });
    Soup(triangles.collect())
}

fn hits_one_by_one(world: &World, cast: &ShapeCast, sides: Sides) -> Vec<ShapeHit> {
    let prepared = PreparedCast::new(cast, sides);
    let objects = world.now().state().objects();
    let hits = objects.into_iter().filter_map(|object| {
        let hit = match &object.shape {
            Shape::HeightField(field) => field.cast_shape(cast, sides),
            Shape::Instance(instance) => prepared.first_hit(&soup(instance)),
            Shape::Primitive(primitive) => primitive.get().cast_shape(cast, sides),
            Shape::Compound(_) => None,
        };
        Some(ShapeHit {
            object: Some(object.id),
            ..hit?
        })
    });
    let mut hits: Vec<_> = hits.collect();
    hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.object.cmp(&b.object)));
    hits
}

fn contacts_one_by_one(
    world: &World,
    shape: &Primitive,
    margin: f32,
    each: ContactsPer,
) -> Vec<Contact> {
    let query = ContactQuery::new(shape, margin);
    let objects = world.now().state().objects();
    let of_object = |id: ObjectId, contacts: Vec<Contact>| {
        contacts.into_iter().map(move |contact| Contact {
            object: Some(id),
            ..contact
        })
    };
    let contacts = objects.into_iter().flat_map(|object| {
        let contacts = match &object.shape {
            Shape::HeightField(field) => field.contacts(shape.clone(), margin, each),
            Shape::Instance(instance) => query.with_triangles(&soup(instance), each),
            Shape::Primitive(primitive) => primitive.get().contacts(shape.clone(), margin, each),
            Shape::Compound(_) => Vec::new(),
        };
        of_object(object.id, contacts)
    });
    let mut contacts: Vec<_> = contacts.collect();
    contacts.sort_by_key(|contact| contact.object);
    contacts
}

#[test]
fn a_moving_shape_hits_in_a_world_what_it_hits_object_by_object() {
    let mut numbers = Numbers(Rng(3));
    let (mut hits, mut overlaps, mut backs) = (0, 0, 0);
    for _ in 0..6 {
        let world = numbers.world();
        let (now, filter) = (world.now(), QueryFilter::new());
        let casts: Vec<ShapeCast> = (0..30)
            .map(|_| {
                let overlaps = numbers.pick(&[InitialOverlap::Stop, InitialOverlap::Escape]);
                let cast = ShapeCast::new(numbers.shape(5.0), numbers.vector(8.0)).unwrap();
                cast.with_initial_overlap(overlaps)
            })
            .collect();
        let sides = numbers.pick(&[Sides::Both, Sides::Front, Sides::Back]);
        let all = now.cast_shapes_all(&casts, (sides, filter));
        let nearest = now.cast_shapes(&casts, (sides, filter));
        let any = now.cast_shapes_any(&casts, (sides, filter));
        for (place, cast) in casts.iter().enumerate() {
            let expected = hits_one_by_one(&world, cast, sides);
            assert_eq!(
                now.cast_shape_all(cast, (sides, filter)),
                expected,
                "{cast:?}"
            );
            assert_eq!(all[place], expected);
            let first = expected.first().copied();
            assert_eq!(now.cast_shape(cast, (sides, filter)), first, "{cast:?}");
            assert_eq!(nearest[place], first);
            assert_eq!(now.cast_shape_any(cast, (sides, filter)), first.is_some());
            assert_eq!(any[place], first.is_some());
            hits += expected.len();
            overlaps += expected.iter().filter(|hit| hit.start.is_overlap()).count();
            let is_back = |hit: &&ShapeHit| hit.side == Some(crate::Side::Back);
            backs += expected.iter().filter(is_back).count();
        }
    }
    println!("{hits} hits, {overlaps} overlaps, {backs} from the back");
    assert!(hits > 80 && overlaps > 20 && backs > 20);
}

#[test]
fn contacts_with_a_world_are_those_object_by_object() {
    let mut numbers = Numbers(Rng(4));
    let mut found = [0; 2];
    for _ in 0..6 {
        let world = numbers.world();
        let (now, filter) = (world.now(), QueryFilter::new());
        let shapes: Vec<Primitive> = (0..20).map(|_| numbers.shape(4.0)).collect();
        let margin = numbers.pick(&[0.0, 0.25, 1.0]);
        let overlaps = now.overlaps_shapes(&shapes, filter);
        for (each, count) in [ContactsPer::Object, ContactsPer::Triangle]
            .into_iter()
            .zip(&mut found)
        {
            let all = now.contacts_of_shapes(&shapes, margin, each, filter);
            for (place, shape) in shapes.iter().enumerate() {
                let expected = contacts_one_by_one(&world, shape, margin, each);
                assert_eq!(
                    now.contacts(shape.clone(), margin, each, filter),
                    expected,
                    "{shape:?}"
                );
                assert_eq!(all[place], expected);
                let is_overlap = expected
                    .iter()
                    .any(|contact| contact.status == crate::ContactStatus::Overlap);
                assert_eq!(now.overlaps_shape(shape.clone(), filter), is_overlap);
                assert_eq!(overlaps[place], is_overlap);
                *count += expected.len();
            }
        }
    }
    println!("{found:?} contacts");
    assert!(found[0] > 100 && found[1] > found[0]);
}
