//! A `hitscan` scene in a web page: every pixel is a ray of the library, every click an answer.
//!
//! [`viewer::Viewer`] is the whole of it but for sockets: messages of pages in, messages and casting
//! jobs out. It has no file, no clock and no thread, so equal messages give equal bytes. What the
//! messages are is in [`protocol`], and in words in `PROTOCOL.md`. [`Server`] is the sockets, the
//! threads and the page's files around it.
//!
//! # Example
//! ```
//! use hitscan_view::protocol::{FrameHeader, SceneSource};
//! use hitscan_view::viewer::{Action, Event, LoadedScene, PageId, Viewer, ViewerOptions};
//! # let path = std::env::temp_dir().join(format!("hitscan-view-lib-{}.toml", std::process::id()));
//! # std::fs::write(&path, "[[sphere]]\nname = 'planet'\ncenter = [0, 0, 0]\nradius = 2\n")?;
//!
//! let mut viewer = Viewer::new(ViewerOptions { key: None, threads: 1 });
//! let page = PageId(1);
//! let _ = viewer.handle(Event::Opened(page));
//! let _ = viewer.handle(Event::Loaded(LoadedScene {
//!     scene: hitscan_assets::load_scene(&path)?,
//!     name: "planet.toml".to_owned(),
//!     title: "planet.toml".to_owned(),
//!     notes: Vec::new(),
//!     source: SceneSource::default(),
//! }));
//! # std::fs::remove_file(&path)?;
//! let _scene = viewer.handle(Event::Text(page, r#"{"type": "hello", "id": 1}"#));
//!
//! // A view is answered by jobs. Here they run at once; a server runs them on its threads.
//! let mut to_do = viewer.handle(Event::Text(page, r#"{
//!     "type": "view", "id": 2, "view": 1, "size": [100, 80], "now_ms": 0, "moving": true, "mode": "picture",
//!     "camera": {"eye": [0, 0, 9], "look": [0, 0, 0], "fov": 50}
//! }"#));
//! let mut frame = None;
//! while let Some(action) = to_do.pop() {
//!     match action {
//!         Action::Cast(job) => to_do.extend(viewer.handle(Event::Cast(job.run(), 0))),
//!         Action::SendFrame(_, bytes) => frame = Some(bytes),
//!         _ => {}
//!     }
//! }
//! let frame = frame.expect("a frame is sent");
//! let (header, png) = FrameHeader::parse(&frame).expect("it is a frame");
//! assert_eq!((header.view, header.size), (1, [100, 80]));
//! assert!(png.starts_with(b"\x89PNG"));
//!
//! // A click on the middle of that frame.
//! let asked = viewer.handle(Event::Text(page, r#"{
//!     "type": "ask", "id": 3, "tool": "ray", "frame": 1, "pixel": [50, 40]
//! }"#));
//! let [Action::Answer(job)] = <[Action; 1]>::try_from(asked).expect("one job") else {
//!     panic!("a question is answered by a job");
//! };
//! let answer = viewer.handle(Event::Answered(job.answer(&|| 0)));
//! assert!(format!("{answer:?}").contains("planet"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod limits;
pub mod protocol;
pub mod viewer;
mod page;
mod first_file;
mod server;

pub use page::{PAGE, PageFile};
pub use server::{
    DEFAULT_PORT, KeyRule, Limits, Loaded, Loader, ServeError, Server, Settings, Stopper, Telling,
};

/// The example of the README is compiled with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
