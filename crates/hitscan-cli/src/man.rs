//! `hitscan man`: manual pages, of what `--help` says.

use crate::arguments::{Arguments, ManArguments};
use crate::failure::Failure;
use crate::output::print;
use clap::CommandFactory as _;
use clap_mangen::Man;
use std::io;

pub(crate) fn run(arguments: &ManArguments) -> Result<(), Failure> {
    let mut program = Arguments::command();
    // Commands get their full names, such as `hitscan ray`.
    program.build();
    let command = match &arguments.command {
        Some(name) => program.find_subcommand(name).cloned(),
        None => None,
    };
    let page = page(command.unwrap_or(program));
    print(&page.map_err(|error| Failure::Other(error.into()))?)
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let has_commands = command.get_subcommands().next().is_some();
    let has_details = command.get_after_help().is_some();
    let version = concat!("hitscan ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command).source(version).manual("hitscan");
    let mut troff = Vec::new();
    page.render_title(&mut troff)?;
    page.render_name_section(&mut troff)?;
    page.render_synopsis_section(&mut troff)?;
    page.render_description_section(&mut troff)?;
    page.render_options_section(&mut troff)?;
    if has_commands {
        page.render_subcommands_section(&mut troff)?;
    }
    if has_details {
        let mut details = Vec::new();
        page.render_extra_section(&mut details)?;
        troff.extend_from_slice(as_it_stands(&details).as_bytes());
    }
    Ok(troff)
}

/// The section with the lists of columns and examples, whose line breaks and columns stay.
fn as_it_stands(section: &[u8]) -> String {
    let section = String::from_utf8_lossy(section);
    let text = section
        .split_once(".SH EXTRA\n")
        .map_or(&*section, |(_, text)| text);
    format!(".SH DETAILS\n.nf\n{}\n.fi\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_keep_their_lines() {
        let command = clap::Command::new("hitscan-ray").after_help("Examples:\n  one\n  two");
        let troff = String::from_utf8(page(command).unwrap()).unwrap();
        assert!(
            troff.ends_with(".SH DETAILS\n.nf\nExamples:\n  one\n  two\n.fi\n"),
            "{troff}"
        );
    }
}
