//! The commands that the demo ends with.

use super::{Folder, PICTURE, answers, invocation};
use hitscan_demo::Questions;

/// What is in the folder, and commands to try next.
pub(super) fn text(folder: &Folder<'_>, questions: &Questions) -> String {
    let place = |name: &str| invocation::word(&folder.path(name).display().to_string());
    let (scene, rays) = (place("scene.toml"), place("rays.csv"));
    let (points, footprints) = (place("points.csv"), place("footprints.csv"));
    let (moves, walks) = (place("moves.csv"), place("walks.csv"));
    let (shapes, probes, arcs) = (place("shapes.csv"), place("probes.csv"), place("arcs.csv"));
    let (eyes, targets) = (place("eyes.csv"), place("targets.csv"));
    let (robot, crowd) = (place("robot.glb"), place("crowd.toml"));
    let (again, seen) = (place("again.png"), place("seen.png"));
    let radius = answers::RADIUS;
    let [width, height] = PICTURE;
    let ([x, z], above) = (questions.guard, Questions::GUARD_EYES);
    let commands = [
        format!("ray {scene} {rays} --hits all"),
        format!("ray {scene} {rays} --explain 0"),
        format!("ray {scene} {rays} --method march"),
        format!("arc {scene} {arcs}"),
        format!("height {scene} {points} --method mean --radius {radius}"),
        format!("height {scene} {footprints} --method footprint"),
        format!("sweep {scene} {moves}"),
        format!("sweep {scene} {walks} --shape capsule --contact"),
        format!("overlap {scene} {shapes}"),
        format!("overlap {scene} --exact"),
        format!("closest {scene} {probes} --signed"),
        format!("sight {scene} {eyes} {targets} --blocker"),
        format!("viewshed {scene} --eye {x},{z} --above {above} --picture -o {seen}"),
        format!("info {crowd}"),
        format!("info {robot}"),
        format!("render {scene} -o {again} --size {width}x{height}"),
    ];
    let mut text = format!(
        "\nIn {} are the scene, the questions (rays.csv, arcs.csv, walks.csv ...), the answers\n\
         (*_answers.csv) and four pictures: render.png, map.png, viewshed.png and crowd.png. Try \
         next:\n\n",
        folder.0.display()
    );
    let program = invocation::program();
    for command in commands {
        text.push_str(&format!("  {program} {command}\n"));
    }
    text
}
