//! An object as it is baked: its number and order key, its layers, its shape and its transform.

use super::handle_record::{bake_id, read_id};
use super::instance::{Geometry, Instance};
use super::instance_transform::inverse;
use super::object::{KeptSolid, Object, Shape};
use super::placed_compound::{CompoundShape, PlacedCompound};
use super::shared_shapes::{SharedByObjects, SharedShapes};
use super::solid_record::{bake_solid, read_solid, read_transform};
use super::surfaces::SurfaceId;
use crate::baked::{Reader, Writer};
use crate::model::{BakedPose, Model, PartNumbers, PosedModel};
use crate::{Compound, CompoundPart, Error, HeightField, ObjectId, Primitive, TriMesh};
use glam::DAffine3;
use std::sync::Arc;

// Kinds of objects; `solid_record.rs` has those of solids, which are numbers of their own.
const FIELD: u32 = 0;
const MESH: u32 = 1;
/// A model in a pose that other objects have, too.
const SHARED_POSE: u32 = 2;
/// A model in a pose that only this object has.
const OWN_POSE: u32 = 7;
const COMPOUND: u32 = 9;
// Which parts a compound on joints has beside its solids.
const WITHOUT_MESHES: u32 = 0;
const AFTER_MESHES: u32 = 1;
/// The numbers of the solids follow.
const BETWEEN_MESHES: u32 = 2;
/// Goes before the kind of an object that is of a surface, and before the surface.
const OF_SURFACE: u32 = u32::MAX;

/// Appends an object, and the surface that it is of, to a table.
pub(super) fn bake(
    (object, surface): (&Object, Option<SurfaceId>),
    shared: &SharedByObjects<'_>,
    writer: &mut Writer<'_>,
) {
    bake_id(object.id, writer);
    writer.u32(object.layers);
    writer.u64(object.user_data);
    if let Some(surface) = surface {
        writer.u32(OF_SURFACE);
        writer.u32(surface.number());
    }
    match &object.shape {
        Shape::HeightField(field) => {
            writer.u32(FIELD);
            writer.size(shared_number(shared.fields.get(field)));
        }
        Shape::Instance(instance) => {
            match instance.geometry() {
                Geometry::Mesh(mesh) => {
                    writer.u32(MESH);
                    writer.size(shared_number(shared.meshes.get(mesh)));
                }
                Geometry::Model(posed) => bake_pose(posed, shared, writer),
            }
            writer.f64s(&instance.world_from_model().to_cols_array());
        }
        Shape::Primitive(solid) => bake_solid(&solid.get(), writer),
        Shape::Compound(placed) => bake_compound(placed, shared, writer),
    }
}

/// An object that was read, whose shape is yet to be made.
pub(super) struct ObjectRecord<'a> {
    pub(super) id: ObjectId,
    pub(super) layers: u32,
    pub(super) user_data: u64,
    pub(super) surface: Option<SurfaceId>,
    shape: ShapeRecord<'a>,
}

