//! Clients that speak no protocol, read nothing or vanish: they harm nobody but themselves.

use crate::{Page, Served, loaded};
use hitscan_view::{Limits, Loaded, Settings, Telling};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::time::Duration;
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

#[test]
fn what_is_not_the_protocol_closes_that_page_alone() {
    let served = Served::ball(Settings::default());
    let mut other = served.page();
    for text in [
        "",
        "garbage",
        "[1, 2]",
        "{}",
        "\u{0}",
        r#"{"type": "ping"}"#,
        r#"{"type": 5, "id": 1}"#,
    ] {
        let mut page = served.page();
        page.say(text);
        assert_eq!(page.until_closed(), (1008, "protocol".to_owned()), "{text}");
        assert!(other.is_served());
    }
    for bytes in [&b""[..], b"abc", &[255; 64], b"\x02\0\0\0{}"] {
        let mut page = served.page();
        page.socket.send(Message::binary(bytes.to_vec())).unwrap();
        assert_eq!(
            page.until_closed(),
            (1008, "protocol".to_owned()),
            "{bytes:?}"
        );
        assert!(other.is_served());
    }
    // Anything before hello.
    let mut page = served.silent_page();
    page.say(r#"{"type": "ping", "id": 1}"#);
    assert_eq!(page.until_closed(), (1008, "protocol".to_owned()));
    assert!(other.is_served());
}

#[test]
fn what_is_no_websocket_closes_that_page_alone() {
    let served = Served::ball(Settings::default());
    let mut other = served.page();
    for bytes in [
        // Not masked, a reserved bit, an unknown opcode, text that is not UTF-8, a long ping, noise.
        &b"\x81\x02hi"[..],
        b"\xf1\x80\0\0\0\0",
        b"\x83\x80\0\0\0\0",
        b"\x81\x82\0\0\0\0\xff\xff",
        b"\x89\xfe\x01\x00\0\0\0\0",
        b"GET / HTTP/1.1\r\n\r\n",
    ] {
        let page = served.page();
        let mut stream = page.socket.get_ref();
        stream.write_all(bytes).unwrap();
        // Some of them promise more.
        stream.shutdown(Shutdown::Write).unwrap();
        let mut rest = Vec::new();
        // A close frame, and then the end.
        let _ = stream.read_to_end(&mut rest);
        assert!(other.is_served(), "{bytes:?}");
    }
}

#[test]
fn what_is_no_http_is_dropped() {
    let served = Served::ball(Settings::default());
    for bytes in [
        &b"\x16\x03\x01\x02\0"[..],
        b"\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        &[0; 4096],
        &[b'a'; 40_000],
    ] {
        let mut stream = served.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert_eq!(served.get("/", "").status, 200);
    }
}

#[test]
fn pages_that_vanish_leave_nothing_behind() {
    let served = Served::ball(Settings::default());
    let mut other = served.page();
    for number in 1..=30 {
        let mut page = served.page();
        page.view(number, [96, 54], number % 2 == 0);
        match number % 3 {
            // In the middle of a frame of ours.
            0 => drop(page.until_frame()),
            // In the middle of one of theirs.
            1 => {
                let text = Frame::message("never ended", OpCode::Data(Data::Text), true);
                let mut bytes = Vec::new();
                text.format(&mut bytes).unwrap();
                page.socket.get_mut().write_all(&bytes[..5]).unwrap();
            }
            _ => {}
        }
        drop(page);
        assert!(other.is_served());
    }
    other.view(1, [64, 36], true);
    other.until_frame();
    // Their places are free: no more than eight pages are open at once.
    let mut pages: Vec<Page> = (0..6).map(|_| served.page()).collect();
    assert!(pages.iter_mut().all(Page::is_served));
}

#[test]
fn a_page_that_reads_nothing_is_not_read_and_then_dropped() {
    // Long enough for the page that reads to answer pings, whatever else the machine does.
    let silence = Duration::from_secs(3);
    let limits = Limits {
        silence,
        ..Limits::default()
    };
    let many: String = (0..2_000)
        .map(|index| format!("[[sphere]]\ncenter = [{index}, 0, 0]\nradius = 0.25\n"))
        .collect();
    let scene = loaded(&many).scene;
    let load = Box::new(move |_: Telling<'_>| {
        let (scene, files) = (scene.clone(), Vec::new());
        Ok(Loaded { scene, files })
    });
    let served = Served::with(
        Settings {
            limits,
            ..Settings::default()
        },
        load,
    );
    let [deaf, mut other] = [served.page(), served.page()];
    // More than the buffers between us hold.
    for id in 2..40 {
        other.say(&format!(r#"{{"type": "reload", "id": {id}}}"#));
        other.until("scene");
    }
    let mut stream = deaf.socket.get_ref();
    stream
        .set_write_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let ping = r#"{"type": "ping", "id": 9}"#.to_owned() + &" ".repeat(60_000);
    let mut frame = Vec::new();
    let text = Frame::message(ping.clone(), OpCode::Data(Data::Text), true);
    text.format(&mut frame).unwrap();
    // Frames of clients are masked; with zeros they stay as they are.
    let head = frame.len() - ping.len();
    frame[1] |= 0x80;
    frame.splice(head..head, [0; 4]);
    let mut written = 0;
    while written < 64 << 20 && stream.write_all(&frame).is_ok() {
        written += frame.len();
    }
    assert!(written < 64 << 20, "all of it was read");
    assert!(other.is_served());
    // It is dropped: what is on its way is the last that it gets. The other is heard meanwhile, since one
    // that says nothing is dropped too.
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    loop {
        match stream.read(&mut [0; 1 << 16]) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                assert!(other.is_served());
            }
            Err(_) => break,
        }
    }
    assert!(other.is_served());
}
