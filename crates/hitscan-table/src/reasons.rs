//! The reasons why rows cannot be used: how many have which, and which column each is about.

/// How many rows cannot be used for which kind of reason, in the order of their first appearance.
///
/// ```
/// use hitscan_table::ReasonCounts;
/// let mut counts = ReasonCounts::default();
/// for found in [-1.0, -2.5] {
///     counts.add(&format!("max_distance must be at least 0, found {found}"));
/// }
/// counts.add("the column `px` is empty");
/// let expected = "2: max_distance must be at least 0; 1: the column `px` is empty";
/// assert_eq!(counts.to_string(), expected);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReasonCounts {
    kinds: Vec<(String, u64)>,
    others: u64,
}

impl ReasonCounts {
    /// More kinds than anyone reads are counted together.
    const MOST: usize = 8;

    /// Adds a row. What comes after `but` or `found`, the value, makes no kind of its own.
    pub fn add(&mut self, reason: &str) {
        self.add_kind(&kind_of(reason), 1);
    }

    fn add_kind(&mut self, kind: &str, count: u64) {
        let known = self.kinds.iter().position(|(known, _)| known == kind);
        match known {
            Some(known) => self.kinds[known].1 += count,
            None if self.kinds.len() < Self::MOST => self.kinds.push((kind.to_owned(), count)),
            None => self.others += count,
        }
    }

    /// Adds the counts of rows that come later.
    pub fn extend(&mut self, later: &Self) {
        for (kind, count) in &later.kinds {
            self.add_kind(kind, *count);
        }
        self.others += later.others;
    }

    /// The kinds of reasons, clauses such as `the direction is zero`, and how many rows have each.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kinds
            .iter()
            .map(|(kind, count)| (kind.as_str(), *count))
    }

    /// How many rows have other reasons than the first eight kinds.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }
}

impl std::fmt::Display for ReasonCounts {
    /// `25: the direction is zero; 15: the column dx is empty`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, (kind, count)) in self.kinds().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(f, "{separator}{count}: {kind}")?;
        }
        match self.others {
            0 => Ok(()),
            others => write!(f, "; {others}: other reasons"),
        }
    }
}

/// A reason without the value that was found.
fn kind_of(reason: &str) -> String {
    let value = [" but `", ", found "]
        .iter()
        .filter_map(|words| reason.find(words))
        .min();
    let kind = &reason[..value.unwrap_or(reason.len())];
    // A value that comes first.
    let behind = kind
        .strip_prefix('`')
        .and_then(|rest| rest.rsplit_once("` in the column `"));
    match behind {
        Some((_, rest)) => format!("the value in the column `{rest}"),
        None => kind.to_owned(),
    }
}

/// The column among `names` that a reason is about, if it is about one.
pub(crate) fn column_of<'n>(
    reason: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Option<&'n str> {
    let kind = kind_of(reason);
    let is_mark = |c: char| !(c.is_alphanumeric() || c == '_');
    let mut quoted = kind.split('`').skip(1).step_by(2);
    let quoted = quoted.find_map(|word| names.clone().find(|name| *name == word));
    quoted.or_else(|| {
        let mut words = kind.split(is_mark);
        words.find_map(|word| names.clone().find(|name| *name == word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_make_no_kinds() {
        for (reason, kind, column) in [
            (
                "the column `dx` is empty",
                "the column `dx` is empty",
                Some("dx"),
            ),
            (
                "the column `dx` holds no number but `a, found b`",
                "the column `dx` holds no number",
                Some("dx"),
            ),
            (
                "`1e39` in the column `t_max` is too large for f32",
                "the value in the column `t_max` is too large for f32",
                Some("t_max"),
            ),
            (
                "max_distance must be at least 0, found -1",
                "max_distance must be at least 0",
                Some("max_distance"),
            ),
            ("the direction is zero", "the direction is zero", None),
        ] {
            assert_eq!(kind_of(reason), kind);
            let names = ["dx", "t_max", "max_distance"];
            assert_eq!(column_of(reason, names.into_iter()), column, "{reason}");
        }
    }

    #[test]
    fn kinds_are_counted_and_the_rest_together() {
        let mut counts = ReasonCounts::default();
        for reason in ["b", "a", "b"] {
            counts.add(reason);
        }
        assert_eq!(counts.to_string(), "2: b; 1: a");
        let mut later = ReasonCounts::default();
        for number in 0..9 {
            later.add(&format!("reason {number}"));
        }
        counts.extend(&later);
        assert_eq!(counts.kinds().count(), ReasonCounts::MOST);
        assert!(
            counts
                .to_string()
                .ends_with("1: reason 5; 3: other reasons"),
            "{counts}"
        );
    }
}
