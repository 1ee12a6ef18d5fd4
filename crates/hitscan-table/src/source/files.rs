//! The files of an input, one after the other.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use super::agreement::agree;
use super::rows::{ChunkFile, InputSchema};
use super::table_reader::TableReader;
use crate::columnar::RowSelection;
use crate::pipeline::Stop;
use crate::run_options::RunOptions;
use crate::{Error, Format, Input};

/// The file that is read, and those that follow.
pub(super) struct Files<'a> {
    /// What messages call the whole input.
    name: String,
    /// The file that is read, where there are several.
    current: Option<ChunkFile>,
    /// The others that follow, with their sizes.
    following: VecDeque<(PathBuf, u64)>,
    /// The bytes of the files before, of the one that is read, and of all.
    sizes: [u64; 3],
    input_format: Option<Format>,
    batch_rows: usize,
    stop: Stop<'a>,
}

impl<'a> Files<'a> {
    /// Checks that several files have the same columns; what is to be opened first, and the schema of all
    /// where there are several.
    pub(super) fn new(
        input: Input,
        options: &RunOptions<'_>,
        stop: Stop<'a>,
    ) -> Result<(Self, Input, Option<InputSchema>), Error> {
        let mut files = Self {
            name: input.name(),
            current: None,
            following: VecDeque::new(),
            sizes: [0; 3],
            input_format: options.input_format,
            batch_rows: options.batch_rows.get(),
            stop,
        };
        let paths = match input {
            Input::Files(paths) if paths.len() != 1 => paths,
            Input::Files(mut paths) => {
                return Ok((files, Input::File(paths.remove(0)), None));
            }
            input => return Ok((files, input, None)),
        };
        let Some(first) = paths.first().cloned() else {
            return Err(Error::NoFiles);
        };
        if options.row_groups.is_some() {
            return Err(Error::NoRowGroups { file: files.name });
        }
        let mut schema: Option<InputSchema> = None;
        for path in paths {
            let file = path.display().to_string();
            let data = fs::metadata(&path).map_err(|source| Error::Read {
                file: file.clone(),
                source,
            })?;
            // Each is opened once for its columns and once for its rows.
            if !data.is_file() {
                return Err(Error::NeedsRegular { file });
            }
            let all = RowSelection::default();
            let (_, own) = files.open(Input::File(path.clone()), &all)?;
            schema = Some(match schema {
                None => own,
                Some(schema) => agree(&files.name, schema, &file, &own)?,
            });
            files.sizes[2] += data.len();
            files.following.push_back((path, data.len()));
        }
        files.next(0);
        Ok((files, Input::File(first), schema))
    }

    /// Opens one of the files.
    pub(super) fn open(
        &self,
        input: Input,
        selection: &RowSelection<'_>,
    ) -> Result<(TableReader<'a>, InputSchema), Error> {
        let format = input.format(self.input_format)?;
        TableReader::open(input, format, self.batch_rows, selection, self.stop)
    }

    /// Goes on to the next file, whose first row has this number.
    pub(super) fn next(&mut self, first_row: u64) -> Option<PathBuf> {
        let (path, size) = self.following.pop_front()?;
        self.current = Some(ChunkFile {
            name: path.display().to_string().into(),
            first_row,
        });
        self.sizes[0] += self.sizes[1];
        self.sizes[1] = size;
        Some(path)
    }

    /// What messages call the whole input.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The file that is read, where there are several.
    pub(super) fn current(&self) -> Option<ChunkFile> {
        self.current.clone()
    }

    /// The number of the first row of the file that is read.
    pub(super) fn first_row(&self) -> u64 {
        self.current.as_ref().map_or(0, |file| file.first_row)
    }

    /// The fraction of all that was read, by that of the file.
    pub(super) fn fraction(&self, of_file: Option<f64>) -> Option<f64> {
        let [before, own, all] = self.sizes.map(|bytes| bytes as f64);
        match self.current {
            None => of_file,
            Some(_) => Some((before + own * of_file.unwrap_or(0.0)) / all.max(1.0)),
        }
    }

    /// An error about a row of the file, whose number becomes that in the whole input.
    pub(super) fn located(&self, mut error: Error) -> Error {
        if let (
            Error::UnclosedQuote { location } | Error::RowTooLong { location, .. },
            Some(file),
        ) = (&mut error, &self.current)
        {
            location.file_row = Some(location.row);
            location.row += file.first_row;
        }
        error
    }
}
