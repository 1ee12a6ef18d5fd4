//! Eyes and targets that are no places although their fields can be read: off the ground that they are
//! on or above, or with names of objects which do not exist.

use hitscan_table::{Batch, InvalidRow, InvalidRows, ReasonCounts, RunOptions, Summary};

/// Such rows.
#[derive(Default)]
pub(crate) struct Invalid {
    count: u64,
    first: Option<InvalidRow>,
    reasons: ReasonCounts,
}

impl Invalid {
    pub(crate) fn add(
        &mut self,
        batch: &Batch<'_>,
        row: u64,
        reason: &str,
        options: &RunOptions<'_>,
    ) -> Result<(), hitscan_table::Error> {
        let row = batch.invalid_row(row, reason);
        if options.invalid_rows == InvalidRows::Refuse {
            return Err(hitscan_table::Error::InvalidRow(row));
        }
        if let Some(report) = options.bad_row {
            report(&row);
        }
        self.count += 1;
        self.reasons.add(reason);
        self.first.get_or_insert(row);
        Ok(())
    }

    pub(crate) fn into_summary(self, mut summary: Summary) -> Summary {
        summary.invalid += self.count;
        summary.invalid_reasons.extend(&self.reasons);
        summary.first_invalid = match (summary.first_invalid, self.first) {
            (Some(one), Some(other)) if other.location.row < one.location.row => Some(other),
            (one, other) => one.or(other),
        };
        summary
    }
}
