//! Tables about a scene with a `[world] origin`: positions by easting, height and northing, as f64.

use crate::{Folder, column};

fn folder() -> Folder {
    Folder::with_scene(
        "[world]\norigin = [500000.0, 100.0, 6250000.0]\n\
         [[sphere]]\nname = \"ball\"\ncenter = [10, 5, 20]\nradius = 2\n\
         [[box]]\nmin = [9, 0, 19]\nmax = [12, 5, 22]\n",
    )
}

#[test]
fn rays_start_and_hit_in_the_map_s_coordinates() {
    let table = "id,northing,easting,height,dx,dy,dz\na,6249980,500010,150.0625,0,-1,0\n\
        b,6249980.001,500010.25,150,0,1,0\nc,1e300,500010,150,0,-1,0\n";
    let run = folder().run_with(&["ray", "scene.toml", "-", "--prefix", "p_"], table);
    let rows = run.rows();
    assert_eq!(column(&rows, "p_status"), ["hit", "miss", "invalid"]);
    let hit = [
        "p_t",
        "p_hit_easting",
        "p_hit_height",
        "p_hit_northing",
        "p_object",
    ];
    let found = hit.map(|name| rows[0][name].as_str());
    assert_eq!(found, ["43.0625", "500010", "107", "6249980", "ball"]);
    assert!(
        run.stderr.contains("`1e300` in the column `northing`"),
        "{}",
        run.stderr
    );
    // The carried columns are the rows' own bytes.
    assert_eq!(
        column(&rows, "northing"),
        ["6249980", "6249980.001", "1e300"]
    );
}

/// A smaller northing is a greater z.
#[test]
fn boxes_have_their_corners_on_the_map() {
    let table = "min_easting,max_easting,min_height,max_height,min_northing,max_northing,dx,dy,dz\n\
        500009,500011,120,122,6249979,6249981,0,-50,0\n\
        500009,500011,120,122,6249981,6249979,0,-50,0\n";
    let run = folder().run_with(&["sweep", "scene.toml", "-"], table);
    let rows = run.rows();
    assert_eq!(column(&rows, "status"), ["hit", "invalid"]);
    assert_eq!(column(&rows, "t"), ["0.26", ""]);
}

/// A bar swings about a post: both are where the map has them.
#[test]
fn what_is_turned_about_is_on_the_map() {
    let turns = [
        "",
        "pivot_easting,pivot_height,pivot_northing",
        "pivot_x,pivot_y,pivot_z",
    ];
    let answers = turns.map(|pivot| {
        let place = match pivot {
            "" => "",
            "pivot_x,pivot_y,pivot_z" => ",500010,121,6250020",
            _ => ",500010,121,6249980",
        };
        let comma = if pivot.is_empty() { "" } else { "," };
        let table = format!(
            "min_easting,max_easting,min_height,max_height,min_northing,max_northing,\
             dx,dy,dz,axis_z,angle{comma}{pivot}\n\
             500009,500011,120,122,6249979,6249981,0,-50,0,1,0.5{place}\n"
        );
        let table = table.replace(' ', "");
        let run = folder().run_with(&["sweep", "scene.toml", "-", "--turning"], &table);
        run.rows()[0]["t"].clone()
    });
    // The middle of the box, and the same by either name.
    assert!(answers[0].starts_with("0.2"), "{answers:?}");
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn one_position_is_said_in_one_way() {
    let folder = folder();
    folder
        .run_with(&["ray", "scene.toml", "-"], "ox,easting,oy,oz,dx,dy,dz\n")
        .assert_refused(&["`ox` and `easting`", "rename"]);
    folder
        .run_with(&["ray", "scene.toml", "-"], "easting,oy,dx,dy,dz\n")
        .assert_refused(&["`oz` is missing", "`northing` in its place"]);
}

/// The origin that the scene states is taken off x, y and z, and added to those of answers.
#[test]
fn positions_by_their_own_names_are_off_by_the_origin() {
    let rows = folder()
        .run_with(
            &["ray", "scene.toml", "-"],
            "ox,oy,oz,dx,dy,dz\n500010.0,150,6250020,0,-1,0\n10,50,20,0,-1,0\n",
        )
        .rows();
    assert_eq!(column(&rows, "status"), ["hit", "miss"]);
    let hit = ["t", "x", "y", "z"].map(|name| rows[0][name].as_str());
    assert_eq!(hit, ["43", "500010", "107", "6250020"]);
}
