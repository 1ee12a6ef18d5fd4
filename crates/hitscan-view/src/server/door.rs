//! Access rules of the server: `Host`, `Origin`, `Sec-Fetch-Site` and the method.
//!
//! A page of another site that a browser on this machine shows can send requests to loopback too.
//! `Host` stops one that gave its own name this machine's address (DNS rebinding): it is a name that is
//! known, or the very address by which the connection came. `Origin` and
//! `Sec-Fetch-Site` stop the others; a browser lets no page forge the three. Every request is checked,
//! before its path is looked at.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use std::net::IpAddr;

/// The names of this machine that every server answers to.
const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The port of an address that names none.
const DEFAULT_PORT: u16 = 80;

/// The names by which pages may call the server.
#[derive(Debug)]
pub(super) struct Door {
    /// Each `Host` that is admitted, with the port.
    hosts: Vec<String>,
    port: u16,
}

/// The address of this machine by which a connection came; it goes with each request.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnAddress(pub(super) IpAddr);

/// Why a request is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// `Host` names another server.
    Host,
    /// Neither GET nor HEAD.
    Method,
    /// A request from a page of another site.
    Site,
    /// A WebSocket of another page.
    Origin,
}

impl Refusal {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Host => StatusCode::MISDIRECTED_REQUEST,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Site | Self::Origin => StatusCode::FORBIDDEN,
        }
    }

    /// What was expected, for whoever reads the answer.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Host => {
                "expected Host: localhost, 127.0.0.1, [::1], the address that was connected to, or a name \
                 given by --host, with the port\n"
            }
            Self::Method => "expected GET or HEAD\n",
            Self::Site => "expected a request of this server's own page\n",
            Self::Origin => "expected a WebSocket of this server's own page, by its Origin\n",
        }
    }
}

impl Door {
    /// Admits the names of loopback and those of `hosts`, each with `port`.
    pub(super) fn new(hosts: &[String], port: u16) -> Self {
        let names = LOOPBACK_HOSTS
            .into_iter()
            .chain(hosts.iter().map(String::as_str));
        Self {
            hosts: names.flat_map(|name| written(name, port)).collect(),
            port,
        }
    }

    /// Checks a request, whatever its path.
    pub(super) fn admit(&self, request: &Parts) -> Result<(), Refusal> {
        let host = only(&request.headers, &header::HOST).ok_or(Refusal::Host)?;
        let is_own = |name: &str| {
            let known = self.hosts.iter().any(|own| own == name);
            let came_by = request.extensions.get::<OwnAddress>();
            // An IPv4 connection to a socket of both kinds has an IPv6 address that maps to it.
            let came_by = came_by.map(|own| host_of(own.0.to_canonical()));
            known || came_by.is_some_and(|own| written(&own, self.port).any(|own| own == name))
        };
        // A target with an authority, as proxies are sent, goes before `Host`.
        let target = request.uri.authority().map_or(host, |own| own.as_str());
        if !is_own(host) || target != host {
            return Err(Refusal::Host);
        }
        if request.method != Method::GET && request.method != Method::HEAD {
            return Err(Refusal::Method);
        }
        if is_foreign(request) && !is_opened(request) {
            return Err(Refusal::Site);
        }
        let is_socket = request.headers.contains_key(header::UPGRADE);
        let origin = only(&request.headers, &header::ORIGIN);
        if is_socket && origin.and_then(|origin| origin.strip_prefix("http://")) != Some(host) {
            return Err(Refusal::Origin);
        }
        Ok(())
    }
}

/// How `Host` has a name: with the port, which may be omitted where it is that of HTTP.
fn written(name: &str, port: u16) -> impl Iterator<Item = String> {
    let bare = (port == DEFAULT_PORT).then(|| name.to_owned());
    [format!("{name}:{port}")].into_iter().chain(bare)
}

/// How an address is written in a link and in `Host`.
pub(super) fn host_of(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// The value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    match values.next() {
        None => value.to_str().ok(),
        Some(_) => None,
    }
}

/// Whether a browser says that the request is from a page of another site. Other programs say nothing.
fn is_foreign(request: &Parts) -> bool {
    let mut sites = request.headers.get_all("sec-fetch-site").iter();
    sites.any(|site| site != "same-origin" && site != "none")
}

