//! Hulls with few corners that hold given points, exactly.
//!
//! The corners are where planes that touch the points meet. Planes are added one by one, each across the corner
//! that sticks out the most; the last set with few enough corners is taken. Rounding to f32 is made good by
//! growing the whole about a point inside, until the exact test holds of all points.
//!
//! The corners of an intersection of half spaces are the faces of the hull of its planes' poles (projective
//! duality): Preparata, Shamos, "Computational Geometry", 1985, section 7.3.

use super::{ConvexHull, hull_of};
use crate::Error;
use crate::shape::polytope::{Numbering, Placement, Polytope};
use glam::{DVec3, Vec3};

/// The fewest corners of a hull with a volume.
const MIN_CORNERS: usize = 4;

impl ConvexHull {
    /// A hull with at most `max_corners` corners that holds all of this one, exactly; itself where it has no
    /// more. It is in this hull's own space, where the radius stays the same.
    ///
    /// # Errors
    /// [`Error::BadValue`] for fewer than 4 corners, [`Error::OutOfRange`] where they would lie beyond ±1e18.
    ///
    /// ```
    /// use hitscan::ConvexHull;
    /// let ball = (0..500).map(|k| {
    ///     let (k, turn) = (k as f32, k as f32 * 2.4);
    ///     let (height, ring) = (k / 250.0 - 1.0, (1.0 - (k / 250.0 - 1.0).powi(2)).max(0.0).sqrt());
    ///     [ring * turn.cos(), height, ring * turn.sin()]
    /// });
    /// let ball = ConvexHull::new(ball)?;
    /// let coarse = ball.simplified(24)?;
    /// assert!(coarse.corners().len() <= 24);
    /// assert!(ball.own_corners().iter().all(|corner| coarse.contains(*corner)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn simplified(&self, max_corners: usize) -> Result<Self, Error> {
        let unplaced =
            Self::of_polytope(simplified(Ok((*self.own.polytope).clone()), max_corners)?);
        unplaced
            .with_radius(self.own.radius)?
            .placed(&self.world_from_own)
    }

    /// The hull of points with at most `max_corners` corners that holds them all, exactly: [`Self::new`] and
    /// [`Self::simplified`] in one, for more than [`Self::MAX_CORNERS`] corners too.
    ///
    /// # Errors
    /// As those two.
    pub fn simplified_from<P: Into<Vec3>>(
        points: impl IntoIterator<Item = P>,
        max_corners: usize,
    ) -> Result<Self, Error> {
        let points: Vec<Vec3> = points.into_iter().map(Into::into).collect();
        let max_corners = max_corners.min(Self::MAX_CORNERS);
        Ok(Self::of_polytope(simplified(
            hull_of(&points)?,
            max_corners,
        )?))
    }
}

/// What a simplified hull must hold.
struct Outlined {
    corners: Vec<DVec3>,
    center: DVec3,
    /// `None` where the corners are too many for one.
    hull: Option<Polytope>,
}

fn simplified(hull: Result<Polytope, Vec<DVec3>>, max_corners: usize) -> Result<Polytope, Error> {
    if max_corners < MIN_CORNERS {
        return Err(Error::BadValue {
            what: "greatest number of corners of a convex hull",
            expected: "4 or more",
            found: max_corners as f64,
        });
    }
    let outlined = match hull {
        Ok(hull) if hull.corners().len() <= max_corners => return Ok(hull),
        Ok(hull) => Outlined {
            corners: hull.corners().to_vec(),
            center: hull.middle(),
            hull: Some(hull),
        },
        Err(corners) => Outlined {
            center: corners.iter().sum::<DVec3>() / corners.len() as f64,
            corners,
            hull: None,
        },
    };
    let (mut planes, center) = (outlined.planes_around(max_corners), outlined.center);
    // A flat hull is held by one with a little volume.
    let sizes = outlined
        .corners
        .iter()
        .map(|corner| (*corner - center).abs().max_element());
    let size = sizes.fold(0.0, f64::max);
    let mut growth = f64::from(f32::EPSILON);
    loop {
        let corners = corners_of(&planes, center, size * growth);
        let grown = |corner: DVec3| (center + (corner - center) * (1.0 + growth)).as_vec3();
        let rounded: Vec<Vec3> = corners.into_iter().map(grown).collect();
        match hull_of(&rounded)? {
            Ok(around) if around.corners().len() <= max_corners => {
                if outlined.corners.iter().all(|corner| around.holds(*corner)) {
                    return Ok(around);
                }
                growth *= 2.0;
            }
            // Moved outward, planes may meet in more corners: the first of them do not.
            _ => planes.truncate(planes.len() - 1),
        }
    }
}

/// A plane that the hull touches from behind: its outward direction of unit length, and how far it is along that.
#[derive(Clone, Copy)]
struct Support {
    outward: DVec3,
    height: f64,
}

