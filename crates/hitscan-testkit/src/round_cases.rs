//! Pairs of shapes, one with a radius and one in motion: touching, nearly touching, and of all sizes.

use crate::Rng;
use hitscan::convex::examined::{ExaminedContact, ExaminedShape, examine};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{Aabb, Capsule, Obb, Primitive, Sphere};

/// A source of coordinates, all of one kind for a case.
#[derive(Debug, Clone, Copy)]
pub enum RoundScene {
    /// Whole numbers: most pairs touch exactly somewhere.
    Lattice,
    /// Whole numbers and a few ulps more or less.
    Ulps,
    /// Anything in the same range.
    Uniform,
    /// A few ulps apart, 1e5 m from the origin.
    Far,
    /// Whole multiples of 1e12.
    Huge,
    /// Whole multiples of 1e-12.
    Tiny,
    /// Whole multiples of 1e-30, the least that is exact.
    Least,
    /// Magnitudes from 1e-8 to 1e7 side by side.
    Mixed,
    /// Magnitudes from 1e-30 to 1e18 side by side.
    Widest,
    /// One shape of ordinary size, and one of whole multiples of 2.5e17, the largest that are exact.
    Beside,
    /// Whole multiples of 2.5e17.
    Greatest,
    /// A few metres to a few hundred, which is what f64 still holds beside 1e18.
    Metres,
}

impl RoundScene {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Lattice,
        Self::Ulps,
        Self::Uniform,
        Self::Far,
        Self::Huge,
        Self::Tiny,
        Self::Least,
        Self::Mixed,
        Self::Widest,
        Self::Beside,
    ];

    fn coordinate(self, rng: &mut Rng) -> f32 {
        let whole = small(rng, 9) - 4.0;
        match self {
            Self::Lattice => whole,
            Self::Ulps => nudged(rng, whole),
            Self::Uniform => rng.uniform_f32(-4.0, 4.0),
            Self::Far => nudged(rng, 1e5 + whole),
            Self::Huge => whole * 1e12,
            Self::Tiny => whole * 1e-12,
            Self::Least => whole * 1e-30,
            Self::Mixed => whole * 10.0_f32.powf(small(rng, 16) - 8.0),
            Self::Widest => whole * 0.25 * 10.0_f32.powf(small(rng, 48) - 29.0),
            Self::Greatest | Self::Beside => whole * 2.5e17,
            Self::Metres => rng.uniform_f32(-4.0, 4.0) * 4.0_f32.powf(small(rng, 4)),
        }
    }

    fn point(self, rng: &mut Rng) -> Vec3 {
        Vec3::from([(); 3].map(|()| self.coordinate(rng)))
    }

    fn radius(self, rng: &mut Rng) -> f64 {
        let length = (self.coordinate(rng) - self.coordinate(rng)).abs();
        let wide = f64::from(length);
        match rng.below(6) {
            0 => wide * 2.0_f64.sqrt(),
            1 => wide * 0.25,
            2 => f64::from(length.next_up()),
            3 => wide * 1e-6,
            _ => wide * 0.5,
        }
    }

    fn sphere(self, rng: &mut Rng) -> Option<ExaminedShape> {
        let sphere = Sphere::new(self.point(rng), self.radius(rng)).ok()?;
        (sphere.radius() >= 1e-30).then(|| ExaminedShape::Solid(sphere.into()))
    }

    fn capsule(self, rng: &mut Rng) -> Option<ExaminedShape> {
        let (a, mut b) = (self.point(rng), self.point(rng));
        if rng.one_in(4) {
            b = a.with_y(b.y);
        }
        let capsule = Capsule::new(a, b, self.radius(rng)).ok()?;
        (capsule.radius() >= 1e-30).then(|| ExaminedShape::Solid(capsule.into()))
    }

    fn upright_box(self, rng: &mut Rng) -> Option<ExaminedShape> {
        let (a, mut b) = (self.point(rng), self.point(rng));
        if rng.one_in(5) {
            b.y = a.y;
        }
        let aabb = Aabb::new(a.min(b), a.max(b)).ok()?;
        Some(ExaminedShape::Solid(aabb.into()))
    }

    fn turned_box(self, rng: &mut Rng) -> Option<ExaminedShape> {
        let half_size = (self.point(rng) - self.point(rng)).abs() * 0.25;
        let rotation = match rng.below(4) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_xyzw(0.0, 0.3, 0.0, 1.0),
            _ => DQuat::from_array([(); 4].map(|()| rng.uniform(-1.0, 1.0))),
        };
        let obb = Obb::new(self.point(rng), half_size, rotation).ok()?;
        Some(ExaminedShape::Solid(obb.into()))
    }

    /// A triangle: flat on an axis, a sliver or without area now and then.
    fn triangle(self, rng: &mut Rng) -> Option<ExaminedShape> {
        let mut corners = [(); 3].map(|()| self.point(rng));
        if rng.one_in(3) {
            let axis = rng.below(3);
            corners[1][axis] = corners[0][axis];
            corners[2][axis] = corners[0][axis];
        }
        if rng.one_in(10) {
            corners[2] = corners[0] + (corners[1] - corners[0]) * 0.5;
            corners[2].x *= 1.0 + 1e-6;
        }
        Some(ExaminedShape::Triangle(corners.map(Vec3::as_dvec3)))
    }
}

