//! A page that reads and draws nothing.

use crate::Result;
use crate::pace::Pace;
use crate::program::Program;
use crate::turned::{Frame, Turned};
use glam::DVec3;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

/// How far the camera turns from frame to frame, radians.
const STEP: f64 = 0.01;
/// After so many views it is where it began, half of the way there and half back: each turn sees the same, however
/// many frames it gets.
const SWING: u32 = 60;
/// The camera's angle from the lower to the upper edge, degrees.
const FOV: f64 = 50.0;

pub(crate) struct Page {
    socket: WebSocket<TcpStream>,
    /// The overview that the server proposes.
    camera: Value,
    pace: Pace,
    id: u32,
    view: u32,
    /// The last frame that came, whose pixels are clicked on.
    frame: u32,
    size: [u32; 2],
    /// The full size that was requested.
    asked: [u32; 2],
    finished: bool,
}

/// A picture to its end.
pub(crate) struct Ending {
    /// How many passes it has after the first look.
    pub(crate) passes: u32,
    /// Its last frame.
    pub(crate) frame: Frame,
}

/// What of a frame's header is looked at.
struct Header {
    scale: u32,
    frame: u32,
    view: u32,
    pass: u32,
    is_finished: bool,
    rays: u64,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self> {
        let field = |at: usize, length: usize| {
            let bytes = bytes.get(at..at + length).ok_or("a short frame")?;
            let number = bytes
                .iter()
                .rev()
                .fold(0_u64, |all, byte| (all << 8) | u64::from(*byte));
            Ok::<_, Box<dyn std::error::Error>>(number)
        };
        let short =
            |at, length| Ok::<_, Box<dyn std::error::Error>>(u32::try_from(field(at, length)?)?);
        Ok(Self {
            scale: short(3, 1)?,
            frame: short(4, 4)?,
            view: short(8, 4)?,
            pass: short(16, 2)?,
            is_finished: short(18, 2)? == 1,
            rays: field(20, 8)?,
        })
    }
}

impl Page {
    /// Connects, and waits for the scene.
    pub(crate) fn open(program: &Program) -> Result<Self> {
        let host = program.host();
        let mut request = format!("ws://{host}/view").into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("Origin", format!("http://{host}").parse()?);
        headers.insert("Sec-WebSocket-Protocol", "hitscan.view.v1".parse()?);
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let (socket, _) =
            tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        let mut page = Self {
            socket,
            camera: Value::Null,
            pace: Pace::new(),
            id: 0,
            view: 0,
            frame: 0,
            size: [0; 2],
            asked: [0; 2],
            finished: false,
        };
        page.say(json!({"type": "hello"}))?;
        page.camera = page.until("scene")?["camera"].clone();
        Ok(page)
    }

