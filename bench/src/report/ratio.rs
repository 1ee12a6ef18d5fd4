//! The ratio of each row to the best peer of its workload and build.

use super::Row;

/// A row in the whole table.
#[derive(Debug, Clone)]
pub struct Rated {
    pub row: Row,
    /// The best peer's nanoseconds divided by the row's; `None` in a workload without peers.
    pub ratio: Option<f64>,
}

/// Rates rows of one build against the best peer in that build, which ran in the same process.
pub fn rate(rows: Vec<Row>) -> Vec<Rated> {
    let best = |workload: &str| {
        let peers = rows
            .iter()
            .filter(|row| !row.is_ours && row.workload == workload);
        peers.map(|row| row.ns).min_by(f64::total_cmp)
    };
    let ratios: Vec<Option<f64>> = rows
        .iter()
        .map(|row| best(&row.workload).map(|best| best / row.ns))
        .collect();
    let rated = rows.into_iter().zip(ratios);
    rated.map(|(row, ratio)| Rated { row, ratio }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_peer_has_ratio_one() {
        let row = |workload: &str, is_ours, ns| Row {
            workload: workload.to_owned(),
            subject: String::new(),
            is_ours,
            ns,
            disagreements: 0,
            ways: String::new(),
            bytes: None,
        };
        let rows = vec![
            row("T1", true, 50.0),
            row("T1", false, 100.0),
            row("T1", false, 400.0),
            row("T1-8193", true, 60.0),
        ];
        let ratios: Vec<_> = rate(rows).iter().map(|rated| rated.ratio).collect();
        assert_eq!(ratios, [Some(2.0), Some(1.0), Some(0.25), None]);
    }
}
