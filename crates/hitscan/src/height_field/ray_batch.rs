//! Many rays against terrain: the walk of `ray.rs`, with the samples of several rays under way.
//!
//! A single ray waits for memory before its first cell. Here the rays of a group are clipped and
//! sent to their first cells one after the other, so that their waits pass together; then each is
//! walked as if it were alone. The answers are the same bits.

use super::HeightField;
use super::descend::{Descent, Walked};
use super::pyramid::FAN_OUT;
use super::ray::{Nearest, hit_of};
use crate::ray::LocalRay;
use crate::{Hit, Ray, Sides};
use core::hint::black_box;
use core::ops::ControlFlow;
use fearless_simd::{Simd, dispatch};
use smallvec::SmallVec;

/// How many rays have samples under way together.
const GROUP: usize = 16;

/// How many rays a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 1 << 10;

/// Is given the number of a ray and a cell, and answers up to which t others still matter.
type GroupVisit<'a> = &'a mut dyn FnMut(usize, [usize; 2]) -> f64;

impl HeightField {
    /// [`HeightField::cast_ray`] for each ray, in order; on several threads where the feature
    /// `parallel` is on.
    #[must_use]
    pub fn cast_rays(&self, rays: &[Ray], sides: Sides) -> Vec<Option<Hit>> {
        let mut hits = vec![None; rays.len()];
        #[cfg(feature = "parallel")]
        if rays.len() > CHUNK {
            use rayon::prelude::*;
            rays.par_chunks(CHUNK)
                .zip(hits.par_chunks_mut(CHUNK))
                .for_each(|(rays, hits)| self.cast_groups(rays, sides, hits));
            return hits;
        }
        self.cast_groups(rays, sides, &mut hits);
        hits
    }

    fn cast_groups(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<Hit>]) {
        for (rays, hits) in rays.chunks(GROUP).zip(hits.chunks_mut(GROUP)) {
            let locals: SmallVec<[LocalRay; GROUP]> = rays.iter().map(LocalRay::from).collect();
            let mut nearest = [const { None }; GROUP];
            for (nearest, _) in nearest.iter_mut().zip(rays) {
                *nearest = Some(Nearest::new(sides, f32::INFINITY));
            }
            let visit: GroupVisit = &mut |ray, [column, row]| match &mut nearest[ray] {
                Some(nearest) => nearest.visit(self, &locals[ray], column, row),
                None => f64::INFINITY,
            };
            let left_out = dispatch!(self.width.level(), simd => walk(simd, self, &locals, visit));
            for (k, hit) in hits.iter_mut().enumerate() {
                *hit = if left_out >> k & 1 == 1 {
                    self.cast_ray(&rays[k], sides)
                } else {
                    let best = nearest[k].as_ref().and_then(|nearest| nearest.best);
                    best.map(|best| hit_of(&rays[k], &best))
                };
            }
        }
    }
}

/// Walks the rays of a group; answers a bit for each that has to be asked by itself.
#[inline(always)]
fn walk<S: Simd>(simd: S, field: &HeightField, rays: &[LocalRay], visit: GroupVisit) -> u32 {
    let mut left_out = 0;
    let mut samples: SmallVec<[usize; GROUP]> = SmallVec::new();
    let mut descents: SmallVec<[(usize, Descent<S>); GROUP]> = SmallVec::new();
    for (k, ray) in rays.iter().enumerate() {
        if ray.direction.x == 0.0 && ray.direction.z == 0.0 {
            samples.push(field.sample_below(ray.origin));
            left_out |= 1 << k;
            continue;
        }
        match Descent::new(simd, field, ray, ray.t_max) {
            Ok(descent) => {
                samples.extend(descent.first_sample(field));
                descents.push((k, descent));
            }
            Err(Walked::ToTheEnd | Walked::Stopped) => {}
            Err(Walked::TooFine) => left_out |= 1 << k,
        }
    }
    fetch(field, &samples);
    for (k, descent) in &descents {
        // The walk is never stopped early, so how it ended says nothing.
        let _ = descent.run(field, &mut |column, row| {
            ControlFlow::Continue(visit(*k, [column, row]))
        });
    }
    left_out
}

/// Reads the ends of the five rows of the blocks that begin with these samples.
///
/// A processor looks ahead over some hundred instructions only, so nothing else is done meanwhile.
#[inline(always)]
fn fetch(field: &HeightField, samples: &[usize]) {
    let mut sum = 0.0;
    for &first in samples {
        for row in 0..=FAN_OUT {
            let start = first.saturating_add(row * field.grid.columns);
            for sample in [start, start.saturating_add(FAN_OUT)] {
                sum += field.heights.get(sample).copied().unwrap_or(0.0);
            }
        }
    }
    black_box(sum);
}
