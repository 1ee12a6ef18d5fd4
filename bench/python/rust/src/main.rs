//! The Rust side of the Python package's bench: its inputs as `.npy` files, and the batch call.
//!
//! `hitscan-bench-python write INPUT COUNT FOLDER` writes one of the bench's inputs (`write.rs`), whose
//! rays are the first COUNT. `hitscan-bench-python cast SHAPE T_MAX FOLDER` reads a shape and its rays again and casts
//! them whenever a line comes (`cast.rs`). `cargo xtask bench PY` builds it and hands it to `bench/python/`.

#[path = "../../../src/random.rs"]
mod random;
#[allow(dead_code, reason = "the bench asks more of its inputs")]
mod inputs;
mod npy;
mod write;
mod cast;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
usage: hitscan-bench-python write INPUT COUNT FOLDER
       hitscan-bench-python cast mesh-small|terrain-1025 T_MAX FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["write", input, count, folder] => write::run(input, count.parse()?, Path::new(folder)),
        ["cast", shape, t_max, folder] => cast::run(shape, t_max.parse()?, Path::new(folder)),
        _ => Err(USAGE.into()),
    }
}
