//! The transforms of a crowd's members: read from a table, or drawn from a seed.
//!
//! A member that has no height of its own is put on the ground in `load.rs`.

use std::path::Path;

use csv::StringRecord;

use super::csv_table::{CsvTable, line, location};
use crate::Error;
use crate::read_file::MAX_SCENE_BYTES;
use crate::scene_files::SceneFiles;
use crate::suggest::closest;

/// The transform and the time of a member of a crowd.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    /// Metres; without a y it is on the ground.
    pub(super) x: f64,
    pub(super) y: Option<f64>,
    /// Metres above the ground, where it has no y.
    pub(super) y_above: f64,
    pub(super) z: f64,
    /// Radians about +y, counter-clockwise seen from above.
    pub(super) turn: f64,
    /// Seconds on the clip's own timeline.
    pub(super) time_secs: f64,
    /// A factor beside the crowd's own.
    pub(super) scale: f64,
    /// Its line in the table; 0 for one that is drawn.
    pub(super) line: u64,
}

/// The columns that a table of places may have.
pub const PLACES_COLUMNS: [&str; 7] = ["x", "y", "y_above", "z", "turn", "time", "scale"];

/// Words that others use for these columns.
const SYNONYMS: [(&str, &str); 8] = [
    ("yaw", "turn"),
    ("heading", "turn"),
    ("rotation", "turn"),
    ("angle", "turn"),
    ("height", "y"),
    ("elevation", "y"),
    ("size", "scale"),
    ("seconds", "time"),
];

/// Reads a table of places: `x` and `z`, and where they are there `y` or `y_above`, `turn`, `time` and
/// `scale`.
/// Other columns are passed over with a warning, an empty field is its default.
///
/// `has_clip` is whether the crowd has a clip, without which times are an error.
pub(super) fn read_places(
    files: &dyn SceneFiles,
    path: &Path,
    has_clip: bool,
    warnings: &mut Vec<String>,
) -> Result<Vec<Member>, Error> {
    let bytes = files.read(path, MAX_SCENE_BYTES)?;
    let mut table = CsvTable::open(path, &bytes)?;
    let columns = Columns::find(&table)?;
    warnings.extend(unknown_columns(path, table.header()));
    if let (Some(_), false) = (columns.time, has_clip) {
        let found = "a column `time` for a crowd without a `clip`";
        return Err(Error::malformed(
            path,
            "line 1",
            "a `clip` that the times belong to",
            found,
        ));
    }
    let mut members = Vec::new();
    for row in table.rows() {
        members.push(columns.member(path, &row?)?);
    }
    Ok(members)
}

/// Which fields hold what.
struct Columns {
    x: usize,
    y: Option<usize>,
    y_above: Option<usize>,
    z: usize,
    turn: Option<usize>,
    time: Option<usize>,
    scale: Option<usize>,
}

impl Columns {
    fn find(table: &CsvTable<'_>) -> Result<Self, Error> {
        Ok(Self {
            x: table.needed_column("x")?,
            y: table.column("y")?,
            y_above: table.column("y_above")?,
            z: table.needed_column("z")?,
            turn: table.column("turn")?,
            time: table.column("time")?,
            scale: table.column("scale")?,
        })
    }

