//! The columns `mask` and `ignore` of rays, moves and points.

use crate::{Folder, column};

/// Along z: two balls, then a wall, with the origin in front of them.
const ROW: &str = r#"
[[sphere]]
name = "near"
center = [0.0, 0.0, -5.0]
radius = 1.0

[[sphere]]
name = "far"
center = [0.0, 0.0, -10.0]
radius = 1.0

[[box]]
name = "the wall"
min = [-9.0, -9.0, -21.0]
max = [9.0, 9.0, -20.0]
"#;

/// Casts one ray along the row for each pair of `mask` and `ignore`.
fn cast(folder: &Folder, filters: &[&str], options: &[&str]) -> crate::Run {
    let mut table = "ox,oy,oz,dx,dy,dz,mask,ignore\n".to_owned();
    for filter in filters {
        table.push_str(&format!("0,0,0,0,0,-1,{filter}\n"));
    }
    folder.run_with(&[&["ray", "scene.toml", "-"], options].concat(), &table)
}

#[test]
fn a_ray_passes_through_what_it_ignores() {
    let folder = Folder::with_scene(ROW);
    let run = cast(
        &folder,
        &[
            ",",
            ",near",
            ",far",
            ",near;far",
            ", far ; near ; ",
            ",near;near",
            ",\"near;far;the wall\"",
            ",the wall",
            ",;",
        ],
        &[],
    );
    assert_eq!(
        column(&run.rows(), "object"),
        [
            "near", "far", "near", "the wall", "the wall", "far", "", "near", "near"
        ]
    );
    assert_eq!(
        column(&run.rows(), "t"),
        ["4", "9", "4", "20", "20", "9", "", "4", "4"]
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn a_ray_sees_the_layers_of_its_mask() {
    let folder = Folder::with_scene(ROW);
    // Objects are in the first layer where the scene does not say otherwise.
    let masks = [
        "1,",
        "2,",
        "0,",
        "3,",
        "4294967295,",
        "4294967294,",
        "0x1,",
        "0b110,",
        "1.0,",
        ",",
        "1,near",
    ];
    let rows = cast(&folder, &masks, &[]).rows();
    let expected = [
        "near", "", "", "near", "near", "", "near", "", "near", "near", "far",
    ];
    assert_eq!(column(&rows, "object"), expected);
}

#[test]
fn any_and_all_hits_are_filtered_too() {
    let folder = Folder::with_scene(ROW);
    let filters = [",", "2,", ",near", ",near;far", ",near;far;the wall"];
    let any = cast(&folder, &filters, &["--hits", "any"]).rows();
    assert_eq!(
        column(&any, "status"),
        ["hit", "miss", "hit", "hit", "miss"]
    );
    let all = cast(&folder, &filters[1..], &["--hits", "all"]).rows();
    assert_eq!(
        column(&all, "row"),
        ["0", "1", "1", "1", "1", "2", "2", "3"]
    );
    assert_eq!(
        column(&all, "object"),
        [
            "", "far", "far", "the wall", "the wall", "the wall", "the wall", ""
        ]
    );
}

#[test]
fn a_filter_and_sides_both_apply() {
    let folder = Folder::with_scene(ROW);
    let rows = cast(&folder, &[",", ",near"], &["--sides", "back"]).rows();
    assert_eq!(column(&rows, "object"), ["near", "far"]);
    assert_eq!(column(&rows, "t"), ["6", "11"]);
}

#[test]
fn a_name_that_no_object_has_is_invalid_and_reported() {
    let folder = Folder::with_scene(ROW);
    let run = cast(&folder, &[",near", ",neer", ",near;Far", ",far"], &[]);
    let rows = run.rows();
    assert_eq!(
        column(&rows, "status"),
        ["hit", "invalid", "invalid", "hit"]
    );
    assert_eq!(column(&rows, "ignore"), ["near", "neer", "near;Far", "far"]);
    for words in [
        "2 of 4 rows are invalid",
        "row 1",
        "the column `ignore` names no object but `neer`; did you mean `near`?",
    ] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let run = cast(&folder, &[",near;Far"], &["--strict"]);
    run.assert_refused(&["`Far`; did you mean `far`?"]);
    let run = cast(&folder, &[",xyz"], &["--strict"]);
    run.assert_refused(&["`xyz`; there are "]);
    let run = cast(&folder, &["1.5,"], &["--strict"]);
    run.assert_refused(&["the column `mask` holds no whole number from 0 to 4294967295 but `1.5`"]);
}

#[test]
fn a_name_may_hold_a_semicolon() {
    let folder = Folder::with_scene(
        "[[sphere]]\nname = \"a;b\"\ncenter = [0, 0, -5]\nradius = 1\n\
         [[sphere]]\nname = \"a\"\ncenter = [0, 0, -10]\nradius = 1\n",
    );
    let rows = cast(&folder, &[",a", ",a;b"], &[]).rows();
    assert_eq!(column(&rows, "object"), ["a;b", "a"]);
}

#[test]
fn a_moving_body_passes_through_itself() {
    let folder = Folder::with_scene(ROW);
    // The box is where the near ball is.
    let header = "ignore,mask,min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n";
    let moved = "-1,-1,-6,1,1,-4,0,0,-28\n";
    let filters = [",", "near,", "near;far,", ",2", "nera,"];
    let rows: Vec<String> = filters.map(|filter| format!("{filter},{moved}")).into();
    let table = format!("{header}{}", rows.concat());
    let run = folder.run_with(&["sweep", "scene.toml", "-"], &table);
    let rows = run.rows();
    assert_eq!(
        column(&rows, "status"),
        ["overlap", "hit", "hit", "miss", "invalid"]
    );
    assert_eq!(column(&rows, "object"), ["near", "far", "the wall", "", ""]);
    assert_eq!(column(&rows, "t")[2], "0.5");
    assert!(
        run.stderr.contains("did you mean `near`?"),
        "{}",
        run.stderr
    );
}

/// A hill above a plain, each flat: 5 m and 1 m high.
fn two_terrains() -> Folder {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"hill\"\nheights = \"hill.asc\"\n\
         [[terrain]]\nname = \"plain\"\nheights = \"plain.asc\"\n",
    );
    for (name, height) in [("hill.asc", 5), ("plain.asc", 1)] {
        let row = format!("{height} {height} {height}\n").repeat(3);
        let head = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
        folder.write(name, format!("{head}{row}"));
    }
    folder
}

#[test]
fn terrains_can_be_left_out_of_heights() {
    let folder = two_terrains();
    let table =
        "x,z,mask,ignore\n1,1,,\n1,1,,hill\n1,1,,hill;plain\n1,1,2,\n1,1,1,plain\n1,1,,hil\n";
    for method in [
        &["--method", "exact"][..],
        &["--method", "max", "--radius", "1"],
        &["--method", "mean", "--radius", "1"],
    ] {
        let arguments = [&["height", "scene.toml", "-"], method].concat();
        let run = folder.run_with(&arguments, table);
        let rows = run.rows();
        assert_eq!(
            column(&rows, "status"),
            ["ok", "ok", "outside", "outside", "ok", "invalid"],
            "{method:?}"
        );
        assert_eq!(column(&rows, "height"), ["5", "1", "", "", "5", ""]);
        assert_eq!(
            column(&rows, "object"),
            ["hill", "plain", "", "", "hill", ""]
        );
        assert!(
            run.stderr.contains("did you mean `hill`?"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_march_leaves_terrains_out_too() {
    let folder = two_terrains();
    let table = "ox,oy,oz,dx,dy,dz,mask,ignore\n\
                 1,9,1,0,-1,0,,\n1,9,1,0,-1,0,,hill\n1,9,1,0,-1,0,2,\n1,9,1,0,-1,0,1,plain;hill\n";
    for method in ["exact", "march"] {
        let nearest = ["ray", "scene.toml", "-", "--method", method];
        let rows = folder.run_with(&nearest, table).rows();
        assert_eq!(
            column(&rows, "object"),
            ["hill", "plain", "", ""],
            "{method}"
        );
        let any = [&nearest[..], &["--hits", "any"]].concat();
        let rows = folder.run_with(&any, table).rows();
        assert_eq!(column(&rows, "status"), ["hit", "hit", "miss", "miss"]);
    }
}

#[test]
fn the_help_names_the_columns() {
    let folder = Folder::new();
    for command in ["ray", "sweep", "height", "closest"] {
        let run = folder.run(&[command, "--help"]);
        for column in ["mask ", "ignore "] {
            assert!(run.stdout.contains(column), "{command}: {}", run.stdout);
        }
    }
}

#[test]
fn masks_select_layers_of_every_kind_of_object() {
    let solids = r#"
[[sphere]]
name = "ball"
center = [0.0, 0.0, -5.0]
radius = 1.0
layers = 2

[[box]]
name = "crate"
min = [-1.0, -1.0, -9.0]
max = [1.0, 1.0, -8.0]
layers = 4

[[capsule]]
name = "post"
a = [0.0, -1.0, -12.0]
b = [0.0, 1.0, -12.0]
radius = 0.5
layers = 8

[[obb]]
name = "plank"
center = [0.0, 0.0, -15.0]
half_size = [2.0, 2.0, 0.5]
rotation = [0.0, 0.0, 0.3826834, 0.9238795]
layers = 0x10

[[box]]
name = "wall"
min = [-9.0, -9.0, -21.0]
max = [9.0, 9.0, -20.0]
"#;
    let folder = Folder::with_scene(solids);
    let run = cast(
        &folder,
        &[",", "1,", "2,", "4,", "8,", "16,", "28,", "32,", "0,"],
        &[],
    );
    assert_eq!(run.stderr, "");
    assert_eq!(
        column(&run.rows(), "object"),
        [
            "ball", "wall", "ball", "crate", "post", "plank", "crate", "", ""
        ]
    );
    assert_eq!(
        column(&run.rows(), "t"),
        ["4", "20", "4", "8", "11.5", "14.5", "8", "", ""]
    );
}

#[test]
fn a_crowd_is_placed_and_hit_by_name() {
    let folder = Folder::with_scene(
        "[[crowd]]\nname = \"guard\"\nfile = \"tri.obj\"\nplaces = \"places.csv\"\n",
    );
    folder.write("tri.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("places.csv", "x,y,z,turn\n0,0,0,0\n10,0,0,\n20,5,0,0\n");
    let rays = "ox,oy,oz,dx,dy,dz\n0.2,0.2,3,0,0,-1\n10.2,0.2,3,0,0,-1\n20.2,5.2,3,0,0,-1\n5,0.2,3,0,0,-1\n";
    let run = folder.run_with(&["ray", "scene.toml", "-"], rays);
    assert_eq!(
        column(&run.rows(), "object"),
        ["guard0", "guard1", "guard2", ""]
    );
}
