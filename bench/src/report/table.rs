//! The table as Markdown, which reads well on a terminal too.

use super::Rated;

/// All timed rows, one workload after the other.
pub fn table(rows: &[Rated]) -> String {
    let heads = [
        "workload",
        "subject",
        "ns per query",
        "ratio to the best peer",
        "disagreements",
    ];
    let cells = rows.iter().filter(|rated| !is_memory(rated)).map(|rated| {
        let row = &rated.row;
        let ratio = rated
            .ratio
            .map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let disagreements = match (row.disagreements, row.ways.as_str()) {
            (0, "") => "0".to_owned(),
            (count, ways) => format!("{count}: {ways}"),
        };
        [
            row.workload.clone(),
            row.subject.clone(),
            thousands(row.ns),
            ratio,
            disagreements,
        ]
    });
    aligned(heads, cells.collect())
}

/// The memory of what was built.
pub fn memory_table(rows: &[Rated]) -> String {
    let heads = ["workload", "subject", "bytes", "ratio to the smallest peer"];
    let cells = rows.iter().filter(|rated| is_memory(rated)).map(|rated| {
        let ratio = rated
            .ratio
            .map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let row = &rated.row;
        [
            row.workload.clone(),
            row.subject.clone(),
            thousands(row.ns),
            ratio,
        ]
    });
    aligned(heads, cells.collect())
}

fn is_memory(rated: &Rated) -> bool {
    rated.row.workload.starts_with("B1-bytes")
}

/// Numbers below 100 with their decimals, greater ones in groups of three digits.
fn thousands(number: f64) -> String {
    if number < 10.0 {
        return format!("{number:.2}");
    }
    if number < 100.0 {
        return format!("{number:.1}");
    }
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn aligned<const N: usize>(heads: [&str; N], cells: Vec<[String; N]>) -> String {
    let mut widths = heads.map(|head| head.chars().count());
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String]| {
        let padded = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                // Names to the left, numbers to the right, the last column as it comes.
                match column {
                    0 | 1 => format!("{cell:width$}"),
                    4 => cell.clone(),
                    _ => format!("{cell:>width$}"),
                }
            });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let mut text = line(&heads.map(str::to_owned));
    let rule = |column: usize, width: &usize| match column {
        0 | 1 | 4 => "-".repeat(*width),
        _ => "-".repeat(width - 1) + ":",
    };
    let rules: Vec<String> = widths.iter().enumerate().map(|(i, w)| rule(i, w)).collect();
    text.push_str(&format!("| {} |\n", rules.join(" | ")));
    for row in &cells {
        text.push_str(&line(row));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(1_234_567.4), "1,234,567");
        assert_eq!(thousands(123.4), "123");
        assert_eq!(thousands(12.34), "12.3");
        assert_eq!(thousands(0.254), "0.25");
    }

    #[test]
    fn columns_line_up() {
        let text = aligned(
            ["a", "b", "cc"],
            vec![["x".into(), "yy".into(), "3".into()]],
        );
        assert_eq!(text, "| a | b  | cc |\n| - | -- | -: |\n| x | yy |  3 |\n");
    }
}
