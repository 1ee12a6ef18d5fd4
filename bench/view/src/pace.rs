//! Stays within the messages that a page may send: as many at once as a second has, and that many more
//! each second. What is beyond waits, before anything is timed.

use std::time::{Duration, Instant};

/// Below the program's `MESSAGES_A_SECOND` of 240, so that no two clocks need agree.
const MESSAGES_A_SECOND: f64 = 220.0;

pub(crate) struct Pace {
    left: f64,
    counted: Instant,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Self {
            left: MESSAGES_A_SECOND,
            counted: Instant::now(),
        }
    }

    /// A message is sent.
    pub(crate) fn count(&mut self) {
        self.gain();
        self.left -= 1.0;
    }

    /// Waits until so many more may be sent.
    pub(crate) fn wait_for(&mut self, messages: u32) {
        self.gain();
        let missing = f64::from(messages) - self.left;
        if missing > 0.0 {
            std::thread::sleep(Duration::from_secs_f64(missing / MESSAGES_A_SECOND));
        }
    }

    fn gain(&mut self) {
        let gained = self.counted.elapsed().as_secs_f64() * MESSAGES_A_SECOND;
        self.counted = Instant::now();
        self.left = (self.left + gained).min(MESSAGES_A_SECOND);
    }
}
