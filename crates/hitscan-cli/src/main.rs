//! The program `hitscan`: collision queries for game worlds from the command line.
//!
//! Thin: it reads arguments, calls the libraries, and reports what went wrong. Read `arguments.rs`,
//! then one file a command; `table.rs` is what commands with tables have in common.

mod arguments;
mod terminal;
mod interrupt;
mod failure;
mod progress;
mod output;
mod warnings;
mod link;
mod scene;
mod row_shape;
mod inputs;
mod bad_rows;
mod summary;
mod table;
mod listing;
mod parts;
mod trace;
mod expected;
mod explain;
mod ray;
mod arc;
mod height;
mod sweep;
mod closest;
mod distance;
mod overlap;
mod sight;
mod viewshed;
mod check;
mod bake;
mod info;
mod render;
#[cfg(feature = "view")]
mod view;
mod demo;
mod help;
mod completions;
mod man;

use arguments::{Arguments, Command};
use clap::Parser as _;
use clap::error::ErrorKind;
use failure::Failure;
use hitscan_assets::heights::HeightFormat;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse().and_then(link::with_link) {
        Ok(arguments) => arguments,
        Err(message) => {
            // Clap prints help to standard output and errors to standard error.
            if !message.use_stderr() {
                return match output::printed(message.print()) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(failure) => failure.report(),
                };
            }
            let plain = message.render().to_string();
            if terminal::escaped_lines(&plain) == plain {
                let _ = message.print();
            } else {
                // The message repeats an argument that a terminal would obey.
                terminal::say(plain.trim_end());
            }
            if message.kind() == ErrorKind::UnknownArgument && names_several_maps() {
                terminal::say(inputs::SEVERAL_MAPS);
            }
            return ExitCode::from(2);
        }
    };
    let result = run(&arguments.command);
    // Whatever a command made of being stopped, it was stopped.
    match failure::check_interrupt().and(result) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Whether the arguments name more than one height map, as where the shell has expanded a name.
fn names_several_maps() -> bool {
    let names = std::env::args_os().skip(1);
    names
        .filter(|name| HeightFormat::from_path(Path::new(name)).is_some())
        .nth(1)
        .is_some()
}

fn run(command: &Command) -> Result<(), Failure> {
    interrupt::listen()
        .map_err(|error| Failure::other(format!("Ctrl-C cannot be caught: {error}")))?;
    match command {
        Command::Ray(options) => ray::run(options),
        Command::Arc(options) => arc::run(options),
        Command::Height(options) => height::run(options),
        Command::Sweep(options) => sweep::run(options),
        Command::Overlap(options) => overlap::run(options),
        Command::Closest(options) => closest::run(options),
        Command::Distance(options) => distance::run(options),
        Command::Sight(options) => sight::run(options),
        Command::Viewshed(options) => viewshed::run(options),
        Command::Check(options) => check::run(options),
        Command::Bake(options) => bake::run(options),
        Command::Info(options) => info::run(options),
        Command::Render(options) => render::run(options),
        #[cfg(feature = "view")]
        Command::View(options) => view::run(options),
        Command::Demo(options) => demo::run(options),
        Command::Help(options) => help::run(options),
        Command::Completions(options) => completions::run(options),
        Command::Man(options) => man::run(options),
    }
}