    /// Turns the camera as fast as views are cast.
    pub(crate) fn turn(&mut self, size: [u32; 2], time: Duration) -> Result<Turned> {
        // The first frames tell the server how much fits.
        for _ in 0..5 {
            self.look(size, true)?;
            self.next_frame()?;
        }
        let begin = Instant::now();
        let mut frames = Vec::new();
        self.look(size, true)?;
        while begin.elapsed() < time {
            match self.socket.read()? {
                Message::Binary(bytes) => {
                    let header = self.take(&bytes)?;
                    frames.push(self.seen(&header));
                }
                Message::Text(text) if is_cast(&text, self.view) => self.look(size, true)?,
                message => refuse(&message)?,
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        self.next_frame()?;
        Ok(Turned { frames, seconds })
    }

    /// Waits until a picture is finished, and nothing is cast.
    pub(crate) fn rest(&mut self, size: [u32; 2]) -> Result<()> {
        self.refine(size)?;
        self.until_finished().map(drop)
    }

    /// Requests a picture that is refined to its end.
    pub(crate) fn refine(&mut self, size: [u32; 2]) -> Result<()> {
        self.look(size, false)
    }

    pub(crate) fn until_finished(&mut self) -> Result<Ending> {
        loop {
            let header = self.next_frame()?;
            if header.is_finished {
                return Ok(Ending {
                    passes: header.pass,
                    frame: self.seen(&header),
                });
            }
        }
    }

    /// Whether the picture that was requested last is finished.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Reads nothing more, and is there as long as the stream is.
    pub(crate) fn leave_unread(self) -> Result<TcpStream> {
        Ok(self.socket.get_ref().try_clone()?)
    }

    pub(crate) fn ping(&mut self) -> Result<()> {
        self.say(json!({"type": "ping"}))?;
        self.until("pong").map(|_| ())
    }

    /// Clicks on a pixel of the last frame, another each time.
    pub(crate) fn click(&mut self, number: usize) -> Result<()> {
        let [width, height] = self.size;
        let at = u32::try_from(number)?.wrapping_mul(2_654_435_761);
        let pixel = [at % width, (at >> 8) % height];
        self.say(json!({"type": "ask", "tool": "ray", "frame": self.frame, "pixel": pixel}))?;
        self.until("answer").map(|_| ())
    }

    fn look(&mut self, size: [u32; 2], moving: bool) -> Result<()> {
        self.view += 1;
        self.asked = size;
        self.finished = false;
        // The view, and what is said of its frames until the next.
        self.pace.wait_for(4);
        let (eye, look) = self.turned(self.view);
        self.say(json!({
            "type": "view", "view": self.view, "size": size, "now_ms": self.view, "moving": moving,
            "mode": "picture",
            "camera": {"eye": eye.to_array(), "look": look.to_array(), "fov": FOV},
        }))
    }

    /// The eye of a view, and where it looks: turned about +y, to and fro.
    fn turned(&self, view: u32) -> (DVec3, DVec3) {
        let point = |name: &str| {
            let axis = |index: usize| self.camera[name][index].as_f64().unwrap_or(0.0);
            DVec3::new(axis(0), axis(1), axis(2))
        };
        let (eye, look) = (point("eye"), point("look"));
        let forward = look - eye;
        let step = view % SWING;
        let (sin, cos) = (f64::from(step.min(SWING - step)) * STEP).sin_cos();
        let turned = DVec3::new(
            forward.x * cos + forward.z * sin,
            forward.y,
            forward.z * cos - forward.x * sin,
        );
        (eye, eye + turned)
    }

    /// A frame of a view, of the size that was requested last.
    fn seen(&self, header: &Header) -> Frame {
        let (eye, look) = self.turned(header.view);
        Frame {
            eye,
            look,
            fov: FOV,
            size: self.asked,
            scale: header.scale,
            rays: header.rays,
        }
    }

    /// Waits until a message may be sent, and as many as its answer brings.
    pub(crate) fn wait_for_room(&mut self) {
        self.pace.wait_for(4);
    }

    fn say(&mut self, mut message: Value) -> Result<()> {
        self.id += 1;
        self.pace.count();
        message["id"] = self.id.into();
        Ok(self.socket.send(Message::text(message.to_string()))?)
    }

    /// The next frame of the last view; it is acknowledged as shown.
    fn next_frame(&mut self) -> Result<Header> {
        loop {
            match self.socket.read()? {
                Message::Binary(bytes) => {
                    let header = self.take(&bytes)?;
                    if header.view == self.view {
                        return Ok(header);
                    }
                }
                message => refuse(&message)?,
            }
        }
    }

    /// The next message of a type. Frames before it are acknowledged as shown.
    fn until(&mut self, kind: &str) -> Result<Value> {
        loop {
            match self.socket.read()? {
                Message::Binary(bytes) => {
                    self.take(&bytes)?;
                }
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text)?;
                    match message["type"].as_str() {
                        Some(found) if found == kind => return Ok(message),
                        Some("refused") => return Err(format!("refused: {message}").into()),
                        _ => {}
                    }
                }
                message => refuse(&message)?,
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<Header> {
        let header = Header::read(bytes)?;
        self.frame = header.frame;
        let low = |at: usize| {
            bytes
                .get(at..at + 2)
                .map_or(0, |b| u32::from(b[0]) | u32::from(b[1]) << 8)
        };
        self.size = [low(12), low(14)];
        self.finished |= header.is_finished && header.view == self.view;
        self.say(json!({"type": "shown", "frame": header.frame}))?;
        Ok(header)
    }
}

/// Whether a message says that the rays of a view are cast.
fn is_cast(text: &str, view: u32) -> bool {
    let message = serde_json::from_str::<Value>(text).unwrap_or_default();
    message["type"] == "cast" && message["view"] == view
}

/// The error that a message reports: why the page is closed, or what is refused.
fn refuse(message: &Message) -> Result<()> {
    match message {
        Message::Close(Some(frame)) => {
            Err(format!("closed: {} {}", frame.code, frame.reason).into())
        }
        Message::Close(None) => Err("closed without a reason".into()),
        Message::Text(text) if text.contains("\"type\":\"refused\"") => {
            Err(format!("refused: {text}").into())
        }
        _ => Ok(()),
    }
}
