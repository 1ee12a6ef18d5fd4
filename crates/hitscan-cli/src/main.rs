//! The program `hitscan`.
fn main() {}
