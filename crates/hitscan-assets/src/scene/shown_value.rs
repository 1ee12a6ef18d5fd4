//! Values of a scene file in messages.

use toml::Spanned;

use super::table::Item;

/// A value that is not what it must be.
pub(super) fn shown(value: &Item) -> String {
    match value {
        Item::String(text) => format!("the string \"{text}\""),
        Item::Integer { digits, radix } => shown_integer(digits, *radix),
        Item::Float(number) => (*number).to_owned(),
        Item::Boolean(truth) => truth.to_string(),
        Item::Datetime(time) => time.clone(),
        Item::Array(items) => shown_array(items),
        Item::Table(_) => "a table".to_owned(),
    }
}

/// A whole number in a message, as it is written.
fn shown_integer(digits: &str, radix: u32) -> String {
    let prefix = match radix {
        2 => "0b",
        8 => "0o",
        16 => "0x",
        _ => "",
    };
    format!("{prefix}{digits}")
}

/// An array in a message: how long it is, and what is in it unless that is much.
fn shown_array(array: &[Spanned<Item>]) -> String {
    const SHOWN: usize = 8;
    let item = |value: &Spanned<Item>| match value.get_ref() {
        Item::Integer { digits, radix } => shown_integer(digits, *radix),
        Item::Float(number) => (*number).to_owned(),
        Item::String(text) => format!("\"{text}\""),
        Item::Boolean(_) => "boolean".to_owned(),
        Item::Datetime(_) => "datetime".to_owned(),
        Item::Array(_) => "array".to_owned(),
        Item::Table(_) => "table".to_owned(),
    };
    let items: Vec<String> = array.iter().take(SHOWN).map(item).collect();
    let more = if array.len() > SHOWN { ", ..." } else { "" };
    format!("an array of {} ([{}{more}])", array.len(), items.join(", "))
}
