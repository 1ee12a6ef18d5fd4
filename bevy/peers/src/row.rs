//! A row of the table: what each subject costs a frame, and how many of its answers are wrong.

use crate::brute_force::Answer;
use crate::subject::Subject;
use core::fmt;
use core::time::Duration;

/// The times of a subject in a row.
#[derive(Debug)]
pub struct Line {
    /// Whose they are.
    pub name: &'static str,
    /// In each round: keeping up with what changed.
    pub upkeep: Vec<Duration>,
    /// In each round: the rays.
    pub rays: Vec<Duration>,
    /// Its answers beside what is true.
    pub errors: Errors,
}

/// How many answers are wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    /// How many answers were compared with brute force.
    pub compared: usize,
    /// Those that name another character or object, or something in place of nothing, or nothing.
    pub wrong: usize,
    /// Those that name the right one, more than 1 cm too near or too far.
    pub off: usize,
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What is measured.
    pub what: String,
    /// The subjects.
    pub lines: Vec<Line>,
    /// What Bevy spends on the same frames: name and time.
    pub bevy: Vec<(&'static str, Duration)>,
    /// How it compares with its aims, a sentence each.
    pub aims: Vec<String>,
}

/// The middle one of some times.
#[must_use]
pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

impl Line {
    /// Without times.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            upkeep: Vec::new(),
            rays: Vec::new(),
            errors: Errors::default(),
        }
    }

    /// The median of upkeep and rays together.
    #[must_use]
    pub fn together(&self) -> Duration {
        let sums = self.upkeep.iter().zip(&self.rays);
        median(
            &sums
                .map(|(upkeep, rays)| *upkeep + *rays)
                .collect::<Vec<_>>(),
        )
    }
}

impl Errors {
    /// Compares answers with what is true.
    #[must_use]
    pub fn of(answers: &[Answer], truth: &[Answer]) -> Self {
        let mut errors = Self::default();
        for (answer, truth) in answers.iter().zip(truth) {
            errors.compared += 1;
            match (answer, truth) {
                (None, None) => {}
                (Some((one, near)), Some((other, far))) if one == other => {
                    errors.off += usize::from((near - far).abs() > 0.01);
                }
                _ => errors.wrong += 1,
            }
        }
        errors
    }
}

impl Row {
    /// The line of a subject.
    ///
    /// # Panics
    /// Where it has none.
    #[must_use]
    pub fn line(&self, subject: Subject) -> &Line {
        let line = self.lines.iter().find(|line| line.name == subject.name());
        line.expect("the subject is in the row")
    }
}

/// Milliseconds, with three digits that count.
pub(crate) fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        _ if ms == 0.0 => "0".to_owned(),
        _ if ms >= 100.0 => format!("{ms:.0}"),
        _ if ms >= 10.0 => format!("{ms:.1}"),
        _ if ms >= 1.0 => format!("{ms:.2}"),
        _ if ms >= 0.1 => format!("{ms:.3}"),
        _ => format!("{ms:.4}"),
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "### {}: {}\n", self.name, self.what)?;
        writeln!(
            f,
            "| | upkeep, ms | rays, ms | together, ms | wrong | off |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|")?;
        for line in &self.lines {
            let Errors {
                compared,
                wrong,
                off,
            } = line.errors;
            writeln!(
                f,
                "| {} | {} | {} | {} | {wrong} of {compared} | {off} |",
                line.name,
                ms(median(&line.upkeep)),
                ms(median(&line.rays)),
                ms(line.together()),
            )?;
        }
        let bevy = self.bevy.iter();
        let bevy: Vec<String> = bevy
            .map(|(what, time)| format!("{what} {} ms", ms(*time)))
            .collect();
        writeln!(f, "\nBevy in the same frames: {}.", bevy.join(", "))?;
        for aim in &self.aims {
            writeln!(f, "{aim}")?;
        }
        Ok(())
    }
}

/// How many times as long one time is as another.
pub(crate) fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64().max(1e-12)
}
