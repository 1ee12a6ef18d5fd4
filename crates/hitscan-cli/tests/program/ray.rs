//! `hitscan ray`.

use crate::{Folder, RAMP, column};

const BALLS: &str = r#"
[[sphere]]
name = "near"
center = [0.0, 0.0, 0.0]
radius = 1.0

[[sphere]]
name = "far"
center = [0.0, 0.0, -10.0]
radius = 1.0

[[box]]
name = "crate"
min = [5.0, -1.0, -1.0]
max = [7.0, 1.0, 1.0]
"#;

#[test]
fn the_nearest_hit_has_all_columns() {
    let folder = Folder::with_scene(BALLS);
    folder.write(
        "rays.csv",
        "id,ox,oy,oz,dx,dy,dz\n7,0,0,5,0,0,-2\n8,0,5,5,0,0,1\n",
    );
    let run = folder.run(&["ray", "scene.toml", "rays.csv"]);
    assert_eq!(
        run.stdout,
        "id,ox,oy,oz,dx,dy,dz,status,t,distance,x,y,z,nx,ny,nz,object,part,triangle,u,v,side\n\
         7,0,0,5,0,0,-2,hit,2,4,0,0,1,0,0,1,near,,,,,front\n\
         8,0,5,5,0,0,1,miss,,,,,,,,,,,,,,\n"
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn all_hits_have_one_row_each_and_a_row_number() {
    let folder = Folder::with_scene(BALLS);
    let rays = "ox,oy,oz,dx,dy,dz\n0,5,0,1,0,0\n0,0,0,0,0,-1\n0,0,0,1,0,0\n";
    let run = folder.run_with(&["ray", "scene.toml", "-", "--hits", "all"], rays);
    let rows = run.rows();
    assert_eq!(
        column(&rows, "row"),
        ["0", "1", "1", "1", "1", "2", "2", "2", "2"]
    );
    let hits = [
        "miss", "hit", "hit", "hit", "hit", "hit", "hit", "hit", "hit",
    ];
    assert_eq!(column(&rows, "status"), hits);
    let sides = [
        "", "inside", "back", "front", "back", "inside", "back", "front", "back",
    ];
    assert_eq!(column(&rows, "side"), sides);
    let t = ["", "0", "1", "9", "11", "0", "1", "5", "7"];
    assert_eq!(column(&rows, "t"), t);
}

#[test]
fn any_answers_status_only_and_sides_choose() {
    let folder = Folder::with_scene(BALLS);
    let rays = "ox,oy,oz,dx,dy,dz,t_max\n0,0,5,0,0,-1,\n0,0,5,0,0,-1,3.9\n0,0,5,0,0,-1,4\n";
    let any = folder.run_with(&["ray", "scene.toml", "-", "--hits", "any"], rays);
    assert!(
        any.stdout.starts_with("ox,oy,oz,dx,dy,dz,t_max,status\n"),
        "{}",
        any.stdout
    );
    assert_eq!(column(&any.rows(), "status"), ["hit", "miss", "hit"]);
    let back = folder.run_with(&["ray", "scene.toml", "-", "--sides", "back"], rays);
    assert_eq!(column(&back.rows(), "t"), ["6", "", ""]);
}

#[test]
fn ties_go_to_the_lower_object() {
    let twice = "[[box]]\nname = \"b\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                 [[box]]\nname = \"a\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
    let folder = Folder::with_scene(twice);
    let run = folder.run_with(
        &["ray", "scene.toml", "-"],
        "ox,oy,oz,dx,dy,dz\n0.5,5,0.5,0,-1,0\n",
    );
    assert_eq!(column(&run.rows(), "object"), ["b"]);
}

#[test]
fn terrain_has_triangles_but_no_parts_and_a_model_has_both() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"roof\"\nfile = \"roof.obj\"\ntranslation = [0, 10, 0]\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write("roof.obj", "o tiles\nv 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n");
    let rays = "ox,oy,oz,dx,dy,dz\n0.25,20,0.25,0,-1,0\n1.5,20,1.5,0,-1,0\n3.5,20,3.5,0,-1,0\n";
    let rows = folder.run_with(&["ray", "scene.toml", "-"], rays).rows();
    assert_eq!(column(&rows, "object"), ["roof", "ramp", ""]);
    assert_eq!(column(&rows, "part"), ["tiles", "", ""]);
    assert_eq!(column(&rows, "triangle"), ["0", "1", ""]);
    assert_eq!(column(&rows, "y"), ["10", "0.75", ""]);
    assert_eq!(column(&rows, "status"), ["hit", "hit", "miss"]);
    assert_eq!(column(&rows, "u"), ["0.25", "0.25", ""]);
}

#[test]
fn a_march_asks_terrain_alone_and_misses_what_its_steps_miss() {
    let folder = Folder::with_scene(
        "[[terrain]]\nheights = \"spike.asc\"\n[[sphere]]\ncenter = [0, 3, 5]\nradius = 1\n",
    );
    let mut spike = "ncols 11\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n".to_owned();
    for _ in 0..3 {
        spike.push_str("0 0 0 0 0 9 0 0 0 0 0\n");
    }
    folder.write("spike.asc", spike);
    // Through the very top of a ridge one cell wide.
    let rays = "ox,oy,oz,dx,dy,dz\n0,8.9,1,1,0,0\n0,3,1,1,0,0\n";
    let exact = folder.run_with(&["ray", "scene.toml", "-"], rays).rows();
    assert_eq!(column(&exact, "status"), ["hit", "hit"]);
    let march = ["ray", "scene.toml", "-", "--method", "march", "--step"];
    let coarse = folder.run_with(&[&march[..], &["0.7"]].concat(), rays);
    let left_out = "hitscan: --method march searches terrain alone: 1 other object is left out\n";
    assert_eq!(coarse.stderr, left_out);
    let coarse = coarse.rows();
    assert_eq!(column(&coarse, "status"), ["miss", "hit"]);
    let fine = folder
        .run_with(
            &[&march[..], &["0.01", "--bisections", "40"]].concat(),
            rays,
        )
        .rows();
    assert_eq!(column(&fine, "status"), ["hit", "hit"]);
    let t: Vec<f64> = column(&fine, "t")
        .iter()
        .map(|t| t.parse().unwrap())
        .collect();
    let expected: Vec<f64> = column(&exact, "t")
        .iter()
        .map(|t| t.parse().unwrap())
        .collect();
    assert!(
        t.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5),
        "{t:?} {expected:?}"
    );
    folder
        .run(&["ray", "scene.toml", "-", "--step", "1"])
        .assert_refused(&["--method march"]);
    folder
        .run(&[
            "ray",
            "scene.toml",
            "-",
            "--method",
            "march",
            "--hits",
            "all",
        ])
        .assert_refused(&["--hits all"]);
}

#[test]
fn rows_that_cannot_be_used_are_kept_and_counted() {
    let folder = Folder::with_scene(BALLS);
    let rays = "ox,oy,oz,dx,dy,dz,t_min,t_max\n\
                0,0,5,0,0,0,,\n0,0,5,0,0,-1,2,1\n0,0,nan,0,0,-1,,\n1e39,0,5,0,0,-1,,\n\
                x,0,5,0,0,-1,,\n0,0,5,0,0,-1,,inf\n0,0,5,0,0,-1,,1e39\n";
    let run = folder.run_with(&["ray", "scene.toml", "-"], rays);
    let invalid = "invalid";
    let expected = [invalid, invalid, invalid, invalid, invalid, "hit", invalid];
    assert_eq!(column(&run.rows(), "status"), expected);
    assert!(
        run.stderr.contains("6 of 7 rows are invalid"),
        "{}",
        run.stderr
    );
    let strict = folder.run_with(
        &["ray", "scene.toml", "-", "--strict", "-o", "out.csv"],
        rays,
    );
    strict.assert_refused(&["standard input"]);
    assert_eq!(folder.files(), ["scene.toml"]);
}
