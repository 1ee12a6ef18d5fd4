//! Builds the peers that are C and C++ libraries, where they are there, and tells the program
//! which compiler built it and which peers it has.
//!
//! Environment for the program: `HITSCAN_BENCH_EMBREE` and `HITSCAN_BENCH_TINYBVH` hold a version,
//! or with the cfg of the same name unset the reason why the peer is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EMBREE_INCLUDES: [&str; 2] = ["/usr/include", "/usr/local/include"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=native");
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    let version = output(Command::new(compiler).arg("--version"));
    let version = version.unwrap_or("unknown".to_owned());
    println!("cargo::rustc-env=HITSCAN_BENCH_RUSTC={}", version.trim());
    tell("embree", embree());
    tell("tinybvh", tinybvh());
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

/// Embree 3, as Debian's libembree-dev installs it.
fn embree() -> Result<String, String> {
    let header = |folder: &&str| Path::new(folder).join("embree3/rtcore_config.h");
    for folder in EMBREE_INCLUDES {
        println!("cargo::rerun-if-changed={}", header(&folder).display());
    }
    let folder = EMBREE_INCLUDES
        .iter()
        .find(|folder| header(folder).exists());
    let folder = folder.ok_or("embree3/rtcore.h was not found; Debian has it in libembree-dev")?;
    let config = fs::read_to_string(header(folder)).map_err(|error| error.to_string())?;
    let version = config
        .lines()
        .find_map(|line| line.strip_prefix("#define RTC_VERSION_STRING \""))
        .and_then(|rest| rest.split('"').next())
        .ok_or("embree3/rtcore_config.h names no version")?;
    cc::Build::new()
        .file("native/embree.c")
        .include(folder)
        .opt_level(3)
        .try_compile("hitscan_bench_embree")
        .map_err(|error| error.to_string())?;
    println!("cargo::rustc-link-lib=embree3");
    Ok(version.to_owned())
}

/// tinybvh, from the header that the crate tinybvh-rs vendors. Its trees need AVX2 when they are
/// compiled, so they are compiled for this machine in both builds.
fn tinybvh() -> Result<String, String> {
    let folder = vendored_header().ok_or("the source of the crate tinybvh-rs was not found")?;
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

/// Where cargo keeps the header: the crate is an optional dependency that no build turns on.
fn vendored_header() -> Option<PathBuf> {
    let cargo = std::env::var("CARGO").ok()?;
    let arguments = [
        "metadata",
        "--format-version",
        "1",
        "--all-features",
        "--locked",
    ];
    let metadata = output(Command::new(cargo).args(arguments))?;
    let is_manifest = |text: &&str| text.contains("/tinybvh-rs-") && text.ends_with("/Cargo.toml");
    let manifest = metadata.split('"').find(is_manifest)?;
    Some(Path::new(manifest).parent()?.join("ffi/tinybvh"))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
