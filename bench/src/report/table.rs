//! Every row as a table, for the terminal.

use super::markdown::{Column, aligned, ratio, thousands};
use super::{MEMORY, Rated};

/// All timed rows, one workload after the other.
pub fn table(rows: &[Rated]) -> String {
    let heads = [
        "workload",
        "subject",
        "ns per query",
        "ratio to the best peer",
        "disagreements",
    ];
    let columns = [
        Column::Left,
        Column::Left,
        Column::Right,
        Column::Right,
        Column::Ragged,
    ];
    let cells = rows.iter().filter(|rated| !is_memory(rated)).map(|rated| {
        let row = &rated.row;
        let disagreements = match (row.disagreements, row.ways.as_str()) {
            (0, "") => "0".to_owned(),
            (count, ways) => format!("{count}: {ways}"),
        };
        vec![
            row.workload.clone(),
            rated.subject(),
            thousands(row.ns),
            ratio(rated.ratio),
            disagreements,
        ]
    });
    aligned(&heads, &columns, &cells.collect::<Vec<_>>())
}

/// The memory of what was built; empty where nothing was.
pub fn memory_table(rows: &[Rated]) -> String {
    let heads = ["workload", "subject", "bytes", "ratio to the smallest peer"];
    let columns = [Column::Left, Column::Left, Column::Right, Column::Right];
    let cells = rows.iter().filter(|rated| is_memory(rated)).map(|rated| {
        vec![
            rated.row.workload.clone(),
            rated.subject(),
            thousands(rated.row.ns),
            ratio(rated.ratio),
        ]
    });
    let cells: Vec<_> = cells.collect();
    if cells.is_empty() {
        return String::new();
    }
    aligned(&heads, &columns, &cells)
}

fn is_memory(rated: &Rated) -> bool {
    rated.row.workload.starts_with(MEMORY)
}
