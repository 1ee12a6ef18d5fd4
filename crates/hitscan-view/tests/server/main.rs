//! The server as a client sees it, over loopback: who may come in, what each limit does, and that no
//! client harms another. Nothing here sleeps: each test waits for what the server does.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod cancelled;
mod clients;
mod doors;
mod endings;
mod limits;

use hitscan_assets::{Scene, load_scene_text};
use hitscan_view::protocol::SceneSource;
use hitscan_view::viewer::LoadedScene;
use hitscan_view::{Loaded, Loader, ServeError, Server, Settings, Stopper};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::http::Request;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

/// Far more than anything here takes, so that a busy machine fails no test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A ball, 2 m across, at the origin.
const BALL: &str = "[[sphere]]\nname = 'ball'\ncenter = [0, 0, 0]\nradius = 1\n";

/// A server in a thread of its own.
struct Served {
    port: u16,
    /// What a page says first.
    hello: String,
    stopper: Stopper,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Served {
    /// Serves the ball.
    fn ball(settings: Settings) -> Self {
        Self::with(settings, Box::new(|_| Ok(loaded(BALL))))
    }

    fn with(settings: Settings, load: Loader) -> Self {
        let port = Some(settings.port.unwrap_or(0));
        let server = Server::bind(Settings { port, ..settings }).unwrap();
        let link = server.link();
        let key = link.split_once("#key=").map(|(_, key)| key);
        let hello = match key {
            Some(key) => format!(r#"{{"type": "hello", "id": 1, "key": "{key}"}}"#),
            None => r#"{"type": "hello", "id": 1}"#.to_owned(),
        };
        Self {
            port: server.address().port(),
            hello,
            stopper: server.stopper(),
            thread: Some(std::thread::spawn(move || server.run(load))),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request unchanged and reads the answer to its end.
    fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        Answer::read(stream)
    }

    /// The status of an answer; `None` where the connection is dropped instead.
    fn status(&self) -> Option<u16> {
        let mut stream = self.connect();
        let port = self.port;
        let request =
            format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        std::str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()
    }

    /// Requests a path with further lines in the head.
    fn get(&self, path: &str, lines: &str) -> Answer {
        let port = self.port;
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n{lines}\r\n"
        ))
    }

    /// The request by which a page connects.
    fn request(&self) -> Request<()> {
        let own = format!("127.0.0.1:{}", self.port);
        let mut request = format!("ws://{own}/view").into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("Origin", format!("http://{own}").parse().unwrap());
        headers.insert("Sec-WebSocket-Protocol", "hitscan.view.v1".parse().unwrap());
        request
    }

    /// A page that is connected and has said nothing.
    fn silent_page(&self) -> Page {
        let connected = tungstenite::client(self.request(), self.connect());
        Page {
            socket: connected.unwrap().0,
            hello: self.hello.clone(),
        }
    }

    /// A page that has said hello and has the scene.
    fn page(&self) -> Page {
        let mut page = self.silent_page();
        page.hello();
        page.until("scene");
        page
    }

    /// Stops the server; how it ended.
    fn stop(mut self) -> Result<(), ServeError> {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A scene in text.
fn loaded(text: &str) -> Loaded {
    of_scene(load_scene_text("scene.toml".as_ref(), text).unwrap())
}

fn of_scene(scene: Scene) -> Loaded {
    Loaded {
        scene: LoadedScene {
            scene,
            name: "scene.toml".to_owned(),
            title: "scene.toml".to_owned(),
            notes: Vec::new(),
            source: SceneSource::default(),
        },
        files: Vec::new(),
    }
}

/// An answer of HTTP.
struct Answer {
    status: u16,
    /// By name in small letters.
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // What comes before the connection breaks is the answer.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {bytes:?}"));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        });
        Self {
            status: status.parse().unwrap(),
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// A page.
struct Page {
    socket: WebSocket<TcpStream>,
    hello: String,
}

/// What a page gets, but for pings.
enum Heard {
    Text(Value),
    Frame(Vec<u8>),
    Closed(u16, String),
    /// Without a word.
    Gone,
}

impl Page {
    fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    fn hello(&mut self) {
        let hello = self.hello.clone();
        self.say(&hello);
    }

    /// Requests a view of the ball, still or moving.
    fn view(&mut self, number: u32, size: [u32; 2], moving: bool) {
        let [width, height] = size;
        let id = number + 100;
        self.say(&format!(
            r#"{{"type": "view", "id": {id}, "view": {number}, "size": [{width}, {height}],
            "now_ms": {number}, "moving": {moving}, "mode": "picture",
            "camera": {{"eye": [0, 1, 9], "look": [0, 0, 0], "fov": 50}}}}"#
        ));
    }

    fn hear(&mut self) -> Heard {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "nothing but pings came");
            return match self.socket.read() {
                Ok(Message::Text(text)) => Heard::Text(serde_json::from_str(&text).unwrap()),
                Ok(Message::Binary(bytes)) => Heard::Frame(bytes.to_vec()),
                Ok(Message::Close(Some(close))) => {
                    let reason = close.reason.as_str().to_owned();
                    Heard::Closed(CloseCode::into(close.code), reason)
                }
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => continue,
                Ok(Message::Close(None)) | Err(_) => Heard::Gone,
            };
        }
    }

    /// Passes over everything before what is wanted; an end that is not wanted panics. Pings keep a connection alive on which it never
    /// comes.
    fn until_some<T>(&mut self, what: &str, wanted: impl Fn(Heard) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = wanted(self.hear()) {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "no {what} came");
        }
    }

    /// Passes over everything before a message of this type.
    fn until(&mut self, kind: &str) -> Value {
        self.until_some(kind, |heard| match heard {
            Heard::Text(message) if message["type"] == kind => Some(message),
            Heard::Text(_) | Heard::Frame(_) => None,
            Heard::Closed(code, reason) => panic!("{kind}: closed: {code} {reason}"),
            Heard::Gone => panic!("{kind}: gone"),
        })
    }

    /// Passes over everything before a frame.
    fn until_frame(&mut self) -> Vec<u8> {
        self.until_some("frame", |heard| match heard {
            Heard::Frame(bytes) => Some(bytes),
            Heard::Text(_) => None,
            Heard::Closed(code, reason) => panic!("closed: {code} {reason}"),
            Heard::Gone => panic!("gone"),
        })
    }

    /// Passes over everything before the end: code and reason.
    fn until_closed(&mut self) -> (u16, String) {
        self.until_some("close", |heard| match heard {
            Heard::Text(_) | Heard::Frame(_) => None,
            Heard::Closed(code, reason) => Some((code, reason)),
            Heard::Gone => panic!("gone without a word"),
        })
    }

    /// Whether the page is served: a ping comes back.
    fn is_served(&mut self) -> bool {
        self.say(r#"{"type": "ping", "id": 77}"#);
        self.until("pong")["id"] == 77
    }
}
