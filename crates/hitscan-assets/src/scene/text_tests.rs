//! Numbers, rotations and lines of scene files are read as they are written.

use glam::DVec3;

use super::{SceneFile, check_scene_text_from};
use crate::{Error, MemoryFiles};

fn parse(text: &str) -> Result<SceneFile, Error> {
    SceneFile::parse("levels/scene.toml".as_ref(), text)
}

#[test]
fn angles_in_degrees_stand_in_place_of_a_quaternion() {
    let file = parse(
        "[[model]]\nfile = 'a.glb'\neuler_degrees = [0, 90, 0]\n\
         [[turned_box]]\ncenter = [0, 0, 0]\nhalf_size = [1, 1, 1]\neuler_degrees = [180, 0, 0.0]\n",
    )
    .unwrap();
    assert!((file.models[0].rotation * DVec3::Z - DVec3::X).length() < 1e-15);
    assert!((file.obbs[0].rotation * DVec3::Y - DVec3::NEG_Y).length() < 1e-15);
    assert!(file.warnings.is_empty());
}

#[test]
fn quaternions_far_from_unit_length_are_warned_about_once() {
    let model = |rotation: &str| format!("[[model]]\nfile = 'a.glb'\nrotation = {rotation}\n");
    let text = [
        model("[0.0, 0.38, 0.0, 0.92]"),
        model("[0, 90, 0, 1]"),
        model("[0, 0, 0, 0.5]"),
    ];
    let file = parse(&text.concat()).unwrap();
    let expected = "line 6, column 12 (length 90.006) and 1 more: a quaternion far from \
                    unit length is brought to it; for angles in degrees write \
                    `euler_degrees = [x, y, z]`";
    assert_eq!(file.warnings, [expected]);
}

/// Values may hold what looks like a header, and lines are counted over all pieces.
#[test]
fn a_text_is_read_piece_by_piece() {
    let text = "[[box]] # [[no]]\nname = '[[a]]'\nmin = [\n0,\n0, 0]\nmax = [1, 1, 1]\n\n\
                  [[box]]\nname = \"\"\"\n[[b]]\"\"\"\nmin = [0, 0, 0]\nmax = [1, 1, -1]\n";
    let message = parse(text).unwrap_err().to_string();
    assert!(
        message.contains("line 12, column 7: the library refuses it"),
        "{message}"
    );
    let file = parse(&text.replace("-1", "1")).unwrap();
    let names: Vec<_> = file.boxes.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["[[a]]", "[[b]]"]);
    assert_eq!(file.boxes[1].location.to_string(), "line 8, column 1");
}

/// By way of f64 the number would be rounded twice, to the other neighbour.
#[test]
fn corners_are_the_nearest_f32() {
    let text = "[[box]]\nmin = [1.00000017881393432617187499, 0, 0]\nmax = [2, 2, 2]\n";
    assert_eq!(parse(text).unwrap().boxes[0].min.x, 1.000_000_1_f32);
}

/// A text of many tables must not be read in quadratic time.
#[test]
fn many_objects_are_read() {
    let text: String = (0..20_000)
        .map(|k| format!("[[sphere]]\ncenter = [{k}, 0, 0]\nradius = 1\n"))
        .collect();
    let file = parse(&text).unwrap();
    assert_eq!(file.spheres[19_999].name, "sphere19999");
    assert_eq!(
        file.spheres[19_999].location.to_string(),
        "line 59998, column 1"
    );
}

#[test]
fn all_faults_are_found_and_none_that_another_causes() {
    let mut files = MemoryFiles::default();
    files.add("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let check = |text: &str| {
        let checked = check_scene_text_from(&files, "scene.toml".as_ref(), text);
        let faults = checked.err().unwrap_or_default();
        let places = faults.iter().map(Error::line_and_column);
        places
            .map(|place| place.unwrap().line)
            .collect::<Vec<u32>>()
    };
    let sound = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    assert_eq!(check(sound), [0; 0]);
    // A table that is skipped has its number, and its name.
    let text = format!("{sound}[[sphere]]\n{sound}[[sphere]]\nname = 'sphere2'\n");
    assert_eq!(check(&text), [4, 4, 8, 8, 9]);
    // Where a terrain is at fault, or may be, ground is not missed.
    let model = "[[model]]\nfile = 'a.obj'\non_ground = true\n";
    assert_eq!(check(model), [3]);
    for terrain in ["heights = 'no.asc'", "heights = 1", "heights = = 1"] {
        assert_eq!(
            check(&format!("[[terrain]]\n{terrain}\n{model}")),
            [2],
            "{terrain}"
        );
    }
    // A missing key beside a misspelt one is that one.
    assert_eq!(check("[[sphere]]\ncentre = [0, 0, 0]\nradius = 1\n"), [2]);
    // It ends somewhere.
    assert_eq!(check(&"[[cone]]\n".repeat(5000)).len(), 1001);
}
