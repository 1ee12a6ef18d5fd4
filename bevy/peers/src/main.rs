//! Runs the rows and prints them as Markdown: `peers [ROW..]`.

use peers::{Row, at_rest, coming_and_going, in_motion, one_pointer, past_ticks, thousand_rays};
use std::process::ExitCode;

const ROWS: [&str; 6] = ["E1", "E2", "E3", "E4", "E5", "E6"];

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = asked.iter().find(|name| !ROWS.contains(&name.as_str())) {
        eprintln!("no row {unknown}; the rows are {}", ROWS.join(" "));
        return ExitCode::FAILURE;
    }
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    let show = |row: &Row| println!("{row}");
    if is_asked("E1") {
        show(&one_pointer(31));
    }
    if is_asked("E2") {
        show(&thousand_rays(11));
    }
    if is_asked("E3") {
        show(&at_rest(31));
    }
    if is_asked("E4") || is_asked("E5") {
        // E5 is reported beside E4.
        let moving = in_motion(21);
        show(&moving);
        if is_asked("E5") {
            show(&coming_and_going(21, &moving));
        }
    }
    if is_asked("E6") {
        show(&past_ticks(21));
    }
    ExitCode::SUCCESS
}
