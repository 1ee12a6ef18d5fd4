//! All hits of rays, in flat arrays.
//!
//! How many there are is known only when they are found. So a window of rays is answered by the
//! threads until it is full of hits, what is answered is appended to the columns in order, and the
//! window goes on.

use crate::arrays::with_room;
use crate::fields::Fields;
use crate::hit_fields::{FIELDS, HitValues, bind_values, hit_fields};
use crate::ray_rows::{RayBuffer, RayRows};
use crate::rays::{Cast, Ends, Wanted};
use crate::rows_on_threads::{Buffers, for_each};
use crate::threads::{lock, run_here};
use crate::view::View;
use glam::DVec3;
use hitscan::RayHit;
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many rays a thread takes at once.
const CHUNK: usize = 64;

/// How many chunks are answered before their hits are appended.
const WINDOW_CHUNKS: usize = 512;

/// With so many bytes of hits no further chunk is begun.
const WINDOW_BYTES: usize = 4 << 20;

/// Columns that grow by a hit at a time.
struct FlatColumns {
    t: Option<Vec<f32>>,
    distance: Option<Vec<f32>>,
    point: Option<Vec<f64>>,
    point_f32: Option<Vec<f32>>,
    normal: Option<Vec<f32>>,
    object: Option<Vec<i64>>,
    part: Option<Vec<i32>>,
    triangle: Option<Vec<i64>>,
    uv: Option<Vec<f32>>,
    side: Option<Vec<i8>>,
    joint: Option<Vec<i32>>,
    bind_point: Option<Vec<f32>>,
    ray: Vec<i64>,
    splits: Vec<i64>,
    fields: Fields,
    origin: DVec3,
}

impl FlatColumns {
    fn new(fields: Fields, is_wide: bool, origin: Option<DVec3>, rays: usize) -> PyResult<Self> {
        let mut splits = with_room(rays.saturating_add(1))?;
        splits.push(0);
        Ok(Self {
            t: wanted(fields, "t"),
            distance: wanted(fields, "distance"),
            point: is_wide.then(|| wanted(fields, "point")).flatten(),
            point_f32: (!is_wide).then(|| wanted(fields, "point")).flatten(),
            normal: wanted(fields, "normal"),
            object: wanted(fields, "object"),
            part: wanted(fields, "part"),
            triangle: wanted(fields, "triangle"),
            uv: wanted(fields, "uv"),
            side: wanted(fields, "side"),
            joint: wanted(fields, "joint"),
            bind_point: wanted(fields, "bind_point"),
            ray: Vec::new(),
            splits,
            fields,
            origin: origin.unwrap_or_default(),
        })
    }

    /// Appends a hit of ray `ray`.
    fn push(&mut self, ray: usize, hit: &RayHit, (rays, view): (&RayRows, &View)) {
        let values = HitValues::of(hit, self.origin);
        push(&mut self.t, [values.t]);
        push(&mut self.distance, [values.distance]);
        push(&mut self.point, values.point.to_array());
        push(&mut self.point_f32, values.point.as_vec3().to_array());
        push(&mut self.normal, values.normal);
        push(&mut self.object, [values.object]);
        push(&mut self.part, [values.part]);
        push(&mut self.triangle, [values.triangle]);
        push(&mut self.uv, values.uv);
        push(&mut self.side, [values.side]);
        if self.joint.is_some() || self.bind_point.is_some() {
            let (joint, point) = bind_values(hit, &rays.target(view, ray));
            push(&mut self.joint, [joint]);
            push(&mut self.bind_point, point);
        }
        self.ray.push(ray.cast_signed() as i64);
    }

    /// Ends the hits of one more ray.
    fn end_ray(&mut self) {
        self.splits.push(self.ray.len().cast_signed() as i64);
    }

    /// The columns in the order of [`FIELDS`], the ray of each hit, and where each ray's hits begin.
    fn into_tuple(self, py: Python<'_>) -> PyResult<AllHits<'_>> {
        let hits = self.ray.len();
        let is_hit = self.fields.has("hit").then(|| vec![true; hits]);
        let status = self.fields.has("status").then(|| vec![1_i8; hits]);
        let point = match self.point {
            Some(point) => array(py, Some(point), Some(3))?,
            None => array(py, self.point_f32, Some(3))?,
        };
        let columns: [Option<Bound<'_, PyAny>>; FIELDS.len()] = [
            array(py, is_hit, None)?,
            array(py, self.t, None)?,
            array(py, self.distance, None)?,
            point,
            array(py, self.normal, Some(3))?,
            array(py, self.object, None)?,
            array(py, self.part, None)?,
            array(py, self.triangle, None)?,
            array(py, self.uv, Some(2))?,
            array(py, self.side, None)?,
            array(py, status, None)?,
            array(py, self.joint, None)?,
            array(py, self.bind_point, Some(3))?,
        ];
        Ok((
            PyTuple::new(py, columns)?,
            fitted(self.ray).into_pyarray(py),
            fitted(self.splits).into_pyarray(py),
        ))
    }
}

fn wanted<T>(fields: Fields, name: &str) -> Option<Vec<T>> {
    fields.has(name).then(Vec::new)
}

#[inline(always)]
fn push<T, const N: usize>(column: &mut Option<Vec<T>>, values: [T; N]) {
    if let Some(column) = column {
        column.extend(values);
    }
}

/// The same numbers without spare room.
fn fitted<T>(mut column: Vec<T>) -> Vec<T> {
    column.shrink_to_fit();
    column
}

/// A column as an array, with rows of this length.
fn array<T: Element>(
    py: Python<'_>,
    column: Option<Vec<T>>,
    row: Option<usize>,
) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Some(column) = column else {
        return Ok(None);
    };
    let flat = fitted(column).into_pyarray(py);
    Ok(Some(match row {
        None => flat.into_any(),
        Some(row) => {
            let rows = flat.len()? / row;
            flat.reshape([rows, row])?.into_any()
        }
    }))
}