enum ShapeRecord<'a> {
    Field(&'a Arc<HeightField>),
    Mesh(&'a Arc<TriMesh>, DAffine3),
    Shared(&'a Arc<PosedModel>, DAffine3),
    Own(&'a Arc<Model>, BakedPose, DAffine3),
    Solid(Primitive),
    /// With the model whose joints it is on.
    Compound(Arc<PlacedCompound>, Option<&'a Arc<Model>>),
}

impl<'a> ObjectRecord<'a> {
    /// The object that is all that is left of a table. What it is of must be there, and its numbers in range.
    pub(super) fn read(
        mut reader: Reader<'_>,
        slot: u32,
        shared: &'a SharedShapes,
    ) -> Result<Self, Error> {
        let id = read_id(&mut reader, slot)?;
        let layers = reader.u32("layers")?;
        let user_data = reader.u64("user data")?;
        let mut kind = reader.u32("kind of an object")?;
        let mut surface = None;
        if kind == OF_SURFACE {
            surface = Some(SurfaceId::new(reader.u32("surface of an object")?));
            kind = reader.u32("kind of an object")?;
        }
        let shape = match kind {
            FIELD => {
                let field = reader.index("terrain of an object", shared.fields.len())?;
                ShapeRecord::Field(&shared.fields[field])
            }
            MESH => {
                let mesh = reader.index("mesh of an object", shared.meshes.len())?;
                ShapeRecord::Mesh(&shared.meshes[mesh], read_transform(&mut reader)?)
            }
            SHARED_POSE => {
                let posed = reader.index("pose of an object", shared.posed.len())?;
                ShapeRecord::Shared(&shared.posed[posed], read_transform(&mut reader)?)
            }
            OWN_POSE => {
                let model = reader.index("model of an object", shared.models.len())?;
                let model = &shared.models[model];
                let pose = BakedPose::read(&mut reader, model)?;
                ShapeRecord::Own(model, pose, read_transform(&mut reader)?)
            }
            COMPOUND => read_compound(&mut reader, shared)?,
            _ if surface.is_some() => {
                return Err(reader.refused("surface of an object", "that of no lone solid"));
            }
            kind => ShapeRecord::Solid(read_solid(kind, &mut reader)?),
        };
        reader.finish()?;
        Ok(Self {
            id,
            layers,
            user_data,
            surface,
            shape,
        })
    }

    /// Whether it is terrain.
    pub(super) fn is_terrain(&self) -> bool {
        matches!(self.shape, ShapeRecord::Field(_))
    }

    /// The model that it shows.
    pub(super) fn model(&self) -> Option<&'a Arc<Model>> {
        match &self.shape {
            ShapeRecord::Shared(posed, _) => Some(posed.model()),
            ShapeRecord::Own(model, ..) => Some(model),
            ShapeRecord::Compound(_, model) => *model,
            ShapeRecord::Field(_) | ShapeRecord::Mesh(..) | ShapeRecord::Solid(_) => None,
        }
    }

    /// Checks what can be without making the shape.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a transform without an inverse.
    pub(super) fn check(&self) -> Result<(), Error> {
        match &self.shape {
            ShapeRecord::Field(_) | ShapeRecord::Solid(_) | ShapeRecord::Compound(..) => Ok(()),
            ShapeRecord::Mesh(_, transform)
            | ShapeRecord::Shared(_, transform)
            | ShapeRecord::Own(_, _, transform) => inverse(transform).map(drop),
        }
    }

    /// Makes the shape.
    ///
    /// # Errors
    /// Where a pose or a transform carries vertices out of range.
    pub(super) fn shape(&self) -> Result<Shape, Error> {
        let (geometry, transform) = match &self.shape {
            ShapeRecord::Field(field) => return Ok(Shape::HeightField(Arc::clone(field))),
            ShapeRecord::Solid(solid) => return Ok(Shape::Primitive(KeptSolid::from(solid))),
            ShapeRecord::Compound(placed, _) => return Ok(Shape::Compound(Arc::clone(placed))),
            ShapeRecord::Mesh(mesh, transform) => (Geometry::Mesh(Arc::clone(mesh)), transform),
            ShapeRecord::Shared(posed, transform) => {
                (Geometry::Model(Arc::clone(posed)), transform)
            }
            ShapeRecord::Own(model, pose, transform) => {
                (Geometry::Model(Arc::new(pose.of_model(model)?)), transform)
            }
        };
        Instance::new(geometry, transform).map(Shape::Instance)
    }
}

/// What is shared has its number.
fn shared_number(number: Option<usize>) -> usize {
    number.unwrap_or(usize::MAX)
}

fn bake_pose(posed: &Arc<PosedModel>, shared: &SharedByObjects<'_>, writer: &mut Writer<'_>) {
    match shared.posed.get(posed) {
        Some(number) => {
            writer.u32(SHARED_POSE);
            writer.size(number);
        }
        None => {
            writer.u32(OWN_POSE);
            writer.size(shared_number(shared.models.get(posed.model())));
            posed.bake(writer);
        }
    }
}

/// A compound as it was given, and its transform: its parts are placed anew.
fn bake_compound(placed: &PlacedCompound, shared: &SharedByObjects<'_>, writer: &mut Writer<'_>) {
    writer.u32(COMPOUND);
    writer.f64s(&placed.world_from_own().to_cols_array());
    let parts = placed.compound().parts();
    writer.size(parts.len());
    for part in parts {
        writer.text(part.name());
        writer.u64(part.user_data());
        bake_solid(part.solid(), writer);
    }
    let posed = placed.shape().posed();
    writer.u32(u32::from(posed.is_some()));
    if let Some(posed) = posed {
        let numbers = posed.numbers();
        writer.u32(match &numbers {
            PartNumbers::Given(_) => BETWEEN_MESHES,
            PartNumbers::From(_) if posed.has_meshes() => AFTER_MESHES,
            PartNumbers::From(_) => WITHOUT_MESHES,
        });
        bake_pose(posed.posed_model(), shared, writer);
        writer.size(posed.on_nodes().count());
        for (part, node) in posed.on_nodes() {
            writer.u32(part);
            writer.size(node);
        }
        if let PartNumbers::Given(numbers) = numbers {
            numbers.iter().for_each(|number| writer.u32(*number));
        }
    }
}

fn read_compound<'a>(
    reader: &mut Reader<'_>,
    shared: &'a SharedShapes,
) -> Result<ShapeRecord<'a>, Error> {
    let world_from_own = read_transform(reader)?;
    let mut parts = Vec::new();
    for _ in 0..reader.count("parts of a compound", 24)? {
        let name = reader.text("name of a part")?;
        let user_data = reader.u64("user data")?;
        let kind = reader.u32("kind of a part")?;
        let solid = read_solid(kind, reader)?;
        parts.push(CompoundPart::new(name, solid).with_user_data(user_data));
    }
    let compound = Compound::new(parts)?;
    if !reader.bool("joints of a compound")? {
        let shape = CompoundShape::Rigid(Arc::new(compound));
        let placed = PlacedCompound::new(&shape, &world_from_own)?;
        return Ok(ShapeRecord::Compound(placed, None));
    }
    let meshes = reader.u32("meshes of a compound")?;
    let kind = reader.u32("pose of a compound")?;
    let (posed, model) = read_pose(reader, kind, shared)?;
    let mut nodes = Vec::new();
    for _ in 0..reader.count("parts on joints", 12)? {
        let part = reader.u32("part on a joint")?;
        nodes.push((part, reader.size("joint of a part")?));
    }
    let mut on_joints = compound.on_joints(posed, &nodes)?;
    match meshes {
        WITHOUT_MESHES => {}
        AFTER_MESHES => on_joints = on_joints.with_meshes(),
        BETWEEN_MESHES => {
            let parts = on_joints.compound().parts().iter();
            let numbers = parts.map(|_| reader.u32("number of a part"));
            let numbers = numbers.collect::<Result<Vec<u32>, Error>>()?;
            on_joints = on_joints.with_part_numbers(&numbers)?;
        }
        _ => return Err(reader.refused("meshes of a compound", "of a known kind")),
    }
    let shape = CompoundShape::Posed(Arc::new(on_joints));
    let placed = PlacedCompound::new(&shape, &world_from_own)?;
    Ok(ShapeRecord::Compound(placed, Some(model)))
}

fn read_pose<'a>(
    reader: &mut Reader<'_>,
    kind: u32,
    shared: &'a SharedShapes,
) -> Result<(Arc<PosedModel>, &'a Arc<Model>), Error> {
    match kind {
        SHARED_POSE => {
            let posed = reader.index("pose of a compound", shared.posed.len())?;
            let posed = &shared.posed[posed];
            Ok((Arc::clone(posed), posed.model()))
        }
        OWN_POSE => {
            let model = reader.index("model of a compound", shared.models.len())?;
            let model = &shared.models[model];
            let posed = BakedPose::read(reader, model)?.of_model(model)?;
            Ok((Arc::new(posed), model))
        }
        _ => Err(reader.refused("pose of a compound", "a known kind")),
    }
}
