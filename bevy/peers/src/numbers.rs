//! Numbers that look random and are the same in each run: xorshift64*.

use bevy_math::{Dir3, Vec3};

pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// From 0 up to 1.
    pub(crate) fn share(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 48;
        f32::from(u16::try_from(bits).unwrap_or(0)) / 65_536.0
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.share() * (high - low)
    }

    /// In a cube of this half size.
    pub(crate) fn point(&mut self, half_size: f32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.between(-half_size, half_size)))
    }

    pub(crate) fn direction(&mut self) -> Dir3 {
        loop {
            if let Ok(direction) = Dir3::new(self.point(1.0)) {
                return direction;
            }
        }
    }
}