impl Outlined {
    fn support(&self, outward: DVec3) -> Support {
        let heights = self.corners.iter().map(|corner| outward.dot(*corner));
        Support {
            outward,
            height: heights.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// How far a corner sticks out, and in which direction.
    fn placement(&self, corner: DVec3) -> Placement {
        if let Some(hull) = &self.hull {
            return hull.placement(corner);
        }
        let outward = (corner - self.center).normalize_or_zero();
        Placement {
            distance: outward.dot(corner) - self.support(outward).height,
            outward,
        }
    }

    /// Planes around the hull whose common inside has at most so many corners.
    fn planes_around(&self, max_corners: usize) -> Vec<Support> {
        // The faces of a box, or those of a tetrahedron.
        let first: Vec<DVec3> = if max_corners >= 8 {
            DVec3::AXES
                .iter()
                .flat_map(|axis| [*axis, -*axis])
                .collect()
        } else {
            let ways = [
                [1.0, 1.0, 1.0],
                [-1.0, -1.0, 1.0],
                [-1.0, 1.0, -1.0],
                [1.0, -1.0, -1.0],
            ];
            ways.map(|way| DVec3::from_array(way).normalize_or_zero())
                .to_vec()
        };
        let mut planes: Vec<Support> = first.into_iter().map(|way| self.support(way)).collect();
        let mut best = planes.clone();
        loop {
            let corners = corners_of(&planes, self.center, 0.0);
            if corners.len() > max_corners {
                return best;
            }
            best.clone_from(&planes);
            // Across the corner that sticks out the most, square to the way from there.
            let placed = corners.into_iter().map(|corner| self.placement(corner));
            let further = placed.reduce(|best, next| {
                if next.distance > best.distance {
                    next
                } else {
                    best
                }
            });
            match further {
                Some(Placement { distance, outward })
                    if distance > 0.0 && outward != DVec3::ZERO =>
                {
                    planes.push(self.support(outward));
                }
                _ => return best,
            }
        }
    }
}

/// The corners of what is behind all planes, each of them moved outward by `extra`.
fn corners_of(planes: &[Support], center: DVec3, extra: f64) -> Vec<DVec3> {
    // Poles of planes that touch a point or a flat hull would be infinitely far.
    let least = planes
        .iter()
        .map(|plane| plane.height - plane.outward.dot(center) + extra);
    let size = least.clone().fold(f64::MIN_POSITIVE, f64::max);
    let poles: Vec<DVec3> = (planes.iter().zip(least))
        .map(|(plane, height)| plane.outward * (size / height.max(size * 1e-6)))
        .collect();
    let dual = Polytope::around(&poles, Numbering::ByPlace);
    let corner = |face: usize| {
        let normal = dual.faces()[face].normal;
        let along = normal.dot(dual.face_span(face)[0]);
        center + normal * (size / along)
    };
    (0..dual.faces().len()).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;

    #[test]
    fn too_many_corners_are_refused_and_can_be_simplified() {
        let mut rng = Rng(2);
        let mut points = Vec::new();
        while points.len() < 5000 {
            let point = Vec3::new(rng.signed(), rng.signed(), rng.signed());
            if (0.1..1.0).contains(&point.length()) {
                points.push(point * (16.0 / point.length()));
            }
        }
        let refused = ConvexHull::new(points.iter().copied());
        assert!(matches!(refused, Err(Error::TooMany { found, limit: 4096, .. }) if found > 4096));
        let few = ConvexHull::simplified_from(points.iter().copied(), 64).unwrap();
        assert!(few.corners().len() <= 64);
        assert!(points.iter().all(|point| few.contains(*point)));
        assert!(few.bounds().max().max_element() < 19.0);
    }

    #[test]
    fn simplified_hulls_hold_all_and_are_near() {
        let mut rng = Rng(9);
        for round in 0..60 {
            let scale = [1.0, 1e-3, 1e6, 30.0][round % 4];
            let offset = if round % 3 == 0 { 1e3 } else { 0.0 };
            let flat = round % 5 == 0;
            let points: Vec<Vec3> = (0..400)
                .map(|_| {
                    let point = Vec3::new(
                        rng.signed(),
                        rng.signed(),
                        if flat { 0.25 } else { rng.signed() },
                    );
                    point * scale + Vec3::splat(offset)
                })
                .collect();
            let hull = ConvexHull::new(points.iter().copied()).unwrap();
            for max_corners in [4, 6, 8, 12, 32, 64] {
                let few = hull.simplified(max_corners).unwrap();
                assert!(few.corners().len() <= max_corners);
                assert!(
                    points.iter().all(|point| few.contains(*point)),
                    "{round} {max_corners}"
                );
                if max_corners >= 8 {
                    let [size, larger] = [&hull, &few].map(|hull| {
                        let bounds = hull.bounds();
                        (bounds.max() - bounds.min()).max_element()
                    });
                    // Corners are f32: far away a small hull is coarse.
                    let coarse = 8.0 * f32::EPSILON * offset;
                    assert!(
                        larger <= size * 1.01 + coarse,
                        "{round} {max_corners} {size} {larger}"
                    );
                }
            }
        }
    }
}
