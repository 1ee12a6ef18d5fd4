//! Moving and resting shapes against a posed model, on models with mirrored, flattened and deformed parts:
//! held against all its triangles in rational arithmetic, and as in a world in which nothing moves it.

use hitscan::convex::examined::ExaminedShape;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::model::{Pose, PosedModel, Winding};
use hitscan::{
    Aabb, Capsule, Contact, ContactsPer, Model, Primitive, ShapeCast, ShapeHit, Side, Sides,
    Sphere, TriangleId, World,
};
use hitscan_testkit::closest_oracle::{compare_root, rounded_root, to_f64, wide};
use hitscan_testkit::core_oracle::{RationalCore, dot, nearest};
use hitscan_testkit::round_cases::core;
use hitscan_testkit::shape_cast_oracle::{MovingBox, Outcome, moving_box_triangle, nearest_f32};
use hitscan_testkit::{Exact, Rng, Vector, exact, random_model, rounds, vector};
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

const SIDES: [Sides; 3] = [Sides::Both, Sides::Front, Sides::Back];

/// A triangle with area, where the pose has it.
struct Obstacle {
    id: TriangleId,
    corners: [Vector; 3],
    /// The bounds of the corners.
    bounds: [DVec3; 2],
    core: RationalCore,
    /// Across it, to its front, of any length.
    front: Vector,
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

impl Obstacle {
    fn new(id: TriangleId, corners: [DVec3; 3], winding: Winding) -> Option<Self> {
        let [a, b, c] = corners;
        let exactly @ [first, second, third] = &corners.map(wide);
        let (u, v) = (minus(second, first), minus(third, first));
        let cross = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
        let across = [cross(1, 2), cross(2, 0), cross(0, 1)];
        (!across.iter().all(Zero::is_zero)).then(|| Self {
            id,
            bounds: [a.min(b).min(c), a.max(b).max(c)],
            core: RationalCore::new(exactly.to_vec()),
            corners: exactly.clone(),
            front: match winding {
                Winding::Kept => across,
                Winding::Mirrored => across.map(|x| -x),
            },
        })
    }

    /// All triangles of a model in a pose; each corner is brought into the model's space once, in f64.
    fn all(model: &Model, pose: &Pose) -> Vec<Self> {
        let skinned = model.skinned(pose).expect("in range");
        let mut all = Vec::new();
        for ((index, posed), part) in (0..).zip(skinned.parts()).zip(model.parts()) {
            let positions = posed.positions(part);
            for (triangle, corners) in (0..).zip(part.mesh().triangles()) {
                let corners = corners.map(|corner| {
                    let position = positions[corner as usize].as_dvec3();
                    posed.model_from_part.transform_point3(position)
                });
                let id = TriangleId {
                    part: index,
                    triangle,
                };
                all.extend(Self::new(id, corners, posed.winding));
            }
        }
        all
    }

