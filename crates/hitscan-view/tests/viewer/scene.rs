//! A scene of every kind of object: a ridge of terrain, an animated flag, solids, a name that a page must
//! not take for HTML.

use hitscan_assets::{Scene, load_scene_text};
use hitscan_view::protocol::SceneSource;
use hitscan_view::viewer::LoadedScene;
use std::fmt::Write as _;

/// What a page must show as text.
pub(crate) const NASTY_NAME: &str = "<img src=x onerror=alert(1)>";

const SCENE: &str = r#"
[[terrain]]
name = "ridge"
heights = "ridge.asc"

[[model]]
name = "flag"
file = "flag.gltf"
translation = [8.0, 4.0, 8.0]
clip = "Lift"
time = 0.0

[[sphere]]
name = "<img src=x onerror=alert(1)>"
center = [4.0, 5.0, 4.0]
radius = 1.0

[[box]]
name = "crate"
min = [10.0, 2.0, 2.0]
max = [12.0, 4.0, 4.0]
layers = 2

[[capsule]]
a = [2.0, 3.0, 12.0]
b = [2.0, 6.0, 12.0]
radius = 0.5

[[turned_box]]
name = "plank"
center = [12.0, 5.0, 12.0]
half_size = [2.0, 0.25, 0.5]
rotation = [0.0, 0.383, 0.0, 0.924]
"#;

/// The scene, loaded from files that are gone again.
pub(crate) fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ridge.asc"), ridge()).unwrap();
    std::fs::write(folder.path().join("flag.gltf"), flag()).unwrap();
    load_scene_text(&folder.path().join("scene.toml"), SCENE).unwrap()
}

/// The scene under its name.
pub(crate) fn loaded() -> LoadedScene {
    LoadedScene {
        scene: scene(),
        name: "scene.toml".to_owned(),
        title: "A ridge and a flag".to_owned(),
        notes: vec!["The map states no spacing: 1 m is taken.".to_owned()],
        source: SceneSource {
            file: "/levels/scene.toml".to_owned(),
            options: vec!["--spacing=30,30".to_owned()],
            text: None,
        },
    }
}

/// How many flags [`flags`] has.
pub(crate) const FLAGS: u32 = 40;

/// Flags close together, and a camera.
pub(crate) fn flags() -> LoadedScene {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("flag.gltf"), flag()).unwrap();
    let mut text = String::from(
        "[camera]\neye = [1, 2, 30]\nlook = [1, 1, 0]\nfov = 35\nprojection = \"orthographic\"\n",
    );
    for number in 0..FLAGS {
        let (x, z) = (number % 8 * 3, number / 8 * 3);
        let _ = write!(
            text,
            "[[model]]\nname = \"flag{number}\"\nfile = \"flag.gltf\"\ntranslation = [{x}, 1, {z}]\n"
        );
    }
    let scene = load_scene_text(&folder.path().join("flags.toml"), &text).unwrap();
    LoadedScene { scene, ..loaded() }
}

/// 17 x 17 samples, a metre apart: a plain with a ridge along z at x = 8, one sample wide, and a hole.
fn ridge() -> String {
    let mut text = String::from(
        "ncols 17\nnrows 17\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n",
    );
    for row in 0..17 {
        for column in 0..17 {
            let height = match (column, row) {
                (15, 15) => -9999,
                (8, _) => 3,
                _ => 1,
            };
            let _ = write!(text, "{height} ");
        }
        text.push('\n');
    }
    text
}

/// A triangle whose node has two clips: `Lift` moves it up by 2 m in a second, `Slide` along x by 4 m.
fn flag() -> String {
    let mut bytes = Vec::new();
    let mut put = |numbers: &[f32]| numbers.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    put(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    put(&[0.0, 1.0]);
    put(&[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    put(&[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let data = base64(&bytes);
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
"nodes": [{{"name": "cloth", "mesh": 0}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
"animations": [
  {{"name": "Lift", "samplers": [{{"input": 1, "output": 2}}], "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "translation"}}}}]}},
  {{"name": "Slide", "samplers": [{{"input": 1, "output": 3}}], "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "translation"}}}}]}}
],
"accessors": [
  {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [2, 2, 0]}},
  {{"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]}},
  {{"bufferView": 0, "byteOffset": 44, "componentType": 5126, "count": 2, "type": "VEC3"}},
  {{"bufferView": 0, "byteOffset": 68, "componentType": 5126, "count": 2, "type": "VEC3"}}
],
"bufferViews": [{{"buffer": 0, "byteLength": {length}}}],
"buffers": [{{"byteLength": {length}, "uri": "data:application/octet-stream;base64,{data}"}}]}}"#,
        length = bytes.len()
    )
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for digit in 0..4 {
            match digit <= chunk.len() {
                true => {
                    let index = (word >> (18 - 6 * digit)) & 63;
                    text.push(char::from(DIGITS[index as usize]));
                }
                false => text.push('='),
            }
        }
    }
    text
}
