//! The shape of an object, as it is added to a world and read from a snapshot.

use crate::model::{PosedCompound, PosedModel};
use crate::{
    Aabb, Capsule, Compound, ConvexHull, Cylinder, HeightField, Obb, Primitive, Sphere, TriMesh,
};
use std::sync::Arc;

/// What an object is, without its transform.
///
/// [`World::add`](crate::World::add) takes what is `Into<ObjectShape>`: each variant's content, and solids.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ObjectShape {
    /// Height-map terrain.
    HeightField(Arc<HeightField>),
    /// A mesh, in its own space.
    TriMesh(Arc<TriMesh>),
    /// A model in its pose, in its own space.
    Model(Arc<PosedModel>),
    /// A solid, in the world.
    Primitive(Primitive),
    /// Several solids with names, in their own space.
    Compound(Arc<Compound>),
    /// Several solids with names on the nodes of a model in its pose.
    PosedCompound(Arc<PosedCompound>),
}

macro_rules! shapes {
    ($($from:ty => $variant:ident),*) => {$(
        impl From<$from> for ObjectShape {
            fn from(shape: $from) -> Self {
                Self::$variant(shape.into())
            }
        }
    )*};
}

shapes!(
    Arc<HeightField> => HeightField,
    HeightField => HeightField,
    Arc<TriMesh> => TriMesh,
    TriMesh => TriMesh,
    Arc<PosedModel> => Model,
    PosedModel => Model,
    Primitive => Primitive,
    Sphere => Primitive,
    Aabb => Primitive,
    Obb => Primitive,
    Capsule => Primitive,
    Cylinder => Primitive,
    ConvexHull => Primitive,
    Arc<ConvexHull> => Primitive,
    Arc<Compound> => Compound,
    Compound => Compound,
    Arc<PosedCompound> => PosedCompound,
    PosedCompound => PosedCompound
);
