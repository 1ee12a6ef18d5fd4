//! Objects that share a surface.

use crate::{Folder, Run, column};

/// Flat ground of 4 x 4 m in samples 2 m apart, with its south-western sample at (west, 0).
fn flat(west: i32) -> String {
    format!("ncols 3\nnrows 3\nxllcenter {west}\nyllcenter 0\ncellsize 2\n0 0 0\n0 0 0\n0 0 0\n")
}

/// Two tiles of terrain from x = 0 to 8, and a floor of triangles beyond.
///
///   west | east | floor
fn folder(scene: &str) -> Folder {
    let folder = Folder::with_scene(scene);
    folder.write("west.asc", flat(0));
    folder.write("east.asc", flat(4));
    // Its border has the corners of the tile beside it.
    let floor = "v 8 0 0\nv 8 0 2\nv 8 0 4\nv 12 0 4\nv 12 0 0\nf 1 2 5\nf 2 3 4\nf 2 4 5\n";
    folder.write("floor.obj", floor);
    folder
}

const TILES: &str = "[[terrain]]\nname = 'west'\nheights = 'west.asc'\nSURFACE\n\
                     [[terrain]]\nname = 'east'\nheights = 'east.asc'\norigin = [4, 0, 0]\nSURFACE\n\
                     [[model]]\nname = 'floor'\nfile = 'floor.obj'\nSURFACE\n";

/// A crate a hair in the ground that slides to the east, over all seams.
const CRATE: &str = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz,ignore\n\
                     0.5,-0.001,0.5,1.5,1,1.5,9,0,0,\n\
                     0.5,-0.001,0.5,1.5,1,1.5,9,0,0,east\n";

fn slide(folder: &Folder, scene: &str, more: &[&str]) -> Run {
    let arguments = ["sweep", scene, "-", "--initial-overlap", "escape"];
    folder.run_with(&[&arguments, more].concat(), CRATE)
}

