//! Outside data: models, and what is known of them, if they are here.

use serde_json::Value;
use std::path::PathBuf;

/// The folder of `HITSCAN_DATA` and the cases of models in it. Where the variable is not set this prints
/// `not run: outside data` and returns `None`; the test should then return.
///
/// # Panics
/// Where the variable is set, but the models or the cases are missing: a test run that requests outside data
/// must not pass without it.
pub(crate) fn cases() -> Option<(PathBuf, Value)> {
    let Some(folder) = std::env::var_os("HITSCAN_DATA") else {
        println!("not run: outside data");
        return None;
    };
    let folder = PathBuf::from(folder);
    let text = std::fs::read_to_string(folder.join("cases/gltf_expected.json")).unwrap();
    Some((folder.join("data"), serde_json::from_str(&text).unwrap()))
}

/// The files of the models.
pub(crate) fn files(cases: &Value) -> Vec<&str> {
    let models = cases["models"].as_array().unwrap().iter();
    let unsupported = cases["unsupported_or_invalid"].as_array().unwrap().iter();
    let all = models.chain(unsupported);
    all.map(|model| model["file"].as_str().unwrap()).collect()
}

/// The models that Bevy's loader refuses, and what it says.
pub(crate) const REFUSED: [(&str, &str); 4] = [
    (
        "gltf/PrimitiveMode/Mesh_PrimitiveMode_05.gltf",
        "unsupported primitive mode",
    ),
    (
        "gltf/RiggedSimple.quant.glb",
        "\"KHR_mesh_quantization\": Unsupported extension",
    ),
    (
        "gltf/BoxDraco/BoxDraco.gltf",
        "accessors[0].bufferView: Missing data",
    ),
    (
        "gltf/BoxMeshopt.glb",
        "\"KHR_mesh_quantization\": Unsupported extension",
    ),
];
