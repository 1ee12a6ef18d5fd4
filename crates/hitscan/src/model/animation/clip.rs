//! Clips: which nodes they move, and what they make of a pose at a time.
//!
//! How one property is sampled is in `track.rs`.

use super::track::{KeyInterval, Track};
use crate::model::check::{at, check_exists, check_finite, check_length};
use crate::model::{ChannelData, ClipData, NodeData, NodeTransform, Pose, Property};
use crate::{Error, ModelPlace};
use glam::{DQuat, DVec3};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// An animation clip of a model: a name and a range of time.
///
/// ```
/// use hitscan::model::{
///     ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, Property,
/// };
/// let rise = ChannelData {
///     node: 0,
///     property: Property::Translation,
///     interpolation: Interpolation::Linear,
///     times: vec![0.5, 2.5],
///     values: vec![0.0, 0.0, 0.0, 0.0, 8.0, 0.0],
/// };
/// let clip = ClipData { name: Some("rise".into()), channels: vec![rise] };
/// let nodes = vec![NodeData::default()];
/// let model = Model::new(ModelData { nodes, clips: vec![clip], ..ModelData::default() })?;
/// assert_eq!(model.clips()[0].start_secs(), 0.5);
/// assert_eq!(model.clips()[0].end_secs(), 2.5);
/// # Ok::<(), hitscan::Error>(())
/// ```
pub struct Clip {
    name: Option<String>,
    start_secs: f64,
    end_secs: f64,
    channel_count: usize,
    /// Different key times; most clips have them all in common.
    timelines: Vec<Vec<f32>>,
    tracks: Vec<Track>,
    /// The nodes that are moved, in ascending order.
    movers: Vec<Mover>,
    /// For each node its place among the movers, if it has one.
    mover_of_node: Vec<Option<u32>>,
    /// The nodes whose morph weights are animated, and the tracks of these.
    weights: Vec<(usize, usize)>,
    /// The node and the property that each track moves.
    targets: Vec<(usize, Property)>,
}

/// A node that a clip moves, turns or scales.
#[derive(Debug)]
struct Mover {
    node: usize,
    /// What of it stays as it is: as it rests, or as all keys have it.
    still: Trs,
    /// The tracks of what changes.
    translation: Option<usize>,
    rotation: Option<usize>,
    scale: Option<usize>,
}

/// A node's transform in its parent's space, as a clip may animate it.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Trs {
    pub(in crate::model) translation: DVec3,
    pub(in crate::model) rotation: DQuat,
    pub(in crate::model) scale: DVec3,
}

/// A clip at a time: the keys around it in each of its timelines.
pub(in crate::model) struct ClipSample<'a> {
    clip: &'a Clip,
    intervals: SmallVec<[KeyInterval; 4]>,
}

impl Clip {
    pub(in crate::model) fn new(
        index: usize,
        data: ClipData,
        nodes: &[NodeData],
    ) -> Result<Self, Error> {
        let place = |channel| {
            at(ModelPlace::Channel {
                clip: index,
                channel,
            })
        };
        let mut targets: Vec<_> = Vec::with_capacity(data.channels.len());
        for (index, channel) in data.channels.iter().enumerate() {
            check_channel(channel, nodes).map_err(place(index))?;
            targets.push((channel.node, channel.property as u8, index));
        }
        targets.sort_unstable();
        for pair in targets.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            if (first.0, first.1) == (second.0, second.1) {
                let (node, property) = (second.0, data.channels[second.2].property.name());
                return Err(place(second.2)(Error::AnimatedTwice { node, property }));
            }
        }
        let keys = |key: fn(&[f32]) -> Option<&f32>| {
            let channels = data.channels.iter();
            channels.filter_map(move |channel| key(&channel.times).copied().map(f64::from))
        };
        let start = keys(<[f32]>::first).reduce(f64::min);
        let end = keys(<[f32]>::last).reduce(f64::max);
        let mut clip = Self {
            start_secs: start.unwrap_or(0.0),
            end_secs: end.unwrap_or(0.0),
            name: data.name,
            channel_count: data.channels.len(),
            timelines: Vec::new(),
            tracks: Vec::new(),
            movers: Vec::new(),
            mover_of_node: vec![None; nodes.len()],
            weights: Vec::new(),
            targets: Vec::new(),
        };
        let mut movers = BTreeMap::new();
        for channel in data.channels {
            clip.add(channel, nodes, &mut movers);
        }
        for (place, node) in (0..).zip(movers.keys()) {
            clip.mover_of_node[*node] = Some(place);
        }
        clip.movers = movers.into_values().collect();
        Ok(clip)
    }

    /// The clip's name in the file.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The time of the clip's first key, seconds on its own timeline; 0 without channels.
    #[must_use]
    pub fn start_secs(&self) -> f64 {
        self.start_secs
    }

    /// The time of the clip's last key, seconds on its own timeline; 0 without channels.
    #[must_use]
    pub fn end_secs(&self) -> f64 {
        self.end_secs
    }

    /// How many properties of nodes the clip moves.
    #[must_use]
    pub fn channel_count(&self) -> usize {
        self.channel_count
    }

    /// The channels that the clip was made of: node, property, key times and keys.
    pub(in crate::model) fn channels(
        &self,
    ) -> impl Iterator<Item = (usize, Property, &[f32], &Track)> {
        let targets = self.targets.iter().zip(&self.tracks);
        targets.map(|((node, property), track)| {
            let times = self.timelines[track.timeline].as_slice();
            (*node, *property, times, track)
        })
    }

    /// Adds a checked channel.
    fn add(
        &mut self,
        mut channel: ChannelData,
        nodes: &[NodeData],
        movers: &mut BTreeMap<usize, Mover>,
    ) {
        let (node, property) = (channel.node, channel.property);
        let times = core::mem::take(&mut channel.times);
        let found = self.timelines.iter().position(|other| *other == times);
        let timeline = found.unwrap_or_else(|| {
            self.timelines.push(times);
            self.timelines.len() - 1
        });
        let keys = self.timelines[timeline].len();
        let track = Track::new(channel, timeline, keys);
        let place = self.tracks.len();
        self.targets.push((node, property));
        if property == Property::Weights {
            self.weights.push((node, place));
            self.tracks.push(track);
            return;
        }
        // A channel that moves a matrix was refused.
        let NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } = nodes[node].local
        else {
            return;
        };
        let mover = movers.entry(node).or_insert(Mover {
            node,
            still: Trs {
                translation,
                rotation,
                scale,
            },
            translation: None,
            rotation: None,
            scale: None,
        });
        let first = KeyInterval::at(&self.timelines[timeline], self.start_secs);
        let (still, is_still) = (&mut mover.still, track.is_constant());
        let (value, moving) = match property {
            Property::Rotation => {
                still.rotation = track.rotation(&first);
                mover.rotation = (!is_still).then_some(place);
                return self.tracks.push(track);
            }
            Property::Scale => (&mut still.scale, &mut mover.scale),
            Property::Translation | Property::Weights => {
                (&mut still.translation, &mut mover.translation)
            }
        };
        *value = track.vector(&first);
        *moving = (!is_still).then_some(place);
        self.tracks.push(track);
    }

    /// The clip at a finite time.
    pub(in crate::model) fn at(&self, time_secs: f64) -> ClipSample<'_> {
        let mut intervals = SmallVec::new();
        for times in &self.timelines {
            intervals.push(KeyInterval::at(times, time_secs));
        }
        ClipSample {
            clip: self,
            intervals,
        }
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        let tracks = self.tracks.iter().map(Track::memory_bytes);
        let timelines = self.timelines.iter();
        let times = timelines.map(|times| size_of_val(times.as_slice()));
        tracks.sum::<usize>()
            + times.sum::<usize>()
            + size_of_val(self.tracks.as_slice())
            + size_of_val(self.timelines.as_slice())
            + size_of_val(self.movers.as_slice())
            + size_of_val(self.mover_of_node.as_slice())
            + size_of_val(self.weights.as_slice())
            + size_of_val(self.targets.as_slice())
            + self.name.as_ref().map_or(0, String::len)
    }
}

