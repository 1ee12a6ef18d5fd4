//! The plugin in apps without a window, a renderer or a GPU.

mod stage;
mod characters;
mod sync;
mod meshes;
mod skins;
mod skin_oracle;
mod morphs;
mod faults;
mod colliders;
mod terrain;
mod queries;
mod picking;
mod history;
mod order;
