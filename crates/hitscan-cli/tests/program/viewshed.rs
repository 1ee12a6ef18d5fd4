//! `hitscan viewshed`.

use crate::{Folder, RAMP};
use hitscan_assets::heights::read_heights_file;

/// A ridge along z at column 2, lower ground behind it and a tower at column 4; a hole in row 1.
const RIDGE: &str = "ncols 5\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n\
                     0 0 5 0 9\n0 0 5 -9 9\n";

fn folder() -> Folder {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = 'ridge'\nheights = 'ridge.asc'\n\
         [[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\norigin = [100, 0, 0]\n\
         [[box]]\nname = 'wall'\nmin = [0.4, 0, -1]\nmax = [0.6, 99, 0.5]\nlayers = 2\n",
    );
    folder.write("ridge.asc", RIDGE);
    folder.write("ramp.asc", RAMP);
    folder
}

/// The grey levels of a PNG of so many columns, as rows of text: `+` visible, `.` not, `?` neither.
fn levels(folder: &Folder, name: &str, columns: usize) -> Vec<String> {
    let file = std::fs::File::open(folder.path(name)).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(frame.color_type, png::ColorType::Grayscale);
    assert_eq!(frame.width as usize, columns);
    let level = |pixel: &u8| match pixel {
        255 => '+',
        0 => '.',
        128 => '?',
        _ => '!',
    };
    let rows = pixels.chunks(columns);
    rows.map(|row| row.iter().map(level).collect()).collect()
}

#[test]
fn samples_behind_the_ridge_are_hidden() {
    let folder = folder();
    let ask = ["viewshed", "scene.toml", "--eye", "0,0", "--above", "2"];
    let with = |more: &[&str]| {
        let run = folder.run(&[&ask, more, &["-o", "seen.png"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        (levels(&folder, "seen.png", 5), run.stderr)
    };
    // The wall hides all of row 0 but what is in front of it.
    let (rows, said) = with(&[]);
    assert_eq!(rows[0], "+....");
    assert!(said.contains("1 are holes or too far"), "{said}");
    let (rows, _) = with(&["--ignore", "wall"]);
    assert_eq!(rows[0], "+++.+");
    assert_eq!(with(&["--mask", "0b1"]).0, rows);
    assert_eq!(rows[1].as_bytes()[3], b'?');
    assert_eq!(with(&["--ignore", "wall", "--threads", "1"]).0, rows);
    let (near, _) = with(&["--ignore", "wall", "--max-distance", "2"]);
    assert_eq!(near[0], "+++??");
    let (tall, _) = with(&["--ignore", "wall", "--target-above", "20"]);
    assert_eq!(tall[0], "+++++");
    let picture = folder.run(&[&ask[..], &["--picture", "-o", "map.png"]].concat());
    assert_eq!(picture.code, 0, "{}", picture.stderr);
    assert!(std::fs::metadata(folder.path("map.png")).unwrap().len() > 1000);
}

#[test]
fn an_eye_without_ground_and_unknown_names_are_refused() {
    let folder = folder();
    let refused = |arguments: &[&str], words: &[&str]| {
        let run = folder.run(&[&["viewshed", "scene.toml", "-o", "seen.png"], arguments].concat());
        run.assert_refused(words);
        assert!(!folder.files().contains(&"seen.png".to_owned()));
    };
    refused(&["--eye", "-1,0"], &["--eye", "off the terrain"]);
    refused(&["--eye", "3,0.9"], &["hole"]);
    refused(&["--eye", "0,0", "--terrain", "ramq"], &["ramq", "ramp"]);
    refused(&["--eye", "0,0", "--ignore", "wal"], &["wal", "wall"]);
    refused(&["--eye", "0,0", "--max-distance", "-1"], &["distance"]);
    let wrong = folder.run(&["viewshed", "scene.toml", "-o", "seen.csv", "--eye", "0,0"]);
    wrong.assert_refused(&["seen.csv", "PNG"]);
    let eye = folder.run(&["viewshed", "scene.toml", "-o", "seen.png", "--eye", "1"]);
    eye.assert_usage(&["--eye"]);
}

/// On a ball of 6378137 m, from 50 m above level ground, sample i of a row 1 km apart is seen while
/// i * (i - 1) km² is at most twice radius and height: the line to it is a chord of the parabola that
/// passes over sample i - 1.
#[test]
fn the_horizon_is_where_curvature_puts_it() {
    let folder = Folder::new();
    let flat = format!("ncols 60\nnrows 3\ncellsize 1000\n{}\n", "5 ".repeat(180));
    folder.write("flat.asc", flat);
    let seen = |more: &[&str]| {
        let ask = [
            "viewshed", "flat.asc", "--eye", "0,1000", "--above", "50", "-o", "seen.png",
        ];
        let run = folder.run(&[&ask, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let rows = levels(&folder, "seen.png", 60);
        let count = rows[1].bytes().filter(|level| *level == b'+').count();
        assert!(rows[1].starts_with(&"+".repeat(count)), "{}", rows[1]);
        count - 1
    };
    assert_eq!(seen(&[]), 59);
    assert_eq!(seen(&["--curvature"]), 25);
    assert_eq!(seen(&["--curvature", "--refraction", "0.13"]), 27);
    assert_eq!(seen(&["--curvature", "--refraction=1"]), 59);
    assert_eq!(seen(&["--curvature", "--earth-radius", "1e6"]), 10);
    let tall = ["--curvature", "--target-above", "50"];
    assert!(seen(&tall) > 40);
}

#[test]
fn curvature_takes_terrain_alone() {
    let folder = folder();
    let ask = ["viewshed", "scene.toml", "--eye", "0,0", "-o", "seen.png"];
    let run = |more: &[&str]| folder.run(&[&ask, more].concat());
    run(&["--curvature"]).assert_refused(&["--curvature", "--ignore"]);
    assert_eq!(run(&["--curvature", "--ignore", "wall"]).code, 0);
    assert_eq!(run(&["--curvature", "--mask", "1"]).code, 0);
    run(&["--refraction", "0.13"]).assert_usage(&["--curvature"]);
    run(&["--earth-radius", "1"]).assert_usage(&["--curvature"]);
    run(&["--curvature", "--earth-radius", "0"]).assert_refused(&["radius of the earth"]);
    run(&["--curvature", "--refraction", "nan"]).assert_refused(&["refraction"]);
}

#[test]
fn many_eyes_are_counted() {
    let folder = folder();
    // 300 in front of the ridge, 7 behind it, one each on a hole, off the map, and on no number.
    let mut eyes = "name,z,x,y_above\n".to_owned();
    eyes.push_str(&"front,0,0,2\n".repeat(300));
    eyes.push_str(&"behind,0,2.5,2\n".repeat(7));
    eyes.push_str("hole,0.9,3,2\noff,0,-1,2\nnone,0,x,2\n");
    folder.write("eyes.csv", eyes);
    let ask = [
        "viewshed",
        "scene.toml",
        "--ignore",
        "wall",
        "--eyes",
        "eyes.csv",
        "-o",
    ];
    let run = folder.run(&[&ask[..], &["counts.png"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("3 of 310 rows are invalid"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("of 307 eyes, "), "{}", run.stderr);
    let counts = read_heights_file(&folder.path("counts.png"), None).unwrap();
    let single = |eye: &str| {
        let ask = [
            "viewshed",
            "scene.toml",
            "--ignore",
            "wall",
            "--eye",
            eye,
            "--above",
            "2",
        ];
        let run = folder.run(&[&ask[..], &["-o", "seen.png"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        levels(&folder, "seen.png", 5)
    };
    let (front, behind) = (single("0,0"), single("2.5,0"));
    for (row, (front, behind)) in front.iter().zip(&behind).enumerate() {
        for (column, (front, behind)) in front.chars().zip(behind.chars()).enumerate() {
            let of = |level, eyes| if level == '+' { eyes } else { 0.0 };
            let expected = match front {
                '?' => 65535.0,
                _ => of(front, 300.0) + of(behind, 7.0),
            };
            assert_eq!(counts.value(column, row), Some(expected), "{column} {row}");
        }
    }
    folder.write("eyes.csv", "x,z\n1,0\n-1,0\n");
    let strict = folder.run(&[&ask[..], &["strict.png", "--strict"]].concat());
    strict.assert_refused(&["eyes.csv, line 3", "stands on no ground"]);
    assert!(!folder.files().contains(&"strict.png".to_owned()));
    let both = folder.run(&[&ask[..], &["both.png", "--eye", "0,0"]].concat());
    both.assert_usage(&["--eye", "--eyes"]);
    folder
        .run(&["viewshed", "scene.toml", "-o", "none.png"])
        .assert_usage(&["--eye"]);
    folder.write("eyes.csv", "x,y\n1,2\n");
    folder
        .run(&[&ask[..], &["none.png"]].concat())
        .assert_refused(&["eyes.csv", "`z`"]);
}

#[test]
fn eyes_on_a_map_are_counted_in_a_geo_tiff() {
    let folder = Folder::new();
    let flat =
        "ncols 3\nnrows 2\nxllcenter 500000\nyllcenter 6200000\ncellsize 10\n1 1 1\n1 1 -9999\n";
    folder.write("flat.asc", flat);
    folder.write(
        "eyes.csv",
        "easting,northing,height\n500001,6200001,9\n500002,6200001,\n",
    );
    let ask = [
        "viewshed",
        "flat.asc",
        "--georeferenced",
        "--eyes",
        "eyes.csv",
    ];
    let run = folder.run(&[&ask[..], &["--above", "1", "-o", "counts.tif"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let counts = read_heights_file(&folder.path("counts.tif"), None).unwrap();
    assert_eq!(counts.samples().kind(), "16-bit unsigned");
    let values = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)].map(|(i, j)| counts.value(i, j));
    let two = Some(2.0);
    assert_eq!(values, [two, two, two, two, two, None]);
    assert_eq!(
        counts.georeference().unwrap().north_west(),
        [500_000.0, 6_200_010.0]
    );
}

#[test]
fn a_link_gives_the_eye_what_hides_and_the_options() {
    let folder = folder();
    let typed = |arguments: &[&str], output: &str| {
        let run = folder.run(&[&["viewshed", "scene.toml", "-o", output], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        (std::fs::read(folder.path(output)).unwrap(), run.stderr)
    };
    let link = "tool=viewshed&q=x:0,z:0,ignore:wall&options=above:2,terrain:ridge,max_distance:3";
    let linked = typed(&["--link", link], "linked.png");
    let eye = [
        "--eye",
        "x=0,z=0",
        "--ignore",
        "wall",
        "--above",
        "2",
        "--max-distance",
        "3",
    ];
    assert_eq!(linked, typed(&eye, "typed.png"));
    // What is given here goes before what the link says.
    let nearer = typed(&["--link", link, "--max-distance", "1"], "linked.png");
    assert_ne!(nearer.0, linked.0);
    let walled = typed(&["--link", link, "--ignore", ""], "linked.png");
    assert_ne!(walled.0, linked.0);
    // An eye in its place takes only the poses.
    let own = typed(&["--link", link, "--eye", "1,0", "--above", "1"], "own.png");
    assert_eq!(own, typed(&["--eye", "1,0", "--above", "1"], "typed.png"));
    let refused = |link: &str, words: &[&str]| {
        let ask = ["viewshed", "scene.toml", "-o", "no.png", "--link", link];
        folder.run(&ask).assert_usage(words);
        assert!(!folder.files().contains(&"no.png".to_owned()));
    };
    refused("tool=sight&q=x:0", &["hitscan sight"]);
    refused("v=1", &["--eye"]);
    refused("tool=viewshed&q=x:-9,z:0", &["no ground"]);
    refused(
        "tool=viewshed&q=x:0,z:0&options=terrain:ramq",
        &["ramq", "ramp"],
    );
    refused(
        "tool=viewshed&q=x:0,z:0&options=curvature:true",
        &["ignore"],
    );
    // A picture has the tint.
    let camera = "eye=2,9,9&look=2,0,0&size=64x36";
    let render = |fields: &str, output: &str| {
        let link = format!("{camera}&{fields}");
        let run = folder.run(&["render", "scene.toml", "--link", &link, "-o", output]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        std::fs::read(folder.path(output)).unwrap()
    };
    assert_ne!(render(link, "tinted.png"), render("tool=ray", "plain.png"));
}
