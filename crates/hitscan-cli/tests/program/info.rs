//! `hitscan info`.

use crate::{Folder, RAMP};

#[test]
fn each_kind_of_file_is_described() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"sign\"\nfile = \"sign.obj\"\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write("sign.obj", "o board\nv 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    for (file, facts) in [
        (
            "scene.toml",
            &["objects", "2", "terrain", "sign", "board", "bounds"][..],
        ),
        (
            "ramp.asc",
            &["3 x 3", "holes", "1", "2 x 2 m", "0 to 2"][..],
        ),
        (
            "sign.obj",
            &["Wavefront OBJ", "triangles", "board: 1 triangle", "memory"][..],
        ),
    ] {
        let run = folder.run(&["info", file]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for fact in facts {
            assert!(
                run.stdout.contains(fact),
                "{fact:?} is not in: {}",
                run.stdout
            );
        }
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = Folder::new();
    folder.write("broken.glb", b"glTF\x02\0\0\0");
    folder.write("notes.txt", "hello");
    folder
        .run(&["info", "broken.glb"])
        .assert_refused(&["broken.glb"]);
    folder
        .run(&["info", "notes.txt"])
        .assert_refused(&["notes.txt", ".toml", ".glb"]);
    folder
        .run(&["info", "absent.png"])
        .assert_refused(&["absent.png"]);
}