/// The columns, the ray of each hit, and where each ray's hits begin.
type AllHits<'py> = (
    Bound<'py, PyTuple>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// The hits of a chunk's rays: each ray's row and where its hits end, and the hits of all.
#[derive(Default)]
struct ChunkHits {
    ends: Vec<(usize, usize)>,
    hits: Vec<RayHit>,
}

/// All hits of each ray, those of the first first.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_rays_all<'py>(
    py: Python<'py>,
    view: &View,
    origins: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    range: Ends<'py>,
    wanted: Wanted<'py>,
    fields: Option<Vec<String>>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<AllHits<'py>> {
    let questions = (origins, directions);
    let cast = Cast::new(view, questions, &range, wanted, (invalid, threads))?;
    let (count, is_wide) = (cast.rays.count(), cast.rays.is_wide());
    let mut columns = FlatColumns::new(hit_fields(fields)?, is_wide, view.origin, count)?;
    let buffers = Buffers::<RayBuffer>::new();
    let chunks = count.div_ceil(CHUNK);
    let mut window = Window::default();
    while window.first < chunks {
        let length = WINDOW_CHUNKS.min(chunks - window.first);
        window.answers.resize_with(length, Mutex::default);
        let held = AtomicUsize::new(window.held_bytes());
        for_each(py, length, threads, |number| {
            // The first is always answered, so that the window goes on.
            let is_full = number > 0 && held.load(Ordering::Relaxed) > WINDOW_BYTES;
            if is_full || lock(&window.answers[number]).is_some() {
                return;
            }
            let start = (window.first + number) * CHUNK;
            let rows = CHUNK.min(count - start);
            let found = buffers.with(|buffer| {
                cast.rays.read(start, rows, buffer, &cast.bad);
                ChunkHits::of(&cast, buffer, view)
            });
            held.fetch_add(found.bytes(), Ordering::Relaxed);
            *lock(&window.answers[number]) = Some(found);
        })?;
        let asked = (&cast.rays, view);
        run_here(py, || window.append_answered(&mut columns, count, asked))?;
        // A window may end before the threads look for signals.
        py.check_signals()?;
    }
    cast.check()?;
    columns.into_tuple(py)
}

impl ChunkHits {
    /// The hits of the rays in `buffer`; none where the call is to fail.
    fn of(cast: &Cast, buffer: &RayBuffer, view: &View) -> Self {
        let mut found = Self::default();
        if !cast.bad.fails() {
            for (&row, ray) in buffer.rows.iter().zip(&buffer.rays) {
                let target = cast.rays.target(view, row);
                let hits = target.cast_ray_all(ray, cast.settings, cast.filter());
                found.hits.extend(hits);
                found.ends.push((row, found.hits.len()));
            }
        }
        found
    }

    fn bytes(&self) -> usize {
        size_of_val(self.hits.as_slice())
    }
}

/// Chunks that are answered together, of which those before the first unanswered one are appended.
#[derive(Default)]
struct Window {
    /// The first chunk.
    first: usize,
    answers: VecDeque<Mutex<Option<ChunkHits>>>,
}

impl Window {
    fn held_bytes(&self) -> usize {
        let bytes =
            |answer: &Mutex<Option<ChunkHits>>| lock(answer).as_ref().map_or(0, ChunkHits::bytes);
        self.answers.iter().map(bytes).sum()
    }

    /// Appends the hits of the chunks up to the first that is not answered, of `count` rays in all.
    fn append_answered(
        &mut self,
        columns: &mut FlatColumns,
        count: usize,
        asked: (&RayRows, &View),
    ) {
        while let Some(answer) = self.answers.front() {
            let Some(found) = lock(answer).take() else {
                return;
            };
            let rays = self.first * CHUNK..((self.first + 1) * CHUNK).min(count);
            append(columns, &found, rays, asked);
            self.answers.pop_front();
            self.first += 1;
        }
    }
}

/// Appends the hits of a chunk's rays.
fn append(
    columns: &mut FlatColumns,
    found: &ChunkHits,
    rays: Range<usize>,
    asked: (&RayRows, &View),
) {
    let mut questions = found.ends.iter().peekable();
    let mut start = 0;
    for ray in rays {
        // Rows that are no question have no hits.
        if let Some(&(_, end)) = questions.next_if(|(row, _)| *row == ray) {
            for hit in &found.hits[start..end] {
                columns.push(ray, hit, asked);
            }
            start = end;
        }
        columns.end_ray();
    }
}
