//! Objects that a ray was expected to hit, under the names that the scene has, and in words.

use crate::visits::{NamedApproach, object_name, part_name};
use hitscan::explain::{Approach, NotHit, Turn};
use hitscan::{FilteredBy, ObjectId, QueryFilter, Ray, RayHit, Side, Sides, TriangleId};
use hitscan_assets::Scene;

/// What became of a ray at an object that it was expected to hit; see
/// [`ExpectedHit`](hitscan::explain::ExpectedHit).
#[derive(Debug, Clone, PartialEq)]
pub struct NamedExpectation {
    /// The object's name.
    pub object: String,
    /// Whether it is what the ray hits.
    pub is_hit: bool,
    /// Where the ray intersects it, if other objects and the filter are left aside, and the ray's range and
    /// sides too where they exclude all of it.
    pub met: Option<NamedPlace>,
    /// What keeps the ray from hitting it, all that does.
    pub reasons: Vec<NamedReason>,
}

/// Where a ray intersects something.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPlace {
    /// The object's name.
    pub object: String,
    /// The part of a model.
    pub part: Option<String>,
    /// The triangle.
    pub triangle: Option<u32>,
    /// Where on the ray that is.
    pub t: f32,
    /// The distance from the ray's origin, metres.
    pub distance: f32,
    /// The point.
    pub point: [f32; 3],
    /// The side: a word such as `front`.
    pub side: &'static str,
}

/// A reason why a ray does not hit an object; see [`NotHit`].
#[derive(Debug, Clone, PartialEq)]
pub struct NamedReason {
    /// What it is: a word such as `hidden`.
    pub reason: &'static str,
    /// What is hit before it, where that is the reason.
    pub by: Option<NamedPlace>,
    /// How near the ray comes to it, where it passes it.
    pub approach: Option<NamedApproach>,
    /// How the ray has to be turned to hit it, where it passes it.
    pub turn: Option<NamedTurn>,
    /// The reason, a clause for people.
    pub why: String,
}

/// How far a ray has to be turned about its origin to hit an object; see [`Turn`].
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTurn {
    /// The angle, radians.
    pub angle: f32,
    /// The part of a model that is hit then.
    pub part: Option<String>,
    /// The triangle that is hit then.
    pub triangle: Option<u32>,
    /// Where on the turned ray that is.
    pub t: f32,
    /// The point that is hit then.
    pub point: [f32; 3],
}

impl NamedExpectation {
    /// What became of a ray at an object of the scene; `None` where the scene has no such object.
    #[must_use]
    pub fn of_ray(
        scene: &Scene,
        ray: &Ray,
        object: ObjectId,
        (sides, filter): (Sides, QueryFilter<'_>),
    ) -> Option<Self> {
        let found = scene.now().explain_expected(ray, object, (sides, filter))?;
        let met = found.met.as_ref();
        let words = Words {
            scene,
            ray,
            object,
            sides,
            met,
        };
        Some(Self {
            object: object_name(scene, object),
            is_hit: found.reasons.is_empty(),
            met: met.map(|met| NamedPlace::new(scene, met)),
            reasons: (found.reasons.iter())
                .map(|reason| words.reason(reason))
                .collect(),
        })
    }
}

impl NamedPlace {
    fn new(scene: &Scene, hit: &RayHit) -> Self {
        let object = hit.object.map(|object| object_name(scene, object));
        Self {
            object: object.unwrap_or_default(),
            part: part_name(scene, hit.object, hit.triangle.map(|on| on.part)),
            triangle: hit.triangle.and_then(TriangleId::number),
            t: hit.t,
            distance: hit.distance,
            point: hit.point.to_array(),
            side: hit.side.name(),
        }
    }
}

/// What sentences are about.
struct Words<'a> {
    scene: &'a Scene,
    ray: &'a Ray,
    object: ObjectId,
    sides: Sides,
    met: Option<&'a RayHit>,
}

