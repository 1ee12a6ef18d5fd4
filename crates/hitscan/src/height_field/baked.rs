//! Terrain as it is baked: its samples, its pyramids and its tiles, each used where it lies.

use super::HeightField;
use super::height::height_sampler::HeightSampler;
use super::height::samples::SamplePyramid;
use super::ray::clip::Frame;
use super::storage::grid::{Diagonal, Grid};
use super::storage::height_range::Range;
use super::storage::pyramid::{FAN_OUT, Node, RangePyramid};
use super::storage::tile::Tiles;
use crate::Error;
use crate::baked::{Reader, Writer};
use crate::parallel::check_chunks;
use crate::shape::aabb::MAX_COORDINATE;
use crate::simd::{Width, dispatch};
use crate::storage::Array;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

impl HeightField {
    /// Bakes the terrain; see [`baked`](crate::baked).
    pub fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        let grid = &self.grid;
        writer.size(grid.columns);
        writer.size(grid.rows);
        writer.f64s(&grid.spacing);
        writer.f64s(&grid.origin);
        writer.bool(grid.diagonal == Diagonal::Main);
        writer.array(self.heights.bytes());
        writer.array(self.ranges.nodes.bytes());
        writer.array(bytemuck::cast_slice(self.tiles()));
        self.sample_pyramid().bake(writer);
    }

    /// The terrain that was baked next. Its arrays are borrowed where they are kept and aligned.
    ///
    /// # Errors
    /// [`Error::Baked`] and [`Error::WrongLength`] for what no writer makes, and what
    /// [`HeightField::new`] refuses of a grid.
    pub fn from_baked(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (columns, rows) = (reader.size("grid")?, reader.size("grid")?);
        let (spacing, origin) = (reader.f64s("grid")?, reader.f64s("grid")?);
        let diagonal = match reader.bool("diagonal")? {
            true => Diagonal::Main,
            false => Diagonal::Anti,
        };
        let heights: Array<f32> = reader.items("heights")?;
        let (expected, found) = (columns.saturating_mul(rows), heights.len());
        if expected != found {
            let what = "heights";
            return Err(Error::WrongLength {
                what,
                expected,
                found,
            });
        }
        // The length comes first, so that a wrong size costs no time.
        let grid = Grid {
            columns,
            rows,
            spacing,
            origin,
            diagonal,
        }
        .checked()?;
        let hole_count = AtomicUsize::new(0);
        check_chunks(&heights, |place, heights| {
            let farthest = f64::from(MAX_COORDINATE) - grid.origin[1].abs();
            let holes = dispatch!(Width::default(), _simd => holes_of(heights, farthest));
            let holes = holes.ok_or(Error::Baked {
                what: "heights",
                place,
                expected: "within ±1e18 metres or the one NaN of holes, with those that follow it",
            })?;
            hole_count.fetch_add(holes, Ordering::Relaxed);
            Ok::<(), Error>(())
        })?;
        let hole_count = hole_count.into_inner();
        let nodes: Array<Node> = reader.items("height ranges")?;
        check_ranges(&nodes)?;
        let ranges = RangePyramid::of_nodes(nodes, &grid, &heights)?;
        let tiles = Tiles::from_baked(reader, &grid)?;
        let samples = SamplePyramid::from_baked(reader, &grid)?;
        if heights.len() - hole_count != samples.count() as usize {
            return Err(
                reader.refused("number of samples", "that of the heights that are no holes")
            );
        }
        let root = ranges.root();
        let mut field = Self {
            frame: Frame::new(&grid, root),
            sampler: HeightSampler::new(&grid, root),
            inv_spacing: grid.spacing.map(|spacing| 1.0 / spacing),
            ranges,
            tiles,
            samples: samples.into(),
            hole_count,
            moments: OnceLock::new(),
            bounds: None,
            width: Width::default(),
            grid,
            heights,
        };
        field.bounds = field.find_bounds();
        Ok(field)
    }
}

/// How many holes are among these heights, if they are as terrain keeps them, none farther than `farthest`
/// from 0.
#[cfg_attr(not(debug_assertions), inline(always))]
fn holes_of(heights: &[f32], farthest: f64) -> Option<usize> {
    let mut wrong = 0_u32;
    let mut max = 0_u32;
    let mut holes = 0_usize;
    for height in heights {
        let bits = height.to_bits();
        let is_hole = bits == f32::NAN.to_bits();
        let magnitude = if is_hole { 0 } else { bits & !(1 << 31) };
        max = max.max(magnitude);
        holes += usize::from(is_hole);
        wrong |= u32::from(magnitude > f32::INFINITY.to_bits());
    }
    let is_sound = wrong == 0 && f64::from(f32::from_bits(max)) <= farthest;
    is_sound.then_some(holes)
}

fn check_ranges(nodes: &[Node]) -> Result<(), Error> {
    check_chunks(nodes, |first, nodes| {
        let is_sound = |node: &Node| (0..FAN_OUT * FAN_OUT).all(|k| node.child(k).is_sound());
        let wrong = nodes.iter().position(|node| !is_sound(node));
        wrong.map_or(Ok(()), |place| {
            Err(Error::Baked {
                what: "height ranges",
                place: first + place,
                expected: "heights in order",
            })
        })
    })
}

impl Range {
    /// Whether it is empty, or two heights in order.
    fn is_sound(self) -> bool {
        let is_filled =
            self.min <= self.max && -MAX_COORDINATE <= self.min && self.max <= MAX_COORDINATE;
        is_filled || self == Self::EMPTY
    }
}
