//! The rule by which one of all pairs of triangles answers: overlaps first, then time, then what no neighbour
//! contradicts, then the lowest.

use crate::pairs::{Corners, Fraction, Meeting, Whole, dot, meet, minus, normal_of, rest_against};

/// An object: parts, of triangles.
pub(crate) type Mesh = Vec<Vec<Corners>>;

/// Part and triangle.
pub(crate) type Id = (u32, u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Facing {
    Both,
    Front,
    Back,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) obstacle: Id,
    pub(crate) mover: Id,
    pub(crate) corners: [Corners; 2],
    pub(crate) meeting: Meeting,
    /// The way out of an overlap that is a contact.
    is_stuck: bool,
}

impl Pair {
    fn rank(&self) -> (Id, Id) {
        (self.obstacle, self.mover)
    }

    pub(crate) fn t(&self) -> Fraction {
        match self.meeting {
            Meeting::Overlap(_) => Fraction::ZERO,
            Meeting::Hit(t, ..) => t,
        }
    }

    pub(crate) fn normal(&self) -> Whole {
        match self.meeting {
            Meeting::Overlap(normal) | Meeting::Hit(_, normal, _) => normal,
        }
    }
}

/// A move and what counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) motion: Whole,
    pub(crate) facing: Facing,
    pub(crate) escapes: bool,
}

pub(crate) fn triangles(mesh: &Mesh) -> impl Iterator<Item = (Id, Corners)> + '_ {
    let parts = (0..).zip(mesh);
    parts.flat_map(|(part, triangles)| {
        let numbered = (0..).zip(triangles);
        numbered.map(move |(number, corners)| ((part, number), *corners))
    })
}

fn furthest(corners: Corners, along: Whole) -> Vec<Whole> {
    let top = corners.map(|corner| dot(corner, along)).into_iter().max();
    let is_top = |corner: &Whole| Some(dot(*corner, along)) == top;
    corners.into_iter().filter(is_top).collect()
}

/// Whether another triangle contradicts one along a direction.
fn contradicts(own: Corners, other: Corners, along: Whole) -> bool {
    let feature = furthest(own, along);
    let has_all = feature.iter().all(|corner| other.contains(corner));
    let is_further = |corner: &Whole| dot(minus(*corner, feature[0]), along) > 0;
    has_all && other.iter().any(is_further) && normal_of(other) != [0; 3]
}

/// Whether a triangle of the contacts in question contradicts the pair's, on either side.
fn is_contradicted(pair: &Pair, in_question: &[(Id, Id, [Corners; 2])]) -> bool {
    let normal = pair.normal();
    in_question.iter().any(|(obstacle, mover, corners)| {
        (*obstacle != pair.obstacle && contradicts(pair.corners[0], corners[0], normal))
            || (*mover != pair.mover
                && contradicts(pair.corners[1], corners[1], normal.map(|x| -x)))
    })
}

fn counts(this: &Move, corners: Corners) -> bool {
    let is_front = dot(normal_of(corners), this.motion) < 0;
    match this.facing {
        _ if this.motion == [0; 3] => true,
        Facing::Both => true,
        Facing::Front => is_front,
        Facing::Back => !is_front,
    }
}

/// The first pair of triangles of two meshes that hit each other.
pub(crate) fn first(obstacle: &Mesh, mover: &Mesh, this: &Move) -> Option<Pair> {
    let mut met = Vec::new();
    let mut left = Vec::new();
    let mut resting = Vec::new();
    for (own, corners) in triangles(obstacle) {
        for (moving, moving_corners) in triangles(mover) {
            let corners = [corners, moving_corners];
            if this.escapes && rest_against(corners[0], corners[1]) {
                resting.push((own, moving, corners));
            }
            let Some(meeting) = meet(corners[0], corners[1], this.motion) else {
                continue;
            };
            let is_stuck = this.escapes && matches!(meeting, Meeting::Overlap(_));
            let pair = Pair {
                obstacle: own,
                mover: moving,
                corners,
                meeting,
                is_stuck,
            };
            if is_stuck && dot(pair.normal(), this.motion) >= 0 {
                left.push(own);
            } else {
                met.push(pair);
            }
        }
    }
    let admitted = |pair: &&Pair| counts(this, pair.corners[0]);
    let is_overlap = |pair: &&Pair| !pair.is_stuck && matches!(pair.meeting, Meeting::Overlap(_));
    let overlaps = met.iter().filter(is_overlap).filter(admitted);
    if let Some(overlap) = overlaps.min_by_key(|pair| pair.rank()) {
        return Some(*overlap);
    }
    met.retain(|pair| !is_overlap(&pair) && !is_passed(pair, obstacle, &left, this));
    loop {
        let times = met.iter().filter(admitted).map(Pair::t);
        let t = times.min_by(|a, b| a.compare(*b))?;
        let (now, later): (Vec<Pair>, Vec<Pair>) =
            met.iter().partition(|pair| pair.t().compare(t).is_eq());
        let meeting: Vec<_> = now
            .iter()
            .map(|pair| (pair.obstacle, pair.mover, pair.corners))
            .collect();
        let at_rest = [&meeting[..], &resting].concat();
        let is_left_out = |pair: &&Pair| {
            let question = if pair.is_stuck { &at_rest } else { &meeting };
            is_contradicted(pair, question)
        };
        let mut remaining: Vec<&Pair> = now.iter().filter(|pair| !is_left_out(pair)).collect();
        if remaining.is_empty() {
            remaining = now.iter().collect();
        }
        let answers = remaining.into_iter().filter(admitted);
        if let Some(answer) = answers.min_by_key(|pair| pair.rank()) {
            return Some(*answer);
        }
        met = later;
        met.retain(|pair| pair.t().compare(t).is_gt());
    }
}

/// Whether a triangle that is left at the start contradicts a contact, or one whose own contact with that triangle
/// of the mover is so passed.
fn is_passed(pair: &Pair, obstacle: &Mesh, left: &[Id], this: &Move) -> bool {
    if left.is_empty() {
        return false;
    }
    let mut waiting = vec![*pair];
    let mut seen = vec![pair.obstacle];
    while let Some(next) = waiting.pop() {
        for (id, corners) in triangles(obstacle) {
            if id == next.obstacle || !contradicts(next.corners[0], corners, next.normal()) {
                continue;
            }
            if left.contains(&id) {
                return true;
            }
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            if let Some(meeting) = meet(corners, next.corners[1], this.motion) {
                waiting.push(Pair {
                    obstacle: id,
                    corners: [corners, next.corners[1]],
                    meeting,
                    ..next
                });
            }
        }
    }
    false
}
