//! `hitscan view` beside its own rays alone, as a page that only reads sees it.
//!
//! `hitscan-bench-view PROGRAM [--quick]` has the program write the demo, starts it on that scene, connects pages to it
//! (`page.rs`), casts the same rays without it (`alone.rs`), in turns, and prints a table of ratios.
//! `cargo xtask bench view` builds both and writes the table.

mod alone;
mod page;
mod program;

use alone::Alone;
use page::{Ending, Page};
use program::Program;
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How many rounds are run; each row is the median of its rounds.
const ROUNDS: usize = 5;
/// How many clicks and pings are measured in all.
const CLICKS: usize = 500;
/// How long one side of a round turns its camera.
const TURN: Duration = Duration::from_secs(2);

const SMALL: [u32; 2] = [640, 360];
const LARGE: [u32; 2] = [1280, 720];

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
        eprintln!("usage: hitscan-bench-view PROGRAM [--quick]");
        return ExitCode::FAILURE;
    };
    let amount = match arguments.next().as_deref() {
        Some("--quick") => Amount {
            rounds: 1,
            clicks: 50,
            turn: TURN / 4,
        },
        _ => Amount {
            rounds: ROUNDS,
            clicks: CLICKS,
            turn: TURN,
        },
    };
    match run(&program, amount) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: &str, amount: Amount) -> Result<()> {
    let program = Program::start(program)?;
    let alone = Alone::new(&program.scene())?;
    println!("| row | what | value | beside | ratio | aim |");
    println!("|---|---|--:|--:|--:|--:|");
    for size in [SMALL, LARGE] {
        turning(&program, &alone, size, amount)?;
    }
    clicks(&program, amount)?;
    two_pages(&program, amount)?;
    refinement(&program, &alone, amount)
}

/// V2: a turning camera, read by a client that only reads.
fn turning(program: &Program, alone: &Alone, size: [u32; 2], amount: Amount) -> Result<()> {
    let (mut streamed, mut bare, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..amount.rounds {
        let turned = Page::open(program)?.turn(size, amount.turn)?;
        streamed.push(turned.rays_a_second());
        frames.push(turned.frames_a_second());
        bare.push(alone.turn(size, turned.scale, amount.turn)?);
    }
    let [width, height] = size;
    let what = format!("turning, {width}x{height}: million rays a second / the rays alone");
    let [streamed, bare] = [streamed, bare].map(median);
    row(
        "V2",
        &what,
        streamed / 1e6,
        bare / 1e6,
        Some(streamed / bare),
        ">= 0.75",
    );
    println!("| | frames a second of it | {:.1} | | | |", median(frames));
    Ok(())
}

/// V5: from a click to its answer, at rest and while a picture is refined.
fn clicks(program: &Program, amount: Amount) -> Result<()> {
    let mut page = Page::open(program)?;
    page.rest(SMALL)?;
    let (mut pings, mut clicks) = (Vec::new(), Vec::new());
    for number in 0..amount.clicks {
        pings.push(micros(|| page.ping())?);
        clicks.push(micros(|| page.click(number))?);
    }
    let (ping, click) = (median(pings), median(clicks));
    row(
        "V5",
        "click to answer at rest: µs / a ping at rest",
        click,
        ping,
        Some(click / ping),
        "<= 2",
    );
    let mut clicks = Vec::new();
    page.refine(LARGE)?;
    for number in 0..amount.clicks {
        if page.is_finished() {
            page.refine(LARGE)?;
        }
        clicks.push(micros(|| page.click(number))?);
    }
    let click = median(clicks);
    row(
        "V5",
        "the same while a picture is refined",
        click,
        ping,
        Some(click / ping),
        "<= 4",
    );
    Ok(())
}

/// V6: two pages that turn, and one beside a page that reads nothing.
fn two_pages(program: &Program, amount: Amount) -> Result<()> {
    let (mut one, mut sum, mut least, mut beside) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..amount.rounds {
        one.push(
            Page::open(program)?
                .turn(SMALL, amount.turn)?
                .rays_a_second(),
        );
        let both = std::thread::scope(|scope| {
            let turn = || -> std::result::Result<f64, String> {
                let mut page = Page::open(program).map_err(|error| error.to_string())?;
                let turned = page
                    .turn(SMALL, amount.turn)
                    .map_err(|error| error.to_string())?;
                Ok(turned.rays_a_second())
            };
            [scope.spawn(turn), scope.spawn(turn)].map(std::thread::ScopedJoinHandle::join)
        });
        let mut rates = Vec::new();
        for rate in both {
            rates.push(rate.map_err(|_| "a page's thread failed")??);
        }
        sum.push(rates[0] + rates[1]);
        least.push(rates[0].min(rates[1]));
        // One that asked for a large picture and reads none of it.
        let mut deaf = Page::open(program)?;
        deaf.refine(LARGE)?;
        deaf.leave_unread()?;
        beside.push(
            Page::open(program)?
                .turn(SMALL, amount.turn)?
                .rays_a_second(),
        );
    }
    let [one, sum, least, beside] = [one, sum, least, beside].map(median);
    let million = |rate: f64| rate / 1e6;
    for (what, value, aim) in [
        (
            "two pages turning, together: million rays a second / one",
            sum,
            ">= 0.9",
        ),
        ("the slower of the two", least, ">= 0.4"),
        ("one page beside one that reads nothing", beside, ">= 0.9"),
    ] {
        row(
            "V6",
            what,
            million(value),
            million(one),
            Some(value / one),
            aim,
        );
    }
    Ok(())
}

/// V7: a picture that is refined to its end.
fn refinement(program: &Program, alone: &Alone, amount: Amount) -> Result<()> {
    let (mut streamed, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..amount.rounds {
        let mut page = Page::open(program)?;
        let begin = Instant::now();
        page.refine(SMALL)?;
        let Ending { passes } = page.until_finished()?;
        let seconds = begin.elapsed().as_secs_f64();
        // The passes are the same, so their rays are.
        let painted = alone.refine(SMALL, passes)?;
        streamed.push(painted.rays / seconds);
        bare.push(painted.rays / painted.seconds);
    }
    let [streamed, bare] = [streamed, bare].map(median);
    let what = "refinement, 640x360: million rays a second / the same passes alone";
    row(
        "V7",
        what,
        streamed / 1e6,
        bare / 1e6,
        Some(streamed / bare),
        ">= 0.7",
    );
    Ok(())
}

fn row(name: &str, what: &str, value: f64, beside: f64, ratio: Option<f64>, aim: &str) {
    let ratio = ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    println!("| {name} | {what} | {value:.1} | {beside:.1} | {ratio} | {aim} |");
}

fn micros(act: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begin = Instant::now();
    act()?;
    Ok(begin.elapsed().as_secs_f64() * 1e6)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
