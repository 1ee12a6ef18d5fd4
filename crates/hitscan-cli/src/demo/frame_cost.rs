//! The cost of a frame of the demo's crowd on this machine.

use hitscan::World;
use hitscan_demo::{CrowdFrames, Error};
use std::fmt;
use std::time::{Duration, Instant};

/// How many frames are timed; the median counts.
const FRAMES: u32 = 41;

/// What a frame costs: new poses for all robots, and rays through them.
pub(super) struct FrameCost {
    robots: usize,
    triangles: usize,
    rays: usize,
    hits: usize,
    posing: Duration,
    casting: Duration,
}

impl FrameCost {
    /// Times some frames of the crowd in `world`.
    pub(super) fn measure(world: &World) -> Result<Self, Error> {
        let mut frames = CrowdFrames::new(world)?;
        let (mut posing, mut casting) = (Vec::new(), Vec::new());
        let mut hits = 0;
        for frame in 0..FRAMES {
            let begin = Instant::now();
            frames.pose(frame)?;
            posing.push(begin.elapsed());
            let begin = Instant::now();
            hits = frames.cast_rays();
            casting.push(begin.elapsed());
        }
        Ok(Self {
            robots: frames.robot_count(),
            triangles: frames.triangle_count(),
            rays: frames.ray_count(),
            hits,
            posing: median(&mut posing),
            casting: median(&mut casting),
        })
    }
}

impl fmt::Display for FrameCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(
            f,
            "A frame of the crowd ({} robots, {} triangles, one thread): {:.2} ms for new poses of all,\n\
             {:.2} ms for {} rays, of which {} met a robot.",
            self.robots,
            self.triangles,
            millis(self.posing),
            millis(self.casting),
            self.rays,
            self.hits
        )
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
