//! `hitscan view`: a scene in a web page.
//!
//! The server, the protocol and the page are in `hitscan-view`; here are the arguments, the address that
//! is printed and Ctrl-C. `opening.rs` opens the browser, `source.rs` reads the scene.

mod files;
mod opening;
mod source;

use crate::arguments::ViewArguments;
use crate::failure::Failure;
use crate::{interrupt, output, terminal};
use hitscan_view::{KeyRule, ServeError, Server, Settings};
use source::Source;
use std::env;
use std::io::{ErrorKind, IsTerminal as _};
use std::time::Duration;

/// How long a browser that was opened has to come for the message that the scene cannot be read.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(arguments: &ViewArguments) -> Result<(), Failure> {
    let source = Source::new(arguments)?;
    let key = key_rule(arguments)?;
    let opens = !arguments.no_open && std::io::stdout().is_terminal() && has_display();
    let server = Server::bind(Settings {
        port: arguments.port,
        listen: arguments.listen,
        key,
        hosts: arguments.hosts.clone(),
        watch: arguments.watch,
        patience: if opens { PATIENCE } else { Duration::ZERO },
        ..Settings::default()
    })
    .map_err(failure)?;
    let stopper = server.stopper();
    interrupt::when_asked(move || stopper.stop());
    announce(&server)?;
    if let Some(hint) = hint(std::io::stdout().is_terminal(), opens) {
        terminal::say(hint);
    }
    let opened = opens.then(|| opening::open(&server.link()));
    if let Some(Err(error)) = &opened {
        terminal::say(&format!(
            "no browser could be opened ({error}): open the address in one"
        ));
    }
    server.run(source.into_loader()).map_err(failure)
}

/// Whether pages must say a key.
fn key_rule(arguments: &ViewArguments) -> Result<KeyRule, Failure> {
    match arguments.listen {
        _ if !arguments.no_key => Ok(KeyRule::Always),
        Some(address) if !address.is_loopback() => Err(Failure::usage(format!(
            "--no-key does not go with --listen {address}: everybody who reaches that address could \
             look and ask. Leave one of the two out"
        ))),
        _ => Ok(KeyRule::BeyondThisMachine),
    }
}

/// Prints what to open, and where others than this machine can.
fn announce(server: &Server) -> Result<(), Failure> {
    let link = server.link();
    if !server.is_open_to_others() {
        return output::print(format!("{link}\n").as_bytes());
    }
    let place = server.address();
    let mut lines = format!("{link} (listens on {place})\n");
    for other in server.other_links() {
        lines.push_str(&other);
        lines.push('\n');
    }
    output::print(lines.as_bytes())?;
    terminal::say(
        "warning: anyone on the network who has the key may look and ask. Nothing is encrypted, the key \
         neither: whoever hears it has it. `ssh -L PORT:127.0.0.1:PORT HOST` and no --listen is better",
    );
    Ok(())
}

/// The hint for a person at the terminal, beside the address.
fn hint(is_terminal: bool, opens: bool) -> Option<&'static str> {
    match (is_terminal, opens) {
        (false, _) => None,
        (true, true) => {
            Some("it opens in the browser, or else open this address in one; Ctrl-C ends it")
        }
        (true, false) => Some("open this address in a browser; Ctrl-C ends it"),
    }
}

/// Whether a browser would have a screen.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Scene(message) => Failure::usage(message),
        ServeError::System { source, what } if source.kind() == ErrorKind::AddrInUse => {
            Failure::usage(format!(
                "{what}: another program listens there: choose another by --port, or leave it out \
                 for the next free one"
            ))
        }
        error => Failure::Other(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn a_person_learns_how_it_ends() {
        assert_eq!(hint(false, false), None);
        assert!(hint(true, false).is_some_and(|hint| hint.contains("open this address")));
        assert!(hint(true, true).is_some_and(|hint| hint.contains("Ctrl-C ends it")));
    }
}
