//! The key that pages must say: 128 random bits.

use std::fmt::Write as _;

/// A new key, from the system's random numbers: 32 hexadecimal digits. The viewer compares it with what
/// pages say.
pub(super) fn random() -> Result<String, getrandom::Error> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits)?;
    Ok(bits.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::random;

    #[test]
    fn keys_have_128_bits_and_differ() {
        let [key, other] = [random().unwrap(), random().unwrap()];
        assert!(
            key.len() == 32 && key.bytes().all(|digit| digit.is_ascii_hexdigit()),
            "{key}"
        );
        assert_ne!(key, other);
    }
}
