//! `hitscan sight`.

use crate::{Folder, RAMP, column};

const SCENE: &str = "[[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\n\
                     [[model]]\nname = 'blade'\nfile = 'blade.obj'\n\
                     [[box]]\nname = 'wall'\nmin = [1, 5, 0]\nmax = [2, 9, 9]\nlayers = 2\n";

const BLADE: &str = "o edge\nv 3 5 0\nv 3 9 0\nv 3 5 9\nf 1 2 3\n";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder.write("blade.obj", BLADE);
    folder
}

#[test]
fn each_eye_is_answered_for_each_target_and_both_are_numbered() {
    let folder = folder();
    folder.write(
        "eyes.csv",
        "name,x,y,z,mask,ignore\na,0,6,1,,\nb,0,6,1,1,\nc,0,6,1,,wall\nd,0,,1,,\ne,0,6,1,,nobody\n",
    );
    folder.write(
        "targets.csv",
        "z,y,x,ignore,note\n1,6,4,,p\n1,6,4,blade; wall,q\n1,6,0,,r\n",
    );
    let run = folder.run(&[
        "sight",
        "scene.toml",
        "eyes.csv",
        "targets.csv",
        "--blocker",
    ]);
    assert_eq!(
        run.stdout,
        "eye,target,status,t,object,part,triangle\n\
         0,0,blocked,0.25,wall,,\n\
         0,1,visible,,,,\n\
         0,2,visible,,,,\n\
         1,0,blocked,0.75,blade,edge,0\n\
         1,1,visible,,,,\n\
         1,2,visible,,,,\n\
         2,0,blocked,0.75,blade,edge,0\n\
         2,1,visible,,,,\n\
         2,2,visible,,,,\n\
         3,0,invalid,,,,\n\
         3,1,invalid,,,,\n\
         3,2,invalid,,,,\n\
         4,0,invalid,,,,\n\
         4,1,invalid,,,,\n\
         4,2,invalid,,,,\n"
    );
    assert!(
        run.stderr
            .contains("2 of 5 rows are invalid; the first: eyes.csv"),
        "{}",
        run.stderr
    );
    let strict = folder.run(&["sight", "scene.toml", "eyes.csv", "targets.csv", "--strict"]);
    strict.assert_refused(&["eyes.csv", "y"]);
}

#[test]
fn feet_on_the_ground_see_along_it_and_nothing_is_seen_through_it() {
    let folder = folder();
    folder.write("eyes.csv", "x,y,z\n0.2,0.1,0.5\n0.2,3,0.5\n");
    let seen = |targets: &str| {
        let run = folder.run_with(&["sight", "scene.toml", "eyes.csv", "-"], targets);
        let rows = run.rows();
        column(&rows, "status").join(" ")
    };
    assert_eq!(seen("x,y,z\n1.9,0.95,0.3\n"), "visible visible");
    assert_eq!(seen("x,y,z\nnone,0,0\n"), "invalid invalid");
    folder.write("eyes.csv", "x,y,z\n0.2,3,0.5\n");
    assert_eq!(seen("x,y,z\n1.9,-1,0.3\n0.2,3,0.5\n"), "blocked visible");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = folder();
    folder.write("eyes.csv", "x,y,z\n0,6,1\n");
    let run = folder.run(&["sight", "scene.toml", "-", "-"]);
    run.assert_refused(&["only one of the two tables"]);
    let run = folder.run(&["sight", "scene.toml", "eyes.csv", "none.csv"]);
    run.assert_refused(&["none.csv"]);
    let run = folder.run(&[
        "sight",
        "scene.toml",
        "eyes.csv",
        "eyes.csv",
        "-o",
        "eyes.csv",
    ]);
    run.assert_refused(&["eyes.csv", "is also an input"]);
    let out = folder.run(&[
        "sight",
        "scene.toml",
        "eyes.csv",
        "eyes.csv",
        "-o",
        "out.parquet",
    ]);
    assert_eq!((out.code, out.stdout.as_str()), (0, ""));
    assert!(folder.files().contains(&"out.parquet".to_owned()));
}
