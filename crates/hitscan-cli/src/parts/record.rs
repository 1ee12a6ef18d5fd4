//! The record of parts in their folder: the job, the receipts, the end.

use crate::failure::Failure;
use crate::listing::fields;
use crate::output;
use hitscan_table::{Part, Summary};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const JOB: &str = "_job.json";
const RECEIPTS: &str = "_receipts.jsonl";
const DONE: &str = "_done.json";

/// The files of a folder beside its parts.
pub(super) struct Record<'a> {
    folder: &'a Path,
}

impl<'a> Record<'a> {
    pub(super) fn of(folder: &'a Path) -> Self {
        Self { folder }
    }

    /// Refuses a folder that something else is in, or that cannot be made.
    pub(super) fn check(&self, resumes: bool) -> Result<(), Failure> {
        let shown = self.folder.display();
        let Ok(entries) = fs::read_dir(self.folder) else {
            if self.folder.exists() {
                return Err(Failure::usage(format!(
                    "{shown}: --parts writes a folder, and this is none that can be read"
                )));
            }
            return output::check_place(self.folder);
        };
        if self.path(JOB).exists() {
            return match resumes {
                true => Ok(()),
                false => Err(Failure::usage(format!(
                    "{shown}: parts of an earlier run are there: go on with --resume, or name \
                     another folder"
                ))),
            };
        }
        // One that was killed while it wrote the first file has left only that.
        let is_left_over = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            name.to_string_lossy().starts_with(".hitscan-")
        };
        let mut others = entries.flatten().filter(|entry| !is_left_over(entry));
        match others.next() {
            None => Ok(()),
            Some(_) => Err(Failure::usage(format!(
                "{shown}: the folder is not empty, and has no {JOB} of an earlier run: name another \
                 one"
            ))),
        }
    }

    /// Writes what is answered, or compares it with what an earlier run has written.
    pub(super) fn begin(&self, job: &Json) -> Result<(), Failure> {
        let path = self.path(JOB);
        if !path.exists() {
            let made = fs::create_dir_all(self.folder);
            made.map_err(|error| {
                Failure::other(format!(
                    "{}: cannot be made: {error}",
                    self.folder.display()
                ))
            })?;
            return output::write(&path, format!("{job:#}\n").as_bytes());
        }
        let before = fs::read_to_string(&path);
        let before = before.map_err(|error| error.to_string());
        let before = before.and_then(|text| {
            serde_json::from_str::<Json>(&text).map_err(|error| error.to_string())
        });
        let before =
            before.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        match difference("", &before, job) {
            None => Ok(()),
            Some(what) => Err(Failure::usage(format!(
                "{}: the parts there are of another run: {what}; name another folder",
                self.folder.display()
            ))),
        }
    }

    /// The receipts of those of `parts` that are whole, in order.
    pub(super) fn receipts(&self, parts: &[Part]) -> Vec<Receipt> {
        let mut known: Vec<Receipt> = Vec::new();
        let done = fs::read_to_string(self.path(DONE)).unwrap_or_default();
        if let Ok(done) = serde_json::from_str::<Json>(&done) {
            let all = done["parts"].as_array().into_iter().flatten();
            known.extend(all.filter_map(Receipt::read));
        }
        // A line that a crash has cut off says nothing.
        let log = fs::read_to_string(self.path(RECEIPTS)).unwrap_or_default();
        let lines = log
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        known.extend(lines.filter_map(|line: Json| Receipt::read(&line)));
        // Of a file with several the last.
        let known: BTreeMap<String, Receipt> = known
            .into_iter()
            .map(|receipt| (receipt.file.clone(), receipt))
            .collect();
        let of_part = |part: &Part| {
            let receipt = known.get(&name_of(part))?;
            let size = fs::metadata(&part.output).ok()?.len();
            (receipt.is_of(part) && size == receipt.bytes).then(|| receipt.clone())
        };
        parts.iter().filter_map(of_part).collect()
    }

    /// The log of the parts that become whole; it begins with those that are. From here on not all are,
    /// until [`Record::finish`] says so.
    pub(super) fn log(&self, receipts: &[Receipt]) -> Result<Log, Failure> {
        let lines: String = receipts.iter().map(Receipt::line).collect();
        let path = self.path(RECEIPTS);
        output::write(&path, lines.as_bytes())?;
        let done = self.path(DONE);
        let removed = fs::remove_file(&done).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        removed.map_err(|error| {
            Failure::other(format!("{}: cannot be removed: {error}", done.display()))
        })?;
        let file = OpenOptions::new().append(true).open(&path).ok();
        Ok(Log { file })
    }

    /// Says that all parts are whole.
    ///
    /// # Errors
    /// Where a part may not be on the disk, or this cannot be written.
    pub(super) fn finish(&self, mut receipts: Vec<Receipt>) -> Result<(), Failure> {
        if let Some(lost) = receipts.iter().find(|receipt| receipt.bytes == 0) {
            return Err(Failure::other(format!(
                "{}: the file may not be whole on the disk: go on with --resume",
                self.path(&lost.file).display()
            )));
        }
        receipts.sort_by(|one, other| one.file.cmp(&other.file));
        let sum =
            |count: fn(&Receipt) -> u64| -> Json { receipts.iter().map(count).sum::<u64>().into() };
        let done = fields([
            ("rows", sum(|receipt| receipt.rows)),
            ("answers", sum(|receipt| receipt.answers)),
            ("invalid", sum(|receipt| receipt.invalid)),
            ("parts", receipts.iter().map(Receipt::json).collect()),
        ]);
        output::write(&self.path(DONE), format!("{done:#}\n").as_bytes())?;
        // What cannot be removed says the same.
        let _ = fs::remove_file(self.path(RECEIPTS));
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// What came of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Receipt {
    file: String,
    first_row: u64,
    rows: u64,
    answers: u64,
    invalid: u64,
    bytes: u64,
}

