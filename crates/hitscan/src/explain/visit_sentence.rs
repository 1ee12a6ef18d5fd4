//! A visit in words.

use super::visits::{TriangleMiss, Visit, VisitVerdict, Visited};
use crate::Side;

impl Visit {
    /// What became of it, a clause for people: "its box is missed", say, or "begins at t = 3.2, behind
    /// the best at 2.9".
    #[must_use]
    pub fn sentence(&self) -> String {
        sentence(self)
    }
}

fn sentence(visit: &Visit) -> String {
    let clause = match visit.verdict {
        VisitVerdict::Missed => missed(visit),
        VisitVerdict::Behind => format!("ends at t = {}, before t_min", visit.t[1]),
        VisitVerdict::Beyond => format!("begins at t = {}, beyond t_max", visit.t[0]),
        VisitVerdict::Farther => farther(visit),
        VisitVerdict::Opened => opened(visit),
        VisitVerdict::Filtered(reason) => format!("left out by the filter: {}", reason.name()),
        VisitVerdict::WrongSide(side) => wrong_side(visit, side),
        VisitVerdict::Hole => "a hole: a corner of the triangle has no height".to_owned(),
        VisitVerdict::Hit => format!("hit at t = {}, the best so far", visit.t[0]),
        VisitVerdict::Tie => format!("hit at t = {} too, but later in the order", visit.t[0]),
    };
    match visit.is_decided_exactly {
        true => format!("{clause}; decided exactly"),
        false => clause,
    }
}

fn missed(visit: &Visit) -> String {
    match (visit.miss, visit.what) {
        (Some(TriangleMiss::PassesEdge { edge, weight }), _) => {
            let opposite = 3 - edge[0] - edge[1];
            let [from, to] = edge;
            format!(
                "the ray passes its edge v{from}-v{to} on the outside: the weight of v{opposite} is {weight}"
            )
        }
        (Some(TriangleMiss::InPlane), _) => "the ray is parallel to its plane".to_owned(),
        (Some(TriangleMiss::WithoutArea), _) => "it has no area".to_owned(),
        (None, Visited::Solid | Visited::Triangle { .. }) => "the ray misses it".to_owned(),
        (None, Visited::Cell { .. }) => "the ray passes over or under its ground".to_owned(),
        (None, _) => "its box is missed".to_owned(),
    }
}

fn farther(visit: &Visit) -> String {
    match visit.best {
        Some(best) => format!("begins at t = {}, behind the best at {best}", visit.t[0]),
        None => format!("begins at t = {}, too far away", visit.t[0]),
    }
}

fn opened(visit: &Visit) -> String {
    let [enter, leave] = visit.t;
    format!("the ray is in its box from t = {enter} to {leave}")
}

fn wrong_side(visit: &Visit, side: Side) -> String {
    let t = visit.t[0];
    match side {
        Side::Inside => "the ray starts inside, which is not asked for".to_owned(),
        Side::Front => format!("its front is met at t = {t}, and only backs are asked for"),
        Side::Back => format!("its back is met at t = {t}, and only fronts are asked for"),
    }
}
