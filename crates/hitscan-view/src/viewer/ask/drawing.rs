//! The drawing of an answer: lines and boxes.

use super::query::{Found, Query, What};
use super::screw::Screw;
use super::surface::feature_corners;
use super::wireframe::{Wireframe, of_object, of_solid};
use crate::protocol::{BoxReply, LineReply};
use glam::{DVec3, Vec3};
use hitscan::explain::{Answer, Question};
use hitscan::height_field::Ground;
use hitscan::{Aabb, BallisticArc, Blocker, ObjectId, Primitive, Ray, Snapshot, TriangleId};
use hitscan_ask::HeightMethod;

/// Points of an arc.
const ARC_POINTS: u16 = 64;
/// Points of a disc's edge.
const DISC_POINTS: u16 = 48;
/// Answers that are drawn.
const DRAWN: usize = 64;

/// Lines and boxes, in the order in which they are drawn.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) lines: Vec<LineReply>,
    pub(super) boxes: Vec<BoxReply>,
    /// What moves or rests where it is at the start, where the question's columns do not define it.
    pub(super) wireframe: Wireframe,
    /// What it turns about at the start.
    pub(super) pivot: Option<[f32; 3]>,
}

impl Drawing {
    /// What a question and its answer look like.
    pub(super) fn new(world: &Snapshot, query: &Query, found: &Found) -> Self {
        let mut drawing = Self::default();
        match (&query.what, found) {
            (
                What::Question(Question::Ray { ray, .. }) | What::March { ray, .. },
                Found::Answer(Answer::Ray(hits)),
            ) => {
                let end = hits
                    .last()
                    .map_or_else(|| far_end(world, ray), |hit| hit.point);
                drawing.line("ray", [ray.origin(), end]);
                for hit in hits.iter().take(DRAWN) {
                    drawing.normal(hit.point, hit.normal, hit.distance);
                    drawing.triangle(world, hit.object, hit.triangle);
                }
            }
            (What::Question(Question::Arc { arc, .. }), Found::Answer(Answer::Arc(hit))) => {
                let end = hit.as_ref().map_or_else(|| far_t(world, arc), |hit| hit.t);
                drawing.line("arc", arc_points(arc, end));
                if let Some(hit) = hit {
                    drawing.normal(hit.point, hit.normal, (hit.point - arc.origin()).length());
                    drawing.triangle(world, hit.object, hit.triangle);
                }
            }
            (
                What::Question(Question::ShapeCast { cast, .. }),
                Found::Answer(Answer::Shape(hits)),
            ) => {
                let start = cast.shape().inner_point().as_vec3();
                drawing.line("motion", [start, start + cast.motion()]);
                drawing.solid("start", cast.shape());
                drawing.hull(cast.shape());
                for hit in hits.iter().take(DRAWN) {
                    drawing.solid("contact", &cast.at(hit.t));
                    drawing.normal(hit.point, hit.normal, cast.motion().length());
                    drawing.triangle(world, hit.object, hit.triangle);
                }
            }
            (
                What::Question(Question::Contacts { shape, .. }),
                Found::Answer(Answer::Contacts(contacts)),
            ) => {
                drawing.solid("start", shape);
                drawing.hull(shape);
                for contact in contacts.iter().take(DRAWN) {
                    let out = contact.point + contact.normal * contact.separation.abs();
                    drawing.line("contact", [contact.point, out]);
                    drawing.triangle(world, contact.object, contact.triangle);
                    drawing.intersection(world, shape, contact.object);
                }
            }
            (
                What::Question(Question::ClosestPoint { point, .. }),
                Found::Answer(Answer::Closest(Some(nearest))),
            ) => {
                drawing.line("segment", [*point, nearest.point]);
                drawing.normal(nearest.point, nearest.normal, nearest.distance.abs());
                drawing.triangle(world, nearest.object, nearest.triangle);
            }
            (What::Height { point, method }, Found::Ground(Ground::Height(ground))) => {
                let at = Vec3::new(point[0], ground.height, point[1]);
                if let HeightMethod::Max(radius) | HeightMethod::Mean(radius) = *method {
                    drawing.line("disc", disc_points(at, radius));
                }
                if let Some(surface) = ground.surface {
                    let part = 0;
                    let triangle = surface.triangle;
                    drawing.normal(at, surface.normal, 10.0);
                    drawing.triangle(world, ground.object, Some(TriangleId { part, triangle }));
                }
            }
            (What::Sight { ends }, Found::Sight(blocker)) => {
                drawing.sight(world, *ends, blocker.as_ref());
            }
            (what, found) => drawing.moved(world, what, found),
        }
        drawing
    }

