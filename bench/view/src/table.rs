//! The table that is printed, and medians.

pub(crate) fn head() {
    println!("| row | what | value | beside | ratio | aim |");
    println!("|---|---|--:|--:|--:|--:|");
}

/// A value beside another of the same unit.
pub(crate) fn row(name: &str, what: &str, [value, beside]: [f64; 2], aim: &str) {
    let ratio = value / beside;
    println!("| {name} | {what} | {value:.1} | {beside:.1} | {ratio:.2} | {aim} |");
}

/// Rates of rays, in millions a second.
pub(crate) fn rays(name: &str, what: &str, rates: [f64; 2], aim: &str) {
    row(name, what, rates.map(|rate| rate / 1e6), aim);
}

/// A line that belongs to the row before.
pub(crate) fn more(what: &str, values: &[f64]) {
    let value = |index: usize| {
        values
            .get(index)
            .map_or(String::new(), |value| format!("{value:.1}"))
    };
    println!("| | {what} | {} | {} | | |", value(0), value(1));
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
