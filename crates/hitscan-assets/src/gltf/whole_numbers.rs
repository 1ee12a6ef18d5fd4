//! Whole numbers in JSON that are written with a fraction or an exponent: `1.0`, `1e2`.
//!
//! To JSON and to JavaScript they are `1` and `100`; to a parser that reads indices they are no
//! indices. Only numbers are looked at here, outside of strings.

/// The largest number up to which all whole numbers are an f64.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The text with all such numbers as plain digits, or `None` where there is none. Negative ones
/// are left as they are: no index is negative, and `-0.0` is not `0`.
pub(super) fn without_fractions(json: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(json.len());
    let mut is_changed = false;
    let mut rest = json;
    while let Some(&byte) = rest.first() {
        let length = match byte {
            b'"' => string_length(rest),
            b'-' | b'0'..=b'9' => number_length(rest),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        match plain_digits(token) {
            Some(digits) => {
                is_changed = true;
                out.extend_from_slice(digits.as_bytes());
            }
            None => out.extend_from_slice(token),
        }
        rest = after;
    }
    is_changed.then_some(out)
}

/// The bytes of the string that `text` starts with, quotes included.
fn string_length(text: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, &byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The bytes of the number that `text` starts with.
fn number_length(text: &[u8]) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    text.iter()
        .position(|byte| !is_part(byte))
        .unwrap_or(text.len())
}

/// The digits of a whole number that is written as something else.
fn plain_digits(token: &[u8]) -> Option<String> {
    let is_number = token.first()?.is_ascii_digit();
    if !is_number || token.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value: f64 = std::str::from_utf8(token).ok()?.parse().ok()?;
    // `Display` of an f64 has no exponent and, of a whole number, no fraction.
    (value.trunc() == value && value <= MAX_WHOLE).then(|| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::without_fractions;

    #[test]
    fn whole_numbers_lose_their_fractions_and_nothing_else_changes() {
        let cases = [
            (r#"{"a":1.0,"b":[2.000, 3]}"#, Some(r#"{"a":1,"b":[2, 3]}"#)),
            ("[1e2,12.5e1,0.0]", Some("[100,125,0]")),
            ("[1.5,-1.0,1e300,7]", None),
            (r#"{"1.0":"2.0\"3.0"}"#, None),
            ("", None),
            ("\"1.0", None),
        ];
        for (json, expected) in cases {
            let found = without_fractions(json.as_bytes());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{json}");
        }
    }
}
