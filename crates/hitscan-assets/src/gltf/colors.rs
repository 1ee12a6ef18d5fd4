//! The colours of a primitive: its material's base colour, and `COLOR_0`.
//!
//! Pictures alone use them, so what cannot be read here is no colour and no error.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Source;
use super::accessors::Accessors;
use super::document::Primitive;
use super::layout::Shape;
use crate::{PartColors, PrimitiveIndex};

/// What is known of the base colours of a document's materials, in its order.
#[derive(Debug)]
pub(super) struct Materials(Vec<BaseColor>);

impl Materials {
    /// Reads the materials.
    pub(super) fn new(source: Source<'_>) -> Self {
        let json = source.document.materials.as_deref().map(RawValue::get);
        let materials: Option<Vec<&RawValue>> =
            json.and_then(|json| serde_json::from_str(json).ok());
        let materials = materials.unwrap_or_default().into_iter();
        Self(materials.map(base_color).collect())
    }
}

/// Reads the colours of a primitive with so many vertices.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    materials: &Materials,
    (primitive, place): (&Primitive, PrimitiveIndex),
    vertices: usize,
) -> PartColors {
    let base = material(primitive).and_then(|index| materials.0.get(index).copied());
    let base = base.unwrap_or_default();
    PartColors {
        base: base.factor,
        textured: base.is_textured.then_some(place),
        vertices: vertex_colors(source, accessors, primitive, vertices).unwrap_or_default(),
    }
}

/// The index of a primitive's material.
pub(super) fn material(primitive: &Primitive) -> Option<usize> {
    let material = primitive.material.as_deref().map(RawValue::get);
    material.and_then(|index| index.parse().ok())
}

fn vertex_colors(
    source: Source<'_>,
    accessors: Accessors<'_>,
    primitive: &Primitive,
    vertices: usize,
) -> Option<Vec<[f32; 3]>> {
    let &accessor = primitive.attributes.get("COLOR_0")?;
    let element = &source.document.accessors.get(accessor)?.element_type;
    let shape = Shape::from_name(element)?;
    if !matches!(shape, Shape::Vec3 | Shape::Vec4) || accessors.count(accessor) != vertices {
        return None;
    }
    let values = accessors.floats(accessor, shape).ok()?;
    let colors = values.chunks_exact(shape.components());
    Some(
        colors
            .map(|color| [color[0], color[1], color[2]].map(|channel| channel.clamp(0.0, 1.0)))
            .collect(),
    )
}

/// The base colour of a material.
#[derive(Debug, Clone, Copy, Default)]
struct BaseColor {
    /// Of a material that has no texture for it.
    factor: Option<[f32; 3]>,
    is_textured: bool,
}

fn base_color(material: &RawValue) -> BaseColor {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Material {
        pbr_metallic_roughness: Surface,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Surface {
        base_color_factor: Option<[f32; 4]>,
        base_color_texture: Option<serde::de::IgnoredAny>,
    }
    let Ok(material) = serde_json::from_str::<Material>(material.get()) else {
        return BaseColor::default();
    };
    let Surface {
        base_color_factor: factor,
        base_color_texture: texture,
    } = material.pbr_metallic_roughness;
    let is_textured = texture.is_some();
    let factor = factor.filter(|_| !is_textured);
    let color = factor.map(|[red, green, blue, _]| [red, green, blue]);
    let is_finite = |color: &[f32; 3]| color.iter().all(|channel| channel.is_finite());
    BaseColor {
        factor: color
            .filter(is_finite)
            .map(|color| color.map(|channel| channel.clamp(0.0, 1.0))),
        is_textured,
    }
}
