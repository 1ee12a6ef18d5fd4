//! `hitscan view` beside its own rays alone, as a page that only reads sees it and as a browser draws it.
//!
//! `hitscan-bench-view PROGRAM [--quick] [--without-browser REASON]` has the program write the demo, starts it on that
//! and other scenes (`inputs.rs`), connects pages (`page.rs`) and a browser (`browser.rs`) to it, casts the rays of the
//! very same frames without it (`alone.rs`), in turns, and prints a table of ratios.
//! `cargo xtask bench view` builds both, installs what the browser needs, and writes the table.

#[path = "../../src/random.rs"]
#[expect(dead_code, reason = "the other benches ask more of it")]
mod random;
mod inputs;
mod turned;
mod pace;
mod program;
mod page;
mod browser;
mod alone;
mod table;
mod rows;

use alone::Alone;
use browser::Browser;
use inputs::Inputs;
use program::Program;
use rows::turning::Rows;
use rows::{LARGE, SMALL};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How many rounds are run; each row is the median of its rounds.
const ROUNDS: usize = 5;
/// How many clicks and pings are measured in all.
const CLICKS: usize = 500;
/// How long one side of a round turns its camera.
const TURN: Duration = Duration::from_secs(2);

/// How much is measured.
#[derive(Clone, Copy)]
struct Amount {
    rounds: usize,
    clicks: usize,
    turn: Duration,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(program) = arguments.next() else {
        return usage();
    };
    let mut amount = Amount {
        rounds: ROUNDS,
        clicks: CLICKS,
        turn: TURN,
    };
    let mut no_browser = None;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => {
                amount = Amount {
                    rounds: 1,
                    clicks: 50,
                    turn: TURN / 4,
                }
            }
            "--without-browser" => no_browser = arguments.next(),
            _ => return usage(),
        }
    }
    match run(&program, amount, no_browser.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: hitscan-bench-view PROGRAM [--quick] [--without-browser REASON]");
    ExitCode::FAILURE
}

fn run(path: &str, amount: Amount, no_browser: Option<&str>) -> Result<()> {
    let inputs = Inputs::new(path)?;
    let mut browser = match no_browser {
        None => Some(Browser::start()?),
        Some(_) => None,
    };
    let shown = |scene: &Path| -> Result<(Program, Alone)> {
        Ok((Program::start(path, scene)?, Alone::new(scene)?))
    };
    table::head();
    let (program, alone) = shown(&inputs.demo())?;
    let rows = Rows {
        scene: "the demo",
        streamed: ["V2", ">= 0.75"],
        drawn: ["V3", ">= 0.6"],
    };
    for size in [SMALL, LARGE] {
        let browser = browser.as_mut();
        rows::turning::run((&program, &alone), browser, size, amount, &rows)?;
    }
    if let Some(browser) = &mut browser {
        let mesh = inputs.mesh()?;
        let (program, alone) = shown(&mesh.scene)?;
        rows::peer::run((&program, &alone), browser, &mesh, amount)?;
    }
    rows::clicks::run(&program, amount)?;
    rows::pages::run(&program, amount)?;
    rows::refinement::run(&program, &alone, amount)?;
    drop((program, alone));
    for (scene, path) in [
        ("a thousand robots", inputs.crowd()),
        ("a map of 4097x4097", inputs.map()?),
    ] {
        let (program, alone) = shown(&path)?;
        let rows = Rows {
            scene,
            streamed: ["", "-"],
            drawn: ["", "-"],
        };
        rows::turning::run((&program, &alone), browser.as_mut(), SMALL, amount, &rows)?;
    }
    if let Some(reason) = no_browser {
        println!("\nV3 and V4 are not measured: {reason}.");
    }
    Ok(())
}
