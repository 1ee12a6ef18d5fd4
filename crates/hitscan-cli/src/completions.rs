//! `hitscan completions`: a script by which a shell completes commands and options.

use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Failure;
use crate::output::print;
use clap::CommandFactory as _;

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "hitscan",
        &mut script,
    );
    print(&script)
}
