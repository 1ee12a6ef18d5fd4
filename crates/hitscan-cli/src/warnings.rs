//! Warnings about the files that a command loads, each printed once, on standard error, whatever the
//! command.

use crate::failure::Failure;
use crate::{progress, terminal};
use hitscan_assets::Scene;
use std::path::Path;

/// Loads the scene file at `path` and prints its warnings.
pub(crate) fn load_scene(path: &Path) -> Result<Scene, Failure> {
    let scene = progress::while_loading(path, || hitscan_assets::load_scene(path))?;
    print(scene.warnings());
    Ok(scene)
}

/// Prints warnings, one line each; they begin with the name of their file.
pub(crate) fn print(warnings: &[String]) {
    for warning in warnings {
        terminal::say(&format!("warning: {warning}"));
    }
}
