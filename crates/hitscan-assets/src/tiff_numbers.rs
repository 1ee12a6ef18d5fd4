//! The numbers of TIFF and GeoTIFF that reading and writing share: tags, types of fields, keys and codes.
//!
//! Sources: Adobe, "TIFF Revision 6.0" (1992); OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019),
//! clauses 7 and B.

pub(crate) mod tag {
    //! Tags of a directory.

    pub(crate) const IMAGE_WIDTH: u16 = 256;
    pub(crate) const IMAGE_LENGTH: u16 = 257;
    pub(crate) const BITS_PER_SAMPLE: u16 = 258;
    pub(crate) const COMPRESSION: u16 = 259;
    pub(crate) const PHOTOMETRIC: u16 = 262;
    pub(crate) const STRIP_OFFSETS: u16 = 273;
    pub(crate) const SAMPLES_PER_PIXEL: u16 = 277;
    pub(crate) const ROWS_PER_STRIP: u16 = 278;
    pub(crate) const STRIP_BYTE_COUNTS: u16 = 279;
    pub(crate) const PLANAR_CONFIGURATION: u16 = 284;
    pub(crate) const PREDICTOR: u16 = 317;
    pub(crate) const TILE_WIDTH: u16 = 322;
    pub(crate) const TILE_LENGTH: u16 = 323;
    pub(crate) const TILE_OFFSETS: u16 = 324;
    pub(crate) const TILE_BYTE_COUNTS: u16 = 325;
    pub(crate) const SAMPLE_FORMAT: u16 = 339;
    pub(crate) const MODEL_PIXEL_SCALE: u16 = 33550;
    pub(crate) const MODEL_TIEPOINT: u16 = 33922;
    pub(crate) const MODEL_TRANSFORMATION: u16 = 34264;
    pub(crate) const GEO_KEY_DIRECTORY: u16 = 34735;
    pub(crate) const GEO_DOUBLE_PARAMS: u16 = 34736;
    pub(crate) const GEO_ASCII_PARAMS: u16 = 34737;
    pub(crate) const GDAL_METADATA: u16 = 42112;
    pub(crate) const GDAL_NODATA: u16 = 42113;
}

pub(crate) mod field {
    //! Types of a tag's values.

    pub(crate) const BYTE: u16 = 1;
    pub(crate) const ASCII: u16 = 2;
    pub(crate) const SHORT: u16 = 3;
    pub(crate) const LONG: u16 = 4;
    pub(crate) const DOUBLE: u16 = 12;
    pub(crate) const LONG8: u16 = 16;
}

pub(crate) mod key {
    //! Keys of the tag GeoKeyDirectory.

    pub(crate) const GT_MODEL_TYPE: u16 = 1024;
    pub(crate) const GT_RASTER_TYPE: u16 = 1025;
    pub(crate) const GT_CITATION: u16 = 1026;
    pub(crate) const GEODETIC_CRS: u16 = 2048;
    pub(crate) const GEODETIC_CITATION: u16 = 2049;
    pub(crate) const GEOG_ANGULAR_UNITS: u16 = 2054;
    pub(crate) const PROJECTED_CRS: u16 = 3072;
    pub(crate) const PROJECTED_CITATION: u16 = 3073;
    pub(crate) const PROJ_LINEAR_UNITS: u16 = 3076;
    pub(crate) const PROJ_LINEAR_UNIT_SIZE: u16 = 3077;
    pub(crate) const VERTICAL_CRS: u16 = 4096;
    pub(crate) const VERTICAL_CITATION: u16 = 4097;
    pub(crate) const VERTICAL_UNITS: u16 = 4099;
}

pub(crate) mod code {
    //! What tags and keys say by a number; units are those of EPSG.

    pub(crate) const DEFLATE: u16 = 8;
    pub(crate) const BLACK_IS_ZERO: u16 = 1;
    pub(crate) const MODEL_PROJECTED: u16 = 1;
    pub(crate) const MODEL_GEOGRAPHIC: u16 = 2;
    pub(crate) const PIXEL_IS_POINT: u16 = 2;
    pub(crate) const METRE: u16 = 9001;
    pub(crate) const FOOT: u16 = 9002;
    pub(crate) const US_SURVEY_FOOT: u16 = 9003;
    pub(crate) const KILOMETRE: u16 = 9036;
    pub(crate) const DEGREE: u16 = 9102;
    /// Codes from here on are not those of EPSG: what the file describes itself.
    pub(crate) const USER_DEFINED: u16 = 32767;
}
