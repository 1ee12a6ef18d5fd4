//! `hitscan info`.

use crate::{Folder, RAMP, program};
use serde_json::{Value, json};

#[test]
fn each_kind_of_file_is_described() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"sign\"\nfile = \"sign.obj\"\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write("sign.obj", "o board\nv 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    for (file, facts) in [
        (
            "scene.toml",
            &["objects", "2", "terrain", "sign", "board", "bounds"][..],
        ),
        (
            "ramp.asc",
            &["3 x 3", "holes", "1", "2 x 2 m", "0 to 2"][..],
        ),
        (
            "sign.obj",
            &["Wavefront OBJ", "triangles", "board: 1 triangle", "memory"][..],
        ),
    ] {
        let run = folder.run(&["info", file]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for fact in facts {
            assert!(
                run.stdout.contains(fact),
                "{fact:?} is not in: {}",
                run.stdout
            );
        }
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = Folder::new();
    folder.write("broken.glb", b"glTF\x02\0\0\0");
    folder.write("notes.txt", "hello");
    folder
        .run(&["info", "broken.glb"])
        .assert_refused(&["broken.glb"]);
    folder
        .run(&["info", "notes.txt"])
        .assert_refused(&["notes.txt", ".toml", ".glb"]);
    folder
        .run(&["info", "absent.png"])
        .assert_refused(&["absent.png"]);
}

fn json_of(folder: &Folder, file: &str) -> Value {
    let run = folder.run(&["info", file, "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn json_holds_what_the_text_says() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
         [[model]]\nname = \"sign\"\nfile = \"sign.obj\"\n\
         [[sphere]]\nname = \"\\u009bball\"\ncenter = [0.1, 0, 0.5]\nradius = 0.25\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write(
        "sign.obj",
        "o board\nv 0 0 0\nv 0 1.1 0\nv 0 0 1\nf 1 2 3\n",
    );

    let map = json_of(&folder, "ramp.asc");
    for (key, value) in [
        ("file", json!("ramp.asc")),
        ("kind", json!("height_map")),
        ("columns", json!(3)),
        ("holes", json!(1)),
        // The one at the hole's corner is none.
        ("triangles", json!(7)),
        ("values", json!([0.0, 2.0])),
        ("spacing", json!([2.0, 2.0])),
        ("extent", json!([4.0, 4.0])),
        ("memory_bytes", json!(36)),
    ] {
        assert_eq!(map[key], value, "{key} in {map}");
    }

    let sign = json_of(&folder, "sign.obj");
    let parts = json!([{"name": "board", "triangles": 1, "skinned": false, "morph_targets": 0}]);
    assert_eq!((&sign["kind"], &sign["parts"]), (&json!("model"), &parts));
    let bounds = json!({"min": [0.0, 0.0, 0.0], "max": [0.0, 1.1, 1.0]});
    assert_eq!(sign["bounds"], bounds, "an f32 has its own digits");
    assert_eq!((&sign["joints"], &sign["clips"]), (&json!([]), &json!([])));

    let scene = json_of(&folder, "scene.toml");
    assert_eq!(scene["kind"], "scene");
    assert_eq!(scene["models"][0]["file"], "sign.obj");
    assert_eq!(scene["models"][0]["instances"], 1);
    assert_eq!(scene["models"][0]["parts"], parts);
    let objects = &scene["objects"];
    assert_eq!(
        (&objects[0]["name"], &objects[0]["triangles"]),
        (&json!("ramp"), &json!(7))
    );
    assert_eq!(
        (&objects[1]["name"], &objects[1]["model"]),
        (&json!("sign"), &json!(0))
    );
    assert_eq!(objects[2]["name"], "\u{9b}ball");
    assert_eq!(objects[2]["bounds"]["min"], json!([-0.15, -0.25, 0.25]));
}

#[test]
fn a_crowd_is_one_model() {
    let folder = Folder::with_scene(
        "[[crowd]]\nname = \"guard\"\nfile = \"robot.glb\"\nclip = 0\ncount = 70\n\
         area = [[0, 0], [9, 9]]\n[[box]]\nname = \"crate\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n",
    );
    let files = hitscan_demo::Demo::new().unwrap().files().unwrap();
    let robot = files.iter().find(|file| file.name == "robot.glb").unwrap();
    folder.write("robot.glb", &robot.bytes);
    let run = folder.run(&["info", "scene.toml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for fact in [
        "robot.glb: a model",
        "70: guard0, guard1,",
        "and 62 more",
        "crate",
        "joints",
        "clips",
    ] {
        assert!(
            run.stdout.contains(fact),
            "{fact:?} is not in: {}",
            run.stdout
        );
    }
    assert_eq!(run.stdout.matches("guard69").count(), 0, "{}", run.stdout);
    assert!(run.stdout.lines().count() < 100, "{}", run.stdout);
    let scene = json_of(&folder, "scene.toml");
    assert_eq!(scene["objects"].as_array().unwrap().len(), 71);
    assert_eq!(scene["models"].as_array().unwrap().len(), 1);
    assert_eq!(scene["models"][0]["instances"], 70);
    let joints = scene["models"][0]["joints"].as_array().unwrap();
    assert!(
        !joints.is_empty() && joints.iter().all(Value::is_string),
        "{joints:?}"
    );
    let clip = &scene["models"][0]["clips"][0];
    assert!(clip["end"].as_f64() > clip["start"].as_f64(), "{clip}");
}

/// Standard output that takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_fails_is_said() {
    let folder = Folder::with_scene("[[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n");
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = program(&folder.path(""))
        .args(["info", "scene.toml"])
        .stdout(full)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("hitscan: standard output: "), "{stderr}");
}
