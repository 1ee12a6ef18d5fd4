//! The vertical cut through terrain along a ray, with the classic search beside the exact one.

use super::query::{Query, What};
use crate::protocol::{MarchReply, SectionReply};
use glam::DVec3;
use hitscan::explain::Question;
use hitscan::{HeightField, Ray, RayHit, Sides, WorkLimit};
use hitscan_ask::{March, MarchLooks, NamedApproach, NamedVisit};
use hitscan_assets::Scene;

/// Points of each of the two stretches of the ground's line, at most; it has one for each half cell where those are fewer.
const GROUND_POINTS: usize = 2_000;
/// Samples of the march that are shown, at most.
const SAMPLES: usize = 4_000;

/// What a ray comes to by the exact search, whatever it is answered by.
pub(super) struct Ends<'a> {
    /// What it hits.
    pub(super) hit: Option<&'a RayHit>,
    /// Its nearest miss.
    pub(super) nearest: Option<&'a NamedApproach>,
}

/// The cut along a ray through the terrain whose bounds it enters first; `None` where it enters
/// none before it hits something, or goes straight up or down.
///
/// The walk over the ground and the classic search are in it where the ground decides: where it is what is
/// hit or nearly so, or where the classic search hits it and the exact one nothing. The classic search goes as far
/// as the limit lets it.
pub(super) fn section(
    scene: &Scene,
    query: &Query,
    ray: &Ray,
    ends: &Ends<'_>,
    (visits, limit): (&[NamedVisit], &WorkLimit<'_>),
) -> Option<SectionReply> {
    let world = scene.now();
    let fields = world.height_fields(query.seen.filter());
    let over = fields.filter_map(|(object, field)| Some((range_over(field, ray)?, object, field)));
    let ([from, to], object, field) = over.min_by(|a, b| a.0[0].total_cmp(&b.0[0]))?;
    let cut = Cut::new(ray)?;
    let (march, sides) = match &query.what {
        What::March { march, sides, .. } => (*march, *sides),
        What::Question(Question::Ray { settings, .. }) => (March::default(), settings.sides),
        _ => (March::default(), Sides::Both),
    };
    let is_march = matches!(query.what, What::March { .. });
    let name = scene.object_name(object)?;
    // A march looks at the ground alone.
    let hit = ends
        .hit
        .filter(|hit| !is_march || hit.object == Some(object));
    let exact = field.cast_ray(ray, sides).map(|hit| f64::from(hit.t));
    let end = match is_march {
        true => exact,
        false => hit.map(|hit| f64::from(hit.t)),
    };
    if end.is_some_and(|end| end < from) {
        return None;
    }
    let marched = Marched::new(field, ray, march, (sides, limit));
    let decides = match ends.hit {
        Some(hit) => hit.object == Some(object),
        None => marched.hit.is_some() || ends.nearest.is_some_and(|near| near.object == name),
    };
    let shows_march = is_march || decides;
    let nearest = ends.nearest.map(|near| f64::from(near.t));
    let strayed = marched.hit.filter(|_| shows_march);
    let seen_to = match end.or(nearest) {
        Some(t) => strayed.map_or(t, |hit| hit.max(t)),
        None => strayed.unwrap_or(to),
    };
    let focus = [from, seen_to.clamp(from, to)];
    let visits = if shows_march { visits } else { &[] };
    let ended_by = hit.filter(|_| end.is_some()).and_then(|hit| hit.object);
    Some(SectionReply {
        object: name.to_owned(),
        ray: [cut.point(from), cut.point(end.unwrap_or(to))],
        end: ended_by
            .and_then(|object| scene.object_name(object))
            .map(str::to_owned),
        focus: focus.map(|t| cut.s(t)),
        ground: ground(field, &cut, [from, to], focus[1]),
        blocks: blocks(&cut, name, visits),
        cells: cells(&cut, name, visits),
        march: shows_march.then(|| marched.reply(field, ray, &cut, exact)),
    })
}

/// A ray seen from the side.
struct Cut {
    origin: DVec3,
    direction: DVec3,
    /// Metres along the ground for one unit of t.
    along: f64,
}

impl Cut {
    /// `None` for a ray straight up or down.
    fn new(ray: &Ray) -> Option<Self> {
        let direction = ray.direction().as_dvec3();
        let along = direction.x.hypot(direction.z);
        (along > 0.0).then(|| Self {
            origin: ray.origin().as_dvec3(),
            direction,
            along,
        })
    }

    fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    /// Metres along the ground at t.
    fn s(&self, t: f64) -> f32 {
        rounded(self.along * t)
    }

    /// Metres along the ground, and y.
    fn point(&self, t: f64) -> [f32; 2] {
        [self.s(t), rounded(self.at(t).y)]
    }
}

/// The part of a ray that is over a map, whatever its height, as far as the ray's range goes.
fn range_over(field: &HeightField, ray: &Ray) -> Option<[f64; 2]> {
    let bounds = field.bounds()?;
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
    let mut range = [f64::from(ray.t_min()), f64::from(ray.t_max())];
    for axis in [0, 2] {
        let ends = [min[axis], max[axis]].map(|end| end - origin[axis]);
        if direction[axis] == 0.0 {
            if ends[0] > 0.0 || ends[1] < 0.0 {
                return None;
            }
            continue;
        }
        let [a, b] = ends.map(|end| end / direction[axis]);
        range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
    }
    (range[0] <= range[1] && range[1].is_finite()).then_some(range)
}

/// The ground below a ray, from t to t. Where it is long it has as many points up to the end of what
/// there is to see as beyond that.
fn ground(
    field: &HeightField,
    cut: &Cut,
    [from, to]: [f64; 2],
    seen_to: f64,
) -> Vec<(f32, Option<f32>)> {
    let [x, z] = field.grid().spacing;
    let half_cell = 0.5 * x.min(z);
    let is_long = cut.along * (to - from) / half_cell > GROUND_POINTS as f64;
    if !is_long || seen_to <= from || seen_to >= to {
        return stretch(field, cut, [from, to], half_cell);
    }
    let beyond = stretch(field, cut, [seen_to, to], half_cell);
    let mut points = stretch(field, cut, [from, seen_to], half_cell);
    points.extend(beyond.into_iter().skip(1));
    points
}

fn stretch(
    field: &HeightField,
    cut: &Cut,
    [from, to]: [f64; 2],
    half_cell: f64,
) -> Vec<(f32, Option<f32>)> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most so many"
    )]
    let count = (cut.along * (to - from) / half_cell).clamp(1.0, GROUND_POINTS as f64) as usize;
    let point = |index: usize| {
        let t = from + (to - from) * (index as f64 / count as f64);
        let at = cut.at(t);
        (cut.s(t), field.height_f64([at.x, at.z]).map(rounded))
    };
    (0..=count).map(point).collect()
}

