//! Decimal text to the nearest f32 and back.
//!
//! Each number is rounded once: text is never read as f64 on the way to f32. Positions in a
//! [`Frame`](crate::Frame) are the exception: they are f64 until the origin is taken off. What a
//! column permits (infinity, an absent number) is decided in `collector.rs`.

use std::str::FromStr;

use crate::AxisMap;

/// A field of a question as a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ParsedNumber<F = f32> {
    /// A number; infinity only where the field itself is infinite. Never NaN.
    Number(F),
    /// Nothing: an empty field, or null.
    Empty,
    /// Something that is no number.
    NotANumber,
    /// A finite number that is infinite as `F`.
    Overflow,
}

/// A type that text is rounded to.
pub(crate) trait Float: FromStr + Copy {
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
}

impl Float for f32 {
    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn is_infinite(self) -> bool {
        self.is_infinite()
    }
}

impl Float for f64 {
    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn is_infinite(self) -> bool {
        self.is_infinite()
    }
}

/// Reads a field of text, around which spaces and tabs do not matter.
///
/// The grammar is that of [`f32::from_str`](str::parse): decimal digits with an optional sign,
/// point and exponent; `inf`, `infinity` and `nan` in any case.
pub(crate) fn read_text<F: Float>(field: &[u8]) -> ParsedNumber<F> {
    let field = trim(field);
    if field.is_empty() {
        return ParsedNumber::Empty;
    }
    let parsed = std::str::from_utf8(field)
        .ok()
        .and_then(|text| text.parse::<F>().ok());
    match parsed {
        None => ParsedNumber::NotANumber,
        Some(number) if number.is_nan() => ParsedNumber::NotANumber,
        // The text of infinity has no digit.
        Some(number) if number.is_infinite() && field.iter().any(u8::is_ascii_digit) => {
            ParsedNumber::Overflow
        }
        Some(number) => ParsedNumber::Number(number),
    }
}

/// An f32 as it is.
#[inline]
pub(crate) fn read_f32(number: f32) -> ParsedNumber {
    if number.is_nan() {
        ParsedNumber::NotANumber
    } else {
        ParsedNumber::Number(number)
    }
}

/// All numbers, unless one is none.
pub(crate) fn all_valid(numbers: impl ExactSizeIterator<Item = Option<f32>>) -> Option<Vec<f32>> {
    let mut all = Vec::with_capacity(numbers.len());
    for number in numbers {
        all.push(number?);
    }
    Some(all)
}

/// Rounds to the nearest f32, ties to even.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to f32 is intended"
)]
#[inline]
pub(crate) fn nearest_f32(number: f64) -> f32 {
    number as f32
}

/// The nearest f32 of an f64.
#[inline]
pub(crate) fn read_f64(number: f64) -> ParsedNumber {
    let nearest = nearest_f32(number);
    if number.is_nan() {
        ParsedNumber::NotANumber
    } else if nearest.is_infinite() && number.is_finite() {
        ParsedNumber::Overflow
    } else {
        ParsedNumber::Number(nearest)
    }
}

/// A position of a table as the nearest f32 of the world, rounded once after the map.
pub(crate) fn into_world(position: ParsedNumber<f64>, map: AxisMap) -> ParsedNumber {
    match position {
        ParsedNumber::Number(value) => match map.to_world(value) {
            metres if value.is_finite() && metres.is_infinite() => ParsedNumber::Overflow,
            metres => read_f64(metres),
        },
        ParsedNumber::Empty => ParsedNumber::Empty,
        ParsedNumber::NotANumber => ParsedNumber::NotANumber,
        ParsedNumber::Overflow => ParsedNumber::Overflow,
    }
}

/// A field without the spaces and tabs around it.
pub(crate) fn trim(mut field: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = field {
        field = rest;
    }
    field
}

/// Appends the shortest decimal text that reads back as the same f32.
///
/// Whole numbers have no point; from 1e16 up and below 1e-5 the text has an exponent.
///
/// ```
/// let mut text = Vec::new();
/// for number in [1.0, -0.1, 1.0e-7, 3.0e38, f32::INFINITY] {
///     hitscan_table::write_f32(number, &mut text);
///     text.push(b' ');
/// }
/// assert_eq!(text, b"1 -0.1 1e-7 3e+38 inf ");
/// ```
pub fn write_f32(number: f32, out: &mut Vec<u8>) {
    write_float(number, out);
}

