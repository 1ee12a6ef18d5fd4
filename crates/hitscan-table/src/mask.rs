//! Text to a whole number of 32 bits, exactly.
//!
//! No bit of a mask may be lost to rounding, so masks are not parsed by `number.rs`, which rounds to
//! the nearest f32.

use crate::number::trim;

/// A field that holds something other than a whole number from 0 to 4294967295.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidMask;

/// Reads a field of text, around which spaces and tabs do not matter; `None` where it is empty.
///
/// The number is decimal (`3`, and as some programs write whole numbers, `3.0` or `3e0`),
/// hexadecimal (`0x1f`) or binary (`0b101`).
pub(crate) fn read_mask_text(field: &[u8]) -> Result<Option<u32>, InvalidMask> {
    let mask = match trim(field) {
        b"" => return Ok(None),
        [b'0', b'x' | b'X', digits @ ..] => whole_of_radix(digits, 16),
        [b'0', b'b' | b'B', digits @ ..] => whole_of_radix(digits, 2),
        decimal => whole_decimal(decimal),
    };
    mask.map(Some).ok_or(InvalidMask)
}

/// The value of a float that is whole and in range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and in range"
)]
pub(crate) fn mask_of_f64(number: f64) -> Result<u32, InvalidMask> {
    let is_mask = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    if is_mask {
        Ok(number as u32)
    } else {
        Err(InvalidMask)
    }
}

fn whole_of_radix(digits: &[u8], radix: u32) -> Option<u32> {
    // The standard library would accept a sign too.
    if !digits.first()?.is_ascii_alphanumeric() {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

/// The value of decimal digits with an optional sign, point and exponent, if it is whole and in
/// range. No digit is rounded away: `0.9999999999999999999` is not 1.
fn whole_decimal(text: &[u8]) -> Option<u32> {
    let (is_negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (digits, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(e) => {
            let exponent = std::str::from_utf8(&text[e + 1..]).ok()?;
            (&text[..e], exponent.parse::<i32>().ok()?)
        }
        None => (text, 0),
    };
    let point = digits.iter().position(|&byte| byte == b'.');
    let whole_digits = point.unwrap_or(digits.len());
    let fraction = digits.get(whole_digits + 1..).unwrap_or_default();
    if whole_digits + fraction.len() == 0 {
        return None;
    }
    // How many digits are in front of the point once the exponent has moved it.
    let before_point = i64::try_from(whole_digits).ok()? + i64::from(exponent);
    let mut value = 0;
    let mut read = 0_i64;
    for &byte in digits[..whole_digits].iter().chain(fraction) {
        let digit = match byte {
            b'0'..=b'9' => u32::from(byte - b'0'),
            _ => return None,
        };
        if read < before_point {
            value = append_digit(value, digit)?;
        } else if digit != 0 {
            return None;
        }
        read += 1;
    }
    while read < before_point && value > 0 {
        value = append_digit(value, 0)?;
        read += 1;
    }
    (!is_negative || value == 0).then_some(value)
}

fn append_digit(value: u32, digit: u32) -> Option<u32> {
    value.checked_mul(10)?.checked_add(digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_testkit::Rng;

    #[test]
    fn whole_numbers_are_read_exactly() {
        for (text, expected) in [
            ("0", 0),
            (" 16777217\t", 16_777_217),
            ("4294967295", u32::MAX),
            ("+7", 7),
            ("-0", 0),
            ("007", 7),
            ("4294967295.0", u32::MAX),
            ("3.", 3),
            ("4.294967295e9", u32::MAX),
            ("1.5E+1", 15),
            ("300e-2", 3),
            ("0.0003e4", 3),
            ("0e999999999", 0),
            ("-0.0e-999999999", 0),
            ("0x0", 0),
            ("0XfFfFfFfF", u32::MAX),
            ("0b101", 5),
            ("0b11111111111111111111111111111111", u32::MAX),
        ] {
            assert_eq!(
                read_mask_text(text.as_bytes()),
                Ok(Some(expected)),
                "{text:?}"
            );
        }
        assert_eq!(read_mask_text(b" "), Ok(None));
        assert_eq!(read_mask_text(b""), Ok(None));
    }

    #[test]
    fn nothing_else_is_a_mask() {
        for text in [
            "-1",
            "4294967296",
            "99999999999999999999",
            "0.5",
            "1e10",
            "1e999999999",
            "1e9999999999",
            "1e-1",
            "0.99999999999999999999",
            "4294967295.00000000001",
            ".",
            "+",
            "-",
            "e5",
            "1e",
            "1e+",
            "1e1.0",
            "1.2.0",
            "inf",
            "nan",
            "x",
            "1 2",
            "1_0",
            "0x",
            "0x+1",
            "0xg",
            "0x1_0",
            "0b",
            "0b2",
            "0b-1",
            "0x100000000",
            "-0x1",
            "all",
        ] {
            assert_eq!(
                read_mask_text(text.as_bytes()),
                Err(InvalidMask),
                "{text:?}"
            );
        }
        assert_eq!(read_mask_text(b"1\xff"), Err(InvalidMask));
    }

    #[test]
    fn what_any_program_writes_is_read_back() {
        let mut rng = Rng::new(11);
        for _ in 0..20_000 {
            let mask = rng.next_u32() >> (rng.next_u32() % 32);
            for text in [
                format!("{mask}"),
                format!("{mask:#x}"),
                format!("{mask:#b}"),
                format!("{:?}", f64::from(mask)),
                format!("{:e}", f64::from(mask)),
            ] {
                assert_eq!(read_mask_text(text.as_bytes()), Ok(Some(mask)), "{text}");
            }
            assert_eq!(mask_of_f64(f64::from(mask)), Ok(mask));
        }
    }

    #[test]
    fn floats_are_masks_where_they_are_whole() {
        assert_eq!(mask_of_f64(-0.0), Ok(0));
        for number in [
            -1.0,
            0.5,
            4_294_967_296.0,
            f64::NAN,
            f64::INFINITY,
            4_294_967_294.5,
        ] {
            assert_eq!(mask_of_f64(number), Err(InvalidMask), "{number}");
        }
    }
}
