//! The program's reference: help, its topics, completions, manual pages.

use crate::Folder;

const COMMANDS: &[&str] = &[
    "ray",
    "arc",
    "height",
    "sweep",
    "overlap",
    "closest",
    "distance",
    "info",
    "render",
    #[cfg(feature = "view")]
    "view",
    "demo",
    "help",
    "completions",
    "man",
];

#[test]
fn topics_are_printed_as_they_are_in_the_documentation() {
    let folder = Folder::new();
    for (topic, text) in [
        ("scene", include_str!("../../docs/scene.md")),
        ("tables", include_str!("../../docs/tables.md")),
        ("files", include_str!("../../docs/files.md")),
        ("recipes", include_str!("../../docs/recipes.md")),
    ] {
        let run = folder.run(&["help", topic]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{topic}");
        assert_eq!(run.stdout, text.replace("\r\n", "\n"), "{topic}");
    }
}

#[test]
fn help_names_commands_and_topics() {
    let folder = Folder::new();
    let run = folder.run(&["help"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for command in COMMANDS {
        let is_named = |line: &str| line.trim().starts_with(&format!("{command} "));
        assert!(
            run.stdout.lines().any(is_named),
            "{command}: {}",
            run.stdout
        );
    }
    for topic in ["scene", "tables", "files", "recipes"] {
        assert!(
            run.stdout.contains(&format!("hitscan help {topic} ")),
            "{topic}"
        );
    }
    for command in COMMANDS {
        let [help, option] =
            [["help", command], [command, "--help"]].map(|words| folder.run(&words));
        assert_eq!((help.code, &help.stdout), (0, &option.stdout), "{command}");
        assert!(help.stdout.contains("Usage: hitscan "), "{}", help.stdout);
    }
    let unknown = folder.run(&["help", "sceen"]);
    unknown.assert_usage(&["sceen", "'scene'"]);
}

#[test]
fn completions_know_every_command_in_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = folder.run(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        for word in COMMANDS.iter().chain(&["--on-bad-row", "tables"]) {
            // Fish has options without their dashes.
            let word = word.trim_start_matches('-');
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    folder
        .run(&["completions", "tcsh"])
        .assert_usage(&["tcsh", "bash"]);
}

/// A paragraph that occurs twice was moved and left behind.
#[test]
fn no_paragraph_of_a_page_stands_twice() {
    for page in [
        include_str!("../../docs/scene.md"),
        include_str!("../../docs/tables.md"),
        include_str!("../../docs/files.md"),
        include_str!("../../docs/recipes.md"),
    ] {
        let mut seen = std::collections::BTreeSet::new();
        let is_prose = |text: &&str| text.lines().count() > 2 && !text.starts_with('|');
        for paragraph in page.split("\n\n").filter(is_prose) {
            assert!(seen.insert(paragraph), "twice: {paragraph}");
        }
    }
}

#[test]
fn help_says_what_readers_looked_for() {
    let folder = Folder::new();
    let tables = folder.run(&["help", "tables"]).stdout;
    assert!(tables.contains("16 MiB"));
    for command in ["ray", "sweep"] {
        let help = folder.run(&[command, "--help"]).stdout;
        assert!(help.contains("The nearest hit of each row"), "{help}");
    }
}

/// The shell itself reads the script and completes by it.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_a_command() {
    let folder = Folder::new();
    folder.write("script", folder.run(&["completions", "bash"]).stdout);
    for (words, found) in [
        (["ove"].as_slice(), "overlap"),
        (&["sweep", "--init"], "--initial-overlap"),
        (&["sweep", "--initial-overlap", "e"], "escape"),
        (&["overlap", "--shape", "o"], "obb"),
    ] {
        let last = words.last().unwrap();
        let before = words.iter().nth_back(1).unwrap_or(&"hitscan");
        let line = format!(
            "source ./script; COMP_WORDS=(hitscan {}); COMP_CWORD={}; \
             _hitscan hitscan {last} {before}; echo \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len(),
        );
        let bash = std::process::Command::new("bash")
            .args(["--norc", "-c", &line])
            .current_dir(folder.path(""))
            .output();
        let Ok(bash) = bash else {
            println!("not run: bash");
            return;
        };
        assert_eq!(
            String::from_utf8_lossy(&bash.stdout),
            format!("{found}\n"),
            "{words:?}"
        );
    }
}

#[test]
fn manual_pages_are_of_the_program_and_of_each_command() {
    let folder = Folder::new();
    let program = folder.run(&["man"]);
    assert_eq!((program.code, program.stderr.as_str()), (0, ""));
    assert!(
        program.stdout.contains("\n.TH hitscan 1"),
        "{}",
        program.stdout
    );
    for command in COMMANDS {
        let reference = format!("hitscan\\-{command}(1)");
        assert!(
            program.stdout.contains(&reference),
            "{reference}: {}",
            program.stdout
        );
        let page = folder.run(&["man", command]);
        assert_eq!((page.code, page.stderr.as_str()), (0, ""), "{command}");
        assert!(
            page.stdout.contains(&format!("\n.TH hitscan-{command} 1")),
            "{}",
            page.stdout
        );
        assert!(page.stdout.contains("\n.SH SYNOPSIS\n"), "{command}");
    }
    let ray = folder.run(&["man", "ray"]).stdout;
    assert!(
        ray.contains(".SH DETAILS\n.nf\n") && ray.contains("\nExamples"),
        "{ray}"
    );
}
