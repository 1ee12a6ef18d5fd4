//! The robot's clips "Walk" and "Wave".
//!
//! Angles are sums of sines, sampled at even times; the hips are so high that the lower foot touches
//! the ground. Every kind of interpolation is used: LINEAR for rotations and the smile, STEP for
//! blinking, CUBICSPLINE for the height of the hips.

use crate::glb::{Accessor, Glb, Interpolation, Path, Track};
use crate::skeleton::{HIPS, LEG, REST_SMILE, Rig, SHIN, SIDES, SOLE, THIGH, pitch, rotation};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// How many equal steps a clip's keys divide it into.
const STEPS: u16 = 16;
/// Seconds of one walking cycle, two paces.
pub(crate) const WALK_SECS: f64 = 1.0;
/// Seconds of the waving clip.
pub(crate) const WAVE_SECS: f64 = 2.0;

/// Adds both clips to the file.
pub(crate) fn add_clips(file: &mut Glb, rig: &Rig) {
    add_walk(file, rig);
    add_wave(file, rig);
}

/// The rotation of a joint of the tail at rest: drooping at first, then curling up.
pub(crate) fn tail_at_rest(joint: u16) -> DQuat {
    pitch(if joint == 0 { -0.55 } else { 0.30 })
}

/// The angles of a leg, thigh, knee and ankle, by the phase of its cycle.
fn leg(cycle: f64) -> [f64; 3] {
    let forward = 0.46 * libm::sin(cycle);
    let lifted = libm::cos(cycle + 0.35).max(0.0);
    let knee = 0.10 + 0.95 * lifted * lifted;
    // The sole stays nearly level, and the toes point up as the heel comes down.
    let ankle = 0.9 * (forward - knee) - 0.10 * libm::sin(cycle).max(0.0);
    [-forward, knee, ankle]
}

/// The height of the hips at which the lower foot touches the ground.
fn hip_height(cycle: f64) -> f64 {
    let lowest = |cycle: f64| {
        let [thigh, knee, ankle] = leg(cycle).map(pitch);
        let to_ankle = DVec3::new(0.0, -SHIN, 0.0);
        SOLE.map(|sole| {
            let foot = to_ankle + ankle * sole;
            (thigh * (DVec3::new(0.0, -THIGH, 0.0) + knee * foot)).y
        })
        .into_iter()
        .fold(f64::INFINITY, f64::min)
    };
    -lowest(cycle).min(lowest(cycle + TAU / 2.0)) - LEG.y
}

fn add_walk(file: &mut Glb, rig: &Rig) {
    let keys = Keys::even(file, WALK_SECS);
    let mut tracks = Vec::new();
    for (index, side) in SIDES.into_iter().enumerate() {
        let offset = if side > 0.0 { 0.0 } else { TAU / 2.0 };
        let bend = |which: usize| move |phase: f64| pitch(leg(TAU * phase + offset)[which]);
        tracks.push(keys.rotations(rig.thighs[index], bend(0)));
        tracks.push(keys.rotations(rig.shins[index], bend(1)));
        tracks.push(keys.rotations(rig.feet[index], bend(2)));
        // Arms swing against the legs.
        tracks.push(keys.rotations(rig.upper_arms[index], move |phase| {
            let swing = libm::sin(TAU * phase + offset);
            rotation(DVec3::Z, side * 0.13) * pitch(0.05 + 0.52 * swing)
        }));
        tracks.push(keys.rotations(rig.forearms[index], move |phase| {
            let swing = libm::sin(TAU * phase + offset);
            pitch(-0.50 + 0.28 * swing)
        }));
    }
    let sway =
        |strength: f64| move |phase: f64| rotation(DVec3::Y, strength * libm::sin(TAU * phase));
    tracks.push(keys.rotations(rig.torso, move |phase| sway(-0.13)(phase) * pitch(0.05)));
    tracks.push(keys.rotations(rig.head, sway(0.10)));
    tracks.push(keys.rotations(rig.antenna, |phase| {
        pitch(0.16 * libm::sin(2.0 * TAU * phase - 0.6))
    }));
    for (joint, &node) in (0..).zip(&rig.tail) {
        tracks.push(keys.rotations(node, move |phase| {
            let lag = 0.75 * f64::from(joint);
            let swing = 0.26 * libm::sin(TAU * phase - lag);
            rotation(DVec3::Y, swing) * tail_at_rest(joint)
        }));
    }
    tracks.push(keys.heights(rig.hips, |phase| hip_height(TAU * phase)));
    tracks.extend(blink(file, rig, WALK_SECS * 0.7));
    file.clip("Walk", &tracks);
}

