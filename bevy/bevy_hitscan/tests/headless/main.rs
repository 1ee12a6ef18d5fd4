//! The plugin in apps without a window, a renderer or a GPU.

mod stage;
mod warnings;
mod characters;
mod sync;
mod meshes;
mod skins;
mod skin_oracle;
mod morphs;
mod faults;
mod colliders;
mod terrain;
mod height_edits;
#[cfg(feature = "height_maps")]
mod height_map_files;
mod queries;
mod beside_bevy;
mod whole_number;
mod exact;
mod picking;
mod history;
#[cfg(feature = "gizmos")]
mod gizmos;
mod order;