/// The blocks of the pyramid that the walk looked at.
fn blocks(
    cut: &Cut,
    object: &str,
    visits: &[NamedVisit],
) -> Vec<(f32, f32, f32, f32, u32, &'static str)> {
    let of_terrain = visits
        .iter()
        .filter(|visit| visit.object.as_deref() == Some(object));
    let block = |visit: &NamedVisit| {
        let level = visit.level.filter(|&level| level > 0)?;
        let [from, to] = side_of(cut, visit)?;
        let heights = visit.corners.map(|corner| corner[1]);
        let low = heights.into_iter().fold(f32::INFINITY, f32::min);
        let high = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
        Some((from, to, low, high, level, visit.verdict))
    };
    of_terrain.filter_map(block).collect()
}

/// The cells that the walk looked at.
fn cells(cut: &Cut, object: &str, visits: &[NamedVisit]) -> Vec<[f32; 2]> {
    let of_terrain = visits
        .iter()
        .filter(|visit| visit.object.as_deref() == Some(object));
    let cells = of_terrain.filter(|visit| visit.level == Some(0));
    cells.filter_map(|visit| side_of(cut, visit)).collect()
}

/// From where to where the ray is over a visited box, metres along the ground; `None` where it passes
/// beside.
fn side_of(cut: &Cut, visit: &NamedVisit) -> Option<[f32; 2]> {
    let mut range = [f64::NEG_INFINITY, f64::INFINITY];
    for axis in [0, 2] {
        let ends = visit.corners.map(|corner| f64::from(corner[axis]));
        let low = ends.into_iter().fold(f64::INFINITY, f64::min) - cut.origin[axis];
        let high = ends.into_iter().fold(f64::NEG_INFINITY, f64::max) - cut.origin[axis];
        if cut.direction[axis] == 0.0 {
            continue;
        }
        let [a, b] = [low, high].map(|end| end / cut.direction[axis]);
        range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
    }
    (range[0] <= range[1]).then(|| range.map(|t| cut.s(t)))
}

/// The classic search on the same ray.
struct Marched {
    looks: MarchLooks,
    hit: Option<f64>,
}

impl Marched {
    fn new(
        field: &HeightField,
        ray: &Ray,
        march: March,
        (sides, limit): (Sides, &WorkLimit<'_>),
    ) -> Self {
        let (hit, looks) = march.trace_ray(field, ray, (sides, Some(limit)), SAMPLES);
        let hit = hit.map(|hit| f64::from(hit.t));
        Self { looks, hit }
    }

    fn reply(&self, field: &HeightField, ray: &Ray, cut: &Cut, exact: Option<f64>) -> MarchReply {
        let points = |looks: &[f64]| looks.iter().map(|t| cut.point(*t)).collect();
        let step = match self.looks.steps.as_slice() {
            [first, second, ..] => second - first,
            _ => 0.0,
        };
        let is_over = |exact: &f64| self.hit.is_none_or(|hit| hit - exact > step);
        let stepped_over = exact.filter(is_over);
        MarchReply {
            samples: points(&self.looks.steps),
            bisections: points(&self.looks.bisections),
            hit: self.hit.map(|t| cut.point(t)),
            stepped_over: stepped_over.map(|exact| ridge_width(field, ray, cut, exact)),
        }
    }
}

/// How far the ray is within the ground from its first hit on, metres along it: the thickness of the
/// ridge that a march steps over.
fn ridge_width(field: &HeightField, ray: &Ray, cut: &Cut, enters: f64) -> f32 {
    let hits = field.cast_ray_all(ray, Sides::Both);
    let leaves = hits
        .iter()
        .map(|hit| f64::from(hit.t))
        .find(|t| *t > enters);
    let [_, last] = range_over(field, ray).unwrap_or([enters, enters]);
    let leaves = leaves.unwrap_or(last);
    rounded((leaves - enters) * cut.direction.length())
}

/// The nearest f32.
#[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
fn rounded(number: f64) -> f32 {
    number as f32
}
