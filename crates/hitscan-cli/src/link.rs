//! A link to the viewer's page: the poses that it shows a scene in, and its query.

use crate::arguments::Arguments;
use crate::failure::Failure;
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use hitscan::model::{Model, Pose};
use hitscan::{ObjectId, World};
use hitscan_assets::Scene;
use hitscan_picture::{ClipMoment, Error, Link, LinkPose};
use std::collections::HashSet;
use std::env;
use std::ffi::OsString;

/// Options of questions that a link may have: of the page's words those that differ from the program's come
/// with the program's.
const OPTIONS: [(&str, &str); 25] = [
    ("sides", "sides"),
    ("hits", "hits"),
    ("method", "method"),
    ("step", "step"),
    ("bisections", "bisections"),
    ("bind", "bind"),
    ("radius", "radius"),
    ("shape", "shape"),
    ("initial_overlap", "initial-overlap"),
    ("overlaps", "initial-overlap"),
    ("contact", "contact"),
    ("turning", "turning"),
    ("tolerance", "tolerance"),
    ("object", "object"),
    ("each", "each"),
    ("exact", "exact"),
    ("signed", "signed"),
    ("blocker", "blocker"),
    ("above", "above"),
    ("target_above", "target-above"),
    ("max_distance", "max-distance"),
    (TERRAIN, TERRAIN),
    ("curvature", "curvature"),
    ("refraction", "refraction"),
    ("earth_radius", "earth-radius"),
];

/// The option whose value is a name, which no word is read for.
const TERRAIN: &str = "terrain";

/// Values that a link may write otherwise than the program.
const VALUES: [(&str, &str); 3] = [
    ("leave", "escape"),
    ("turned_box", "obb"),
    ("turned-box", "obb"),
];

/// The scene with its models in the poses of a link; between two moments where the link says so.
pub(crate) fn posed(scene: &Scene, link: &Link) -> Result<Scene, Failure> {
    if link.poses.is_empty() && link.past.is_none() && link.shift_secs.is_none() {
        return Ok(scene.clone());
    }
    let mut world = scene.world().clone();
    let Some(past) = &link.past else {
        if let Some(secs) = link.shift_secs {
            shift(&mut world, scene, &link.poses, secs)?;
        }
        pose(&mut world, scene, &link.poses)?;
        return Ok(scene.with_now(world.now().clone()));
    };
    world.keep_history(past.ticks.len());
    let mut earlier = Vec::new();
    for (poses, tick) in [&past.poses, &link.poses].into_iter().zip(past.ticks) {
        for object in earlier {
            // Where the later moment does not say otherwise, it is posed as in the scene.
            if let Some(pose) = scene.world().now().pose(object) {
                world.set_pose(object, &pose).map_err(other)?;
            }
        }
        earlier = pose(&mut world, scene, poses)?;
        world.record(tick).map_err(other)?;
    }
    #[expect(clippy::cast_precision_loss, reason = "ticks are below 2^53")]
    let then = world.at(past.time as f64);
    Ok(scene.with_now(then.unwrap_or_else(|| world.now().clone())))
}

/// What poses that were right before, and moments that were checked, do not fail with.
fn other(error: hitscan::Error) -> Failure {
    Failure::Other(error.into())
}

/// Poses the models that the scene poses by clips, but those of `posed`, so much later in their clips.
fn shift(world: &mut World, scene: &Scene, posed: &[LinkPose], secs: f64) -> Result<(), Failure> {
    let is_posed: HashSet<&str> = posed.iter().map(|pose| pose.object.as_str()).collect();
    for object in scene.world().now().objects() {
        let model = scene.world().now().model(object);
        let (Some(model), Some(at)) = (model, scene.clip_time(object)) else {
            continue;
        };
        let is_other = !scene
            .object_name(object)
            .is_some_and(|name| is_posed.contains(name));
        let clip = at.clip as usize;
        if let Some(own) = model.clips().get(clip).filter(|_| is_other) {
            let time = later(at.time_secs, secs, [own.start_secs(), own.end_secs()]);
            let pose = model.pose_at(clip, time).map_err(other)?;
            world.set_pose(object, &pose).map_err(other)?;
        }
    }
    Ok(())
}

