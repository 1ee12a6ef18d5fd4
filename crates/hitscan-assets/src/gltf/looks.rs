//! The JSON of a glTF file that says how surfaces look: materials, textures, samplers, images.
//!
//! It is read for pictures alone, from the same text as the document, so that nothing in it can make a
//! model unusable. No index in it is checked.

use std::path::Path;

use serde::Deserialize;

use super::{container, whole_numbers};
use crate::Error;

/// What of a document surfaces look by.
#[derive(Debug, Deserialize)]
pub(super) struct Looks {
    #[serde(default)]
    materials: Vec<Material>,
    #[serde(default)]
    pub(super) textures: Vec<Texture>,
    #[serde(default)]
    pub(super) samplers: Vec<Sampler>,
    #[serde(default)]
    pub(super) images: Vec<Image>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    pbr_metallic_roughness: Option<BaseColor>,
}

/// The base colour of a material.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BaseColor {
    #[serde(default = "white")]
    pub(super) base_color_factor: [f32; 4],
    pub(super) base_color_texture: Option<TextureUse>,
}

fn white() -> [f32; 4] {
    [1.0; 4]
}

/// A texture of a material.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureUse {
    pub(super) index: usize,
    #[serde(default)]
    tex_coord: u32,
    #[serde(default)]
    extensions: UseExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct UseExtensions {
    #[serde(rename = "KHR_texture_transform")]
    transform: Option<Transform>,
}

/// `KHR_texture_transform`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Transform {
    offset: [f64; 2],
    rotation: f64,
    scale: Option<[f64; 2]>,
    tex_coord: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Texture {
    pub(super) sampler: Option<usize>,
    pub(super) source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    pub(super) wrap_s: Option<u32>,
    pub(super) wrap_t: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<usize>,
}

impl Looks {
    /// Reads them from the JSON of the file at `path`.
    pub(super) fn read(path: &Path, json: &[u8]) -> Result<Self, Error> {
        let json = container::unmarked(json);
        let read = serde_json::from_slice(json);
        let read = read.or_else(|error| match whole_numbers::without_fractions(json) {
            Some(plain) => serde_json::from_slice(&plain),
            None => Err(error),
        });
        read.map_err(|source| Error::undecodable(path, "materials", "glTF 2.0 as JSON", source))
    }

    /// The base colour of a material that has a texture for it.
    pub(super) fn base_color(&self, material: usize) -> Option<(&BaseColor, &TextureUse)> {
        let material = self.materials.get(material)?;
        let base = material.pbr_metallic_roughness.as_ref()?;
        Some((base, base.base_color_texture.as_ref()?))
    }
}

impl TextureUse {
    /// The name of the vertices' places in the texture.
    pub(super) fn attribute(&self) -> String {
        let transform = self.extensions.transform.as_ref();
        let set = transform.and_then(|transform| transform.tex_coord);
        format!("TEXCOORD_{}", set.unwrap_or(self.tex_coord))
    }

    /// Where places in the texture are moved: scaled, then rotated counter-clockwise in the image, then
    /// moved.
    ///
    /// Source: `KHR_texture_transform`, in the sense of rotation that its test model has.
    pub(super) fn transform(&self) -> impl Fn([f32; 2]) -> [f32; 2] {
        let transform = self.extensions.transform.as_ref();
        let rotation = transform.map_or(0.0, |transform| transform.rotation);
        let (sin, cos) = (libm::sin(rotation), libm::cos(rotation));
        let scale = transform.and_then(|transform| transform.scale);
        let [scale_u, scale_v] = scale.unwrap_or([1.0; 2]);
        let [offset_u, offset_v] = transform.map_or([0.0; 2], |transform| transform.offset);
        move |[u, v]| {
            let (u, v) = (f64::from(u) * scale_u, f64::from(v) * scale_v);
            let moved = [cos * u + sin * v + offset_u, cos * v - sin * u + offset_v];
            #[expect(
                clippy::cast_possible_truncation,
                reason = "rounded to the nearest f32"
            )]
            let moved = moved.map(|coordinate| coordinate as f32);
            moved
        }
    }
}
