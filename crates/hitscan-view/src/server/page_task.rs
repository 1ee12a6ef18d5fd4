//! One page's WebSocket: what comes in goes to the viewer, what the viewer says goes out.
//!
//! One task does both, in turns: a page that does not read is not read from, and one that neither reads
//! nor speaks is dropped after a time. Quick questions are answered here, so that they wait for nothing but
//! themselves; others on threads of their own ([`super::asking`]), so that the page is heard meanwhile.

use super::asking::Asking;
use super::connections::Place;
use super::hub::{Line, QUEUE, Task};
use super::settings::Limits;
use crate::viewer::{Deadline, Event};
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// Closed for what is not allowed (RFC 6455, section 7.4.1).
const POLICY: u16 = 1008;

/// Closed for a fault of the program.
const FAULT: u16 = 1011;

/// How often a page is pinged, in parts of the time that it may be silent.
const PINGS: u32 = 3;

/// How long a page has to answer that it is closed.
const CLOSING: Duration = Duration::from_secs(1);

/// Serves a page until it is gone or is closed.
pub(super) async fn run(mut socket: WebSocket, mut line: Line, place: Place, limits: Limits) {
    let end = talk(&mut socket, &mut line, &limits).await;
    // The viewer lets go of the page before anything is waited for.
    drop(line);
    if let Some(end) = end {
        close(&mut socket, end).await;
    }
    drop(place);
}

/// Closes a page, and waits a moment until it has taken note.
async fn close(socket: &mut WebSocket, (code, reason): End) {
    let reason = Utf8Bytes::from_static(reason);
    let close = Message::Close(Some(CloseFrame { code, reason }));
    let farewell = async {
        if socket.send(close).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    let _ = timeout(CLOSING, farewell).await;
}

/// How a page is closed: a code and a reason.
type End = (u16, &'static str);

/// Talks to a page; returns how it is to be closed, and nothing where it is gone.
async fn talk(socket: &mut WebSocket, line: &mut Line, limits: &Limits) -> Option<End> {
    let opened = Instant::now();
    let mut asking = Asking::new(opened);
    let mut heard = opened;
    let mut pinged = opened;
    let mut said_hello = false;
    let mut pace = Pace::new(limits.messages, opened);
    loop {
        let ping = heard.max(pinged) + limits.silence / PINGS;
        let silent = heard + limits.silence;
        let hello = if said_hello {
            silent
        } else {
            opened + limits.hello
        };
        tokio::select! {
            biased;
            () = line.overflow.notified() => return Some((POLICY, "QUEUE")),
            Some(task) = line.tasks.recv() => {
                let message = match task {
                    Task::Send(text) => Message::text(text),
                    Task::SendFrame(bytes) => Message::Binary(Bytes::from(bytes)),
                    Task::Answer(job) => {
                        if let Some(answered) = asking.begin(job) {
                            line.handle(Event::Answered(answered));
                        }
                        continue;
                    }
                    Task::Close(code, reason) => return Some((code, reason)),
                };
                match timeout(limits.silence, socket.send(message)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) | Err(_) => return None,
                }
            }
            answered = asking.next(), if asking.is_busy() => match answered {
                Some(answered) => line.handle(Event::Answered(answered)),
                // A question that fails harms its own page alone.
                None => return Some((FAULT, "a question failed")),
            },
            message = socket.recv(), if line.tasks.len() <= QUEUE / 2 => {
                heard = Instant::now();
                if !pace.allows(heard) {
                    return Some((POLICY, "MESSAGES_A_SECOND"));
                }
                match message? {
                    Ok(Message::Text(text)) => {
                        said_hello = true;
                        line.handle(Event::Text(line.page, &text));
                    }
                    Ok(Message::Binary(bytes)) => {
                        line.handle(Event::Binary(line.page, &bytes));
                    }
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(Message::Close(_)) => return None,
                    Err(error) => return Some((POLICY, fault(&error))),
                }
            }
            () = sleep_until(hello.min(silent).min(ping)) => {
                let now = Instant::now();
                if now >= silent {
                    line.handle(Event::Overdue(line.page, Deadline::Silence));
                } else if now >= hello {
                    line.handle(Event::Overdue(line.page, Deadline::Hello));
                } else {
                    pinged = now;
                    let ping = Message::Ping(Bytes::new());
                    timeout(limits.silence, socket.send(ping)).await.ok()?.ok()?;
                }
            }
        }
    }
}

/// The limit that a message exceeds which could not be read, or what it is not.
fn fault(error: &axum::Error) -> &'static str {
    // The reason is in words alone: axum does not pass on the error's type.
    match error.to_string().contains("too long") {
        true => "TABLE_BYTES",
        false => "expected hitscan.view.v1",
    }
}

/// Counts messages: so many may come at once, and that many more each second.
struct Pace {
    a_second: u32,
    left: f64,
    counted: Instant,
}

impl Pace {
    fn new(a_second: u32, now: Instant) -> Self {
        Self {
            a_second,
            left: f64::from(a_second),
            counted: now,
        }
    }

    /// Whether one more message may come.
    fn allows(&mut self, now: Instant) -> bool {
        let most = f64::from(self.a_second);
        let gained = (now - self.counted).as_secs_f64() * most;
        self.left = (self.left + gained).min(most) - 1.0;
        self.counted = now;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_messages_as_a_second_has_may_come_at_once() {
        let begin = Instant::now();
        let mut pace = Pace::new(240, begin);
        assert!((0..240).all(|_| pace.allows(begin)));
        assert!(!pace.allows(begin));
        // A steady stream at the limit goes on for ever.
        let mut pace = Pace::new(240, begin);
        let at = |message: u32| begin + Duration::from_secs_f64(f64::from(message) / 240.0);
        assert!((0..10_000).all(|message| pace.allows(at(message))));
        // One of a twelfth more does not.
        let mut pace = Pace::new(240, begin);
        let at = |message: u32| begin + Duration::from_secs_f64(f64::from(message) / 260.0);
        assert!(!(0..10_000).all(|message| pace.allows(at(message))));
    }
}