/// A time of a clip that goes round, so much later, to a tenth of a millisecond; the clip's ends are exact.
fn later(time: f64, secs: f64, [start, end]: [f64; 2]) -> f64 {
    let length = end - start;
    if length <= 0.0 {
        return start;
    }
    let time = start + ((time + secs - start) % length + length) % length;
    match time == start || time == end {
        true => time,
        // As JavaScript rounds.
        false => (time * 1e4 + 0.5).floor() / 1e4,
    }
}

/// Poses these objects; which they are.
fn pose(world: &mut World, scene: &Scene, poses: &[LinkPose]) -> Result<Vec<ObjectId>, Failure> {
    let mut posed = Vec::new();
    for pose in poses {
        let refused = |expected: &str| refused("pose", &pose.object, expected);
        let object = scene.object_named(&pose.object);
        let model = object.and_then(|object| Some((object, scene.world().now().model(object)?)));
        let (object, model) = model.ok_or_else(|| refused("the name of a model"))?;
        world
            .set_pose(object, &whole_pose(model, pose)?)
            .map_err(|error| refused(&error.to_string()))?;
        posed.push(object);
    }
    world.update();
    Ok(posed)
}

fn whole_pose(model: &Model, wanted: &LinkPose) -> Result<Pose, Failure> {
    let pose = pose_at(model, &wanted.at)?;
    let Some((other, weight)) = &wanted.blend else {
        return Ok(pose);
    };
    let blended = pose.blended(&pose_at(model, other)?, *weight);
    blended.map_err(|error| refused("pose", &weight.to_string(), &error.to_string()))
}

fn pose_at(model: &Model, at: &ClipMoment) -> Result<Pose, Failure> {
    let clip = model.find_clip(&at.clip);
    let clip = clip.ok_or_else(|| refused("pose", &at.clip, "a clip of the model"))?;
    let pose = model.pose_at(clip, at.time_secs);
    pose.map_err(|error| refused("pose", &at.time_secs.to_string(), &error.to_string()))
}

/// The name of the table that holds the question of a link.
pub(crate) const TABLE: &str = "link:";

/// The columns of a link's question and their values.
pub(crate) fn question<'link>(
    link: &'link Link,
    instead: &str,
) -> Result<&'link [(String, String)], Failure> {
    let question = link.question.as_deref();
    question
        .filter(|question| !question.is_empty())
        .ok_or_else(|| {
            Failure::usage(format!(
                "the link asks nothing: name {instead}, or a link with a question"
            ))
        })
}

/// The question of a link as a table of one row.
pub(crate) fn question_table(link: &Link) -> Result<String, Failure> {
    let question = question(link, "a table")?;
    let names = question.iter().map(|(name, _)| name);
    let values = question.iter().map(|(_, value)| value);
    Ok(format!("{}\n{}\n", csv_row(names), csv_row(values)))
}

/// The arguments; a link in place of a table is expanded to the options and the table that it holds.
pub(crate) fn with_link(arguments: Arguments) -> Result<Arguments, clap::Error> {
    let Some((command, scene)) = arguments.command.without_table() else {
        return Ok(arguments);
    };
    let given: Vec<OsString> = env::args_os().collect();
    let is_given = |option: &str| {
        let texts = given.iter().filter_map(|word| word.to_str());
        let mut names = texts.map(|text| text.split('=').next().unwrap_or(text));
        // The page's word is an alias of the program's.
        names.any(|name| name == option || (name, option) == ("--overlaps", "--initial-overlap"))
    };
    let words = match scene.parsed_link() {
        Ok(None) => Ok(Vec::new()),
        Ok(Some(link)) => words(&link, command, is_given),
        Err(error) => Err(error.into()),
    };
    let words = words.map_err(|failure| {
        let message = format!("{}\n", failure.text());
        Arguments::command().error(ErrorKind::ValueValidation, message)
    })?;
    // Behind `--` are no options.
    let is_end = |word: &OsString| word == "--";
    let end = given.iter().position(is_end).unwrap_or(given.len());
    let (options, tables): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| word.starts_with("--"));
    let words = given[..end].iter().cloned();
    let words = words.chain(options.into_iter().map(OsString::from));
    let words = words.chain(given[end..].iter().cloned());
    Arguments::try_parse_from(words.chain(tables.into_iter().map(OsString::from)))
}

