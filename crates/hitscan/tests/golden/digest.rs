//! A digest of the bits of answers: FNV-1a over 64 bits.

use hitscan::glam::Vec3;
use hitscan::{RayHit, Side};

pub(crate) struct Digest {
    state: u64,
    answers: usize,
}

impl Digest {
    pub(crate) fn new() -> Self {
        Self {
            state: 0xcbf2_9ce4_8422_2325,
            answers: 0,
        }
    }

    pub(crate) fn add(&mut self, number: u32) {
        for byte in number.to_le_bytes() {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.answers += 1;
    }

    pub(crate) fn add_float(&mut self, number: f32) {
        self.add(number.to_bits());
    }

    pub(crate) fn add_vector(&mut self, vector: Vec3) {
        for component in vector.to_array() {
            self.add_float(component);
        }
    }

    pub(crate) fn add_flags(&mut self, flags: &[bool]) {
        for &flag in flags {
            self.add(u32::from(flag));
        }
    }

    pub(crate) fn add_hits(&mut self, hits: &[Option<RayHit>]) {
        for hit in hits {
            self.add(u32::from(hit.is_some()));
            if let Some(hit) = hit {
                self.add_hit(hit);
            }
        }
    }

    pub(crate) fn add_hit(&mut self, hit: &RayHit) {
        if let Some(object) = hit.object {
            self.add(number(object.index()));
        }
        self.add_float(hit.t);
        self.add_float(hit.distance);
        self.add_vector(hit.point);
        self.add_vector(hit.normal);
        self.add(match hit.side {
            Side::Front => 0,
            Side::Back => 1,
            Side::Inside => 2,
        });
        if let Some(triangle) = hit.triangle {
            self.add(triangle.part);
            self.add(triangle.triangle);
            self.add_float(hit.u());
            self.add_float(hit.v());
        }
    }

    /// Checks the digest, and prints it.
    pub(crate) fn assert_is(&self, name: &str, golden: u64) {
        println!("{name}: {:#018x} of {} numbers", self.state, self.answers);
        assert!(
            self.state == golden,
            "{name}: the digest is {:#018x}, not {golden:#018x}: some bit of some answer differs",
            self.state
        );
    }
}

/// An object's number as the digest takes it.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap()
}
