//! Serialization of worlds, terrain, meshes and models as bytes that are used in place.
//!
//! A [`Writer`] borrows large arrays as they are in memory, and appends all else to a small table. A
//! [`Reader`] puts them together: arrays are borrowed from [`Bytes`] with a shared owner, so nothing
//! large is copied and no tree is built; an object of a world is made when something first comes to it. Files, mappings and checksums are not here: `hitscan-assets` has
//! them.
//!
//! # What is checked
//! Bytes need not be trusted. Each index, count, length and float is checked before it is used, and
//! whatever does not fit is [`Error::Baked`]: no query of what is read panics,
//! reads out of bounds or runs forever. That boxes and pyramids belong to their triangles, samples and
//! objects is not checked, nor that poses keep vertices in range, as that would take as long as building
//! them: bytes made up by hand may give wrong answers. Numbers are little-endian; on other machines every reader refuses.
//!
//! ```
//! use hitscan::baked::{Bytes, Reader, Writer};
//! use hitscan::{Ray, TriMesh};
//! let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
//! let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
//! let mut writer = Writer::new();
//! mesh.bake(&mut writer);
//! let (table, arrays) = writer.into_parts();
//! let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
//! let copy = TriMesh::from_baked(&mut Reader::new(&table, arrays))?;
//! let ray = Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0])?;
//! assert_eq!(copy.cast_ray(&ray, ()), mesh.cast_ray(&ray, ()));
//! # Ok::<(), hitscan::Error>(())
//! ```

mod writer;
mod reader;
mod texts;

use crate::Error;
pub use crate::storage::{Bytes, Keeper};
pub use reader::Reader;
pub use texts::Texts;
pub use writer::Writer;

/// Refuses an array of another length.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::WrongLength {
        what,
        expected,
        found,
    })
}

/// The version of what is written: a reader reads this one alone.
pub const VERSION: u32 = 3;