impl Words<'_> {
    fn reason(&self, reason: &NotHit) -> NamedReason {
        let (mut by, mut near, mut turned) = (None, None, None);
        let why = match reason {
            NotHit::Hidden(hit) => {
                by = Some(NamedPlace::new(self.scene, hit));
                self.hidden(hit)
            }
            NotHit::Missed { approach, turn } => {
                near = approach
                    .as_ref()
                    .map(|one| NamedApproach::new(self.scene, one));
                turned = turn.as_ref().map(|turn| self.turn(turn));
                self.missed(approach.as_ref(), turn.as_ref())
            }
            NotHit::OutOfRange => self.out_of_range(),
            NotHit::WrongSide => self.wrong_side(),
            NotHit::Filtered(FilteredBy::Layers) => {
                "it is in none of the layers that are asked for".to_owned()
            }
            NotHit::Filtered(FilteredBy::Excluded) => "it is ignored".to_owned(),
            other => other.name().to_owned(),
        };
        NamedReason {
            reason: reason.name(),
            by,
            approach: near,
            turn: turned,
            why,
        }
    }

    fn hidden(&self, by: &RayHit) -> String {
        let name = by.object.map(|object| object_name(self.scene, object));
        let name = name.unwrap_or_default() + &self.on(by.object, by.triangle);
        match self.met {
            Some(met) if met.t > by.t => {
                let before = met.distance - by.distance;
                format!("{name} is hit at t = {}, {before} m before it", by.t)
            }
            _ => format!("{name} is hit at the same t and goes first"),
        }
    }

    fn out_of_range(&self) -> String {
        let (t_min, t_max) = (self.ray.t_min(), self.ray.t_max());
        match self.met.map(|met| met.t) {
            Some(t) if t <= t_min => format!("it is met at t = {t}, before t_min = {t_min}"),
            Some(t) => format!("it is met at t = {t}, beyond t_max = {t_max}"),
            None => format!("it is not met from t_min = {t_min} to t_max = {t_max}"),
        }
    }

    fn wrong_side(&self) -> String {
        let asked = match self.sides {
            Sides::Front => "only fronts are asked for",
            Sides::Back => "only backs are asked for",
            Sides::Both => "only boundaries are asked for",
        };
        match self.met.map(|met| met.side) {
            Some(Side::Inside) => format!("the ray starts inside it, and {asked}"),
            Some(side) => format!("its {} is met, and {asked}", side.name()),
            None => asked.to_owned(),
        }
    }

    fn missed(&self, approach: Option<&Approach>, turn: Option<&Turn>) -> String {
        let Some(near) = approach else {
            return "nothing of it is there".to_owned();
        };
        let on = self.on(Some(self.object), near.triangle);
        let place = match near.t {
            t if t == self.ray.t_max() => ", where the ray ends",
            t if t == self.ray.t_min() => ", where the ray begins",
            _ => "",
        };
        let (distance, t) = (near.distance, near.t);
        let passed = match distance {
            0.0 => {
                format!("the ray touches it{on} at t = {t}{place}, in its plane or past its edge")
            }
            _ => format!("the ray passes it{on} by {distance} m at t = {t}{place}"),
        };
        match turn {
            None => format!("{passed}; it lies behind the origin, or beside it"),
            Some(turn) => {
                let beyond = match turn.t > self.ray.t_max() {
                    true => format!(", beyond t_max = {}", self.ray.t_max()),
                    false => String::new(),
                };
                let angle = degrees(turn.angle);
                format!(
                    "{passed}; turned by {angle} it meets it at t = {}{beyond}",
                    turn.t
                )
            }
        }
    }

    fn turn(&self, turn: &Turn) -> NamedTurn {
        NamedTurn {
            angle: turn.angle,
            part: part_name(
                self.scene,
                Some(self.object),
                turn.triangle.map(|on| on.part),
            ),
            triangle: turn.triangle.and_then(TriangleId::number),
            t: turn.t,
            point: turn.point.to_array(),
        }
    }

    /// The part and the triangle, after a name.
    fn on(&self, object: Option<ObjectId>, triangle: Option<TriangleId>) -> String {
        let Some(on) = triangle else {
            return String::new();
        };
        match (part_name(self.scene, object, Some(on.part)), on.number()) {
            (Some(part), Some(number)) => format!(" ({part}, triangle {number})"),
            (Some(part), None) => format!(" ({part})"),
            (None, number) => {
                number.map_or_else(String::new, |number| format!(" (triangle {number})"))
            }
        }
    }
}

/// An angle below π/2 in degrees, with three digits that count.
fn degrees(angle: f32) -> String {
    const MOST_PLACES: usize = 12;
    let degrees = f64::from(angle).to_degrees();
    let mut places = 0;
    let mut scaled = degrees;
    while scaled < 100.0 && places < MOST_PLACES {
        scaled *= 10.0;
        places += 1;
    }
    let places = if degrees == 0.0 { 0 } else { places };
    format!("{degrees:.places$}°")
}

#[cfg(test)]
mod tests {
    use super::degrees;

    #[test]
    fn angles_have_three_digits() {
        let shown = [0.0, 1.5, 0.1589, 0.02, 1e-6].map(degrees);
        assert_eq!(shown, ["0°", "85.9°", "9.10°", "1.15°", "0.0000573°"]);
    }
}
