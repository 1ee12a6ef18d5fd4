//! The costs as a table.

use super::measure::{Program, Taken};
use super::{Measured, Profile, Subject};

const HEAD: &str = "\
| profile | what is built | CPU s | s on 2 cores | peak MB | LLVM lines | rlib MB | text of the small program kB |
|---|---|--:|--:|--:|--:|--:|--:|
";

/// Everything measured, as docs/benchmarks/cost.md shows it.
pub(super) fn describe(lines: &[String], program: Option<Program>) -> String {
    let program = program.map_or(String::new(), |program| {
        let (cpu, wall) = (program.all.cpu_secs, program.all.wall_secs);
        let (file, text) = (program.file_bytes as f64, program.text_bytes as f64);
        let (file, text) = (megabytes(file), megabytes(text));
        let crates = program.crates;
        format!(
            "\nThe program `hitscan` from nothing (release): {cpu:.0} s of CPU, {wall:.0} s on 2 cores, \
             {crates} crates; installed {file} MB, of it {text} MB of text."
        )
    });
    format!("{HEAD}{}{program}", lines.concat())
}

/// What was measured of one library in one profile.
pub(super) fn lines(profile: Profile, subject: Subject, measured: &Measured) -> String {
    let llvm = measured.llvm_lines.map_or("-".to_owned(), thousands);
    let rlib = megabytes(measured.rlib_bytes as f64);
    let code = measured.text_bytes / 1000;
    let (purpose, library) = (profile.purpose, subject.library);
    let (own, all) = (taken(&measured.own), taken(&measured.all));
    format!(
        "| {purpose} | {library} alone | {own} | {llvm} | {rlib} | |\n\
         | {purpose} | {library}, what it depends on, a small program | {all} | | | {code} |\n"
    )
}

fn taken(taken: &Taken) -> String {
    let (cpu, wall) = (taken.cpu_secs, taken.wall_secs);
    let peak = taken.peak_bytes / 1e6;
    format!("{cpu:.1} | {wall:.1} | {peak:.0}")
}

fn megabytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1e6)
}

/// A count in groups of three digits.
fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
