//! Arguments of `hitscan viewshed`.

use super::SceneArguments;
use super::table::parse_threads;
use clap::Args;
use glam::{Vec2, Vec3};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Which samples of a terrain are seen from a point.
#[derive(Debug, Args)]
#[command(after_help = "\
The PNG is 8-bit grey, one pixel a sample, row 0 first: 255 visible, 0 not, 128 a hole or too far. How
many there are of each goes to standard error. Terrain, models and solids hide, as in `hitscan sight`;
the earth's curvature and refraction are left out.

Examples, on the files of `hitscan demo`:
  hitscan viewshed hitscan-demo/scene.toml --eye 2,78 --above 1.8 -o seen.png
  hitscan viewshed hitscan-demo/scene.toml --eye 2,78 --above 1.8 --picture -o seen-map.png
  hitscan viewshed hitscan-demo/scene.toml --eye 0,60,0 --max-distance 100 --mask 0b1 -o near.png")]
pub(crate) struct ViewshedArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The picture, a PNG; `-` is standard output.
    #[arg(short, long, value_name = "OUT.png")]
    pub(crate) output: PathBuf,
    /// The eye: X,Y,Z, or X,Z where it stands on the terrain.
    #[arg(long, value_name = "X,Y,Z|X,Z", value_parser = parse_eye, allow_hyphen_values = true)]
    pub(crate) eye: Eye,
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

/// Where the eye is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Eye {
    At(Vec3),
    /// On the terrain at this x and z.
    Standing(Vec2),
}

fn parse_eye(text: &str) -> Result<Eye, String> {
    let wrong = || format!("{text:?} is no eye: write X,Y,Z or X,Z, such as 0,12.5,-3 or 0,-3");
    let numbers = text.split(',').map(|number| number.trim().parse::<f32>());
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().map_err(|_| wrong())?;
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(wrong());
    }
    match numbers[..] {
        [x, y, z] => Ok(Eye::At(Vec3::new(x, y, z))),
        [x, z] => Ok(Eye::Standing(Vec2::new(x, z))),
        _ => Err(wrong()),
    }
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
    fn eyes_and_masks() {
        assert_eq!(
            parse_eye("1, -2.5,3"),
            Ok(Eye::At(Vec3::new(1.0, -2.5, 3.0)))
        );
        assert_eq!(parse_eye("1,3"), Ok(Eye::Standing(Vec2::new(1.0, 3.0))));
        assert!(parse_eye("1").is_err() && parse_eye("1,2,nan").is_err());
        assert_eq!(["5", "0x5", "0b101"].map(parse_mask), [Ok(5), Ok(5), Ok(5)]);
        assert!(parse_mask("-1").is_err() && parse_mask("0b2").is_err());
    }
}
