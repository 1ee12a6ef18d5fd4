//! The robot's skeleton: its measures in metres, the nodes that clips animate, and rotations.

use glam::{DQuat, DVec3};

/// Left and right, as signs of x.
pub(crate) const SIDES: [f64; 2] = [1.0, -1.0];
/// The position of the hips when both legs are straight.
pub(crate) const HIPS: DVec3 = DVec3::new(0.0, 0.98, 0.0);
/// From the hips to the joint of the left leg.
pub(crate) const LEG: DVec3 = DVec3::new(0.155, -0.04, 0.0);
/// From a thigh's joint down to the knee.
pub(crate) const THIGH: f64 = 0.44;
/// From the knee down to the ankle.
pub(crate) const SHIN: f64 = 0.40;
/// From the shoulder down to the elbow.
pub(crate) const UPPER_ARM: f64 = 0.33;
/// The sole below the ankle: its heel and its toes.
pub(crate) const SOLE: [DVec3; 2] = [DVec3::new(0.0, -0.10, -0.12), DVec3::new(0.0, -0.10, 0.22)];
/// How many joints the tail has.
pub(crate) const TAIL_JOINTS: u16 = 5;
/// The distance between the tail's joints.
pub(crate) const TAIL_STEP: f64 = 0.19;
/// From the hips to the tail's first joint.
pub(crate) const TAIL: DVec3 = DVec3::new(0.0, 0.02, -0.13);
/// How much the mouth smiles at rest.
pub(crate) const REST_SMILE: f32 = 0.2;

/// The nodes that clips animate.
pub(crate) struct Rig {
    pub(crate) hips: usize,
    pub(crate) torso: usize,
    pub(crate) head: usize,
    pub(crate) eyes: [usize; 2],
    pub(crate) mouth: usize,
    pub(crate) antenna: usize,
    pub(crate) upper_arms: [usize; 2],
    pub(crate) forearms: [usize; 2],
    pub(crate) thighs: [usize; 2],
    pub(crate) shins: [usize; 2],
    pub(crate) feet: [usize; 2],
    pub(crate) tail: Vec<usize>,
}

/// A rotation about x: a positive angle moves what hangs down backwards.
pub(crate) fn pitch(angle: f64) -> DQuat {
    rotation(DVec3::X, angle)
}

/// A rotation about an axis of unit length, made with `libm`.
pub(crate) fn rotation(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(angle / 2.0);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}
