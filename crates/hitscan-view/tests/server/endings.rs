//! Loading, reloading and the end, as pages see them.

use crate::{Heard, Served, loaded};
use hitscan_view::{Limits, Loaded, ServeError, Server, Settings, Telling};
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

/// A loader that does what it is told, each time.
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
    // Told at most every twentieth of a second.
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
fn only_a_server_that_others_reach_has_a_key() {
    let bound = |listen| {
        let port = Some(0);
        Server::bind(Settings {
            listen,
            port,
            ..Settings::default()
        })
        .unwrap()
    };
    let own = bound(None);
    assert_eq!(
        own.link(),
        format!("http://127.0.0.1:{}/", own.address().port())
    );
    assert!(
        !own.is_open_to_others() && !bound(Some(Ipv4Addr::LOCALHOST.into())).is_open_to_others()
    );
    // Bound and never served.
    let [open, other] = [0, 1].map(|_| bound(Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED))));
    assert!(open.is_open_to_others());
    let link = open.link();
    let (address, key) = link.split_once("#key=").unwrap();
    assert_eq!(
        address,
        format!("http://localhost:{}/", open.address().port())
    );
    assert!(key.len() == 32 && !other.link().contains(key), "{link}");
}