    /// What turns, or is an object, and what it comes to; how far two objects are apart.
    fn moved(&mut self, world: &Snapshot, what: &What, found: &Found) {
        match (what, found) {
            (What::Turning(cast), Found::Turning(hit)) => {
                let shape = cast.cast().shape();
                let motion = Screw::new(
                    cast.cast().motion(),
                    (cast.axis(), cast.angle()),
                    cast.pivot(),
                );
                self.turn(&motion, shape.inner_point());
                self.solid("start", shape);
                self.hull(shape);
                if let Some(hit) = hit {
                    self.met(world, (hit.point, hit.normal), hit.object, hit.triangle);
                }
            }
            (What::ObjectCast { mover, cast, .. }, Found::Objects(_, hits)) => {
                if let Some(middle) = middle_of(world, *mover) {
                    self.line(
                        "motion",
                        [middle.as_vec3(), middle.as_vec3() + cast.motion()],
                    );
                }
                self.wireframe = of_object(world, *mover);
                for hit in hits.iter().take(DRAWN) {
                    self.met(world, (hit.point, hit.normal), hit.object, hit.triangle);
                }
            }
            (What::TurningObject { mover, cast }, Found::TurningObject(_, hit)) => {
                if let Some(middle) = middle_of(world, *mover) {
                    let pivot = cast.pivot().unwrap_or(middle);
                    let turn = (cast.axis(), cast.angle());
                    self.turn(&Screw::new(cast.cast().motion(), turn, pivot), middle);
                }
                self.wireframe = of_object(world, *mover);
                if let Some(hit) = hit {
                    self.met(world, (hit.point, hit.normal), hit.object, hit.triangle);
                }
            }
            (What::Distance { .. }, Found::Distance(Some(found))) => {
                self.line("segment", found.points);
                for feature in [found.a, found.b] {
                    self.triangle(world, Some(feature.object), feature.triangle);
                }
            }
            _ => {}
        }
    }

    /// The way of a point that turns while it moves, and what it turns about.
    fn turn(&mut self, motion: &Screw, from: DVec3) {
        self.line("motion", motion.path(from));
        self.pivot = Some(motion.pivot.as_vec3().to_array());
    }

    /// The lines of a hull, which its columns name and do not define.
    fn hull(&mut self, shape: &Primitive) {
        if let Primitive::ConvexHull(_) = shape {
            self.wireframe = of_solid(shape);
        }
    }

    /// What is hit, and how it faces what moves.
    fn met(
        &mut self,
        world: &Snapshot,
        (point, normal): (Vec3, Vec3),
        object: Option<ObjectId>,
        triangle: Option<TriangleId>,
    ) {
        let size = object.and_then(|object| world.object_bounds(object));
        let size = size.map_or(1.0, |bounds| (bounds.max() - bounds.min()).max_element());
        self.normal(point, normal, size.min(12.0));
        self.triangle(world, object, triangle);
    }

    /// What is seen, as far as the first blocker, and what is not.
    fn sight(&mut self, world: &Snapshot, [eye, target]: [Vec3; 2], blocker: Option<&Blocker>) {
        let Some(blocker) = blocker else {
            self.line("seen", [eye, target]);
            return;
        };
        let [from, to] = [eye, target].map(Vec3::as_dvec3);
        let place = from.lerp(to, blocker.t.into()).as_vec3();
        self.line("unseen", [place, target]);
        self.line("seen", [eye, place]);
        self.triangle(world, Some(blocker.object), blocker.triangle);
    }

    fn line(&mut self, role: &'static str, points: impl IntoIterator<Item = Vec3>) {
        let points: Vec<[f32; 3]> = points.into_iter().map(|point| point.to_array()).collect();
        if points.iter().flatten().all(|number| number.is_finite()) {
            self.lines.push(LineReply {
                role,
                answer: None,
                points,
            });
        }
    }

