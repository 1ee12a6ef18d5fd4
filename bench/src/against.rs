//! hitscan of two checkouts, in turns: the same inputs, times and answers held against each other.
//!
//! The other checkout's program runs the same groups with `--ours`, a process of each in turns, the
//! first of a pair being now one, now the other. Pairs are compared with themselves: what slows the
//! machine for a minute slows both of a pair.

use crate::arguments::Drive;
use crate::catalogue;
use crate::process;
use crate::race::median;
use crate::report::{Column, Line, Row, aligned, thousands};
use std::path::Path;

/// Pairs of processes of a full and of a quick run. Where a row looks slower, as many follow again.
const PAIRS: [usize; 2] = [7, 5];
/// How many times the other's time a row may take.
const LIMIT: f64 = 1.03;

pub fn run(options: &Drive, other: &Path) -> Result<(), String> {
    let workloads = catalogue::select(&options.patterns, options.is_quick)?;
    let own = process::own()?;
    let mut pairs = Pairs {
        programs: [other, &own],
        is_quick: options.is_quick,
        rows: Vec::new(),
        unpaired: Vec::new(),
    };
    let count = PAIRS[usize::from(options.is_quick)];
    for (group, names) in catalogue::grouped(&workloads) {
        eprintln!("running {group}: {}", names.join(" "));
        pairs.run(&names, count)?;
        let suspects = pairs.suspects(&names);
        if !suspects.is_empty() {
            eprintln!("running once more: {}", suspects.join(" "));
            pairs.run(&suspects, count)?;
        }
    }
    println!("{}", pairs.table());
    for row in &pairs.unpaired {
        println!("- not compared, as only one of the two has it: {row}");
    }
    if pairs.rows.is_empty() {
        return Err("nothing was compared".to_owned());
    }
    let failed = pairs.rows.iter().filter(|compared| !compared.is_good());
    match failed.count() {
        0 => Ok(()),
        count => Err(format!("{count} rows are slower or answer otherwise")),
    }
}

struct Pairs<'a> {
    /// The other checkout's and our own.
    programs: [&'a Path; 2],
    is_quick: bool,
    rows: Vec<Compared>,
    /// Rows that only one of the two has.
    unpaired: Vec<String>,
}

/// One row of both, pair by pair.
struct Compared {
    workload: String,
    subject: String,
    /// Nanoseconds of the other and of our own, a pair of processes each.
    times: Vec<[f64; 2]>,
    answers_agree: bool,
}

impl Pairs<'_> {
    fn run(&mut self, names: &[&str], count: usize) -> Result<(), String> {
        for pair in 0..count {
            let mut rows = [Vec::new(), Vec::new()];
            let order = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
            for turn in order {
                let lines = process::run_group(self.programs[turn], names, self.is_quick, true);
                let lines = match lines {
                    // The other may be older than these workloads.
                    Err(reason) if turn == 0 => {
                        self.unpaired
                            .push(format!("{} ({reason})", names.join(" ")));
                        return Ok(());
                    }
                    lines => lines?,
                };
                rows[turn] = lines.into_iter().filter_map(row).collect();
            }
            self.add(&rows);
        }
        Ok(())
    }

    fn add(&mut self, [theirs, ours]: &[Vec<Row>; 2]) {
        let is_same = |a: &Row, b: &Row| a.workload == b.workload && a.subject == b.subject;
        for (side, others, whose) in [(ours, theirs, "here"), (theirs, ours, "there")] {
            for row in side {
                if !others.iter().any(|other| is_same(row, other)) {
                    let name = format!("{} {} ({whose})", row.workload, row.subject);
                    if !self.unpaired.contains(&name) {
                        self.unpaired.push(name);
                    }
                }
            }
        }
        for row in ours {
            let Some(other) = theirs.iter().find(|other| is_same(row, other)) else {
                continue;
            };
            let compared = self.compared(row);
            compared.times.push([other.ns, row.ns]);
            compared.answers_agree &= other.digest == row.digest;
        }
    }

    fn compared(&mut self, row: &Row) -> &mut Compared {
        let mut all = self.rows.iter();
        let place = all.position(|own| own.workload == row.workload && own.subject == row.subject);
        let place = place.unwrap_or_else(|| {
            self.rows.push(Compared {
                workload: row.workload.clone(),
                subject: row.subject.clone(),
                times: Vec::new(),
                answers_agree: true,
            });
            self.rows.len() - 1
        });
        &mut self.rows[place]
    }

    /// Those of these workloads where our median is beyond the limit.
    fn suspects<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        let is_suspect = |name: &&&str| {
            let mut rows = self.rows.iter().filter(|row| row.workload == **name);
            rows.any(|row| row.quartiles()[1] > LIMIT)
        };
        names.iter().filter(is_suspect).copied().collect()
    }

    fn table(&self) -> String {
        let heads = [
            "workload",
            "subject",
            "ns there",
            "ns here",
            "here / there",
            "middle half",
            "",
        ];
        let columns = [
            [Column::Left; 2].as_slice(),
            &[Column::Right; 4],
            &[Column::Ragged],
        ]
        .concat();
        let cells: Vec<Vec<String>> = self.rows.iter().map(Compared::cells).collect();
        aligned(&heads, &columns, &cells)
    }
}

