//! Frames of a turning camera, each with the view and the scale that it was cast at.

use glam::DVec3;
use serde_json::{Value, json};

/// A frame, enough to cast its rays again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) eye: DVec3,
    pub(crate) look: DVec3,
    /// Degrees from the lower to the upper edge.
    pub(crate) fov: f64,
    pub(crate) size: [u32; 2],
    /// The number of rays a side that one pixel represents.
    pub(crate) scale: u32,
    /// How many rays the program says it cast for it.
    pub(crate) rays: u64,
}

/// Frames in order, and how long they took together.
#[derive(Debug, Clone)]
pub(crate) struct Turned {
    pub(crate) frames: Vec<Frame>,
    pub(crate) seconds: f64,
}

impl Frame {
    pub(crate) fn to_json(self) -> Value {
        json!({
            "eye": self.eye.to_array(), "look": self.look.to_array(), "fov": self.fov,
            "size": self.size, "scale": self.scale, "rays": self.rays,
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let point = |point: &Value| {
            let axis = |index: usize| point[index].as_f64();
            Some(DVec3::new(axis(0)?, axis(1)?, axis(2)?))
        };
        Some(Self {
            eye: point(&value["eye"])?,
            look: point(&value["look"])?,
            fov: value["fov"].as_f64()?,
            size: [number(&value["size"][0])?, number(&value["size"][1])?],
            scale: number(&value["scale"])?,
            rays: value["rays"].as_u64()?,
        })
    }
}

impl Turned {
    pub(crate) fn rays(&self) -> u64 {
        self.frames.iter().map(|frame| frame.rays).sum()
    }

    pub(crate) fn rays_a_second(&self) -> f64 {
        self.rays() as f64 / self.seconds
    }

    pub(crate) fn frames_a_second(&self) -> f64 {
        self.frames.len() as f64 / self.seconds
    }

    /// The mean of the frames' scales.
    pub(crate) fn scale(&self) -> f64 {
        let sum: u32 = self.frames.iter().map(|frame| frame.scale).sum();
        f64::from(sum) / self.frames.len() as f64
    }
}