impl ClipSample<'_> {
    /// Sets what the clip animates; the rest of the pose stays.
    pub(in crate::model) fn apply(&self, pose: &mut Pose) {
        for mover in &self.clip.movers {
            let Trs {
                translation,
                rotation,
                scale,
            } = self.sampled(mover);
            *pose.local_mut(mover.node) = NodeTransform::Trs {
                translation,
                rotation,
                scale,
            };
        }
        for (node, track) in &self.clip.weights {
            self.apply_weights(*track, pose.weights_mut(*node));
        }
    }

    /// A node's transform, or `None` where it rests.
    #[inline]
    pub(in crate::model) fn local(&self, node: usize) -> Option<Trs> {
        let place = self.clip.mover_of_node[node]?;
        Some(self.sampled(&self.clip.movers[place as usize]))
    }

    /// Sets the animated ones among all nodes' morph weights, at the places that `rest` has them.
    pub(in crate::model) fn apply_all_weights(&self, rest: &Pose, weights: &mut [f64]) {
        for (node, track) in &self.clip.weights {
            self.apply_weights(*track, &mut weights[rest.weight_range(*node)]);
        }
    }

    fn apply_weights(&self, track: usize, weights: &mut [f64]) {
        let track = &self.clip.tracks[track];
        let interval = &self.intervals[track.timeline];
        for (target, weight) in weights.iter_mut().enumerate() {
            *weight = track.component(interval, target);
        }
    }

    #[inline]
    fn sampled(&self, mover: &Mover) -> Trs {
        let track = |place: usize| {
            let track = &self.clip.tracks[place];
            (track, &self.intervals[track.timeline])
        };
        let mut trs = mover.still;
        if let Some((track, interval)) = mover.translation.map(track) {
            trs.translation = track.vector(interval);
        }
        if let Some((track, interval)) = mover.rotation.map(track) {
            trs.rotation = track.rotation(interval);
        }
        if let Some((track, interval)) = mover.scale.map(track) {
            trs.scale = track.vector(interval);
        }
        trs
    }
}

impl Property {
    fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        }
    }
}

fn check_channel(channel: &ChannelData, nodes: &[NodeData]) -> Result<(), Error> {
    check_exists("node", channel.node, nodes.len())?;
    let node = &nodes[channel.node];
    let width = match channel.property {
        Property::Translation | Property::Scale => 3,
        Property::Rotation => 4,
        Property::Weights => node.morph_weights.len(),
    };
    if channel.property != Property::Weights && matches!(node.local, NodeTransform::Matrix(_)) {
        return Err(Error::AnimatedMatrix { node: channel.node });
    }
    if channel.times.is_empty() {
        check_length("key times", 1, 0)?;
    }
    check_finite("key time", channel.times.iter().copied().map(f64::from))?;
    if let Some(index) = channel.times.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Err(Error::BadElement {
            what: "key time",
            index: index + 1,
            expected: "later than the key before it",
            found: f64::from(channel.times[index + 1]),
        });
    }
    let a_key = width * channel.interpolation.values_a_key();
    let expected = channel.times.len().saturating_mul(a_key);
    check_length("key values", expected, channel.values.len())?;
    check_finite("key value", channel.values.iter().copied().map(f64::from))
}
