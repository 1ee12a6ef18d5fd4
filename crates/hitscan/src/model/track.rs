//! One animated property: its keys, made ready for sampling, and its value at a moment.
//!
//! The formulas are those of glTF 2.0, appendix C. What depends on two keys alone (the arc between two
//! rotations) is worked out once; where in its keys a moment falls is looked up once for all tracks
//! that share their key times. Which node a track moves is in `clip.rs`.

use super::quaternion::{Arc, normalized};
use super::{ChannelData, Interpolation, Property};
use glam::{DQuat, DVec3};

/// The values of one property of one node at its keys.
#[derive(Debug)]
pub(super) struct Track {
    /// Which of the clip's key times are its.
    pub(super) timeline: usize,
    interpolation: Interpolation,
    /// How many numbers a value has.
    width: usize,
    /// In the file's layout.
    values: Vec<f32>,
    /// For rotations that are linear between keys the arcs between them.
    arcs: Vec<Arc>,
}

/// Where in a track's keys a moment falls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Snapshot {
    /// The last key that is not later, or the first key where all are.
    before: usize,
    /// The key after it, or the same key where the moment is clamped.
    after: usize,
    /// How far the moment is from `before` to `after`, from 0 to 1.
    u: f64,
    /// Seconds between the keys.
    span_secs: f64,
}

impl Snapshot {
    /// The moment in these key times, of which there is one at least.
    pub(super) fn at(times: &[f32], time_secs: f64) -> Self {
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
        Self {
            before,
            after,
            u,
            span_secs,
        }
    }
}

impl Track {
    /// The track of a checked channel, whose key times are the clip's with this number, so many.
    pub(super) fn new(channel: ChannelData, timeline: usize, keys: usize) -> Self {
        let width = channel.values.len() / (keys * channel.interpolation.values_a_key());
        let mut track = Self {
            timeline,
            interpolation: channel.interpolation,
            width,
            values: channel.values,
            arcs: Vec::new(),
        };
        if channel.property == Property::Rotation && track.interpolation == Interpolation::Linear {
            let arc = |key| Arc::between(track.quaternion(key), track.quaternion(key + 1));
            track.arcs = (0..keys - 1).map(arc).collect();
        }
        track
    }

    /// Whether the value is the same, bit for bit, at all moments.
    pub(super) fn is_constant(&self) -> bool {
        let is_simple = match self.interpolation {
            Interpolation::Step => true,
            // Of two equal rotations the weights need not quite add up to 1.
            Interpolation::Linear => self.width != 4,
            Interpolation::CubicSpline => false,
        };
        let mut keys = self.values.chunks(self.width.max(1));
        let first = keys.next().unwrap_or_default();
        let is_first = |key: &[f32]| {
            key.iter()
                .zip(first)
                .all(|(x, y)| x.to_bits() == y.to_bits())
        };
        is_simple && keys.all(is_first)
    }

    /// One number of the interpolated value, without regard to others.
    #[inline]
    pub(super) fn component(&self, moment: &Snapshot, c: usize) -> f64 {
        let u = moment.u;
        let from = self.value(moment.before, c);
        if self.interpolation == Interpolation::Step {
            return from;
        }
        let to = self.value(moment.after, c);
        if self.interpolation == Interpolation::Linear {
            return from + (to - from) * u;
        }
        let out_tangent = moment.span_secs * self.stored(moment.before, 2, c);
        let in_tangent = moment.span_secs * self.stored(moment.after, 0, c);
        let (u2, u3) = (u * u, u * u * u);
        (2.0 * u3 - 3.0 * u2 + 1.0) * from
            + (u3 - 2.0 * u2 + u) * out_tangent
            + (3.0 * u2 - 2.0 * u3) * to
            + (u3 - u2) * in_tangent
    }

    #[inline]
    pub(super) fn vector(&self, moment: &Snapshot) -> DVec3 {
        if self.interpolation == Interpolation::Linear {
            let key = |key: usize| match &self.values[key * 3..key * 3 + 3] {
                [x, y, z] => DVec3::new(f64::from(*x), f64::from(*y), f64::from(*z)),
                _ => DVec3::ZERO,
            };
            let (from, to) = (key(moment.before), key(moment.after));
            return from + (to - from) * moment.u;
        }
        let component = |c| self.component(moment, c);
        DVec3::new(component(0), component(1), component(2))
    }

    #[inline]
    pub(super) fn rotation(&self, moment: &Snapshot) -> DQuat {
        match self.interpolation {
            Interpolation::Linear => {
                let (from, to) = (
                    self.quaternion(moment.before),
                    self.quaternion(moment.after),
                );
                match self.arcs.get(moment.before) {
                    Some(arc) if moment.after != moment.before => arc.at(from, to, moment.u),
                    // Clamped to the first or the last key.
                    _ => Arc::between(from, to).at(from, to, moment.u),
                }
            }
            Interpolation::Step => self.quaternion(moment.before),
            Interpolation::CubicSpline => {
                let component = |c| self.component(moment, c);
                normalized(DQuat::from_xyzw(
                    component(0),
                    component(1),
                    component(2),
                    component(3),
                ))
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(self.values.as_slice()) + size_of_val(self.arcs.as_slice())
    }

    /// A key's rotation.
    #[inline]
    fn quaternion(&self, key: usize) -> DQuat {
        let value = |c| self.value(key, c);
        DQuat::from_xyzw(value(0), value(1), value(2), value(3))
    }

    #[inline]
    fn value(&self, key: usize, c: usize) -> f64 {
        let slot = self.interpolation.values_a_key() / 2;
        self.stored(key, slot, c)
    }

    /// One number of a key's value or, in a cubic spline, of its in-tangent (slot 0), its value (1) or
    /// its out-tangent (2).
    #[inline]
    fn stored(&self, key: usize, slot: usize, c: usize) -> f64 {
        let slots = self.interpolation.values_a_key();
        f64::from(self.values[(key * slots + slot) * self.width + c])
    }
}

impl Interpolation {
    /// How many values stand in the file for each key.
    #[inline]
    pub(super) fn values_a_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}
