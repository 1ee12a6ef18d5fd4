//! The light around a scene: sun, sky, clouds and haze.

use crate::lanes::{LANES, Vec3Lanes, exp, gather, map_lanes, power, smooth_step};
use crate::noise_lanes::visible_fractal;
use crate::scene::unit_or_up;
use crate::tone::tone_map;
use crate::vectorize::vectorize;
use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

/// The sun's direction and the colours of the air, linear light in arbitrary units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Atmosphere {
    /// Unit length, towards the sun.
    pub(crate) to_sun: DVec3,
    /// Metres after which haze hides about two thirds of what lies behind.
    pub(crate) haze_length: f64,
}

/// Light on its way to the camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) light: DVec3,
    /// Metres.
    pub(crate) distance: f64,
    /// From the camera, unit length.
    pub(crate) direction: DVec3,
}

/// Eight of them side by side.
#[derive(Clone, Copy)]
pub(crate) struct WayLanes<S: Simd> {
    pub(crate) light: Vec3Lanes<S>,
    pub(crate) distance: f64x8<S>,
    pub(crate) direction: Vec3Lanes<S>,
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

    /// The light from where a ray along each direction (unit length) hits nothing.
    pub(crate) fn skies(&self, directions: &[DVec3]) -> Vec<DVec3> {
        vectorize!(simd => map_lanes(directions, #[inline(always)] |directions| {
            self.sky(simd, directions)
        }))
    }

    #[inline(always)]
    fn sky<S: Simd>(&self, simd: S, directions: &[DVec3; LANES]) -> Vec3Lanes<S> {
        let color = |color: DVec3| Vec3Lanes::splat(simd, color);
        let direction = Vec3Lanes::gather(simd, directions, |direction| *direction);
        let up = direction.y.max(0.0);
        let lift = 1.0 - (1.0 - up) * (1.0 - up) * (1.0 - up);
        let clear = color(HORIZON).lerp(color(ZENITH), lift);
        let clouded = clear.lerp(color(CLOUD), cloud_cover(direction));
        // Below the horizon, beyond the scene's edge: the ground of a hazy distance.
        let ground = color(HORIZON * 0.62 + FROM_BELOW * 0.5);
        let air = clouded.lerp(ground, smooth_step(0.0, -0.5, direction.y));
        let towards = direction.dot(self.to_sun).max(0.0);
        let one = f64x8::splat(simd, 1.0);
        air + color(GLOW) * (0.32 * power(one, towards, 6) + 0.9 * power(one, towards, 90))
            + color(SUN * 3.0) * smooth_step(0.99965, 0.9998, towards)
    }

    /// The light that a surface receives from the whole sky and from the ground below it.
    pub(crate) fn ambient(&self, normal: DVec3) -> DVec3 {
        let sky = (HORIZON + ZENITH) * 0.42;
        FROM_BELOW.lerp(sky, normal.y * 0.5 + 0.5)
    }

    /// As [`Self::ambient`], for the normal of each lane.
    #[inline(always)]
    pub(crate) fn ambient_lanes<S: Simd>(&self, normal: Vec3Lanes<S>) -> Vec3Lanes<S> {
        let simd = normal.y.simd;
        let sky = Vec3Lanes::splat(simd, (HORIZON + ZENITH) * 0.42);
        Vec3Lanes::splat(simd, FROM_BELOW).lerp(sky, normal.y * 0.5 + 0.5)
    }

    /// What lights become on their ways through haze: aerial perspective.
    pub(crate) fn attenuate(&self, ways: &[Way]) -> Vec<DVec3> {
        vectorize!(simd => map_lanes(ways, #[inline(always)] |ways| {
            self.attenuated(WayLanes::gather(simd, ways))
        }))
    }

    /// As [`Self::attenuate`], tone-mapped: what a picture shows of lights.
    pub(crate) fn colors(&self, ways: &[Way]) -> Vec<DVec3> {
        vectorize!(simd => map_lanes(ways, #[inline(always)] |ways| {
            self.color(WayLanes::gather(simd, ways))
        }))
    }

    /// What a picture shows where a ray along each direction (unit length) hits nothing.
    pub(crate) fn sky_colors(&self, directions: &[DVec3]) -> Vec<DVec3> {
        vectorize!(simd => map_lanes(directions, #[inline(always)] |directions| {
            self.color(WayLanes {
                light: self.sky(simd, directions),
                distance: f64x8::splat(simd, 0.0),
                direction: Vec3Lanes::gather(simd, directions, |direction| *direction),
            })
        }))
    }

    /// What a picture shows of lights.
    #[inline(always)]
    pub(crate) fn color<S: Simd>(&self, way: WayLanes<S>) -> Vec3Lanes<S> {
        tone_map(self.attenuated(way))
    }

    #[inline(always)]
    fn attenuated<S: Simd>(&self, way: WayLanes<S>) -> Vec3Lanes<S> {
        let simd = way.distance.simd;
        let color = |color: DVec3| Vec3Lanes::splat(simd, color);
        let depth = -way.distance / self.haze_length;
        // What is left beyond this depth is no part of 1 in f64.
        let hidden = 1.0 - exp(depth.max(-64.0));
        let towards = way.direction.dot(self.to_sun).max(0.0);
        let haze =
            color(HORIZON * 0.86) + color(GLOW * 0.25) * power(f64x8::splat(simd, 1.0), towards, 5);
        way.light.lerp(haze, hidden)
    }
}

