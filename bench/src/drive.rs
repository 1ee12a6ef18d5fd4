//! The run that the user sees: one process for each group of workloads and build, one table.
//!
//! The builds take turns group by group, so that a slow minute of the machine hits both.

use crate::arguments::Drive;
use crate::catalogue::{self, Workload};
use crate::report::{self, Build, Line, MEMORY, Rated, Row};
use crate::workloads::rounds;
use crate::{machine, peers, process};
use std::fs;
use std::path::{Path, PathBuf};

pub fn run(options: &Drive) -> Result<(), String> {
    let workloads = catalogue::select(&options.patterns, options.is_quick)?;
    let mut builds = vec![(process::own()?, Build::Plain)];
    builds.extend(options.tuned.clone().map(|tuned| (tuned, Build::Tuned)));
    let mut notes = options.notes.clone();
    if !options.is_ours_alone {
        notes.extend(peers::absent());
    }
    notes.extend(left_out(options, &workloads));

    let head = machine::description() + &run_line(options);
    println!("{head}");
    let mut rows = vec![Vec::new(); builds.len()];
    for (group, names) in catalogue::grouped(&workloads) {
        for ((program, build), rows) in builds.iter().zip(&mut rows) {
            eprintln!("running {group} ({build:?}): {}", names.join(" "));
            let (is_quick, is_ours_alone) = (options.is_quick, options.is_ours_alone);
            for line in process::run_group(program, &names, is_quick, is_ours_alone)? {
                match line {
                    Line::Row(row) => rows.push(row),
                    Line::Note(note) if notes.contains(&note) => {}
                    // The plain build's process has said it, with figures of its own.
                    Line::Note(_) if matches!(build, Build::Tuned) => {}
                    Line::Note(note) => notes.push(note),
                }
            }
        }
    }
    let rated = in_order(
        builds
            .iter()
            .zip(rows)
            .flat_map(|((_, build), rows)| report::rate(with_memory(rows), *build)),
    );

    let notes: String = notes.iter().map(|note| format!("- {note}\n")).collect();
    for part in [
        report::table(&rated),
        report::memory_table(&rated),
        notes.clone(),
    ] {
        if !part.is_empty() {
            println!("{part}");
        }
    }
    if let Some(file) = &options.csv {
        write(file, &report::csv(&rated))?;
    }
    if let Some(folder) = &options.publish {
        publish(folder, &rated, &format!("{head}{notes}"))?;
    }
    Ok(())
}

/// Writes what the repository keeps of a run: every row, and what BENCHMARKS.md shows of them.
fn publish(root: &Path, rated: &[Rated], head: &str) -> Result<(), String> {
    write(&root.join("bench/results.csv"), &report::csv(rated))?;
    let file = root.join("BENCHMARKS.md");
    report::publish(&file, &format!("{head}\n{}", report::readable(rated)))?;
    println!("written: {}", file.display());
    Ok(())
}

fn write(file: &PathBuf, text: &str) -> Result<(), String> {
    let place = file.display();
    fs::write(file, text).map_err(|error| format!("{place}: {error}"))?;
    println!("written: {place}");
    Ok(())
}

fn run_line(options: &Drive) -> String {
    let which = if options.patterns.is_empty() {
        String::new()
    } else {
        format!(", only {}", options.patterns.join(" "))
    };
    let size = if options.is_quick {
        "quick, 100,000 queries"
    } else {
        "full"
    };
    let rounds = rounds(options.is_quick, options.is_ours_alone);
    format!("- run: {size}, {rounds} rounds{which}\n")
}

/// What a quick run without names does not measure.
fn left_out(options: &Drive, workloads: &[Workload]) -> Option<String> {
    let is_left_out = |workload: &&Workload| {
        workloads
            .iter()
            .all(|selected| selected.name != workload.name)
    };
    if !(options.is_quick && options.patterns.is_empty()) {
        return None;
    }
    let names = catalogue::WORKLOADS.iter().filter(is_left_out);
    let names: Vec<&str> = names.map(|workload| workload.name).collect();
    let names = names.join(" ");
    Some(format!(
        "left out by --quick, run when asked for by name: {names}"
    ))
}

/// The rows, and for each that built something a row of its memory.
fn with_memory(rows: Vec<Row>) -> Vec<Row> {
    let memory = |row: &Row| {
        Some(Row {
            workload: memory_of(&row.workload),
            ns: row.bytes? as f64,
            bytes: None,
            ..row.clone()
        })
    };
    let memory: Vec<Row> = rows.iter().filter_map(memory).collect();
    rows.into_iter().chain(memory).collect()
}

/// The name under which a workload's memory is recorded.
fn memory_of(workload: &str) -> String {
    format!(
        "{MEMORY}{}",
        workload.strip_prefix("B1-").unwrap_or(workload)
    )
}

/// By workload in the catalogue's order; memory behind, in the order that it came in.
fn in_order(rows: impl Iterator<Item = Rated>) -> Vec<Rated> {
    let mut rows: Vec<Rated> = rows.collect();
    let place = |name: &str| {
        let mut workloads = catalogue::WORKLOADS.iter();
        let is_memory = name.starts_with(MEMORY);
        let is_its = |own: &str| own == name || is_memory && memory_of(own) == name;
        (
            is_memory,
            workloads.position(|workload| is_its(workload.name)),
        )
    };
    rows.sort_by_key(|rated| place(&rated.row.workload));
    rows
}
