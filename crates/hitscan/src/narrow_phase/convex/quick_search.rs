//! A quick search in f64 before sides are enumerated: a direction along which a moving core and another are apart all
//! the time, or about that in which they meet.
//!
//! The distance is a convex function of time, and the direction between the closest points at the time at which it
//! is least parts what the shape sweeps from the obstacle. That time is found from tangents of the distance. Where the
//! direction changes at once, one between those before and after does it. Nothing rests on it, as each direction is
//! checked for the whole motion.
//!
//! Source: Kelley, "The Cutting-Plane Method for Solving Convex Programs", 1960, for the search.

use super::bounds::{Approach, View};
use super::simplex::Simplex;
use glam::DVec3;

/// How many times are tried: of most misses the first two suffice.
const STEPS: usize = 6;

/// The part of the time of a contact by which the direction is looked for before it.
const BACK: f64 = 1.0 / 64.0;

/// The distance at a time, how fast it grows, and the unit direction between the closest points.
#[derive(Clone, Copy)]
struct Tangent {
    time: f64,
    distance: f64,
    speed: f64,
    direction: DVec3,
}

/// What a search of a few steps finds.
pub(super) enum Search {
    /// The cores are certainly apart from t = 0 until `latest`.
    Miss,
    /// They may meet, perhaps on a side across this unit direction, which goes from the obstacle to the shape.
    Near(DVec3),
    /// Nothing is known.
    Unknown,
}

/// Looks for a direction along which the cores are apart from t = 0 until `latest`.
pub(super) fn search(view: &View<'_>, latest: f64) -> Search {
    let mut t = match view.first_axes(latest) {
        Approach::Apart => return Search::Miss,
        Approach::From(time) => time.min(latest),
    };
    let (mut nearing, mut parting): (Option<Tangent>, Option<Tangent>) = (None, None);
    let mut simplex = Simplex::toward(view.between_middles(t));
    let mut is_back = false;
    for _ in 0..STEPS {
        let offset = view.closest_from(t, &mut simplex).offset();
        if view.is_apart(offset, [0.0, latest]) {
            return Search::Miss;
        }
        let distance = offset.length();
        let direction = offset / distance;
        let here = Tangent {
            time: t,
            distance,
            speed: direction.dot(view.motion),
            direction,
        };
        // Where they meet there is no direction; also for NaN.
        let may_miss = distance > view.slack && here.speed != 0.0 && here.speed.is_finite();
        if !may_miss {
            // The first axes have led to the contact: there is one a little before.
            let is_first = nearing.is_none() && parting.is_none() && !is_back;
            if !(is_first && t > 0.0) {
                break;
            }
            is_back = true;
            t -= t * BACK;
            simplex = Simplex::toward(view.between_middles(t));
            continue;
        }
        if here.speed < 0.0 {
            nearing = Some(here);
        } else {
            parting = Some(here);
        }
        t = match (nearing, parting) {
            // Where both tangents are equal, the distance is no less.
            (Some(first), Some(last)) => {
                if view.is_apart_between([first.direction, last.direction]) {
                    return Search::Miss;
                }
                let way = first.distance - last.distance + (last.time - first.time) * last.speed;
                first.time + way / (last.speed - first.speed)
            }
            (Some(first), None) => (first.time - first.distance / first.speed).min(latest),
            (None, _) => 0.0,
        };
        let is_new = t >= 0.0 && t <= latest && t != here.time;
        if !is_new {
            break;
        }
    }
    nearing.map_or(Search::Unknown, |last| Search::Near(last.direction))
}
