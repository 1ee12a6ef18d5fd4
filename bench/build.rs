//! Tells the program which compiler built it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    let output = Command::new(compiler).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let version = version.unwrap_or("unknown".to_owned());
    println!("cargo::rustc-env=HITSCAN_BENCH_RUSTC={version}");
}
