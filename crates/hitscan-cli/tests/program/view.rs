//! `hitscan view`: the first line, ports, the end by Ctrl-C, scenes that cannot be read.

use crate::{Folder, program};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

const PATIENCE: Duration = Duration::from_secs(60);

const BALL: &str = "[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n";

/// The program while it serves.
struct Viewing {
    child: Child,
    /// The first line of standard output.
    line: String,
}

impl Viewing {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = program(&folder.path(""))
            .args(["view"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap());
        lines.read_line(&mut line).unwrap();
        Self { child, line }
    }

    /// Host and port of the address that is printed.
    fn host(&self) -> &str {
        let address = self
            .line
            .strip_prefix("http://")
            .unwrap_or_else(|| panic!("{}", self.line));
        address.split_once('/').unwrap().0
    }

    /// The key of the address, where it has one.
    fn key(&self) -> Option<&str> {
        let (_, key) = self.line.trim_end().split_once("/#key=")?;
        Some(key)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A page that has said hello.
    fn page(&self) -> WebSocket<TcpStream> {
        let host = self.host();
        let mut request = format!("ws://{host}/view").into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("Origin", format!("http://{host}").parse().unwrap());
        headers.insert("Sec-WebSocket-Protocol", "hitscan.view.v1".parse().unwrap());
        let mut page = tungstenite::client(request, self.connect()).unwrap().0;
        let hello = match self.key() {
            Some(key) => format!(r#"{{"type": "hello", "id": 1, "key": "{key}"}}"#),
            None => r#"{"type": "hello", "id": 1}"#.to_owned(),
        };
        page.send(Message::text(hello)).unwrap();
        page
    }

    fn signal(&self, signal: &str) {
        crate::send_signal(&self.child, signal);
    }

    /// Waits for the end: the exit code and standard error.
    fn ended(mut self) -> (i32, String) {
        let mut stderr = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        (self.child.wait().unwrap().code().unwrap(), stderr)
    }
}

/// The next message of a type; what comes before it is passed over.
fn until(page: &mut WebSocket<TcpStream>, kind: &str) -> Value {
    let began = Instant::now();
    loop {
        // Pings keep a connection alive on which nothing else comes.
        assert!(began.elapsed() < PATIENCE, "no {kind} came");
        if let Message::Text(text) = page.read().unwrap() {
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["type"] == kind {
                return message;
            }
        }
    }
}

/// The code with which a page is closed.
fn until_closed(page: &mut WebSocket<TcpStream>) -> u16 {
    loop {
        if let Message::Close(close) = page.read().unwrap() {
            return CloseCode::into(close.unwrap().code);
        }
    }
}

#[test]
fn the_first_line_is_the_address_and_ctrl_c_closes_pages() {
    let folder = Folder::with_scene(BALL);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let viewing = Viewing::start(&folder, &["scene.toml", "--port", "0"]);
        assert!(viewing.line.starts_with("http://127.0.0.1:") && viewing.line.ends_with('\n'));
        assert_eq!(viewing.key().map(str::len), Some(32), "{}", viewing.line);
        let [mut one, mut other] = [viewing.page(), viewing.page()];
        for page in [&mut one, &mut other] {
            let scene = until(page, "scene");
            assert_eq!(
                (&scene["name"], &scene["objects_total"]),
                (&"scene.toml".into(), &1.into())
            );
        }
        viewing.signal(signal);
        assert_eq!(
            (until_closed(&mut one), until_closed(&mut other)),
            (1001, 1001)
        );
        assert_eq!(viewing.ended(), (code, "hitscan: stopped\n".to_owned()));
    }
    assert_eq!(folder.files(), ["scene.toml"]);
}

#[test]
fn without_a_key_every_user_of_the_machine_may_ask() {
    let folder = Folder::with_scene(BALL);
    let viewing = Viewing::start(&folder, &["scene.toml", "--port", "0", "--no-key"]);
    assert!(viewing.line.ends_with("/\n"), "{}", viewing.line);
    assert_eq!(until(&mut viewing.page(), "scene")["name"], "scene.toml");
    viewing.signal("INT");
    assert_eq!(viewing.ended().0, 130);
}

#[test]
fn without_a_scene_it_is_the_demo_and_nothing_is_written() {
    let folder = Folder::new();
    let viewing = Viewing::start(&folder, &["--port", "0"]);
    let scene = until(&mut viewing.page(), "scene");
    assert_eq!(scene["name"], "demo");
    assert_eq!(scene["objects"][0]["name"], "valley");
    viewing.signal("INT");
    assert_eq!(viewing.ended(), (130, "hitscan: stopped\n".to_owned()));
    assert!(folder.files().is_empty());
}

#[test]
fn a_single_file_is_the_scene_and_the_page_says_what_is_assumed() {
    let folder = Folder::new();
    folder.write("ramp.asc", crate::RAMP);
    folder.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n");
    for (arguments, words) in [
        (&["ramp.asc", "--spacing", "3"][..], "spacing = [3.0, 3.0]"),
        (&["sheet.obj"], "up = \"y\""),
    ] {
        let viewing = Viewing::start(&folder, &[arguments, &["--port", "0"]].concat());
        let scene = until(&mut viewing.page(), "scene");
        let note = scene["notes"][0].as_str().unwrap();
        assert!(
            note.starts_with(arguments[0]) && note.contains(words),
            "{note}"
        );
        viewing.signal("INT");
        let (code, stderr) = viewing.ended();
        assert!(
            code == 130 && stderr.contains("is read as this scene:"),
            "{stderr}"
        );
    }
}

#[test]
fn strangers_are_turned_away() {
    let folder = Folder::with_scene(BALL);
    let viewing = Viewing::start(
        &folder,
        &["scene.toml", "--port", "0", "--host", "atlas.lan"],
    );
    let port = viewing.host().rsplit_once(':').unwrap().1;
    for (host, status) in [
        ("evil.example", "421"),
        ("localhost", "200"),
        ("atlas.lan", "200"),
    ] {
        let mut stream = viewing.connect();
        let request = format!("GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{host}: {answer}"
        );
    }
    viewing.signal("INT");
    assert_eq!(viewing.ended().0, 130);
}

#[test]
fn a_port_that_is_taken_is_an_error_where_it_is_asked_for() {
    let folder = Folder::with_scene(BALL);
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let run = folder.run(&["view", "scene.toml", "--port", &port]);
    run.assert_refused(&[&port, "another program listens there", "--port"]);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_scene_that_cannot_be_read_ends_it_with_its_message() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = -1\n");
    let view = folder.run(&["view", "scene.toml", "--port", "0"]);
    view.assert_refused(&["scene.toml", "line"]);
    let info = folder.run(&["info", "scene.toml"]);
    assert_eq!((view.code, view.stderr), (info.code, info.stderr));
    folder
        .run(&["view", "none.toml", "--port", "0"])
        .assert_refused(&["none.toml", "cannot be read"]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::with_scene(BALL);
    for (arguments, words) in [
        (&["--spacing", "3"][..], "name its file"),
        (&["scene.toml", "--clip", "Walk"], "[[model]]"),
        (&["scene.toml", "--host", "atlas:80"], "without a port"),
        (&["scene.toml", "--port", "70000"], "70000"),
        (&["scene.toml", "--listen", "atlas"], "atlas"),
        (
            &["scene.toml", "--listen", "0.0.0.0", "--no-key"],
            "--no-key does not go with --listen 0.0.0.0",
        ),
    ] {
        folder
            .run(&[&["view"], arguments].concat())
            .assert_usage(&[words]);
    }
}

#[test]
fn files_are_read_again_and_the_old_scene_stays_where_they_cannot_be() {
    let folder = Folder::with_scene(BALL);
    let viewing = Viewing::start(&folder, &["scene.toml", "--port", "0", "--watch"]);
    let mut page = viewing.page();
    assert_eq!(until(&mut page, "scene")["objects_total"], 1);
    folder.write(
        "scene.toml",
        BALL.replace("radius = 1", "radius = \"wide\""),
    );
    let failed = until(&mut page, "failed");
    let message = failed["message"].as_str().unwrap().to_owned();
    assert!(
        failed["keeps"] == true && message.contains("scene.toml: line 4"),
        "{message}"
    );
    folder.write("scene.toml", BALL.replace("ball", "globe"));
    assert_eq!(until(&mut page, "scene")["objects"][0]["name"], "globe");
    viewing.signal("INT");
    assert_eq!(
        viewing.ended(),
        (130, format!("hitscan: {message}\nhitscan: stopped\n"))
    );
}
