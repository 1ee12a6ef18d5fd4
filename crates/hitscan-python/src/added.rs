//! Shapes that are added to a world.

use crate::models::PyPosedModel;
use crate::objects::Objects;
use crate::shapes::{PyCompound, PyPrimitive, PyTriMesh};
use crate::world_origin::{Extent, WorldOrigin};
use glam::{DAffine3, DVec3};
use hitscan::{Error, HeightField, ObjectId, World};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A shape that becomes an object.
pub(crate) enum New<'a> {
    Mesh(&'a PyTriMesh),
    /// Measured from the world's origin already.
    Terrain(Arc<HeightField>),
    Primitive(&'a PyPrimitive),
    Compound(&'a PyCompound),
    Model(&'a PyPosedModel),
}

impl<'a> New<'a> {
    /// A shape of Python that is no terrain.
    ///
    /// # Errors
    /// `TypeError` for what is none.
    pub(crate) fn of(shape: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(mesh) = shape.cast::<PyTriMesh>() {
            Ok(New::Mesh(mesh.get()))
        } else if let Ok(solid) = shape.cast::<PyPrimitive>() {
            Ok(New::Primitive(solid.get()))
        } else if let Ok(compound) = shape.cast::<PyCompound>() {
            Ok(New::Compound(compound.get()))
        } else if let Ok(model) = shape.cast::<PyPosedModel>() {
            Ok(New::Model(model.get()))
        } else {
            Err(PyTypeError::new_err(format!(
                "shape: expected a TriMesh, a HeightField, a Model, a solid or a Compound, found {}",
                shape.get_type().name()?
            )))
        }
    }

    /// Where it lies; for terrain this is computed before.
    pub(crate) fn extent(&self, transform: Option<DAffine3>) -> Option<Extent> {
        let placed = transform.unwrap_or_default();
        match self {
            Self::Mesh(mesh) => Some(Extent::of_mesh(mesh, placed)),
            Self::Primitive(solid) => Some(Extent::of_solid(solid.make.ends(), transform)),
            Self::Compound(compound) => Some(Extent::of_solid(compound.ends(), transform)),
            Self::Model(_) => Some(Extent::at(placed)),
            Self::Terrain(_) => None,
        }
    }

    /// Adds it to a world with this origin; returns its handle.
    ///
    /// # Errors
    /// What the library refuses, of the transform say; the world then is as it was.
    pub(crate) fn add(
        self,
        world: &mut World,
        objects: &mut Arc<Objects>,
        origin: &mut WorldOrigin,
        (name, transform, layers): (Option<&str>, Option<DAffine3>, u32),
    ) -> Result<usize, Error> {
        let mut shape_origin = DVec3::ZERO;
        let mut shown = None;
        let placed = |from: DVec3| origin.kept_transform(transform.unwrap_or_default(), from);
        let (id, kind): (ObjectId, _) = match self {
            Self::Mesh(mesh) => {
                shape_origin = mesh.origin.unwrap_or_default();
                let mesh = Arc::clone(&mesh.mesh);
                (world.add_at(mesh, placed(shape_origin))?, "mesh")
            }
            Self::Terrain(field) => (world.add(field), "terrain"),
            Self::Model(model) => {
                shown = Some(&model.whole);
                let posed = Arc::clone(&model.posed);
                (world.add_at(posed, placed(DVec3::ZERO))?, "model")
            }
            Self::Primitive(solid) => {
                let made = solid.make.primitive(origin.point())?;
                let id = match transform {
                    Some(_) => world.add_at(made, placed(DVec3::ZERO))?,
                    None => world.add(made),
                };
                origin.keep_solid(id, solid.make.clone());
                (id, solid.make.kind())
            }
            Self::Compound(compound) => {
                // With a transform the parts are in the compound's own space.
                shape_origin = match transform {
                    Some(_) => DVec3::ZERO,
                    None => origin.point().unwrap_or_default(),
                };
                let made = compound.compound(shape_origin)?;
                (world.add_at(made, placed(shape_origin))?, "compound")
            }
        };
        world.set_layers(id, layers)?;
        let name = match name {
            Some(name) => name.to_owned(),
            None => objects.unused_name(kind, id),
        };
        Arc::make_mut(objects).add(id, name.into(), shape_origin, shown);
        Ok(id.index())
    }
}
