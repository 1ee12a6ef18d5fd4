//! The program as a user runs it: what it prints, writes and exits with, one file a feature.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod above_ground;
mod arc;
mod bad_rows;
mod bake;
mod bind;
mod camera;
mod check;
mod checked_first;
mod closest;
mod columns;
mod compounds;
mod demo;
mod distance;
mod earth;
mod enclosures;
mod escapes;
mod explain;
mod explain_ground;
mod expected;
mod failures;
mod filters;
mod footprint;
mod frames;
mod height;
mod info;
mod inputs;
#[cfg(target_os = "linux")]
mod interrupts;
#[cfg(target_os = "linux")]
mod left_over;
#[cfg(target_os = "linux")]
mod memory;
mod misspelt;
mod outside_cases;
mod outside_cylinders;
mod outside_queries;
mod overlap;
mod overwriting;
mod parts;
mod pictures;
mod ray;
mod recipes;
mod reference;
mod render;
mod scene_errors;
mod shapes;
mod sight;
mod sight_lines;
mod sight_pairs;
mod single_file;
mod streaming;
mod summary;
mod surfaces;
mod sweep;
mod tables;
mod tabs_and_pipes;
mod textures;
mod tiles;
mod turning;
#[cfg(all(target_os = "linux", feature = "view"))]
mod view;
#[cfg(target_os = "linux")]
mod write_errors;
mod viewshed;
mod visits;
mod warnings;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder of its own for one test.
struct Folder {
    folder: TempDir,
}

/// How a run ended.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    /// A folder with a scene file in it.
    fn with_scene(scene: &str) -> Self {
        let folder = Self::new();
        folder.write("scene.toml", scene);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of the files in the folder, in order.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs the program in this folder.
    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    /// Runs the program in this folder with something on standard input.
    fn run_with(&self, arguments: &[&str], stdin: impl AsRef<[u8]>) -> Run {
        let mut child = program(self.folder.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that refuses its arguments does not read, and closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_ref());
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// The rows of a CSV on standard output, of a run that went well.
    fn rows(&self) -> Vec<Row> {
        assert_eq!(self.code, 0, "{}", self.stderr);
        rows(&self.stdout)
    }

    /// Checks that an argument was refused, in words of the command line's parser.
    fn assert_usage(&self, words: &[&str]) {
        assert_eq!(self.code, 2, "{}{}", self.stdout, self.stderr);
        for word in words {
            assert!(
                self.stderr.contains(word),
                "{word:?} is not in: {}",
                self.stderr
            );
        }
    }

    /// Checks that the input was refused, in one message that holds all of `words`.
    fn assert_refused(&self, words: &[&str]) {
        assert_eq!(self.code, 2, "{}{}", self.stdout, self.stderr);
        assert!(self.stderr.starts_with("hitscan: "), "{}", self.stderr);
        for word in words {
            assert!(
                self.stderr.contains(word),
                "{word:?} is not in: {}",
                self.stderr
            );
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitscan"));
    command.current_dir(folder);
    command
}

/// Sends a signal by the shell's own `kill`: not every system has the program.
#[cfg(unix)]
fn send_signal(child: &std::process::Child, signal: &str) {
    let kill = format!("kill -{signal} {}", child.id());
    let status = Command::new("sh").args(["-c", &kill]).status();
    assert!(status.is_ok_and(|status| status.success()), "{kill}");
}

/// A row of a simple CSV (no quotes), by column.
type Row = BTreeMap<String, String>;

fn rows(csv: &str) -> Vec<Row> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| -> Row {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), header.len(), "{line}");
        header
            .iter()
            .zip(fields)
            .map(|(name, field)| ((*name).to_owned(), field.to_owned()))
            .collect()
    };
    lines.map(row).collect()
}

/// A column of all rows.
fn column<'a>(rows: &'a [Row], name: &str) -> Vec<&'a str> {
    rows.iter().map(|row| row[name].as_str()).collect()
}

/// A 3 x 3 terrain, 2 m apart, that rises along x: 0, 1, 2 m, with a hole at column 2, row 2.
const RAMP: &str = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9999\n\
                    0 1 2\n0 1 2\n0 1 -9999\n";

/// A square board of two triangles across x, from (0, 0, 0) to (0, 2, 2), as OBJ.
const SIGN: &str = "g board\nv 0 0 0\nv 0 2 0\nv 0 2 2\nv 0 0 2\nf 1 2 3\nf 1 3 4\n";
