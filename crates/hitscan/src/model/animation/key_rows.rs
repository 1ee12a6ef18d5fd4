//! Key rows: the values of all linear tracks with the same key times, key by key side by side, sampled
//! eight lanes at a time.
//!
//! Each lane does what `track.rs` and `quaternion.rs` do for one number, operation for operation, so
//! the bits are theirs. A clip that moves twenty joints reads two rows instead of sixty tracks.

use super::quaternion::{Arc, SINE_TERMS};
use super::track::{KeyInterval, Track};
use crate::model::{Interpolation, Property};
use crate::narrow_phase::ray_cast::ray_triangle::widened;
use crate::simd::{Width, dispatch};
use core::f64::consts::FRAC_PI_4;
use fearless_simd::{Select, Simd, f64x8, prelude::*};
use glam::{DQuat, DVec3};
use smallvec::SmallVec;

const LANES: usize = 8;

/// The minimum number of vectors, and of rotations, for which a row is filled well enough to be
/// faster than track after track.
const FEW: usize = 4;

/// The rows of one timeline.
#[derive(Debug)]
struct TimelineRows {
    timeline: usize,
    /// The number of blocks of [`LANES`] numbers that the vectors of a key take.
    vector_blocks: usize,
    /// The vectors of a key, x, y and z of one after those of another.
    vectors: Vec<[f32; LANES]>,
    /// The number of blocks of [`LANES`] rotations of a key.
    rotation_blocks: usize,
    /// The rotations of a key: x, y, z and w.
    rotations: Vec<[[f32; LANES]; 4]>,
    /// The arcs from a key to the next.
    arcs: Vec<ArcLanes>,
}

/// Arcs side by side.
#[derive(Debug)]
struct ArcLanes {
    angle: [f64; LANES],
    sinc: [f64; LANES],
    sign: [f64; LANES],
}

/// The rows of a clip.
#[derive(Debug, Default)]
pub(super) struct KeyRows(Vec<TimelineRows>);

/// What the tracks in rows have at a time.
#[derive(Debug, Default)]
pub(super) struct RowSample {
    vectors: SmallVec<[[f64; LANES]; 12]>,
    rotations: SmallVec<[[[f64; LANES]; 4]; 3]>,
}

impl KeyRows {
    /// The rows of a clip's tracks, each with the property that it moves, and where each track is in a
    /// sample; `None` for a track that is in no row.
    pub(super) fn new(
        timelines: &[Vec<f32>],
        tracks: &mut [Track],
        properties: &[Property],
    ) -> (Self, Vec<Option<usize>>) {
        let mut places = vec![None; tracks.len()];
        let mut rows = Vec::new();
        let (mut vector_start, mut rotation_start) = (0, 0);
        for (timeline, times) in timelines.iter().enumerate() {
            let of_kind = |wanted: fn(Property) -> bool| {
                let moving = tracks.iter().zip(properties).enumerate();
                let moving = moving.filter(|(_, (track, property))| {
                    track.timeline == timeline
                        && track.interpolation == Interpolation::Linear
                        && wanted(**property)
                        && !track.is_constant()
                });
                let moving: Vec<usize> = moving.map(|(place, _)| place).collect();
                moving
            };
            let is_vector = |property| matches!(property, Property::Translation | Property::Scale);
            let mut vectors = of_kind(is_vector);
            let mut rotations = of_kind(|property| property == Property::Rotation);
            for few in [&mut vectors, &mut rotations] {
                if few.len() < FEW {
                    few.clear();
                }
            }
            if vectors.is_empty() && rotations.is_empty() {
                continue;
            }
            for (place, track) in vectors.iter().enumerate() {
                places[*track] = Some(vector_start * LANES + 3 * place);
            }
            for (place, track) in rotations.iter().enumerate() {
                places[*track] = Some(rotation_start * LANES + place);
            }
            let new = TimelineRows::new((timeline, times.len()), tracks, &vectors, &rotations);
            vector_start += new.vector_blocks;
            rotation_start += new.rotation_blocks;
            rows.push(new);
        }
        (Self(rows), places)
    }

    /// What the tracks have where `intervals` holds the keys around a time, one for each timeline.
    pub(super) fn sample(&self, intervals: &[KeyInterval], sample: &mut RowSample) {
        self.sample_with(Width::default(), intervals, sample);
    }