fn small(rng: &mut Rng, n: usize) -> f32 {
    f32::from(u8::try_from(rng.below(n)).expect("small"))
}

/// `x` and up to two ulps more or less.
fn nudged(rng: &mut Rng, x: f32) -> f32 {
    match rng.below(5) {
        0 => x.next_up(),
        1 => x.next_up().next_up(),
        2 => x.next_down(),
        3 => x.next_down().next_down(),
        _ => x,
    }
}

/// The corners of a shape's core, and its radius.
///
/// # Panics
/// For a cylinder, which has no corners.
#[must_use]
pub fn core(shape: &ExaminedShape) -> (Vec<DVec3>, f64) {
    match shape {
        ExaminedShape::Triangle(corners) => (corners.to_vec(), 0.0),
        ExaminedShape::Solid(Primitive::Sphere(sphere)) => {
            (vec![sphere.center().as_dvec3()], sphere.radius())
        }
        ExaminedShape::Solid(Primitive::Capsule(capsule)) => (
            vec![capsule.a().as_dvec3(), capsule.b().as_dvec3()],
            capsule.radius(),
        ),
        ExaminedShape::Solid(Primitive::Obb(obb)) => (obb.corners().to_vec(), 0.0),
        ExaminedShape::Solid(Primitive::ConvexHull(hull)) => {
            (hull.corners().to_vec(), hull.radius())
        }
        ExaminedShape::Solid(Primitive::Cylinder(_)) => panic!("a cylinder has no corners"),
        ExaminedShape::Solid(Primitive::Aabb(aabb)) => {
            let ends = [aabb.min().as_dvec3(), aabb.max().as_dvec3()];
            let corner = |k: usize| DVec3::from([0, 1, 2].map(|i: usize| ends[k >> i & 1][i]));
            ((0..8).map(corner).collect(), 0.0)
        }
    }
}

/// Two shapes, the second in motion.
#[derive(Debug)]
pub struct RoundCase {
    /// The obstacle and the shape.
    pub shapes: [ExaminedShape; 2],
    /// How far the shape moves.
    pub motion: Vec3,
    /// Vectors whose products with the normal are queried.
    pub ways: Vec<[DVec3; 2]>,
}

impl RoundCase {
    /// A case; `None` where its numbers make no shape.
    ///
    /// # Panics
    /// Never.
    pub fn random(scene: RoundScene, rng: &mut Rng) -> Option<Self> {
        let [of_round, of_other] = match scene {
            RoundScene::Beside if rng.one_in(2) => [RoundScene::Greatest, RoundScene::Metres],
            RoundScene::Beside => [RoundScene::Metres, RoundScene::Greatest],
            _ => [scene; 2],
        };
        let round = if rng.one_in(2) {
            of_round.sphere(rng)?
        } else {
            of_round.capsule(rng)?
        };
        let other = match rng.below(6) {
            0 => of_other.sphere(rng)?,
            1 => of_other.capsule(rng)?,
            2 => of_other.upright_box(rng)?,
            3 => of_other.turned_box(rng)?,
            _ => of_other.triangle(rng)?,
        };
        let is_triangle = matches!(other, ExaminedShape::Triangle(_));
        let shapes = if rng.one_in(2) && !is_triangle {
            [round, other]
        } else {
            [other, round]
        };
        let [obstacle, shape] = shapes.each_ref().map(|shape| core(shape).0);
        let corner = |rng: &mut Rng, of: &[DVec3]| of[rng.below(of.len())];
        let mut motion = match rng.below(3) {
            0 => scene.point(rng) - scene.point(rng),
            times => {
                let way = corner(rng, &obstacle) - corner(rng, &shape);
                (way * f64::from(u8::try_from(times).expect("1 or 2"))).as_vec3()
            }
        };
        if rng.one_in(4) {
            motion[rng.below(3)] = 0.0;
        }
        let mut ways = vec![[DVec3::ZERO, RoundScene::Lattice.point(rng).as_dvec3()]];
        for _ in 0..2 {
            ways.push([corner(rng, &obstacle), corner(rng, &obstacle)]);
        }
        Some(Self {
            shapes,
            motion,
            ways,
        })
    }

    /// The answer.
    #[must_use]
    pub fn examine(&self) -> Option<ExaminedContact> {
        let [obstacle, shape] = &self.shapes;
        examine(obstacle, shape, self.motion.as_dvec3(), &self.ways)
    }

    /// The answer where the other shape moves.
    #[must_use]
    pub fn examine_swapped(&self) -> Option<ExaminedContact> {
        let [obstacle, shape] = &self.shapes;
        examine(shape, obstacle, -self.motion.as_dvec3(), &self.ways)
    }

    /// The largest number in it.
    #[must_use]
    pub fn size(&self) -> f64 {
        let shapes = self.shapes.iter().map(core);
        shapes
            .flat_map(|(corners, radius)| corners.into_iter().chain([DVec3::splat(radius)]))
            .fold(self.motion.as_dvec3().abs(), |most, x| most.max(x.abs()))
            .max_element()
    }
}
