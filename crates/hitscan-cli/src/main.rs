//! The program `hitscan`: collision queries for game worlds from the command line.
//!
//! Thin: it reads arguments, calls the libraries, and reports what went wrong. Read `arguments.rs`,
//! then one file a command; `table.rs` is what commands with tables have in common.

mod arguments;
mod failure;
mod interrupt;
mod progress;
mod warnings;
mod whole_file;
mod table;
mod ray;
mod height;
mod sweep;
mod overlap;
mod info;
mod render;
mod demo;

use arguments::{Arguments, Command};
use clap::Parser as _;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(message) => {
            // Clap prints help to standard output and errors to standard error; a closed pipe is no
            // failure.
            let _ = message.print();
            return if message.use_stderr() {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    match run(&arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: &Command) -> Result<(), Failure> {
    interrupt::catch_interrupt()?;
    match command {
        Command::Ray(options) => ray::run(options),
        Command::Height(options) => height::run(options),
        Command::Sweep(options) => sweep::run(options),
        Command::Overlap(options) => overlap::run(options),
        Command::Info(options) => info::run(options),
        Command::Render(options) => render::run(options),
        Command::Demo(options) => demo::run(options),
    }
}
