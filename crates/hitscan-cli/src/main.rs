//! The program `hitscan`.

mod demo;
mod picture;

fn main() {}
