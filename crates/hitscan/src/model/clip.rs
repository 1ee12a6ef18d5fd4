//! Clips: keyed channels, and what they make of a pose at a time.
//!
//! The formulas are those of glTF 2.0, appendix C. How rotations are turned is in `quaternion.rs`.

use super::check::{at, check_exists, check_finite, check_length};
use super::quaternion::{normalized, slerp};
use super::{ChannelData, ClipData, Interpolation, NodeData, NodeTransform, Pose, Property};
use crate::{Error, ModelPlace};
use glam::{DQuat, DVec3};

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
#[derive(Debug)]
pub struct Clip {
    name: Option<String>,
    channels: Vec<ChannelData>,
    start_secs: f64,
    end_secs: f64,
}

impl Clip {
    pub(super) fn new(index: usize, data: ClipData, nodes: &[NodeData]) -> Result<Self, Error> {
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
        Ok(Self {
            start_secs: start.unwrap_or(0.0),
            end_secs: end.unwrap_or(0.0),
            name: data.name,
            channels: data.channels,
        })
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
        self.channels.len()
    }

    /// Puts what the clip moves where it stands at `time_secs`; the rest of the pose stays.
    pub(super) fn apply(&self, time_secs: f64, pose: &mut Pose) {
        for channel in &self.channels {
            let keys = Keys::around(channel, time_secs);
            if channel.property == Property::Weights {
                for (target, weight) in pose.weights_mut(channel.node).iter_mut().enumerate() {
                    *weight = keys.component(target);
                }
                continue;
            }
            // A channel that moves a matrix was refused.
            if let NodeTransform::Trs {
                translation,
                rotation,
                scale,
            } = pose.local_mut(channel.node)
            {
                match channel.property {
                    Property::Translation => *translation = keys.vector(),
                    Property::Scale => *scale = keys.vector(),
                    Property::Rotation => *rotation = keys.rotation(),
                    Property::Weights => {}
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let channels = self.channels.iter();
        let keys = channels.map(|channel| {
            size_of_val(channel.times.as_slice()) + size_of_val(channel.values.as_slice())
        });
        keys.sum::<usize>()
            + size_of_val(self.channels.as_slice())
            + self.name.as_ref().map_or(0, String::len)
    }
}

/// The keys of a channel on both sides of a moment.
struct Keys<'a> {
    channel: &'a ChannelData,
    /// How many numbers a value has.
    width: usize,
    /// The last key that is not later, or the first key where all are.
    before: usize,
    /// The key after it, or the same key where the moment is clamped.
    after: usize,
    /// How far the moment is from `before` to `after`, from 0 to 1.
    u: f64,
    /// Seconds between the keys.
    span_secs: f64,
}

impl<'a> Keys<'a> {
    fn around(channel: &'a ChannelData, time_secs: f64) -> Self {
        let times = &channel.times;
        let later = times.partition_point(|key| f64::from(*key) <= time_secs);
        let before = later.saturating_sub(1);
        let after = if later == 0 {
            0
        } else {
            later.min(times.len() - 1)
        };
        let span_secs = f64::from(times[after]) - f64::from(times[before]);
        let u = if after == before {
            0.0
        } else {
            (time_secs - f64::from(times[before])) / span_secs
        };
        let values_a_key = channel.interpolation.values_a_key();
        let width = channel.values.len() / (times.len() * values_a_key);
        Self {
            channel,
            width,
            before,
            after,
            u,
            span_secs,
        }
    }

    /// One number of the interpolated value, without regard to others.
    fn component(&self, c: usize) -> f64 {
        let u = self.u;
        let (from, to) = (self.value(self.before, c), self.value(self.after, c));
        match self.channel.interpolation {
            Interpolation::Step => from,
            Interpolation::Linear => from + (to - from) * u,
            Interpolation::CubicSpline => {
                let out_tangent = self.span_secs * self.stored(self.before, 2, c);
                let in_tangent = self.span_secs * self.stored(self.after, 0, c);
                let (u2, u3) = (u * u, u * u * u);
                (2.0 * u3 - 3.0 * u2 + 1.0) * from
                    + (u3 - 2.0 * u2 + u) * out_tangent
                    + (3.0 * u2 - 2.0 * u3) * to
                    + (u3 - u2) * in_tangent
            }
        }
    }

    fn vector(&self) -> DVec3 {
        DVec3::new(self.component(0), self.component(1), self.component(2))
    }

    fn rotation(&self) -> DQuat {
        let key = |key| DQuat::from_array([0, 1, 2, 3].map(|c| self.value(key, c)));
        match self.channel.interpolation {
            Interpolation::Linear => slerp(key(self.before), key(self.after), self.u),
            Interpolation::Step => key(self.before),
            Interpolation::CubicSpline => {
                normalized(DQuat::from_array([0, 1, 2, 3].map(|c| self.component(c))))
            }
        }
    }

    fn value(&self, key: usize, c: usize) -> f64 {
        let slot = self.channel.interpolation.values_a_key() / 2;
        self.stored(key, slot, c)
    }

    /// One number of a key's value or, in a cubic spline, of its in-tangent (slot 0), its value (1) or
    /// its out-tangent (2).
    fn stored(&self, key: usize, slot: usize, c: usize) -> f64 {
        let slots = self.channel.interpolation.values_a_key();
        f64::from(self.channel.values[(key * slots + slot) * self.width + c])
    }
}

impl Interpolation {
    /// How many values stand in the file for each key.
    fn values_a_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
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
