//! The server: one page on loopback, over HTTP and a WebSocket.
//!
//! `door.rs` says who may come in, `answer.rs` what is handed out, `connections.rs` and `page_task.rs`
//! keep the times and limits of clients, `hub.rs` leads their messages to the viewer and its actions
//! back, `casting.rs` has the threads that cast, `loading.rs` the one that reads the scene. Nothing here
//! interprets a message.

mod settings;
mod key;
mod door;
mod answer;
mod listen;
mod own_addresses;
mod connections;
mod casting;
mod hub;
mod loading;
mod asking;
mod page_task;
mod service;

pub use listen::DEFAULT_PORT;
pub use loading::{Loaded, Loader, Telling};
pub use settings::{KeyRule, Limits, Settings};

use crate::viewer::{Event, Viewer, ViewerOptions};
use casting::Casting;
use door::{Door, host_of};
use hub::Hub;
use service::Service;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::thread;
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::time::{sleep, timeout};

/// A server that listens, and has not begun to answer.
///
/// # Example
/// ```
/// use hitscan_assets::load_scene_text;
/// use hitscan_view::protocol::SceneSource;
/// use hitscan_view::viewer::LoadedScene;
/// use hitscan_view::{Loaded, Server, Settings};
///
/// let server = Server::bind(Settings { port: Some(0), ..Settings::default() })?;
/// println!("{}", server.link());
/// let stopper = server.stopper();
/// std::thread::spawn(move || stopper.stop());
/// server.run(Box::new(|_| {
///     let text = "[[sphere]]\ncenter = [0, 1, 0]\nradius = 1\n";
///     let scene = load_scene_text("planet.toml".as_ref(), text).map_err(|error| error.to_string())?;
///     let (name, title, notes) = ("planet".to_owned(), "A planet".to_owned(), Vec::new());
///     Ok(Loaded { scene: LoadedScene { scene, name, title, notes, source: SceneSource::default() }, files: Vec::new() })
/// }))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    settings: Settings,
    listeners: Vec<TcpListener>,
    address: SocketAddr,
    is_open_to_others: bool,
    key: Option<String>,
    ending: watch::Sender<bool>,
}

/// Why a server does not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The scene could not be read at the start; pages were notified.
    #[error("{0}")]
    Scene(String),
    /// The system refused something.
    #[error("{what}")]
    System {
        /// What was wanted.
        what: String,
        /// Why it was refused.
        #[source]
        source: io::Error,
    },
}

