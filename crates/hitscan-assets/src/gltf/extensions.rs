//! glTF extensions that a file may require.
//!
//! By the specification an extension that is only used may be ignored; one that is required and
//! unknown here makes the file unusable, since the model would silently be another one.

use std::path::Path;

use super::document::Document;
use crate::Error;
use crate::model_file::Notes;

/// Extensions whose effect on geometry is applied here.
const SUPPORTED: [&str; 4] = [
    "EXT_mesh_gpu_instancing",
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// Extensions that change how a surface looks or is described, never where it is.
const WITHOUT_GEOMETRY: [&str; 13] = [
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_techniques_webgl",
    "EXT_mesh_features",
    "EXT_feature_metadata",
    "EXT_instance_features",
    "EXT_structural_metadata",
    "CESIUM_primitive_outline",
    "FB_ngon_encoding",
    "KHR_implicit_shapes",
    "KHR_physics_rigid_bodies",
    "OMI_physics_shape",
    "OMI_physics_body",
];

/// Beginnings of the names of whole families of such extensions.
const FAMILIES_WITHOUT_GEOMETRY: [&str; 8] = [
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "EXT_lights_",
];

/// Extensions that move or multiply surfaces, and are not applied.
const IGNORED_WITH_GEOMETRY: [&str; 5] = [
    "KHR_animation_pointer",
    "KHR_node_visibility",
    "CESIUM_RTC",
    "MSFT_lod",
    "KHR_gaussian_splatting",
];

/// Refuses a file that requires an extension which is not known here.
pub(super) fn check(path: &Path, document: &Document, notes: &mut Notes) -> Result<(), Error> {
    for (index, name) in document.extensions_required.iter().enumerate() {
        if !is_known(name) {
            let location = format!("extensionsRequired[{index}]");
            return Err(Error::unsupported(
                path,
                location,
                format!("the extension {name}"),
            ));
        }
    }
    for name in &document.extensions_used {
        if IGNORED_WITH_GEOMETRY.contains(&name.as_str()) {
            notes.warn(
                "is an optional extension that moves surfaces and is not supported: the model is read without it",
                || name.clone(),
            );
        }
    }
    Ok(())
}

fn is_known(name: &str) -> bool {
    SUPPORTED.contains(&name)
        || WITHOUT_GEOMETRY.contains(&name)
        || FAMILIES_WITHOUT_GEOMETRY
            .iter()
            .any(|family| name.starts_with(family))
}
