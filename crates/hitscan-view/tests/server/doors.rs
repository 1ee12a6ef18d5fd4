//! Access over the wire, and the headers of every answer. All cases of the rules are beside them, in
//! `door.rs`.

use crate::{Answer, Served};
use flate2::read::GzDecoder;
use hitscan_view::{PAGE, Settings};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use tungstenite::Error;

/// What every answer says.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
];

const FOR_GOOD: &str = "public, max-age=31536000, immutable";

#[test]
fn every_file_of_the_page_is_handed_out() {
    let served = Served::ball(Settings::default());
    let folder = folder(&served);
    for file in PAGE.iter().filter(|file| file.name != "index.html") {
        let name = file.name;
        for (path, cached) in [
            (format!("/{name}"), "no-store"),
            (format!("{folder}{name}"), FOR_GOOD),
        ] {
            let answer = served.get(&path, "");
            assert_eq!(answer.status, 200, "{path}");
            assert_eq!(answer.body, file.bytes, "{path}");
            assert_eq!(answer.headers["content-type"], file.content_type());
            assert_eq!(answer.headers["cache-control"], cached, "{path}");
            for (name, value) in &HEADERS[..HEADERS.len() - 1] {
                assert_eq!(answer.headers[*name], *value, "{path}");
            }
        }
    }
}

#[test]
fn the_first_file_is_kept_nowhere_and_names_the_others_by_their_content() {
    let served = Served::ball(Settings::default());
    let [plain, packed] = ["", "Accept-Encoding: gzip\r\n"].map(|lines| served.get("/", lines));
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..])
        .read_to_end(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain.body);
    assert_eq!(packed.headers["content-encoding"], "gzip");
    for answer in [&plain, &packed] {
        assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
        assert_eq!(answer.headers["cache-control"], "no-store");
    }
    let folder = folder(&served);
    assert_eq!(folder, self::folder(&Served::ball(Settings::default())));
    let html = plain.text();
    assert!(html.contains(&format!("<script type=\"module\" src=\"{folder}main.js\">")));
    for file in PAGE.iter().filter(|file| file.name.ends_with(".js")) {
        let line = format!(
            "<link rel=\"modulepreload\" href=\"{folder}{}\">\n",
            file.name
        );
        assert_eq!(html.matches(&line).count(), 1, "{line}");
    }
    // What another version has named is gone, and nothing of that is kept.
    let other = folder.replace(|digit: char| digit.is_ascii_digit(), "e");
    assert_ne!(other, folder);
    for path in [
        format!("{other}main.js"),
        format!("{folder}index.html"),
        folder.clone(),
    ] {
        let answer = served.get(&path, "");
        assert_eq!(
            (answer.status, &*answer.headers["cache-control"]),
            (404, "no-store"),
            "{path}"
        );
    }
}

/// The folder of the files that the first file names.
fn folder(served: &Served) -> String {
    let first = served.get("/", "");
    let (_, rest) = first.text().split_once("src=\"").unwrap();
    let (folder, _) = rest.split_once("main.js").unwrap();
    folder.to_owned()
}

#[test]
fn no_path_leads_elsewhere() {
    let served = Served::ball(Settings::default());
    for path in [
        "/index.html",
        "//",
        "//index.html",
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/etc/passwd",
        "/main.js/",
        "/v/main.js",
        "/v/0123456789abcdef/main.js",
        "/main.js%00",
        "/./main.js",
        "/MAIN.JS",
        "/view/",
        "/\\..\\x",
    ] {
        assert_eq!(served.get(path, "").status, 404, "{path}");
    }
    // What follows a path is nothing to it.
    assert_eq!(served.get("/?from=chat", "").status, 200);
}