impl<S: Simd> WayLanes<S> {
    #[inline(always)]
    fn gather(simd: S, ways: &[Way; LANES]) -> Self {
        Self {
            light: Vec3Lanes::gather(simd, ways, |way| way.light),
            distance: gather(simd, ways, |way| way.distance),
            direction: Vec3Lanes::gather(simd, ways, |way| way.direction),
        }
    }
}

/// The fraction of the sky in a direction that is cloud: a flat layer of noise, thinner at the
/// horizon.
#[inline(always)]
fn cloud_cover<S: Simd>(direction: Vec3Lanes<S>) -> f64x8<S> {
    let Vec3Lanes { x, y, z } = direction;
    let none = f64x8::splat(y.simd, 0.0);
    let is_above = y.simd_ge(0.02);
    if is_above.all_false() {
        return none;
    }
    let far = y + 0.12;
    let at = [x / far * 0.9 + 3.1, z / far * 1.6 + 0.4];
    let wisps = visible_fractal(at, 6, 0xc10d, none);
    let cover = 0.82 * smooth_step(0.02, 0.42, wisps) * smooth_step(0.02, 0.22, y);
    is_above.select(cover, none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{self, fractal};
    use glam::DVec2;

    fn directions() -> Vec<DVec3> {
        let around = (0..20_003_u32).map(|step| {
            let turn = f64::from(step) * 0.7;
            let y = f64::from(step) / 10_000.0 - 1.0;
            unit_or_up(DVec3::new(libm::cos(turn), y, libm::sin(turn)))
        });
        around.collect()
    }

    fn bits(lights: &[DVec3]) -> Vec<[u64; 3]> {
        let bits = |light: &DVec3| light.to_array().map(f64::to_bits);
        lights.iter().map(bits).collect()
    }

    #[test]
    fn the_sky_is_finite_and_brightest_at_the_sun() {
        let air = Atmosphere::afternoon(100.0, 0.0);
        let sun = air.skies(&[air.to_sun])[0];
        let around = (0..500_u32).map(|step| {
            let turn = f64::from(step) * 0.7;
            let y = f64::from(step) / 250.0 - 1.0;
            unit_or_up(DVec3::new(libm::cos(turn), y, libm::sin(turn)))
        });
        for light in air.skies(&around.collect::<Vec<_>>()) {
            assert!(light.is_finite() && light.min_element() >= 0.0);
            assert!(light.element_sum() <= sun.element_sum());
        }
    }

    #[test]
    fn haze_hides_more_with_distance() {
        let air = Atmosphere::afternoon(100.0, 0.0);
        let seen = |distance| {
            let way = Way {
                light: DVec3::ZERO,
                distance,
                direction: DVec3::X,
            };
            air.attenuate(&[way])[0].y
        };
        assert_eq!(seen(0.0), 0.0);
        assert!(seen(10.0) < seen(100.0) && seen(100.0) < seen(1e9));
    }

    #[test]
    fn eight_lights_have_the_bits_of_one() {
        let air = Atmosphere::afternoon(100.0, 0.0);
        let mut directions = directions();
        let to_sun = air.to_sun;
        directions.extend((0..999_u32).map(|step| {
            unit_or_up(to_sun + DVec3::new(0.03, -0.01, 0.02) * (f64::from(step) / 999.0))
        }));
        directions.extend(
            [0.02, -0.12, 0.22, 0.0, -0.0, 1.0]
                .map(|y: f64| DVec3::new((1.0 - y * y).sqrt(), y, 0.0)),
        );
        let expected: Vec<DVec3> = directions.iter().map(|at| sky(&air, *at)).collect();
        assert!(bits(&air.skies(&directions)) == bits(&expected));

        let ways = directions.iter().enumerate().map(|(step, direction)| Way {
            light: expected[step],
            distance: step as f64 * 0.3,
            direction: *direction,
        });
        let ways: Vec<Way> = ways.collect();
        let expected: Vec<DVec3> = ways.iter().map(|way| attenuated(&air, way)).collect();
        assert!(bits(&air.attenuate(&ways)) == bits(&expected));
    }

    fn power(x: f64, exponent: u32) -> f64 {
        let squares = std::iter::successors(Some(x), |square| Some(square * square));
        let used = squares.take(8).enumerate();
        let used = used.filter(|(place, _)| exponent >> place & 1 == 1);
        used.fold(1.0, |product, (_, square)| product * square)
    }

    /// The plain formulas.
    fn sky(air: &Atmosphere, direction: DVec3) -> DVec3 {
        let up = direction.y.max(0.0);
        let lift = 1.0 - (1.0 - up) * (1.0 - up) * (1.0 - up);
        let clear = HORIZON.lerp(ZENITH, lift);
        let clouded = clear.lerp(CLOUD, clouds(direction));
        let ground = HORIZON * 0.62 + FROM_BELOW * 0.5;
        let air_light = clouded.lerp(ground, noise::smooth_step(0.0, -0.5, direction.y));
        let towards = direction.dot(air.to_sun).max(0.0);
        air_light
            + GLOW * (0.32 * power(towards, 6) + 0.9 * power(towards, 90))
            + SUN * 3.0 * noise::smooth_step(0.99965, 0.9998, towards)
    }

    fn clouds(direction: DVec3) -> f64 {
        if direction.y < 0.02 {
            return 0.0;
        }
        let point = DVec2::new(direction.x, direction.z) / (direction.y + 0.12);
        let at = point * DVec2::new(0.9, 1.6) + DVec2::new(3.1, 0.4);
        let wisps = fractal(at, 6, 0xc10d);
        let thinner = noise::smooth_step(0.02, 0.22, direction.y);
        0.82 * noise::smooth_step(0.02, 0.42, wisps) * thinner
    }

    fn attenuated(air: &Atmosphere, way: &Way) -> DVec3 {
        let hidden = 1.0 - libm::exp(-way.distance / air.haze_length);
        let towards = way.direction.dot(air.to_sun).max(0.0);
        let haze = HORIZON * 0.86 + GLOW * 0.25 * power(towards, 5);
        way.light.lerp(haze, hidden)
    }
}
