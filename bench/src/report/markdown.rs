//! Tables as Markdown, which read well on a terminal too.

/// How a column's cells are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Names.
    Left,
    /// Numbers.
    Right,
    /// As it comes, without padding: long text in the last column.
    Ragged,
}

/// A table whose columns line up.
pub fn aligned(heads: &[&str], columns: &[Column], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = heads.iter().map(|head| head.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).zip(columns);
        let padded = padded.map(|((cell, &width), column)| match column {
            Column::Left => format!("{cell:width$}"),
            Column::Right => format!("{cell:>width$}"),
            Column::Ragged => cell.clone(),
        });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule = |(column, &width): (&Column, &usize)| match column {
        Column::Left => "-".repeat(width),
        Column::Right => "-".repeat(width.max(2) - 1) + ":",
        Column::Ragged => "-".to_owned(),
    };
    let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
    let rules: Vec<String> = columns.iter().zip(&widths).map(rule).collect();
    let mut text = line(&heads) + &line(&rules);
    for row in rows {
        text.push_str(&line(row));
    }
    text
}

/// Numbers below 100 with their decimals, greater ones in groups of three digits.
pub fn thousands(number: f64) -> String {
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

/// A ratio with two decimals, a small one with more, or a dash.
pub fn ratio(number: Option<f64>) -> String {
    match number {
        None => "-".to_owned(),
        Some(number) if number < 0.1 => format!("{number:.4}"),
        Some(number) => format!("{number:.2}"),
    }
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
        let columns = [Column::Left, Column::Left, Column::Right, Column::Ragged];
        let row = ["x", "yy", "3", "more"].map(str::to_owned).to_vec();
        let text = aligned(&["a", "b", "cc", "d"], &columns, &[row]);
        let expected = "| a | b  | cc | d |\n| - | -- | -: | - |\n| x | yy |  3 | more |\n";
        assert_eq!(text, expected);
    }
}
