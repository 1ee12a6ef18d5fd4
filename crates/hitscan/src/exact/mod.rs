//! Exact arithmetic: what decides between two answers.
//!
//! Expansions of f64, quotients that compare exactly, formulas that are evaluated in f64 with an error
//! bound first and exactly where the bound does not decide, and exact values rounded once.

pub(crate) mod extremes;
pub(crate) mod big_float;
pub(crate) mod expansion;
pub(crate) mod vector;
pub(crate) mod adaptive;
pub(crate) mod ratio;
pub(crate) mod times;
pub(crate) mod rounding;
pub(crate) mod quadratic_root;
