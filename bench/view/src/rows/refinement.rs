//! V7: a picture that is refined to its end.

use super::SMALL;
use crate::alone::Alone;
use crate::page::{Ending, Page};
use crate::program::Program;
use crate::{Amount, Result, table};
use std::time::Instant;

pub(crate) fn run(program: &Program, alone: &Alone, amount: Amount) -> Result<()> {
    let (mut streamed, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..amount.rounds {
        let mut page = Page::open(program)?;
        let begin = Instant::now();
        page.refine(SMALL)?;
        let Ending { passes, frame } = page.until_finished()?;
        let seconds = begin.elapsed().as_secs_f64();
        // The passes are the same, so their rays are.
        let painted = alone.refine(&frame, passes)?;
        streamed.push(painted.rays / seconds);
        bare.push(painted.rays / painted.seconds);
    }
    let what = "refinement, 640x360: million rays a second / the same passes alone";
    table::rays("V7", what, [streamed, bare].map(table::median), ">= 0.7");
    Ok(())
}
