//! Questions about rays: their arrays, and the rays that are read from them.

use crate::arrays::{Argument, broadcast, nearest_f32, point};
use crate::invalid::{BadRows, Invalid};
use crate::past::Times;
use crate::python_memory::Rows;
use crate::view::{Target, View};
use glam::DVec3;
use hitscan::Ray;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// One end of the range of t: the same for all rays, or one for each.
enum End {
    All(f32),
    Each(Rows),
}

/// The rays of a call, in arrays that are read a chunk at a time.
pub(crate) struct RayRows {
    origins: Rows,
    directions: Rows,
    t_min: End,
    t_max: End,
    /// Whether all rays have the range from 0 to infinity.
    is_endless: bool,
    /// The leading axes.
    shape: Vec<usize>,
    /// What positions are measured from.
    origin: Option<DVec3>,
    /// Whether positions are wider than f32.
    is_wide: bool,
    /// What the rays are called in errors.
    name: &'static str,
    /// The time of each row, where it is not the present.
    times: Option<Times>,
}

/// What a thread reads rays into.
#[derive(Default)]
pub(crate) struct RayBuffer {
    origins: Vec<[f64; 3]>,
    directions: Vec<[f64; 3]>,
    ends: [Vec<[f64; 1]>; 2],
    /// The rays of the chunk that are questions.
    pub(crate) rays: Vec<Ray>,
    /// The row of each of them.
    pub(crate) rows: Vec<usize>,
    /// The rows that are no question.
    pub(crate) bad: Vec<usize>,
}

impl RayRows {
    /// Origins and directions of shape (..., 3), broadcast; or, without directions, rays of shape (...,
    /// 6). The ends of the range broadcast with them.
    ///
    /// # Errors
    /// `TypeError` and `ValueError` for what is not such arrays.
    pub(crate) fn new(
        origins: &Bound<'_, PyAny>,
        directions: Option<&Bound<'_, PyAny>>,
        (t_min, t_max): (Option<&Bound<'_, PyAny>>, Option<&Bound<'_, PyAny>>),
        view: &View,
        invalid: Invalid,
    ) -> PyResult<Self> {
        let past = view.past.as_ref();
        let ticks = past.map(|past| past.argument(origins.py())).transpose()?;
        let (name, width) = match directions {
            Some(_) => ("origins", 3),
            None => ("rays", 6),
        };
        let origins = Argument::new(name, origins)?;
        let directions = match directions {
            Some(directions) => Some(Argument::new("directions", directions)?),
            None => None,
        };
        let t_min = RangeEnd::new("t_min", t_min, 0.0)?;
        let t_max = RangeEnd::new("t_max", t_max, f64::INFINITY)?;
        let mut shapes = vec![(name, origins.leading(width)?)];
        if let Some(directions) = &directions {
            shapes.push(("directions", directions.leading(3)?));
        }
        for end in [&t_min, &t_max] {
            if let RangeEnd::Array(array) = end {
                shapes.push((array.name(), array.shape()));
            }
        }
        shapes.extend(ticks.as_ref().map(|ticks| (ticks.name(), ticks.shape())));
        let is_endless = matches!(
            (&t_min, &t_max),
            (RangeEnd::Number(0.0), RangeEnd::Number(f64::INFINITY))
        );
        let shape = broadcast(&shapes)?;
        let times = past.zip(ticks.as_ref());
        let times = times.map(|(past, ticks)| past.times(ticks, &shape, invalid == Invalid::Mark));
        let direction_rows = match &directions {
            Some(directions) => directions.rows(&shape, Some((0, 3)))?,
            None => origins.rows(&shape, Some((3, 3)))?,
        };
        Ok(Self {
            is_wide: !origins.number().fits_f32(),
            origins: origins.rows(&shape, Some((0, 3)))?,
            directions: direction_rows,
            t_min: t_min.end(&shape)?,
            t_max: t_max.end(&shape)?,
            is_endless,
            shape,
            origin: view.origin,
            times: times.transpose()?,
            name: if directions.is_some() { "ray" } else { name },
        })
    }