    fn sample_with(&self, width: Width, intervals: &[KeyInterval], sample: &mut RowSample) {
        dispatch!(width, simd => {
            for rows in &self.0 {
                rows.sample(simd, &intervals[rows.timeline], sample);
            }
        });
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let bytes = |rows: &TimelineRows| {
            size_of_val(rows.vectors.as_slice())
                + size_of_val(rows.rotations.as_slice())
                + size_of_val(rows.arcs.as_slice())
        };
        size_of_val(self.0.as_slice()) + self.0.iter().map(bytes).sum::<usize>()
    }
}

impl RowSample {
    /// The vector at a place that [`KeyRows::new`] gave.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn vector(&self, place: usize) -> DVec3 {
        let numbers = &self.vectors.as_slice().as_flattened()[place..place + 3];
        DVec3::new(numbers[0], numbers[1], numbers[2])
    }

    /// The rotation at a place that [`KeyRows::new`] gave.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn rotation(&self, place: usize) -> DQuat {
        let [x, y, z, w] = &self.rotations[place / LANES];
        let lane = place % LANES;
        DQuat::from_xyzw(x[lane], y[lane], z[lane], w[lane])
    }
}

impl TimelineRows {
    /// The rows of these tracks, whose arcs go over into them.
    fn new(
        (timeline, keys): (usize, usize),
        tracks: &mut [Track],
        vectors: &[usize],
        rotations: &[usize],
    ) -> Self {
        let mut rows = Self {
            timeline,
            vector_blocks: (3 * vectors.len()).div_ceil(LANES),
            vectors: Vec::new(),
            rotation_blocks: rotations.len().div_ceil(LANES),
            rotations: Vec::new(),
            arcs: Vec::new(),
        };
        for key in 0..keys {
            let numbers = vectors.iter().flat_map(|track| tracks[*track].key(key));
            let numbers: Vec<f32> = numbers.copied().collect();
            let blocks = numbers.chunks(LANES);
            rows.vectors.extend(blocks.map(|block| {
                core::array::from_fn(|lane| block.get(lane).copied().unwrap_or_default())
            }));
            for block in rotations.chunks(LANES) {
                // Lanes without a rotation have 0, and an arc that leaves it so.
                let number = |c: usize, lane: usize| {
                    let track = block.get(lane).map(|track| &tracks[*track]);
                    track.map_or(0.0, |track| track.key(key)[c])
                };
                rows.rotations.push(core::array::from_fn(|c| {
                    core::array::from_fn(|lane| number(c, lane))
                }));
                let arc = |lane: usize| {
                    let arc = block.get(lane).and_then(|track| tracks[*track].arc(key));
                    arc.copied().unwrap_or(Arc::NONE)
                };
                if key + 1 < keys {
                    rows.arcs.push(ArcLanes {
                        angle: core::array::from_fn(|lane| arc(lane).angle),
                        sinc: core::array::from_fn(|lane| arc(lane).sinc),
                        sign: core::array::from_fn(|lane| arc(lane).sign),
                    });
                }
            }
        }
        for track in rotations {
            tracks[*track].forget_arcs();
        }
        rows
    }

    /// Adds what the tracks have between two keys.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sample<S: Simd>(&self, simd: S, interval: &KeyInterval, sample: &mut RowSample) {
        let KeyInterval {
            before, after, u, ..
        } = *interval;
        let row = |key: usize| &self.vectors[key * self.vector_blocks..][..self.vector_blocks];
        for (from, to) in row(before).iter().zip(row(after)) {
            let (from, to) = (widened(simd, *from), widened(simd, *to));
            sample.vectors.push((from + (to - from) * u).to_array());
        }
        let blocks = self.rotation_blocks;
        let row = |key: usize| &self.rotations[key * blocks..][..blocks];
        if before == after {
            // Clamped to the first or the last key: the arc from a rotation to itself has it at 0.
            for from in row(before) {
                let from = from.map(|numbers| numbers.map(f64::from));
                sample.rotations.push(from);
            }
            return;
        }
        let arcs = &self.arcs[before * blocks..][..blocks];
        let rest = 1.0 - u;
        for ((from, to), arc) in row(before).iter().zip(row(after)).zip(arcs) {
            let angle = f64x8::load_array_ref(simd, &arc.angle);
            let sinc = f64x8::load_array_ref(simd, &arc.sinc);
            let from_weight = (sincs(simd, angle * rest) / sinc) * rest;
            let to_weight = (sincs(simd, angle * u) / sinc) * u;
            let to_weight = f64x8::load_array_ref(simd, &arc.sign) * to_weight;
            let mut turned = [[0.0; LANES]; 4];
            for c in 0..4 {
                let (from, to) = (widened(simd, from[c]), widened(simd, to[c]));
                turned[c] = (from * from_weight + to * to_weight).to_array();
            }
            sample.rotations.push(turned);
        }
    }
}

