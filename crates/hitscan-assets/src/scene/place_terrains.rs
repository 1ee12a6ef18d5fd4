//! Placement of terrains: at their `origin`, or by the georeference of their files, all in one frame.
//!
//! The first georeferenced terrain gives the frame what the scene does not: the system, the metres
//! per unit, and the origin, which is its north-western sample rounded to a whole metre (or foot; in
//! degrees as it is) at height 0; or where that sample lies by the terrain's own `origin`. All others
//! are placed in that frame, which is how tiles of one mosaic come to lie side by side.
//!
//! # Borders
//! A border line of a georeferenced terrain is at the f32 that is nearest to its place, which is
//! worked out in f64: at the number, then, as which the coordinates of a point on it are read, so
//! that such a point is on the map. Two tiles share a border where their files put it less than
//! [`SAME_LINE`] of a cell apart, and then have it at the same number.

use std::path::Path;

use hitscan::height_field::Grid;

use super::entry::TerrainEntry;
use crate::Error;
use crate::georeference::{Crs, Georeference, MapFrame, SAME_LINE, metres_per_degree};

/// How far apart two statements of metres per unit may be, relatively: 0.1 mm on 100 km.
const SAME_UNIT: f64 = 1e-9;

/// A terrain that has been read and not yet placed.
pub(super) struct Unplaced<'a> {
    pub(super) entry: &'a TerrainEntry,
    /// Columns and rows.
    pub(super) size: [usize; 2],
    /// Metres between samples as the file states them.
    pub(super) file_spacing: Option<[f64; 2]>,
    /// Where the file puts the samples, for a terrain that is placed by it.
    pub(super) georeference: Option<Georeference>,
}

/// Places terrains of the scene file at `path`; `origin` is that of its `[world]`.
///
/// Returns the grids in the order of `terrains`, and the frame, if there is one.
pub(super) fn place_terrains(
    path: &Path,
    origin: Option<[f64; 3]>,
    terrains: &[Unplaced],
) -> Result<(Vec<Grid>, Option<MapFrame>), Error> {
    let frame = frame(path, origin, terrains)?;
    let mut lines = [Vec::new(), Vec::new()];
    let grids = terrains.iter().map(|terrain| {
        let mut grid = Grid {
            columns: terrain.size[0],
            rows: terrain.size[1],
            spacing: [0.0; 2],
            origin: terrain.entry.origin.unwrap_or_default(),
            diagonal: terrain.entry.diagonal,
        };
        match (&terrain.georeference, &frame) {
            (Some(georeference), Some(frame)) => place(&mut grid, georeference, frame, &mut lines),
            _ => {
                let spacing = terrain.entry.spacing.or(terrain.file_spacing);
                grid.spacing = spacing.ok_or_else(|| no_spacing(path, terrain.entry))?;
            }
        }
        Ok(grid)
    });
    Ok((grids.collect::<Result<_, Error>>()?, frame))
}

/// The frame of all terrains.
fn frame(
    path: &Path,
    origin: Option<[f64; 3]>,
    terrains: &[Unplaced],
) -> Result<Option<MapFrame>, Error> {
    let mut placed = terrains
        .iter()
        .filter_map(|terrain| Some((terrain.entry, terrain.georeference.as_ref()?)));
    let Some((first, georeference)) = placed.next() else {
        return Ok(origin.map(MapFrame::metres));
    };
    let metres_per_unit = match stated_metres_per_unit(first, georeference) {
        Some(metres) => metres,
        None if georeference.crs.is_geographic() => metres_per_degree(georeference.middle()[1]),
        None => return Err(no_unit(path, first, &georeference.crs)),
    };
    // The system that a later terrain names is that of the first too, if the first names none.
    let (mut named, mut crs) = (first, &georeference.crs);
    for (entry, georeference) in placed {
        if entry.origin.is_some() {
            return Err(two_places(path, entry));
        }
        let other = &georeference.crs;
        if !crs.agrees_with(other) {
            return Err(other_crs(path, [named, entry], [crs, other]));
        }
        let stated = stated_metres_per_unit(entry, georeference).unwrap_or(metres_per_unit);
        let is_same = |axis: usize| {
            (stated[axis] - metres_per_unit[axis]).abs() <= SAME_UNIT * metres_per_unit[axis]
        };
        if !(is_same(0) && is_same(1)) {
            return Err(other_unit(path, [first, entry], [metres_per_unit, stated]));
        }
        if crs.epsg.is_none() && (crs.name.is_none() || other.epsg.is_some()) {
            (named, crs) = (entry, other);
        }
    }
    if origin.is_some() && first.origin.is_some() {
        return Err(two_places(path, first));
    }
    let stated = origin;
    let [east, north] = georeference.north_west();
    let origin = match (stated, first.origin) {
        (Some(origin), _) => origin,
        (None, Some([x, y, z])) => [
            east - x / metres_per_unit[0],
            -y,
            north + z / metres_per_unit[1],
        ],
        (None, None) if crs.is_geographic() => [east, 0.0, north],
        (None, None) => [east.round(), 0.0, north.round()],
    };
    let mut crs = crs.clone();
    if crs.unit.metres().is_none() && !crs.is_geographic() {
        crs.unit = georeference.crs.unit;
    }
    let frame = MapFrame::of(crs, origin, metres_per_unit);
    Ok(Some(match stated {
        Some(_) => frame.of_stated_origin(),
        None => frame,
    }))
}

