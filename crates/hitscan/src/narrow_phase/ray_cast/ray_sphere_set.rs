//! Ray against a set of solid spheres, a vector of them at a time.
//!
//! No tree: every sphere is tested, a vector at a time, in f32 with a derived bound; what a ray may
//! hit is decided by `Sphere::cast_ray`, so the answer is that of sphere by sphere.

use super::ray::LocalRay;
use crate::shape::sphere::power_of_two_near;
use crate::simd::Width;
use crate::simd::dispatch_wide;
use crate::{Ray, RayCastSettings, RayHit, Sphere};
use fearless_simd::{Simd, prelude::*};

/// The number of spheres in a block: the bits of a mask.
const LANES: usize = 64;
/// The largest relative error of one rounded f32 operation.
const ROUNDOFF: f32 = f32::EPSILON / 2.0;
/// How far rounding may carry a sphere off, in units of its distance from the ray's origin.
///
/// With u the roundoff and M the length of the vector m from the origin to the centre: m is off by
/// uM, the unit direction e by u, the projection b = m·e by 3uM of its own, 5.1uM in all, the vector
/// `p = m - b e` from the line to the centre by `(1 + 1 + 5.1 + 1 + 1) uM < 9.2uM`, and squares and
/// sums of squares by 4u of themselves. 16u leaves room for those, and M is taken from above, as
/// `|x| + |y| + |z|`. With fused operations there are fewer roundings.
const CARRIED_OFF: f32 = 16.0 * ROUNDOFF;
/// The factor by which radii are enlarged for the same reason, rounded up.
const RADIUS_FACTOR: f64 = 1.0 + 16.0 * ROUNDOFF as f64;
/// More than rounding takes from squares below the range of normal f32: 2^-150 a square or sum, and this is
/// 2^-126.
const UNDERFLOW: f32 = f32::MIN_POSITIVE;

/// A list of spheres, numbered from 0, of which a ray finds the nearest.
///
/// ```
/// use hitscan::{Ray, Sphere, SphereSet};
/// let pearl = |i: u8| Sphere::new([0.0, 0.0, 10.0 - f32::from(i)], 0.25);
/// let pearls: SphereSet = (0..10).map(pearl).collect::<Result<_, _>>()?;
/// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0])?;
/// let (index, hit) = pearls.cast_ray(&ray, ()).expect("they are strung along the ray");
/// assert_eq!((index, hit.t), (9, 0.75));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct SphereSet {
    blocks: Vec<Block>,
    spheres: Vec<Sphere>,
    width: Width,
}

/// 64 spheres, `center[axis][sphere]`. Places without a sphere may hold anything.
#[derive(Debug, Clone)]
#[repr(align(64))]
struct Block {
    center: [[f32; LANES]; 3],
    radius: [f32; LANES],
}

/// A ray in f32, for culling: distances along it instead of t.
struct Line {
    origin: [f32; 3],
    /// Unit length, but for rounding.
    direction: [f32; 3],
    /// What t is multiplied by to become a distance.
    length: f64,
    /// Where the ray begins, rounded down.
    from: f32,
}

impl Line {
    fn new(ray: &Ray) -> Self {
        let local = LocalRay::from(ray);
        let scale = power_of_two_near(local.direction.abs().max_element());
        let scaled = local.direction / scale;
        let scaled_length = scaled.dot(scaled).sqrt();
        let length = scaled_length * scale;
        Self {
            origin: ray.origin().to_array(),
            direction: (scaled / scaled_length).as_vec3().to_array(),
            length,
            from: below(f64::from(ray.t_min()) * length),
        }
    }

    /// The distance at `t`, rounded up.
    fn distance(&self, t: f32) -> f32 {
        -below(-f64::from(t) * self.length)
    }
}

/// An f32 that is less than `x` by more than f64 may have rounded it.
fn below(x: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "stepped down behind")]
    let rounded = x as f32;
    rounded.next_down()
}

impl Block {
    const EMPTY: Self = Self {
        center: [[0.0; LANES]; 3],
        radius: [0.0; LANES],
    };