    /// A normal, a twelfth as long as what is seen at this distance.
    fn normal(&mut self, point: Vec3, normal: Vec3, distance: f32) {
        if normal != Vec3::ZERO {
            let length = (distance / 12.0).max(1e-3);
            self.line("normal", [point, point + normal * length]);
        }
    }

    fn triangle(
        &mut self,
        world: &Snapshot,
        object: Option<ObjectId>,
        triangle: Option<TriangleId>,
    ) {
        let corners = object
            .zip(triangle)
            .and_then(|(object, triangle)| feature_corners(world, object, triangle));
        if let Some(corners) = corners {
            let ring = corners.iter().chain(corners.first());
            self.line("triangle", ring.map(|corner| corner.as_vec3()));
        }
    }

    /// The box of a solid: its own, or that around it; none of a hull, which is drawn by its lines.
    fn solid(&mut self, role: &'static str, solid: &Primitive) {
        let corners = match solid {
            Primitive::ConvexHull(_) => return,
            Primitive::Obb(obb) => obb.corners().map(|corner| corner.as_vec3()),
            other => other.bounds().corners(),
        };
        self.corners(role, corners);
    }

    /// What the boxes around a shape and an object have in common.
    fn intersection(&mut self, world: &Snapshot, shape: &Primitive, object: Option<ObjectId>) {
        let Some(other) = object.and_then(|object| world.object_bounds(object)) else {
            return;
        };
        let bounds = shape.bounds();
        let (min, max) = (bounds.min().max(other.min()), bounds.max().min(other.max()));
        if let Ok(both) = Aabb::new(min, max) {
            self.corners("intersection", both.corners());
        }
    }

    fn corners(&mut self, role: &'static str, corners: [Vec3; 8]) {
        let points = corners.map(|corner| corner.to_array());
        if points.iter().flatten().all(|number| number.is_finite()) {
            self.boxes.push(BoxReply {
                role,
                answer: None,
                points,
            });
        }
    }
}

/// The middle of the box around an object.
fn middle_of(world: &Snapshot, object: ObjectId) -> Option<DVec3> {
    let bounds = world.object_bounds(object)?;
    Some((bounds.min().as_dvec3() + bounds.max().as_dvec3()) / 2.0)
}

/// Where a ray that hits nothing is drawn to: its end, or beyond everything.
fn far_end(world: &Snapshot, ray: &Ray) -> Vec3 {
    if ray.t_max().is_finite() {
        return ray.at(ray.t_max());
    }
    let length = ray.direction().length().max(f32::MIN_POSITIVE);
    ray.at(reach(world, ray.origin()) / length)
}

/// The distance from a point beyond which there is nothing.
fn reach(world: &Snapshot, from: Vec3) -> f32 {
    let corners = world.bounds().map(|bounds| bounds.corners());
    let distances = corners.into_iter().flatten();
    let farthest = distances.map(|corner| corner.distance(from));
    farthest.fold(1.0, f32::max)
}

/// How long an arc that hits nothing is drawn: to its end, or until it is beyond everything.
fn far_t(world: &Snapshot, arc: &BallisticArc) -> f32 {
    const MOST_SECS: f32 = 3600.0;
    if arc.t_max().is_finite() {
        return arc.t_max();
    }
    let reach = reach(world, arc.origin());
    let is_far = |t: f32| arc.at(t).distance(arc.origin()) > reach;
    let mut t = 1.0 / 64.0;
    while t < MOST_SECS && !is_far(t) {
        t *= 2.0;
    }
    t
}

fn arc_points(arc: &BallisticArc, end: f32) -> Vec<Vec3> {
    let begin = arc.t_min();
    let at = |step: u16| arc.at(begin + (end - begin) * f32::from(step) / f32::from(ARC_POINTS));
    (0..=ARC_POINTS).map(at).collect()
}

fn disc_points(center: Vec3, radius: f64) -> Vec<Vec3> {
    let at = |step: u16| {
        let turn = std::f64::consts::TAU * f64::from(step) / f64::from(DISC_POINTS);
        let out = DVec3::new(libm::cos(turn), 0.0, libm::sin(turn)) * radius;
        (center.as_dvec3() + out).as_vec3()
    };
    (0..=DISC_POINTS).map(at).collect()
}
