//! The shapes of the robot's parts, each in its own node's space.
//!
//! All are closed solids. The nodes' transforms are in `skeleton.rs` and `robot.rs`.

use crate::skeleton::{SHIN, SOLE, THIGH, UPPER_ARM};
use crate::solid::{Along, Outline, Ring, Solid};
use glam::DVec3;

/// A round section.
fn disc(center: DVec3, radius: f64) -> Ring {
    Ring {
        center,
        half: [radius, radius],
    }
}

/// A round tube around the y axis through (height, radius) from below.
fn tube(profile: &[(f64, f64)]) -> Solid {
    let rings: Vec<Ring> = profile
        .iter()
        .map(|&(y, radius)| disc(DVec3::Y * y, radius))
        .collect();
    Solid::loft(Along::Y, Outline::Round(8), &rings)
}

/// A loft around the y axis through (height, half depth, half width) from below, chamfered.
fn hull(cut: f64, profile: &[(f64, f64, f64)]) -> Solid {
    let rings: Vec<Ring> = profile
        .iter()
        .map(|&(y, depth, width)| Ring {
            center: DVec3::Y * y,
            half: [depth, width],
        })
        .collect();
    Solid::loft(Along::Y, Outline::Chamfered(cut), &rings)
}

pub(super) fn pelvis() -> Solid {
    hull(
        0.4,
        &[
            (-0.12, 0.06, 0.07),
            (-0.06, 0.11, 0.13),
            (0.03, 0.12, 0.16),
            (0.07, 0.09, 0.13),
        ],
    )
    .with(tube(&[(0.05, 0.085), (0.12, 0.085)]))
}

pub(super) fn trunk() -> Solid {
    hull(
        0.36,
        &[
            (0.0, 0.09, 0.12),
            (0.05, 0.125, 0.165),
            (0.28, 0.165, 0.235),
            (0.44, 0.17, 0.265),
            (0.50, 0.145, 0.24),
            (0.535, 0.09, 0.15),
        ],
    )
    .with(tube(&[(0.52, 0.07), (0.60, 0.06)]))
}

pub(super) fn skull() -> Solid {
    let ears = [-0.20, 0.16].map(|x| {
        let ear = |x: f64, radius: f64| disc(DVec3::new(x, 0.21, 0.0), radius);
        Solid::loft(
            Along::X,
            Outline::Round(8),
            &[ear(x, 0.05), ear(x + 0.04, 0.05)],
        )
    });
    let [right, left] = ears;
    hull(
        0.3,
        &[
            (0.03, 0.09, 0.10),
            (0.07, 0.135, 0.15),
            (0.20, 0.15, 0.175),
            (0.32, 0.14, 0.165),
            (0.37, 0.095, 0.115),
        ],
    )
    .with(left)
    .with(right)
}

/// A straight bar across the face; its morph target bends the ends up.
pub(super) fn lips() -> Solid {
    let rings: Vec<Ring> = (-3..=3_i8)
        .map(|step| {
            let x = f64::from(step) * 0.024;
            let thick = if step.abs() == 3 { 0.005 } else { 0.010 };
            disc(DVec3::new(x, 0.0, 0.0), thick)
        })
        .collect();
    Solid::loft(Along::X, Outline::Round(6), &rings)
}

/// How the smile moves each point of the lips: the ends up, the middle a little down.
pub(super) fn smile(lips: &Solid) -> Vec<DVec3> {
    lips.positions
        .iter()
        .map(|p| DVec3::new(0.25 * p.x, 5.0 * p.x * p.x - 0.012, 0.0))
        .collect()
}

/// The lamp on the chest.
pub(super) fn core() -> Solid {
    lamp(&[(-0.02, 0.085), (0.025, 0.085), (0.045, 0.06)])
}

pub(super) fn eye() -> Solid {
    lamp(&[(-0.02, 0.04), (0.008, 0.04), (0.018, 0.022)])
}

/// A disc that faces +z, through (z, radius).
fn lamp(profile: &[(f64, f64)]) -> Solid {
    let rings: Vec<Ring> = profile
        .iter()
        .map(|&(z, radius)| disc(DVec3::Z * z, radius))
        .collect();
    Solid::loft(Along::Z, Outline::Round(10), &rings)
}