    /// The side that faces a motion which is not along the triangle.
    fn side(&self, motion: &Vector) -> Option<Side> {
        match dot(&self.front, motion).cmp(&Exact::zero()) {
            Ordering::Less => Some(Side::Front),
            Ordering::Equal => None,
            Ordering::Greater => Some(Side::Back),
        }
    }
}

/// A shape that moves, in rational numbers.
struct ExactCast {
    core: RationalCore,
    radius: f64,
    motion: Vector,
    /// Where it is a box.
    moving_box: Option<MovingBox>,
    /// The bounds of all it passes through, with room for rounding.
    swept: [DVec3; 2],
}

impl ExactCast {
    fn new(shape: Primitive, motion: Vec3) -> Self {
        let (corners, radius) = core(&ExaminedShape::Solid(shape.clone()));
        let ends = corners.iter().flat_map(|c| [*c, *c + motion.as_dvec3()]);
        let (min, max) = ends.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), end| {
            (min.min(end), max.max(end))
        });
        let room = radius + 1e-6 * (radius + min.abs().max(max.abs()).max_element());
        let moving_box = match shape {
            Primitive::Aabb(aabb) => Some(MovingBox {
                min: vector(aabb.min()),
                max: vector(aabb.max()),
                motion: vector(motion),
            }),
            _ => None,
        };
        Self {
            core: RationalCore::new(corners.into_iter().map(wide).collect()),
            radius,
            motion: vector(motion),
            moving_box,
            swept: [min - room, max + room],
        }
    }

    fn may_hit(&self, obstacle: &Obstacle) -> bool {
        self.may_reach(obstacle, 0.0)
    }

    /// Whether its bounds come within a margin of the triangle's.
    fn may_reach(&self, obstacle: &Obstacle, margin: f32) -> bool {
        let ([min, max], [low, high]) = (self.swept, obstacle.bounds);
        let margin = f64::from(margin);
        (min - margin).cmple(high).all() && low.cmple(max + margin).all()
    }

    /// How far the squared distance of the cores is over that of a contact at `t`, and half the rate at
    /// which it grows. It is a convex function of t.
    fn excess(&self, obstacle: &Obstacle, t: &Exact) -> [Exact; 2] {
        let nearest = nearest(&obstacle.core, &self.core.moved(&self.motion, t));
        let radius = exact(self.radius);
        let rate = dot(&nearest.offset, &self.motion);
        [nearest.squared - &radius * &radius, rate]
    }

    /// Whether a round shape overlaps the triangle at a time up to `end`, by Newton's method: the tangents
    /// at two times bound the minimum in between.
    fn overlaps_by(&self, obstacle: &Obstacle, end: &Exact) -> bool {
        let mut low = Exact::zero();
        let mut high = end.clone();
        for _ in 0..200 {
            let [[at_low, falls], [at_high, grows]] =
                [&low, &high].map(|t| self.excess(obstacle, t));
            if at_low.is_negative() || at_high.is_negative() {
                return true;
            }
            if !falls.is_negative() || !grows.is_positive() {
                return false;
            }
            let two = Exact::one() + Exact::one();
            let (falls, grows) = (falls * &two, grows * &two);
            let t = (&at_low - &at_high - &falls * &low + &grows * &high) / (&grows - &falls);
            if !(&at_low + &falls * (&t - &low)).is_negative() {
                return false;
            }
            // A time of few digits, in between.
            let near = exact(to_f64(&t));
            let middle = if low < near && near < high { near } else { t };
            if self.excess(obstacle, &middle)[1].is_negative() {
                low = middle;
            } else {
                high = middle;
            }
        }
        panic!("undecided between {low} and {high}");
    }

    /// How the time of the first contact with a triangle, rounded, compares with `t`; of none, it is
    /// greater.
    fn compare(&self, obstacle: &Obstacle, t: f32) -> Ordering {
        if !self.may_hit(obstacle) {
            return Ordering::Greater;
        }
        if let Some(moving) = &self.moving_box {
            return match moving_box_triangle(moving, &obstacle.corners) {
                Outcome::Miss => Ordering::Greater,
                Outcome::Overlap => 0.0_f32.total_cmp(&t),
                Outcome::Hit { t: exactly, .. } => nearest_f32(&exactly).total_cmp(&t),
            };
        }
        let middle = |one: f32, other: f32| exact(f64::midpoint(one.into(), other.into()));
        if t > 0.0 && self.overlaps_by(obstacle, &middle(t.next_down(), t)) {
            return Ordering::Less;
        }
        let end = if t < 1.0 {
            middle(t, t.next_up())
        } else {
            Exact::one()
        };
        match self.overlaps_by(obstacle, &end) {
            true => Ordering::Equal,
            false => Ordering::Greater,
        }
    }

    /// Whether it misses a triangle.
    fn misses(&self, obstacle: &Obstacle) -> bool {
        !self.may_hit(obstacle)
            || match &self.moving_box {
                Some(moving) => moving_box_triangle(moving, &obstacle.corners) == Outcome::Miss,
                None => !self.overlaps_by(obstacle, &Exact::one()),
            }
    }

    /// Checks the first hits from both sides, the front and the back.
    fn check(&self, obstacles: &[Obstacle], hits: &[Option<ShapeHit>; 3], what: &str) {
        let Some(first) = hits[0] else {
            assert!(
                obstacles.iter().all(|one| self.misses(one)),
                "{what}: missed"
            );
            assert!(hits.iter().all(Option::is_none), "{what}");
            return;
        };
        for one in obstacles {
            let order = self.compare(one, first.t);
            assert!(
                order.is_ge(),
                "{what}: {:?} is hit before {first:?}",
                one.id
            );
        }
        for (hit, sides) in hits.iter().zip(SIDES) {
            let Some(hit) = hit else { continue };
            let id = hit.triangle.expect("on a triangle");
            let obstacle = obstacles.iter().find(|one| one.id == id);
            let obstacle = obstacle.expect("one with area");
            assert!(self.compare(obstacle, hit.t).is_eq(), "{what}: {hit:?}");
            assert!(hit.t >= first.t, "{what}: {hit:?}");
            let facing = obstacle.side(&self.motion);
            assert!(facing.is_none() || facing == hit.side, "{what}: {hit:?}");
            let is_admitted = match sides {
                Sides::Both => true,
                Sides::Front => hit.side == Some(Side::Front),
                Sides::Back => hit.side == Some(Side::Back),
            };
            assert!(is_admitted, "{what}: {hit:?}");
        }
    }

    /// Checks the contacts of the shape at rest within a margin: one a triangle, and the closest.
    fn check_contacts(
        &self,
        obstacles: &[Obstacle],
        margin: f32,
        [each, closest]: [&[Contact]; 2],
        what: &str,
    ) {
        let obstacles = obstacles.iter();
        let near = obstacles.filter(|one| self.may_reach(one, margin));
        let squares = near.map(|one| (one.id, nearest(&one.core, &self.core).squared));
        let squares: BTreeMap<TriangleId, Exact> = squares.collect();
        let (radius, margin) = (exact(self.radius), exact(f64::from(margin)));
        let is_near = |square: &Exact| compare_root(square, &radius, &margin).is_le();
        for contact in each.iter().chain(closest) {
            let id = contact.triangle.expect("on a triangle");
            let square = &squares[&id];
            assert!(is_near(square), "{what}: {contact:?}");
            // Where the cores overlap the depth is another question.
            if square.is_zero() {
                assert!(contact.separation <= 0.0, "{what}: {contact:?}");
            } else {
                let expected = rounded_root(square, &radius);
                assert_eq!(contact.separation, expected, "{what}: {contact:?}");
            }
        }
        let least = squares.values().filter(|square| is_near(square)).min();
        assert_eq!(closest.len(), usize::from(least.is_some()), "{what}");
        assert_eq!(each.is_empty(), closest.is_empty(), "{what}");
        if let (Some(least), [closest]) = (least, closest)
            && !least.is_zero()
        {
            assert_eq!(closest.separation, rounded_root(least, &radius), "{what}");
        }
    }
}

