//! A table for people: columns as wide as their widest cell.

use std::io;

/// Rows of cells under headings.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    rows: Vec<Vec<String>>,
}

impl Listing {
    /// A table with these headings and no rows.
    pub(crate) fn new(headings: &[&str]) -> Self {
        let headings = headings.iter().map(|&heading| heading.to_owned()).collect();
        Self {
            rows: vec![headings],
        }
    }

    /// Adds a row. Cells that are missing stay empty.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes the table, two spaces in, with a line under the headings.
    ///
    /// # Errors
    /// Those of the writer.
    pub(crate) fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| format!("{cell:width$}"))
                .collect();
            writeln!(out, "  {}", cells.join("  ").trim_end())?;
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
                writeln!(out, "  {}", rules.join("  "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut listing = Listing::new(&["who", "where"]);
        listing.row(["ada".to_owned(), "meadow".to_owned()]);
        listing.row(["bruno".to_owned()]);
        let mut text = Vec::new();
        listing.write(&mut text).unwrap();
        let expected = "  who    where\n  -----  ------\n  ada    meadow\n  bruno\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
