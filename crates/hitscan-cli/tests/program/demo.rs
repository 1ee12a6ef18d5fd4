//! `hitscan demo`, and the examples that `--help` and the README show for its files.

use crate::Folder;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Output;

#[test]
fn the_demo_answers_right_and_its_next_steps_work() {
    let folder = Folder::new();
    // A shell would take the name apart.
    let name = if cfg!(unix) { "it's my demo" } else { "demo" };
    let run = folder.run(&["demo", "--out", name]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(folder.files(), [name]);
    for file in [
        "valley.png",
        "robot.glb",
        "scene.toml",
        "rays.csv",
        "points.csv",
        "moves.csv",
        "walks.csv",
        "footprints.csv",
        "eyes.csv",
        "targets.csv",
        "arcs.csv",
        "balls.csv",
        "shapes.csv",
        "probes.csv",
        "rays_answers.csv",
        "points_answers.csv",
        "moves_answers.csv",
        "footprints_answers.csv",
        "balls_answers.csv",
        "walks_answers.csv",
        "shapes_answers.csv",
        "probes_answers.csv",
        "arcs_answers.csv",
        "sight_answers.csv",
        "render.png",
        "map.png",
        "viewshed.png",
        "crowd.png",
    ] {
        let path = folder.path(name).join(file);
        assert!(
            std::fs::metadata(&path).is_ok_and(|file| file.len() > 0),
            "{file}"
        );
    }
    let (_, commands) = run.stdout.split_once("Try next:\n").unwrap();
    let commands: Vec<&str> = commands.lines().map(str::trim).collect();
    assert!(commands.len() >= 12, "{}", run.stdout);
    for command in commands.iter().filter(|command| !command.is_empty()) {
        let output = as_typed(&folder, command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {stderr}");
    }
    // The scenes' own cameras are those of the pictures, in which robots have other colours.
    let render = [
        "render",
        "crowd.toml",
        "-o",
        "crowd_again.png",
        "--size",
        "1280x720",
    ];
    let mut program = crate::program(&folder.path(name));
    assert!(program.args(render).status().unwrap().success());
    for (again, picture) in [
        ("again.png", "render.png"),
        ("crowd_again.png", "crowd.png"),
    ] {
        let [again, written] = [again, picture].map(|file| pixels(&folder.path(name).join(file)));
        let same = again.iter().zip(&written).filter(|(a, b)| a == b).count();
        assert!(5 * same > 4 * written.len(), "{picture}: {same}");
    }
}

/// The codes of a picture's pixels.
fn pixels(path: &Path) -> Vec<[u8; 3]> {
    let file = std::fs::File::open(path).unwrap();
    let picture = png::Decoder::new(std::io::BufReader::new(file));
    let mut picture = picture.read_info().unwrap();
    let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
    picture.next_frame(&mut pixels).unwrap();
    pixels.as_chunks::<3>().0.to_vec()
}

/// Runs a command in the shell that a user types it into.
#[cfg(unix)]
fn as_typed(folder: &Folder, command: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_hitscan")).parent().unwrap();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.to_owned()).chain(std::env::split_paths(&others));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .env("PATH", std::env::join_paths(folders).unwrap())
        .current_dir(folder.path(""));
    shell.output().unwrap()
}

/// Runs a command without its first word, the program, and without a shell.
#[cfg(not(unix))]
fn as_typed(folder: &Folder, command: &str) -> Output {
    let arguments = command.split_whitespace().skip(1);
    let arguments = arguments.map(|word| word.trim_matches('"'));
    crate::program(&folder.path(""))
        .args(arguments)
        .output()
        .unwrap()
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
    for command in [
        "ray", "arc", "height", "sweep", "overlap", "closest", "sight", "viewshed", "check",
        "info", "render",
    ] {
        let help = folder.run(&[command, "--help"]);
        assert_eq!(help.code, 0);
        let prefix = format!("hitscan {command} ");
        let lines = help.stdout.lines().map(str::trim);
        let mut shown: Vec<String> = Vec::new();
        for line in lines.filter(|line| line.starts_with("hitscan ")) {
            match shown.last_mut() {
                Some(last) if last.ends_with('|') => last.push_str(&format!(" {line}")),
                _ => shown.push(line.to_owned()),
            }
        }
        shown.retain(|example| example.contains(&prefix));
        assert!(!shown.is_empty(), "{}", help.stdout);
        examples.extend(shown);
    }
    // Without a shell there are no pipes.
    for example in examples
        .iter()
        .filter(|line| cfg!(unix) || !line.contains('|'))
    {
        let output = as_typed(&folder, example);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{example}: {stderr}");
    }
}