fn add_wave(file: &mut Glb, rig: &Rig) {
    let keys = Keys::even(file, WAVE_SECS);
    // The arm rises in the first quarter, waves, and sinks in the last.
    let raised = |phase: f64| {
        let ramp = (phase.min(1.0 - phase) * 4.0).min(1.0);
        ramp * ramp * (3.0 - 2.0 * ramp)
    };
    let [left_arm, right_arm] = rig.upper_arms;
    let [left_forearm, right_forearm] = rig.forearms;
    let mut tracks = vec![
        keys.rotations(right_arm, move |phase| {
            rotation(DVec3::Z, -0.13 - 1.9 * raised(phase))
        }),
        keys.rotations(right_forearm, move |phase| {
            let swing = 0.42 * libm::sin(3.0 * TAU * phase);
            rotation(DVec3::Z, raised(phase) * (swing - 0.75)) * pitch(-0.15)
        }),
        keys.rotations(left_arm, |_| rotation(DVec3::Z, 0.15)),
        keys.rotations(left_forearm, |_| pitch(-0.22)),
        keys.rotations(rig.head, move |phase| {
            rotation(DVec3::Z, 0.16 * raised(phase)) * rotation(DVec3::Y, -0.2 * raised(phase))
        }),
        keys.rotations(rig.torso, move |phase| {
            rotation(DVec3::Z, 0.05 * raised(phase))
        }),
    ];
    for (joint, &node) in (0..).zip(&rig.tail) {
        tracks.push(keys.rotations(node, move |phase| {
            let swing = 0.34 * libm::sin(2.0 * TAU * phase - 0.6 * f64::from(joint));
            rotation(DVec3::Y, swing) * tail_at_rest(joint)
        }));
    }
    tracks.push(Track {
        node: rig.mouth,
        path: Path::Weights,
        interpolation: Interpolation::Linear,
        times: keys.times,
        values: keys
            .sample(|phase| REST_SMILE + (1.0 - REST_SMILE) * narrow(raised(phase)))
            .collect(),
    });
    tracks.push(keys.heights(rig.hips, |phase| {
        HIPS.y - 0.006 * (1.0 - libm::cos(2.0 * TAU * phase))
    }));
    tracks.extend(blink(file, rig, WAVE_SECS * 0.45));
    file.clip("Wave", &tracks);
}

/// Both eyes shut for a tenth of a second at `at_secs`.
fn blink(file: &mut Glb, rig: &Rig, at_secs: f64) -> [Track; 2] {
    let times = file.times(&[0.0, narrow(at_secs), narrow(at_secs + 0.1)]);
    rig.eyes.map(|node| Track {
        node,
        path: Path::Scale,
        interpolation: Interpolation::Step,
        times,
        values: vec![1.0, 1.0, 1.0, 1.0, 0.15, 1.0, 1.0, 1.0, 1.0],
    })
}

/// Key times at even steps from 0 to a clip's end, both included.
struct Keys {
    times: Accessor,
    step_secs: f64,
}

impl Keys {
    fn even(file: &mut Glb, secs: f64) -> Self {
        let step_secs = secs / f64::from(STEPS);
        let times: Vec<f32> = (0..=STEPS)
            .map(|step| narrow(f64::from(step) * step_secs))
            .collect();
        Self {
            times: file.times(&times),
            step_secs,
        }
    }

    /// The values of `motion` at the keys; its argument is the fraction of the clip, from 0 to 1.
    fn sample<T>(&self, motion: impl Fn(f64) -> T) -> impl Iterator<Item = T> {
        (0..=STEPS).map(move |step| motion(f64::from(step) / f64::from(STEPS)))
    }

    fn rotations(&self, node: usize, motion: impl Fn(f64) -> DQuat) -> Track {
        Track {
            node,
            path: Path::Rotation,
            interpolation: Interpolation::Linear,
            times: self.times,
            values: self
                .sample(motion)
                .flat_map(|rotation| rotation.as_quat().to_array())
                .collect(),
        }
    }

    /// A cubic spline through the heights of a cycle, its tangents from the keys beside.
    fn heights(&self, node: usize, height: impl Fn(f64) -> f64) -> Track {
        let step = 1.0 / f64::from(STEPS);
        let key = |phase: f64| {
            let tangent = (height(phase + step) - height(phase - step)) / (2.0 * self.step_secs);
            let tangent = [0.0, narrow(tangent), 0.0];
            [tangent, [0.0, narrow(height(phase)), 0.0], tangent]
        };
        Track {
            node,
            path: Path::Translation,
            interpolation: Interpolation::CubicSpline,
            times: self.times,
            values: self.sample(key).flatten().flatten().collect(),
        }
    }
}

/// A value as the file stores it.
fn narrow(value: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
    let stored = value as f32;
    stored
}

#[cfg(test)]
mod tests {
    use crate::robot_glb;
    use hitscan::Model;
    use hitscan::World;
    use hitscan::glam::{DAffine3, Vec3};
    use hitscan_assets::{ModelOptions, read_model_bytes};
    use std::sync::Arc;

    /// The boxes around the robot at even times of a clip.
    fn boxes(clip: &str, secs: f64) -> Vec<(Vec3, Vec3)> {
        let path = "robot.glb".as_ref();
        let file = read_model_bytes(path, &robot_glb(), &ModelOptions::default());
        let model = Arc::new(Model::new(file.unwrap().data).unwrap());
        let clip = model.find_clip(clip).unwrap();
        assert!((model.clips()[clip].end_secs() - secs).abs() < 1e-6);
        (0..=50_u8)
            .map(|step| {
                let pose = model.pose_at(clip, secs * f64::from(step) / 50.0).unwrap();
                let mut world = World::new();
                world.add_model(&model, &pose, DAffine3::IDENTITY).unwrap();
                world.update();
                let bounds = world.now().bounds().unwrap();
                (bounds.min(), bounds.max())
            })
            .collect()
    }

    #[test]
    fn the_feet_stay_on_the_ground_while_walking() {
        for (min, max) in boxes("Walk", super::WALK_SECS) {
            assert!(min.y.abs() < 0.01, "the lower foot is at {}", min.y);
            assert!((1.9..2.3).contains(&max.y), "the top is at {}", max.y);
        }
    }

    #[test]
    fn waving_raises_a_hand_above_the_shoulders() {
        let boxes = boxes("Wave", super::WAVE_SECS);
        let (start, middle) = (boxes[0], boxes[25]);
        // The right hand reaches out to -x.
        assert!(middle.0.x < start.0.x - 0.2);
        assert!(boxes.iter().all(|(min, _)| min.y.abs() < 0.02));
    }
}
