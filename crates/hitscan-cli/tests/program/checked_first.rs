//! Refusals before the scene is loaded, which may take long: the scenes here cannot be loaded at
//! all, and are not what the message is about.

use crate::{Folder, RAMP};

const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0,9,0,0,-1,0\n";

/// Arguments, the exit code, and words of the message.
const REFUSED: &str = "\
    ray scene.toml none.csv                        | 2 | none.csv | cannot be read
    ray scene.toml short.csv                       | 2 | short.csv | `dz` is missing
    ray scene.toml short.csv --explain 0           | 2 | `dz` is missing
    ray scene.toml taken.csv                       | 2 | taken.csv | `t` | --prefix
    ray scene.toml rays.csv -o x.txt               | 2 | x.txt | --format
    ray scene.toml rays.csv -o no/x.csv            | 1 | no/x.csv | written
    ray scene.toml rays.csv --explain 0 -o no/x    | 1 | no/x
    ray scene.toml rays.csv --explain 0 --format csv | 2 | --format
    arc scene.toml rays.csv                        | 2 | `vx` is missing
    height scene.toml rays.csv                     | 2 | `x` is missing
    height scene.toml eyes.csv --method footprint  | 2 | `radius`
    sweep scene.toml rays.csv --shape sphere       | 2 | `cx` is missing
    overlap scene.toml rays.csv                    | 2 | `min_x` is missing
    overlap scene.toml -o x.txt                    | 2 | x.txt | --format
    closest scene.toml rays.csv                    | 2 | `px` is missing
    distance scene.toml rays.csv                   | 2 | `object_a` is missing
    distance scene.toml -o x.txt                   | 2 | x.txt | --format
    overlap scene.toml --apart 1 -o x.txt          | 2 | x.txt | --format
    sight scene.toml eyes.csv rays.csv             | 2 | rays.csv | `x` is missing
    sight scene.toml rays.csv eyes.csv             | 2 | rays.csv | `x` is missing
    sight scene.toml eyes.csv eyes.csv -o x        | 2 | x: | --format
    viewshed scene.toml --eye 0,0 -o no/x.png      | 1 | no/x.png
    render scene.toml -o no/x.png                  | 1 | no/x.png
    bake scene.toml -o no/x.baked                  | 1 | no/x.baked";

#[test]
fn tables_columns_formats_and_folders() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\n");
    folder.write("rays.csv", RAYS);
    folder.write("short.csv", "ox,oy,oz,dx,dy\n0,9,0,0,-1\n");
    folder.write("taken.csv", "ox,oy,oz,dx,dy,dz,t\n0,9,0,0,-1,0,1\n");
    folder.write("eyes.csv", "x,y,z\n0,9,0\n");
    for line in REFUSED.lines() {
        let mut cells = line.split('|').map(str::trim);
        let arguments: Vec<&str> = cells.next().unwrap().split_whitespace().collect();
        let run = folder.run(&arguments);
        assert_eq!(
            cells.next(),
            Some(&*run.code.to_string()),
            "{line}: {}",
            run.stderr
        );
        for word in cells {
            assert!(run.stderr.contains(word), "{line}: {}", run.stderr);
        }
        assert!(!run.stderr.contains("scene.toml"), "{line}: {}", run.stderr);
    }
    let files = [
        "eyes.csv",
        "rays.csv",
        "scene.toml",
        "short.csv",
        "taken.csv",
    ];
    assert_eq!(folder.files(), files);
}

/// Whether a name of a map's axes will do, only the scene can tell.
#[test]
fn names_of_a_map_wait_for_the_scene() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\n");
    for header in [
        "easting,height,northing,dx,dy,dz",
        "lon,height,lat,dx,dy,dz",
        "easting,oy_above,northing,dx,dy,dz",
        "lon,hieght,lat,dx,dy,dz",
    ] {
        folder.write("rays.csv", format!("{header}\n0,9,0,0,-1,0\n"));
        folder
            .run(&["ray", "scene.toml", "rays.csv"])
            .assert_refused(&["scene.toml"]);
    }
    folder.write(
        "boxes.csv",
        "min_lon,min_height,max_lat,max_lon,max_height,min_lat\n",
    );
    folder
        .run(&["overlap", "scene.toml", "boxes.csv"])
        .assert_refused(&["scene.toml"]);
}

#[test]
fn a_scene_without_ground_has_no_heights() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    folder.write("points.csv", "x,z,radius\n0,0,1\n");
    for method in ["exact", "footprint"] {
        folder
            .run(&["height", "scene.toml", "points.csv", "--method", method])
            .assert_refused(&["scene.toml", "1 object", "[[terrain]]"]);
    }
    folder.write("scene.toml", "");
    folder
        .run(&["height", "scene.toml", "points.csv"])
        .assert_refused(&["no objects", "[[terrain]]"]);
    folder.write("ground.asc", RAMP);
    folder.write("scene.toml", "[[terrain]]\nheights = 'ground.asc'\n");
    assert_eq!(folder.run(&["height", "scene.toml", "points.csv"]).code, 0);
}
