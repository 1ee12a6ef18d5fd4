//! The lanes of the floating-point filter: one f64, or several side by side. The same operations in the
//! same order give the same bits in each lane.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};
use fearless_simd::{Simd, f32x8, f64x2, f64x4, f64x8, prelude::*};
use glam::DVec3;

/// How many rays and triangles are side by side in batches.
pub(crate) const LANES: usize = 8;

/// One f64, or several side by side.
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask>;

    fn scaled(self, factor: f64) -> Self;
    fn abs(self) -> Self;
    /// The greater of two numbers; of a NaN and a number either.
    fn max(self, other: Self) -> Self;
    /// The lesser of two numbers; of a NaN and a number either.
    fn min(self, other: Self) -> Self;
    fn is_greater(self, other: Self) -> Self::Mask;
    fn is_less(self, other: Self) -> Self::Mask;
    fn to_bits(mask: Self::Mask) -> u64;
    fn lane(self, lane: usize) -> f64;
}

impl Lanes for f64 {
    type Mask = bool;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scaled(self, factor: f64) -> Self {
        self * factor
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn abs(self) -> Self {
        self.abs()
    }

    // One instruction each, unlike `f64::max`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_greater(self, other: Self) -> bool {
        self > other
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_less(self, other: Self) -> bool {
        self < other
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn to_bits(mask: bool) -> u64 {
        u64::from(mask)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lane(self, _: usize) -> f64 {
        self
    }
}

macro_rules! impl_lanes {
    ($($vector:ident),*) => {$(
        impl<S: Simd> Lanes for $vector<S> {
            type Mask = <Self as SimdBase<S>>::Mask;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn scaled(self, factor: f64) -> Self {
                self * factor
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn abs(self) -> Self {
                SimdBase::abs(self)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn max(self, other: Self) -> Self {
                SimdBase::max(self, other)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn min(self, other: Self) -> Self {
                SimdBase::min(self, other)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_greater(self, other: Self) -> Self::Mask {
                self.simd_gt(other)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_less(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn to_bits(mask: Self::Mask) -> u64 {
                mask.to_bitmask()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lane(self, lane: usize) -> f64 {
                self[lane]
            }
        }
    )*};
}

impl_lanes!(f64x2, f64x4, f64x8);

/// What `of` gives for each lane. It is in line always, which `array::map` is not.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn by_lane<T>(of: impl Fn(usize) -> T) -> [T; LANES] {
    [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)]
}

/// A vector in each lane. Its operations are those of [`DVec3`], in the same order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vectors<V> {
    pub(crate) x: V,
    pub(crate) y: V,
    pub(crate) z: V,
}

impl From<DVec3> for Vectors<f64> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(DVec3 { x, y, z }: DVec3) -> Self {
        Self { x, y, z }
    }
}

impl<V> Vectors<V> {
    /// The components by the number of their axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn by_axis(component: impl Fn(usize) -> V) -> Self {
        Self {
            x: component(0),
            y: component(1),
            z: component(2),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn splat<S: Simd>(simd: S, v: DVec3) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: V::splat(simd, v.x),
            y: V::splat(simd, v.y),
            z: V::splat(simd, v.z),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn load<S: Simd>(simd: S, [x, y, z]: [&[f64]; 3]) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: V::from_slice(simd, x),
            y: V::from_slice(simd, y),
            z: V::from_slice(simd, z),
        }
    }
}

impl<V: Lanes> Vectors<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn dot(self, other: Self) -> V {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }

    /// The largest magnitude of a component.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn max_abs(self) -> V {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }
}

impl<V: Sub<Output = V>> Sub for Vectors<V> {
    type Output = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

/// The direction of rays, one a lane.
pub(crate) trait Direction<V>: Copy {
    fn dot(self, v: Vectors<V>) -> V;

    /// The largest magnitude of a component.
    fn max_abs(self) -> V;
}

impl<V: Lanes> Direction<V> for Vectors<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dot(self, v: Vectors<V>) -> V {
        Self::dot(self, v)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn max_abs(self) -> V {
        Self::max_abs(self)
    }
}

/// The direction `(0, y, 0)`: products with its zeros add nothing to a sum, so leaving them out gives
/// the same bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertical<V>(pub(crate) V);

impl<V: Lanes> Direction<V> for Vertical<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dot(self, v: Vectors<V>) -> V {
        self.0 * v.y
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn max_abs(self) -> V {
        self.0.abs()
    }
}

/// Eight lanes of f32, each as f64.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn widened<S: Simd>(simd: S, lanes: [f32; LANES]) -> f64x8<S> {
    let (low, high) = f32x8::load_array(simd, lanes).widen();
    low.combine(high)
}

/// Eight lanes of f64, each as the nearest f32.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn nearest<S: Simd>(x: f64x8<S>) -> f32x8<S> {
    x.narrow(x).split().0
}
