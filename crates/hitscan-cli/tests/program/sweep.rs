//! `hitscan sweep`.

use crate::{Folder, RAMP, column};

const HEADER: &str = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n";

#[test]
fn hits_overlaps_and_misses() {
    let folder = Folder::with_scene(
        "[[box]]\nname = \"wall\"\nmin = [3, -1, -1]\nmax = [4, 2, 2]\n\
         [[sphere]]\nname = \"ball\"\ncenter = [0.5, 10, 0.5]\nradius = 2\n",
    );
    let moves = [
        "0,0,0,1,1,1,4,0,0",     // against the wall
        "0,0,0,1,1,1,1.5,0,0",   // stops short
        "2.5,0,0,3.5,1,1,1,0,0", // starts inside
        "2,2,0,3,3,1,5,0,0",     // slides along the top, touching
        "0,0,0,1,1,1,0,14,0",    // up into the ball
        "2,0,0,3,1,1,-1,0,0",    // touches and leaves
        "0,0,0,1,0,1,0,0,0",     // stays
        "1,0,0,0,1,1,1,0,0",     // min > max
    ];
    let table = format!("{HEADER}{}\n", moves.join("\n"));
    let run = folder.run_with(&["sweep", "scene.toml", "-"], &table);
    let rows = run.rows();
    let expected = [
        "hit", "miss", "overlap", "miss", "hit", "miss", "miss", "invalid",
    ];
    assert_eq!(column(&rows, "status"), expected);
    assert_eq!(column(&rows, "t"), ["0.5", "", "0", "", "0.5", "", "", ""]);
    assert_eq!(column(&rows, "nx"), ["-1", "", "0", "", "0", "", "", ""]);
    assert_eq!(column(&rows, "ny"), ["0", "", "0", "", "-1", "", "", ""]);
    assert_eq!(
        column(&rows, "object"),
        ["wall", "", "wall", "", "ball", "", "", ""]
    );
    assert!(
        run.stderr.contains("1 of 8 rows are invalid"),
        "{}",
        run.stderr
    );
}

#[test]
fn terrain_and_models_name_their_triangle() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"sign\"\nfile = \"sign.obj\"\ntranslation = [0, 5, 0]\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write("sign.obj", "g board\nv 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    let table = format!("{HEADER}0.5,3,0.5,1,4,1,0,-6,0\n-2,5,0,-1,6,1,4,0,0\n");
    let rows = folder
        .run_with(&["sweep", "scene.toml", "-"], &table)
        .rows();
    assert_eq!(column(&rows, "status"), ["hit", "hit"]);
    assert_eq!(column(&rows, "object"), ["ramp", "sign"]);
    assert_eq!(column(&rows, "part"), ["", "board"]);
    assert_eq!(column(&rows, "triangle"), ["0", "0"]);
    assert_eq!(rows[1]["t"], "0.25");
    assert_eq!(rows[1]["nx"], "-1");
    // The box's upper edge (x = 1) hits the ramp at y = 0.5.
    let t: f64 = rows[0]["t"].parse().unwrap();
    assert!((t - 2.5 / 6.0).abs() < 1e-7);
}