#[test]
fn every_answer_has_the_headers() {
    let served = Served::ball(Settings::default());
    let port = served.port;
    let own = format!("Host: localhost:{port}\r\n");
    let socket = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                  Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let origin = format!("Origin: http://localhost:{port}\r\n");
    let close = "Connection: close\r\n";
    for (status, request) in [
        (200, format!("GET / HTTP/1.1\r\n{own}{close}")),
        (404, format!("GET /x HTTP/1.1\r\n{own}{close}")),
        (
            405,
            format!("POST / HTTP/1.1\r\n{own}{close}content-length: 0\r\n"),
        ),
        (
            405,
            format!("OPTIONS / HTTP/1.1\r\n{own}{close}Origin: http://evil.example\r\n"),
        ),
        (
            421,
            format!("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n{close}"),
        ),
        (421, format!("GET / HTTP/1.0\r\n{close}")),
        (
            403,
            format!("GET / HTTP/1.1\r\n{own}{close}Sec-Fetch-Site: cross-site\r\n"),
        ),
        (
            403,
            format!("GET /view HTTP/1.1\r\n{own}{socket}Origin: http://evil.example\r\n"),
        ),
        (403, format!("GET /view HTTP/1.1\r\n{own}{socket}")),
        (426, format!("GET /view HTTP/1.1\r\n{own}{close}")),
        (400, format!("GET /view HTTP/1.1\r\n{own}{socket}{origin}")),
        (
            400,
            format!(
                "GET /view HTTP/1.1\r\n{own}{socket}{origin}Sec-WebSocket-Protocol: hitscan.view.v2\r\n"
            ),
        ),
    ] {
        let answer = served.ask(&format!("{request}\r\n"));
        assert_eq!(answer.status, status, "{request}");
        for (name, value) in HEADERS {
            assert_eq!(
                answer.headers.get(name).map(String::as_str),
                Some(value),
                "{status} {name}"
            );
        }
        let allows = |name: &String| name.starts_with("access-control");
        assert!(!answer.headers.keys().any(allows), "{status}");
        assert_eq!(answer.headers.contains_key("allow"), status == 405);
    }
    let (_, answer) = tungstenite::client(served.request(), served.connect()).unwrap();
    assert_eq!(answer.status(), 101);
    assert_eq!(
        answer.headers()["sec-websocket-protocol"],
        "hitscan.view.v1"
    );
    for (name, value) in HEADERS {
        assert_eq!(answer.headers()[name], value);
    }
}

#[test]
fn a_link_from_elsewhere_opens_the_page_and_nothing_else() {
    let served = Served::ball(Settings::default());
    let link =
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    assert_eq!(served.get("/", link).status, 200);
    assert_eq!(served.get("/main.js", link).status, 403);
    assert_eq!(served.get("/view", link).status, 403);
}

#[test]
fn what_is_no_request_gets_a_status_and_nothing_else() {
    let served = Served::ball(Settings::default());
    let long = "x".repeat(20 << 10);
    for (status, request) in [
        (400, "no request\r\n\r\n".to_owned()),
        (400, "GET / HTTP/1.1\r\nno header\r\n\r\n".to_owned()),
        (431, format!("GET / HTTP/1.1\r\nx: {long}\r\n\r\n")),
    ] {
        let answer = served.ask(&request);
        assert_eq!((answer.status, answer.body.len()), (status, 0));
        let names: Vec<&str> = answer.headers.keys().map(String::as_str).collect();
        let known = ["connection", "content-length", "date"];
        assert!(
            names.iter().all(|name| known.contains(name)),
            "{status}: {names:?}"
        );
    }
}

#[test]
fn head_has_no_body() {
    let served = Served::ball(Settings::default());
    let port = served.port;
    let answer = served.ask(&format!(
        "HEAD / HTTP/1.1\r\nHost: [::1]:{port}\r\nConnection: close\r\n\r\n"
    ));
    assert_eq!((answer.status, answer.body.len()), (200, 0));
}

#[test]
fn further_names_are_admitted_where_they_are_given() {
    let hosts = vec!["atlas.lan".to_owned()];
    let served = Served::ball(Settings {
        hosts,
        ..Settings::default()
    });
    for (host, status) in [("atlas.lan", 200), ("titan.lan", 421), ("localhost", 200)] {
        let port = served.port;
        let request = format!("GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n");
        assert_eq!(served.ask(&request).status, status, "{host}");
    }
}

#[test]
fn a_server_goes_by_the_address_that_was_connected_to() {
    // A second address of loopback represents one of a network.
    let own = Ipv4Addr::new(127, 0, 0, 2);
    let Ok(probe) = TcpListener::bind((own, 0)) else {
        println!("not run: this system has no 127.0.0.2");
        return;
    };
    drop(probe);
    let served = Served::ball(Settings {
        listen: Some(own.into()),
        ..Settings::default()
    });
    for (host, status) in [("127.0.0.2", 200), ("localhost", 200), ("127.0.0.3", 421)] {
        let mut stream = TcpStream::connect((own, served.port)).unwrap();
        let port = served.port;
        let request = format!("GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        assert_eq!(Answer::read(stream).status, status, "{host}");
    }
}

#[test]
fn pages_of_other_sites_get_no_socket() {
    let served = Served::ball(Settings::default());
    for (name, value) in [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Host", "evil.example"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-WebSocket-Protocol", "hitscan.view.v0"),
    ] {
        let mut request = served.request();
        request.headers_mut().insert(name, value.parse().unwrap());
        let refused = tungstenite::client(request, served.connect()).unwrap_err();
        let tungstenite::HandshakeError::Failure(Error::Http(answer)) = refused else {
            panic!("{name}: {value}");
        };
        assert!(
            matches!(answer.status().as_u16(), 400 | 403 | 421),
            "{name}: {value}"
        );
    }
}
