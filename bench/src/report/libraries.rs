//! One line a workload, one column a library: the best of its ways, in the plain build.

use super::markdown::{Column, aligned, thousands};
use super::{Build, MEMORY, Rated};
use crate::label::Call;

/// The cell where a library takes no part.
const NONE: &str = "-";

/// Nanoseconds a query, where there is more than one library.
pub fn nanoseconds(rows: &[Rated]) -> Option<String> {
    let is_timed = |workload: &str| !workload.starts_with(MEMORY) && !is_for_lost_rays(workload);
    let least = |rows: &[&Rated]| rows.iter().map(|rated| rated.row.ns).min_by(f64::total_cmp);
    let cell = |rows: &[&Rated]| {
        let of = |call: Call| -> Vec<&Rated> {
            let is_its = |rated: &&&Rated| rated.row.call == call;
            rows.iter().filter(is_its).copied().collect()
        };
        match (least(&of(Call::One)), least(&of(Call::Many))) {
            (None, None) => NONE.to_owned(),
            (Some(one), None) => thousands(one),
            (None, Some(many)) => format!("{NONE} / {}", thousands(many)),
            (Some(one), Some(many)) => format!("{} / {}", thousands(one), thousands(many)),
        }
    };
    let table = by_library(rows, &is_timed, &cell)?;
    Some(format!(
        "### Each library's best\n\nNanoseconds a query, plain build: one query a call / many a call \
         where a library has calls for many.\n\n{table}"
    ))
}

/// Rays that went through a closed surface, of each library's tightest way.
pub fn lost_rays(rows: &[Rated]) -> Option<String> {
    let table = by_library(rows, &is_for_lost_rays, &fewest)?;
    Some(format!(
        "### Lost rays\n\nAimed exactly at vertices and edges of a closed surface; each library's \
         tightest way.\n\n{table}"
    ))
}

/// Wrong normals of a flat floor, of each library's way that has the fewest.
pub fn wrong_normals(rows: &[Rated]) -> Option<String> {
    let table = by_library(rows, &is_for_normals, &fewest)?;
    Some(format!(
        "### Wrong normals\n\nLandings and slides over flat floors of 8,192 triangles: normals off \
         the floor's by more than 0.1 degrees, and landings that were missed.\n\n{table}"
    ))
}

fn is_for_lost_rays(workload: &str) -> bool {
    workload.starts_with("L1")
}

fn is_for_normals(workload: &str) -> bool {
    workload.starts_with("FLAT")
}

/// The fewest disagreements of any way.
fn fewest(rows: &[&Rated]) -> String {
    let fewest = rows.iter().map(|rated| rated.row.disagreements).min();
    fewest.map_or(NONE.to_owned(), thousands_of)
}

fn thousands_of(count: usize) -> String {
    if count < 100 {
        return count.to_string();
    }
    thousands(count as f64)
}

/// `None` where no workload of those has a peer.
fn by_library(
    rows: &[Rated],
    is_wanted: &dyn Fn(&str) -> bool,
    cell: &dyn Fn(&[&Rated]) -> String,
) -> Option<String> {
    let is_wanted = |rated: &&Rated| {
        rated.build == Build::Plain && is_wanted(&rated.row.workload) && is_raced(rows, rated)
    };
    let rows: Vec<&Rated> = rows.iter().filter(is_wanted).collect();
    let mut libraries: Vec<&str> = vec!["hitscan"];
    let mut workloads: Vec<&str> = Vec::new();
    for rated in &rows {
        let (library, workload) = (rated.row.library.as_str(), rated.row.workload.as_str());
        if !libraries.contains(&library) {
            libraries.push(library);
        }
        if !workloads.contains(&workload) {
            workloads.push(workload);
        }
    }
    if workloads.is_empty() {
        return None;
    }
    let line = |workload: &&str| {
        let of = |library: &&str| {
            let is_its = |rated: &&&Rated| {
                let row = &rated.row;
                let is_ours = row.is_ours || row.library != "hitscan";
                row.workload == *workload && row.library == *library && is_ours
            };
            let own: Vec<&Rated> = rows.iter().filter(is_its).copied().collect();
            cell(&own)
        };
        let mut cells = vec![(*workload).to_owned()];
        cells.extend(libraries.iter().map(of));
        cells
    };
    let cells: Vec<Vec<String>> = workloads.iter().map(line).collect();
    let mut heads = vec!["workload"];
    heads.extend(
        libraries
            .iter()
            .map(|library| library.trim_end_matches(':')),
    );
    let mut columns = vec![Column::Right; heads.len()];
    columns[0] = Column::Left;
    Some(aligned(&heads, &columns, &cells))
}

/// Whether another library than ours has a row in the same workload.
fn is_raced(rows: &[Rated], rated: &Rated) -> bool {
    let is_rival =
        |other: &Rated| other.row.workload == rated.row.workload && other.row.library != "hitscan";
    rows.iter().any(is_rival)
}
