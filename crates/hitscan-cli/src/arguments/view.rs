//! Arguments of `hitscan view`.

use super::{SingleFileArguments, TexturesArgument};
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

/// A scene in a web page: every pixel is a ray, every click an answer, and every answer says why.
#[derive(Debug, Args)]
#[command(after_help = "\
The first line of standard output is the address to open, with a key that keeps other users of this
machine out. Only this machine reaches it, unless --listen says otherwise. Ctrl-C ends it.

Examples, the second and third on the files of `hitscan demo`:
  hitscan view
  hitscan view hitscan-demo/scene.toml --watch
  hitscan view hitscan-demo/robot.glb --clip Walk --port 8000 --no-open

To look from another machine, forward the port; nothing else reaches the page then:
  ssh -L 7411:127.0.0.1:7411 HOST hitscan view scene.toml --port 7411")]
pub(crate) struct ViewArguments {
    /// The scene file; or a height map or a model, which is then the whole scene [default: the scene
    /// of `hitscan demo`, built in memory].
    pub(crate) scene: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) single_file: SingleFileArguments,
    /// Whether models are drawn with the textures of their base colours.
    #[arg(long, value_enum, default_value_t = TexturesArgument::On)]
    pub(crate) textures: TexturesArgument,
    /// The port; 0 is any free one [default: 7411, else the next free one].
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Listen on this address in place of 127.0.0.1 and ::1; 0.0.0.0 and [::] are all addresses of this
    /// machine. Who is on the network and has the key may look and ask, and nothing is encrypted.
    #[arg(long, value_name = "ADDR", value_parser = parse_address)]
    pub(crate) listen: Option<IpAddr>,
    /// Ask for no key: every user of this machine may look and ask. Not with --listen beyond it.
    #[arg(long)]
    pub(crate) no_key: bool,
    /// A name, beside localhost, by which browsers may call the server; may be given several times.
    #[arg(long = "host", value_name = "NAME", value_parser = parse_host)]
    pub(crate) hosts: Vec<String>,
    /// Read the scene's files again whenever they change.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Do not open a browser. None is opened either where standard output is no terminal, or there is
    /// no display.
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// An address, of IPv6 also as links have it.
fn parse_address(text: &str) -> Result<IpAddr, String> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .filter(|text| text.contains(':'));
    bare.unwrap_or(text).parse().map_err(|_| {
        format!("{text:?} is no address: write one such as 192.168.1.5, or 0.0.0.0 for all")
    })
}

/// A host as browsers write it, without a port.
fn parse_host(text: &str) -> Result<String, String> {
    let is_name = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    };
    let address = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let is_address = address.is_some_and(|text| text.parse::<std::net::Ipv6Addr>().is_ok());
    match is_name(text) || is_address {
        true => Ok(text.to_ascii_lowercase()),
        false => Err(format!(
            "{text:?} is no host: write a name such as atlas.lan, without a port"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_address, parse_host};

    #[test]
    fn addresses_of_ipv6_may_stand_in_brackets() {
        for (text, address) in [
            ("0.0.0.0", "0.0.0.0"),
            ("::", "::"),
            ("[::]", "::"),
            ("[fd00::1]", "fd00::1"),
        ] {
            assert_eq!(parse_address(text), Ok(address.parse().unwrap()), "{text}");
        }
        for wrong in ["", "atlas", "[0.0.0.0]", "[::", "0.0.0.0:80", "[::]:80"] {
            assert!(parse_address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hosts_are_names_without_ports() {
        assert_eq!(parse_host("Atlas.lan").as_deref(), Ok("atlas.lan"));
        assert_eq!(parse_host("[fd00::1]").as_deref(), Ok("[fd00::1]"));
        for wrong in [
            "",
            "atlas:80",
            "http://atlas",
            "a b",
            "[atlas]",
            "fd00::1",
            "a/b",
        ] {
            assert!(parse_host(wrong).is_err(), "{wrong}");
        }
    }
}
