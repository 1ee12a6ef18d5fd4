//! Connections: each is accepted, counted, and given a time for every step.
//!
//! A client that sends nothing is dropped after [`Limits::headers`], one that does not read its answer
//! after [`Limits::silence`] more, so that its place is free again. A WebSocket leaves this file with its place; its times are kept in
//! `page_task.rs`.

use super::answer::no_place;
use super::door::OwnAddress;
use super::settings::Limits;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// The longest head of a request, bytes.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// How long nothing is accepted after that failed.
const AFTER_A_FAILURE: Duration = Duration::from_millis(50);

/// The place of a connection among those that there may be; free again when the last clone of it is
/// dropped. It goes with each request, so that a WebSocket keeps it.
#[derive(Debug, Clone)]
pub(super) struct Place(#[expect(dead_code, reason = "held")] Arc<OwnedSemaphorePermit>);

/// Who answers requests.
pub(super) trait Answering: Send + Sync + 'static {
    fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> impl Future<Output = Response<Body>> + Send;
}

/// Accepts connections on one listener, for ever.
pub(super) async fn accept<A: Answering>(
    listener: TcpListener,
    places: Arc<Semaphore>,
    limits: Limits,
    answering: Arc<A>,
) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The client is gone, or the system has no handle left: others may close one.
            sleep(AFTER_A_FAILURE).await;
            continue;
        };
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => {
                let place = Place(Arc::new(place));
                tokio::spawn(serve(stream, place, limits.clone(), Arc::clone(&answering)));
            }
            Err(_) => turn_away(stream),
        }
    }
}

/// Says that there is no place, as far as that goes without waiting.
fn turn_away(stream: TcpStream) {
    let Ok(mut stream) = stream.into_std() else {
        return;
    };
    let _ = stream.write_all(no_place().as_bytes());
    let _ = stream.shutdown(Shutdown::Write);
    // What is unread when a socket closes makes the system throw away what was written.
    let _ = stream.read(&mut [0; 4096]);
}

/// Answers what comes on a connection.
async fn serve<A: Answering>(stream: TcpStream, place: Place, limits: Limits, answering: Arc<A>) {
    // Frames and answers are small, and a page waits for them.
    let _ = stream.set_nodelay(true);
    let own = stream.local_addr().map(|own| OwnAddress(own.ip())).ok();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
        if let Some(own) = own {
            request.extensions_mut().insert(own);
        }
        let answering = Arc::clone(&answering);
        async move { Ok::<_, Infallible>(answering.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    // Errors are the client's: it is gone, or spoke no HTTP. To the latter hyper answers 400, 414 or 431
    // by itself, without a body; it lets nobody add the headers of `answer.rs` to these.
    if timeout(limits.headers, connection.as_mut()).await.is_err() {
        // The answer that is being read may take its time; no other is begun.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.silence, connection).await;
    }
}
