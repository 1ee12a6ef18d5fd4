//! Shadows on the ground of one plane: what hides its samples from an eye in the plane, or so near to it
//! that in f64 it might be.
//!
//! Seen from above, a line of sight that passes over nothing but triangles of the plane ends on a sample
//! that is seen. If the eye is in the plane, one that passes over the inside of a triangle whose plane
//! does not have the eye leaves the plane there; where it comes back to ground of the plane, it hits a
//! triangle that blocks it. So strip by strip, outward from the eye, slots of azimuth are kept: whether
//! another triangle is over a point of one, and whether such triangles are over all of it.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and slots, which are whole, not negative and below 2^32"
)]

use super::coplanar::{Coplanar, EyePlane};
use super::eye_triangles::NEAREST;
use super::quarter::Quarter;
use core::ops::Range;

/// The number of slots of a cell where the quarter ends, and how many a quarter has at least and at most.
const SLOTS_A_CELL: f64 = 16.0;
const SLOTS: core::ops::RangeInclusive<usize> = 64..=1 << 18;

/// More than the rounding of a slot's number.
const SLOT_ERROR: f64 = 1e-6;

/// A triangle that is not in the plane is over a point of the slot.
const TOUCHED: u8 = 1;

/// Over all of the slot lines of sight leave the plane, behind the last hole.
const COVERED: u8 = 2;

/// A quarter of the map, and the shadows in it.
pub(super) struct Shadow<'a> {
    quarter: Quarter<'a>,
    coplanar: &'a Coplanar,
    bit: u8,
    /// Whether covered samples are hidden, as the eye is in the plane.
    has_eye: bool,
    /// Whether no triangle changes a slot: all are covered from the eye on, and only holes uncover them.
    is_settled: bool,
    /// The azimuth at which the first slot starts.
    from: f64,
    to: f64,
    per_width: f64,
    slots: Vec<u8>,
    /// Where holes of the strip are.
    holes: Vec<Range<usize>>,
}

/// The samples of the plane whose visibility is known.
#[derive(Default)]
pub(super) struct Found {
    pub(super) seen: Vec<usize>,
    pub(super) hidden: Vec<usize>,
}

/// The cells between the line before `k`, which is the line `previous`, and line `k`.
#[derive(Clone, Copy)]
struct Strip {
    previous: usize,
    k: usize,
    /// The distances of both lines; the line before may be behind the eye.
    near: f64,
    far: f64,
    /// Bound on the error of an azimuth.
    error: f64,
}

/// What finds the slots of a sample on a line so far from the eye.
struct SlotPlace {
    far: f64,
    inverse: f64,
    /// The last slot, and how far the number of a slot may be off.
    last: f64,
    slack: f64,
}

/// A corner of a triangle: whether it is on the farther line, and the minor line.
type Corner = (bool, usize);

/// What a triangle is to the plane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    InPlane,
    Hole,
    /// Elsewhere; its plane may have the eye.
    Other,
    /// Elsewhere, and its plane surely does not have the eye.
    Covers,
}

impl<'a> Shadow<'a> {
    /// The quarter before anything is passed; `None` where it has no samples.
    pub(super) fn new(
        quarter: Quarter<'a>,
        coplanar: &'a Coplanar,
        plane: &EyePlane,
    ) -> Option<Self> {
        let [from, to] = quarter.azimuths()?;
        let farthest = quarter.lines().last().map_or(0.0, |k| quarter.distance(k));
        let slots = ((to - from) * farthest * SLOTS_A_CELL) as usize;
        let slots = slots.clamp(*SLOTS.start(), *SLOTS.end());
        // An eye above or below the ground is where its lines of sight leave the ground's height.
        let start = if plane.is_off_ground {
            TOUCHED | COVERED
        } else {
            0
        };
        Some(Self {
            quarter,
            coplanar,
            bit: plane.bit,
            has_eye: plane.has_eye,
            is_settled: plane.is_off_ground && quarter.sweep.field.hole_count() == 0,
            from,
            to,
            per_width: slots as f64 / (to - from).max(f64::MIN_POSITIVE),
            slots: vec![start; slots],
            holes: Vec::new(),
        })
    }