/// Ends a server.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Closes every page with code 1001; [`Server::run`] then returns. May be called from any thread.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens. Clients wait until [`Server::run`] answers them.
    ///
    /// # Errors
    /// [`ServeError::System`] where the address or the port cannot be had.
    pub fn bind(settings: Settings) -> Result<Self, ServeError> {
        let refused = |what: String| move |source| ServeError::System { what, source };
        let is_open_to_others = settings.listen.is_some_and(|own| !own.is_loopback());
        let place = match (settings.listen, settings.port) {
            (Some(address), Some(port)) => SocketAddr::new(address, port).to_string(),
            (Some(address), None) => address.to_string(),
            (None, Some(port)) => format!("port {port}"),
            (None, None) => format!("ports from {DEFAULT_PORT} on"),
        };
        let listeners = match settings.listen {
            Some(address) => listen::on_address(address, settings.port),
            None => listen::on_loopback(settings.port),
        };
        let listeners = listeners.map_err(refused(format!("{place}: cannot listen there")))?;
        let address = listeners.first().map(TcpListener::local_addr);
        let address = address.unwrap_or_else(|| Err(io::ErrorKind::AddrNotAvailable.into()));
        let address = address.map_err(refused(place))?;
        let no_key = |error: getrandom::Error| ServeError::System {
            what: "a key cannot be made".to_owned(),
            source: io::Error::other(error.to_string()),
        };
        let is_keyed = is_open_to_others || settings.key == KeyRule::Always;
        let key = is_keyed
            .then(|| key::random().map_err(no_key))
            .transpose()?;
        Ok(Self {
            settings,
            listeners,
            address,
            is_open_to_others,
            key,
            ending: watch::Sender::new(false),
        })
    }

    /// The address to open, with the key where there is one; this machine reaches it.
    #[must_use]
    pub fn link(&self) -> String {
        let host = match self.settings.hosts.first() {
            Some(host) if self.is_open_to_others => host.clone(),
            _ if self.address.ip().is_unspecified() => "localhost".to_owned(),
            _ => host_of(self.address.ip()),
        };
        self.link_by(&host)
    }

    /// Further addresses to open, of a server that listens on all of them: those by which other machines
    /// reach this one.
    #[must_use]
    pub fn other_links(&self) -> Vec<String> {
        if !self.address.ip().is_unspecified() {
            return Vec::new();
        }
        let reached = own_addresses::reached(self.address.port()).into_iter();
        reached.map(|own| self.link_by(&host_of(own))).collect()
    }

    fn link_by(&self, host: &str) -> String {
        let link = format!("http://{host}:{}/", self.address.port());
        match &self.key {
            Some(key) => format!("{link}#key={key}"),
            None => link,
        }
    }

    /// Where it listens: the first address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether others than this machine reach it.
    #[must_use]
    pub fn is_open_to_others(&self) -> bool {
        self.is_open_to_others
    }

    /// What ends it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(self.ending.clone())
    }

    /// Answers until it is stopped. The scene is read meanwhile, and pages see how far that is.
    ///
    /// # Errors
    /// [`ServeError::Scene`] where the scene cannot be read at the start, after pages were notified, and
    /// [`ServeError::System`] where the system gives no threads.
    pub fn run(self, load: Loader) -> Result<(), ServeError> {
        let refused = |what: &str| {
            let what = format!("{what} cannot be started");
            move |source| ServeError::System { what, source }
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .thread_name("pages")
            .enable_all()
            .build()
            .map_err(refused("threads for pages"))?;
        let casting = Casting::new()
            .map_err(io::Error::other)
            .map_err(refused("threads for casting"))?;
        let (word, words) = mpsc::sync_channel(1);
        let viewer = Viewer::new(ViewerOptions {
            key: self.key.clone(),
            threads: casting.threads(),
        });
        let hub = Hub::new(viewer, casting, word);
        let (tell, failed) = oneshot::channel();
        let (reader, watches) = (Arc::downgrade(&hub), self.settings.watch);
        let read = move || {
            if let Err(message) = loading::run(load, &reader, &words, watches) {
                // Nobody waits any more where the program ends.
                let _ = tell.send(message);
            }
        };
        thread::Builder::new()
            .name("loading".to_owned())
            .spawn(read)
            .map_err(refused("a thread for reading"))?;
        let ended = runtime.block_on(self.serve(hub, failed));
        // Questions that are being answered have nobody to hear the answer.
        runtime.shutdown_background();
        ended
    }

    async fn serve(
        self,
        hub: Arc<Hub>,
        failed: oneshot::Receiver<String>,
    ) -> Result<(), ServeError> {
        let limits = self.settings.limits.clone();
        let [open, places] = [limits.sockets; 2].map(Semaphore::new).map(Arc::new);
        let service = Arc::new(Service {
            door: Door::new(&self.settings.hosts, self.address.port()),
            hub: Arc::clone(&hub),
            limits: limits.clone(),
            open: Arc::clone(&open),
            opened: watch::Sender::new(0),
        });
        let mut opened = service.opened.subscribe();
        for listener in self.listeners {
            let accepting = listener.set_nonblocking(true);
            let listener = accepting.and_then(|()| tokio::net::TcpListener::from_std(listener));
            let listener = listener.map_err(|source| ServeError::System {
                what: format!("{}: cannot listen there", self.address),
                source,
            })?;
            let service = Arc::clone(&service);
            let places = Arc::clone(&places);
            tokio::spawn(connections::accept(
                listener,
                places,
                limits.clone(),
                service,
            ));
        }
        let mut ending = self.ending.subscribe();
        let failure = tokio::select! {
            _ = ending.wait_for(|is_ending| *is_ending) => None,
            Ok(message) = failed => Some(message),
        };
        if failure.is_some() {
            // The page that is on its way is notified as soon as it says hello.
            let first = opened.wait_for(|count| *count > 0);
            if timeout(self.settings.patience, first).await.is_ok()
                && !self.settings.patience.is_zero()
            {
                sleep(limits.farewell).await;
            }
        }
        hub.handle(Event::Ending);
        // A page that does not answer is left.
        let all = u32::try_from(limits.sockets).unwrap_or(u32::MAX);
        let _ = timeout(limits.farewell, open.acquire_many(all)).await;
        failure.map_or(Ok(()), |message| Err(ServeError::Scene(message)))
    }
}

/// How many threads read and write for pages; casting has its own.
const WORKERS: usize = 2;
