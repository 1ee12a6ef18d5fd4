//! Server settings: the address, and the limits on pages.

use crate::limits;
use std::net::IpAddr;
use std::time::Duration;

/// How a server listens.
///
/// ```
/// use hitscan_view::Settings;
/// let settings = Settings { port: Some(0), ..Settings::default() };
/// assert!(settings.listen.is_none(), "on this machine alone");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The port; `None` is [`DEFAULT_PORT`](crate::DEFAULT_PORT) or else the next free one, 0 any
    /// free one.
    pub port: Option<u16>,
    /// The address to listen on in place of 127.0.0.1 and ::1.
    pub listen: Option<IpAddr>,
    /// Whether pages must say the key of the address that is printed.
    pub key: KeyRule,
    /// Names beside those of loopback by which pages may call the server.
    pub hosts: Vec<String>,
    /// Whether the scene's files are read again when they change.
    pub watch: bool,
    /// How long a scene that cannot be read waits for a first page, so that it is notified.
    pub patience: Duration,
    /// What clients are held to.
    pub limits: Limits,
}

/// When pages must say the key of the address that is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeyRule {
    /// Always: other users of this machine do not have it.
    #[default]
    Always,
    /// Where the server listens beyond this machine. Else every user of this machine may view and query.
    BeyondThisMachine,
}

/// What clients are held to in time and number, beside what the viewer keeps. The defaults are those
/// of [`limits`].
#[derive(Debug, Clone)]
pub struct Limits {
    /// How many connections there may be.
    pub sockets: usize,
    /// How long a client may take to say what it wants, and to read the answer.
    pub headers: Duration,
    /// How long a page may take to say `hello`.
    pub hello: Duration,
    /// How long a page may be silent.
    pub silence: Duration,
    /// How many messages a page may send in a second.
    pub messages: u32,
    /// How long pages have to take note that the program ends.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sockets: limits::SOCKETS,
            headers: Duration::from_secs(limits::HEADER_SECS),
            hello: Duration::from_secs(limits::HELLO_SECS),
            silence: Duration::from_secs(limits::SILENT_SECS),
            messages: limits::MESSAGES_A_SECOND,
            farewell: Duration::from_millis(100),
        }
    }
}
