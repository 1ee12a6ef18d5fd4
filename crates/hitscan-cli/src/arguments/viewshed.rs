//! Arguments of `hitscan viewshed`.

use super::SceneArguments;
use super::eye::{Eye, parse_eye};
use super::table::{FormatArgument, parse_threads};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Which samples of a terrain are seen from a point.
#[derive(Debug, Args)]
#[command(after_help = "\
The picture is 8-bit grey, one pixel a sample, row 0 first: 255 visible, 0 not, 128 a hole or too far. A
GeoTIFF has its place on the map, and 128 as no data. How many there are of each, and where the eye
stood, goes to standard error. Terrain, models and solids hide, as in `hitscan sight`.

Of many eyes each sample has the number of those that see it: 16 bits in a PNG, where 65535 is a hole; in a
GeoTIFF 16 bits, or 32 for more than 65534 eyes, with the highest number as no data. The table
has the columns x z, or those of the map, and where an eye does not stand on the terrain itself y, or
y_above: metres above it. Other columns are not read.

With --curvature ground at the horizontal distance d lies lower by (1 - K) * d * d / (2 * R), K of
--refraction and R of --earth-radius: each sample is lowered, its height rounded to f32, and what is
between them is triangles as ever. Only terrain may hide then. gdal_viewshed's -cc is 1 - K.

In place of an eye a --link to a viewshed of the page of `hitscan view` gives the eye, what hides, the
options that are not given here, and the poses.

Examples, on the files of `hitscan demo`:
  hitscan viewshed hitscan-demo/scene.toml --eye 2,78 --above 1.8 -o seen.png
  hitscan viewshed hitscan-demo/scene.toml --eye 2,78 --above 1.8 --picture -o seen-map.png
  hitscan viewshed hitscan-demo/scene.toml --eyes hitscan-demo/eyes.csv -o counts.png
  hitscan viewshed hitscan-demo/scene.toml --eye x=0,y=60,z=0 --max-distance 100 --mask 0b1 -o near.png")]
pub(crate) struct ViewshedArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The picture, a PNG or a GeoTIFF (.tif); `-` is a PNG on standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The eye: X,Y,Z, or X,Z where it stands on the terrain; on a georeferenced map LON,LAT or
    /// EASTING,NORTHING. Or with names, such as x=10,z=20 or lon=11.5,lat=57.5,height=90.
    #[arg(
        long,
        value_name = "EYE",
        value_parser = parse_eye,
        allow_hyphen_values = true,
        required_unless_present_any = ["eyes", "link"],
        conflicts_with = "eyes"
    )]
    pub(crate) eye: Option<Eye>,
    /// Many eyes in place of one: a table of their places, of any format. Each sample is then the number
    /// of eyes that see it.
    #[arg(long, value_name = "TABLE", conflicts_with = "picture")]
    pub(crate) eyes: Option<PathBuf>,
    /// With --eyes: the format of the table, where its ending names none, or a wrong one.
    #[arg(long, value_name = "FORMAT", value_enum, requires = "eyes")]
    pub(crate) input_format: Option<FormatArgument>,
    /// With --eyes: treat a row that cannot be used as an error.
    #[arg(long, requires = "eyes")]
    pub(crate) strict: bool,
    /// Lift the eye by so many metres.
    #[arg(
        long,
        value_name = "H",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    pub(crate) above: f64,
    /// Look at points so many metres above the samples.
    #[arg(
        long,
        value_name = "H",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    pub(crate) target_above: f64,
    /// Take the earth for round: ground far away lies lower.
    #[arg(long)]
    pub(crate) curvature: bool,
    /// With --curvature: the part of it that air takes back by bending light, such as 0.13
    /// [default: 0].
    #[arg(
        long,
        value_name = "K",
        requires = "curvature",
        allow_hyphen_values = true
    )]
    pub(crate) refraction: Option<f64>,
    /// With --curvature: the earth's radius [default: 6378137, that of WGS 84 at the equator].
    #[arg(
        long,
        value_name = "METRES",
        requires = "curvature",
        allow_hyphen_values = true
    )]
    pub(crate) earth_radius: Option<f64>,
    /// The terrain, by name [default: the first].
    #[arg(long, value_name = "NAME")]
    pub(crate) terrain: Option<String>,
    /// Leave out what is farther, metres, horizontally; the distance itself is included
    /// [default: infinity].
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub(crate) max_distance: Option<f64>,
    /// The layers that hide, a bit each: 5, 0x5 or 0b101 [default: all].
    #[arg(long, value_name = "MASK", value_parser = parse_mask)]
    pub(crate) mask: Option<u32>,
    /// Objects that are looked through, `;` between them.
    #[arg(long, value_name = "NAMES")]
    pub(crate) ignore: Option<String>,
    /// Draw a shaded map instead, with what is seen tinted and the eye marked.
    #[arg(long)]
    pub(crate) picture: bool,
    /// How many threads work; the answer is the same [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}

fn parse_mask(text: &str) -> Result<u32, String> {
    let parsed = match text.split_at_checked(2) {
        Some(("0x" | "0X", digits)) => u32::from_str_radix(digits, 16),
        Some(("0b" | "0B", digits)) => u32::from_str_radix(digits, 2),
        _ => text.parse(),
    };
    parsed.map_err(|_| format!("{text:?} is no mask: write 32 bits as 5, 0x5 or 0b101"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks() {
        assert_eq!(["5", "0x5", "0b101"].map(parse_mask), [Ok(5), Ok(5), Ok(5)]);
        assert!(parse_mask("-1").is_err() && parse_mask("0b2").is_err());
    }
}
