//! The identity of a job in parts: all that decides their bytes.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::listing::fields;
use crate::table::TableRun;
use clap::{ArgMatches, CommandFactory as _};
use hitscan_assets::Scene;
use hitscan_table::{Format, RowRange};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The bytes at each end of an input that are compared; a Parquet file's footer is among them.
const END: u64 = 1 << 20;

/// Options that decide nothing about the answers, or are compared as something else.
const LEFT_OUT: [&str; 7] = [
    "output", "threads", "summary", "resume", "parts", "rows", "format",
];

/// The version, command and options, inputs, scene, and how they are divided.
pub(super) fn of_job(
    run: &TableRun<'_>,
    scene: &Scene,
    rows: RowRange,
    count: u32,
    format: Format,
) -> Result<Json, Failure> {
    let (command, options) = options()?;
    let inputs = run.inputs.iter().map(|path| input(path));
    // The scene file itself comes first, which a baked one alone is; a name of tiles is none.
    let own = std::iter::once(run.scene).filter(|path| path.is_file());
    let mut names = BTreeSet::new();
    let files = own.chain(scene.files().iter().map(|path| path.as_path()));
    let scene = files.filter(|path| names.insert(*path));
    let scene: Result<Vec<Json>, Failure> = scene.map(scene_file).collect();
    Ok(fields([
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("command", command.into()),
        (
            "options",
            fields(
                options
                    .iter()
                    .map(|(key, value)| (key.as_str(), value.clone())),
            ),
        ),
        (
            "inputs",
            inputs.collect::<Result<Vec<Json>, Failure>>()?.into(),
        ),
        ("scene", scene?.into()),
        ("first_row", rows.start.into()),
        ("end_row", rows.end.into()),
        ("parts", count.into()),
        ("format", format.name().into()),
    ]))
}

/// The command, and the values of its options, those by default too.
fn options() -> Result<(String, BTreeMap<String, Json>), Failure> {
    let program = Arguments::command();
    let matches = program.clone().try_get_matches();
    let matches: ArgMatches = matches.map_err(|error| Failure::other(error.to_string()))?;
    let Some((name, given)) = matches.subcommand() else {
        return Ok((String::new(), BTreeMap::new()));
    };
    let command = program.find_subcommand(name);
    let arguments = command
        .into_iter()
        .flat_map(|command| command.get_arguments());
    let options = arguments.filter_map(|argument| {
        let id = argument.get_id().as_str();
        let long = argument.get_long().filter(|_| !LEFT_OUT.contains(&id))?;
        let values = given.try_get_raw(id).ok().flatten()?;
        let values: Vec<String> = values
            .map(|value| value.to_string_lossy().into_owned())
            .collect();
        Some((format!("--{long}"), values.join(" ").into()))
    });
    Ok((name.to_owned(), options.collect()))
}

/// The identity of a table, which may have terabytes: its size, time and ends.
fn input(path: &Path) -> Result<Json, Failure> {
    let read = || -> io::Result<Json> {
        let mut file = File::open(path)?;
        let data = file.metadata()?;
        let modified = data
            .modified()?
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let mut digest = Sha256::new();
        io::copy(&mut (&mut file).take(END), &mut digest)?;
        file.seek(SeekFrom::Start(data.len().saturating_sub(END)))?;
        io::copy(&mut file.take(END), &mut digest)?;
        Ok(fields([
            ("file", name_of(path).into()),
            ("bytes", data.len().into()),
            // Milliseconds of all times that files have are within 53 bits.
            (
                "modified_ms",
                u64::try_from(modified.as_millis()).unwrap_or(0).into(),
            ),
            ("sha256_of_ends", hexadecimal(digest).into()),
        ]))
    };
    read().map_err(|error| unreadable(path, &error))
}

/// A file of the scene: by all its bytes.
fn scene_file(path: &Path) -> Result<Json, Failure> {
    let read = || -> io::Result<Json> {
        let mut digest = Sha256::new();
        io::copy(&mut File::open(path)?, &mut digest)?;
        Ok(fields([
            ("file", name_of(path).into()),
            ("sha256", hexadecimal(digest).into()),
        ]))
    };
    read().map_err(|error| unreadable(path, &error))
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn hexadecimal(digest: Sha256) -> String {
    let bytes = digest.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: cannot be read: {error}", path.display()))
}
