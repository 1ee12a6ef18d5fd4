//! `hitscan arc`.

use crate::{Folder, RAMP, column};

const HEADER: &str = "ox,oy,oz,vx,vy,vz,gy,t_min,t_max\n";

/// A wall, and a yard at y = 0 up to 1 m below.
const YARD: &str = "[[box]]\nname = \"yard\"\nmin = [-100, -1, -100]\nmax = [100, 0, 100]\n\
                    [[box]]\nname = \"wall\"\nmin = [10, 0, -5]\nmax = [11, 5, 5]\n";

#[test]
fn hits_misses_and_rows_that_cannot_be_used() {
    let folder = Folder::with_scene(YARD);
    let arcs = [
        "0,1,0,10,4,0,-10,,",     // against the wall, on the way down, at y = 0
        "0,1,0,10,10,0,-10,,",    // over it
        "0,0.5,0,0,10,0,-10,0,1", // up, and not yet down
        "0,5,0,0,0,0,-10,,",      // dropped
        "0,5,0,3,-5,0,0,,",       // a ray
        "0,-0.5,0,0,1,0,-10,,",   // from inside
        "0,5,0,0,0,0,0,,",        // stays where it is
        "0,5,0,0,x,0,-10,,",      // no number
        "0,5,0,0,0,0,-10,2,1",    // t_min > t_max
    ];
    let table = format!("{HEADER}{}\n", arcs.join("\n"));
    let run = folder.run_with(&["arc", "scene.toml", "-"], &table);
    let rows = run.rows();
    let expected = [
        "hit", "hit", "miss", "hit", "hit", "hit", "invalid", "invalid", "invalid",
    ];
    assert_eq!(column(&rows, "status"), expected);
    let object = column(&rows, "object");
    assert_eq!(object[..6], ["yard", "yard", "", "yard", "yard", "yard"]);
    assert_eq!(rows[0]["t"], "1");
    assert_eq!(rows[0]["x"], "10");
    assert_eq!((rows[3]["t"].as_str(), rows[3]["ny"].as_str()), ("1", "1"));
    assert_eq!((rows[4]["t"].as_str(), rows[4]["x"].as_str()), ("1", "3"));
    assert_eq!(
        (rows[5]["side"].as_str(), rows[5]["ny"].as_str()),
        ("inside", "0")
    );
    assert!(
        run.stderr.contains("3 of 9 rows are invalid"),
        "{}",
        run.stderr
    );
    let strict = folder.run_with(&["arc", "scene.toml", "-", "--strict"], &table);
    strict.assert_refused(&["arc velocity and acceleration"]);
}

#[test]
fn gravity_is_the_default_and_columns_are_carried() {
    let folder = Folder::with_scene(YARD);
    let table = "name,vz,oz,oy,ox,vx,vy\nball,0,0,4.905,0,10,0\n\"a, b\",0,0,4.905,0,3,0\n";
    let run = folder.run_with(&["arc", "scene.toml", "-"], table);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut lines = run.stdout.lines();
    assert_eq!(
        lines.next(),
        Some("name,vz,oz,oy,ox,vx,vy,status,t,x,y,z,nx,ny,nz,object,part,triangle,u,v,side")
    );
    assert_eq!(
        lines.next(),
        Some("ball,0,0,4.905,0,10,0,hit,1,10,0,0,0,1,0,yard,,,,,front")
    );
    let other = lines.next().unwrap_or_default();
    assert!(
        other.starts_with("\"a, b\",0,0,4.905,0,3,0,hit,1,3,"),
        "{other}"
    );
}

#[test]
fn hits_and_sides_choose_what_is_answered() {
    let folder = Folder::with_scene(YARD);
    let table = format!("{HEADER}0,1,0,10,4,0,-10,,\n0,1,0,10,4,0,-10,0,0.5\n");
    let any = folder.run_with(&["arc", "scene.toml", "-", "--hits", "any"], &table);
    let lines: Vec<&str> = any.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "ox,oy,oz,vx,vy,vz,gy,t_min,t_max,status",
            "0,1,0,10,4,0,-10,,,hit",
            "0,1,0,10,4,0,-10,0,0.5,miss"
        ]
    );
    let table = format!("{HEADER}0,-0.5,0,0,5,0,-10,,\n");
    let side = |side: &str| {
        let run = folder.run_with(&["arc", "scene.toml", "-", "--sides", side], &table);
        let rows = run.rows();
        (rows[0]["side"].clone(), rows[0]["t"].clone())
    };
    assert_eq!(side("both"), ("inside".to_owned(), "0".to_owned()));
    assert_eq!(side("back").0, "back");
    assert_eq!(side("front").0, "front");
    folder
        .run_with(&["arc", "scene.toml", "-", "--hits", "all"], &table)
        .assert_usage(&["all", "nearest"]);
}

#[test]
fn terrain_and_models_name_their_triangle_and_filters_count() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"sign\"\nfile = \"sign.obj\"\ntranslation = [2, 3, 1]\nlayers = 2\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write(
        "sign.obj",
        "g board\nv 0 -1 -1\nv 0 1 -1\nv 0 0 1\nf 1 2 3\n",
    );
    let table = "ox,oy_above,oz,vx,vy,vz,mask,ignore\n\
                 1,2.5,1,2,5,0,,\n1,2.5,1,2,5,0,1,\n1,2.5,1,2,5,0,,sign\n\
                 1,2.5,1,2,5,0,,sign;ramp\n1,2.5,1,2,5,0,,nobody\n-9,1,1,2,5,0,,\n";
    let run = folder.run_with(&["arc", "scene.toml", "-"], table);
    let rows = run.rows();
    assert_eq!(
        column(&rows, "status"),
        ["hit", "hit", "hit", "miss", "invalid", "invalid"]
    );
    let table = "ox,oy_above,oz,vx,vy,vz,mask,ignore\n\
                 1,2.5,1,1,1,0,,\n1,2.5,1,1,1,0,1,\n1,2.5,1,1,1,0,,sign\n";
    let rows = folder.run_with(&["arc", "scene.toml", "-"], table).rows();
    assert_eq!(column(&rows, "object"), ["ramp", "ramp", "ramp"]);
    assert_eq!(column(&rows, "part"), ["", "", ""]);
    let table = "ox,oy,oz,vx,vy,vz,gy,mask,ignore\n\
                 1,3,1,1,1,0,-2,,\n1,3,1,1,1,0,-2,1,\n1,3,1,1,1,0,-2,,sign\n";
    let rows = folder.run_with(&["arc", "scene.toml", "-"], table).rows();
    assert_eq!(column(&rows, "object"), ["sign", "ramp", "ramp"]);
    assert_eq!(column(&rows, "part"), ["board", "", ""]);
    assert_eq!(rows[0]["t"], "1");
}
