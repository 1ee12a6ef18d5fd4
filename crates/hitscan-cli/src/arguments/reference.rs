//! Arguments of the reference: help, completions, manual pages.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

/// The names of all commands; a test compares them with the commands.
pub(crate) const COMMANDS: &[&str] = &[
    "ray",
    "arc",
    "height",
    "sweep",
    "overlap",
    "closest",
    "distance",
    "sight",
    "viewshed",
    "check",
    "bake",
    "info",
    "render",
    #[cfg(feature = "view")]
    "view",
    "demo",
    "help",
    "completions",
    "man",
];

/// The names of the topics of `hitscan help`.
pub(crate) const TOPICS: [&str; 4] = ["scene", "tables", "files", "recipes"];

/// Print the help of a command, or the reference on a topic.
#[derive(Debug, Args)]
#[command(after_help = "\
Topics:
  scene    the tables and keys of a scene file
  tables   the columns, status words and options of every command
  files    which files are read, and what of them; where maps lie on the earth
  recipes  commands for common jobs, with their files and what they print

Examples:
  hitscan help ray
  hitscan help tables")]
pub(crate) struct HelpArguments {
    /// A command or a topic.
    #[arg(value_parser = PossibleValuesParser::new(TOPICS.iter().chain(COMMANDS)))]
    pub(crate) subject: Option<String>,
}

/// Print a script by which a shell completes commands and options.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples; the shell reads the file when it starts next:
  hitscan completions bash > ~/.local/share/bash-completion/completions/hitscan
  hitscan completions zsh > ~/.zfunc/_hitscan       (with ~/.zfunc in fpath)
  hitscan completions fish > ~/.config/fish/completions/hitscan.fish
  hitscan completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Print the manual page of the program, or of a command, as troff.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hitscan man > hitscan.1
  hitscan man ray > hitscan-ray.1")]
pub(crate) struct ManArguments {
    /// The command.
    #[arg(value_parser = PossibleValuesParser::new(COMMANDS))]
    pub(crate) command: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory as _;

    #[test]
    fn all_commands_are_named() {
        let program = Arguments::command();
        let names: Vec<&str> = program
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        assert_eq!(names, COMMANDS);
    }
}
