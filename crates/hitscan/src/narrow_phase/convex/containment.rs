//! Containment of one shape in another, one of the two being a cylinder, in f64.

use super::closest::closest;
use super::cylinder::CylinderCore;
use super::{Convex, Core};
use crate::shape::cylinder::across;
use glam::DVec3;

/// More than what rounding takes from a distance, relative to the largest coordinate.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// Whether the closed cylinder holds all of another shape.
pub(super) fn is_in_cylinder(cylinder: &CylinderCore, other: &Convex<'_>) -> bool {
    let beyond = |point: DVec3, radius: f64| {
        let off = SLACK * (point.abs().max_element() + cylinder.radius + radius);
        cylinder.nearest(point).gap + radius - off
    };
    let holds = |point: DVec3, radius: f64| beyond(point, radius) <= 0.0;
    match &other.core {
        Core::Cylinder(inner) => {
            // Of each rim the point furthest from the outer axis, and those furthest along it.
            let (axis, _) = cylinder.axis();
            let along = [axis, -axis].map(|way| inner.furthest(way));
            along.into_iter().all(|place| holds(place, 0.0))
                && inner
                    .ends
                    .iter()
                    .all(|end| Rim::new(inner, *end).is_within(&|place| beyond(place, 0.0)))
        }
        core => core
            .corners()
            .iter()
            .all(|corner| holds(*corner, other.radius)),
    }
}

/// Whether a closed shape that is no cylinder holds all of one.
pub(super) fn holds_cylinder(outer: &Convex<'_>, cylinder: &CylinderCore) -> bool {
    let beyond = |place: DVec3| {
        let squared = closest(&outer.core, &Core::Point(place), DVec3::ZERO).squared();
        let off = SLACK * (place.abs().max_element() + outer.radius);
        squared.sqrt() - outer.radius - off
    };
    let is_within = |place: DVec3| beyond(place) <= 0.0;
    if outer.radius == 0.0
        && let Core::Box(_) | Core::Hull(_) = outer.core
    {
        // Behind each face: so is the point furthest along its normal. What has no face holds nothing.
        let faces = outer.core.face_spans();
        return !faces.is_empty()
            && faces.iter().all(|spans| {
                let [first, second] = spans.map(|[a, b]| b - a);
                let normal = first.cross(second);
                [normal, -normal]
                    .into_iter()
                    .all(|way| is_within(cylinder.furthest(way)))
            });
    }
    let mut ends = cylinder.ends.iter();
    ends.all(|end| Rim::new(cylinder, *end).is_within(&beyond))
}

/// The circle around an end of a cylinder.
struct Rim {
    end: DVec3,
    /// Two radii, square to one another.
    radii: [DVec3; 2],
}

/// How many points of a rim are looked at first.
const POINTS: u32 = 64;
/// How often the arc beside one of them is narrowed: to less than what moves a point by rounding.
const STEPS: u32 = 44;

impl Rim {
    fn new(cylinder: &CylinderCore, end: DVec3) -> Self {
        let (axis, _) = cylinder.axis();
        let first = across(axis) * cylinder.radius;
        Self {
            end,
            radii: [first, axis.cross(first)],
        }
    }

    /// The point at a turn in parts of [`POINTS`].
    fn at(&self, turn: f64) -> DVec3 {
        let angle = turn * (core::f64::consts::TAU / f64::from(POINTS));
        self.end + self.radii[0] * libm::cos(angle) + self.radii[1] * libm::sin(angle)
    }

