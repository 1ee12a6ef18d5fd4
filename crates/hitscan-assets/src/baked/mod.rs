//! The file of a baked world: sections, each on its own cache lines, that are used where they lie.
//!
//! ```text
//! byte 0    89 "hitscan"       what tells the file from others
//!      8    version, u32       a reader reads its own alone
//!     12    0x01020304, u32    all numbers are little-endian
//!     16    length, u64        of the whole file
//!     24    sections, u64      how many there are
//!     32    content, u128      XXH3 of the lengths and hashes of all sections
//!     48    check, u64         XXH3 of bytes 0 to 48 and of the list of sections
//!     56    0, u64
//!     64    the list: for each section its offset and length, u64, and XXH3 of its bytes, u128
//!           the sections, each at a multiple of 64, with zeros before it
//! ```
//! The first section is the table of small values; the others are arrays, in the order in which
//! `hitscan::baked::Reader` takes them. What a section holds is not known here.
//!
//! Opening a file checks the header, the list and the table by their hashes, and each array value by value
//! (see [`hitscan::baked`]). The hashes of the arrays are checked by [`verify`], which reads all of
//! them: opening is to cost little more than what queries read.

mod file;

pub(crate) use file::{MAGIC, sections, write};
pub use file::{Summary, is_baked, is_baked_file, summary, verify};
