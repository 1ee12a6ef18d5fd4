//! GDAL's viewshed, on a raster in memory; the library is opened when the bench runs.
//!
//! All `unsafe` of GDAL is in this file.

use crate::inputs;
use crate::label::{Family, Label};
use crate::shape::Viewshed;
use libloading::Library;
use std::ffi::{CStr, c_char, c_double, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

/// Of Debian's `gdal-bin`.
const LIBRARY: &str = "libgdal.so.32";

const READ: c_int = 0;
const WRITE: c_int = 1;
const FLOAT: c_int = 6;
const BYTE: c_int = 1;
/// A cell takes the line of sight of its two neighbours towards the eye: GDAL's own default.
const EDGE: c_int = 2;
const NORMAL: c_int = 1;
const SEEN: f64 = 255.0;

type Handle = *mut c_void;

type Generate = unsafe extern "C" fn(
    band: Handle,
    driver: *const c_char,
    target: *const c_char,
    options: *const c_void,
    eye_x: c_double,
    eye_y: c_double,
    eye_above: c_double,
    target_above: c_double,
    seen: c_double,
    unseen: c_double,
    out_of_range: c_double,
    no_data: c_double,
    curvature: c_double,
    mode: c_int,
    max_distance: c_double,
    progress: *const c_void,
    progress_data: *const c_void,
    output: c_int,
    extra: *const c_void,
) -> Handle;

type RasterIo = unsafe extern "C" fn(
    band: Handle,
    way: c_int,
    x: c_int,
    y: c_int,
    width: c_int,
    height: c_int,
    data: *mut c_void,
    data_width: c_int,
    data_height: c_int,
    data_type: c_int,
    pixel_space: c_int,
    line_space: c_int,
) -> c_int;

type Create = unsafe extern "C" fn(
    driver: Handle,
    name: *const c_char,
    width: c_int,
    height: c_int,
    bands: c_int,
    data_type: c_int,
    options: *const c_void,
) -> Handle;

/// What the bench calls.
struct Calls {
    version: String,
    driver: Handle,
    create: Create,
    close: unsafe extern "C" fn(Handle),
    set_transform: unsafe extern "C" fn(Handle, *const c_double) -> c_int,
    band: unsafe extern "C" fn(Handle, c_int) -> Handle,
    raster_io: RasterIo,
    generate: Generate,
}

// SAFETY: functions, and a driver that is only read after it was registered.
unsafe impl Send for Calls {}
// SAFETY: as above.
unsafe impl Sync for Calls {}

fn calls() -> Result<&'static Calls, &'static str> {
    static CALLS: OnceLock<Result<Calls, String>> = OnceLock::new();
    let calls = CALLS.get_or_init(open);
    calls.as_ref().map_err(String::as_str)
}

/// GDAL's version, or why it takes no part. The library is opened at the first call and stays open.
pub fn version() -> Result<&'static str, &'static str> {
    Ok(calls()?.version.as_str())
}

fn open() -> Result<Calls, String> {
    let failed =
        |error: libloading::Error| format!("{error} (in Debian: apt-get install gdal-bin)");
    // SAFETY: the library's initialisers expect nothing of the program that opens it.
    let library = unsafe { Library::new(LIBRARY) }.map_err(failed)?;
    // Its functions are called until the program ends.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: the types are those of gdal.h and gdal_alg.h of GDAL 3.
    unsafe {
        let register = library.get::<unsafe extern "C" fn()>(b"GDALAllRegister");
        register.map_err(failed)?();
        let version = library
            .get::<unsafe extern "C" fn(*const c_char) -> *const c_char>(b"GDALVersionInfo")
            .map_err(failed)?(c"RELEASE_NAME".as_ptr());
        let driver = library
            .get::<unsafe extern "C" fn(*const c_char) -> Handle>(b"GDALGetDriverByName")
            .map_err(failed)?(c"MEM".as_ptr());
        if driver.is_null() {
            return Err(format!("{LIBRARY} has no rasters in memory"));
        }
        Ok(Calls {
            version: CStr::from_ptr(version).to_string_lossy().into_owned(),
            driver,
            create: *library.get(b"GDALCreate").map_err(failed)?,
            close: *library.get(b"GDALClose").map_err(failed)?,
            set_transform: *library.get(b"GDALSetGeoTransform").map_err(failed)?,
            band: *library.get(b"GDALGetRasterBand").map_err(failed)?,
            raster_io: *library.get(b"GDALRasterIO").map_err(failed)?,
            generate: *library.get(b"GDALViewshedGenerate").map_err(failed)?,
        })
    }
}

/// A raster of one band; null where there is none.
struct Raster {
    calls: &'static Calls,
    dataset: Handle,
    size: usize,
}

impl Drop for Raster {
    fn drop(&mut self) {
        if !self.dataset.is_null() {
            // SAFETY: the dataset is open, and closed only here.
            unsafe { (self.calls.close)(self.dataset) }
        }
    }
}

impl Raster {
    /// The terrain's samples as the middles of cells of 1 m.
    fn new(calls: &'static Calls, terrain: &inputs::Terrain) -> Self {
        let size = terrain.size;
        let side = size as c_int;
        let (driver, name, none) = (calls.driver, c"".as_ptr(), ptr::null());
        // SAFETY: the driver is that of rasters in memory, the name ends with a zero.
        let dataset = unsafe { (calls.create)(driver, name, side, side, 1, FLOAT, none) };
        assert!(!dataset.is_null(), "GDAL makes a raster");
        let raster = Self {
            calls,
            dataset,
            size,
        };
        let transform = [-0.5, 1.0, 0.0, -0.5, 0.0, 1.0];
        // SAFETY: the dataset is open, and a transform has six numbers.
        let failed = unsafe { (calls.set_transform)(dataset, transform.as_ptr()) };
        assert_eq!(failed, 0, "GDAL takes a transform");
        let mut heights = terrain.heights.clone();
        raster.transfer(WRITE, heights.as_mut_ptr().cast(), FLOAT, heights.len());
        raster
    }

    fn band(&self) -> Handle {
        // SAFETY: the dataset is open and has one band.
        unsafe { (self.calls.band)(self.dataset, 1) }
    }

    /// Writes or reads all cells, `count` of this type.
    fn transfer(&self, way: c_int, data: *mut c_void, data_type: c_int, count: usize) {
        assert_eq!(count, self.size * self.size);
        let (band, side) = (self.band(), self.size as c_int);
        // SAFETY: there is room for so many cells of this type.
        let failed = unsafe {
            (self.calls.raster_io)(
                band, way, 0, 0, side, side, data, side, side, data_type, 0, 0,
            )
        };
        assert_eq!(failed, 0, "GDAL reads and writes rasters");
    }
}

/// Which samples are seen from above one of them.
struct Viewsheds {
    ground: Raster,
    seen: Option<Raster>,
    eye: usize,
    above: f64,
}

/// From so many metres above the sample (eye, eye); none where GDAL takes no part.
pub fn viewshed(terrain: &inputs::Terrain, eye: usize, above: f64) -> Option<Box<dyn Viewshed>> {
    let calls = calls().ok()?;
    Some(Box::new(Viewsheds {
        ground: Raster::new(calls, terrain),
        seen: None,
        eye,
        above,
    }))
}

impl Viewshed for Viewsheds {
    fn label(&self) -> Label {
        Label::new(Family::Gdal, "GDALViewshedGenerate")
    }

    fn prepare(&mut self) {
        self.seen = None;
    }

    fn run(&mut self) {
        let (calls, size) = (self.ground.calls, self.ground.size);
        let (band, eye, none) = (self.ground.band(), self.eye as f64, ptr::null());
        // SAFETY: the band is open; names end with a zero; what is null is not used.
        let dataset = unsafe {
            (calls.generate)(
                band,
                c"MEM".as_ptr(),
                c"".as_ptr(),
                none,
                eye,
                eye,
                self.above,
                0.0,
                SEEN,
                0.0,
                0.0,
                -1.0,
                0.0,
                EDGE,
                0.0,
                none,
                none,
                NORMAL,
                none,
            )
        };
        assert!(!dataset.is_null(), "GDAL makes a viewshed");
        self.seen = Some(Raster {
            calls,
            dataset,
            size,
        });
    }

    fn seen(&self) -> Vec<bool> {
        let raster = self.seen.as_ref().expect("a viewshed has run");
        let mut cells = vec![0_u8; raster.size * raster.size];
        raster.transfer(READ, cells.as_mut_ptr().cast(), BYTE, cells.len());
        cells
            .into_iter()
            .map(|cell| f64::from(cell) == SEEN)
            .collect()
    }
}
