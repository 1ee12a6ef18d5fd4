//! The workloads' inputs, made from fixed seeds by plain f64 arithmetic, so that they are the same
//! on every machine.

mod terrain;
mod terrain_rays;
mod mesh;
mod mesh_rays;
mod noise;
pub mod crowd;
mod character;
pub mod characters;
pub mod ties;
pub mod moves;
mod flight;
pub mod arcs;

pub use flight::Flight;
pub use mesh::Mesh;
pub use mesh_rays::{around, camera, from_inside};
pub use terrain::Terrain;
pub use terrain_rays::{down, down_in_lines, grazing, places, places_in_lines, slanted, uniform};

use std::ops::Deref;

/// A ray from t = 0 to `t_max`. C peers read it as it is: `native/questions.h`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Question {
    pub origin: [f32; 3],
    pub direction: [f32; 3],
    pub t_max: f32,
}

/// Rays that are cast together.
pub struct Rays {
    pub questions: Vec<Question>,
    /// Whether neighbours in the list are neighbours in space, as packets want them.
    pub are_coherent: bool,
}

impl Rays {
    fn incoherent(questions: impl Iterator<Item = Question>) -> Self {
        Self {
            questions: questions.collect(),
            are_coherent: false,
        }
    }

    fn coherent(questions: impl Iterator<Item = Question>) -> Self {
        Self {
            questions: questions.collect(),
            are_coherent: true,
        }
    }
}

impl Deref for Rays {
    type Target = [Question];

    fn deref(&self) -> &[Question] {
        &self.questions
    }
}

/// f64 rounded to the multiple of `1 / parts`, which f32 then holds exactly.
fn on_grid(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}