    fn member(&self, path: &Path, record: &StringRecord) -> Result<Member, Error> {
        let number = |column: Option<usize>, name: &str| -> Result<Option<f64>, Error> {
            let text = column.and_then(|column| record.get(column)).unwrap_or("");
            if text.is_empty() {
                return Ok(None);
            }
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.map(Some).ok_or_else(|| {
                let expected = "a finite number";
                Error::malformed(path, location(record, name), expected, format!("`{text}`"))
            })
        };
        let need = |column: usize, name: &str| {
            let missing = || Error::missing(path, location(record, name), "the number");
            number(Some(column), name)?.ok_or_else(missing)
        };
        let scale = number(self.scale, "scale")?.unwrap_or(1.0);
        if scale == 0.0 {
            let expected = "a factor other than zero";
            return Err(Error::malformed(
                path,
                location(record, "scale"),
                expected,
                "0",
            ));
        }
        let (y, y_above) = (number(self.y, "y")?, number(self.y_above, "y_above")?);
        if y.is_some() && y_above.is_some() {
            let expected = "either `y` or `y_above`, metres above the ground";
            return Err(Error::malformed(
                path,
                location(record, "y_above"),
                expected,
                "both",
            ));
        }
        Ok(Member {
            x: need(self.x, "x")?,
            y,
            y_above: y_above.unwrap_or(0.0),
            z: need(self.z, "z")?,
            turn: number(self.turn, "turn")?.unwrap_or(0.0),
            time_secs: number(self.time, "time")?.unwrap_or(0.0),
            scale,
            line: line(record),
        })
    }
}

/// What to say of columns that are passed over, if there are any.
fn unknown_columns(path: &Path, header: &StringRecord) -> Option<String> {
    let unknown = header.iter().filter(|name| !PLACES_COLUMNS.contains(name));
    let shown: Vec<String> = unknown
        .map(|name| {
            let lower = name.to_lowercase();
            let mut synonyms = SYNONYMS.iter();
            let synonym = synonyms.find(|(other, _)| *other == lower);
            let meant = synonym.map(|(_, known)| *known);
            match meant.or_else(|| closest(name, &PLACES_COLUMNS)) {
                Some(known) => format!("`{name}` (did you mean `{known}`?)"),
                None => format!("`{name}`"),
            }
        })
        .collect();
    if shown.is_empty() {
        return None;
    }
    Some(format!(
        "{}: line 1: passed over, as places have none but x, y, y_above, z, turn, time and scale: {}",
        path.display(),
        shown.join(", ")
    ))
}

/// Draws `count` members from `seed`: places in the rectangle between two corners (x and z), turns,
/// and times from `times.0` to `times.1`, seconds.
///
/// The first members are the same whatever the count, on every machine.
///
/// Source: SplitMix64 of Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014.
pub(super) fn draw_members(
    count: usize,
    seed: u64,
    [[x0, z0], [x1, z1]]: [[f64; 2]; 2],
    times: (f64, f64),
) -> Vec<Member> {
    let mut state = seed;
    let mut fraction = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        // 53 bits, from 0 to below 1.
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    };
    // Neither end is passed by rounding, whichever is the greater.
    let mut between = |from: f64, to: f64| {
        let fraction = fraction();
        from * (1.0 - fraction) + to * fraction
    };
    let member = |_| Member {
        x: between(x0, x1),
        y: None,
        y_above: 0.0,
        z: between(z0, z1),
        turn: between(0.0, core::f64::consts::TAU),
        time_secs: between(times.0, times.1),
        scale: 1.0,
        line: 0,
    };
    (0..count).map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_members_everywhere_and_fills_its_rectangle() {
        let area = [[10.0, -5.0], [-10.0, 5.0]];
        let members = draw_members(1000, 7, area, (1.0, 3.0));
        assert_eq!(draw_members(10, 7, area, (1.0, 3.0)), members[..10]);
        assert_ne!(draw_members(10, 8, area, (1.0, 3.0)), members[..10]);
        // The first number of SplitMix64 for the seed 7.
        let first = 0x63CB_E1E4_5932_0DD7_u64 >> 11;
        let fraction = first as f64 / (1_u64 << 53) as f64;
        assert_eq!(members[0].x, 10.0 * (1.0 - fraction) - 10.0 * fraction);
        let in_quarter = |member: &&Member| member.x > 0.0 && member.z > 0.0;
        let quarter = members.iter().filter(in_quarter).count();
        assert!((200..300).contains(&quarter), "{quarter}");
        for member in members {
            assert!(member.x.abs() <= 10.0 && member.z.abs() <= 5.0);
            assert!((0.0..6.3).contains(&member.turn));
            assert!((1.0..=3.0).contains(&member.time_secs));
        }
    }
}
