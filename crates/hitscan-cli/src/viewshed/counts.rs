//! Viewsheds of many eyes, summed: how many eyes see each sample.

use super::refused;
use crate::failure::{Failure, check_interrupt};
use crate::progress::Bar;
use hitscan::HeightField;
use hitscan::height_field::{ViewshedQuery, Visibility};
use hitscan_ask::ViewshedGround;
use std::path::Path;

/// The count of a hole.
pub(super) const HOLE: u32 = u32::MAX;

/// How many eyes see each sample.
pub(super) struct Counts {
    pub(super) eyes: usize,
    /// Row by row; a hole is [`HOLE`].
    pub(super) samples: Vec<u32>,
}

/// Counts the eyes that see each sample of the ground's terrain; those to which it is too far do not.
pub(super) fn count(
    ground: &ViewshedGround<'_>,
    terrain: &HeightField,
    eyes: &[ViewshedQuery],
    output: &Path,
) -> Result<Counts, Failure> {
    let heights = terrain.samples().iter();
    let empty = heights.map(|height| if height.is_nan() { HOLE } else { 0 });
    let mut samples: Vec<u32> = empty.collect();
    let bar = Bar::beside("viewsheds", Some(output));
    for (done, eye) in eyes.iter().enumerate() {
        bar.show_fraction(done as f64 / eyes.len() as f64);
        check_interrupt()?;
        // An eye without ground below it was refused with its row.
        let Some(viewshed) = ground.viewshed(eye).map_err(refused)? else {
            continue;
        };
        for (count, seen) in samples.iter_mut().zip(viewshed.samples()) {
            *count += u32::from(*seen == Visibility::Visible);
        }
    }
    check_interrupt()?;
    Ok(Counts {
        eyes: eyes.len(),
        samples,
    })
}

impl Counts {
    /// What was found, in words.
    pub(super) fn described(&self, name: &str) -> String {
        let counts = || self.samples.iter().filter(|count| **count != HOLE);
        let all = counts().count();
        let seen = counts().filter(|count| **count > 0).count();
        let most = counts().max().copied().unwrap_or_default();
        let percent = 100.0 * seen as f64 / all.max(1) as f64;
        format!(
            "{name}: of {} eyes, {seen} samples are visible to at least one ({percent:.1} %), to {most} at \
             most; {} are visible to none, {} are holes",
            self.eyes,
            all - seen,
            self.samples.len() - all
        )
    }
}
