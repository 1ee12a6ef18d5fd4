//! V5: from a click to its answer, at rest and while a picture is refined.

use super::{LARGE, SMALL};
use crate::page::Page;
use crate::program::Program;
use crate::{Amount, Result, table};
use std::time::Instant;

pub(crate) fn run(program: &Program, amount: Amount) -> Result<()> {
    let mut page = Page::open(program)?;
    page.rest(SMALL)?;
    let (mut pings, mut clicks) = (Vec::new(), Vec::new());
    for number in 0..amount.clicks {
        pings.push(micros(&mut page, Page::ping)?);
        clicks.push(micros(&mut page, |page| page.click(number))?);
    }
    let (ping, click) = (table::median(pings), table::median(clicks));
    let what = "click to answer at rest: µs / a ping at rest";
    table::row("V5", what, [click, ping], "<= 2");
    let mut clicks = Vec::new();
    page.refine(LARGE)?;
    for number in 0..amount.clicks {
        if page.is_finished() {
            page.refine(LARGE)?;
        }
        clicks.push(micros(&mut page, |page| page.click(number))?);
    }
    let click = table::median(clicks);
    let what = "the same while a picture is refined";
    table::row("V5", what, [click, ping], "<= 4");
    Ok(())
}

/// The time of something that sends a message, once one may be sent.
fn micros(page: &mut Page, act: impl FnOnce(&mut Page) -> Result<()>) -> Result<f64> {
    page.wait_for_room();
    let begin = Instant::now();
    act(page)?;
    Ok(begin.elapsed().as_secs_f64() * 1e6)
}
