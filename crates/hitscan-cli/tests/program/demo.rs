//! `hitscan demo`, and the examples that `--help` and the README show for its files.

use crate::Folder;

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
    let commands: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.trim().strip_prefix("hitscan "))
        .collect();
    assert!(commands.len() >= 5, "{}", run.stdout);
    for command in commands {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let next = folder.run(&arguments);
        assert_eq!(next.code, 0, "{command}: {}", next.stderr);
    }
}

#[test]
fn every_help_shows_an_example_that_works() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["demo"]).code, 0);
    for command in ["ray", "height", "sweep", "overlap", "info", "render"] {
        let help = folder.run(&[command, "--help"]);
        assert_eq!(help.code, 0);
        let prefix = format!("hitscan {command} ");
        let examples: Vec<&str> = help
            .stdout
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with(&prefix))
            .collect();
        assert!(!examples.is_empty(), "{}", help.stdout);
        for example in examples {
            let arguments: Vec<&str> = example.split_whitespace().skip(1).collect();
            let run = folder.run(&arguments);
            assert_eq!(run.code, 0, "{example}: {}", run.stderr);
        }
    }
}

#[test]
fn the_commands_of_the_readme_work_in_order() {
    let readme = include_str!("../../README.md");
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("hitscan "))
        .collect();
    assert!(commands.len() >= 5, "{commands:?}");
    let folder = Folder::new();
    for command in commands {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let run = folder.run(&arguments);
        assert_eq!(run.code, 0, "{command}: {}", run.stderr);
    }
}