/// A shape near a point, of about that size.
fn shape(rng: &mut Rng, near: Vec3, size: f32) -> Option<Primitive> {
    let mut offset = || Vec3::from_array([0.0; 3].map(|_: f32| rng.uniform_f32(-size, size)));
    let (center, other) = (near + offset(), near + offset());
    match rng.below(3) {
        0 => Some(Sphere::new(center, f64::from(size) * 0.3).ok()?.into()),
        1 => Some(
            Capsule::new(center, other, f64::from(size) * 0.2)
                .ok()?
                .into(),
        ),
        _ => Some(Aabb::new(center.min(other), center.max(other)).ok()?.into()),
    }
}

/// Everything of a hit but the object, which only a world has.
fn of_hit(hit: ShapeHit) -> String {
    format!(
        "{:?}",
        ShapeHit {
            object: None,
            ..hit
        }
    )
}

fn of_contacts(contacts: &[Contact]) -> Vec<String> {
    let without_object = |contact: &Contact| Contact {
        object: None,
        ..*contact
    };
    let texts = contacts.iter().map(without_object);
    texts.map(|contact| format!("{contact:?}")).collect()
}

#[test]
fn shapes_meet_a_posed_model_as_its_triangles_and_as_in_a_world() {
    let mut rng = Rng::new(45);
    let (mut hits, mut one_sided, mut touched) = (0, 0, 0);
    let mut checked = [0; 3];
    for round in 0..200 {
        let model = Arc::new(Model::new(random_model(&mut rng)).expect("valid"));
        let time = rng.uniform(-1.0, 2.0);
        let posed = PosedModel::at_clip(&model, 0, time).expect("in range");
        let Some(bounds) = posed.bounds() else {
            continue;
        };
        let mut world = World::new();
        let pose = model.pose_at(0, time).expect("there is such a clip");
        world
            .add_model(&model, &pose, DAffine3::IDENTITY)
            .expect("in range");
        world.update();
        let snapshot = world.now();
        let obstacles = Obstacle::all(&model, &pose);
        let size = bounds.half_size().max_element().max(1e-3);
        for case in 0..20 {
            let at = bounds.center() + bounds.half_size() * rng.uniform_f32(-1.0, 1.0);
            let Some(start) = shape(&mut rng, at, size) else {
                continue;
            };
            let motion = Vec3::from_array([0.0; 3].map(|_: f32| rng.uniform_f32(-3.0, 3.0) * size));
            let cast = ShapeCast::new(&start, motion).expect("in range");
            let what = format!("round {round}: {cast:?}");
            let first = SIDES.map(|sides| posed.cast_shape(&cast, sides));
            for (found, sides) in first.iter().zip(SIDES) {
                let expected = snapshot.cast_shape(&cast, sides);
                assert_eq!(found.map(of_hit), expected.map(of_hit), "{what}, {sides:?}");
                let any = posed.cast_shape_any(&cast, sides);
                assert_eq!(any, expected.is_some(), "{what}, {sides:?}");
                hits += usize::from(expected.is_some());
            }
            one_sided += usize::from(first[1].map(of_hit) != first[2].map(of_hit));
            let margin = size * 0.1;
            let per = [ContactsPer::Triangle, ContactsPer::Object];
            let found = per.map(|per| posed.contacts(&start, margin, per));
            for (found, per) in found.iter().zip(per) {
                let expected = snapshot.contacts(&start, margin, per, ());
                assert_eq!(of_contacts(found), of_contacts(&expected), "{what}");
            }
            touched += found[0].len();
            if case < rounds(3) {
                let exactly = ExactCast::new(start.clone(), motion);
                exactly.check(&obstacles, &first, &what);
                let contacts = found.each_ref().map(Vec::as_slice);
                ExactCast::new(start, Vec3::ZERO)
                    .check_contacts(&obstacles, margin, contacts, &what);
                let has_hit = first[0].is_some();
                let here = [has_hit, !has_hit, !found[0].is_empty()];
                for (count, is_one) in checked.iter_mut().zip(here) {
                    *count += usize::from(is_one);
                }
            }
        }
    }
    println!("{hits} hits, {one_sided} by side, {touched} contacts, {checked:?} checked");
    assert!(
        hits > 1_000 && one_sided > 200 && touched > 1_000,
        "{hits} {one_sided} {touched}"
    );
    let [hits, misses, contacts] = checked;
    assert!(
        hits > rounds(120) && misses > rounds(120) && contacts > rounds(120),
        "{checked:?}"
    );
}
