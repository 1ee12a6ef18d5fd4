//! "Did you mean": the known name that is closest to one that is not known.
//!
//! Used for keys of scene files and headers, clips and the like; it decides nothing but the words
//! of an error.

/// The least Jaro-Winkler similarity, from 0 to 1, at which a name is suggested.
const MIN_SIMILARITY: f64 = 0.75;

/// The name in `known` that is most similar to `name`, if one is similar enough.
pub(crate) fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .iter()
        .map(|&candidate| {
            let similarity = strsim::jaro_winkler(&name, &candidate.to_lowercase());
            (similarity, candidate)
        })
        .filter(|&(similarity, _)| similarity >= MIN_SIMILARITY)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn close_names_are_suggested_and_far_ones_are_not() {
        let known = [
            "heights",
            "spacing",
            "height_scale",
            "range",
            "origin",
            "size",
        ];
        for (name, expected) in [
            ("spacng", Some("spacing")),
            ("Spacing", Some("spacing")),
            ("height", Some("heights")),
            ("heightscale", Some("height_scale")),
            ("orgin", Some("origin")),
            ("wavelength", None),
            ("", None),
        ] {
            assert_eq!(closest(name, &known), expected, "{name}");
        }
    }
}
