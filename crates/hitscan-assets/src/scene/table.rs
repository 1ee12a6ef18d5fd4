//! One table of a scene file as its text has it: keys and values, each with its place.
//!
//! It is made of what the TOML parser reads, or of a plain text without it (`plain_table.rs`). What
//! the keys mean is not known here.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table, its keys in the order of the text.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// Where it is, or its header.
    pub(super) span: Range<usize>,
    pub(super) entries: Vec<(Spanned<&'a str>, Spanned<Item<'a>>)>,
}

/// A value. Numbers are still text, since each key has its own type of number.
#[derive(Debug)]
pub(super) enum Item<'a> {
    String(&'a str),
    Integer {
        digits: &'a str,
        radix: u32,
    },
    Float(&'a str),
    Boolean(bool),
    /// As text.
    Datetime(String),
    Array(Vec<Spanned<Item<'a>>>),
    /// Such as a part of a compound.
    Table(Table<'a>),
}

impl<'a> Table<'a> {
    pub(super) fn of(table: &'a DeTable<'a>, span: Range<usize>) -> Self {
        let entries = table.iter();
        let entries = entries.map(|(key, value)| {
            let key = Spanned::new(key.span(), key.get_ref().as_ref());
            (key, Item::of(value))
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        Self { span, entries }
    }
}

impl<'a> Item<'a> {
    fn of(value: &'a Spanned<DeValue<'a>>) -> Spanned<Self> {
        let item = match value.get_ref() {
            DeValue::String(text) => Self::String(text),
            DeValue::Integer(number) => Self::Integer {
                digits: number.as_str(),
                radix: number.radix(),
            },
            DeValue::Float(number) => Self::Float(number.as_str()),
            DeValue::Boolean(truth) => Self::Boolean(*truth),
            DeValue::Datetime(time) => Self::Datetime(time.to_string()),
            DeValue::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            DeValue::Table(table) => Self::Table(Table::of(table, value.span())),
        };
        Spanned::new(value.span(), item)
    }
}