/// `sin(x) / x` of each, and its limit at 0, for `0 <= x`; as `quaternion.rs` has one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn sincs<S: Simd>(simd: S, x: f64x8<S>) -> f64x8<S> {
    let [s1, s2, s3, s4, s5, s6] = SINE_TERMS.map(|term| f64x8::splat(simd, term));
    let z = x * x;
    let w = z * z;
    let r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    let mut sine = x + z * x * (s1 + z * r);
    if x.simd_gt(FRAC_PI_4).any_true() {
        sine = f64x8::load_array(simd, with_large_sines(x.to_array(), sine.to_array()));
    }
    x.simd_eq(0.0).select(f64x8::splat(simd, 1.0), sine / x)
}

/// The sines, with those beyond an eighth of a turn computed anew.
#[cold]
#[inline(never)]
fn with_large_sines(x: [f64; LANES], sines: [f64; LANES]) -> [f64; LANES] {
    core::array::from_fn(|lane| {
        if x[lane] > FRAC_PI_4 {
            libm::sin(x[lane])
        } else {
            sines[lane]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ChannelData;
    use crate::test_rng::Rng;

    /// A number of a key that is often one of those where formulas have a branch.
    fn number(rng: &mut Rng) -> f32 {
        match rng.below(6) {
            0 => 0.0,
            1 => -0.0,
            2 => 1.0,
            3 => -0.5,
            #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
            _ => rng.uniform(-1.0, 1.0) as f32,
        }
    }

    #[test]
    fn each_width_has_the_bits_of_one_track_after_another() {
        let mut rng = Rng(5);
        let mut large = 0;
        for round in 0..60 {
            let times: Vec<f32> = (0..1 + round % 7_u8)
                .map(|key| 0.25 * f32::from(key))
                .collect();
            let kinds = [Property::Translation, Property::Rotation, Property::Scale];
            let properties: Vec<Property> = (0..33).map(|track| kinds[track % 3]).collect();
            let track = |property: &Property| {
                let width = if *property == Property::Rotation {
                    4
                } else {
                    3
                };
                let channel = ChannelData {
                    node: 0,
                    property: *property,
                    interpolation: Interpolation::Linear,
                    times: times.clone(),
                    values: (0..width * times.len()).map(|_| number(&mut rng)).collect(),
                };
                Track::new(channel, 0, times.len())
            };
            let tracks: Vec<Track> = properties.iter().map(track).collect();
            let mut moved = tracks.clone();
            let (rows, places) =
                KeyRows::new(core::slice::from_ref(&times), &mut moved, &properties);
            for time_secs in [-1.0, 0.0, 0.1, 0.24, 0.25, 0.3, 0.7, 0.75, 1.1, 1.5, 9.0] {
                let interval = KeyInterval::at(&times, time_secs);
                for width in Width::available() {
                    let mut sample = RowSample::default();
                    rows.sample_with(width, &[interval], &mut sample);
                    for (track, (place, property)) in
                        tracks.iter().zip(places.iter().zip(&properties))
                    {
                        let Some(place) = *place else {
                            assert!(track.is_constant());
                            continue;
                        };
                        if *property == Property::Rotation {
                            let (found, expected) =
                                (sample.rotation(place), track.rotation(&interval));
                            let bits = |q: DQuat| q.to_array().map(f64::to_bits);
                            assert_eq!(bits(found), bits(expected), "{width:?} {time_secs}");
                            let angle = track.arc(interval.before).map_or(0.0, |arc| arc.angle);
                            large += usize::from(angle * interval.u > FRAC_PI_4);
                        } else {
                            let (found, expected) = (sample.vector(place), track.vector(&interval));
                            let bits = |v: DVec3| v.to_array().map(f64::to_bits);
                            assert_eq!(bits(found), bits(expected), "{width:?} {time_secs}");
                        }
                    }
                }
            }
        }
        assert!(large > 1000, "{large} sines beyond an eighth of a turn");
    }
}