/// What a link says in place of a table: the name of the table of its question, and the question's options
/// as arguments of `command`, but those that are among the arguments already.
fn words(
    link: &Link,
    command: &str,
    is_given: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Failure> {
    let tool = link.tool.as_deref().unwrap_or("ray");
    if link.question.is_some() && tool != command {
        let message = format!("the link asks `hitscan {tool}`, not `hitscan {command}`");
        return Err(Failure::usage(message));
    }
    let lists_pairs = matches!(command, "overlap" | "distance");
    let is_of_pairs = lists_pairs && link.question.as_ref().is_none_or(Vec::is_empty);
    // A viewshed is of one eye, and reads it where the scene is known.
    let has_table = !is_of_pairs && command != "viewshed";
    let table = has_table.then(|| TABLE.to_owned());
    let mut words = Vec::from_iter(table);
    for (name, value) in &link.options {
        let known = OPTIONS.iter().find(|(known, _)| known == name);
        let (_, word) = known.ok_or_else(|| refused("options", name, "an option of a question"))?;
        let option = format!("--{word}");
        if is_given(&option) {
            continue;
        }
        let value = match VALUES.iter().find(|(page, _)| page == value) {
            Some((_, word)) if name != TERRAIN => word,
            _ => value.as_str(),
        };
        match value {
            value if name == TERRAIN => words.push(format!("{option}={value}")),
            "false" => {}
            "true" => words.push(option),
            value => words.push(format!("{option}={value}")),
        }
    }
    Ok(words)
}

/// Fields as CSV has them.
fn csv_row<'a>(fields: impl Iterator<Item = &'a String>) -> String {
    let quoted = fields.map(|field| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// The refusal of a field of a link.
pub(crate) fn refused(field: &str, found: &str, expected: &str) -> Failure {
    let error = Error::Link {
        field: field.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    };
    error.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_round() {
        let found = [(0.5, 0.25), (0.9, 0.2), (0.1, -0.3), (0.0, 1.0)]
            .map(|(time, secs)| later(time, secs, [0.0, 1.0]));
        assert_eq!(found, [0.75, 0.1, 0.8, 0.0]);
        assert_eq!(later(3.0, 1.0, [2.0, 2.0]), 2.0);
    }

    #[test]
    fn options_become_arguments() {
        let link =
            "tool=sweep&q=cx:1&options=shape:turned_box,overlaps:leave,contact:true,hits:all";
        let link = Link::parse(link).unwrap();
        let found = words(&link, "sweep", |option| option == "--hits").unwrap();
        assert_eq!(
            found,
            [
                "link:",
                "--shape=obb",
                "--initial-overlap=escape",
                "--contact"
            ]
        );
        assert!(words(&link, "ray", |_| false).is_err());
        let turning = "tool=sweep&q=mover:door&options=object:true,turning:true,tolerance:0.01";
        let turning = words(&Link::parse(turning).unwrap(), "sweep", |_| false).unwrap();
        let expected = ["link:", "--object", "--turning", "--tolerance=0.01"];
        assert_eq!(turning, expected);
        let viewshed = "tool=viewshed&q=x:1,z:2&options=above:1.8,terrain:leave,curvature:true";
        let viewshed = words(&Link::parse(viewshed).unwrap(), "viewshed", |_| false).unwrap();
        assert_eq!(viewshed, ["--above=1.8", "--terrain=leave", "--curvature"]);
        let hostile = Link::parse("tool=ray&q=ox:1&options=output:x.csv").unwrap();
        assert!(words(&hostile, "ray", |_| false).is_err());
    }

    #[test]
    fn a_question_is_a_table_of_one_row() {
        let link = Link::parse("tool=ray&q=ox:1,ignore:a%2Cb").unwrap();
        assert_eq!(question_table(&link).unwrap(), "ox,ignore\n1,\"a,b\"\n");
        assert!(question_table(&Link::default()).is_err());
    }
}
