//! Columns whose names are nearly those of optional ones: they would be carried through in silence, and
//! their limits and filters not apply.

use crate::Folder;

const SCENE: &str = "[[sphere]]\nname = 'planet'\ncenter = [0, 0, 0]\nradius = 1\n";

#[test]
fn a_misspelt_column_is_warned_of_once() {
    let folder = Folder::with_scene(SCENE);
    for (command, name, known, columns, values) in [
        ("ray", "tmax", "t_max", "ox,oy,oz,dx,dy,dz", "0,9,0,0,-1,0"),
        (
            "ray",
            "ignored",
            "ignore",
            "ox,oy,oz,dx,dy,dz",
            "0,9,0,0,-1,0",
        ),
        ("arc", "GY", "gy", "ox,oy,oz,vx,vy,vz", "0,9,0,0,-1,0"),
        (
            "closest",
            "maxdistance",
            "max_distance",
            "px,py,pz",
            "0,9,0",
        ),
        (
            "overlap",
            "margins",
            "margin",
            "min_x,min_y,min_z,max_x,max_y,max_z",
            "0,9,0,1,9,1",
        ),
        (
            "sweep",
            "masks",
            "mask",
            "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz",
            "0,9,0,1,9,1,0,-9,0",
        ),
    ] {
        folder.write(
            "table.csv",
            format!("{columns},{name}\n{values},5\n{values},5\n"),
        );
        let run = folder.run(&[command, "scene.toml", "table.csv"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let warning = format!(
            "hitscan: warning: table.csv: the column `{name}` is not read; did you mean `{known}`?\n"
        );
        assert_eq!(run.stderr, warning, "{command}");
        let piped = folder.run_with(&[command, "scene.toml", "-"], folder.read("table.csv"));
        assert_eq!(piped.stderr, warning.replace("table.csv", "standard input"));
        let explained = folder.run(&[command, "scene.toml", "table.csv", "--explain", "0"]);
        assert_eq!(explained.stderr, warning, "{command}");
        folder
            .run(&[command, "scene.toml", "table.csv", "--strict"])
            .assert_refused(&["table.csv", name, known]);
    }
}

#[test]
fn tables_of_sight_are_warned_of_each() {
    let folder = Folder::with_scene(SCENE);
    folder.write("eyes.csv", "x,y,z,msk\n0,9,0,1\n");
    folder.write("targets.csv", "x,y,z,Ignore\n0,5,0,\n");
    let run = folder.run(&["sight", "scene.toml", "eyes.csv", "targets.csv"]);
    let warnings = "hitscan: warning: targets.csv: the column `Ignore` is not read; did you mean `ignore`?\n\
                    hitscan: warning: eyes.csv: the column `msk` is not read; did you mean `mask`?\n";
    assert_eq!((run.code, run.stderr.as_str()), (0, warnings));
}

#[test]
fn other_names_are_carried_in_silence() {
    let folder = Folder::with_scene(SCENE);
    folder.write(
        "rays.csv",
        "ox,oy,oz,dx,dy,dz,mass,task,vmax,id,nx1,t_max,tmax\n0,9,0,0,-1,0,1,2,3,4,5,,6\n",
    );
    let run = folder.run(&["ray", "scene.toml", "rays.csv", "--strict"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}