    /// What answers a row.
    pub(crate) fn target<'a>(&self, view: &'a View, row: usize) -> Cow<'a, Target> {
        view.at(self.times.as_ref(), row)
    }

    /// Calls `answer` with the places of rays of a chunk that query the same time, and with what answers
    /// them.
    pub(crate) fn for_times(
        &self,
        view: &View,
        rows: &[usize],
        mut answer: impl FnMut(Range<usize>, &Target),
    ) {
        let mut first = 0;
        while first < rows.len() {
            let times = self.times.as_ref();
            let end = times.map_or(rows.len(), |times| times.end_of_run(rows, first));
            answer(first..end, &self.target(view, rows[first]));
            first = end;
        }
    }

    /// How many rays there are.
    pub(crate) fn count(&self) -> usize {
        self.origins.count()
    }

    /// The leading axes.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Whether points are answered in f64.
    pub(crate) fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// What the rays are called in errors.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Reads `count` rays from row `first` on; those that are no question are noted in `bad`.
    pub(crate) fn read(&self, first: usize, count: usize, into: &mut RayBuffer, bad: &BadRows) {
        self.read_from(self.origin, first, count, into, bad);
    }

    /// As [`RayRows::read`], with positions measured from `origin`.
    pub(crate) fn read_from(
        &self,
        origin: Option<DVec3>,
        first: usize,
        count: usize,
        into: &mut RayBuffer,
        bad: &BadRows,
    ) {
        let RayBuffer {
            origins,
            directions,
            ends: [mins, maxs],
            rays,
            rows,
            bad: bad_rows,
        } = into;
        origins.resize(count, [0.0; 3]);
        directions.resize(count, [0.0; 3]);
        self.origins.read(first, origins);
        self.directions.read(first, directions);
        let t_min = self.t_min.read(first, count, mins);
        let t_max = self.t_max.read(first, count, maxs);
        rays.clear();
        rows.clear();
        bad_rows.clear();
        for (place, (from, direction)) in origins.iter().zip(directions.iter()).enumerate() {
            let made = Ray::new(point(*from, origin), point(*direction, None));
            let made = if self.is_endless {
                made
            } else {
                made.and_then(|ray| ray.with_range(t_min(place), t_max(place)))
            };
            let made = match &self.times {
                Some(times) => times.check(first + place).and(made),
                None => made,
            };
            match made {
                Ok(ray) => {
                    rays.push(ray);
                    rows.push(first + place);
                }
                Err(reason) => {
                    bad_rows.push(first + place);
                    bad.note(first + place, reason);
                }
            }
        }
    }
}

impl End {
    /// The value of each of `count` rows from `first` on, by its place among them.
    fn read<'a>(
        &'a self,
        first: usize,
        count: usize,
        values: &'a mut Vec<[f64; 1]>,
    ) -> impl Fn(usize) -> f32 + 'a {
        let all = match self {
            Self::All(value) => Some(*value),
            Self::Each(rows) => {
                values.resize(count, [0.0]);
                rows.read(first, values);
                None
            }
        };
        move |place| all.unwrap_or_else(|| nearest_f32(values[place][0]))
    }
}

/// One end of the range of t, as it was given.
enum RangeEnd<'py> {
    Number(f64),
    Array(Argument<'py>),
}

impl<'py> RangeEnd<'py> {
    fn new(name: &'static str, value: Option<&Bound<'py, PyAny>>, default: f64) -> PyResult<Self> {
        let Some(value) = value else {
            return Ok(Self::Number(default));
        };
        if !value.is_instance_of::<PyUntypedArray>()
            && let Ok(number) = value.extract::<f64>()
        {
            return Ok(Self::Number(number));
        }
        Ok(Self::Array(Argument::new(name, value)?))
    }

    fn end(&self, shape: &[usize]) -> PyResult<End> {
        Ok(match self {
            Self::Number(value) => End::All(nearest_f32(*value)),
            Self::Array(array) => End::Each(array.rows(shape, None)?),
        })
    }
}
