//! V6: two pages that turn, and one beside a page that reads nothing.

use super::{LARGE, SMALL};
use crate::page::Page;
use crate::program::Program;
use crate::{Amount, Result, table};

pub(crate) fn run(program: &Program, amount: Amount) -> Result<()> {
    let turn = || -> Result<f64> {
        let mut page = Page::open(program)?;
        // A first turn is not counted: what was requested before, by any page, is cast in it.
        page.turn(SMALL, amount.turn)?;
        Ok(page.turn(SMALL, amount.turn)?.rays_a_second())
    };
    let [mut one, mut sum, mut least, mut beside] = [const { Vec::new() }; 4];
    for _ in 0..amount.rounds {
        one.push(turn()?);
        let both = std::thread::scope(|scope| {
            let turn = || turn().map_err(|error| error.to_string());
            [scope.spawn(turn), scope.spawn(turn)].map(std::thread::ScopedJoinHandle::join)
        });
        let mut rates = Vec::new();
        for rate in both {
            rates.push(rate.map_err(|_| "a page's thread failed")??);
        }
        sum.push(rates[0] + rates[1]);
        least.push(rates[0].min(rates[1]));
        // One that requests a large picture and reads none of it.
        let mut deaf = Page::open(program)?;
        deaf.refine(LARGE)?;
        let unread = deaf.leave_unread()?;
        beside.push(turn()?);
        drop(unread);
    }
    let [one, sum, least, beside] = [one, sum, least, beside].map(table::median);
    let what = "two pages turning, together: million rays a second / one";
    table::rays("V6", what, [sum, one], ">= 0.9");
    table::rays("V6", "the slower of the two", [least, one], ">= 0.4");
    let what = "one page beside one that reads nothing";
    table::rays("V6", what, [beside, one], ">= 0.9");
    Ok(())
}