/// [`write_f32`] for either width.
pub(crate) fn write_float<F: zmij::Float>(number: F, out: &mut Vec<u8>) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(number);
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_testkit::Rng;

    #[test]
    fn text_is_read_as_the_nearest_f32() {
        // Halfway between two f32 plus a little: by way of f64 this would round to even.
        let just_above_half = "1.00000005960464477539062500000001";
        for (text, expected) in [
            ("1", ParsedNumber::Number(1.0)),
            (" -2.50 ", ParsedNumber::Number(-2.5)),
            ("\t.5", ParsedNumber::Number(0.5)),
            ("5.", ParsedNumber::Number(5.0)),
            ("+1e-3", ParsedNumber::Number(1.0e-3)),
            ("1E3", ParsedNumber::Number(1000.0)),
            (just_above_half, ParsedNumber::Number(1.000_000_1)),
            ("1e-60", ParsedNumber::Number(0.0)),
            ("3.4028235e38", ParsedNumber::Number(f32::MAX)),
            ("3.4028236e38", ParsedNumber::Overflow),
            ("1e39", ParsedNumber::Overflow),
            ("-1e999999999999", ParsedNumber::Overflow),
            ("inf", ParsedNumber::Number(f32::INFINITY)),
            ("-Infinity", ParsedNumber::Number(f32::NEG_INFINITY)),
            ("nan", ParsedNumber::NotANumber),
            ("", ParsedNumber::Empty),
            ("  ", ParsedNumber::Empty),
            ("1,5", ParsedNumber::NotANumber),
            ("1 2", ParsedNumber::NotANumber),
            ("0x10", ParsedNumber::NotANumber),
            ("1_000", ParsedNumber::NotANumber),
            (".", ParsedNumber::NotANumber),
            ("e5", ParsedNumber::NotANumber),
        ] {
            assert_eq!(read_text::<f32>(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(read_text::<f32>(b"1\xff"), ParsedNumber::NotANumber);
    }

    #[test]
    fn f64_is_rounded_to_the_nearest() {
        assert_eq!(read_f64(0.1), ParsedNumber::Number(0.1));
        assert_eq!(read_f64(1.0e39), ParsedNumber::Overflow);
        assert_eq!(read_f64(3.402_823_5e38), ParsedNumber::Number(f32::MAX));
        assert_eq!(read_f64(f64::INFINITY), ParsedNumber::Number(f32::INFINITY));
        assert_eq!(read_f64(f64::NAN), ParsedNumber::NotANumber);
    }

    #[test]
    fn positions_are_rounded_after_the_map() {
        let map = AxisMap {
            zero: 6_250_000.0,
            metres_per_unit: -1.0,
        };
        let read = |text: &str| into_world(read_text(text.as_bytes()), map);
        // As f32 the northing would be off by 0.125.
        assert_eq!(read("6250000.125"), ParsedNumber::Number(-0.125));
        assert_eq!(read("1e39"), ParsedNumber::Overflow);
        assert_eq!(read("1e309"), ParsedNumber::Overflow);
        assert_eq!(read("inf"), ParsedNumber::Number(f32::NEG_INFINITY));
        assert_eq!(read("nan"), ParsedNumber::NotANumber);
        assert_eq!(read(""), ParsedNumber::Empty);
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_bits() {
        let mut rng = Rng::new(7);
        let mut text = Vec::new();
        for _ in 0..100_000 {
            let number = f32::from_bits(rng.next_u32());
            if number.is_nan() {
                continue;
            }
            text.clear();
            write_f32(number, &mut text);
            let ParsedNumber::Number(back) = read_text::<f32>(&text) else {
                panic!("{number} was written as {text:?}");
            };
            assert_eq!(back.to_bits(), number.to_bits(), "{text:?}");
            // Nine digits distinguish all f32.
            let mantissa = text.split(|&byte| byte == b'e').next().unwrap_or_default();
            let digits = mantissa.iter().filter(|byte| byte.is_ascii_digit());
            let significant = digits.skip_while(|&&digit| digit == b'0').count();
            let whole = number.fract() == 0.0;
            assert!(whole || significant <= 9, "{text:?} is not the shortest");
        }
    }
}
