//! A world as it is baked: its objects in order, and what they share once.
//!
//! The tree over the objects is made anew; those of meshes and terrain are not.

use super::instance::Geometry;
use super::object::Shape;
use super::{Snapshot, World};
use crate::baked::{Reader, Writer};
use crate::model::{Model, PosedModel};
use crate::{Aabb, Capsule, Error, HeightField, Obb, ObjectId, Primitive, Sphere, TriMesh};
use glam::{DAffine3, DQuat, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What objects share, each once, by its address, in the order in which objects have it.
struct Shared<'a, T> {
    all: Vec<&'a Arc<T>>,
    numbers: BTreeMap<usize, usize>,
}

impl<'a, T> Shared<'a, T> {
    fn new() -> Self {
        let (all, numbers) = (Vec::new(), BTreeMap::new());
        Self { all, numbers }
    }

    /// The number of one of them.
    fn number(&mut self, one: &'a Arc<T>) -> usize {
        *self
            .numbers
            .entry(Arc::as_ptr(one).addr())
            .or_insert_with(|| {
                self.all.push(one);
                self.all.len() - 1
            })
    }
}

impl Snapshot {
    /// Bakes the objects as they are, without their history; see [`baked`](crate::baked).
    ///
    /// Answers of [`World::from_baked`] are those of this snapshot, bit for bit, with the same numbers
    /// of objects.
    pub fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        let objects = self.state().objects();
        let (mut fields, mut meshes) = (Shared::new(), Shared::new());
        let (mut models, mut posed) = (Shared::new(), Shared::new());
        for object in &objects {
            match &object.shape {
                Shape::HeightField(field) => _ = fields.number(field),
                Shape::Instance(instance) => match instance.geometry() {
                    Geometry::Mesh(mesh) => _ = meshes.number(mesh),
                    Geometry::Model(one) => {
                        models.number(one.model());
                        posed.number(one);
                    }
                },
                Shape::Primitive(_) => {}
            }
        }
        writer.size(fields.all.len());
        fields.all.iter().for_each(|field| field.bake(writer));
        writer.size(meshes.all.len());
        meshes.all.iter().for_each(|mesh| mesh.bake(writer));
        writer.size(models.all.len());
        models.all.iter().for_each(|model| model.bake(writer));
        writer.size(posed.all.len());
        for one in &posed.all {
            writer.size(models.numbers[&Arc::as_ptr(one.model()).addr()]);
            one.bake(writer);
        }
        writer.size(objects.len());
        for object in objects {
            writer.size(object.id.index());
            writer.u32(object.layers);
            writer.u64(object.user_data);
            match &object.shape {
                Shape::HeightField(field) => {
                    writer.u32(FIELD);
                    writer.size(fields.number(field));
                }
                Shape::Instance(instance) => {
                    let (kind, number) = match instance.geometry() {
                        Geometry::Mesh(mesh) => (MESH, meshes.number(mesh)),
                        Geometry::Model(one) => (POSED, posed.number(one)),
                    };
                    writer.u32(kind);
                    writer.size(number);
                    writer.f64s(&instance.world_from_model().to_cols_array());
                }
                Shape::Primitive(solid) => bake_solid(&solid.get(), writer),
            }
        }
    }
}

impl World {
    /// The world that was baked next, up to date, without a history. Arrays are borrowed where they
    /// are kept and aligned.
    ///
    /// # Errors
    /// [`Error::Baked`] and [`Error::WrongLength`] for what no writer makes, and what adding an
    /// object refuses.
    pub fn from_baked(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let fields = shared(reader, "terrains", 60, HeightField::from_baked)?;
        let meshes = shared(reader, "meshes", 8, TriMesh::from_baked)?;
        let models = shared(reader, "models", 32, Model::from_baked)?;
        let posed = shared(reader, "poses", 20, |reader| {
            let model = reader.index("model of a pose", models.len())?;
            PosedModel::from_baked(reader, &models[model])
        })?;
        let mut world = Self::new();
        for _ in 0..reader.count("objects", 24)? {
            let number = reader.u64("number of an object")?;
            if number < world.next_number || number > MAX_NUMBER {
                return Err(reader.refused("number of an object", "greater than the one before"));
            }
            world.next_number = number;
            let layers = reader.u32("layers")?;
            let user_data = reader.u64("user data")?;
            let object = match reader.u32("kind of an object")? {
                FIELD => {
                    let field = reader.index("terrain of an object", fields.len())?;
                    world.add(Arc::clone(&fields[field]))
                }
                MESH => {
                    let mesh = reader.index("mesh of an object", meshes.len())?;
                    world.add_at(Arc::clone(&meshes[mesh]), read_transform(reader)?)?
                }
                POSED => {
                    let one = reader.index("pose of an object", posed.len())?;
                    world.add_at(Arc::clone(&posed[one]), read_transform(reader)?)?
                }
                kind => world.add(read_solid(kind, reader)?),
            };
            world.finish_object(object, layers, user_data)?;
        }
        world.update();
        Ok(world)
    }

