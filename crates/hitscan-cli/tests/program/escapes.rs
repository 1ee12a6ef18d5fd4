//! Escaping of control characters from files and arguments: printed escaped, kept as they are in
//! tables.

use crate::Folder;

/// Sets the window's title, in a name.
const TITLE: &str = "\\u001b]0;owned\\u0007\\u202e";

#[test]
fn names_fields_paths_and_arguments_are_printed_escaped() {
    let folder = Folder::with_scene(&format!(
        "[[sphere]]\nname = \"{TITLE}\"\ncenter = [0, 0, 0]\nradius = 1\n\
         [[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n"
    ));
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,\u{1b}[31mred\n");
    folder.write("odd\u{1b}[2J.toml", "[[sphere]]\n");
    folder.write("bad.toml", format!("[[sphere]]\n\"{TITLE}\" = 1\n"));
    let runs = [
        folder.run(&["info", "scene.toml"]),
        folder.run(&["ray", "scene.toml", "rays.csv", "-o", "out.csv"]),
        folder.run(&["info", "odd\u{1b}[2J.toml"]),
        folder.run(&["info", "bad.toml"]),
        folder.run(&["info", "a", "b\u{9b}31m"]),
    ];
    for run in runs {
        let shown = run.stdout + &run.stderr;
        let is_plain = |character: char| character == '\n' || !character.is_control();
        assert!(shown.chars().all(is_plain), "{shown:?}");
        assert!(!shown.contains('\u{202e}'), "{shown:?}");
        assert!(shown.contains("\\u{"), "{shown:?}");
    }
    let rows = folder.run(&["overlap", "scene.toml"]).stdout;
    assert!(
        rows.contains("\u{1b}]0;owned\u{7}\u{202e},box0"),
        "{rows:?}"
    );
    assert!(folder.read("out.csv").contains("\u{1b}[31mred"));
}
