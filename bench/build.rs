//! Builds the peers that are C and C++ libraries, and what calls Embree, which is opened at run
//! time; tells the program which compiler built it and which peers it has.
//!
//! Environment for the program: `HITSCAN_BENCH_TINYBVH`, `_JOLT` and `_BOX3D` hold a version, or with
//! the cfg of the same name unset the reason why the peer is missing; so does `_EMBREE`, without a
//! version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=native");
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    let version = output(Command::new(compiler).arg("--version"));
    let version = version.unwrap_or("unknown".to_owned());
    println!("cargo::rustc-env=HITSCAN_BENCH_RUSTC={}", version.trim());
    tell("embree", embree());
    tell("tinybvh", tinybvh());
    tell("jolt", jolt());
    tell("box3d", box3d());
}

/// Sets the cfg of a peer that was built, and its version or the reason why it was not.
fn tell(peer: &str, built: Result<String, String>) {
    println!("cargo::rustc-check-cfg=cfg({peer})");
    if built.is_ok() {
        println!("cargo::rustc-cfg={peer}");
    }
    let said = built.unwrap_or_else(|reason| reason.replace('\n', " "));
    println!(
        "cargo::rustc-env=HITSCAN_BENCH_{}={said}",
        peer.to_uppercase()
    );
}

/// What calls Embree; the library itself is opened at run time.
fn embree() -> Result<String, String> {
    cc::Build::new()
        .files(["native/embree.c", "native/embree_world.c"])
        .opt_level(3)
        .try_compile("hitscan_bench_embree")
        .map_err(|error| error.to_string())?;
    Ok("opened at run time".to_owned())
}

/// tinybvh, from the header that the crate tinybvh-rs vendors. Its trees need AVX2 when they are
/// compiled, so they are compiled for this machine in both builds.
fn tinybvh() -> Result<String, String> {
    let folder = vendored("tinybvh-rs")?.join("ffi/tinybvh");
    let header = folder.join("tiny_bvh.h");
    let text = fs::read_to_string(&header).map_err(|error| error.to_string())?;
    let number = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.contains(&format!("define TINY_BVH_VERSION_{name}")));
        line.and_then(|line| line.split_whitespace().last())
            .unwrap_or("?")
            .to_owned()
    };
    let features =
        output(Command::new("cc").args(["-march=native", "-dM", "-E", "-x", "c", "/dev/null"]));
    if !features.unwrap_or_default().contains("__AVX2__") {
        return Err("its trees for CPUs need AVX2, which this machine has not".to_owned());
    }
    cc::Build::new()
        .cpp(true)
        .std("c++20")
        .file("native/tinybvh.cpp")
        .include(folder)
        .include("native")
        .opt_level(3)
        .flag("-march=native")
        .warnings(false)
        .try_compile("hitscan_bench_tinybvh")
        .map_err(|error| error.to_string())?;
    Ok(["MAJOR", "MINOR", "SUB"].map(number).join("."))
}

/// The folders of Jolt that shapes, worlds and queries of both need.
const JOLT_FOLDERS: [&str; 14] = [
    "Core",
    "Geometry",
    "Math",
    "AABBTree",
    "TriangleGrouper",
    "TriangleSplitter",
    "ObjectStream",
    "Physics",
    "Physics/Body",
    "Physics/Collision",
    "Physics/Collision/BroadPhase",
    "Physics/Collision/Shape",
    "Physics/Constraints",
    "Physics/SoftBody",
];

/// Jolt, from the sources that the crate joltc-sys vendors, compiled as one file for this machine
/// in both builds, as Jolt chooses its vectors when it is compiled.
fn jolt() -> Result<String, String> {
    let root = vendored("joltc-sys")?.join("JoltC/JoltPhysics");
    let mut whole = String::from("#include <Jolt/Jolt.h>\n");
    for folder in JOLT_FOLDERS {
        let folder = root.join("Jolt").join(folder);
        let place = |error| format!("{}: {error}", folder.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).map_err(place)? {
            files.push(entry.map_err(place)?.path());
        }
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|e| e == "cpp"))
        {
            whole += &format!("#include \"{}\"\n", file.display());
        }
    }
    let own = std::env::current_dir()
        .map_err(|error| error.to_string())?
        .join("native");
    for file in ["jolt.cpp", "jolt_world.cpp"] {
        whole += &format!("#include \"{}\"\n", own.join(file).display());
    }
    let out = PathBuf::from(std::env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let file = out.join("jolt_whole.cpp");
    fs::write(&file, whole).map_err(|error| error.to_string())?;
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file(file)
        .include(&root)
        .include(own)
        .define("NDEBUG", None)
        .opt_level(3)
        .flag("-march=native")
        .warnings(false)
        .try_compile("hitscan_bench_jolt")
        .map_err(|error| error.to_string())?;
    let core =
        fs::read_to_string(root.join("Jolt/Core/Core.h")).map_err(|error| error.to_string())?;
    let number = |name: &str| {
        let line = core
            .lines()
            .find(|line| line.contains(&format!("define JPH_VERSION_{name} ")));
        line.and_then(|line| line.split_whitespace().last())
            .unwrap_or("?")
            .to_owned()
    };
    Ok(["MAJOR", "MINOR", "PATCH"].map(number).join("."))
}

/// Box3D, from the sources that the crate box3d-sys vendors, with its flags; for this machine in both
/// builds, as the other peers that choose their vectors when compiled.
fn box3d() -> Result<String, String> {
    let root = vendored("box3d-sys")?.join("vendor/box3d");
    let folder = root.join("src");
    let place = |error| format!("{}: {error}", folder.display());
    let mut files = ["box3d", "box3d_world", "box3d_tree"]
        .map(|name| PathBuf::from(format!("native/{name}.c")))
        .to_vec();
    for entry in fs::read_dir(&folder).map_err(place)? {
        files.push(entry.map_err(place)?.path());
    }
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    cc::Build::new()
        .std("c17")
        .files(files)
        .include(root.join("include"))
        .include("native")
        .define("NDEBUG", None)
        .opt_level(3)
        .flag("-march=native")
        .flag("-ffp-contract=off")
        .warnings(false)
        .try_compile("hitscan_bench_box3d")
        .map_err(|error| error.to_string())?;
    let list =
        fs::read_to_string(root.join("CMakeLists.txt")).map_err(|error| error.to_string())?;
    let version = list
        .lines()
        .find_map(|line| line.trim().strip_prefix("VERSION "));
    Ok(version.unwrap_or("?").to_owned())
}

/// Where cargo keeps the source of a crate that is an optional dependency, which no build turns on.
fn vendored(name: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let arguments = [
        "metadata",
        "--format-version",
        "1",
        "--all-features",
        "--locked",
    ];
    let metadata = output(Command::new(cargo).args(arguments)).unwrap_or_default();
    let folder = format!("/{name}-");
    let is_manifest = |text: &&str| text.contains(&folder) && text.ends_with("/Cargo.toml");
    let manifest = metadata.split('"').find(is_manifest);
    let source = manifest.and_then(|manifest| Path::new(manifest).parent());
    source
        .map(Path::to_owned)
        .ok_or(format!("the source of the crate {name} was not found"))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
