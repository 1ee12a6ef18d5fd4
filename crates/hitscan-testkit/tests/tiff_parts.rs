//! TIFFs that are read part by part: never much at once, with the samples of the whole file's bytes, and
//! with an error where the system cannot read a part.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan_assets::heights::{HeightScale, read_heights};
use hitscan_assets::{Error, MemoryFiles, ReadAt, Scene, SceneFiles, load_scene_from};
use hitscan_testkit::tiff_file::TiffFile;
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The reads of a file.
#[derive(Default)]
struct Asked {
    times: Cell<usize>,
    most: Cell<usize>,
    /// The part that the system cannot read.
    fails_at: Cell<Option<usize>>,
}

struct WatchedFile {
    bytes: Vec<u8>,
    asked: Rc<Asked>,
}

impl ReadAt for WatchedFile {
    fn length(&self) -> u64 {
        self.bytes.length()
    }

    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let asked = &self.asked;
        if asked.fails_at.get() == Some(asked.times.get()) {
            return Err(io::Error::other("the disk is gone"));
        }
        asked.times.set(asked.times.get() + 1);
        asked.most.set(asked.most.get().max(out.len()));
        self.bytes.read_exact_at(start, out)
    }
}

/// Files in memory; a TIFF must not be read whole.
struct WatchedFiles {
    files: MemoryFiles,
    asked: Rc<Asked>,
}

impl SceneFiles for WatchedFiles {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        let is_tiff = path.extension().is_some_and(|ending| ending == "tif");
        assert!(!is_tiff, "{} is read whole", path.display());
        self.files.read(path, limit)
    }

    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
        self.files.read_start(path, most)
    }

    fn open(&self, path: &Path, limit: u64) -> Result<Box<dyn ReadAt>, Error> {
        Ok(Box::new(WatchedFile {
            bytes: self.files.read(path, limit)?,
            asked: Rc::clone(&self.asked),
        }))
    }

    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
        self.files.locate(folder, path)
    }
}

fn load(bytes: &[u8], asked: &Rc<Asked>) -> Result<Scene, Error> {
    let mut files = MemoryFiles::default();
    files.add("s.toml", "[[terrain]]\nheights = 'a.tif'\nspacing = 1.0\n");
    files.add("a.tif", bytes);
    let asked = Rc::clone(asked);
    load_scene_from(&WatchedFiles { files, asked }, "s.toml".as_ref())
}

fn heights(scene: &Scene) -> Vec<u32> {
    let now = scene.world().now();
    let (_, field) = now.height_fields(()).next().unwrap();
    field
        .samples()
        .iter()
        .map(|height| height.to_bits())
        .collect()
}

/// Heights that compress to about half.
fn sample(column: usize, row: usize, _: usize) -> u64 {
    let place = column as u64 * 7919 + row as u64 * 104_729;
    let mixed = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    u64::from(f32::to_bits(1.0)) + (mixed >> 48)
}

fn layouts() -> impl Iterator<Item = TiffFile> {
    [1, 5, 8, 32773, 50000].into_iter().flat_map(|compression| {
        // One strip of all rows, and tiles, some of which end beyond the image.
        [(None, 1000), (Some([128, 256]), 1)].map(|(tile, rows_per_strip)| TiffFile {
            compression,
            predictor: if compression == 1 || compression == 32773 {
                1
            } else {
                2
            },
            tile,
            rows_per_strip,
            bits: 32,
            format: 3,
            ..TiffFile::default()
        })
    })
}

#[test]
fn no_part_of_a_large_strip_is_much_of_the_file() {
    for file in layouts() {
        let bytes = file.encode(700, 600, sample);
        assert!(bytes.len() > 600_000, "{file:?}");
        let asked = Rc::new(Asked::default());
        let scene = load(&bytes, &asked).unwrap();
        assert!(
            asked.most.get() <= 1 << 18,
            "{}: {file:?}",
            asked.most.get()
        );
        let whole = read_heights("a.tif".as_ref(), &bytes, None).unwrap();
        let whole = whole.into_heights(HeightScale::MetresPerUnit(1.0)).unwrap();
        let whole: Vec<u32> = whole.iter().map(|height| height.to_bits()).collect();
        assert_eq!(heights(&scene), whole, "{file:?}");
        for (place, height) in whole.iter().enumerate() {
            assert_eq!(u64::from(*height), sample(place % 700, place / 700, 0));
        }
    }
}

#[test]
fn a_part_that_cannot_be_read_is_an_error_with_the_files_name() {
    for file in layouts() {
        let bytes = file.encode(300, 200, sample);
        let asked = Rc::new(Asked::default());
        load(&bytes, &asked).unwrap();
        let times = asked.times.replace(0);
        assert!(times > 10, "{file:?}");
        for part in 0..times {
            asked.times.set(0);
            asked.fails_at.set(Some(part));
            let error = load(&bytes, &asked).unwrap_err();
            let mut chain = vec![error.to_string()];
            let mut source = std::error::Error::source(&error);
            while let Some(error) = source {
                chain.push(error.to_string());
                source = error.source();
            }
            let message = chain.join(": ");
            assert!(
                message.contains("a.tif") && message.contains("the disk is gone"),
                "{part} of {times}, {file:?}: {message}"
            );
        }
    }
}
