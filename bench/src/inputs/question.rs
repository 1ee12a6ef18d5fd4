//! Rays of the bench, aimed without rounding.

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
    pub fn incoherent(questions: impl Iterator<Item = Question>) -> Self {
        Self {
            questions: questions.collect(),
            are_coherent: false,
        }
    }

    pub fn coherent(questions: impl Iterator<Item = Question>) -> Self {
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
pub fn on_grid(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}
