//! The scene that a command queries: a scene file, or one height map or model in its place.

use clap::Args;
use hitscan_picture::{Error, Link};
use std::path::PathBuf;

/// A scene, or a single file that stands in for one.
#[derive(Debug, Args)]
pub(crate) struct SceneArguments {
    /// The scene file, or one that `hitscan bake` wrote; or a height map or a model, which is then the whole
    /// scene; `demo:` is the scene of `hitscan demo`.
    pub(crate) scene: PathBuf,
    #[command(flatten)]
    pub(crate) single_file: SingleFileArguments,
    /// The scene in the poses, and at the moment, of a link to the page of `hitscan view`; its address, or
    /// what follows the `#`. In place of a table its question is answered, with its options; `render`
    /// draws what it shows.
    #[arg(long, value_name = "LINK")]
    pub(crate) link: Option<String>,
}

impl SceneArguments {
    /// What the link says, if there is one.
    pub(crate) fn parsed_link(&self) -> Result<Option<Link>, Error> {
        self.link.as_deref().map(Link::parse).transpose()
    }
}

/// How a height map or a model is read that stands in for a scene.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(next_help_heading = "A height map or a model in place of a scene")]
pub(crate) struct SingleFileArguments {
    /// The metres between the samples of a height map, one number or X,Z [default: the file's own,
    /// in degrees by its place on the earth; else 1].
    #[arg(long, value_name = "METRES", value_parser = parse_spacing, allow_hyphen_values = true)]
    pub(crate) spacing: Option<[f64; 2]>,
    /// Place a height map by its own georeference, so that tables may have the columns easting
    /// northing, or lon lat. Files that state a system in metres, and maps in degrees without a
    /// spacing, are so placed without it.
    #[arg(long)]
    pub(crate) georeferenced: bool,
    /// The metres of code 0 and of the highest code of a height map of 8- or 16-bit codes
    /// [default: one code is one metre].
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_pair, allow_hyphen_values = true)]
    pub(crate) range: Option<[f64; 2]>,
    /// The animation of a model, by name or index [default: the pose at rest; with --time the first].
    #[arg(long, value_name = "CLIP")]
    pub(crate) clip: Option<String>,
    /// The time in the animation, seconds [default: 0].
    #[arg(long, value_name = "SECONDS", value_parser = parse_number, allow_hyphen_values = true)]
    pub(crate) time: Option<f64>,
}

impl SingleFileArguments {
    /// As they are typed.
    #[cfg(feature = "view")]
    pub(crate) fn words(&self) -> Vec<String> {
        let pair = |option: &str, [first, second]: [f64; 2]| format!("{option}={first},{second}");
        let spacing = self.spacing.map(|spacing| pair("--spacing", spacing));
        let georeferenced = self.georeferenced.then(|| "--georeferenced".to_owned());
        let range = self.range.map(|range| pair("--range", range));
        let clip = self.clip.as_ref().map(|clip| format!("--clip={clip}"));
        let time = self.time.map(|time| format!("--time={time}"));
        let words = [spacing, georeferenced, range, clip, time];
        words.into_iter().flatten().collect()
    }
}

fn parse_number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok();
    let number = number.filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("{text:?} is no finite number"))
}

fn parse_pair(text: &str) -> Result<[f64; 2], String> {
    let wrong = || format!("{text:?} is no pair of numbers: write two, such as 120,980");
    let (first, second) = text.split_once(',').ok_or_else(wrong)?;
    let pair = [parse_number(first), parse_number(second)];
    let [Ok(first), Ok(second)] = pair else {
        return Err(wrong());
    };
    Ok([first, second])
}

fn parse_spacing(text: &str) -> Result<[f64; 2], String> {
    let wrong = || format!("{text:?} is no spacing: write metres above 0, such as 30 or 17,31");
    let spacing = match parse_number(text) {
        Ok(both) => [both; 2],
        Err(_) => parse_pair(text).map_err(|_| wrong())?,
    };
    match spacing.iter().all(|&metres| metres > 0.0) {
        true => Ok(spacing),
        false => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacings_and_ranges() {
        assert_eq!(parse_spacing("30"), Ok([30.0, 30.0]));
        assert_eq!(parse_spacing("17, 31.5"), Ok([17.0, 31.5]));
        assert!(parse_spacing("0").is_err() && parse_spacing("1,-1").is_err());
        assert!(parse_spacing("1,2,3").is_err() && parse_spacing("nan").is_err());
        assert_eq!(parse_pair("980,-12"), Ok([980.0, -12.0]));
        assert!(parse_pair("980").is_err());
    }

    #[cfg(feature = "view")]
    #[test]
    fn options_are_typed_again() {
        #[derive(clap::Parser)]
        struct Typed {
            #[command(flatten)]
            options: SingleFileArguments,
        }
        let options = SingleFileArguments {
            spacing: Some([30.0, 0.1]),
            georeferenced: true,
            range: Some([-1.5, 1e9]),
            clip: Some("Walk = 1".to_owned()),
            time: Some(-0.25),
        };
        let words = ["typed".to_owned()].into_iter().chain(options.words());
        let typed = <Typed as clap::Parser>::try_parse_from(words).unwrap();
        assert_eq!(typed.options, options);
    }
}
