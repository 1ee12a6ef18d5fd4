//! Loading, reloading and the end, as pages see them.

use crate::{Heard, Served, loaded};
use hitscan_view::{KeyRule, Limits, Loaded, ServeError, Server, Settings, Telling};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::mpsc;

const TWO: &str = "[[sphere]]\nname = 'ball'\ncenter = [0, 0, 0]\nradius = 1\n\
                   [[sphere]]\nname = 'other'\ncenter = [3, 0, 0]\nradius = 1\n";

#[test]
fn pages_are_told_when_the_program_ends() {
    let served = Served::ball(Settings::default());
    let [mut one, mut other] = [served.page(), served.page()];
    one.view(1, [640, 360], false);
    served.stopper.stop();
    for page in [&mut one, &mut other] {
        assert_eq!(page.until("bye")["reason"], "the program ends");
        assert_eq!(page.until_closed().0, 1001);
    }
    assert!(served.stop().is_ok());
}

#[test]
fn a_server_that_nobody_sees_ends_too() {
    assert!(Served::ball(Settings::default()).stop().is_ok());
}

/// A loader that takes the steps it is sent, each time.
fn led() -> (mpsc::Sender<Step>, hitscan_view::Loader) {
    let (steps, next) = mpsc::channel();
    let load = move |tell: Telling<'_>| loop {
        match next.recv().unwrap() {
            Step::Tell(file, done) => tell(Some(Path::new(file)), done),
            Step::Done(text) => return Ok(loaded(text)),
            Step::Fail(message) => return Err(message.to_owned()),
        }
    };
    (steps, Box::new(load))
}

