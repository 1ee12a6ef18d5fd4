//! The traversal of a tree over objects with a bundle of rays, nearest boxes first.

use super::bundle::{RayBundle, RaySet};
use crate::bvh::Bvh;
use crate::bvh::node::WIDTH;
use crate::simd::{dispatch, dispatch_wide};
use crate::sorting::sort_few;
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// A visitor of items, with the rays that may touch each.
type Visit<'a> = &'a mut dyn FnMut(&mut RayBundle, u32, RaySet);

/// When a bundle is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GiveUp {
    Never,
    /// Where few of its rays touch the leaves that it is tested at: before many objects that are smaller
    /// than the bundle is wide, each ray by itself tests far fewer boxes.
    WhenScattered,
}

/// After so many leaves it is first looked at whether a bundle is scattered, and then whenever there are
/// twice as many: the leaves are tested for all rays, at some 50 ns each.
const FIRST_LEAVES: u32 = 64;

/// The rays that touch a leaf, on average, for a bundle to be worth that.
const RAYS_A_LEAF: u32 = 4;

/// A child that waits to be visited, by its place in its node, and when it is entered at the earliest.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    time: f32,
    node: u32,
    place: u32,
}

impl<B: Clone> Bvh<B> {
    /// Visits every item whose leaf's box rays of the bundle may touch before their limits, with those
    /// rays, roughly from front to back. `visit` lowers the limits of the rays that hit. `false` where
    /// the bundle was given up before the end.
    pub(crate) fn cast_bundle(
        &self,
        bundle: &mut RayBundle,
        give_up: GiveUp,
        visit: Visit<'_>,
    ) -> bool {
        if self.nodes.is_empty() {
            return true;
        }
        let (mut leaves, mut touches) = (0_u32, 0_u32);
        let margin = bundle.margin(self.max_abs);
        let mut waiting: SmallVec<[Waiting; 64]> = SmallVec::new();
        dispatch_wide!(self.width, simd => bundle.find_latest(simd));
        self.push_deferred(bundle, 0, margin, &mut waiting);
        while let Some(Waiting { time, node, place }) = waiting.pop() {
            if time > bundle.latest() {
                continue;
            }
            let node = &self.nodes[node as usize];
            let child = node.children[place as usize % WIDTH];
            if !child.is_leaf() {
                self.push_deferred(bundle, child.number(), margin, &mut waiting);
                continue;
            }
            let bounds = node.bounds_at(place as usize % WIDTH);
            let touching =
                dispatch_wide!(self.width, simd => bundle.touching(simd, &bounds, margin));
            leaves = leaves.saturating_add(1);
            touches = touches.saturating_add(touching.count_ones());
            if give_up == GiveUp::WhenScattered
                && leaves >= FIRST_LEAVES
                && leaves.is_power_of_two()
                && touches / leaves < RAYS_A_LEAF
            {
                return false;
            }
            if touching == 0 {
                continue;
            }
            // Nothing breaks off.
            let _ = self.for_each_item(child.number(), |item| {
                visit(bundle, item, touching);
                ControlFlow::<()>::Continue(())
            });
            dispatch_wide!(self.width, simd => bundle.find_latest(simd));
        }
        true
    }

