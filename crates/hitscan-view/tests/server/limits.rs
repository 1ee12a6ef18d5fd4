//! Each limit that the server keeps, by its name. Those of the viewer have their tests beside it.

use crate::{Heard, Page, Served};
use hitscan_view::protocol::FrameHeader;
use hitscan_view::{Limits, Settings, limits};
use std::io::{Read as _, Write as _};
use std::time::Duration;
use tungstenite::Message;

/// Short enough to be waited for.
const SHORT: Duration = Duration::from_millis(60);

fn settings(limits: Limits) -> Settings {
    Settings {
        limits,
        ..Settings::default()
    }
}

fn closed(page: &mut Page) -> (u16, String) {
    page.until_closed()
}

#[test]
fn the_defaults_are_those_of_the_protocol() {
    let own = Limits::default();
    assert_eq!((own.sockets, own.messages), (64, 240));
    assert_eq!(
        (
            own.headers.as_secs(),
            own.hello.as_secs(),
            own.silence.as_secs()
        ),
        (5, 5, 30)
    );
    let fixed = (limits::PAGES, limits::CONTROL_BYTES, limits::TABLE_BYTES);
    assert_eq!(fixed, (8, 64 << 10, 8 << 20));
}

#[test]
fn a_client_that_says_no_head_is_dropped() {
    let limits = Limits {
        headers: SHORT,
        ..Limits::default()
    };
    let served = Served::ball(settings(limits));
    for beginning in ["", "G", "GET / HTTP/1.1\r\nHost: localhost"] {
        let mut stream = served.connect();
        stream.write_all(beginning.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
    }
}

#[test]
fn a_client_that_asks_and_reads_nothing_is_dropped() {
    let limits = Limits {
        headers: SHORT,
        silence: SHORT,
        sockets: 1,
        ..Limits::default()
    };
    let served = Served::ball(settings(limits));
    let mut stream = served.connect();
    // More answers than fit into the buffers between us.
    let request = format!(
        "GET /main.js HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
        served.port
    );
    stream.set_write_timeout(Some(SHORT)).unwrap();
    while stream.write_all(request.repeat(100).as_bytes()).is_ok() {}
    // Its place is free again.
    while served.status() != Some(200) {}
}

#[test]
fn a_connection_too_many_is_refused_by_name() {
    let limits = Limits {
        sockets: 2,
        ..Limits::default()
    };
    let served = Served::ball(settings(limits));
    let (one, mut page) = (served.connect(), served.page());
    let answer = served.get("/", "");
    assert_eq!((answer.status, answer.text()), (503, "limit: SOCKETS\n"));
    assert!(page.is_served());
    drop(one);
    while served.status() != Some(200) {}
    // A page that is gone leaves its place too.
    drop(page);
    let _other = served.connect();
    while served.status() != Some(200) {}
}

#[test]
fn a_page_too_many_is_refused_by_name() {
    let served = Served::ball(Settings::default());
    let mut pages: Vec<Page> = (0..limits::PAGES).map(|_| served.page()).collect();
    let mut other = served.silent_page();
    let Heard::Text(refused) = other.hear() else {
        panic!("not refused");
    };
    assert_eq!(
        (&refused["type"], &refused["limit"]),
        (&"refused".into(), &"PAGES".into())
    );
    assert_eq!(closed(&mut other), (1008, "PAGES".to_owned()));
    assert!(pages.iter_mut().all(Page::is_served));
    // Once one is gone there is room for another.
    pages.pop();
    loop {
        let mut other = served.silent_page();
        other.hello();
        if matches!(other.hear(), Heard::Text(message) if message["type"] == "scene") {
            break;
        }
    }
}

#[test]
fn a_page_that_says_no_hello_is_closed() {
    let served = Served::ball(settings(Limits {
        hello: SHORT,
        ..Limits::default()
    }));
    let late = (1008, "HELLO_SECS".to_owned());
    assert_eq!(closed(&mut served.silent_page()), late);
    // One that did stays. Where the machine is busy, it may be late too.
    let mut page = loop {
        let mut page = served.silent_page();
        page.hello();
        if matches!(page.hear(), Heard::Text(_)) {
            break page;
        }
    };
    assert_eq!(closed(&mut served.silent_page()), late);
    assert!(page.is_served());
}

#[test]
fn a_page_that_is_silent_is_closed() {
    let served = Served::ball(settings(Limits {
        silence: SHORT,
        ..Limits::default()
    }));
    let mut page = served.silent_page();
    page.hello();
    // It reads, but answers no ping.
    let mut bytes = Vec::new();
    let _ = page.socket.get_ref().read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.ends_with("\u{3}\u{fffd}SILENT_SECS"), "{text}");
}

#[test]
fn a_page_that_answers_pings_stays() {
    let silence = Duration::from_secs(1);
    let served = Served::ball(settings(Limits {
        silence,
        ..Limits::default()
    }));
    let mut page = served.page();
    for _ in 0..4 {
        // Reading a ping sends the pong.
        while !matches!(page.socket.read().unwrap(), Message::Ping(_)) {}
    }
    assert!(page.is_served());
}

#[test]
fn a_control_message_has_a_greatest_length() {
    let served = Served::ball(Settings::default());
    let mut page = served.page();
    let ping = |length: usize| {
        let ping = r#"{"type": "ping", "id": 5}"#;
        ping.to_owned() + &" ".repeat(length - ping.len())
    };
    page.say(&ping(limits::CONTROL_BYTES));
    assert_eq!(page.until("pong")["id"], 5);
    page.say(&ping(limits::CONTROL_BYTES + 1));
    assert_eq!(closed(&mut page), (1008, "CONTROL_BYTES".to_owned()));
}

#[test]
fn a_table_has_a_greatest_length() {
    let served = Served::ball(Settings::default());
    let mut page = served.page();
    // The head of a message that is one byte too long: it is refused before the rest is there.
    let length = u64::try_from(limits::TABLE_BYTES + 1).unwrap();
    let head = [&[0x82, 0xff][..], &length.to_be_bytes(), &[1, 2, 3, 4]].concat();
    page.socket.get_mut().write_all(&head).unwrap();
    assert_eq!(closed(&mut page), (1008, "TABLE_BYTES".to_owned()));
}

#[test]
fn messages_have_a_greatest_number_a_second() {
    let served = Served::ball(settings(Limits {
        messages: 20,
        ..Limits::default()
    }));
    let mut page = served.page();
    for _ in 0..200 {
        // It may be closed before all are sent.
        let _ = page
            .socket
            .send(Message::text(r#"{"type": "ping", "id": 5}"#));
    }
    assert_eq!(closed(&mut page), (1008, "MESSAGES_A_SECOND".to_owned()));
}

#[test]
fn frames_wait_until_those_before_are_shown() {
    let served = Served::ball(Settings::default());
    let mut page = served.page();
    page.view(1, [64, 36], false);
    let number = |frame: &[u8]| FrameHeader::parse(frame).unwrap().0.frame;
    let sent = [page.until_frame(), page.until_frame()].map(|frame| number(&frame));
    // Nothing but the answer comes while two frames are not shown.
    page.say(r#"{"type": "ping", "id": 9}"#);
    assert!(matches!(page.hear(), Heard::Text(pong) if pong["id"] == 9));
    page.say(&format!(
        r#"{{"type": "shown", "id": 10, "frame": {}}}"#,
        sent[0]
    ));
    assert_eq!(number(&page.until_frame()), sent[1] + 1);
}
