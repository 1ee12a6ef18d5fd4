//! A soak: `soak [MINUTES]`, ten by default. Called by `cargo xtask soak`.

use hitscan_testkit::soak::Soak;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let minutes = match std::env::args().nth(1).map(|text| text.parse::<f64>()) {
        None => 10.0,
        Some(Ok(minutes)) if minutes > 0.0 && minutes.is_finite() => minutes,
        Some(_) => {
            eprintln!("soak: the first argument is a number of minutes");
            return ExitCode::from(2);
        }
    };
    let begin = Instant::now();
    let whole = Duration::from_secs_f64(60.0 * minutes);
    let mut soak = Soak::new(0x50A4, 24);
    let mut next_line = LINE;
    // The size of the process when the world had its usual size, and its maximum since.
    let (mut warm, mut most) = (None, 0);
    while begin.elapsed() < whole {
        soak.frame();
        if soak.is_memory_flat().is_some() {
            let resident = resident_kib().unwrap_or_default();
            warm.get_or_insert(resident);
            most = most.max(resident);
        }
        if begin.elapsed() >= next_line {
            println!(
                "{:4.0} s: {}",
                begin.elapsed().as_secs_f64(),
                soak.summary()
            );
            next_line += LINE;
        }
    }
    println!("{}", soak.summary());
    match (soak.is_memory_flat(), warm) {
        (Some(true), Some(warm)) if most <= warm + warm / 2 => {
            println!("memory is flat: {warm} KiB resident when warm, at most {most} KiB since");
            ExitCode::SUCCESS
        }
        (Some(_), Some(warm)) => {
            eprintln!("soak: memory grew: {warm} KiB resident when warm, {most} KiB since");
            ExitCode::FAILURE
        }
        _ => {
            eprintln!("soak: too short to tell whether memory is flat");
            ExitCode::FAILURE
        }
    }
}

/// The memory of this process, where the system reports it.
fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
