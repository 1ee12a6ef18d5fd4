//! The lines and signs that show a question and its answer in the world.

use crate::camera::Projector;
use crate::role::Role;
use crate::shot::Shot;
use glam::{DVec3, Vec2, Vec3};
use hitscan::height_field::Ground;
use hitscan::shape_cast::ShapeHit;
use hitscan::{
    BallisticArc, ClosestPoint, Contact, ContactStatus, Cylinder, Primitive, Ray, RayHit, ShapeCast,
};

/// What is drawn of a shot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A line through the world, with its role's pattern.
    Line(Role, Vec<DVec3>),
    /// A thin solid line: the edge of a shape.
    Edge(Role, Vec<DVec3>),
    /// The places whose convex outline in the picture is that of a shape without edges.
    Outline(Role, Vec<DVec3>),
    /// As [`Mark::Outline`], of what is hatched.
    Hatch(Role, Vec<DVec3>),
    /// A full dot.
    Dot(Role, DVec3),
    /// An open ring: where there is nothing.
    Ring(Role, DVec3),
    /// An open arrow's head at the second place.
    Arrow(Role, [DVec3; 2]),
    /// A normal at a place.
    Normal(DVec3, DVec3),
}

/// How many straight pieces an arc and a round outline are drawn with.
const PIECES: u32 = 48;

/// What lines are made for: where the eye is, and how far the world reaches.
pub(crate) struct Stage {
    pub(crate) projector: Projector,
    pub(crate) bounds: [DVec3; 2],
}

impl Stage {
    /// What is drawn of a shot, from the back to the front.
    pub(crate) fn marks(&self, shot: &Shot) -> Vec<Mark> {
        match shot {
            Shot::Ray { ray, hit } => self.ray(ray, hit.as_ref(), Role::Hit),
            Shot::March { ray, hit } => self.ray(ray, hit.as_ref(), Role::March),
            Shot::Arc { arc, hit } => self.arc(arc, hit.as_ref()),
            Shot::Sweep { cast, hit } => self.sweep(cast, hit.as_ref()),
            Shot::Ground { point, ground } => self.ground(*point, *ground),
            Shot::Closest { point, nearest } => closest(point.as_dvec3(), nearest.as_ref()),
            Shot::Contact { shape, contact } => self.contact(shape, contact.as_ref()),
            Shot::BoxPair { intersection } => self.overlap(&Primitive::Aabb(*intersection)),
            Shot::Meeting { segment } => meeting(segment.map(|end| end.as_dvec3())),
            Shot::Sight { ends, blocked_at } => {
                sight(ends.map(|end| end.as_dvec3()), blocked_at.map(f64::from))
            }
        }
    }

    fn ray(&self, ray: &Ray, hit: Option<&RayHit>, role: Role) -> Vec<Mark> {
        let origin = ray.origin().as_dvec3();
        let direction = ray.direction().as_dvec3();
        let start = origin + direction * f64::from(ray.t_min());
        if let Some(hit) = hit {
            let end = hit.point.as_dvec3();
            return [Mark::Line(role, vec![start, end])]
                .into_iter()
                .chain(ends_at_hit(role, end, hit.normal))
                .collect();
        }
        // What hits nothing goes on to where the world ends, or so far as the world is wide.
        let diagonal = (self.bounds[1] - self.bounds[0]).length();
        let length = direction.length();
        let leaves =
            leaves_box(self.bounds, origin, direction).filter(|t| *t > f64::from(ray.t_min()));
        let t_end = leaves.unwrap_or(0.5 * diagonal / length);
        let t = t_end.min(f64::from(ray.t_max()));
        let end = origin + direction * t;
        vec![
            Mark::Line(Role::Miss, vec![start, end]),
            Mark::Arrow(Role::Miss, [start, end]),
        ]
    }

    fn arc(&self, arc: &BallisticArc, hit: Option<&RayHit>) -> Vec<Mark> {
        let from = f64::from(arc.t_min());
        let end = match hit {
            Some(hit) => f64::from(hit.t),
            None => self.arc_leaves(arc),
        };
        let places: Vec<DVec3> = (0..=PIECES)
            .map(|piece| {
                let t = from + (end - from) * f64::from(piece) / f64::from(PIECES);
                arc_at(arc, t)
            })
            .collect();
        match hit {
            Some(hit) => [Mark::Line(Role::Hit, places)]
                .into_iter()
                .chain(ends_at_hit(Role::Hit, hit.point.as_dvec3(), hit.normal))
                .collect(),
            None => {
                let count = places.len();
                let head = [places[count - 2], places[count - 1]];
                vec![
                    Mark::Line(Role::Miss, places),
                    Mark::Arrow(Role::Miss, head),
                ]
            }
        }
    }

