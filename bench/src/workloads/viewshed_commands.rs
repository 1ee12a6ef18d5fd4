//! V1, the whole commands: `hitscan viewshed` and `gdal_viewshed`, from a GeoTIFF to a GeoTIFF.

use super::context::Context;
use crate::inputs::{NORTH_WEST, Terrain};
use crate::usage::{self, Usage};
use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// The program that `cargo xtask bench` has built, in the profile in which it is installed.
const PROGRAM: &str = "HITSCAN_PROGRAM";

/// How often each command runs, in turns.
const ROUNDS: usize = 5;

/// Notes the CPU time and the memory of both commands, with the eye so many metres above the middle.
pub fn run(context: &Context, name: &str, (terrain, above): (&Terrain, f64)) {
    let Some(program) = env::var_os(PROGRAM) else {
        return;
    };
    let folder = env::temp_dir().join(format!("hitscan-bench-{}", std::process::id()));
    match measured(Path::new(&program), &folder, (terrain, above)) {
        Ok([ours, gdal]) => context.note(&format!(
            "{name}: whole commands on one core, GeoTIFF to GeoTIFF: hitscan viewshed {}, gdal_viewshed {}",
            in_words(ours),
            in_words(gdal)
        )),
        Err(reason) => context.note(&format!("{name}: whole commands: {reason}")),
    }
    // A folder that stays behind is the system's to sweep.
    let _ = fs::remove_dir_all(&folder);
}

fn in_words(usage: Usage) -> String {
    let megabytes = usage.peak_bytes * 1e-6;
    format!("{:.2} s of CPU and {megabytes:.0} MB", usage.cpu_secs)
}

/// The median time and the most memory of both.
fn measured(
    program: &Path,
    folder: &Path,
    (terrain, above): (&Terrain, f64),
) -> Result<[Usage; 2], String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    let map = folder.join("map.tif");
    let file = File::create(&map).map_err(failed)?;
    terrain.write_geo_tiff(file).map_err(failed)?;
    let middle = (terrain.size / 2) as f64;
    let [east, north] = [NORTH_WEST[0] + middle, NORTH_WEST[1] - middle];
    let mut ours = Command::new(program);
    ours.arg("viewshed")
        .arg(&map)
        .arg("--eye")
        .arg(format!("{east},{north}"));
    ours.args(["--above", &above.to_string()])
        .arg("-o")
        .arg(folder.join("ours.tif"));
    let mut gdal = Command::new("gdal_viewshed");
    gdal.args(["-q", "-cc", "0", "-oz", &above.to_string()]);
    gdal.args(["-ox", &east.to_string(), "-oy", &north.to_string()]);
    gdal.arg(&map).arg(folder.join("gdal.tif"));
    let mut usages = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (command, usages) in [&ours, &gdal].into_iter().zip(&mut usages) {
            usages.push(usage::of(command, folder)?);
        }
    }
    Ok(usages.map(|mut usages: Vec<Usage>| {
        usages.sort_by(|one, other| one.cpu_secs.total_cmp(&other.cpu_secs));
        let most = usages.iter().map(|usage| usage.peak_bytes);
        Usage {
            peak_bytes: most.fold(0.0, f64::max),
            ..usages[ROUNDS / 2]
        }
    }))
}
