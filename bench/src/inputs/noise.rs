//! Value noise: random values at lattice points, smoothly interpolated.

use crate::random::mix;

/// The value of a lattice point, uniform in [0, 1).
pub fn lattice(seed: u64, point: [i64; 3]) -> f64 {
    let bits = point
        .into_iter()
        .fold(mix(seed), |bits, coordinate| mix(bits ^ coordinate as u64));
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The weight of the upper lattice point: 6t⁵ - 15t⁴ + 10t³ (Perlin, "Improving Noise", 2002).
pub fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

pub fn blend(low: f64, high: f64, weight: f64) -> f64 {
    low + (high - low) * weight
}

/// Value noise in space, in [0, 1).
pub fn space(seed: u64, place: [f64; 3]) -> f64 {
    let base = place.map(f64::floor);
    let weight = [0, 1, 2].map(|axis| fade(place[axis] - base[axis]));
    let [x, y, z] = base.map(|coordinate| coordinate as i64);
    let along_x = |dy: i64, dz: i64| {
        let at = |dx: i64| lattice(seed, [x + dx, y + dy, z + dz]);
        blend(at(0), at(1), weight[0])
    };
    let along_y = |dz: i64| blend(along_x(0, dz), along_x(1, dz), weight[1]);
    blend(along_y(0), along_y(1), weight[2])
}
