//! `hitscan demo`, and the examples that `--help` and the README show for its files.

use crate::{Folder, program};
use std::path::Path;
use std::process::Command;

#[test]
fn the_demo_answers_right_and_its_next_steps_work() {
    let folder = Folder::new();
    let run = folder.run(&["demo"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(folder.files(), ["hitscan-demo"]);
    for file in [
        "valley.png",
        "robot.glb",
        "scene.toml",
        "rays.csv",
        "points.csv",
        "moves.csv",
        "rays_answers.csv",
        "points_answers.csv",
        "moves_answers.csv",
        "render.png",
        "map.png",
    ] {
        let path = folder.path("hitscan-demo").join(file);
        assert!(
            std::fs::metadata(&path).is_ok_and(|file| file.len() > 0),
            "{file}"
        );
    }
    // As printed they begin with the path of the program.
    run_in_shell(&folder, &next_steps(&run.stdout), "");
}

/// The commands that the demo prints at its end.
fn next_steps(stdout: &str) -> Vec<String> {
    let (_, text) = stdout.split_once("Try next:\n").unwrap();
    let commands: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    let commands: Vec<String> = commands
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect();
    assert!(commands.len() >= 5, "{stdout}");
    commands
}

/// Runs commands as a user types them; `path` comes before the search path.
fn run_in_shell(folder: &Folder, commands: &[String], path: &str) {
    let search = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
    for command in commands {
        let output = if cfg!(unix) {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).env("PATH", &search);
            shell.current_dir(folder.path("")).output().unwrap()
        } else {
            let arguments = command.split_whitespace().skip(1);
            program(&folder.path("")).args(arguments).output().unwrap()
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {stderr}");
    }
}

/// Where the search path leads to the program it is called by its name; names that a shell would
/// take apart are in quotes.
#[cfg(unix)]
#[test]
fn next_steps_work_from_the_search_path_and_with_names_in_quotes() {
    let folder = Folder::new();
    let bin = folder.path("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hitscan"), bin.join("hitscan")).unwrap();
    let output = program(&folder.path(""))
        .args(["demo", "--out", "it's my demo"])
        .env("PATH", &bin)
        .output()
        .unwrap();
    let commands = next_steps(&String::from_utf8(output.stdout).unwrap());
    for command in &commands {
        assert!(command.starts_with("hitscan "), "{command}");
    }
    run_in_shell(&folder, &commands, bin.to_str().unwrap());
}

/// In its checkout, started by cargo, it is called by cargo.
#[test]
fn next_steps_of_a_checkout_are_cargo_s() {
    let folder = Folder::new();
    let package = env!("CARGO_MANIFEST_DIR");
    let checkout = Path::new(package).join("../..");
    let output = program(&checkout)
        .args(["demo", "--out"])
        .arg(folder.path("demo"))
        .env("CARGO", "cargo")
        .env("CARGO_MANIFEST_DIR", package)
        .output()
        .unwrap();
    let commands = next_steps(&String::from_utf8(output.stdout).unwrap());
    for command in commands {
        let command = command.strip_prefix("cargo run ").expect(&command);
        let command = command.strip_prefix("--release ").unwrap_or(command);
        let arguments = command.strip_prefix("-- ").unwrap().split_whitespace();
        let output = program(&checkout).args(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {stderr}");
    }
}

#[test]
fn the_examples_of_every_help_and_of_the_readme_work() {
    let folder = Folder::new();
    let readme = include_str!("../../README.md").lines();
    let mut examples: Vec<String> = readme
        .filter(|line| line.starts_with("hitscan "))
        .map(str::to_owned)
        .collect();
    assert!(examples.len() >= 5, "{examples:?}");
    assert_eq!(
        examples[0], "hitscan demo",
        "it makes the files of the others"
    );
    for command in ["ray", "height", "sweep", "overlap", "info", "render"] {
        let help = folder.run(&[command, "--help"]);
        assert_eq!(help.code, 0);
        let prefix = format!("hitscan {command} ");
        let lines = help.stdout.lines().map(str::trim);
        let shown: Vec<&str> = lines.filter(|line| line.starts_with(&prefix)).collect();
        assert!(!shown.is_empty(), "{}", help.stdout);
        examples.extend(shown.into_iter().map(str::to_owned));
    }
    for example in examples {
        let arguments: Vec<&str> = example.split_whitespace().skip(1).collect();
        let run = folder.run(&arguments);
        assert_eq!(run.code, 0, "{example}: {}", run.stderr);
    }
}
