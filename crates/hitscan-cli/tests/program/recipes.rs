//! The recipes: each file that the page has is written, each command is run, and prints what it says.

use crate::Folder;

const PAGE: &str = include_str!("../../docs/recipes.md");

/// A block of the page: the line before it, what its fence says it is, and its text.
struct Block<'page> {
    before: &'page str,
    kind: &'page str,
    text: String,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut before) = (Vec::new(), "");
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inner = lines.by_ref().take_while(|line| *line != "```");
            let text = inner.map(|line| format!("{line}\n")).collect();
            blocks.push(Block { before, kind, text });
        }
        before = line;
    }
    blocks
}

#[cfg(unix)]
#[test]
fn every_command_prints_what_the_page_says() {
    let folder = Folder::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_hitscan"));
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program.parent().unwrap().to_owned());
    let path = std::env::join_paths(paths.chain(std::env::split_paths(&others))).unwrap();
    let (mut printed, mut commands) = (String::new(), 0);
    for Block { before, kind, text } in blocks(PAGE) {
        match kind {
            "sh" => {
                let run = std::process::Command::new("sh")
                    .args(["-ec", &text])
                    .env("PATH", &path)
                    .current_dir(folder.path(""))
                    .output()
                    .unwrap();
                let stderr = String::from_utf8_lossy(&run.stderr);
                assert!(run.status.success(), "{text}{stderr}");
                printed = String::from_utf8(run.stdout).unwrap();
                commands += 1;
            }
            "text" => assert_eq!(printed, text),
            _ => {
                let name = before
                    .strip_prefix('`')
                    .and_then(|line| line.strip_suffix("`:"));
                let name = name.unwrap_or_else(|| panic!("a file without a name: {before}"));
                let file = folder.path(name);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, text).unwrap();
            }
        }
    }
    assert!(commands >= 5, "{commands}");
}