impl Receipt {
    /// That of a part which has just got its name. Its bytes are brought onto the disk first: a receipt
    /// must not outlast them.
    pub(super) fn new(part: &Part, summary: &Summary) -> Self {
        let file = File::open(&part.output);
        let synced = file.and_then(|file| {
            file.sync_all()?;
            file.metadata()
        });
        Self {
            file: name_of(part),
            first_row: summary.first_row,
            rows: summary.rows,
            answers: summary.answers,
            invalid: summary.invalid,
            // One of another size than its file is not believed.
            bytes: synced.map_or(0, |file| file.len()),
        }
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    fn is_of(&self, part: &Part) -> bool {
        let rows = part.rows;
        self.file == name_of(part)
            && (self.first_row, self.rows) == (rows.start, rows.end - rows.start)
    }

    fn json(&self) -> Json {
        fields([
            ("file", self.file.as_str().into()),
            ("first_row", self.first_row.into()),
            ("rows", self.rows.into()),
            ("answers", self.answers.into()),
            ("invalid", self.invalid.into()),
            ("bytes", self.bytes.into()),
        ])
    }

    fn line(&self) -> String {
        format!("{}\n", self.json())
    }

    fn read(json: &Json) -> Option<Self> {
        Some(Self {
            file: json["file"].as_str()?.to_owned(),
            first_row: json["first_row"].as_u64()?,
            rows: json["rows"].as_u64()?,
            answers: json["answers"].as_u64()?,
            invalid: json["invalid"].as_u64()?,
            bytes: json["bytes"].as_u64()?,
        })
    }
}

/// The name of a part's file.
pub(super) fn name_of(part: &Part) -> String {
    let name = part.output.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The receipts of a run that is under way, a line each. It only saves work, so a line that cannot be
/// written, as the disk is full, is no error.
pub(super) struct Log {
    file: Option<File>,
}

impl Log {
    pub(super) fn add(&mut self, receipt: &Receipt) {
        if let Some(file) = &mut self.file {
            let _ = file.write_all(receipt.line().as_bytes());
        }
    }
}

/// The first difference of two values, in words; `place` is where they are.
fn difference(place: &str, before: &Json, now: &Json) -> Option<String> {
    if let (Json::Object(before), Json::Object(now)) = (before, now) {
        let keys = before.keys().chain(now.keys());
        return keys.into_iter().find_map(|key| {
            let place = match place {
                "" => key.clone(),
                place => format!("{place}: {key}"),
            };
            let value =
                |of: &serde_json::Map<String, Json>| of.get(key).cloned().unwrap_or_default();
            difference(&place, &value(before), &value(now))
        });
    }
    if let (Json::Array(before), Json::Array(now)) = (before, now)
        && before.len() == now.len()
    {
        let mut pairs = before.iter().zip(now);
        return pairs.find_map(|(before, now)| {
            let place = match now["file"].as_str() {
                Some(file) => format!("{place}: {file}"),
                None => place.to_owned(),
            };
            difference(&place, before, now)
        });
    }
    if before == now {
        return None;
    }
    let shown = |value: &Json| match value {
        Json::Array(values) => format!("{} of them", values.len()),
        value => value.to_string(),
    };
    Some(format!(
        "{place} was {} and is {}",
        shown(before),
        shown(now)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_named_by_their_place() {
        let before = json!({"options": {"--sides": "both"}, "inputs": [{"file": "a", "bytes": 1}]});
        assert_eq!(difference("", &before, &before), None);
        for (now, words) in [
            (
                json!({"options": {"--sides": "front"}, "inputs": [{"file": "a", "bytes": 1}]}),
                "options: --sides was \"both\" and is \"front\"",
            ),
            (
                json!({"options": {"--sides": "both"}, "inputs": [{"file": "a", "bytes": 2}]}),
                "inputs: a: bytes was 1 and is 2",
            ),
            (
                json!({"options": {"--sides": "both"}, "inputs": []}),
                "inputs was 1 of them and is 0 of them",
            ),
            (
                json!({"options": {}, "inputs": [{"file": "a", "bytes": 1}]}),
                "options: --sides was \"both\" and is null",
            ),
        ] {
            assert_eq!(difference("", &before, &now).as_deref(), Some(words));
        }
    }
}
