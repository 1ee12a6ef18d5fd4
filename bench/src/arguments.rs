//! The command line.

use crate::catalogue;
use std::path::PathBuf;

const USAGE: &str = include_str!("../usage.txt");

pub enum Command {
    Drive(Drive),
    Group(Group),
}

/// The run that the user sees.
#[derive(Debug, Default)]
pub struct Drive {
    pub patterns: Vec<String>,
    pub is_quick: bool,
    pub is_ours_alone: bool,
    pub csv: Option<PathBuf>,
    /// The repository whose numbers are replaced.
    pub publish: Option<PathBuf>,
    /// The same program in the tuned profile.
    pub tuned: Option<PathBuf>,
    /// The program of another checkout, which this one is compared with.
    pub against: Option<PathBuf>,
    /// What went wrong before this program ran, such as a peer that could not be installed.
    pub notes: Vec<String>,
}

/// One process of that run: workloads that share what is built.
#[derive(Debug)]
pub struct Group {
    pub workloads: Vec<String>,
    pub is_quick: bool,
    pub is_ours_alone: bool,
}

pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut drive = Drive::default();
    let mut group = None;
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or(format!("{argument} needs a value\n{USAGE}"))
        };
        match argument.as_str() {
            "--quick" => drive.is_quick = true,
            "--ours" => drive.is_ours_alone = true,
            "--csv" => drive.csv = Some(value()?.into()),
            "--publish" => drive.publish = Some(value()?.into()),
            "--tuned-program" => drive.tuned = Some(value()?.into()),
            "--against-program" => drive.against = Some(value()?.into()),
            "--note" => drive.notes.push(value()?),
            "--group" => group = Some(value()?),
            "--help" | "-h" => return Err(USAGE.to_owned()),
            other if other.starts_with('-') => return Err(format!("unknown: {other}\n{USAGE}")),
            other => drive.patterns.push(other.to_owned()),
        }
    }
    catalogue::select(&drive.patterns, drive.is_quick)?;
    Ok(match group {
        None => Command::Drive(drive),
        Some(names) => Command::Group(Group {
            workloads: names.split(',').map(str::to_owned).collect(),
            is_quick: drive.is_quick,
            is_ours_alone: drive.is_ours_alone,
        }),
    })
}