    fn finish_object(
        &mut self,
        object: ObjectId,
        layers: u32,
        user_data: u64,
    ) -> Result<(), Error> {
        self.set_layers(object, layers)?;
        if user_data != 0 {
            self.set_user_data(object, user_data)?;
        }
        Ok(())
    }
}

/// The largest number of an object: handles keep 63 bits.
const MAX_NUMBER: u64 = 1 << 62;

// Kinds of objects.
const FIELD: u32 = 0;
const MESH: u32 = 1;
const POSED: u32 = 2;
const SPHERE: u32 = 3;
const AABB: u32 = 4;
const OBB: u32 = 5;
const CAPSULE: u32 = 6;

fn shared<T>(
    reader: &mut Reader<'_>,
    what: &'static str,
    bytes: usize,
    read: impl Fn(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<Vec<Arc<T>>, Error> {
    let count = reader.count(what, bytes)?;
    (0..count).map(|_| read(reader).map(Arc::new)).collect()
}

fn bake_point(point: Vec3, writer: &mut Writer<'_>) {
    point.to_array().into_iter().for_each(|x| writer.f32(x));
}

fn bake_solid(solid: &Primitive, writer: &mut Writer<'_>) {
    match solid {
        Primitive::Sphere(sphere) => {
            writer.u32(SPHERE);
            bake_point(sphere.center(), writer);
            writer.f64(sphere.radius());
        }
        Primitive::Aabb(aabb) => {
            writer.u32(AABB);
            bake_point(aabb.min(), writer);
            bake_point(aabb.max(), writer);
        }
        Primitive::Obb(obb) => {
            writer.u32(OBB);
            bake_point(obb.center(), writer);
            bake_point(obb.half_size(), writer);
            writer.f64s(&obb.rotation().to_array());
        }
        Primitive::Capsule(capsule) => {
            writer.u32(CAPSULE);
            bake_point(capsule.a(), writer);
            bake_point(capsule.b(), writer);
            writer.f64(capsule.radius());
        }
    }
}

fn read_solid(kind: u32, reader: &mut Reader<'_>) -> Result<Primitive, Error> {
    Ok(match kind {
        SPHERE => Sphere::new(read_point(reader)?, reader.f64("solid")?)?.into(),
        AABB => Aabb::new(read_point(reader)?, read_point(reader)?)?.into(),
        OBB => {
            let (center, half_size) = (read_point(reader)?, read_point(reader)?);
            let rotation = DQuat::from_array(reader.f64s("solid")?);
            Obb::read(center, half_size, rotation)?.into()
        }
        CAPSULE => {
            let (a, b) = (read_point(reader)?, read_point(reader)?);
            Capsule::new(a, b, reader.f64("solid")?)?.into()
        }
        _ => return Err(reader.refused("kind of an object", "0 to 6")),
    })
}

fn read_point(reader: &mut Reader<'_>) -> Result<Vec3, Error> {
    let mut axis = || reader.f32("solid");
    Ok(Vec3::new(axis()?, axis()?, axis()?))
}

fn read_transform(reader: &mut Reader<'_>) -> Result<DAffine3, Error> {
    let columns = reader.f64s("transform of an object")?;
    Ok(DAffine3::from_cols_array(&columns))
}
