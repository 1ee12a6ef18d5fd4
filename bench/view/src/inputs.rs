//! The scenes that are measured, in a folder of their own: the demo's two, a mesh and a large map, which are those of
//! the other benches.

// As the other benches have them; not all of it is needed here.
#[path = "../../src/inputs/mesh.rs"]
#[expect(dead_code, reason = "the other benches ask more of it")]
mod mesh;
#[path = "../../src/inputs/noise.rs"]
mod noise;
#[path = "../../src/inputs/terrain.rs"]
#[expect(dead_code, reason = "the other benches ask more of it")]
mod terrain;

use crate::Result;
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// How often the mesh's triangles are cut into four: 81,920 of them, as M3-small.
const CUTS: u32 = 6;
/// Samples along a side of the large map.
const MAP: usize = 4097;

/// f64 rounded to the multiple of `1 / parts`, which f32 then holds exactly.
fn on_grid(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// The folder, which goes with it.
pub(crate) struct Inputs(PathBuf);

impl Inputs {
    /// Has the program at `path` write the demo into a folder.
    pub(crate) fn new(path: &str) -> Result<Self> {
        let name = format!("hitscan-bench-view-{}", std::process::id());
        let inputs = Self(env::temp_dir().join(name));
        let demo = Command::new(path)
            .args(["demo", "--out"])
            .arg(&inputs.0)
            .output();
        let demo = demo.map_err(|error| format!("{path}: {error}"))?;
        if !demo.status.success() {
            return Err(format!("{path} demo failed").into());
        }
        Ok(inputs)
    }

    pub(crate) fn demo(&self) -> PathBuf {
        self.0.join("scene.toml")
    }

    pub(crate) fn crowd(&self) -> PathBuf {
        self.0.join("crowd.toml")
    }

    /// The mesh, and a scene of it alone.
    pub(crate) fn mesh(&self) -> Result<Model> {
        let file = self.0.join("mesh.obj");
        let mesh = mesh::Mesh::displaced_sphere(CUTS);
        let mut text = String::new();
        for [x, y, z] in &mesh.positions {
            writeln!(text, "v {x} {y} {z}")?;
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|corner| corner + 1);
            writeln!(text, "f {a} {b} {c}")?;
        }
        fs::write(&file, text)?;
        let scene = self.scene(
            "mesh.toml",
            "[[model]]\nname = \"mesh\"\nfile = \"mesh.obj\"\n",
        )?;
        Ok(Model {
            file,
            scene,
            triangles: mesh.triangles.len(),
        })
    }

    /// A scene of the large map.
    pub(crate) fn map(&self) -> Result<PathBuf> {
        write_map(&self.0.join("map.npy"))?;
        let table = "[[terrain]]\nname = \"map\"\nheights = \"map.npy\"\nspacing = 1.0\n";
        self.scene("map.toml", table)
    }

    fn scene(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.0.join(name);
        fs::write(&path, text)?;
        Ok(path)
    }
}

/// A model's file, and a scene of it.
pub(crate) struct Model {
    pub(crate) file: PathBuf,
    pub(crate) scene: PathBuf,
    pub(crate) triangles: usize,
}

impl Drop for Inputs {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A NumPy array of f32, format version 1, whose header ends at a multiple of 64 bytes.
fn write_map(path: &Path) -> Result<()> {
    let map = terrain::Terrain::new(MAP);
    let shape = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({MAP}, {MAP}), }}");
    let header = format!("{shape:<117}\n");
    let mut file = BufWriter::new(fs::File::create(path)?);
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&u16::try_from(header.len())?.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    for height in &map.heights {
        file.write_all(&height.to_le_bytes())?;
    }
    Ok(file.flush()?)
}
