//! The ratio of each row to the best peer of its workload and build.

use super::Row;
use crate::label::Call;

/// Which of the bench's two builds a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Cargo's own release profile: what users get who change nothing.
    Plain,
    /// Thin LTO and one codegen unit.
    Tuned,
}

/// A row in the whole table.
#[derive(Debug, Clone)]
pub struct Rated {
    pub row: Row,
    pub build: Build,
    /// The best peer's nanoseconds divided by the row's; `None` in a workload without peers.
    pub ratio: Option<f64>,
    /// The best peer that is called likewise: one query a call for a row of such calls, any for one
    /// of calls that take many.
    pub rival: Option<Rival>,
}

/// The peer that a row is held against.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    pub subject: String,
    pub ns: f64,
}

impl Rated {
    /// The subject and, but for the plain one, its build.
    pub fn subject(&self) -> String {
        match self.build {
            Build::Plain => self.row.subject.clone(),
            Build::Tuned => format!("{} (tuned)", self.row.subject),
        }
    }
}

/// Rates rows of one build against the best peers in that build, which ran in the same process.
pub fn rate(rows: Vec<Row>, build: Build) -> Vec<Rated> {
    let best = |workload: &str, is_apt: &dyn Fn(&Row) -> bool| {
        let peers = rows
            .iter()
            .filter(|row| !row.is_ours && row.workload == workload);
        peers
            .filter(|row| is_apt(row))
            .min_by(|a, b| a.ns.total_cmp(&b.ns))
    };
    let rate = |row: &Row| {
        let rival = best(&row.workload, &|peer| match row.call {
            Call::One => peer.call == Call::One,
            Call::Many => true,
        });
        Rated {
            row: row.clone(),
            build,
            ratio: best(&row.workload, &|_| true).map(|peer| peer.ns / row.ns),
            rival: rival.map(|peer| Rival {
                subject: peer.subject.clone(),
                ns: peer.ns,
            }),
        }
    };
    rows.iter().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::tests::row;

    #[test]
    fn the_best_peer_has_ratio_one() {
        let rows = vec![
            row("T1", true, Call::One, 50.0),
            row("T1", false, Call::One, 100.0),
            row("T1", false, Call::One, 400.0),
            row("T1-8193", true, Call::One, 60.0),
        ];
        let rated = rate(rows, Build::Plain);
        let ratios: Vec<_> = rated.iter().map(|rated| rated.ratio).collect();
        assert_eq!(ratios, [Some(2.0), Some(1.0), Some(0.25), None]);
    }

    #[test]
    fn one_query_a_call_is_held_against_the_same() {
        let rows = vec![
            row("T1", true, Call::One, 50.0),
            row("T1", true, Call::Many, 25.0),
            row("T1", false, Call::One, 100.0),
            row("T1", false, Call::Many, 75.0),
        ];
        let rated = rate(rows, Build::Tuned);
        let rivals: Vec<_> = rated
            .iter()
            .map(|rated| rated.rival.as_ref().map(|rival| rival.ns))
            .collect();
        assert_eq!(rivals[..2], [Some(100.0), Some(75.0)]);
        assert_eq!(rated[0].ratio, Some(1.5));
        assert_eq!(rated[0].subject(), "subject (tuned)");
    }
}
