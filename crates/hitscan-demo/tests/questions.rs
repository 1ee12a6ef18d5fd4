//! The demo's files read back as a scene, and what each question about it hits.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use hitscan::{QueryFilter, RayHit, Side, Sides};
use hitscan_assets::{Scene, load_scene};
use hitscan_demo::{CrowdFrames, Demo, DemoFile, Question, Questions, draw_map};
use std::path::Path;
use tempfile::TempDir;

fn write(folder: &Path, files: &[DemoFile]) {
    for file in files {
        std::fs::write(folder.join(file.name), &file.bytes).unwrap();
    }
}

/// The demo in a folder of its own.
fn folder_with(demo: &Demo) -> TempDir {
    let folder = TempDir::new().unwrap();
    write(folder.path(), &demo.files().unwrap());
    folder
}

/// The hit of a question's ray, and the names of the object and the part.
fn cast(scene: &Scene, questions: &Questions, label: &str) -> Option<(RayHit, String)> {
    let has_label = |question: &&Question<_>| question.label == label;
    let question = questions.rays.iter().find(has_label).unwrap();
    let hit = scene
        .world()
        .now()
        .cast_ray(&question.query, Sides::Both, QueryFilter::new())?;
    let object = hit.object.unwrap();
    let name = scene.object_name(object).unwrap();
    let part = hit.triangle.map_or(0, |triangle| triangle.part);
    let part = scene.part_name(object, part).unwrap_or_default();
    Some((hit, format!("{name} {part}")))
}

#[test]
fn each_question_hits_what_it_is_about() {
    let demo = Demo::new().unwrap();
    let folder = folder_with(&demo);
    let scene = load_scene(&folder.path().join("scene.toml")).unwrap();
    let comparison = demo.compare_march();
    let questions = Questions::new(&scene, demo.view().eye, &comparison).unwrap();

    let target = |label| cast(&scene, &questions, label).map(|(_, target)| target);
    assert_eq!(target("the eye looks at ada").as_deref(), Some("ada Core"));
    let tail = target("from the side at cleo's tail");
    assert_eq!(tail.as_deref(), Some("cleo Tail"));
    let face = target("the eye looks at bruno's face").unwrap();
    assert!(face.starts_with("bruno "), "{face}");
    let balloon = target("straight down on the balloon");
    assert_eq!(balloon.as_deref(), Some("balloon "));
    let crates = target("the eye looks at the crates");
    assert_eq!(crates.as_deref(), Some("crate-c "));
    let (buoy, _) = cast(&scene, &questions, "from inside the buoy").unwrap();
    assert_eq!((buoy.t, buoy.side), (0.0, Side::Inside));
    let (below, _) = cast(&scene, &questions, "from under the ground upwards").unwrap();
    assert_eq!(below.side, Side::Back);
    assert_eq!(target("towards ada but too short"), None);
    assert_eq!(target("into the sky"), None);

    let moved = questions.moves.iter().map(|question| {
        let hit =
            scene
                .world()
                .now()
                .cast_shape(&question.query, Sides::Both, QueryFilter::new())?;
        let name = scene.object_name(hit.object?)?;
        Some((name, hit.is_overlap()))
    });
    let expected = [
        Some(("crate-c", false)),
        Some(("bruno", false)),
        Some(("balloon", false)),
        Some(("valley", false)),
        Some(("crate-c", true)),
        None,
        None,
    ];
    assert_eq!(moved.collect::<Vec<_>>(), expected);

    let map = draw_map(&scene, &questions, &comparison).unwrap();
    assert_eq!((map.width(), map.height()), (1024, 1024));
}

#[test]
fn the_crowd_walks_and_is_hit() {
    let demo = Demo::new().unwrap();
    let folder = folder_with(&demo);
    let crowd = load_scene(&folder.path().join("crowd.toml")).unwrap();
    let mut frames = CrowdFrames::new(crowd.world()).unwrap();
    assert_eq!((frames.robot_count(), frames.ray_count()), (1000, 1000));
    frames.pose(7).unwrap();
    assert!(frames.cast_rays() > 100);
}
