//! Colour differences for each kind of colour vision, for tests.

use glam::{DMat3, DVec3};

/// What colours in linear light become to eyes with all receptors, and without those for red, green and
/// blue.
///
/// Source: Gustavo M. Machado, Manuel M. Oliveira, Leandro A. F. Fernandes, "A Physiologically-based
/// Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009 (severity 1.0).
pub(crate) const SIGHTS: [(&str, DMat3); 4] = [
    ("normal", DMat3::IDENTITY),
    (
        "protan",
        DMat3::from_cols_array(&[
            0.152_286, 0.114_503, -0.003_882, 1.052_583, 0.786_281, -0.048_116, -0.204_868,
            0.099_216, 1.051_998,
        ]),
    ),
    (
        "deutan",
        DMat3::from_cols_array(&[
            0.367_322, 0.280_085, -0.011_820, 0.860_646, 0.672_501, 0.042_940, -0.227_968,
            0.047_413, 0.968_881,
        ]),
    ),
    (
        "tritan",
        DMat3::from_cols_array(&[
            1.255_528, -0.078_411, 0.004_733, -0.076_749, 0.930_809, 0.691_367, -0.178_779,
            0.147_602, 0.303_900,
        ]),
    ),
];

/// How far apart two colours in linear light are to these eyes, in CIELAB (1976).
pub(crate) fn difference(sight: DMat3, a: DVec3, b: DVec3) -> f64 {
    (lab(sight * a) - lab(sight * b)).length()
}

/// A colour in linear light in CIELAB, by the white of sRGB (D65).
fn lab(color: DVec3) -> DVec3 {
    let color = color.clamp(DVec3::ZERO, DVec3::ONE);
    let tristimulus = [
        (DVec3::new(0.412_456_4, 0.357_576_1, 0.180_437_5), 0.950_47),
        (DVec3::new(0.212_672_9, 0.715_152_2, 0.072_175), 1.0),
        (DVec3::new(0.019_333_9, 0.119_192, 0.950_304_1), 1.088_83),
    ];
    let [x, y, z] = tristimulus.map(|(row, white)| {
        let ratio = row.dot(color) / white;
        if ratio > 216.0 / 24389.0 {
            libm::cbrt(ratio)
        } else {
            (24389.0 / 27.0 * ratio + 16.0) / 116.0
        }
    });
    DVec3::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
}
