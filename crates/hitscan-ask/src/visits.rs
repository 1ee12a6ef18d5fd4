//! Traces and misses of rays, under the names that the scene has.

use hitscan::explain::{Approach, Change, RayMiss, Visit, Visited, Visits};
use hitscan::{ObjectId, QueryFilter, Ray, RayHit, Sides, TriangleId};
use hitscan_assets::Scene;

/// What the walk of a ray's nearest hit looks at, and why it hits nothing where it does not.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTrace {
    /// The first visits, in order.
    pub visits: Vec<NamedVisit>,
    /// How many there are in all.
    pub count: u64,
    /// What is passed and what would make it hit, where it hits nothing.
    pub miss: Option<NamedMiss>,
}

/// A look at something; see [`Visit`].
#[derive(Debug, Clone, PartialEq)]
pub struct NamedVisit {
    /// What was looked at: a word such as `tree_node`.
    pub what: &'static str,
    /// How deep it is in its own tree.
    pub depth: u32,
    /// The object's name.
    pub object: Option<String>,
    /// The part of a model.
    pub part: Option<String>,
    /// The triangle.
    pub triangle: Option<u32>,
    /// The corners of the triangle in the world.
    pub triangle_corners: Option<[[f32; 3]; 3]>,
    /// The level of a block of terrain; a cell's is 0.
    pub level: Option<u32>,
    /// The column and the row of a block or a cell of terrain.
    pub place: Option<[u32; 2]>,
    /// The corners of the box in the world.
    pub corners: [[f32; 3]; 8],
    /// From when to when the ray's line is in it.
    pub t: [f32; 2],
    /// The t of the best hit when it was looked at.
    pub best: Option<f32>,
    /// What became of it: a word such as `opened`.
    pub verdict: &'static str,
    /// Whether exact arithmetic decided.
    pub is_decided_exactly: bool,
    /// What became of it, a clause for people.
    pub why: String,
}

/// Why a ray hits nothing; see [`RayMiss`].
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMiss {
    /// The near misses: the objects that it passes ahead of its origin, nearest first.
    pub passed: Vec<NamedApproach>,
    /// What would make it hit, the smallest change first.
    pub changes: Vec<NamedChange>,
}

/// How near a ray comes to an object; see [`Approach`].
#[derive(Debug, Clone, PartialEq)]
pub struct NamedApproach {
    /// The object's name.
    pub object: String,
    /// The part of a model.
    pub part: Option<String>,
    /// The triangle.
    pub triangle: Option<u32>,
    /// The distance, metres.
    pub distance: f32,
    /// Where on the ray that is.
    pub t: f32,
    /// The point of the ray.
    pub on_ray: [f32; 3],
    /// The point of the object.
    pub on_object: [f32; 3],
}

/// A change that would make a ray hit; see [`Change`].
#[derive(Debug, Clone, PartialEq)]
pub struct NamedChange {
    /// What to change: a word such as `t_max`.
    pub change: &'static str,
    /// The object that is hit then.
    pub object: String,
    /// The part of a model.
    pub part: Option<String>,
    /// The triangle.
    pub triangle: Option<u32>,
    /// The t of that hit.
    pub t: f32,
    /// The change and what it does, a clause for people.
    pub why: String,
}

/// The maximum number of reported objects that a ray passes, and of those that the filter excludes.
const MOST_PASSED: usize = 8;

impl NamedTrace {
    /// Traces a ray through a scene: its first `limit` visits, and why it hits nothing where it does not.
    #[must_use]
    pub fn of_ray(
        scene: &Scene,
        ray: &Ray,
        sides: Sides,
        filter: QueryFilter<'_>,
        limit: usize,
    ) -> Self {
        let snapshot = scene.now();
        let (_, Visits { visits, count }) = snapshot.trace_ray(ray, (sides, filter), limit);
        let miss = snapshot.explain_miss(ray, (sides, filter), MOST_PASSED);
        let named = visits.iter().map(|visit| NamedVisit::new(scene, visit));
        Self {
            visits: named.collect(),
            count,
            miss: miss.map(|miss| NamedMiss::new(scene, &miss)),
        }
    }
}

impl NamedVisit {
    /// The visit with the scene's names.
    #[must_use]
    pub fn new(scene: &Scene, visit: &Visit) -> Self {
        let (mut triangle, mut triangle_corners, mut level, mut place) = (None, None, None, None);
        match visit.what {
            Visited::Triangle {
                triangle: number,
                corners,
            } => {
                triangle = Some(number);
                triangle_corners = Some(corners);
            }
            Visited::Block {
                level: number,
                column,
                row,
            } => (level, place) = (Some(number), Some([column, row])),
            Visited::Cell { column, row } => (level, place) = (Some(0), Some([column, row])),
            _ => {}
        }
        Self {
            what: visit.what.name(),
            depth: visit.depth,
            object: visit.object.map(|object| object_name(scene, object)),
            part: part_name(scene, visit.object, visit.part),
            triangle,
            triangle_corners,
            level,
            place,
            corners: visit.corners,
            t: visit.t,
            best: visit.best,
            verdict: visit.verdict.name(),
            is_decided_exactly: visit.is_decided_exactly,
            why: visit.sentence(),
        }
    }
}

impl NamedApproach {
    /// The near misses of a ray that hits something: the objects ahead of its origin that it passes
    /// before what it hits, nearest first. Those of a ray that hits nothing are in [`NamedMiss`].
    #[must_use]
    pub fn before_hit(
        scene: &Scene,
        ray: &Ray,
        (sides, filter): (Sides, QueryFilter<'_>),
        hit: &RayHit,
    ) -> Vec<Self> {
        let Ok(before) = ray.with_range(ray.t_min(), hit.t.next_down()) else {
            return Vec::new();
        };
        // What is hit is near its hit, and is one more.
        let miss = (scene.now()).explain_miss(&before, (sides, filter), MOST_PASSED + 1);
        let passed = miss.map(|miss| miss.passed).unwrap_or_default();
        let others = passed.iter().filter(|one| Some(one.object) != hit.object);
        let near = others.take(MOST_PASSED);
        near.map(|one| Self::new(scene, one)).collect()
    }

    pub(crate) fn new(scene: &Scene, one: &Approach) -> Self {
        Self {
            object: object_name(scene, one.object),
            part: part_name(scene, Some(one.object), one.triangle.map(|on| on.part)),
            triangle: one.triangle.and_then(TriangleId::number),
            distance: one.distance,
            t: one.t,
            on_ray: one.on_ray.to_array(),
            on_object: one.on_object.to_array(),
        }
    }
}

impl NamedMiss {
    /// The miss with the scene's names.
    #[must_use]
    pub fn new(scene: &Scene, miss: &RayMiss) -> Self {
        let approach = |one: &Approach| NamedApproach::new(scene, one);
        let change = |one: &Change| NamedChange {
            change: one.what.name(),
            object: object_name(scene, one.object),
            part: part_name(scene, Some(one.object), one.triangle.map(|on| on.part)),
            triangle: one.triangle.and_then(TriangleId::number),
            t: one.t,
            why: one.sentence(),
        };
        Self {
            passed: miss.passed.iter().map(approach).collect(),
            changes: miss.changes.iter().map(change).collect(),
        }
    }
}

pub(crate) fn object_name(scene: &Scene, object: ObjectId) -> String {
    scene.object_name(object).unwrap_or_default().to_owned()
}

pub(crate) fn part_name(
    scene: &Scene,
    object: Option<ObjectId>,
    part: Option<u32>,
) -> Option<String> {
    scene.part_name(object?, part?).map(str::to_owned)
}