    /// Passes the quarter outward from the eye.
    pub(super) fn sweep(mut self) -> Found {
        let quarter = self.quarter;
        let mut found = Found::default();
        for k in quarter.lines() {
            let Some(previous) = quarter.line_before(k) else {
                continue;
            };
            let far = quarter.distance(k);
            let near = far - 1.0;
            let strip = Strip {
                previous,
                k,
                near,
                far,
                error: 8.0 * quarter.sweep.position_error / near.max(NEAREST),
            };
            if far > NEAREST {
                if !self.is_settled {
                    self.pass(&strip);
                }
                self.decide(&strip, &mut found);
            }
        }
        found
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_in_plane(&self, line: usize, j: usize) -> bool {
        self.coplanar.mask(self.quarter.sample(line, j)) & self.bit != 0
    }

    /// Takes a strip into the slots.
    fn pass(&mut self, strip: &Strip) {
        let quarter = self.quarter;
        let at = |azimuth: f64| [strip.near.max(0.0), strip.far].map(|far| azimuth * far);
        let [low, high] = [at(self.from), at(self.to)];
        let first = (quarter.minor + low[0].min(low[1]) - 1.0).max(0.0) as usize;
        let end = (quarter.minor + high[0].max(high[1]) + 2.0).max(0.0) as usize;
        let end = end.min(quarter.last_minor as usize);
        // Consecutive cells without a triangle in the plane.
        let mut run = first..first;
        for j in first..end {
            let corners = [
                self.is_in_plane(strip.previous, j),
                self.is_in_plane(strip.previous, j + 1),
                self.is_in_plane(strip.k, j),
                self.is_in_plane(strip.k, j + 1),
            ];
            let kinds = match corners {
                [true, true, true, true] => [Kind::InPlane; 2],
                _ => self.kinds(strip, j),
            };
            if kinds == [Kind::Covers; 2] {
                if run.end != j {
                    self.cast_by_cells(strip, &run);
                    run.start = j;
                }
                run.end = j + 1;
                continue;
            }
            for (kind, triangle) in kinds.into_iter().zip(self.triangles(j)) {
                self.cast_by_triangle(strip, kind, triangle);
            }
        }
        self.cast_by_cells(strip, &run);
        for hole in core::mem::take(&mut self.holes) {
            for slot in &mut self.slots[hole] {
                *slot &= !COVERED;
            }
        }
    }

    /// The two triangles of the cell from minor line `j` on: the one with two corners on the nearer line,
    /// and the other. The first corner of each is at the right angle, the second on the other line, the
    /// third beside the first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn triangles(&self, j: usize) -> [[Corner; 3]; 2] {
        // From which minor line the diagonal starts on the nearer line, and to which it goes.
        let (from, to) = if self.quarter.has_rising_diagonals {
            (j, j + 1)
        } else {
            (j + 1, j)
        };
        [
            [(false, to), (true, to), (false, from)],
            [(true, from), (false, from), (true, to)],
        ]
    }

    /// What the triangles of a cell are to the plane.
    fn kinds(&self, strip: &Strip, j: usize) -> [Kind; 2] {
        let quarter = &self.quarter;
        self.triangles(j).map(|corners| {
            let place = |(is_far, minor): Corner| {
                let line = if is_far { strip.k } else { strip.previous };
                (line, minor)
            };
            let is_in_plane = |corner: Corner| {
                let (line, minor) = place(corner);
                self.is_in_plane(line, minor)
            };
            if corners.into_iter().all(is_in_plane) {
                return Kind::InPlane;
            }
            let [angle, across, beside] = corners.map(|corner| {
                let (line, minor) = place(corner);
                quarter.rise(line, minor)
            });
            // The height of the plane at the eye, from the right angle.
            let (is_far, minor) = corners[0];
            let major_steps = if is_far { strip.far } else { -strip.near };
            let towards = corners[2].1 as f64 - minor as f64;
            let minor_steps = (quarter.minor - minor as f64) * towards;
            let at_eye = angle + (across - angle) * major_steps + (beside - angle) * minor_steps;
            let error = quarter.sweep.error * (2.0 + major_steps.abs() + minor_steps.abs());
            if at_eye.is_nan() {
                Kind::Hole
            } else if at_eye.abs() > error {
                Kind::Covers
            } else {
                Kind::Other
            }
        })
    }

    fn cast_by_triangle(&mut self, strip: &Strip, kind: Kind, corners: [Corner; 3]) {
        if kind == Kind::InPlane {
            return;
        }
        let Some([low, high]) = self.azimuths_of(strip, corners) else {
            return;
        };
        match kind {
            Kind::InPlane => {}
            Kind::Hole => {
                let slots = self.slots_touched([low, high], strip.error);
                self.holes.push(slots);
            }
            Kind::Other => self.cast([low, high], strip.error, false),
            Kind::Covers => self.cast([low, high], strip.error, true),
        }
    }

    /// Casts the shadow of whole cells.
    fn cast_by_cells(&mut self, strip: &Strip, cells: &Range<usize>) {
        if cells.is_empty() {
            return;
        }
        let near = strip.near.max(NEAREST);
        let low = cells.start as f64 - self.quarter.minor;
        let high = cells.end as f64 - self.quarter.minor;
        let low = low / if low < 0.0 { near } else { strip.far };
        let high = high / if high < 0.0 { strip.far } else { near };
        self.cast([low, high], strip.error, true);
    }

