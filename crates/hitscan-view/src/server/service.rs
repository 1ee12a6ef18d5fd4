//! The service of requests: a file of the page, the WebSocket, or a refusal.

use super::answer::{file, guarded, refused, text};
use super::connections::{Answering, Place};
use super::door::Door;
use super::hub::Hub;
use super::page_task;
use super::settings::Limits;
use crate::limits;
use crate::protocol::SUBPROTOCOL;
use axum::body::Body;
use axum::extract::FromRequestParts as _;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode, header};
use hyper::body::Incoming;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// Where the WebSocket is.
const SOCKET: &str = "/view";

/// What answers requests.
pub(super) struct Service {
    pub(super) door: Door,
    pub(super) hub: Arc<Hub>,
    pub(super) limits: Limits,
    /// Each page that is connected, or is being closed, has a permit of it.
    pub(super) open: Arc<Semaphore>,
    /// How many pages there were.
    pub(super) opened: watch::Sender<u64>,
}

impl Answering for Service {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Response<Body> {
        // No request here has a body.
        let (mut parts, _) = request.into_parts();
        guarded(match self.door.admit(&parts) {
            Err(refusal) => refused(refusal),
            Ok(()) if parts.uri.path() == SOCKET => self.connect(&mut parts).await,
            Ok(()) => file(parts.uri.path(), &parts.headers),
        })
    }
}

impl Service {
    /// Begins the WebSocket of a page.
    async fn connect(&self, parts: &mut Parts) -> Response<Body> {
        let place = parts.extensions.get::<Place>().cloned();
        let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
        let (Ok(upgrade), Some(place)) = (upgrade, place) else {
            let mut answer = text(StatusCode::UPGRADE_REQUIRED, "expected a WebSocket\n");
            let upgrade = header::HeaderValue::from_static("websocket");
            answer.headers_mut().insert(header::UPGRADE, upgrade);
            return answer;
        };
        let upgrade = upgrade.protocols([SUBPROTOCOL]);
        if upgrade.selected_protocol().is_none() {
            let expected = "expected the subprotocol hitscan.view.v1\n";
            return text(StatusCode::BAD_REQUEST, expected);
        }
        let hub = Arc::clone(&self.hub);
        let limits = self.limits.clone();
        let open = Arc::clone(&self.open);
        let opened = self.opened.clone();
        upgrade
            .max_message_size(limits::TABLE_BYTES)
            .max_frame_size(limits::TABLE_BYTES)
            .on_upgrade(async move |socket| {
                let _open = open.acquire_owned().await;
                opened.send_modify(|count| *count += 1);
                page_task::run(socket, hub.open(), place, limits).await;
            })
    }
}