    /// A bit for each sphere that the ray may hit between its beginning and `limit`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn candidates<S: Simd>(&self, simd: S, line: &Line, limit: f32) -> u64 {
        let mut found = 0;
        for from in (0..LANES).step_by(S::f32s::LEN) {
            let x = row(simd, &self.center[0], from) - line.origin[0];
            let y = row(simd, &self.center[1], from) - line.origin[1];
            let z = row(simd, &self.center[2], from) - line.origin[2];
            let [e_x, e_y, e_z] = line.direction;
            let (e_x, e_y) = (S::f32s::splat(simd, e_x), S::f32s::splat(simd, e_y));
            let e_z = S::f32s::splat(simd, e_z);
            let along = x.mul_add(e_x, y.mul_add(e_y, z * e_z));
            let back = -along;
            let p_x = e_x.mul_add(back, x);
            let p_y = e_y.mul_add(back, y);
            let p_z = e_z.mul_add(back, z);
            let aside = p_x.mul_add(p_x, p_y.mul_add(p_y, p_z * p_z));
            let far = x.abs() + y.abs() + z.abs();
            let radius = far.mul_add(
                S::f32s::splat(simd, CARRIED_OFF),
                row(simd, &self.radius, from),
            );
            // What overflows is infinite or NaN, and no reason to leave a sphere out.
            let is_aside = aside.simd_gt(radius.mul_add(radius, S::f32s::splat(simd, UNDERFLOW)));
            let is_beyond = (along - radius).simd_gt(limit);
            let is_behind = (along + radius).simd_lt(line.from);
            found |= (!(is_aside | is_beyond | is_behind)).to_bitmask() << from;
        }
        found
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn row<S: Simd>(simd: S, row: &[f32; LANES], from: usize) -> S::f32s {
    S::f32s::from_slice(simd, &row[from..from + S::f32s::LEN])
}

impl SphereSet {
    /// The set of `spheres`, numbered in their order.
    #[must_use]
    pub fn new(spheres: &[Sphere]) -> Self {
        spheres.iter().copied().collect()
    }

    /// The same set, searched with these vector instructions. The answers are the same.
    #[doc(hidden)]
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// The spheres, in the order of their numbers.
    #[must_use]
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    /// The number of spheres.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Whether there is no sphere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// The nearest hit of `ray` and the number of the sphere; of equal t the
    /// lowest number. The hit is that of [`Sphere::cast_ray`], bit for bit.
    #[must_use]
    #[inline]
    pub fn cast_ray(
        &self,
        ray: &Ray,
        settings: impl Into<RayCastSettings>,
    ) -> Option<(u32, RayHit)> {
        self.nearest_hit(ray, settings.into())
    }

    fn nearest_hit(&self, ray: &Ray, settings: RayCastSettings) -> Option<(u32, RayHit)> {
        dispatch_wide!(self.width, simd => self.nearest(simd, ray, settings))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest<S: Simd>(
        &self,
        simd: S,
        ray: &Ray,
        settings: RayCastSettings,
    ) -> Option<(u32, RayHit)> {
        let line = Line::new(ray);
        let mut limit = line.distance(ray.t_max());
        let mut best: Option<(u32, RayHit)> = None;
        for (first, (block, spheres)) in (0u32..)
            .step_by(LANES)
            .zip(self.blocks.iter().zip(self.spheres.chunks(LANES)))
        {
            let mut candidates = block.candidates(simd, &line, limit);
            while candidates != 0 {
                let place = candidates.trailing_zeros();
                candidates &= candidates - 1;
                let Some(hit) = spheres
                    .get(place as usize)
                    .and_then(|sphere| sphere.cast_ray(ray, settings))
                else {
                    continue;
                };
                if best.is_none_or(|(_, nearest)| hit.t < nearest.t) {
                    best = Some((first + place, hit));
                    limit = line.distance(hit.t);
                }
            }
        }
        best
    }
}

impl FromIterator<Sphere> for SphereSet {
    fn from_iter<I: IntoIterator<Item = Sphere>>(spheres: I) -> Self {
        let mut set = Self::default();
        set.extend(spheres);
        set
    }
}

impl Extend<Sphere> for SphereSet {
    fn extend<I: IntoIterator<Item = Sphere>>(&mut self, spheres: I) {
        for sphere in spheres {
            let place = self.spheres.len() % LANES;
            if place == 0 {
                self.blocks.push(Block::EMPTY);
            }
            if let Some(block) = self.blocks.last_mut() {
                for axis in 0..3 {
                    block.center[axis][place] = sphere.center()[axis];
                }
                block.radius[place] = -below(-sphere.radius() * RADIUS_FACTOR);
            }
            self.spheres.push(sphere);
        }
    }
}