    /// The time at which an arc without a hit is below the world, or far from it, or at its end.
    fn arc_leaves(&self, arc: &BallisticArc) -> f64 {
        let [min, max] = self.bounds;
        let diagonal = (max - min).length().max(1e-3);
        let speed = arc.velocity().as_dvec3().length();
        let pull = arc.acceleration().as_dvec3().length();
        let outside = |place: DVec3| (place - place.clamp(min, max)).length();
        let start = arc_at(arc, f64::from(arc.t_min()));
        // Long enough to cross the world at its speed, and to fall through it.
        let mut end = f64::from(arc.t_min());
        let step =
            0.02 * (diagonal / speed.max(1e-6)).min((2.0 * diagonal / pull.max(1e-6)).sqrt());
        for _ in 0..400 {
            if end >= f64::from(arc.t_max()) {
                return f64::from(arc.t_max());
            }
            let place = arc_at(arc, end);
            let has_fallen = place.y < min.y && place.y < start.y;
            if has_fallen || outside(place) > outside(start) + 0.5 * diagonal {
                break;
            }
            end += step;
        }
        end
    }

    fn sweep(&self, cast: &ShapeCast, hit: Option<&ShapeHit>) -> Vec<Mark> {
        let start = cast.shape();
        let is_overlap = hit.is_some_and(|hit| hit.t == 0.0 && hit.start.is_overlap());
        if let Some(hit) = hit.filter(|_| is_overlap) {
            let mut marks = self.overlap(start);
            marks.push(Mark::Dot(Role::Overlap, hit.point.as_dvec3()));
            return marks;
        }
        let (role, t) = hit.map_or((Role::Miss, 1.0), |hit| (Role::Hit, hit.t));
        let end = cast.at(t);
        let [from, to] = [start, &end].map(Primitive::inner_point);
        let mut marks = self.shape(start, role);
        marks.extend(self.shape(&end, role));
        marks.push(Mark::Line(role, vec![from, to]));
        match hit {
            Some(hit) => marks.extend(ends_at_hit(role, hit.point.as_dvec3(), hit.normal)),
            None => marks.push(Mark::Arrow(role, [from, to])),
        }
        marks
    }

    fn ground(&self, point: Vec2, ground: Ground) -> Vec<Mark> {
        let at = |y: f64| DVec3::new(point.x.into(), y, point.y.into());
        match ground.ok() {
            Some(height) => {
                let normal = height.surface.map_or(Vec3::ZERO, |surface| surface.normal);
                ends_at_hit(Role::Hit, at(height.height.into()), normal).into()
            }
            None => vec![Mark::Ring(Role::Miss, at(self.bounds[0].y))],
        }
    }

    /// A shape at rest, and the way from its contact: out of an overlap, or across the gap.
    fn contact(&self, shape: &Primitive, contact: Option<&Contact>) -> Vec<Mark> {
        let Some(contact) = contact else {
            return self.shape(shape, Role::Miss);
        };
        let (role, mut marks) = match contact.status {
            ContactStatus::Overlap => (Role::Overlap, self.overlap(shape)),
            _ => (Role::Hit, self.shape(shape, Role::Hit)),
        };
        let from = contact.point.as_dvec3();
        let way = contact.normal.as_dvec3() * f64::from(contact.separation.abs());
        marks.push(Mark::Line(role, vec![from, from + way]));
        marks.push(Mark::Dot(role, from));
        marks
    }

    /// A shape that overlaps something.
    fn overlap(&self, shape: &Primitive) -> Vec<Mark> {
        let mut marks = vec![Mark::Hatch(Role::Overlap, self.cloud(shape))];
        marks.extend(self.shape(shape, Role::Overlap));
        marks
    }

    /// A shape's edges, or its outline where it is round.
    fn shape(&self, shape: &Primitive, role: Role) -> Vec<Mark> {
        if let Primitive::ConvexHull(hull) = shape
            && hull.radius() == 0.0
        {
            let edges = hull.placed_edges();
            return edges.map(|edge| Mark::Edge(role, edge.to_vec())).collect();
        }
        match corners(shape) {
            Some(corners) => EDGES
                .iter()
                .map(|edge| Mark::Edge(role, edge.map(|corner| corners[corner]).to_vec()))
                .collect(),
            None => vec![Mark::Outline(role, self.cloud(shape))],
        }
    }

