//! V4: a mesh in a browser, beside three-mesh-bvh in the same browser, which casts the views that our page drew.

use super::SMALL;
use crate::alone::Alone;
use crate::browser::Browser;
use crate::inputs::Model;
use crate::program::Program;
use crate::turned::Frame;
use crate::{Amount, Result, table};

/// Distances of so many metres apart are different answers; the mesh is of radius 1.
const TOLERANCE: f64 = 1e-3;

pub(crate) fn run(
    (program, alone): (&Program, &Alone),
    browser: &mut Browser,
    mesh: &Model,
    amount: Amount,
) -> Result<()> {
    let found = browser.open_peer(&mesh.file)?;
    if found != mesh.triangles {
        return Err(format!("the peer has {found} of {} triangles", mesh.triangles).into());
    }
    // Compiled for its work before it is timed.
    let first = browser.turn(program, SMALL, amount.turn)?;
    browser.replay(&first, amount.turn)?;
    let frame = first.frames.first().ok_or("a turn without frames")?;
    let (differing, rays) = differing(alone, browser, frame)?;

    let [mut ours, mut theirs, mut bare] = [const { Vec::new() }; 3];
    let [mut our_frames, mut their_frames] = [const { Vec::new() }; 2];
    for _ in 0..amount.rounds {
        let turned = browser.turn(program, SMALL, amount.turn)?;
        let replayed = browser.replay(&turned, amount.turn)?;
        ours.push(turned.rays_a_second());
        our_frames.push(turned.frames_a_second());
        theirs.push(replayed.rays_a_second);
        their_frames.push(replayed.frames_a_second);
        bare.push(alone.replay(&turned)?);
    }
    let [ours, theirs, bare, our_frames, their_frames] =
        [ours, theirs, bare, our_frames, their_frames].map(table::median);
    let [width, height] = SMALL;
    let what = format!(
        "{} triangles turning, {width}x{height}, in Chromium: million rays a second / three-mesh-bvh 0.9.17",
        mesh.triangles
    );
    table::rays("V4", &what, [ours, theirs], ">= 4");
    table::more("frames a second of both", &[our_frames, their_frames]);
    table::rays("", "the same / its rays alone", [ours, bare], "-");
    let share = 100.0 * differing as f64 / rays as f64;
    let what = format!(
        "rays of a picture whose distance differs by more than {TOLERANCE} m, of {rays}: {share:.3} %"
    );
    table::more(&what, &[differing as f64]);
    Ok(())
}

/// How many rays of a frame the peer answers otherwise, and of how many.
fn differing(alone: &Alone, browser: &mut Browser, frame: &Frame) -> Result<(usize, usize)> {
    let ours = alone.cast(frame)?;
    let theirs = browser.distances(frame)?;
    if ours.len() != theirs.len() {
        return Err(format!("the peer answers {} of {} rays", theirs.len(), ours.len()).into());
    }
    let differs = |(own, other): (&Option<hitscan::RayHit>, &Option<f64>)| match (own, other) {
        (Some(hit), Some(distance)) => (f64::from(hit.t) - distance).abs() > TOLERANCE,
        (None, None) => false,
        _ => true,
    };
    let differing = ours.iter().zip(&theirs).filter(|&pair| differs(pair));
    Ok((differing.count(), ours.len()))
}
