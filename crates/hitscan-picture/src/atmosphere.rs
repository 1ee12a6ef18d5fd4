//! The light around a scene: sun, sky, clouds and haze.

use crate::noise::{fractal, smooth_step};
use crate::scene::unit_or_up;
use glam::{DVec2, DVec3};

/// The sun's direction and the colours of the air, linear light in arbitrary units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Atmosphere {
    /// Unit length, towards the sun.
    pub(crate) to_sun: DVec3,
    /// Metres after which haze hides about two thirds of what lies behind.
    pub(crate) haze_length: f64,
}

/// The sun's light on a surface that faces it.
pub(crate) const SUN: DVec3 = DVec3::new(3.5, 3.05, 2.4);
const ZENITH: DVec3 = DVec3::new(0.10, 0.25, 0.62);
const HORIZON: DVec3 = DVec3::new(0.62, 0.76, 0.92);
const GLOW: DVec3 = DVec3::new(1.0, 0.78, 0.48);
const CLOUD: DVec3 = DVec3::new(1.15, 1.12, 1.08);
const FROM_BELOW: DVec3 = DVec3::new(0.13, 0.13, 0.10);

impl Atmosphere {
    /// A sunny afternoon over a scene whose bounds have this diagonal, metres, seen from
    /// `distance` metres outside its bounds.
    pub(crate) fn afternoon(diagonal: f64, distance: f64) -> Self {
        Self {
            to_sun: unit_or_up(DVec3::new(-0.66, 0.52, 0.34)),
            haze_length: (diagonal * 2.2 + distance * 12.0).max(f64::MIN_POSITIVE),
        }
    }

    /// The light from where a ray along `direction` (unit length) hits nothing.
    pub(crate) fn sky(&self, direction: DVec3) -> DVec3 {
        let up = direction.y.max(0.0);
        let lift = 1.0 - (1.0 - up) * (1.0 - up) * (1.0 - up);
        let clear = HORIZON.lerp(ZENITH, lift);
        let clouded = clear.lerp(CLOUD, cloud_cover(direction));
        // Below the horizon, beyond the scene's edge: the ground of a hazy distance.
        let ground = HORIZON * 0.62 + FROM_BELOW * 0.5;
        let air = clouded.lerp(ground, smooth_step(0.0, -0.5, direction.y));
        let towards = direction.dot(self.to_sun).max(0.0);
        air + GLOW * (0.32 * power(towards, 6) + 0.9 * power(towards, 90))
            + SUN * 3.0 * smooth_step(0.99965, 0.9998, towards)
    }

    /// The light that a surface receives from the whole sky and from the ground below it.
    pub(crate) fn ambient(&self, normal: DVec3) -> DVec3 {
        let sky = (HORIZON + ZENITH) * 0.42;
        FROM_BELOW.lerp(sky, normal.y * 0.5 + 0.5)
    }

    /// `color` after `distance` metres of haze along `direction`: aerial perspective.
    pub(crate) fn attenuate(&self, color: DVec3, distance: f64, direction: DVec3) -> DVec3 {
        let hidden = 1.0 - libm::exp(-distance / self.haze_length);
        let towards = direction.dot(self.to_sun).max(0.0);
        let haze = HORIZON * 0.86 + GLOW * 0.25 * power(towards, 5);
        color.lerp(haze, hidden)
    }
}

/// `x` to a whole power, by squares.
pub(crate) fn power(x: f64, exponent: u32) -> f64 {
    let (mut product, mut square, mut rest) = (1.0, x, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            product *= square;
        }
        square *= square;
        rest >>= 1;
    }
    product
}

/// The fraction of the sky in a direction that is cloud: a flat layer of noise, thinner at the
/// horizon.
fn cloud_cover(direction: DVec3) -> f64 {
    if direction.y < 0.02 {
        return 0.0;
    }
    let point = DVec2::new(direction.x, direction.z) / (direction.y + 0.12);
    let wisps = fractal(
        point * DVec2::new(0.9, 1.6) + DVec2::new(3.1, 0.4),
        6,
        0xc10d,
    );
    0.82 * smooth_step(0.02, 0.42, wisps) * smooth_step(0.02, 0.22, direction.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sky_is_finite_and_brightest_at_the_sun() {
        let air = Atmosphere::afternoon(100.0, 0.0);
        let sun = air.sky(air.to_sun);
        for step in 0..500_u32 {
            let turn = f64::from(step) * 0.7;
            let y = f64::from(step) / 250.0 - 1.0;
            let direction = unit_or_up(DVec3::new(libm::cos(turn), y, libm::sin(turn)));
            let light = air.sky(direction);
            assert!(light.is_finite() && light.min_element() >= 0.0);
            assert!(light.element_sum() <= sun.element_sum());
        }
    }

    #[test]
    fn haze_hides_more_with_distance() {
        let air = Atmosphere::afternoon(100.0, 0.0);
        let seen = |distance| air.attenuate(DVec3::ZERO, distance, DVec3::X).y;
        assert_eq!(seen(0.0), 0.0);
        assert!(seen(10.0) < seen(100.0) && seen(100.0) < seen(1e9));
    }
}
