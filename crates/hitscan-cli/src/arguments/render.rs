//! Arguments of `hitscan render`.

use super::table::parse_columns;
use super::{ColumnList, SceneArguments, TexturesArgument};
use clap::{Args, ValueEnum};
use glam::Vec3;
use hitscan_picture::Light;
use std::path::PathBuf;

/// A picture of a scene in which every pixel is a ray of the library.
#[derive(Debug, Args)]
#[command(after_help = "\
Models have the base colours of their materials, with their textures (PNG and JPEG of glTF), and the
colours of their vertices, where the file has them.

Examples, on the files of `hitscan demo`:
  hitscan render hitscan-demo/scene.toml -o view.png --size 1280x720
  hitscan render hitscan-demo/scene.toml -o soft.png --light soft --outline
  hitscan render hitscan-demo/scene.toml -o shots.png --shots hitscan-demo/rays.csv
  hitscan render hitscan-demo/scene.toml -o cost.png --cost
  hitscan render hitscan-demo/scene.toml -o map.png --top --size 800x800
  hitscan render hitscan-demo/robot.glb -o robot.png --clip Walk --time 0.4
  hitscan render hitscan-demo/scene.toml --pick 480,270")]
pub(crate) struct RenderArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The picture, a PNG; `-` is standard output.
    #[arg(
        short,
        long,
        value_name = "OUT.png",
        required_unless_present = "pick",
        conflicts_with = "pick"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Print what the pixel in column X, row Y of the picture shows, in place of the picture: object,
    /// part, triangle, joint, distance, point and side.
    #[arg(long, value_name = "X,Y", conflicts_with = "link", value_parser = parse_pixel)]
    pub(crate) pick: Option<[u32; 2]>,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "960x540", conflicts_with = "link", value_parser = parse_size)]
    pub(crate) size: [u32; 2],
    /// The position of the camera [default: that of the scene's [camera], else one with everything in
    /// view].
    #[arg(long, value_name = "X,Y,Z", conflicts_with = "link", value_parser = parse_point, allow_hyphen_values = true)]
    pub(crate) eye: Option<Vec3>,
    /// What the camera looks at [default: the middle of everything].
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true, requires = "eye")]
    pub(crate) look: Option<Vec3>,
    /// Draw everything from straight above, as a map: orthographic, with -Z up in the picture.
    #[arg(long, conflicts_with_all = ["eye", "look", "link"])]
    pub(crate) top: bool,
    /// Draw with parallel lines of sight, which start in the plane of the eye: what is at the point
    /// looked at is as large as without.
    #[arg(long, conflicts_with = "link")]
    pub(crate) ortho: bool,
    /// The angle between the picture's lower and upper edge, degrees [default: that of the camera that
    /// is drawn, else 50].
    #[arg(
        long,
        value_name = "DEG",
        conflicts_with = "link",
        allow_hyphen_values = true
    )]
    pub(crate) fov: Option<f64>,
    /// Whether models are drawn with the textures of their base colours.
    #[arg(long, value_enum, default_value_t = TexturesArgument::On)]
    pub(crate) textures: TexturesArgument,
    /// How surfaces are lit.
    #[arg(long, value_enum, default_value_t = LightArgument::Sun, conflicts_with = "link")]
    pub(crate) light: LightArgument,
    /// Rays for each pixel, 1 to 16, at places of which each pixel has the same [default: one, and four
    /// more at edges; 16 with soft light, --ao or --outline].
    #[arg(long, value_name = "N", conflicts_with = "link", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) samples: Option<u32>,
    /// Rays for each of these that look for what hides the sky nearby, up to 64: corners and what
    /// stands on something get darker [default: 1 in soft light, else 0].
    #[arg(long, value_name = "N", conflicts_with = "link", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub(crate) ao: Option<u32>,
    /// Draw the edges of objects, of their parts and of creases.
    #[arg(long, conflicts_with = "link")]
    pub(crate) outline: bool,
    /// Show how many boxes and triangles are tested for each pixel's ray, with a legend.
    #[arg(long, conflicts_with_all = ["light", "samples", "ao", "outline", "link"])]
    pub(crate) cost: bool,
    /// Draw the questions of a table and what answers them: rays, arcs, shapes or points, told by
    /// their columns. A table of answers is asked again.
    #[arg(long, value_name = "TABLE", conflicts_with = "pick")]
    pub(crate) shots: Option<PathBuf>,
    /// With --shots: columns of the question that are others of the table, or a number in every row:
    /// ox=muzzle_x,dy=-1.
    #[arg(long, value_name = "NAME=COLUMN,...", requires = "shots", value_parser = parse_columns)]
    pub(crate) columns: Option<ColumnList>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LightArgument {
    /// By sun and sky as surfaces face them, without shadows: no further rays.
    Plain,
    /// With the sun's sharp shadows.
    Sun,
    /// By a sun with a disc and by the part of the sky that is seen.
    Soft,
}

impl From<LightArgument> for Light {
    fn from(light: LightArgument) -> Self {
        match light {
            LightArgument::Plain => Self::Plain,
            LightArgument::Sun => Self::Sun,
            LightArgument::Soft => Self::Soft,
        }
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || format!("{text:?} is no size: write width x height, such as 960x540");
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
    let size = [width, height].map(|side| side.trim().parse::<u32>().map_err(|_| wrong()));
    let [width, height] = size;
    let size = [width?, height?];
    // A picture's numbers are addressed by 32 bits.
    if size.contains(&0) || u64::from(size[0]) * u64::from(size[1]) > 1 << 28 {
        return Err("a picture has between 1 and 268,435,456 pixels".to_owned());
    }
    Ok(size)
}

fn parse_pixel(text: &str) -> Result<[u32; 2], String> {
    let wrong = || format!("{text:?} is no pixel: write column,row, such as 480,270");
    let (x, y) = text.split_once(',').ok_or_else(wrong)?;
    let pixel = [x, y].map(|number| number.trim().parse().map_err(|_| wrong()));
    let [x, y] = pixel;
    Ok([x?, y?])
}

fn parse_point(text: &str) -> Result<Vec3, String> {
    let wrong = || format!("{text:?} is no point: write X,Y,Z, such as 0,12.5,-3");
    let numbers: Vec<f32> = text
        .split(',')
        .map(|number| number.trim().parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    let point = <[f32; 3]>::try_from(numbers).map_err(|_| wrong())?;
    let point = Vec3::from_array(point);
    if point.is_finite() {
        Ok(point)
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_points() {
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        assert!(parse_size("640").is_err() && parse_size("0x5").is_err());
        assert!(parse_size("999999x999999").is_err());
        assert_eq!(parse_point("1, -2.5,3"), Ok(Vec3::new(1.0, -2.5, 3.0)));
        assert!(parse_point("1,2").is_err() && parse_point("1,2,nan").is_err());
    }
}
