//! `hitscan closest`.

use crate::{Folder, RAMP, column};

const SCENE: &str = "[[box]]\nname = \"crate\"\nmin = [0, 0, 0]\nmax = [4, 2, 4]\n\
     [[sphere]]\nname = \"ball\"\ncenter = [10, 1, 1]\nradius = 2\nlayers = 0b1000\n";

#[test]
fn points_outside_inside_and_too_far() {
    let folder = Folder::with_scene(SCENE);
    let points = [
        "a,1,5,1,",   // above the crate
        "b,1,1.5,1,", // within it
        "c,1,5,1,3",  // at the greatest distance
        "d,1,5,1,2.9",
        "e,1,1.5,1,0", // within, whatever the distance
        "f,10,1,1,",   // the middle of the ball
        "g,2,2,2,",    // on the crate
        "h,1,5,1,-1",
        "i,nan,5,1,",
    ];
    let table = format!("name,px,py,pz,max_distance\n{}\n", points.join("\n"));
    let run = folder.run_with(&["closest", "scene.toml", "-"], &table);
    let header =
        "name,px,py,pz,max_distance,status,distance,x,y,z,nx,ny,nz,object,part,triangle,u,v";
    assert_eq!(run.stdout.lines().next(), Some(header));
    let rows = run.rows();
    let status = [
        "ok", "inside", "ok", "none", "inside", "inside", "ok", "invalid", "invalid",
    ];
    assert_eq!(column(&rows, "status"), status);
    let distance = ["3", "-0.5", "3", "", "-0.5", "-2", "0", "", ""];
    assert_eq!(column(&rows, "distance"), distance);
    assert_eq!(column(&rows, "y")[..2], ["2", "2"]);
    assert_eq!(column(&rows, "ny")[..2], ["1", "1"]);
    assert_eq!(rows[6]["ny"], "1");
    assert_eq!(rows[5]["object"], "ball");
    assert_eq!(column(&rows, "part"), [""; 9]);
    assert!(
        run.stderr.contains("2 of 9 rows are invalid"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("max_distance must be at least 0"),
        "{}",
        run.stderr
    );
    let strict = folder.run_with(&["closest", "scene.toml", "-", "--strict"], &table);
    strict.assert_refused(&["max_distance"]);
}

#[test]
fn masks_and_ignored_names() {
    let folder = Folder::with_scene(SCENE);
    let table = "px,py,pz,mask,ignore\n5,1,1,,\n5,1,1,,crate\n5,1,1,0x8,\n5,1,1,,crate;ball\n5,1,1,,chair\n";
    let run = folder.run_with(&["closest", "scene.toml", "-"], table);
    let rows = run.rows();
    assert_eq!(column(&rows, "object"), ["crate", "ball", "ball", "", ""]);
    assert_eq!(
        column(&rows, "status"),
        ["ok", "ok", "ok", "none", "invalid"]
    );
    assert_eq!(column(&rows, "distance"), ["1", "3", "3", "", ""]);
}

#[test]
fn terrain_and_models_name_their_triangle() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"sign\"\nfile = \"sign.obj\"\ntranslation = [0, 5, 0]\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write("sign.obj", "g board\nv 0 0 0\nv 0 4 0\nv 0 0 4\nf 1 2 3\n");
    let table = "px,py,pz\n3,1,1\n-2,6,1\n";
    let rows = folder
        .run_with(&["closest", "scene.toml", "-"], table)
        .rows();
    assert_eq!(column(&rows, "object"), ["ramp", "sign"]);
    assert_eq!(column(&rows, "part"), ["", "board"]);
    assert_eq!(
        (rows[1]["distance"].as_str(), rows[1]["nx"].as_str()),
        ("2", "-1")
    );
    assert_eq!(
        (rows[1]["u"].as_str(), rows[1]["v"].as_str()),
        ("0.25", "0.25")
    );
    // Half a metre below the ramp, which rises by one in two.
    let distance: f64 = rows[0]["distance"].parse().unwrap();
    assert!((distance - 0.2_f64.sqrt()).abs() < 1e-7);
    assert!(rows[0]["ny"].starts_with('-'));
}

/// A cube from 0 to 2 whose triangles share no corner indices; `open` leaves out one of them.
fn cube(open: bool) -> String {
    let quads = [
        [[0, 0, 0], [0, 2, 0], [2, 2, 0], [2, 0, 0]],
        [[0, 0, 2], [2, 0, 2], [2, 2, 2], [0, 2, 2]],
        [[0, 0, 0], [0, 0, 2], [0, 2, 2], [0, 2, 0]],
        [[2, 0, 0], [2, 2, 0], [2, 2, 2], [2, 0, 2]],
        [[0, 0, 0], [2, 0, 0], [2, 0, 2], [0, 0, 2]],
        [[0, 2, 0], [0, 2, 2], [2, 2, 2], [2, 2, 0]],
    ];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let mut text = String::new();
    for (index, triangle) in triangles.skip(usize::from(open)).enumerate() {
        for [x, y, z] in triangle {
            text += &format!("v {x} {y} {z}\n");
        }
        let first = 3 * index + 1;
        text += &format!("f {first} {} {}\n", first + 1, first + 2);
    }
    text
}

#[test]
fn closed_models_have_an_inside_if_asked() {
    let folder = Folder::with_scene(
        "[[model]]\nname = \"whole\"\nfile = \"whole.obj\"\n\
         [[model]]\nname = \"open\"\nfile = \"open.obj\"\ntranslation = [10, 0, 0]\n",
    );
    folder.write("whole.obj", cube(false));
    folder.write("open.obj", cube(true));
    let table = "px,py,pz,max_distance\n1,1.5,1,0\n11,1.5,1,\n1,3,1,\n";
    let signed = folder
        .run_with(&["closest", "scene.toml", "-", "--signed"], table)
        .rows();
    assert_eq!(column(&signed, "status"), ["inside", "ok", "ok"]);
    assert_eq!(column(&signed, "distance"), ["-0.5", "0.5", "1"]);
    assert_eq!(column(&signed, "ny"), ["1", "-1", "1"]);
    let unsigned = folder
        .run_with(&["closest", "scene.toml", "-"], table)
        .rows();
    assert_eq!(column(&unsigned, "status"), ["none", "ok", "ok"]);
}

#[test]
fn every_format_has_the_same_answers() {
    let folder = Folder::with_scene(SCENE);
    folder.write("points.csv", "px,py,pz\n1,5,1\n1,1.5,1\n");
    let plain = folder.run(&["closest", "scene.toml", "points.csv"]);
    for format in ["parquet", "arrow"] {
        let file = format!("out.{format}");
        assert_eq!(
            folder
                .run(&["closest", "scene.toml", "points.csv", "-o", &file])
                .code,
            0
        );
        // Answers are carried through a second command.
        let again = folder
            .run(&["closest", "scene.toml", &file, "--prefix", "again_"])
            .rows();
        assert_eq!(
            column(&again, "distance"),
            column(&plain.rows(), "distance")
        );
        assert_eq!(column(&again, "again_x"), column(&plain.rows(), "x"));
    }
}

#[test]
fn positions_of_a_map_are_answered_in_it() {
    let folder = Folder::with_scene(&format!("[world]\norigin = [500000, 0, 6200000]\n{SCENE}"));
    let table = "easting,height,northing\n500001,5,6199999\n";
    let rows = folder
        .run_with(&["closest", "scene.toml", "-"], table)
        .rows();
    assert_eq!(rows[0]["nearest_height"], "2");
    assert_eq!(rows[0]["nearest_easting"], "500001");
}