    /// The azimuths over which a triangle is, without what is nearer than [`NEAREST`].
    fn azimuths_of(&self, strip: &Strip, corners: [Corner; 3]) -> Option<[f64; 2]> {
        let points = corners.map(|(is_far, minor)| {
            let distance = if is_far { strip.far } else { strip.near };
            (distance, minor as f64 - self.quarter.minor)
        });
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut add = |distance: f64, minor: f64| {
            low = low.min(minor / distance);
            high = high.max(minor / distance);
        };
        for index in 0..3 {
            let [(distance, minor), (next_distance, next_minor)] =
                [points[index], points[(index + 1) % 3]];
            if distance >= NEAREST {
                add(distance, minor);
            }
            if (distance >= NEAREST) != (next_distance >= NEAREST) {
                let along = (NEAREST - distance) / (next_distance - distance);
                add(NEAREST, minor + (next_minor - minor) * along);
            }
        }
        (low <= high).then_some([low, high])
    }

    fn cast(&mut self, azimuths: [f64; 2], error: f64, covers: bool) {
        let touched = self.slots_touched(azimuths, error);
        for slot in &mut self.slots[touched] {
            *slot |= TOUCHED;
        }
        if covers {
            let [start, end] = [azimuths[0] + error, azimuths[1] - error]
                .map(|azimuth| (azimuth - self.from) * self.per_width);
            let start = (start + SLOT_ERROR).ceil().max(0.0) as usize;
            let end = (end - SLOT_ERROR).floor().max(0.0) as usize;
            let end = end.min(self.slots.len());
            for slot in &mut self.slots[start.min(end)..end] {
                *slot |= COVERED;
            }
        }
    }

    /// The slots that may have a point between these azimuths.
    fn slots_touched(&self, [low, high]: [f64; 2], error: f64) -> Range<usize> {
        let [start, end] =
            [low - error, high + error].map(|azimuth| (azimuth - self.from) * self.per_width);
        let start = (start - SLOT_ERROR).floor().max(0.0) as usize;
        let end = ((end + SLOT_ERROR).floor() + 1.0).max(0.0) as usize;
        let last = self.slots.len() - 1;
        // What is beyond the last slot is taken to be in it.
        start.min(last)..end.clamp(start.min(last), last + 1)
    }

    /// Decides the samples of a strip's line that are in the plane.
    fn decide(&self, strip: &Strip, found: &mut Found) {
        let (quarter, far) = (&self.quarter, strip.far);
        let low = (quarter.minor + self.from * far - 1.0).max(0.0) as usize;
        let high = (quarter.minor + self.to * far + 2.0).max(0.0) as usize;
        let place = SlotPlace {
            far,
            inverse: 1.0 / far,
            last: self.slots.len() as f64 - 1.0,
            slack: 8.0 * quarter.sweep.position_error / far * self.per_width + SLOT_ERROR,
        };
        let end = high.min(quarter.last_minor as usize + 1);
        let mut first = low;
        while first < end {
            let sample = quarter.sample(strip.k, first);
            let (lines, may_be_in) = self.coplanar.block_of(sample, first, self.bit);
            let after = end.min(first + lines);
            if may_be_in {
                for j in first..after {
                    if self.is_in_plane(strip.k, j) {
                        self.decide_sample(strip, j, &place, found);
                    }
                }
            }
            first = after;
        }
    }

    /// Decides a sample of a strip's line that is in the plane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide_sample(&self, strip: &Strip, j: usize, place: &SlotPlace, found: &mut Found) {
        let across = j as f64 - self.quarter.minor;
        if across.abs() > place.far {
            return;
        }
        let azimuth = across * place.inverse;
        let slot = (azimuth - self.from) * self.per_width;
        // A line of sight between two slots is decided where both say the same.
        let [one, other] = [slot - place.slack, slot + place.slack]
            .map(|slot| self.slots[slot.clamp(0.0, place.last) as usize]);
        if one | other == 0 {
            found.seen.push(self.quarter.sample(strip.k, j));
        } else if self.has_eye
            && one & other & COVERED != 0
            && self.arrives_in_plane(strip, j, azimuth)
        {
            found.hidden.push(self.quarter.sample(strip.k, j));
        }
    }

    /// Whether the triangle that a line of sight to sample `j` of a strip's line, which is in the plane,
    /// passes last is in the plane too.
    fn arrives_in_plane(&self, strip: &Strip, j: usize, azimuth: f64) -> bool {
        let rising = self.quarter.has_rising_diagonals;
        // From the cell after the minor line, and from the one before it.
        let last = self.quarter.last_minor as usize;
        let after = |line: usize| j < last && self.is_in_plane(line, j + 1);
        let before = |line: usize| j > 0 && self.is_in_plane(line, j - 1);
        let from_after = || after(if rising { strip.k } else { strip.previous });
        let from_before = || before(if rising { strip.previous } else { strip.k });
        self.is_in_plane(strip.previous, j)
            && (azimuth > NEAREST || from_after())
            && (azimuth < -NEAREST || from_before())
    }
}