#[test]
fn a_crate_slides_over_the_seams_of_a_surface() {
    let folder = folder(&TILES.replace("SURFACE", "surface = 'ground'"));
    folder.write("apart.toml", TILES.replace("SURFACE", ""));
    let apart = slide(&folder, "apart.toml", &[]).rows();
    assert_eq!(column(&apart, "object"), ["east", "floor"]);
    let run = slide(&folder, "scene.toml", &[]);
    assert_eq!(run.stderr, "");
    let together = run.rows();
    assert_eq!(column(&together, "status"), ["miss", "hit"]);
    // Without the tile between, the floor's edge counts again.
    assert_eq!(
        [&together[1]["object"], &together[1]["nx"]],
        ["floor", "-1"]
    );
    let baked = folder.run(&["bake", "scene.toml", "-o", "scene.baked"]);
    assert_eq!(baked.code, 0, "{}", baked.stderr);
    assert_eq!(slide(&folder, "scene.baked", &[]).stdout, run.stdout);

    let explained = slide(&folder, "scene.toml", &["--explain", "0", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&explained.stdout).unwrap();
    assert_eq!(json["answer"]["status"], "miss");
    let candidates = json["candidates"].as_array().unwrap();
    let verdicts = |object: &str| {
        let own = candidates.iter().filter(|one| one["object"] == object);
        let mut verdicts: Vec<_> = own.map(|one| one["verdict"].as_str().unwrap()).collect();
        verdicts.sort_unstable();
        verdicts.dedup();
        verdicts
    };
    assert_eq!(verdicts("west"), ["left_out", "parts"]);
    assert_eq!(verdicts("east"), ["left_out"]);
    assert_eq!(verdicts("floor"), ["left_out"]);
}

#[test]
fn a_surface_answers_once_for_all_of_its_objects() {
    let folder = folder(&TILES.replace("SURFACE", "surface = 'ground'"));
    // A ball that comes down across the first seam.
    let ball = "cx,cy,cz,radius,dx,dy,dz,margin\n4.25,2,1.5,0.5,0,-3,0,2\n";
    let drop = |more: &[&str]| {
        let arguments = ["sweep", "scene.toml", "-", "--shape", "sphere"];
        folder.run_with(&[&arguments, more].concat(), ball).rows()
    };
    for more in [&[][..], &["--hits", "all"]] {
        let hits = drop(more);
        assert_eq!(column(&hits, "object"), ["east"], "{more:?}");
        assert_eq!(column(&hits, "t"), ["0.5"]);
    }
    let near = |each: &str| {
        let arguments = [
            "overlap",
            "scene.toml",
            "-",
            "--shape",
            "sphere",
            "--each",
            each,
        ];
        folder.run_with(&arguments, ball).rows()
    };
    assert_eq!(column(&near("object"), "object"), ["east"]);
    let triangles = near("triangle");
    assert_eq!(column(&triangles, "status"), vec!["near"; triangles.len()]);
    assert!(column(&triangles, "object").contains(&"east"));
    for (method, height) in [("max", "0"), ("mean", "0"), ("footprint", "0")] {
        let more: &[&str] = if method == "footprint" {
            &[]
        } else {
            &["--radius", "2"]
        };
        let arguments = ["height", "scene.toml", "-", "--method", method];
        let table = if method == "footprint" {
            "x,z,radius\n5,2,2\n"
        } else {
            "x,z\n5,2\n"
        };
        let rows = folder.run_with(&[&arguments, more].concat(), table).rows();
        assert_eq!(column(&rows, "height"), [height], "{method}");
        assert_eq!(column(&rows, "object"), ["west"], "{method}");
        if method == "footprint" {
            assert_eq!(column(&rows, "coverage"), ["1"]);
        }
        let explain = [&arguments[..], more, &["--explain", "0", "--json"]].concat();
        let run = folder.run_with(&explain, table);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(json["answer"]["object"], "west", "{method}");
        let candidates = json["candidates"].as_array().unwrap().iter();
        let verdicts = candidates.map(|one| [&one["object"], &one["verdict"]]);
        let verdicts: Vec<_> = verdicts
            .map(|both| both.map(|one| one.as_str().unwrap()))
            .collect();
        assert_eq!(verdicts, [["west", "answer"], ["east", "tie"]], "{method}");
    }
}

#[test]
fn one_surface_is_that_of_all_georeferenced_terrains() {
    let tile = |name: &str| {
        format!("[[terrain]]\nname = '{name}'\nheights = '{name}.asc'\ngeoreferenced = true\n")
    };
    let tiles = [tile("west"), tile("east")].concat();
    let folder = folder(&format!("[world]\none_surface = true\n{tiles}"));
    folder.write("apart.toml", &tiles);
    folder.write(
        "other.toml",
        format!("[world]\none_surface = true\n{tiles}surface = 'its own'\n"),
    );
    let crate_row =
        "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n0.5,-0.001,0.5,1.5,1,1.5,6,0,0\n";
    let slide = |scene: &str| {
        let arguments = ["sweep", scene, "-", "--initial-overlap", "escape"];
        let run = folder.run_with(&arguments, crate_row);
        (run.rows()[0]["object"].clone(), run.stderr)
    };
    let [apart, together, other] = ["apart.toml", "scene.toml", "other.toml"].map(slide);
    let is_caught = |(object, _): &(String, String)| object == "east";
    assert_eq!(
        [&apart, &together, &other].map(is_caught),
        [true, false, true]
    );
    assert_eq!(together.1, "");
    // Each surface has one terrain.
    assert!(
        other
            .1
            .contains("one object alone has `surface = \"its own\"`"),
        "{}",
        other.1
    );
    assert!(
        other.1.contains("one terrain alone is georeferenced"),
        "{}",
        other.1
    );
}

#[test]
fn what_is_no_surface_is_said() {
    let folder = folder("");
    for (scene, words) in [
        (
            TILES
                .replacen("SURFACE", "surface = ''", 1)
                .replace("SURFACE", ""),
            &[
                "line 4, column 11",
                "a name that is not empty for `surface`",
            ][..],
        ),
        (
            TILES
                .replacen("SURFACE", "surface = 3", 1)
                .replace("SURFACE", ""),
            &["line 4, column 11", "`surface`", "a string"],
        ),
        (
            "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nsurface = 'ground'\n".to_owned(),
            &["line 4, column 1", "unknown key `surface`"],
        ),
        (
            "[world]\none_surface = 'ground'\n".to_owned(),
            &["line 2, column 15", "`one_surface`", "true or false"],
        ),
    ] {
        folder.write("scene.toml", &scene);
        folder.run(&["overlap", "scene.toml"]).assert_refused(words);
    }
    let none = format!(
        "[world]\none_surface = true\n{}",
        TILES.replace("SURFACE", "")
    );
    folder.write("scene.toml", none);
    let run = folder.run(&["overlap", "scene.toml"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr
            .contains("is for georeferenced terrains, and there is none"),
        "{}",
        run.stderr
    );
}
