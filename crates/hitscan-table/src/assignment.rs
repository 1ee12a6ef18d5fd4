//! Columns of a question that a table has under other names, or not at all: what each takes its values
//! from.
//!
//! Which names there are is decided in `column_mapping/`.

use std::fmt;

use crate::mask::read_mask_text;
use crate::number::{ParsedNumber, read_text};

/// A column of the question, and where its values come from in place of the table's column of that
/// name.
///
/// ```
/// use hitscan_table::{AssignedValue, Assignment};
/// let all = Assignment::parse_list("ox=muzzle_x, dy=-1, ignore=\"who, when\"")?;
/// assert_eq!(all[0].value, AssignedValue::Column("muzzle_x".to_owned()));
/// assert_eq!(all[1].value, AssignedValue::Constant("-1".to_owned()));
/// assert_eq!(all[2].to_string(), "ignore=\"who, when\"");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The column of the question, by any of its names: `ox`, `oy_above` or `easting`.
    pub column: String,
    /// Where its values come from.
    pub value: AssignedValue,
}

/// Where the values of an assigned column come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignedValue {
    /// The table's column of this name.
    Column(String),
    /// This number, in every row.
    Constant(String),
}

impl Assignment {
    /// Reads a list such as `ox=muzzle_x,dy=-1`: what is a number (`-1`, `1e3`, `inf`, `0x5`, `0b101`) is a
    /// constant, all else the name of a column. A name in `"` may be anything, a number or one with a
    /// comma too; `""` in it is a quotation mark.
    ///
    /// # Errors
    /// What is wrong with the list, in words for a person.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let mut all: Vec<Self> = Vec::new();
        for item in items(text)? {
            let one = Self::parse(item)?;
            if all.iter().any(|known| known.column == one.column) {
                return Err(format!("`{}` is given twice", one.column));
            }
            all.push(one);
        }
        Ok(all)
    }

    fn parse(item: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{item}`: expected a column of the question, `=`, and a column of the table or a \
                 number, such as ox=muzzle_x or dy=-1"
            )
        };
        let (column, value) = item.split_once('=').ok_or_else(wrong)?;
        let [column, value] = [column, value].map(str::trim);
        if column.is_empty() || value.is_empty() {
            return Err(wrong());
        }
        let value = match value.strip_prefix('"') {
            Some(quoted) => {
                let name = quoted.strip_suffix('"').ok_or_else(wrong)?;
                AssignedValue::Column(name.replace("\"\"", "\""))
            }
            None if is_number(value) => AssignedValue::Constant(value.to_owned()),
            None => AssignedValue::Column(value.to_owned()),
        };
        let column = column.to_owned();
        Ok(Self { column, value })
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            AssignedValue::Column(name) if is_number(name) || name.contains([',', '"']) => {
                write!(f, "{}=\"{}\"", self.column, name.replace('"', "\"\""))
            }
            AssignedValue::Column(value) | AssignedValue::Constant(value) => {
                write!(f, "{}={value}", self.column)
            }
        }
    }
}

/// The items between commas; commas within quotation marks separate nothing.
fn items(text: &str) -> Result<Vec<&str>, String> {
    let (mut items, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b',' if !is_quoted => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if is_quoted {
        return Err("a quotation mark opens a name that does not end".to_owned());
    }
    items.push(&text[start..]);
    Ok(items)
}

/// Whether text is a number or a mask.
fn is_number(text: &str) -> bool {
    let is_mask = matches!(read_mask_text(text.as_bytes()), Ok(Some(_)));
    is_mask
        || !matches!(
            read_text::<f64>(text.as_bytes()),
            ParsedNumber::NotANumber | ParsedNumber::Empty
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_constants_and_all_else_are_names() {
        for (text, is_constant) in [
            ("dy=-1", true),
            ("dy=1e3", true),
            ("t_max=inf", true),
            ("mask=0b101", true),
            ("mask=0xff", true),
            ("dy=nan", false),
            ("dy=-1x", false),
            ("dy=\"-1\"", false),
            ("dy = a=b", false),
        ] {
            let all = Assignment::parse_list(text).unwrap();
            let found = matches!(all[0].value, AssignedValue::Constant(_));
            assert_eq!((all.len(), found), (1, is_constant), "{text}");
        }
        let list = "ox=a b,oy=\"a,b\",oz=\"\"\"c\"\"\",dx=\"7\",dy=7";
        let all = Assignment::parse_list(list).unwrap();
        let names = ["a b", "a,b", "\"c\"", "7"].map(|name| AssignedValue::Column(name.to_owned()));
        assert_eq!(
            all[..4]
                .iter()
                .map(|one| one.value.clone())
                .collect::<Vec<_>>(),
            names
        );
        let shown: Vec<String> = all.iter().map(Assignment::to_string).collect();
        assert_eq!(shown.join(","), list);
    }

    #[test]
    fn lists_that_say_nothing_are_refused() {
        for (list, word) in [
            ("", "expected a column"),
            ("ox", "such as ox=muzzle_x"),
            ("ox=", "`ox=`"),
            ("=a", "`=a`"),
            ("ox=a,", "expected a column"),
            ("ox=a,ox=b", "`ox` is given twice"),
            ("ox=\"a,oy=b", "does not end"),
        ] {
            let message = Assignment::parse_list(list).unwrap_err();
            assert!(message.contains(word), "{list}: {message}");
        }
    }
}
