//! One animated property: its keys, prepared for sampling, and its value at a time.
//!
//! The formulas are those of glTF 2.0, appendix C. What depends on two keys alone (the arc between two
//! rotations) is computed once; the keys around a time are looked up once for all tracks
//! with the same key times. Which node a track moves is in `clip.rs`.

use super::quaternion::{Arc, normalized};
use crate::model::{ChannelData, Interpolation, Property};
use glam::{DQuat, DVec3};

/// The values of one property of one node at its keys.
#[derive(Debug, Clone)]
pub(in crate::model) struct Track {
    /// Which of the clip's key times are its.
    pub(in crate::model) timeline: usize,
    pub(in crate::model) interpolation: Interpolation,
    /// The number of components of a value.
    width: usize,
    /// In the file's layout.
    pub(in crate::model) values: Vec<f32>,
    /// For rotations that are linear between keys the arcs between them, unless they are in `key_rows.rs`.
    arcs: Vec<Arc>,
}

/// The two keys around a time.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct KeyInterval {
    /// The last key that is not later, or the first key where all are.
    pub(super) before: usize,
    /// The key after it, or the same key where the time is clamped.
    pub(super) after: usize,
    /// How far the time is from `before` to `after`, from 0 to 1.
    pub(super) u: f64,
    /// Seconds between the keys.
    span_secs: f64,
}

impl KeyInterval {
    /// The interval of a time in these key times. There is at least one.
    pub(in crate::model) fn at(times: &[f32], time_secs: f64) -> Self {
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
    pub(in crate::model) fn new(channel: ChannelData, timeline: usize, keys: usize) -> Self {
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

    /// Whether the value is the same, bit for bit, at all times.
    pub(in crate::model) fn is_constant(&self) -> bool {
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

    /// The value at a key of a track that is linear between keys.
    pub(super) fn key(&self, key: usize) -> &[f32] {
        &self.values[key * self.width..][..self.width]
    }

    /// The arc from a key to the next.
    pub(super) fn arc(&self, key: usize) -> Option<&Arc> {
        self.arcs.get(key)
    }

    /// Frees the memory of the arcs, which are then computed for each value.
    pub(super) fn forget_arcs(&mut self) {
        self.arcs = Vec::new();
    }

    /// One number of the interpolated value, without regard to others.
    #[inline]
    pub(in crate::model) fn component(&self, interval: &KeyInterval, c: usize) -> f64 {
        let u = interval.u;
        let from = self.value(interval.before, c);
        if self.interpolation == Interpolation::Step {
            return from;
        }
        let to = self.value(interval.after, c);
        if self.interpolation == Interpolation::Linear {
            return from + (to - from) * u;
        }
        let out_tangent = interval.span_secs * self.stored(interval.before, 2, c);
        let in_tangent = interval.span_secs * self.stored(interval.after, 0, c);
        let (u2, u3) = (u * u, u * u * u);
        (2.0 * u3 - 3.0 * u2 + 1.0) * from
            + (u3 - 2.0 * u2 + u) * out_tangent
            + (3.0 * u2 - 2.0 * u3) * to
            + (u3 - u2) * in_tangent
    }

    #[inline]
    pub(in crate::model) fn vector(&self, interval: &KeyInterval) -> DVec3 {
        if self.interpolation == Interpolation::Linear {
            let key = |key: usize| match &self.values[key * 3..key * 3 + 3] {
                [x, y, z] => DVec3::new(f64::from(*x), f64::from(*y), f64::from(*z)),
                _ => DVec3::ZERO,
            };
            let (from, to) = (key(interval.before), key(interval.after));
            return from + (to - from) * interval.u;
        }
        let component = |c| self.component(interval, c);
        DVec3::new(component(0), component(1), component(2))
    }

    #[inline]
    pub(in crate::model) fn rotation(&self, interval: &KeyInterval) -> DQuat {
        match self.interpolation {
            Interpolation::Linear => {
                let (from, to) = (
                    self.quaternion(interval.before),
                    self.quaternion(interval.after),
                );
                match self.arcs.get(interval.before) {
                    Some(arc) if interval.after != interval.before => arc.at(from, to, interval.u),
                    // Clamped to the first or the last key, or without its arcs.
                    _ => Arc::between(from, to).at(from, to, interval.u),
                }
            }
            Interpolation::Step => self.quaternion(interval.before),
            Interpolation::CubicSpline => {
                let component = |c| self.component(interval, c);
                normalized(DQuat::from_xyzw(
                    component(0),
                    component(1),
                    component(2),
                    component(3),
                ))
            }
        }
    }

    pub(in crate::model) fn memory_bytes(&self) -> usize {
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
    /// The number of values of the file for each key.
    #[inline]
    pub(in crate::model) fn values_a_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}