/// The dark glass behind the eyes.
pub(super) fn visor() -> Solid {
    let (min, max) = ([-0.145, 0.10, 0.10], [0.145, 0.31, 0.172]);
    Solid::bevelled_box(min.into(), max.into(), 0.03)
}

/// A thin mast with a ball.
pub(super) fn antenna() -> Solid {
    let mast = [disc(DVec3::ZERO, 0.012), disc(DVec3::Y * 0.17, 0.008)];
    Solid::loft(Along::Y, Outline::Round(6), &mast).with(Solid::ball(DVec3::Y * 0.185, 0.03, 8))
}

/// From the shoulder's ball down to the elbow.
pub(super) fn upper_arm() -> Solid {
    Solid::ball(DVec3::ZERO, 0.088, 8).with(tube(&[
        (-UPPER_ARM, 0.045),
        (-0.30, 0.055),
        (-0.05, 0.06),
        (0.0, 0.05),
    ]))
}

/// From the elbow down, with a hand and a thumb.
pub(super) fn forearm() -> Solid {
    let hand = ([-0.032, -0.42, -0.05], [0.032, -0.29, 0.05]);
    let thumb = ([-0.018, -0.385, 0.045], [0.018, -0.31, 0.082]);
    tube(&[
        (-0.30, 0.05),
        (-0.27, 0.066),
        (-0.10, 0.058),
        (0.03, 0.056),
        (0.05, 0.035),
    ])
    .with(Solid::bevelled_box(hand.0.into(), hand.1.into(), 0.016))
    .with(Solid::bevelled_box(thumb.0.into(), thumb.1.into(), 0.01))
}

/// From the hip's ball down to the knee.
pub(super) fn thigh() -> Solid {
    Solid::ball(DVec3::ZERO, 0.098, 8).with(tube(&[
        (-THIGH, 0.055),
        (-THIGH + 0.05, 0.07),
        (-0.10, 0.092),
        (-0.02, 0.08),
    ]))
}

/// From the knee's hinge down to the ankle.
pub(super) fn shin() -> Solid {
    let hinge = [-0.075, 0.075].map(|x| disc(DVec3::X * x, 0.066));
    Solid::loft(Along::X, Outline::Round(8), &hinge).with(tube(&[
        (-SHIN, 0.05),
        (-SHIN + 0.05, 0.058),
        (-0.16, 0.085),
        (-0.04, 0.074),
        (0.0, 0.05),
    ]))
}

/// A sole under a ball at the ankle.
pub(super) fn foot() -> Solid {
    let [heel, toe] = SOLE;
    let min = DVec3::new(-0.075, heel.y, heel.z);
    let max = DVec3::new(0.075, -0.03, toe.z);
    Solid::bevelled_box(min, max, 0.03).with(Solid::ball(DVec3::ZERO, 0.064, 8))
}

/// A tube from `start` straight along -z, thinner backwards, with a swelling near its tip.
pub(super) fn tail(start: DVec3, length: f64) -> Solid {
    let sections = 16_u16;
    let rings: Vec<Ring> = (0..=sections)
        .map(|section| {
            let along = 1.0 - f64::from(section) / f64::from(sections);
            let swelling = 1.9 * (along - 0.72).max(0.0) * (1.0 - along);
            let radius = 0.066 * (1.0 - 0.72 * along) + swelling;
            disc(start - DVec3::Z * (along * length), radius)
        })
        .collect();
    Solid::loft(Along::Z, Outline::Round(8), &rings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::tests::check_closed;

    #[test]
    fn every_part_is_closed_and_wound_outward() {
        let parts = [
            pelvis(),
            trunk(),
            skull(),
            core(),
            eye(),
            visor(),
            antenna(),
            upper_arm(),
            forearm(),
            thigh(),
            shin(),
            foot(),
            tail(DVec3::ZERO, 1.0),
        ];
        for part in &parts {
            check_closed(part);
        }
        let mut smiling = lips();
        check_closed(&smiling);
        let displacements = smile(&smiling);
        for (position, displacement) in smiling.positions.iter_mut().zip(displacements) {
            *position += displacement;
        }
        check_closed(&smiling);
    }
}