/// Metres per unit of easting and northing, as the scene's `spacing` or else the file states them.
fn stated_metres_per_unit(entry: &TerrainEntry, georeference: &Georeference) -> Option<[f64; 2]> {
    let [columns, rows] = georeference.cell;
    match entry.spacing {
        Some([x, z]) => Some([x / columns, z / rows]),
        None => georeference.crs.unit.metres().map(|metres| [metres; 2]),
    }
}

/// Lays a grid where the georeference says.
fn place(
    grid: &mut Grid,
    georeference: &Georeference,
    frame: &MapFrame,
    lines: &mut [Vec<Line>; 2],
) {
    let [west, north] = georeference.north_west();
    let [east, south] = georeference.south_east();
    let first = frame.world_from_map([west, 0.0, north]);
    let last = frame.world_from_map([east, 0.0, south]);
    grid.origin[1] = first[1];
    for (axis, (coordinate, count)) in [(0, grid.columns), (2, grid.rows)].into_iter().enumerate() {
        let cells = count.saturating_sub(1) as f64;
        let spacing = (last[coordinate] - first[coordinate]) / cells;
        let near = spacing * SAME_LINE;
        let from = common_line(&mut lines[axis], first[coordinate], near);
        let to = common_line(&mut lines[axis], last[coordinate], near);
        grid.origin[coordinate] = from;
        grid.spacing[axis] = spacing_between(from, to, cells);
    }
}

/// A border line: where it is exactly, and the f32 that is nearest.
struct Line {
    exact: f64,
    rounded: f64,
}

/// The f32 of the line at `exact`, or of one before that is as near as `near`.
fn common_line(lines: &mut Vec<Line>, exact: f64, near: f64) -> f64 {
    if let Some(line) = lines.iter().find(|line| (line.exact - exact).abs() <= near) {
        return line.rounded;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to the nearest f32 is intended; an overflow is refused with the grid"
    )]
    let rounded = f64::from(exact as f32);
    lines.push(Line { exact, rounded });
    rounded
}

/// The spacing that takes line 0 at `from` to line `cells` at `to`, or at the next number beyond.
fn spacing_between(from: f64, to: f64, cells: f64) -> f64 {
    let middle = (to - from) / cells;
    let end = |spacing: &f64| from + cells * spacing;
    // Quotient and product are each within half an ulp, so the neighbours are enough.
    let candidates = [middle, middle.next_down(), middle.next_up()];
    let exact = candidates.into_iter().find(|spacing| end(spacing) == to);
    let beyond = candidates.into_iter().find(|spacing| end(spacing) >= to);
    exact.or(beyond).unwrap_or(middle.next_up().next_up())
}

fn no_spacing(path: &Path, entry: &TerrainEntry) -> Error {
    let what = format!(
        "the key `spacing`, metres between samples, which {} does not state,",
        entry.heights.display()
    );
    Error::missing(path, entry.location, what)
}

fn no_unit(path: &Path, entry: &TerrainEntry, crs: &Crs) -> Error {
    let what = format!(
        "the key `spacing`, metres between samples: {} does not state the unit of its system \
         ({crs}), and the key",
        entry.heights.display()
    );
    Error::missing(path, entry.location, what)
}

fn two_places(path: &Path, entry: &TerrainEntry) -> Error {
    Error::malformed(
        path,
        entry.locate("origin"),
        "one place for the map: beside `georeferenced = true`, the `origin` of the first terrain \
         that has it, or that of `[world]`",
        "another",
    )
}

fn other_crs(path: &Path, entries: [&TerrainEntry; 2], systems: [&Crs; 2]) -> Error {
    let [first, second] = systems;
    let [one, other] = entries.map(|entry| &entry.name);
    let shown = |crs: &Crs| format!("{crs}, in {}", crs.unit);
    Error::malformed(
        path,
        entries[1].locate("georeferenced"),
        format!(
            "one coordinate system for all georeferenced terrains: {}, as `{one}` has it",
            shown(first)
        ),
        format!(
            "{} of `{other}`; reproject one of the files first, such as with `gdalwarp -t_srs`",
            shown(second)
        ),
    )
}

fn other_unit(path: &Path, entries: [&TerrainEntry; 2], metres: [[f64; 2]; 2]) -> Error {
    let [first, second] = metres.map(|[east, north]| format!("{east} m east and {north} m south"));
    Error::malformed(
        path,
        entries[1].locate("spacing"),
        format!(
            "one length for a unit of the map in the whole scene: {first}, as terrain `{}` has it",
            entries[0].name
        ),
        format!(
            "{second} for terrain `{}`, by its `spacing`",
            entries[1].name
        ),
    )
}
