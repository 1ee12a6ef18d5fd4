//! `hitscan help`: the help of a command, or the reference on a topic, as it is in `docs/`.

use crate::arguments::{Arguments, HelpArguments};
use crate::failure::Failure;
use crate::output::{print, printed};
use clap::Parser as _;

const SCENE: &str = include_str!("../docs/scene.md");
const TABLES: &str = include_str!("../docs/tables.md");
const FILES: &str = include_str!("../docs/files.md");
const RECIPES: &str = include_str!("../docs/recipes.md");

pub(crate) fn run(arguments: &HelpArguments) -> Result<(), Failure> {
    let command = match arguments.subject.as_deref() {
        Some("scene") => return print(SCENE.as_bytes()),
        Some("tables") => return print(TABLES.as_bytes()),
        Some("files") => return print(FILES.as_bytes()),
        Some("recipes") => return print(RECIPES.as_bytes()),
        command => command,
    };
    // The parser's answer to `--help` is the text, in the terminal's colours.
    let words = ["hitscan"].into_iter().chain(command).chain(["--help"]);
    match Arguments::try_parse_from(words) {
        Err(help) => printed(help.print()),
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod page_parts;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod format_tests;
