//! The run that the user sees: one process for each group of workloads and build, one table.
//!
//! The builds take turns group by group, so that a slow minute of the machine hits both.

use crate::arguments::Drive;
use crate::catalogue::{self, Workload};
use crate::report::{self, Line, Rated, Row};
use crate::{machine, peers};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the names of subjects in the build for this machine's processor end in.
const NATIVE: &str = " (native)";

pub fn run(options: &Drive) -> Result<(), String> {
    let workloads = catalogue::select(&options.patterns, options.is_quick)?;
    let own = std::env::current_exe().map_err(|error| format!("the bench's program: {error}"))?;
    let mut builds = vec![(own, "")];
    builds.extend(options.native.clone().map(|native| (native, NATIVE)));
    let mut notes = options.notes.clone();
    notes.extend(peers::absent());
    notes.extend(left_out(options, &workloads));

    let mut head = machine::description();
    head.push_str(if options.is_quick {
        "- run: quick, 100,000 queries, 3 rounds\n"
    } else {
        "- run: full, 7 rounds\n"
    });
    println!("{head}");
    let mut rows = vec![Vec::new(); builds.len()];
    for (group, names) in grouped(&workloads) {
        for ((program, suffix), rows) in builds.iter().zip(&mut rows) {
            eprintln!("running {group}{suffix}: {}", names.join(" "));
            for line in run_group(program, &names, options.is_quick)? {
                match line {
                    Line::Row(row) => rows.push(row),
                    Line::Note(note) if notes.contains(&note) => {}
                    Line::Note(note) => notes.push(note),
                }
            }
        }
    }
    let rated = in_order(builds.iter().zip(rows).flat_map(|((_, suffix), rows)| {
        let mut rated = report::rate(with_memory(rows));
        for each in &mut rated {
            each.row.subject.push_str(suffix);
        }
        rated
    }));

    let mut text = report::table(&rated);
    if rated
        .iter()
        .any(|rated| rated.row.workload.starts_with("B1-bytes"))
    {
        text.push_str(&format!("\n{}", report::memory_table(&rated)));
    }
    for note in &notes {
        text.push_str(&format!("\n- {note}"));
    }
    println!("{text}");
    if let Some(file) = &options.csv {
        let place = file.display();
        fs::write(file, report::csv(&rated)).map_err(|error| format!("{place}: {error}"))?;
        println!("\nwritten: {place}");
    }
    if let Some(file) = &options.publish {
        report::publish(file, &format!("{head}\n{text}"))?;
        println!("\nwritten: {}", file.display());
    }
    Ok(())
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

/// The selected workloads by group, in the order of each group's first.
fn grouped(workloads: &[Workload]) -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for workload in workloads {
        let group = format!("{:?}", workload.group);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, names)) => names.push(workload.name),
            None => groups.push((group, vec![workload.name])),
        }
    }
    groups
}

fn run_group(program: &Path, names: &[&str], is_quick: bool) -> Result<Vec<Line>, String> {
    let place = |error| format!("{} did not run: {error}", program.display());
    let mut command = Command::new(PathBuf::from(program));
    command.arg("--group").arg(names.join(","));
    if is_quick {
        command.arg("--quick");
    }
    let output = command.stderr(Stdio::inherit()).output().map_err(place)?;
    if !output.status.success() {
        return Err(format!(
            "the group of {} failed: {}",
            names.join(" "),
            output.status
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(Line::read).collect())
}

/// What the workloads of memory begin with.
const MEMORY: &str = "B1-bytes-";

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

/// The name under which a workload's memory stands.
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
