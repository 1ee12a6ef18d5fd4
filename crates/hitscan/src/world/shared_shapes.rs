//! Shared shapes of baked worlds: what several objects have, each once.

use super::instance::Geometry;
use super::object::{Object, Shape};
use crate::baked::{Reader, Writer};
use crate::model::{Model, PosedModel};
use crate::{Error, HeightField, TriMesh};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Things by their addresses, in the order in which objects have them.
pub(super) struct Numbered<'a, T> {
    all: Vec<&'a Arc<T>>,
    numbers: BTreeMap<usize, usize>,
}

impl<'a, T> Numbered<'a, T> {
    fn new() -> Self {
        let (all, numbers) = (Vec::new(), BTreeMap::new());
        Self { all, numbers }
    }

    fn add(&mut self, one: &'a Arc<T>) {
        self.numbers.entry(address(one)).or_insert_with(|| {
            self.all.push(one);
            self.all.len() - 1
        });
    }

    /// The number of one of them; `None` for others.
    pub(super) fn get(&self, one: &Arc<T>) -> Option<usize> {
        self.numbers.get(&address(one)).copied()
    }
}

fn address<T>(one: &Arc<T>) -> usize {
    Arc::as_ptr(one).addr()
}

/// What objects that are baked share.
pub(super) struct SharedByObjects<'a> {
    pub(super) fields: Numbered<'a, HeightField>,
    pub(super) meshes: Numbered<'a, TriMesh>,
    pub(super) models: Numbered<'a, Model>,
    /// Those that several objects have.
    pub(super) posed: Numbered<'a, PosedModel>,
}

impl<'a> SharedByObjects<'a> {
    pub(super) fn new(objects: &[&'a Object]) -> Self {
        let mut shared = Self {
            fields: Numbered::new(),
            meshes: Numbered::new(),
            models: Numbered::new(),
            posed: Numbered::new(),
        };
        let mut posed = Vec::new();
        for object in objects {
            match &object.shape {
                Shape::HeightField(field) => shared.fields.add(field),
                Shape::Instance(instance) => match instance.geometry() {
                    Geometry::Mesh(mesh) => shared.meshes.add(mesh),
                    Geometry::Model(one) => {
                        shared.models.add(one.model());
                        posed.push(one);
                    }
                },
                Shape::Compound(placed) => {
                    if let Some(on_joints) = placed.shape().posed() {
                        shared.models.add(on_joints.posed_model().model());
                        posed.push(on_joints.posed_model());
                    }
                }
                Shape::Primitive(_) => {}
            }
        }
        let mut users: BTreeMap<usize, usize> = BTreeMap::new();
        for one in &posed {
            *users.entry(address(one)).or_default() += 1;
        }
        let several = posed.iter().filter(|one| users[&address(one)] > 1);
        several.for_each(|one| shared.posed.add(one));
        shared
    }

    pub(super) fn bake(&self, writer: &mut Writer<'a>) {
        writer.size(self.fields.all.len());
        self.fields.all.iter().for_each(|field| field.bake(writer));
        writer.size(self.meshes.all.len());
        self.meshes.all.iter().for_each(|mesh| mesh.bake(writer));
        writer.size(self.models.all.len());
        self.models.all.iter().for_each(|model| model.bake(writer));
        writer.size(self.posed.all.len());
        for one in &self.posed.all {
            writer.size(self.models.numbers[&address(one.model())]);
            one.bake(writer);
        }
    }
}

/// What objects that are read share.
#[derive(Debug)]
pub(super) struct SharedShapes {
    pub(super) fields: Vec<Arc<HeightField>>,
    pub(super) meshes: Vec<Arc<TriMesh>>,
    pub(super) models: Vec<Arc<Model>>,
    pub(super) posed: Vec<Arc<PosedModel>>,
}

impl SharedShapes {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let fields = list(reader, "terrains", 60, HeightField::from_baked)?;
        let meshes = list(reader, "meshes", 8, TriMesh::from_baked)?;
        let models = list(reader, "models", 32, Model::from_baked)?;
        let posed = list(reader, "poses", 20, |reader| {
            let model = reader.index("model of a pose", models.len())?;
            PosedModel::from_baked(reader, &models[model])
        })?;
        Ok(Self {
            fields,
            meshes,
            models,
            posed,
        })
    }
}

fn list<T>(
    reader: &mut Reader<'_>,
    what: &'static str,
    bytes: usize,
    read: impl Fn(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<Vec<Arc<T>>, Error> {
    let count = reader.count(what, bytes)?;
    (0..count).map(|_| read(reader).map(Arc::new)).collect()
}
