//! A thousand crates fall past each other: which of them hit within a frame, and when first.
//!
//! cargo run --release -p hitscan --example falling_crates

use hitscan::broad_phase::ImpactStart;
use hitscan::glam::Vec3;
use hitscan::{Aabb, Error, ObjectId, World};

const CRATES: u32 = 1000;
const FRAME_SECS: f32 = 1.0 / 60.0;

fn main() -> Result<(), Error> {
    let mut world = World::new();
    let mut random = Random(1);
    let mut crates: Vec<(ObjectId, Aabb, Vec3)> = Vec::new();
    for _ in 0..CRATES {
        let corner = Vec3::new(random.to(40.0), random.to(40.0), random.to(40.0));
        let size = Vec3::splat(0.5 + random.to(0.5));
        let bounds = Aabb::new(corner, corner + size)?;
        // Falling, some faster than others, and drifting.
        let drift = Vec3::new(
            random.to(4.0) - 2.0,
            -20.0 * random.to(1.0),
            random.to(4.0) - 2.0,
        );
        crates.push((world.add(bounds), bounds, drift));
    }
    let (mut met, mut printed, mut frames) = (0, 0, 0);
    while frames < 60 {
        world.update();
        let motions: Vec<_> = crates
            .iter()
            .map(|(id, _, speed)| (*id, *speed * FRAME_SECS))
            .collect();
        let overlaps = world.now().impacts(&motions, ())?;
        let mut fresh = overlaps
            .iter()
            .filter(|met| met.start == ImpactStart::Separate);
        if let Some(first) = fresh.next() {
            if printed < 3 {
                printed += 1;
                let secs = FRAME_SECS * (frames as f32 + first.t);
                let (a, b) = (first.a.index(), first.b.index());
                println!(
                    "at {secs:.5} s crate {a} meets crate {b}, normal {}",
                    first.normal
                );
            }
            met += 1 + fresh.count();
        }
        for ((id, bounds, _), (_, motion)) in crates.iter_mut().zip(&motions) {
            *bounds = Aabb::new(bounds.min() + *motion, bounds.max() + *motion)?;
            world.set_primitive(*id, *bounds)?;
        }
        frames += 1;
    }
    println!("{CRATES} crates, {frames} frames: {met} times two began to meet");
    assert!(met > 100);
    Ok(())
}

/// A linear congruence, so that every run falls alike.
struct Random(u64);

impl Random {
    /// A number from 0 to `end`.
    fn to(&mut self, end: f32) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        end * (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}
