//! Samples of less than a byte: unpacks 1-, 2- and 4-bit codes, which PNG and TIFF store alike.
//!
//! Only whole rows are unpacked here; what the codes mean is the formats' own affair.

/// Appends the first `count` codes of `bits` bits in `row` to `out`, the highest bits first.
///
/// `bits` is 1, 2, 4 or 8; a row that is too short yields fewer codes.
pub(super) fn unpack(row: &[u8], bits: u32, count: usize, out: &mut Vec<u8>) {
    if bits >= 8 {
        out.extend(row.iter().take(count));
        return;
    }
    let mask = (1_u8 << bits) - 1;
    let codes = row.iter().flat_map(|&byte| {
        (0..8 / bits).map(move |index| (byte >> (8 - bits * (index + 1))) & mask)
    });
    out.extend(codes.take(count));
}

#[cfg(test)]
mod tests {
    use super::unpack;

    #[test]
    fn codes_come_highest_bits_first_and_padding_is_left() {
        for (bits, count, expected) in [
            (1, 5, &[1, 0, 1, 1, 0][..]),
            (2, 3, &[2, 3, 0]),
            (4, 2, &[11, 1]),
            (8, 1, &[0b1011_0001]),
        ] {
            let mut out = Vec::new();
            unpack(&[0b1011_0001], bits, count, &mut out);
            assert_eq!(out, expected, "{bits} bits");
        }
    }
}
