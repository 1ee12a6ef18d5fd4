//! Numbers that look random, the same in every run.

use bevy_math::Vec3;

/// xorshift64*.
pub struct Numbers(pub u64);

impl Numbers {
    /// From 0 up to 1.
    pub fn share(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 48;
        f32::from(u16::try_from(bits).expect("16 bits")) / 65_536.0
    }

    /// From `low` up to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.share() * (high - low)
    }

    /// A point of the cube of this half size about the origin.
    pub fn point(&mut self, half_size: f32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.between(-half_size, half_size)))
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: u16) -> u16 {
        // Both are below 2^16, so their product is exact enough to stay below `count`.
        let scaled = (self.share() * f32::from(count)).floor();
        (0..count)
            .rev()
            .find(|number| f32::from(*number) <= scaled)
            .unwrap_or(0)
    }
}
