//! The rows of a batch that cannot be used or are skipped: counted, listed and refused.

use crate::pass_through::Plan;
use crate::run_options::{InvalidRows, RunOptions, Summary};
use crate::source::Chunk;
use crate::{Error, InvalidRow, Location, ReasonCounts};

/// What is made of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Treatment {
    invalid_rows: InvalidRows,
    /// Whether all are listed, or the first alone.
    lists_all: bool,
    /// Whether remarks are listed.
    lists_remarks: bool,
}

impl Treatment {
    pub(crate) fn of(options: &RunOptions<'_>) -> Self {
        Self {
            invalid_rows: options.invalid_rows,
            lists_all: options.bad_row.is_some(),
            lists_remarks: options.remark.is_some(),
        }
    }
}

/// Those of one batch.
#[derive(Debug)]
pub(crate) struct BatchBadRows {
    invalid: u64,
    first_invalid: Option<InvalidRow>,
    reasons: ReasonCounts,
    skipped: u64,
    first_skipped: Option<Location>,
    /// All in order, where they are listed.
    all: Vec<InvalidRow>,
    /// Remarks upon other rows, in order, where they are listed.
    remarks: Vec<(Location, String)>,
}

impl BatchBadRows {
    /// Those of a chunk: the invalid rows with their reasons, and the skipped rows with the numbers of
    /// their fields, both in order and counted from the chunk's first row. An error where they are refused
    /// at once.
    pub(crate) fn new(
        plan: &Plan<'_>,
        chunk: &Chunk,
        invalid: &[(u32, String)],
        skipped: &[(u32, usize)],
        treatment: Treatment,
    ) -> Result<Self, Error> {
        let row = |row: &u32, reason: &str| plan.invalid_row(chunk, *row as usize, reason);
        let mut reasons = ReasonCounts::default();
        for (_, reason) in invalid {
            reasons.add(reason);
        }
        let first_invalid = invalid.first().map(|(number, reason)| row(number, reason));
        if let (InvalidRows::Refuse, Some(first)) = (treatment.invalid_rows, &first_invalid) {
            let rows = chunk.first_row + chunk.row_count() as u64;
            return Err(refused(first.clone(), invalid.len() as u64, rows, reasons));
        }
        let mut all = Vec::new();
        if treatment.lists_all {
            all.extend(invalid.iter().map(|(number, reason)| row(number, reason)));
            all.extend(skipped.iter().map(|(number, fields)| {
                let expected = plan.column_count();
                let reason = format!("expected {expected} fields as in the header, found {fields}");
                InvalidRow {
                    column: None,
                    is_skipped: true,
                    ..row(number, &reason)
                }
            }));
            all.sort_by_key(|row| row.location.row);
        }
        let first_skipped = skipped.first();
        Ok(Self {
            invalid: invalid.len() as u64,
            first_invalid,
            reasons,
            skipped: skipped.len() as u64,
            first_skipped: first_skipped.map(|(row, _)| plan.location(chunk, *row as usize)),
            all,
            remarks: Vec::new(),
        })
    }

    /// With remarks upon other rows of the chunk, in order.
    pub(crate) fn with_remarks(
        mut self,
        plan: &Plan<'_>,
        chunk: &Chunk,
        remarks: &[(u32, String)],
        treatment: Treatment,
    ) -> Self {
        if treatment.lists_remarks {
            let place = |row: &u32| plan.location(chunk, *row as usize);
            let placed = remarks.iter().map(|(row, text)| (place(row), text.clone()));
            self.remarks.extend(placed);
        }
        self
    }

    /// Adds them to the summary of all batches before, and reports them.
    pub(crate) fn add_to(self, summary: &mut Summary, options: &RunOptions<'_>) {
        summary.invalid += self.invalid;
        summary.first_invalid = summary.first_invalid.take().or(self.first_invalid);
        summary.invalid_reasons.extend(&self.reasons);
        summary.skipped += self.skipped;
        summary.first_skipped = summary.first_skipped.take().or(self.first_skipped);
        let remark = |(location, text): &(Location, String)| {
            if let Some(report) = options.remark {
                report(location, text);
            }
        };
        let mut remarks = self.remarks.iter().peekable();
        for bad in &self.all {
            while let Some(one) = remarks.next_if(|one| one.0.row < bad.location.row) {
                remark(one);
            }
            if let Some(report) = options.bad_row {
                report(bad);
            }
        }
        remarks.for_each(remark);
    }
}

impl Summary {
    /// Refuses a whole table with rows that cannot be used, where that is wanted:
    /// [`InvalidRows::RefuseAtEnd`].
    ///
    /// # Errors
    /// [`Error::InvalidRow`], or [`Error::InvalidRows`] of several.
    pub fn check(&self, invalid_rows: InvalidRows) -> Result<(), Error> {
        match (&self.first_invalid, invalid_rows) {
            (Some(first), InvalidRows::RefuseAtEnd) => {
                let reasons = self.invalid_reasons.clone();
                Err(refused(first.clone(), self.invalid, self.rows, reasons))
            }
            _ => Ok(()),
        }
    }
}

/// The error about `count` of so many rows.
fn refused(first: InvalidRow, count: u64, rows: u64, reasons: ReasonCounts) -> Error {
    match count {
        1 => Error::InvalidRow(first),
        _ => Error::InvalidRows {
            first: Box::new(first),
            count,
            rows,
            reasons: Box::new(reasons),
        },
    }
}