fn row(line: Line) -> Option<Row> {
    match line {
        Line::Row(row) if row.is_ours => Some(row),
        Line::Row(_) | Line::Note(_) => None,
    }
}

impl Compared {
    /// The lower quartile, the median and the upper quartile of our time by the other's.
    fn quartiles(&self) -> [f64; 3] {
        let mut ratios: Vec<f64> = self.times.iter().map(|[old, new]| new / old).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let quarter = (ratios.len() - 1) / 4;
        let (low, high) = (ratios[quarter], ratios[ratios.len() - 1 - quarter]);
        [low, median(ratios), high]
    }

    /// Slower beyond noise: three pairs of four say so.
    fn is_slower(&self) -> bool {
        self.quartiles()[0] > LIMIT
    }

    fn is_good(&self) -> bool {
        self.answers_agree && !self.is_slower()
    }

    fn cells(&self) -> Vec<String> {
        let median_of = |side: usize| median(self.times.iter().map(|times| times[side]).collect());
        let [low, middle, high] = self.quartiles();
        let result = match (self.answers_agree, self.is_slower()) {
            (true, false) => "",
            (true, true) => "SLOWER",
            (false, false) => "OTHER ANSWERS",
            (false, true) => "SLOWER, OTHER ANSWERS",
        };
        vec![
            self.workload.clone(),
            self.subject.clone(),
            thousands(median_of(0)),
            thousands(median_of(1)),
            format!("{middle:.3}"),
            format!("{low:.3} to {high:.3}"),
            result.to_owned(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(ratios: &[f64]) -> Compared {
        Compared {
            workload: "T1".to_owned(),
            subject: "hitscan".to_owned(),
            times: ratios.iter().map(|ratio| [100.0, 100.0 * ratio]).collect(),
            answers_agree: true,
        }
    }

    #[test]
    fn one_slow_pair_is_noise_and_three_of_four_are_not() {
        assert!(compared(&[1.0, 1.0, 0.99, 1.4, 1.0]).is_good());
        assert!(!compared(&[1.1, 1.05, 1.2, 1.0, 1.04]).is_good());
        assert!(!compared(&[1.1; 7]).is_good());
        assert!(compared(&[1.0, 1.1, 1.1, 0.9, 1.1, 1.1, 1.1]).is_good());
    }

    #[test]
    fn other_answers_are_no_good() {
        let mut other = compared(&[1.0; 5]);
        other.answers_agree = false;
        assert!(!other.is_good());
        assert!(other.cells().contains(&"OTHER ANSWERS".to_owned()));
    }
}
