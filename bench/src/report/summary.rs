//! Our own rows, each beside the best peer that is called likewise, in both builds.

use super::markdown::{Column, aligned, ratio, thousands};
use super::{Build, MEMORY, Rated};
use crate::label::Call;

/// Times; `None` where nothing of ours was timed.
pub fn summary(rows: &[Rated]) -> Option<String> {
    let heads = [
        "workload",
        "hitscan",
        "queries a call",
        "ns a query",
        "best peer called likewise",
        "its ns",
        "ratio",
        "tuned: ns",
        "tuned: ratio",
        "plain / tuned",
    ];
    let columns = [
        [Column::Left; 3].as_slice(),
        &[Column::Right, Column::Left],
        &[Column::Right; 5],
    ]
    .concat();
    let cells = ours(rows, Build::Plain, false).map(|plain| {
        let row = &plain.row;
        let tuned = tuned(rows, plain);
        let call = match row.call {
            Call::One => "one",
            Call::Many => "many",
        };
        vec![
            row.workload.clone(),
            way(&row.subject).to_owned(),
            call.to_owned(),
            thousands(row.ns),
            rival(plain),
            rival_number(plain),
            ratio_to_rival(plain),
            tuned.map_or("-".to_owned(), |tuned| thousands(tuned.row.ns)),
            tuned.map_or("-".to_owned(), ratio_to_rival),
            ratio(tuned.map(|tuned| row.ns / tuned.row.ns)),
        ]
    });
    section("Each row of ours", &heads, &columns, cells.collect())
}

/// The bytes of what was built; `None` where nothing was.
pub fn memory(rows: &[Rated]) -> Option<String> {
    let heads = [
        "workload",
        "hitscan",
        "bytes",
        "smallest peer",
        "its bytes",
        "ratio",
    ];
    let columns = [
        Column::Left,
        Column::Left,
        Column::Right,
        Column::Left,
        Column::Right,
        Column::Right,
    ];
    let cells = ours(rows, Build::Plain, true).map(|rated| {
        vec![
            rated.row.workload.clone(),
            way(&rated.row.subject).to_owned(),
            thousands(rated.row.ns),
            rival(rated),
            rival_number(rated),
            ratio_to_rival(rated),
        ]
    });
    section("Memory", &heads, &columns, cells.collect())
}

fn section(
    title: &str,
    heads: &[&str],
    columns: &[Column],
    cells: Vec<Vec<String>>,
) -> Option<String> {
    let table = || aligned(heads, columns, &cells);
    (!cells.is_empty()).then(|| format!("### {title}\n\n{}", table()))
}

fn ours(rows: &[Rated], build: Build, is_memory: bool) -> impl Iterator<Item = &Rated> {
    let is_wanted = move |rated: &&Rated| rated.row.workload.starts_with(MEMORY) == is_memory;
    rows.iter()
        .filter(move |rated| rated.row.is_ours && rated.build == build)
        .filter(is_wanted)
}

/// The same subject in the tuned build.
fn tuned<'a>(rows: &'a [Rated], plain: &Rated) -> Option<&'a Rated> {
    let (workload, subject) = (&plain.row.workload, &plain.row.subject);
    rows.iter().find(|rated| {
        rated.build == Build::Tuned
            && rated.row.workload == *workload
            && rated.row.subject == *subject
    })
}

/// The subject without the name that all of ours begin with.
fn way(subject: &str) -> &str {
    subject.strip_prefix("hitscan ").unwrap_or(subject)
}

fn rival(rated: &Rated) -> String {
    let rival = rated.rival.as_ref();
    rival.map_or("-".to_owned(), |rival| rival.subject.clone())
}

fn rival_number(rated: &Rated) -> String {
    let rival = rated.rival.as_ref();
    rival.map_or("-".to_owned(), |rival| thousands(rival.ns))
}

fn ratio_to_rival(rated: &Rated) -> String {
    ratio(rated.rival.as_ref().map(|rival| rival.ns / rated.row.ns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::rate;
    use crate::report::row::tests::row;

    #[test]
    fn both_builds_are_in_one_line() {
        let rows = |ours, peer| {
            vec![
                row("T1", true, Call::One, ours),
                row("T1", false, Call::One, peer),
            ]
        };
        let plain = rate(rows(50.0, 100.0), Build::Plain);
        let tuned = rate(rows(40.0, 100.0), Build::Tuned);
        let text = summary(&[plain, tuned].concat()).expect("there are rows of ours");
        let line = text.lines().last().unwrap_or_default();
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let expected = [
            "T1", "subject", "one", "50.0", "subject", "100", "2.00", "40.0", "2.50", "1.25",
        ];
        assert_eq!(cells, expected);
        assert_eq!(memory(&[]), None);
    }
}
