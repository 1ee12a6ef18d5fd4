//! Meshes and terrain: what their trees are built from.

use crate::height_field::Grid;
use crate::{HeightField, TriMesh};
use glam::Vec3;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize)]
#[serde(rename = "TriMesh")]
struct MeshView<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
}

#[derive(Deserialize)]
#[serde(rename = "TriMesh")]
struct MeshParameters {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Serialize for TriMesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mesh = MeshView {
            positions: self.positions(),
            triangles: self.triangles(),
        };
        mesh.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TriMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mesh = MeshParameters::deserialize(deserializer)?;
        Self::new(mesh.positions, mesh.triangles).map_err(D::Error::custom)
    }
}

#[derive(Serialize)]
#[serde(rename = "HeightField")]
struct HeightFieldView<'a> {
    grid: &'a Grid,
    heights: HeightsView<'a>,
}

#[derive(Deserialize)]
#[serde(rename = "HeightField")]
struct HeightFieldParameters {
    grid: Grid,
    heights: Heights,
}

/// Heights as they are in binary formats; in text, which has no NaN, holes are null.
struct HeightsView<'a>(&'a [f32]);

struct Heights(Vec<f32>);

impl Serialize for HeightsView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        let height = |height: &f32| (!height.is_nan()).then_some(*height);
        serializer.collect_seq(self.0.iter().map(height))
    }
}

impl<'de> Deserialize<'de> for Heights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Vec::deserialize(deserializer).map(Self);
        }
        let heights = Vec::<Option<f32>>::deserialize(deserializer)?.into_iter();
        Ok(Self(
            heights.map(|height| height.unwrap_or(f32::NAN)).collect(),
        ))
    }
}

impl Serialize for HeightField {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let field = HeightFieldView {
            grid: self.grid(),
            heights: HeightsView(self.samples()),
        };
        field.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for HeightField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let field = HeightFieldParameters::deserialize(deserializer)?;
        Self::new(field.grid, field.heights.0).map_err(D::Error::custom)
    }
}
