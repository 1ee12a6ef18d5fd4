//! One surface: the height map of one file, or of many tiles of one grid.
//!
//! Tiles are put together by their georeferences. Each keeps its own heights, to the bit; it lies on the
//! lines of samples of the first, and its own may be a small fraction of a cell away from them
//! (`tile_grid.rs`).

use std::fmt;
use std::path::{Path, PathBuf};

use super::allowance::{Allowance, filled};
use super::image::{HeightImage, HeightScale};
use super::read_with;
use super::tile_grid::{TileGrid, whole};
use super::tile_names::tile_names;
use crate::Error;
use crate::georeference::{Georeference, NoGeoreference};
use crate::scene_files::{DiskFiles, SceneFiles};

/// A height map of one file, or of tiles that are one surface.
///
/// ```
/// use hitscan_assets::heights::{HeightMap, HeightScale};
/// let folder = std::env::temp_dir().join(format!("hitscan-tiles-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let tile = |west: i32, heights: &str| {
///     format!("ncols 2\nnrows 2\nxllcorner {west}\nyllcorner 0\ncellsize 10\n{heights}\n")
/// };
/// std::fs::write(folder.join("a.asc"), tile(0, "1 2 3 4"))?;
/// std::fs::write(folder.join("b.asc"), tile(20, "5 6 7 8"))?;
/// let map = HeightMap::read(&folder.join("*.asc"), None)?;
/// assert_eq!([map.columns(), map.rows()], [4, 2]);
/// let (heights, conflicts) = map.into_heights(HeightScale::MetresPerUnit(1.0))?;
/// assert_eq!(heights, [1.0, 2.0, 5.0, 6.0, 3.0, 4.0, 7.0, 8.0]);
/// assert!(conflicts.is_none());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeightMap {
    first: Tile,
    others: Vec<Tile>,
    size: [usize; 2],
    georeference: Result<Georeference, NoGeoreference>,
}

/// A file's map, and the column and row of its first sample in the whole.
#[derive(Debug, Clone)]
struct Tile {
    image: HeightImage,
    at: [usize; 2],
}

/// Tiles that overlap with different heights.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflicts {
    /// How many samples have two heights, counted once for each further tile.
    pub count: usize,
    /// The maximum difference, metres.
    pub most: f64,
    /// Column and row of the first, in the whole.
    pub first: [usize; 2],
    /// The tile whose height there does not count.
    pub tile: PathBuf,
}

impl fmt::Display for Conflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            count,
            most,
            first: [column, row],
            tile,
        } = self;
        write!(
            f,
            "tiles overlap with different heights at {count} samples, by up to {most} m, the first at \
             column {column}, row {row} of the whole: the tile counts whose name comes first, there not {}",
            tile.display()
        )
    }
}

impl HeightMap {
    /// Reads the map at `name`: a file, or by `*` and `?` in the file's name tiles of one grid. `size` is
    /// columns and rows of the whole, as for [`read_heights_file`](super::read_heights_file).
    ///
    /// # Errors
    /// As [`read_heights_file`](super::read_heights_file) for each file; and where no file matches, where
    /// a tile does not state its place, or is not on the grid of the first.
    pub fn read(name: &Path, size: Option<[usize; 2]>) -> Result<Self, Error> {
        Self::read_tiles(&DiskFiles, name, &tile_names(&DiskFiles, name)?, size)
    }

    /// Reads the `tiles` that `name` denotes.
    pub(crate) fn read_tiles(
        files: &dyn SceneFiles,
        name: &Path,
        tiles: &[PathBuf],
        size: Option<[usize; 2]>,
    ) -> Result<Self, Error> {
        let allowance = Allowance::of_size(size);
        let [tile] = tiles else {
            return Self::read_many(files, name, tiles, (size, allowance));
        };
        let (image, _) = read_with(files, tile, size, allowance)?;
        Ok(Self {
            size: [image.columns(), image.rows()],
            georeference: image.georeference().cloned().map_err(Clone::clone),
            first: Tile { image, at: [0, 0] },
            others: Vec::new(),
        })
    }

