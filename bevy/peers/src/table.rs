//! The table of results.

/// A line of the table.
pub(crate) struct Line {
    pub(crate) row: &'static str,
    pub(crate) who: &'static str,
    /// Milliseconds that keep its world up to date, in a frame.
    pub(crate) update_ms: f64,
    /// Milliseconds of the rays.
    pub(crate) rays_ms: f64,
    /// Answers that are wrong, in percent, where there are any to compare.
    pub(crate) wrong: Option<Wrong>,
}

/// How many answers are wrong, of a hundred.
#[derive(Clone, Copy)]
pub(crate) struct Wrong {
    /// Another body, or one in place of none.
    pub(crate) body: f64,
    /// That, or off by more than a centimetre.
    pub(crate) place: f64,
}

impl Line {
    fn total(&self) -> f64 {
        self.update_ms + self.rays_ms
    }
}

/// Prints the lines in Markdown; ratios are to the first line of the row, above 1 where that is faster.
pub(crate) fn print(lines: &[Line]) {
    println!(
        "| row | who | update, ms | rays, ms | together, ms | ratio | wrong body, % | wrong by over 1 cm, % |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    let mut first: Option<&Line> = None;
    for line in lines {
        let of = match first {
            Some(first) if first.row == line.row => first,
            _ => line,
        };
        first = Some(of);
        let ratio = line.total() / of.total();
        let wrong = match line.wrong {
            Some(wrong) => format!("{:.1} | {:.1}", wrong.body, wrong.place),
            None => "| ".to_owned(),
        };
        println!(
            "| {} | {} | {:.3} | {:.3} | {:.3} | {ratio:.2} | {wrong} |",
            line.row,
            line.who,
            line.update_ms,
            line.rays_ms,
            line.total()
        );
    }
}
