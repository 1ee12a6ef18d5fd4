//! Clips: which nodes they move, and what they make of a pose at a time.
//!
//! How one property is sampled is in `track.rs`.

use super::key_rows::{KeyRows, RowSample};
use super::mover::{Motion, Mover, Trs};
use super::track::{KeyInterval, Track};
use crate::model::check::{at, check_exists, check_finite, check_length};
use crate::model::{ChannelData, ClipData, NodeData, NodeTransform, Pose, Property};
use crate::sorting::sort_by_rank;
use crate::{Error, ModelPlace};
use glam::DVec3;
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
    /// What tracks with the same key times have at each key.
    rows: KeyRows,
    /// The nodes that are moved, in ascending order.
    movers: Vec<Mover>,
    /// For each node its place among the movers, if it has one.
    mover_of_node: Vec<Option<u32>>,
    /// The nodes whose morph weights are animated, and the tracks of these.
    weights: Vec<(usize, usize)>,
    /// The node and the property that each track moves.
    targets: Vec<(usize, Property)>,
}

/// A clip at a time: the keys around it in each of its timelines, and what the tracks in rows have then.
pub(in crate::model) struct ClipSample<'a> {
    clip: &'a Clip,
    intervals: SmallVec<[KeyInterval; 4]>,
    rows: RowSample,
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
        sort_by_rank(&mut targets, |(node, property, index)| {
            [*node as u64, u64::from(*property), *index as u64]
        });
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
            rows: KeyRows::default(),
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
        clip.put_into_rows();
        Ok(clip)
    }

    fn put_into_rows(&mut self) {
        let properties = self.targets.iter().map(|(_, property)| *property);
        let properties: Vec<Property> = properties.collect();
        let (rows, places) = KeyRows::new(&self.timelines, &mut self.tracks, &properties);
        self.rows = rows;
        for mover in &mut self.movers {
            mover.put_into_rows(&places);
        }
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
            translation: Motion::Still,
            rotation: Motion::Still,
            scale: Motion::Still,
        });
        let first = KeyInterval::at(&self.timelines[timeline], self.start_secs);
        let motion = if track.is_constant() {
            Motion::Still
        } else {
            Motion::Track(place)
        };
        let still = &mut mover.still;
        let (value, moving) = match property {
            Property::Rotation => {
                still.rotation = track.rotation(&first);
                mover.rotation = motion;
                return self.tracks.push(track);
            }
            Property::Scale => (&mut still.scale, &mut mover.scale),
            Property::Translation | Property::Weights => {
                (&mut still.translation, &mut mover.translation)
            }
        };
        *value = track.vector(&first);
        *moving = motion;
        self.tracks.push(track);
    }

    /// The clip at a finite time.
    pub(in crate::model) fn at(&self, time_secs: f64) -> ClipSample<'_> {
        let mut intervals = SmallVec::new();
        for times in &self.timelines {
            intervals.push(KeyInterval::at(times, time_secs));
        }
        let mut rows = RowSample::default();
        self.rows.sample(&intervals, &mut rows);
        ClipSample {
            clip: self,
            intervals,
            rows,
        }
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
        let tracks = self.tracks.iter().map(Track::memory_bytes);
        let timelines = self.timelines.iter();
        let times = timelines.map(|times| size_of_val(times.as_slice()));
        tracks.sum::<usize>()
            + times.sum::<usize>()
            + size_of_val(self.tracks.as_slice())
            + self.rows.memory_bytes()
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
    #[cfg_attr(not(debug_assertions), inline(always))]
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sampled(&self, mover: &Mover) -> Trs {
        let track = |place: usize| {
            let track = &self.clip.tracks[place];
            (track, &self.intervals[track.timeline])
        };
        let vector = |motion: Motion, still: DVec3| match motion {
            Motion::Still => still,
            Motion::Row(place) => self.rows.vector(place),
            Motion::Track(place) => {
                let (track, interval) = track(place);
                track.vector(interval)
            }
        };
        Trs {
            translation: vector(mover.translation, mover.still.translation),
            rotation: match mover.rotation {
                Motion::Still => mover.still.rotation,
                Motion::Row(place) => self.rows.rotation(place),
                Motion::Track(place) => {
                    let (track, interval) = track(place);
                    track.rotation(interval)
                }
            },
            scale: vector(mover.scale, mover.still.scale),
        }
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
