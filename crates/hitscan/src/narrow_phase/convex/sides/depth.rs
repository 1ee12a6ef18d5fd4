//! The relation of two resting cores by their sides: apart, touching or overlapping, and the shortest way out.

use super::enumeration::ApproxSide;
use super::side::{Side, SidePair};
use crate::exact::adaptive::Approx;
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::convex::signed_root::SignedRoot;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// A way out, and an enclosure of its length.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow_phase::convex) struct SideDepth {
    pub(in crate::narrow_phase::convex) side: Side,
    pub(in crate::narrow_phase::convex) depth: [f64; 2],
}

/// Whether the cores overlap on all sides (`Less`), touch (`Equal`) or are apart; `None` where the difference
/// has no side.
pub(in crate::narrow_phase::convex) fn order_on_sides(pair: &SidePair<'_>) -> Option<Ordering> {
    let mut order = None;
    let flow = pair.each_side(&mut |side| {
        let sign = side
            .gap
            .sign()
            .unwrap_or_else(|| pair.gap(side.side).sign());
        order = Some(order.map_or(sign, |order: Ordering| order.max(sign)));
        if sign.is_gt() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if flow.is_break() {
        return Some(Ordering::Greater);
    }
    order
}

/// The shortest way out of cores that meet: of equal ones the first side. `None` where the difference has no
/// side.
pub(in crate::narrow_phase::convex) fn deepest(pair: &SidePair<'_>) -> Option<SideDepth> {
    let mut near: Vec<SideDepth> = Vec::new();
    let mut min_depth = f64::INFINITY;
    let _ = pair.each_side(&mut |side| {
        let depth = enclose(pair, &side);
        if depth[0] <= min_depth {
            min_depth = min_depth.min(depth[1]);
            near.push(SideDepth {
                side: side.side,
                depth,
            });
        }
        ControlFlow::Continue(())
    });
    let mut best: Option<SideDepth> = None;
    for next in near.into_iter().filter(|next| next.depth[0] <= min_depth) {
        let is_first = |best: &SideDepth| {
            let (one, other) = (exact_depth(pair, next.side), exact_depth(pair, best.side));
            // Depths are negative.
            match one.compare(&other) {
                Ordering::Greater => true,
                Ordering::Less => false,
                Ordering::Equal => pair.rank(next.side) < pair.rank(best.side),
            }
        };
        if best.as_ref().is_none_or(is_first) {
            best = Some(next);
        }
    }
    best
}

/// How far the shape must go along a side, as a negative number.
pub(in crate::narrow_phase::convex) fn exact_depth(pair: &SidePair<'_>, side: Side) -> SignedRoot {
    let gap = pair.gap(side);
    let direction: [BigFloat; 3] = pair.direction(side);
    SignedRoot {
        is_negative: true,
        squared: [
            gap.times(&gap),
            crate::exact::adaptive::dot(&direction, &direction),
        ],
    }
}

/// An enclosure of the depth along a side.
fn enclose(pair: &SidePair<'_>, side: &ApproxSide) -> [f64; 2] {
    let size = side.direction.abs().max_element();
    // Each component is off by less than 1e-9 of the length: so is that.
    if side.error * 1e9 < size {
        let length = side.direction.length();
        let relative = 2.0 * side.error / size + 8.0 * UNIT_ROUNDOFF;
        return quotient(side.gap, length, relative);
    }
    let gap = pair.gap(side.side).scaled_f64(0);
    let direction: [BigFloat; 3] = pair.direction(side.side);
    let [x, y, z] = direction.map(|component| component.scaled_f64(0));
    let gap = Approx {
        value: gap,
        error: 8.0 * UNIT_ROUNDOFF * gap.abs(),
    };
    quotient(
        gap,
        glam::DVec3::new(x, y, z).length(),
        32.0 * UNIT_ROUNDOFF,
    )
}

fn quotient(gap: Approx, length: f64, relative: f64) -> [f64; 2] {
    let depth = -gap.value / length;
    let error = 2.0 * gap.error / length + relative * depth.abs();
    [(depth - error).max(0.0), (depth + error).max(0.0)]
}
