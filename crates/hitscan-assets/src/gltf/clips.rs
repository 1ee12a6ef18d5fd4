//! Animations: channels, each with the keys of one property of a node.
//!
//! A channel that moves nothing that is supported here is skipped with a note. Interpolation between
//! keys belongs to `hitscan::model`.

use std::collections::BTreeSet;

use hitscan::model::{ChannelData, ClipData, Interpolation, Property};

use super::Source;
use super::accessors::Accessors;
use super::document::{Channel, Sampler};
use super::layout::Shape;
use super::nodes::target_count;
use crate::Error;
use crate::model_file::Notes;

/// Reads all animations.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    notes: &mut Notes,
) -> Result<Vec<ClipData>, Error> {
    let mut clips = Vec::with_capacity(source.document.animations.len());
    for (index, animation) in source.document.animations.iter().enumerate() {
        let mut channels = Vec::new();
        let mut seen = BTreeSet::new();
        for (at, channel) in animation.channels.iter().enumerate() {
            let location = || format!("animations[{index}].channels[{at}]");
            let Some((node, property)) = target(source, channel, location, notes)? else {
                continue;
            };
            if !seen.insert((node, channel.target.path.as_str())) {
                let found = format!(
                    "a second one for the {} of node {node}",
                    channel.target.path
                );
                return Err(source.malformed(location(), "one channel a property", found));
            }
            accessors.charge(size_of::<ChannelData>(), location)?;
            let sampler = &animation.samplers[channel.sampler];
            let location = format!("animations[{index}].samplers[{}]", channel.sampler);
            channels.push(read_channel(
                source, accessors, node, property, sampler, &location,
            )?);
        }
        clips.push(ClipData {
            name: animation.name.clone(),
            channels,
        });
    }
    Ok(clips)
}

/// The node and its property that a channel moves, or `None` where there is nothing to move.
fn target(
    source: Source<'_>,
    channel: &Channel,
    location: impl Fn() -> String,
    notes: &mut Notes,
) -> Result<Option<(usize, Property)>, Error> {
    let Some(node) = channel.target.node else {
        notes.add("has no target node and is left out", location);
        return Ok(None);
    };
    let property = match channel.target.path.as_str() {
        "translation" => Property::Translation,
        "rotation" => Property::Rotation,
        "scale" => Property::Scale,
        "weights" => Property::Weights,
        _ => {
            notes.add("has an unknown target path and is left out", location);
            return Ok(None);
        }
    };
    let target = &source.document.nodes[node];
    if property == Property::Weights {
        if morph_targets(source, node) == 0 {
            notes.add(
                "moves morph targets where there are none and is left out",
                location,
            );
            return Ok(None);
        }
    } else if target.matrix.is_some() {
        let found = format!("node {node}, which has a matrix");
        return Err(source.malformed(location(), "a node without a matrix", found));
    }
    Ok(Some((node, property)))
}

/// How many morph targets the mesh of `node` has.
fn morph_targets(source: Source<'_>, node: usize) -> usize {
    let mesh = source.document.nodes[node].mesh;
    mesh.map_or(0, |mesh| target_count(&source.document.meshes[mesh]))
}

fn read_channel(
    source: Source<'_>,
    accessors: Accessors<'_>,
    node: usize,
    property: Property,
    sampler: &Sampler,
    location: &str,
) -> Result<ChannelData, Error> {
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        Some(other) => {
            let location = format!("{location}.interpolation");
            let found = format!("`{other}`");
            return Err(source.malformed(location, "LINEAR, STEP or CUBICSPLINE", found));
        }
    };
    let (shape, elements_per_value) = match property {
        Property::Translation | Property::Scale => (Shape::Vec3, 1),
        Property::Rotation => (Shape::Vec4, 1),
        Property::Weights => (Shape::Scalar, morph_targets(source, node)),
    };
    let values_per_key = match interpolation {
        Interpolation::Step | Interpolation::Linear => 1,
        Interpolation::CubicSpline => 3,
    };
    let keys = accessors.count(sampler.input);
    let expected = keys
        .saturating_mul(values_per_key)
        .saturating_mul(elements_per_value);
    let found = accessors.count(sampler.output);
    if found != expected {
        let expected = format!("{expected} elements for {keys} keys");
        return Err(source.malformed(format!("{location}.output"), expected, found.to_string()));
    }
    Ok(ChannelData {
        node,
        property,
        interpolation,
        times: times(source, accessors, sampler.input)?,
        values: accessors.floats(sampler.output, shape)?,
    })
}

/// Key times, which must increase strictly.
fn times(source: Source<'_>, accessors: Accessors<'_>, input: usize) -> Result<Vec<f32>, Error> {
    let times = accessors.floats(input, Shape::Scalar)?;
    if let Some(before) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let location = accessors.element(input, before + 1);
        let expected = format!("a time after {}", times[before]);
        return Err(source.malformed(location, expected, times[before + 1].to_string()));
    }
    Ok(times)
}
