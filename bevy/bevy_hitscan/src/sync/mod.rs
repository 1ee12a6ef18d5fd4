//! Keeping the world as the entities are: which changed, what each should be, and making it so.

mod settings;
mod spread;
mod edits;
mod changes;
mod assets;
mod scene;
mod pose;
mod uses;
mod apply;
mod moves;
mod wanted;
mod system;

pub(crate) use assets::{normalize_weights, take_assets};
pub(crate) use changes::Changes;
pub use edits::HeightEdit;
pub(crate) use edits::edit_heights;
pub(crate) use settings::Settings;
pub(crate) use system::sync;