enum Step {
    Tell(&'static str, f64),
    Done(&'static str),
    Fail(&'static str),
}

#[test]
fn a_page_sees_how_far_loading_is() {
    let (steps, load) = led();
    // The page below says as much as it can.
    let limits = Limits {
        messages: u32::MAX,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let served = Served::with(settings, load);
    let mut page = served.silent_page();
    page.hello();
    assert_eq!(page.until("loading")["done"], 0.0);
    // Reported at most every twentieth of a second.
    let told = loop {
        steps.send(Step::Tell("hill.png", 0.5)).unwrap();
        page.say(r#"{"type": "ping", "id": 3}"#);
        if let Heard::Text(message) = page.hear()
            && message["type"] == "loading"
        {
            break message;
        }
    };
    assert_eq!(
        (&told["file"], &told["done"]),
        (&"hill.png".into(), &0.5.into())
    );
    steps.send(Step::Done(TWO)).unwrap();
    assert_eq!(page.until("scene")["objects_total"], 2);
}

#[test]
fn a_scene_that_cannot_be_read_at_first_ends_the_server() {
    let (steps, load) = led();
    let mut served = Served::with(Settings::default(), load);
    let mut page = served.silent_page();
    page.hello();
    page.until("loading");
    let message = "scene.toml: line 3: expected a name";
    steps.send(Step::Fail(message)).unwrap();
    let failed = page.until("failed");
    assert_eq!(
        (&failed["message"], &failed["keeps"]),
        (&message.into(), &false.into())
    );
    assert_eq!(page.until_closed().0, 1001);
    let ended = served.thread.take().unwrap().join().unwrap();
    assert!(matches!(ended, Err(ServeError::Scene(own)) if own == message));
}

#[test]
fn a_browser_that_is_on_its_way_is_told_too() {
    let patience = crate::PATIENCE;
    let load = Box::new(|_: Telling<'_>| Err("no such file".to_owned()));
    let served = Served::with(
        Settings {
            patience,
            ..Settings::default()
        },
        load,
    );
    let mut page = served.silent_page();
    page.hello();
    assert_eq!(page.until("failed")["message"], "no such file");
    assert_eq!(page.until_closed().0, 1001);
}

#[test]
fn files_are_read_again_for_a_page_and_the_old_scene_stays_where_they_cannot_be() {
    let (steps, load) = led();
    let served = Served::with(Settings::default(), load);
    steps.send(Step::Done(crate::BALL)).unwrap();
    let [mut page, mut other] = [served.page(), served.page()];
    steps.send(Step::Fail("scene.toml: line 1: no")).unwrap();
    page.say(r#"{"type": "reload", "id": 2}"#);
    for page in [&mut page, &mut other] {
        let failed = page.until("failed");
        assert_eq!(
            (&failed["message"], &failed["keeps"]),
            (&"scene.toml: line 1: no".into(), &true.into())
        );
        assert!(page.is_served());
    }
    steps.send(Step::Done(TWO)).unwrap();
    other.say(r#"{"type": "reload", "id": 2}"#);
    for page in [&mut page, &mut other] {
        assert_eq!(page.until("scene")["objects_total"], 2);
    }
}

#[test]
fn files_that_change_are_read_again() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, crate::BALL).unwrap();
    let file = path.clone();
    let load = Box::new(move |_: Telling<'_>| {
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let files = vec![file.clone()];
        Ok(Loaded {
            files,
            ..loaded(&text)
        })
    });
    let served = Served::with(
        Settings {
            watch: true,
            ..Settings::default()
        },
        load,
    );
    let mut page = served.page();
    std::fs::write(&path, TWO).unwrap();
    assert_eq!(page.until("scene")["objects_total"], 2);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(page.until("failed")["keeps"], true);
    std::fs::write(&path, crate::BALL).unwrap();
    assert_eq!(page.until("scene")["objects_total"], 1);
}

#[test]
fn the_link_has_a_key_that_pages_must_say() {
    let bound = |listen, key| {
        let port = Some(0);
        Server::bind(Settings {
            listen,
            key,
            port,
            ..Settings::default()
        })
        .unwrap()
    };
    let key_of = |server: &Server, host: &str| {
        let address = format!("http://{host}:{}/", server.address().port());
        let link = server.link();
        let rest = link
            .strip_prefix(&address)
            .unwrap_or_else(|| panic!("{link}"));
        let key = rest.strip_prefix("#key=").map(str::to_owned);
        assert!(key.is_some() || rest.is_empty(), "{link}");
        key
    };
    let is_key = |key: &str| key.len() == 32 && key.bytes().all(|digit| digit.is_ascii_hexdigit());
    let loopback = Some(Ipv4Addr::LOCALHOST.into());
    let [own, other] = [None, loopback].map(|listen| bound(listen, KeyRule::Always));
    assert!(!own.is_open_to_others() && !other.is_open_to_others());
    let keys = [&own, &other].map(|server| key_of(server, "127.0.0.1").unwrap());
    assert!(keys.iter().all(|key| is_key(key)) && keys[0] != keys[1]);
    for listen in [None, loopback] {
        let open = bound(listen, KeyRule::BeyondThisMachine);
        assert_eq!(key_of(&open, "127.0.0.1"), None);
    }
    // Bound and never served: who listens beyond this machine has a key in any case.
    let all = Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let open = bound(all, KeyRule::BeyondThisMachine);
    let key = key_of(&open, "localhost").unwrap();
    assert!(open.is_open_to_others() && is_key(&key));
    // What networks this machine has is not for a test to say.
    let end = format!(":{}/#key={key}", open.address().port());
    for link in open.other_links() {
        let host = link
            .strip_prefix("http://")
            .and_then(|link| link.strip_suffix(&end));
        let host: IpAddr = host.unwrap_or_else(|| panic!("{link}")).parse().unwrap();
        assert!(host.is_ipv4() && !host.is_loopback(), "{link}");
    }
    assert!(own.other_links().is_empty());
}

#[test]
fn who_has_no_key_gets_nothing_but_the_page_itself() {
    let served = Served::ball(Settings::default());
    let own = served.hello.rsplit('"').nth(1).unwrap().to_owned();
    let wrong = own.chars().rev().collect::<String>();
    assert!(own.len() == 32 && wrong != own);
    for key in [None, Some(""), Some("0"), Some(&own[1..]), Some(&*wrong)] {
        let mut page = served.silent_page();
        page.hello = match key {
            Some(key) => served.hello.replace(&own, key),
            None => r#"{"type": "hello", "id": 1}"#.to_owned(),
        };
        page.hello();
        let Heard::Text(refused) = page.hear() else {
            panic!("{key:?}");
        };
        assert_eq!(
            (&refused["type"], &refused["field"]),
            (&"refused".into(), &"key".into())
        );
        assert_eq!(page.until_closed(), (1008, "key".to_owned()), "{key:?}");
    }
    // Nothing that is handed out has it.
    for path in ["/", "/main.js", "/view", "/none"] {
        let answer = served.get(path, "");
        assert!(
            !answer.body.windows(32).any(|part| part == own.as_bytes()),
            "{path}"
        );
        assert!(
            !answer.headers.values().any(|value| value.contains(&own)),
            "{path}"
        );
    }
    served.page();
}
