//! Tests behind the table of peers in the plugin's README.

mod peer;
mod characters;
mod meshes;
mod edges;
mod many_hits;
mod ground;
mod order;
