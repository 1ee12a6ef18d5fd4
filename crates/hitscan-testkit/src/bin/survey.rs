//! Survey of heights: the difference between answers in projected coordinates and an interpolation in
//! f64.
//!
//! `survey write DIR POINTS` writes a map, a scene and a table of points, each with its `expected`
//! height. `hitscan height DIR/scene.toml DIR/points.csv -o DIR/heights.csv` answers it, and
//! `survey check DIR/heights.csv` prints the maximum difference; beyond 1 mm it fails.

use hitscan_testkit::Rng;
use hitscan_testkit::survey::Survey;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

/// The maximum difference that passes, metres.
const LIMIT: f64 = 0.001;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["write", folder, points] => match points.parse() {
            Ok(points) => write(Path::new(folder), points).map(|()| ExitCode::SUCCESS),
            Err(_) => Ok(usage()),
        },
        ["check", table] => check(Path::new(table)),
        _ => Ok(usage()),
    };
    result.unwrap_or_else(|error| {
        eprintln!("survey: {error}");
        ExitCode::FAILURE
    })
}

fn usage() -> ExitCode {
    eprintln!("survey: write DIR POINTS, or check TABLE.csv");
    ExitCode::from(2)
}

fn write(folder: &Path, points: usize) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let survey = Survey::new(2049, 5.0, 12);
    std::fs::write(folder.join("map.tif"), survey.geo_tiff())?;
    let scene = "[[terrain]]\nname = \"map\"\nheights = \"map.tif\"\ngeoreferenced = true\n";
    std::fs::write(folder.join("scene.toml"), scene)?;
    let mut table = BufWriter::new(File::create(folder.join("points.csv"))?);
    writeln!(table, "easting,northing,expected")?;
    let mut rng = Rng::new(5);
    for _ in 0..points {
        let point = survey.point(&mut rng);
        writeln!(table, "{},{}", point.csv(), point.height)?;
    }
    table.flush()
}

fn check(table: &Path) -> std::io::Result<ExitCode> {
    let mut lines = BufReader::new(File::open(table)?).lines();
    let header = lines.next().transpose()?.unwrap_or_default();
    let column = |name: &str| header.split(',').position(|field| field == name);
    let (Some(expected), Some(height)) = (column("expected"), column("height")) else {
        return Err(std::io::Error::other("no columns expected and height"));
    };
    let (mut greatest, mut rows) = (0.0_f64, 0_u64);
    for line in lines {
        let line = line?;
        let fields: Vec<&str> = line.split(',').collect();
        let number = |column: usize| fields.get(column).and_then(|text| text.parse::<f64>().ok());
        // A point without a height is infinitely far off.
        let difference = number(expected)
            .zip(number(height))
            .map(|(a, b)| (a - b).abs());
        greatest = greatest.max(difference.unwrap_or(f64::INFINITY));
        rows += 1;
    }
    println!(
        "{rows} points, greatest difference {:.4} mm",
        greatest * 1000.0
    );
    Ok(if rows > 0 && greatest <= LIMIT {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
