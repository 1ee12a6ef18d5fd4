//! `hitscan viewshed`.

use crate::{Folder, RAMP};

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
    // The wall hides all of row 0 but what stands before it.
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
