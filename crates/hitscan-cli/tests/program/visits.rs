//! `--explain ROW --visits` of ray: what its search looks at, and what would make it hit.

use crate::{Folder, RAMP};
use serde_json::Value;

const SCENE: &str = r#"
[[terrain]]
name = "ramp"
heights = "ramp.asc"
[[box]]
name = "crate"
min = [-9, 0, 0]
max = [-8, 1, 1]
[[box]]
name = "glass"
min = [-7, 0, 0]
max = [-6, 1, 1]
layers = 2
"#;

const RAYS: &str = "ox,oy,oz,dx,dy,dz,t_max,mask\n\
    1,20,1,0,-1,0,,\n\
    -5,0.5,0.5,-1,0,0,2.5,1\n";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder
}

fn explained(folder: &Folder, more: &[&str]) -> String {
    let arguments = [&["ray", "scene.toml", "-"], more].concat();
    let run = folder.run_with(&arguments, RAYS);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

fn words<'a>(all: &'a Value, key: &str) -> Vec<&'a str> {
    let all = all.as_array().unwrap().iter();
    all.filter_map(|one| one[key].as_str()).collect()
}

#[test]
fn visits_are_counted_and_listed() {
    let folder = folder();
    let counted: Value =
        serde_json::from_str(&explained(&folder, &["--explain", "0", "--json"])).unwrap();
    assert_eq!(counted["visits"], Value::Null);
    assert_eq!(counted["passed"], Value::Null);
    let listed = ["--explain", "0", "--json", "--visits"];
    let listed: Value = serde_json::from_str(&explained(&folder, &listed)).unwrap();
    let visits = listed["visits"].as_array().unwrap();
    assert_eq!(counted["visit_count"], visits.len());
    assert_eq!(visits[0]["what"], "world_node");
    let hit = visits
        .iter()
        .rfind(|visit| visit["verdict"] == "hit")
        .unwrap();
    assert_eq!(
        (&hit["what"], &hit["object"]),
        (&"triangle".into(), &"ramp".into())
    );
    assert_eq!(hit["triangle"], listed["answer"]["triangle"]);
    assert_eq!(hit["t"], serde_json::json!([19.5, 19.5]));
    let text = explained(&folder, &["--explain", "0", "--visits"]);
    assert!(
        text.contains(&format!("visits: {}\n", visits.len())),
        "{text}"
    );
    assert!(text.contains("hit at t = 19.5, the best so far"), "{text}");
}

#[test]
fn a_miss_says_what_would_make_it_hit() {
    let folder = folder();
    let found: Value =
        serde_json::from_str(&explained(&folder, &["--explain", "1", "--json"])).unwrap();
    assert_eq!(found["answer"]["status"], "miss");
    assert_eq!(words(&found["passed"], "object")[0], "crate");
    assert_eq!(found["passed"][0]["distance"], 0.5);
    // The ramp is behind the origin: no range that begins there is a change.
    assert_eq!(words(&found["changes"], "change"), ["layers", "t_max"]);
    assert_eq!(words(&found["changes"], "object"), ["glass", "crate"]);
    assert_eq!(
        found["changes"][1]["why"],
        "with t_max = 3, it hits at t = 3"
    );
    let text = explained(&folder, &["--explain", "1"]);
    let told = ["passed", "what would make it hit", "visits: "];
    assert!(told.iter().all(|words| text.contains(words)), "{text}");
}

#[test]
fn a_shot_into_the_sky_does_not_miss_the_ground_under_the_eye() {
    let folder = folder();
    let rays = "ox,oy,oz,dx,dy,dz\n1,2,1,-1,0.25,0\n";
    let run = folder.run_with(
        &["ray", "scene.toml", "-", "--explain", "0", "--json"],
        rays,
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["answer"]["status"], "miss");
    assert_eq!(words(&found["passed"], "object"), ["glass", "crate"]);
    assert_eq!(found["changes"], serde_json::json!([]));
}

#[test]
fn visits_are_those_of_one_search() {
    let folder = folder();
    for (more, expected) in [
        (&["--visits"][..], "--explain"),
        (
            &["--visits", "--explain", "0", "--hits", "all"],
            "--hits nearest or any",
        ),
    ] {
        let run = folder.run_with(&[&["ray", "scene.toml", "-"], more].concat(), RAYS);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
