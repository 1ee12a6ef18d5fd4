//! Embree's shared library, opened when the bench runs: no header or package is needed to build.
//!
//! `cargo xtask bench` fetches the library and names its folder; without one the bench runs without
//! Embree and says why. All `unsafe` of opening it is in this file; `embree.rs` calls it.

use libloading::Library;
use std::env;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::OnceLock;

/// The variable that names the folder with `libembree4` and what it needs.
const FOLDER: &str = "HITSCAN_EMBREE_FOLDER";

/// One thread builds, as in every workload; of vectors Embree takes the widest that there are.
pub const DEVICE: &CStr = c"threads=1";

type Find = unsafe extern "C" fn(library: *mut c_void, name: *const c_char) -> *mut c_void;

unsafe extern "C" {
    fn embree_load(library: *mut c_void, find: Find) -> *const c_char;
    fn embree_version(config: *const c_char, version: *mut c_int) -> bool;
}

/// Embree's version, or why it takes no part. The library is opened at the first call and stays
/// open.
pub fn version() -> Result<&'static str, &'static str> {
    static VERSION: OnceLock<Result<String, String>> = OnceLock::new();
    let version = VERSION.get_or_init(|| open().and_then(load));
    version.as_deref().map_err(String::as_str)
}

/// Whether Embree takes part.
pub fn is_open() -> bool {
    version().is_ok()
}

/// Opens Embree, and first the TBB that lies beside it, which it would else look for in the system.
fn open() -> Result<Library, String> {
    let folder = env::var_os(FOLDER).ok_or(format!("{FOLDER} names no folder"))?;
    let folder = PathBuf::from(folder);
    if let Some(tbb) = library_file(&folder, "libtbb")? {
        // It stays open, as Embree does.
        std::mem::forget(open_file(&tbb)?);
    }
    let missing = format!("{} has no libembree4", folder.display());
    let embree = library_file(&folder, "libembree4")?;
    open_file(&embree.ok_or(missing)?)
}

fn library_file(folder: &Path, prefix: &str) -> Result<Option<PathBuf>, String> {
    let listed = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| {
            file.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with(prefix))
        })
        .collect();
    files.sort();
    Ok(files.pop())
}

fn open_file(file: &Path) -> Result<Library, String> {
    // SAFETY: these libraries' initialisers expect nothing of the program that opens them.
    unsafe { Library::new(file) }.map_err(|error| format!("{}: {error}", file.display()))
}

/// Hands the library's functions to `native/embree.c`.
fn load(library: Library) -> Result<String, String> {
    // Its functions are called until the program ends.
    let library: &'static mut Library = Box::leak(Box::new(library));
    let mut version = [0; 3];
    // SAFETY: `find` gets the library back, and names that end with a zero.
    let missing = unsafe { embree_load(ptr::from_mut(library).cast(), find) };
    if !missing.is_null() {
        // SAFETY: a name in `native/embree.c`, which lives as long as the program.
        let name = unsafe { CStr::from_ptr(missing) };
        return Err(format!("the library lacks {}", name.to_string_lossy()));
    }
    // SAFETY: every function was found, and there is room for three numbers.
    if !unsafe { embree_version(DEVICE.as_ptr(), version.as_mut_ptr()) } {
        return Err("the library makes no device on this machine".to_owned());
    }
    Ok(version.map(|part| part.to_string()).join("."))
}

/// Finds one function by name; null where the library lacks it.
unsafe extern "C" fn find(library: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: `load` gave this pointer to `embree_load`, which passes it on.
    let library = unsafe { &*library.cast::<Library>() };
    // SAFETY: the names in `native/embree.c` end with a zero.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: the address is only read here; its type is what `native/embree4.h` declares.
    let address = unsafe { library.get::<*mut c_void>(name.to_bytes_with_nul()) };
    address.map_or(ptr::null_mut(), |address| *address)
}
