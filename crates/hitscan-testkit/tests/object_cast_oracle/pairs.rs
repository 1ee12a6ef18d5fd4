//! Two triangles of whole numbers, one in motion: by all faces of their Minkowski difference, in fractions.
//!
//! Of the corners all differences are taken, and all planes through three of them that have the rest on one side.
//! A flat difference has both ways across its plane, and in it those that are square to its edges.

use std::cmp::Ordering;

pub(crate) type Whole = [i128; 3];
pub(crate) type Corners = [Whole; 3];

pub(crate) fn minus(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|i: usize| a[i] - b[i])
}

pub(crate) fn dot(a: Whole, b: Whole) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Whole, b: Whole) -> Whole {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

/// Not of unit length; of a triangle without area nothing.
pub(crate) fn normal_of([a, b, c]: Corners) -> Whole {
    cross(minus(b, a), minus(c, a))
}

/// A fraction whose denominator is positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fraction(i128, i128);

impl Fraction {
    pub(crate) const ZERO: Self = Self(0, 1);

    fn new(above: i128, below: i128) -> Self {
        if below < 0 {
            Self(-above, -below)
        } else {
            Self(above, below)
        }
    }

    pub(crate) fn compare(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub(crate) fn rounded(self) -> f32 {
        (self.0 as f64 / self.1 as f64) as f32
    }
}

/// What the difference of an obstacle and a mover has sides of.
struct Sides {
    /// Outward, each direction once.
    found: Vec<Whole>,
    is_flat: bool,
    differences: Vec<Whole>,
}

impl Sides {
    fn of(obstacle: Corners, mover: Corners) -> Option<Self> {
        let differences: Vec<Whole> = (obstacle.iter())
            .flat_map(|a| mover.iter().map(|b| minus(*a, *b)))
            .collect();
        let first = differences[0];
        let planes = differences
            .iter()
            .flat_map(|b| differences.iter().map(move |c| normal_of([first, *b, *c])));
        let some_plane = planes.into_iter().find(|normal| *normal != [0; 3])?;
        let is_flat = differences
            .iter()
            .all(|point| dot(some_plane, minus(*point, first)) == 0);
        let mut sides = Self {
            found: Vec::new(),
            is_flat,
            differences,
        };
        let points = sides.differences.clone();
        if is_flat {
            sides.add(some_plane);
            sides.add(some_plane.map(|x| -x));
        }
        for a in &points {
            for b in &points {
                if is_flat {
                    sides.add_if_outward(cross(minus(*b, *a), some_plane), *a);
                    continue;
                }
                for c in &points {
                    sides.add_if_outward(normal_of([*a, *b, *c]), *a);
                }
            }
        }
        Some(sides)
    }

    fn add_if_outward(&mut self, normal: Whole, at: Whole) {
        let is_outward = |point: &Whole| dot(normal, minus(*point, at)) <= 0;
        if normal != [0; 3] && self.differences.iter().all(is_outward) {
            self.add(normal);
        }
    }

    fn add(&mut self, normal: Whole) {
        let divisor = normal.iter().fold(0, |divisor, x| gcd(divisor, x.abs()));
        let normal = normal.map(|x| x / divisor);
        if !self.found.contains(&normal) {
            self.found.push(normal);
        }
    }

    /// How far the mover is beyond the obstacle at the start, times the length of n.
    fn gap(&self, normal: Whole) -> i128 {
        let heights = self.differences.iter().map(|point| dot(normal, *point));
        -heights.max().expect("nine of them")
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The contact of a moving triangle with a resting one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meeting {
    /// They overlap at the start; the way out.
    Overlap(Whole),
    /// When, and the normal; a flat difference may have been entered across several edges at once, and any
    /// of them may be named.
    Hit(Fraction, Whole, bool),
}

/// The normals of candidates in their order: the obstacle's, the mover's, the products of edges.
fn candidates(obstacle: Corners, mover: Corners) -> Vec<Whole> {
    let edges = |[a, b, c]: Corners| [minus(b, a), minus(c, b), minus(a, c)];
    let mut all = vec![normal_of(obstacle), normal_of(mover)];
    for one in edges(obstacle) {
        all.extend(edges(mover).map(|other| cross(one, other)));
    }
    all.retain(|normal| *normal != [0; 3]);
    all
}

fn are_parallel(a: Whole, b: Whole) -> bool {
    cross(a, b) == [0; 3]
}

/// Their meeting, if there is one.
pub(crate) fn meet(obstacle: Corners, mover: Corners, motion: Whole) -> Option<Meeting> {
    if normal_of(obstacle) == [0; 3] || normal_of(mover) == [0; 3] {
        return None;
    }
    let sides = Sides::of(obstacle, mover)?;
    if !sides.is_flat && sides.found.iter().all(|normal| sides.gap(*normal) < 0) {
        return Some(Meeting::Overlap(way_out(&sides, obstacle, mover)));
    }
    let (mut enter, mut leave): (Option<Fraction>, Option<Fraction>) = (None, None);
    let mut last = Vec::new();
    for normal in &sides.found {
        let (gap, speed) = (sides.gap(*normal), dot(*normal, motion));
        if speed == 0 {
            if gap >= 0 {
                return None;
            }
            continue;
        }
        let time = Fraction::new(-gap, speed);
        if speed > 0 {
            if leave.is_none_or(|leave| time.compare(leave).is_lt()) {
                leave = Some(time);
            }
            continue;
        }
        match enter.map(|enter| time.compare(enter)) {
            None | Some(Ordering::Greater) => (enter, last) = (Some(time), vec![*normal]),
            Some(Ordering::Equal) => last.push(*normal),
            Some(Ordering::Less) => {}
        }
    }
    let (enter, leave) = enter.zip(leave)?;
    let is_hit = enter.compare(leave).is_le()
        && leave.compare(Fraction::ZERO).is_gt()
        && enter.compare(Fraction::ZERO).is_ge()
        && enter.compare(Fraction(1, 1)).is_le();
    let first = candidates(obstacle, mover)
        .into_iter()
        .find_map(|candidate| {
            let mut parallel = last.iter().filter(|side| are_parallel(**side, candidate));
            parallel.next().copied()
        });
    is_hit.then(|| {
        Meeting::Hit(
            enter,
            first.unwrap_or(last[0]),
            first.is_none() && last.len() > 1,
        )
    })
}

/// The shortest way out: of equal ones the first candidate, a triangle's front and a product as it comes first.
fn way_out(sides: &Sides, obstacle: Corners, mover: Corners) -> Whole {
    let mut best: Option<(Fraction, Whole)> = None;
    for candidate in candidates(obstacle, mover) {
        for sign in [1, -1] {
            let direction = candidate.map(|x| sign * x);
            let side = sides
                .found
                .iter()
                .find(|side| are_parallel(**side, direction) && dot(**side, direction) > 0);
            let Some(side) = side else { continue };
            let gap = sides.gap(*side);
            let depth = Fraction(gap * gap, dot(*side, *side));
            if best.is_none_or(|(least, _)| depth.compare(least).is_lt()) {
                best = Some((depth, *side));
            }
        }
    }
    best.expect("a difference that is not flat has sides").1
}

/// Whether they overlap or touch at the start.
pub(crate) fn rest_against(obstacle: Corners, mover: Corners) -> bool {
    let has_area = normal_of(obstacle) != [0; 3] && normal_of(mover) != [0; 3];
    has_area
        && Sides::of(obstacle, mover)
            .is_some_and(|sides| sides.found.iter().all(|normal| sides.gap(*normal) <= 0))
}