    fn read_many(
        files: &dyn SceneFiles,
        name: &Path,
        tiles: &[PathBuf],
        (size, allowance): (Option<[usize; 2]>, Allowance),
    ) -> Result<Self, Error> {
        let mut images = Vec::with_capacity(tiles.len());
        let (mut samples, mut bytes) = (0, 0);
        for tile in tiles {
            let (image, file_bytes) = read_with(files, tile, None, allowance)?;
            samples += image.samples().len() as u64;
            bytes += file_bytes;
            allowance.check_tiles(name, samples, bytes)?;
            images.push(image);
        }
        let mut images = images.into_iter();
        let first = images
            .next()
            .ok_or_else(|| Error::missing(name, "file name", "a file"))?;
        let map = put_together(name, first, images.collect())?;
        let [columns, rows] = map.size;
        if let Some(stated) = size.filter(|stated| *stated != map.size) {
            return Err(Error::malformed(
                name,
                "the tiles",
                format!(
                    "{} columns and {} rows of them all, as `size` says",
                    stated[0], stated[1]
                ),
                format!("{columns} columns and {rows} rows"),
            ));
        }
        allowance.check(name, map.size.map(|count| count as u64), bytes)?;
        Ok(map)
    }

    /// The number of samples in a row.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.size[0]
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.size[1]
    }

    /// The map of the first file by name.
    #[must_use]
    pub fn first(&self) -> &HeightImage {
        &self.first.image
    }

    /// How many files there are.
    #[must_use]
    pub fn file_count(&self) -> usize {
        1 + self.others.len()
    }

    /// The maps of the files, in the order of their names, each with the column and row of its first
    /// sample in the whole.
    pub fn files(&self) -> impl Iterator<Item = (&HeightImage, [usize; 2])> {
        let files = std::iter::once(&self.first).chain(&self.others);
        files.map(|tile| (&tile.image, tile.at))
    }

    /// Metres between columns and between rows, where the first file states them in metres.
    #[must_use]
    pub fn spacing_m(&self) -> Option<[f64; 2]> {
        self.first().spacing_m()
    }

    /// Where the samples are on the earth.
    ///
    /// # Errors
    /// Why that is not known.
    pub fn georeference(&self) -> Result<&Georeference, &NoGeoreference> {
        self.georeference.as_ref()
    }

    /// Turns the samples into heights, metres, row after row; holes, and what no tile covers, are NaN.
    ///
    /// Where tiles overlap, the first of them counts that has no hole there.
    ///
    /// # Errors
    /// As [`HeightImage::into_heights`].
    pub fn into_heights(self, scale: HeightScale) -> Result<(Vec<f32>, Option<Conflicts>), Error> {
        if self.others.is_empty() {
            return Ok((self.first.image.into_heights(scale)?, None));
        }
        let across = self.size[0];
        let path = self.first.image.path();
        let mut all = filled(path, f32::NAN, across * self.size[1])?;
        let mut conflicts: Option<Conflicts> = None;
        for Tile { image, at } in std::iter::once(self.first).chain(self.others) {
            let (columns, path) = (image.columns(), image.path().to_owned());
            let heights = image.into_heights(scale)?;
            for (row, heights) in (at[1]..).zip(heights.chunks_exact(columns)) {
                let start = row * across + at[0];
                for (column, (kept, height)) in
                    (at[0]..).zip(all[start..start + columns].iter_mut().zip(heights))
                {
                    if kept.is_nan() {
                        *kept = *height;
                    } else if !height.is_nan() && kept != height {
                        let conflicts = conflicts.get_or_insert_with(|| Conflicts {
                            count: 0,
                            most: 0.0,
                            first: [column, row],
                            tile: path.clone(),
                        });
                        conflicts.count += 1;
                        let difference = (f64::from(*kept) - f64::from(*height)).abs();
                        conflicts.most = conflicts.most.max(difference);
                    }
                }
            }
        }
        Ok((all, conflicts))
    }
}

/// Lays tiles on the grid of the first.
fn put_together(
    name: &Path,
    first: HeightImage,
    others: Vec<HeightImage>,
) -> Result<HeightMap, Error> {
    let mut grid = TileGrid::new(&first, place(&first)?);
    for image in &others {
        grid.add(image, place(image)?)?;
    }
    let size = grid.size(name)?;
    let [west, north] = grid.least;
    let georeference = Georeference {
        crs: grid.crs,
        first: grid.north_west,
        size,
        ..grid.base
    };
    let laid = |image, [column, row]: [f64; 2]| Tile {
        image,
        at: [whole(column - west), whole(row - north)],
    };
    let others = others.into_iter().zip(grid.offsets);
    Ok(HeightMap {
        first: laid(first, [0.0; 2]),
        others: others.map(|(image, offset)| laid(image, offset)).collect(),
        size,
        georeference: Ok(georeference),
    })
}