/// Whether somebody opens the page itself, as by a link in a chat.
fn is_opened(request: &Parts) -> bool {
    let says =
        |name, word: &str| only(&request.headers, &HeaderName::from_static(name)) == Some(word);
    request.uri.path() == "/"
        && says("sec-fetch-mode", "navigate")
        && says("sec-fetch-dest", "document")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn admit(door: &Door, method: &str, target: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        door.admit(&parts)
            .err()
            .map(|refusal| refusal.status().as_u16())
    }

    #[test]
    fn hosts_are_compared_whole() {
        let door = Door::new(&["atlas.lan".to_owned()], 7411);
        let get = |host| admit(&door, "GET", "/", &[("host", host)]);
        for host in [
            "localhost:7411",
            "127.0.0.1:7411",
            "[::1]:7411",
            "atlas.lan:7411",
        ] {
            assert_eq!(get(host), None, "{host}");
        }
        for host in [
            "",
            "localhost",
            "localhost:80",
            "localhost:07411",
            "LOCALHOST:7411",
            "localhost.:7411",
            "evil.example:7411",
            "localhost:7411.evil.example",
            "xlocalhost:7411",
            "127.0.0.2:7411",
            "127.1:7411",
            "2130706433:7411",
            "[::]:7411",
            "0.0.0.0:7411",
            "user@localhost:7411",
        ] {
            assert_eq!(get(host), Some(421), "{host}");
        }
        assert_eq!(admit(&door, "GET", "/", &[]), Some(421));
        let own = ("host", "localhost:7411");
        assert_eq!(admit(&door, "GET", "/", &[own, own]), Some(421));
        assert_eq!(
            admit(&door, "GET", "http://evil.example:7411/", &[own]),
            Some(421)
        );
        assert_eq!(admit(&door, "GET", "http://localhost:7411/", &[own]), None);
    }

    #[test]
    fn a_server_goes_by_the_address_that_was_connected_to() {
        let door = Door::new(&[], 7411);
        let get = |own: &str, host: &str| {
            let request = Request::get("/").header("host", host);
            let (mut parts, ()) = request.body(()).unwrap().into_parts();
            parts.extensions.insert(OwnAddress(own.parse().unwrap()));
            door.admit(&parts)
        };
        for (own, host) in [
            ("192.168.1.5", "192.168.1.5:7411"),
            ("::ffff:192.168.1.5", "192.168.1.5:7411"),
            ("2001:db8::5", "[2001:db8::5]:7411"),
            ("192.168.1.5", "localhost:7411"),
        ] {
            assert_eq!(get(own, host), Ok(()), "{own} {host}");
        }
        for (own, host) in [
            ("192.168.1.5", "192.168.1.6:7411"),
            ("192.168.1.5", "192.168.1.5"),
            ("192.168.1.5", "192.168.1.5:7412"),
            ("192.168.1.5", "evil.example:7411"),
            ("192.168.1.5", "192.168.1.5.evil.example:7411"),
            ("::ffff:192.168.1.5", "[::ffff:192.168.1.5]:7411"),
            ("2001:db8::5", "2001:db8::5:7411"),
            ("0.0.0.0", "192.168.1.5:7411"),
        ] {
            assert_eq!(get(own, host), Err(Refusal::Host), "{own} {host}");
        }
    }

    #[test]
    fn the_port_of_http_may_be_left_out() {
        let door = Door::new(&[], 80);
        for host in ["localhost", "localhost:80"] {
            assert_eq!(admit(&door, "GET", "/", &[("host", host)]), None);
        }
    }

    #[test]
    fn nothing_is_sent_to_the_server_but_questions() {
        let door = Door::new(&[], 7411);
        let host = ("host", "localhost:7411");
        for method in [
            "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "QUERY",
        ] {
            assert_eq!(admit(&door, method, "/", &[host]), Some(405), "{method}");
        }
        for method in ["GET", "HEAD"] {
            assert_eq!(admit(&door, method, "/anything", &[host]), None);
        }
    }

    #[test]
    fn other_sites_may_only_open_the_page() {
        let door = Door::new(&[], 7411);
        for site in ["cross-site", "same-site", "same-origin", "none", "else"] {
            for (target, mode, dest) in [
                ("/", "navigate", "document"),
                ("/", "navigate", "iframe"),
                ("/", "no-cors", "document"),
                ("/", "no-cors", "image"),
                ("/view", "websocket", "websocket"),
                ("/main.js", "cors", "script"),
                ("/main.js", "navigate", "document"),
            ] {
                let headers = [
                    ("host", "localhost:7411"),
                    ("sec-fetch-site", site),
                    ("sec-fetch-mode", mode),
                    ("sec-fetch-dest", dest),
                ];
                let may = matches!(site, "same-origin" | "none")
                    || (target, mode, dest) == ("/", "navigate", "document");
                let refused = admit(&door, "GET", target, &headers);
                assert_eq!(
                    refused,
                    (!may).then_some(403),
                    "{site} {target} {mode} {dest}"
                );
            }
        }
    }

    #[test]
    fn a_socket_comes_from_the_page_itself() {
        let door = Door::new(&[], 7411);
        let ask = |host, origin: Option<&str>| {
            let mut headers = vec![("host", host), ("upgrade", "websocket")];
            headers.extend(origin.map(|origin| ("origin", origin)));
            admit(&door, "GET", "/view", &headers)
        };
        assert_eq!(ask("localhost:7411", Some("http://localhost:7411")), None);
        assert_eq!(ask("[::1]:7411", Some("http://[::1]:7411")), None);
        for origin in [
            None,
            Some("null"),
            Some("http://127.0.0.1:7411"),
            Some("https://localhost:7411"),
            Some("http://localhost:7412"),
            Some("http://localhost:7411/"),
            Some("http://localhost:7411.evil.example"),
            Some("http://evil.example"),
            Some("localhost:7411"),
        ] {
            assert_eq!(ask("localhost:7411", origin), Some(403), "{origin:?}");
        }
    }
}
