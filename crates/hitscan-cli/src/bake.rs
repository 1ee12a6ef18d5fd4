//! `hitscan bake`: a scene as one file that opens at once.

use crate::arguments::BakeArguments;
use crate::failure::Failure;
use crate::{output, scene, terminal};
use hitscan_assets::heights::HeightFormat;
use hitscan_assets::{ModelFormat, write_baked};
use hitscan_table::Format;
use std::io;
use std::path::Path;

pub(crate) fn run(arguments: &BakeArguments) -> Result<(), Failure> {
    let path = arguments.output.as_path();
    refuse_ending(path)?;
    let scene = scene::load(&arguments.scene, Some(path))?;
    if path == Path::new("-") {
        return output::printed(write_baked(&scene, &mut io::stdout().lock()));
    }
    output::write_with(path, |file| write_baked(&scene, file))?;
    let count = scene.object_count();
    let objects = if count == 1 { "object" } else { "objects" };
    terminal::say(&format!("{}: {count} {objects}", path.display()));
    Ok(())
}

/// Refuses the endings of other kinds of files.
fn refuse_ending(path: &Path) -> Result<(), Failure> {
    let is_scene = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let is_other = HeightFormat::from_path(path).is_some()
        || ModelFormat::is_model(path)
        || Format::of_path(path).is_ok();
    if path == Path::new("-") || !(is_scene || is_other) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: a baked scene is no file of this ending: give it a name that ends in .baked, or `-` for \
         standard output",
        path.display()
    )))
}