    /// Places whose convex outline in the picture is that of the shape.
    fn cloud(&self, shape: &Primitive) -> Vec<DVec3> {
        let ball = |center: DVec3, radius: f64| {
            (0..PIECES).map(move |piece| {
                let turn = std::f64::consts::TAU * f64::from(piece) / f64::from(PIECES);
                let [across, up] = [libm::cos(turn), libm::sin(turn)].map(|side| side * radius);
                center + self.projector.right * across + self.projector.up * up
            })
        };
        match shape {
            Primitive::Sphere(sphere) => {
                ball(sphere.center().as_dvec3(), sphere.radius()).collect()
            }
            Primitive::Capsule(capsule) => [capsule.a(), capsule.b()]
                .into_iter()
                .flat_map(|end| ball(end.as_dvec3(), capsule.radius()))
                .collect(),
            Primitive::Cylinder(cylinder) => rims(cylinder),
            Primitive::ConvexHull(hull) if hull.radius() > 0.0 => (hull.corners().iter())
                .flat_map(|corner| ball(*corner, hull.radius()))
                .collect(),
            Primitive::ConvexHull(hull) => hull.corners().to_vec(),
            other => corners(other).map_or_else(Vec::new, Vec::from),
        }
    }
}

/// The pairs of a box's corners that an edge is between: their numbers differ in one bit.
const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// The corners of a box, bit 0, 1 and 2 of whose numbers tell the side; `None` for what is round.
fn corners(shape: &Primitive) -> Option<[DVec3; 8]> {
    match shape {
        Primitive::Aabb(bounds) => Some(bounds.corners().map(Vec3::as_dvec3)),
        Primitive::Obb(obb) => Some(obb.corners()),
        Primitive::Sphere(_)
        | Primitive::Capsule(_)
        | Primitive::Cylinder(_)
        | Primitive::ConvexHull(_) => None,
    }
}

/// Places on the rims of a cylinder.
fn rims(cylinder: &Cylinder) -> Vec<DVec3> {
    let [a, b] = [cylinder.a(), cylinder.b()].map(Vec3::as_dvec3);
    let along = b - a;
    let axis = along / along.length();
    let first = axis.any_orthonormal_vector();
    let second = axis.cross(first);
    let around = |piece: u32| {
        let turn = std::f64::consts::TAU * f64::from(piece) / f64::from(PIECES);
        (first * libm::cos(turn) + second * libm::sin(turn)) * cylinder.radius()
    };
    let ends = [a, b].into_iter();
    ends.flat_map(|end| (0..PIECES).map(move |piece| end + around(piece)))
        .collect()
}

/// A point, and the segment to what is nearest to it.
fn closest(point: DVec3, nearest: Option<&ClosestPoint>) -> Vec<Mark> {
    let Some(nearest) = nearest else {
        return vec![Mark::Ring(Role::Miss, point)];
    };
    let end = nearest.point.as_dvec3();
    [
        Mark::Line(Role::Hit, vec![point, end]),
        Mark::Ring(Role::Hit, point),
    ]
    .into_iter()
    .chain(ends_at_hit(Role::Hit, end, nearest.normal))
    .collect()
}

/// The segment that two triangles share, which may be a point.
fn meeting(ends: [DVec3; 2]) -> Vec<Mark> {
    vec![
        Mark::Line(Role::Overlap, ends.to_vec()),
        Mark::Dot(Role::Overlap, ends[1]),
    ]
}

/// What is seen as far as the first blocker, and what is not.
fn sight([eye, target]: [DVec3; 2], blocked_at: Option<f64>) -> Vec<Mark> {
    let Some(t) = blocked_at else {
        return vec![
            Mark::Line(Role::Hit, vec![eye, target]),
            Mark::Dot(Role::Hit, target),
        ];
    };
    let place = eye.lerp(target, t);
    vec![
        Mark::Line(Role::Miss, vec![place, target]),
        Mark::Ring(Role::Miss, target),
        Mark::Line(Role::Hit, vec![eye, place]),
        Mark::Dot(Role::Hit, place),
    ]
}

/// A dot with the normal of the surface that was hit.
fn ends_at_hit(role: Role, place: DVec3, normal: Vec3) -> [Mark; 2] {
    [
        Mark::Normal(place, normal.as_dvec3()),
        Mark::Dot(role, place),
    ]
}

fn arc_at(arc: &BallisticArc, t: f64) -> DVec3 {
    let [origin, velocity, pull] =
        [arc.origin(), arc.velocity(), arc.acceleration()].map(|vector| vector.as_dvec3());
    origin + velocity * t + pull * (0.5 * t * t)
}

/// The t at which a line leaves a box; `None` where it is never in it.
fn leaves_box([min, max]: [DVec3; 2], origin: DVec3, direction: DVec3) -> Option<f64> {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if origin[axis] < min[axis] || origin[axis] > max[axis] {
                return None;
            }
            continue;
        }
        let [a, b] = [min, max].map(|side| (side[axis] - origin[axis]) / direction[axis]);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    (enter <= leave).then_some(leave)
}

#[cfg(test)]
mod tests;
