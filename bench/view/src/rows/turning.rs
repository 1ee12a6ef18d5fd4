//! V2 and V3: a turning camera, read by a client that only reads, and drawn in a browser, each beside the rays of its
//! own frames alone.

use crate::alone::Alone;
use crate::browser::Browser;
use crate::page::Page;
use crate::program::Program;
use crate::table;
use crate::turned::Turned;
use crate::{Amount, Result};

/// What a scene's rows are called, and what they aim at.
pub(crate) struct Rows<'a> {
    pub(crate) scene: &'a str,
    pub(crate) streamed: [&'a str; 2],
    pub(crate) drawn: [&'a str; 2],
}

/// Rates of one side, a value a round.
#[derive(Default)]
struct Rates {
    rays: Vec<f64>,
    alone: Vec<f64>,
    frames: Vec<f64>,
    scales: Vec<f64>,
}

impl Rates {
    fn add(&mut self, turned: &Turned, alone: &Alone) -> Result<()> {
        if turned.frames.is_empty() {
            return Err("a turn without frames".into());
        }
        self.rays.push(turned.rays_a_second());
        self.frames.push(turned.frames_a_second());
        self.scales.push(turned.scale());
        self.alone.push(alone.replay(turned)?);
        Ok(())
    }

    fn print(self, what: &str, [name, aim]: [&str; 2]) {
        let rates = [self.rays, self.alone].map(table::median);
        table::rays(
            name,
            &format!("{what}: million rays a second / its rays alone"),
            rates,
            aim,
        );
        let scale = table::median(self.scales);
        let what = format!("frames a second of it, a pixel for {scale:.1} rays a side");
        table::more(&what, &[table::median(self.frames)]);
    }
}

/// Turns the camera over a scene of the program's, in turns.
pub(crate) fn run(
    (program, alone): (&Program, &Alone),
    mut browser: Option<&mut Browser>,
    size: [u32; 2],
    amount: Amount,
    rows: &Rows<'_>,
) -> Result<()> {
    let [mut streamed, mut drawn] = [Rates::default(), Rates::default()];
    for _ in 0..amount.rounds {
        streamed.add(&Page::open(program)?.turn(size, amount.turn)?, alone)?;
        if let Some(browser) = &mut browser {
            drawn.add(&browser.turn(program, size, amount.turn)?, alone)?;
        }
    }
    let (scene, [width, height]) = (rows.scene, size);
    let what = format!("{scene} turning, {width}x{height}");
    streamed.print(&what, rows.streamed);
    if browser.is_some() {
        drawn.print(&format!("{what}, in Chromium"), rows.drawn);
    }
    Ok(())
}
