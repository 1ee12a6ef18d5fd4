//! Convex shapes by how far they reach along a direction, and the gap of two by a climb over directions: a few lines
//! in floats that share nothing with the library.

use hitscan::Primitive;
use hitscan::glam::{DVec3, Vec3};
use hitscan_testkit::Rng;

/// A convex shape: points, each with a ball around it, and maybe with a disc across an axis.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    points: Vec<DVec3>,
    ball: f64,
    disc: Option<(DVec3, f64)>,
}

impl Body {
    pub(crate) fn of(solid: &Primitive) -> Self {
        let wide = |points: &[Vec3]| points.iter().map(|point| point.as_dvec3()).collect();
        let body = |points: Vec<DVec3>, ball: f64| Self {
            points,
            ball,
            disc: None,
        };
        match solid {
            Primitive::Sphere(sphere) => body(wide(&[sphere.center()]), sphere.radius()),
            Primitive::Capsule(capsule) => {
                body(wide(&[capsule.a(), capsule.b()]), capsule.radius())
            }
            Primitive::Aabb(aabb) => body(wide(&aabb.corners().map(Vec3::from)), 0.0),
            Primitive::Obb(obb) => body(obb.corners().to_vec(), 0.0),
            Primitive::ConvexHull(hull) => body(hull.corners().to_vec(), hull.radius()),
            Primitive::Cylinder(cylinder) => {
                let points: Vec<DVec3> = wide(&[cylinder.a(), cylinder.b()]);
                let axis = (points[1] - points[0]).try_normalize().unwrap();
                Self {
                    disc: Some((axis, cylinder.radius())),
                    ..body(points, 0.0)
                }
            }
        }
    }

    pub(crate) fn of_point(point: DVec3) -> Self {
        Self {
            points: vec![point],
            ball: 0.0,
            disc: None,
        }
    }

    pub(crate) fn of_triangle(corners: [DVec3; 3]) -> Self {
        Self {
            points: corners.to_vec(),
            ball: 0.0,
            disc: None,
        }
    }

    pub(crate) fn moved(&self, way: DVec3) -> Self {
        let points = self.points.iter().map(|point| *point + way).collect();
        Self {
            points,
            ..self.clone()
        }
    }

    /// The largest coordinate or size.
    pub(crate) fn size(&self) -> f64 {
        let reach = self.ball + self.disc.map_or(0.0, |(_, radius)| radius);
        let points = self.points.iter();
        points.fold(reach, |max, point| {
            max.max(point.abs().max_element() + reach)
        })
    }

    /// How far it reaches along a unit direction.
    fn reach(&self, way: DVec3) -> f64 {
        let places = self.points.iter().map(|point| point.dot(way));
        let disc = self.disc.map_or(0.0, |(axis, radius)| {
            radius * (1.0 - axis.dot(way).powi(2)).max(0.0).sqrt()
        });
        places.fold(f64::NEG_INFINITY, f64::max) + disc + self.ball
    }
}

/// The gap along a unit direction from the obstacle to the shape.
pub(crate) fn gap_along(obstacle: &Body, shape: &Body, way: DVec3) -> f64 {
    -shape.reach(-way) - obstacle.reach(way)
}

/// A direction along which two are far apart, and how far: most times nearly as much as along any. `hint` is tried
/// first.
pub(crate) fn gap(
    obstacle: &Body,
    shape: &Body,
    hint: Option<DVec3>,
    rng: &mut Rng,
) -> (f64, DVec3) {
    let random = |rng: &mut Rng| DVec3::from([(); 3].map(|()| rng.uniform(-1.0, 1.0)));
    let mut best = (f64::NEG_INFINITY, DVec3::X);
    let keep = |way: DVec3, best: &mut (f64, DVec3)| {
        let Some(way) = way.try_normalize() else {
            return false;
        };
        let found = gap_along(obstacle, shape, way);
        let is_better = found > best.0;
        if is_better {
            *best = (found, way);
        }
        is_better
    };
    keep(hint.unwrap_or(DVec3::X), &mut best);
    for way in DVec3::AXES {
        keep(way, &mut best);
        keep(-way, &mut best);
    }
    for body in [obstacle, shape] {
        if let Some((axis, _)) = body.disc {
            keep(axis, &mut best);
            keep(-axis, &mut best);
        }
    }
    for _ in 0..600 {
        keep(random(rng), &mut best);
    }
    let mut radius = 0.3;
    for _ in 0..3000 {
        let way = best.1 + random(rng) * radius;
        if !keep(way, &mut best) {
            radius *= 0.99;
        }
    }
    best
}