fn place(image: &HeightImage) -> Result<&Georeference, Error> {
    image.georeference().map_err(|reason| {
        let expected = "a tile that says where it is, to lie beside others";
        Error::malformed(image.path(), "georeference", expected, reason.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_files::MemoryFiles;

    fn tile(place: [f64; 2], cell: f64, heights: &str) -> String {
        let [west, south] = place;
        let columns = heights.lines().next().unwrap().split(' ').count();
        let rows = heights.lines().count();
        format!(
            "ncols {columns}\nnrows {rows}\nxllcenter {west}\nyllcenter {south}\ncellsize {cell}\n\
             {heights}"
        )
    }

    fn read(tiles: &[(&str, String)]) -> Result<HeightMap, Error> {
        let mut files = MemoryFiles::default();
        for (name, text) in tiles {
            files.add(*name, text.as_str());
        }
        let names = tile_names(&files, "*.asc".as_ref())?;
        HeightMap::read_tiles(&files, "*.asc".as_ref(), &names, None)
    }

    /// Three tiles of a square of four, with a shared column between the upper two:
    ///
    ///   a a b
    ///   a a b
    ///   . c c
    #[test]
    fn tiles_lie_where_they_say_and_what_is_missing_is_a_hole() {
        let map = read(&[
            ("a.asc", tile([100.0, 210.0], 10.0, "1 2\n4 5")),
            ("b.asc", tile([110.0, 210.0], 10.0, "2 3\n-9999 6")),
            ("c.asc", tile([110.0, 200.0], 10.0, "5.5 6\n8 9")),
        ])
        .unwrap();
        assert_eq!([map.columns(), map.rows()], [3, 3]);
        let places: Vec<_> = map.files().map(|(_, at)| at).collect();
        assert_eq!(places, [[0, 0], [1, 0], [1, 1]]);
        let georeference = map.georeference().unwrap();
        assert_eq!(georeference.north_west(), [100.0, 220.0]);
        assert_eq!(georeference.south_east(), [120.0, 200.0]);
        let (heights, conflicts) = map.into_heights(HeightScale::MetresPerUnit(2.0)).unwrap();
        let expected = [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, f32::NAN, 16.0, 18.0];
        let bits = |heights: &[f32]| heights.iter().map(|h| h.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&heights), bits(&expected));
        let expected = Conflicts {
            count: 1,
            most: 1.0,
            first: [1, 1],
            tile: "c.asc".into(),
        };
        assert_eq!(conflicts, Some(expected));
    }

    #[test]
    fn tiles_that_do_not_line_up_are_named() {
        let one = || ("a.asc", tile([100.0, 200.0], 10.0, "1 2\n3 4"));
        for (other, words) in [
            (
                tile([114.0, 200.0], 10.0, "1 2\n3 4"),
                ["columns of a.asc", "0.4000 of a column aside"],
            ),
            (
                tile([120.0, 217.5], 10.0, "1 2\n3 4"),
                ["rows of a.asc", "0.2500 of a row aside"],
            ),
            (
                tile([120.0, 200.0], 5.0, "1 2\n3 4"),
                ["cells of a.asc: 10 x 10", "5 x 5"],
            ),
            (
                tile([1.0, 2.0], 0.01, "1 2\n3 4"),
                ["system of a.asc", "geographic"],
            ),
            (
                tile([1e6, 200.0], 10.0, "1 2\n3 4"),
                ["1 in 16", "around a.asc"],
            ),
            (
                tile([1e15, 1e15], 10.0, "1 2\n3 4"),
                ["at most 2147483648 samples", "*.asc"],
            ),
            (
                "ncols 2\nnrows 2\ncellsize 10\n1 2 3 4".to_owned(),
                ["says where it is", "b.asc"],
            ),
        ] {
            let message = read(&[one(), ("b.asc", other)]).unwrap_err().to_string();
            for word in words {
                assert!(message.contains(word), "{word}: {message}");
            }
        }
        // Decimals of a header are off by less than the lines are apart.
        let near = tile([120.000_000_001, 200.0], 10.000_000_01, "1 2\n3 4");
        assert_eq!(read(&[one(), ("b.asc", near)]).unwrap().columns(), 4);
    }
}