    /// Pushes the children of a node that may be touched onto the stack, the nearest last.
    fn push_deferred(
        &self,
        bundle: &RayBundle,
        index: u32,
        margin: f32,
        waiting: &mut SmallVec<[Waiting; 64]>,
    ) {
        let node = &self.nodes[index as usize];
        let (touched, times) = dispatch!(self.width, simd => bundle.test(simd, node, margin));
        let first = waiting.len();
        let children = (0_u32..).zip(&times[..node.len()]);
        let touched = children.filter(|(place, _)| touched >> place & 1 == 1);
        waiting.extend(touched.map(|(place, &time)| Waiting {
            time,
            node: index,
            place,
        }));
        sort_few(&mut waiting[first..], |one, other| one.time < other.time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{BUNDLE, TraversalQuery};
    use crate::narrow_phase::ray_cast::ray::LocalRay;
    use crate::simd::Width;
    use crate::test_rng::Rng;
    use crate::{Aabb, Ray};
    use glam::Vec3;

    /// A point with coordinates that are often whole.
    fn point(rng: &mut Rng, span: f32) -> Vec3 {
        let p = Vec3::from_array([0; 3].map(|_| rng.signed() * span));
        if rng.below(3) == 0 { p.round() } else { p }
    }

    /// Rays toward about the same place, or along an axis through it.
    fn coherent_rays(rng: &mut Rng, target: Vec3) -> Vec<Ray> {
        let toward = (target - point(rng, 12.0)) * 0.1;
        let toward = rng.pick(&[toward, Vec3::Y, Vec3::NEG_X, Vec3::new(1.0, 0.0, 1e-35)]);
        let from = target - toward * 10.0;
        let [width, spread] = rng.pick(&[[0.0, 0.3], [4.0, 0.0], [1.0, 0.1], [0.0, 3.0]]);
        let t_max = rng.pick(&[f32::INFINITY, 30.0, 9.0]);
        let count = 1 + rng.below(BUNDLE as u64);
        let rays = (0..count).filter_map(|_| {
            let direction = toward + point(rng, 1.0) * spread;
            let ray = Ray::new(from + point(rng, 1.0) * width, direction);
            ray.and_then(|ray| ray.with_range(0.0, t_max)).ok()
        });
        rays.collect()
    }

    #[test]
    fn no_box_that_a_ray_touches_is_left_out() {
        let mut rng = Rng(71);
        let (mut touched, mut visited) = (0, 0);
        for round in 0..600 {
            let mut boxes: Vec<Aabb> = (0..1 + rng.below(60))
                .map(|_| {
                    let low = point(&mut rng, 10.0);
                    Aabb::from_ordered(low, low + point(&mut rng, 2.0).abs())
                })
                .collect();
            if round % 3 == 0 {
                // Far larger than the others, and far away.
                let far = rng.pick(&[1e3, 1e6, 1e9]);
                boxes.push(Aabb::from_ordered(Vec3::splat(far), Vec3::splat(2.0 * far)));
            }
            let widths = Width::available();
            let mut tree: Bvh = Bvh::build(&boxes);
            tree.set_width(widths[round % widths.len()]);
            let rays = coherent_rays(&mut rng, boxes[0].min());
            let mut bundle = RayBundle::new();
            if rays.is_empty() || !bundle.init(tree.width(), &rays) {
                continue;
            }
            // Each ray ends in the middle of every third box that is visited with it.
            let mut limits = vec![f32::INFINITY; rays.len()];
            let mut seen = vec![0; boxes.len()];
            let is_whole =
                tree.cast_bundle(&mut bundle, GiveUp::Never, &mut |bundle, item, set| {
                    seen[item as usize] |= set;
                    let middle = 0.5 * (boxes[item as usize].min() + boxes[item as usize].max());
                    for (place, ray) in rays.iter().enumerate() {
                        if set >> place & 1 == 1 && item % 3 == 0 {
                            let t = ray.origin().distance(middle) / ray.direction().length();
                            limits[place] = limits[place].min(t);
                            bundle.keep_before(place, limits[place]);
                        }
                    }
                });
            assert!(is_whole);
            for (place, ray) in rays.iter().enumerate() {
                let query = TraversalQuery::ray(&LocalRay::from(ray));
                for (item, bounds) in boxes.iter().enumerate() {
                    let is_seen = seen[item] >> place & 1 == 1;
                    let touches = query.may_touch(bounds, limits[place]);
                    assert!(is_seen || !touches, "{ray:?} {bounds:?} {limits:?}");
                    touched += usize::from(touches);
                    visited += usize::from(is_seen);
                }
            }
        }
        // Few more are visited than touched.
        assert!(
            touched > 4_000 && visited < 2 * touched,
            "{touched} {visited}"
        );
    }

    #[test]
    fn a_bundle_among_small_boxes_is_given_up() {
        let mut rng = Rng(72);
        let rays: Vec<Ray> = (0..BUNDLE)
            .map(|_| {
                let at = Vec3::from_array([0; 3].map(|_| rng.signed() * 10.0));
                Ray::new(at - Vec3::Z * 30.0, Vec3::Z).expect("a good ray")
            })
            .collect();
        for (size, is_whole) in [(0.01, false), (15.0, true)] {
            let boxes: Vec<Aabb> = (0..5_000)
                .map(|_| {
                    let low = Vec3::from_array([0; 3].map(|_| rng.signed() * 10.0));
                    Aabb::from_ordered(low, low + size)
                })
                .collect();
            let tree: Bvh = Bvh::build(&boxes);
            let mut bundle = RayBundle::new();
            assert!(bundle.init(tree.width(), &rays));
            let mut cast = |give_up| tree.cast_bundle(&mut bundle, give_up, &mut |_, _, _| {});
            assert_eq!(cast(GiveUp::WhenScattered), is_whole, "{size}");
            assert!(cast(GiveUp::Never));
        }
    }

    #[test]
    fn numbers_too_far_apart_make_no_bundle() {
        let ray = |origin: [f32; 3], direction| Ray::new(origin, direction).expect("a good ray");
        let good = ray([0.0; 3], [1.0, 0.5, 0.0]);
        let behind = good.with_range(-2.0, 3.0).expect("a good range");
        let mut bundle = RayBundle::new();
        let mut init = |rays: &[Ray]| bundle.init(Width::default(), rays);
        assert!(init(&[good; 3]));
        assert!(init(&[good; BUNDLE]));
        assert!(!init(&[]));
        assert!(!init(&[good; BUNDLE + 1]));
        for odd in [
            behind,
            ray([1e30, 0.0, 0.0], [1.0; 3]),
            ray([0.0; 3], [1e-12, 0.0, 0.0]),
            ray([0.0; 3], [1e12, 0.0, 0.0]),
        ] {
            assert!(!init(&[good, odd]), "{odd:?}");
        }
    }
}
