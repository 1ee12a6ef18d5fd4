//! hitscan and its peers on the same questions, side by side.
//!
//! `cargo xtask bench` builds this twice and runs it; `drive.rs` is the run that the user sees,
//! which starts one process for each group of workloads and build; `against.rs` compares two
//! checkouts. Read `catalogue.rs` for the workloads, `race.rs` for how they are timed, `peers/` for
//! whom we race.

mod arguments;
mod machine;
mod random;
mod versions;
mod label;
mod answer;
mod agreement;
mod subject;
mod race;
mod report;
mod inputs;
mod shape;
mod by_hand;
mod subjects;
mod peers;
mod usage;
mod workloads;
mod catalogue;
mod process;
mod drive;
mod against;

use arguments::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = match arguments::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = match command {
        Command::Drive(options) => match &options.against {
            Some(other) => against::run(&options, other),
            None => drive::run(&options),
        },
        Command::Group(group) => workloads::run(&group),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