    /// Whether it is within a convex set all around, given how far a point is beyond: that changes by no more than
    /// the point moves, and is convex.
    fn is_within(&self, beyond: &dyn Fn(DVec3) -> f64) -> bool {
        let at = |turn: f64| beyond(self.at(turn));
        let count = POINTS as usize;
        let far: Vec<f64> = (0..POINTS).map(|point| at(f64::from(point))).collect();
        if far.iter().any(|far| *far > 0.0) {
            return false;
        }
        // How far an arc between two points is beyond the chord between them, and a little more.
        let half = core::f64::consts::PI / f64::from(POINTS);
        let bulge = 1.01 * self.radii[0].length() * (1.0 - libm::cos(half));
        (0..POINTS).zip(0..count).all(|(point, place)| {
            let (before, here, after) = (
                far[(place + count - 1) % count],
                far[place],
                far[(place + 1) % count],
            );
            let is_summit = here >= before && here >= after;
            // Four times as far as the parabola through the three rises between them.
            let bend = (here - before) + (here - after);
            let rise = (after - before) * (after - before) / (8.0 * bend);
            let may_rise = bend > 0.0 && here + 4.0 * rise > 0.0;
            let is_in_question = is_summit && here + bulge > 0.0 && may_rise;
            !is_in_question || highest(f64::from(point), &at) <= 0.0
        })
    }
}

/// The maximum between the neighbours of a point, by golden-section search.
fn highest(point: f64, value: &dyn Fn(f64) -> f64) -> f64 {
    const PART: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (point - 1.0, point + 1.0);
    let between = |low: f64, high: f64| [high - (high - low) * PART, low + (high - low) * PART];
    let mut inner = between(low, high);
    let mut values = inner.map(value);
    for _ in 0..STEPS {
        if values[0] > values[1] {
            high = inner[1];
            inner = [between(low, high)[0], inner[0]];
            values = [value(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], between(low, high)[1]];
            values = [values[1], value(inner[1])];
        }
    }
    values[0].max(values[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capsule, Cylinder, Primitive, Sphere};
    use glam::Vec3;

    /// A coin that leans in a can just fits, or does not by less than is between points of its rim: a disc of this
    /// radius, whose axis leans by an angle, is as wide as itself, wherever that is.
    #[test]
    fn a_coin_fits_where_its_rim_does() {
        let can = Cylinder::new([0.0, -4.0, 0.0], [0.0, 4.0, 0.0], 1.0).unwrap();
        for turn in 0..97_u8 {
            let angle = f64::from(turn) * 0.0649;
            let (lean, around) = (f64::from(turn % 7) * 0.1, angle);
            let axis = DVec3::new(
                libm::sin(lean) * libm::cos(around),
                libm::cos(lean),
                libm::sin(lean) * libm::sin(around),
            );
            let thin = axis.as_vec3() * 1e-6;
            for (radius, fits) in [(1.0 - 2e-6, true), (1.0 + 2e-6, false)] {
                let coin = Cylinder::new(Vec3::ZERO, thin, radius).unwrap();
                let inner = Primitive::from(coin);
                let core = CylinderCore::from(&can);
                assert_eq!(
                    is_in_cylinder(&core, &Convex::from(&inner)),
                    fits,
                    "{turn} {radius}"
                );
            }
        }
    }

    /// The corner of a can in a ball, and in a capsule, is as far out as Pythagoras says.
    #[test]
    fn a_can_fits_into_what_is_round() {
        for turn in 0..50_u8 {
            let angle = f64::from(turn) * 0.1237;
            let way = DVec3::new(libm::cos(angle), 0.5, libm::sin(angle));
            let [a, b] = [way * -1.5, way * 1.5].map(|end| end.as_vec3());
            let half = f64::from((b - a).length()) * 0.5;
            let can = Cylinder::new(a, b, 2.0).unwrap();
            let corner = (half * half + 4.0).sqrt();
            for (more, fits) in [(1e-6, true), (-1e-6, false)] {
                let ball = Primitive::from(Sphere::new([0.0; 3], corner + more).unwrap());
                let core = CylinderCore::from(&can);
                assert_eq!(holds_cylinder(&Convex::from(&ball), &core), fits, "{turn}");
                // A capsule around such a ball.
                let [from, to] = [a.as_dvec3().cross(DVec3::Y), b.as_dvec3().cross(DVec3::Y)];
                let stick = Capsule::new(from.as_vec3(), to.as_vec3(), corner + 1e-6).unwrap();
                let stick = Primitive::from(stick);
                assert!(holds_cylinder(&Convex::from(&stick), &core), "{turn}");
            }
        }
    }
}
