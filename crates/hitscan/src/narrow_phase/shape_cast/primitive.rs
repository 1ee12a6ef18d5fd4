//! The shape cast against a single primitive or triangle.

use super::prepared::{CastContact, Encounter, PreparedCast};
use super::{ImpactStart, PairHit, ShapeCast, ShapeHit, StartState};
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::convex::{Convex, RestingContact};
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Sides, Sphere, Triangle};
use core::cmp::Ordering;
use glam::Vec3;

/// The first meeting with a primitive, and when it is reported.
#[derive(Debug)]
pub(crate) struct PrimitiveHit {
    t: f32,
    normal: Vec3,
    /// `None` for two axis-aligned boxes, which are decided by themselves: that is quicker.
    encounter: Option<Encounter>,
    is_overlap: bool,
}

impl PrimitiveHit {
    /// The reported t.
    pub(crate) fn t(&self) -> f32 {
        self.t
    }
}

impl PreparedCast<'_> {
    /// The first meeting with a primitive, or `None`.
    pub(crate) fn first_primitive(&self, obstacle: &Primitive) -> Option<PrimitiveHit> {
        if self.is_empty {
            return None;
        }
        if let (Primitive::Aabb(_), Primitive::Aabb(obstacle)) = (self.shape, obstacle) {
            let PairHit { t, normal, start } = obstacle.cast_aabb(self.bounds())?;
            let is_overlap = start == ImpactStart::Overlap;
            if !is_overlap || self.overlaps == super::InitialOverlap::Stop {
                return Some(PrimitiveHit {
                    t,
                    normal,
                    encounter: None,
                    is_overlap,
                });
            }
        }
        let bounds = match obstacle {
            Primitive::ConvexHull(hull) => hull.bounds().widened(),
            _ => obstacle.bounds(),
        };
        self.bounds()
            .earliest_floor(bounds.min().as_dvec3(), bounds.max().as_dvec3())?;
        let encounter = self.meet(&Convex::from(obstacle), 1.0)?;
        let (t, normal, is_overlap) = match &encounter {
            Encounter::Overlap => (0.0, Vec3::ZERO, true),
            Encounter::Contact(contact) => (contact.t(), contact.normal(), false),
        };
        Some(PrimitiveHit {
            t,
            normal,
            is_overlap,
            encounter: Some(encounter),
        })
    }

    /// How the encounters with two primitives of one object are ordered: an overlap before a hit, then by the
    /// exact times rounded down to f64.
    pub(crate) fn order_in_object(
        &self,
        (obstacle, hit): (&Primitive, &PrimitiveHit),
        (other_obstacle, other): (&Primitive, &PrimitiveHit),
    ) -> Ordering {
        let overlaps_first = other.is_overlap.cmp(&hit.is_overlap);
        // Reported times are rounded from the exact ones, and so in their order.
        let by_reported = overlaps_first.then(hit.t.total_cmp(&other.t));
        by_reported.then_with(|| {
            let floors =
                [(obstacle, hit), (other_obstacle, other)].map(|(of, hit)| self.floor(of, hit));
            floors[0].total_cmp(&floors[1])
        })
    }

    /// How an encounter with a triangle and one with a primitive are ordered, by the same.
    pub(crate) fn order_of_triangle(
        &self,
        encounter: &Encounter,
        (obstacle, hit): (&Primitive, &PrimitiveHit),
    ) -> Ordering {
        let is_overlap = matches!(encounter, Encounter::Overlap);
        let by_reported = hit.is_overlap.cmp(&is_overlap);
        let by_reported = by_reported.then(encounter.t().total_cmp(&hit.t));
        by_reported.then_with(|| floor_of(encounter).total_cmp(&self.floor(obstacle, hit)))
    }

    /// The exact time of an encounter, rounded down to f64.
    fn floor(&self, obstacle: &Primitive, hit: &PrimitiveHit) -> f64 {
        match &hit.encounter {
            Some(encounter) => floor_of(encounter),
            None if hit.is_overlap => 0.0,
            None => self
                .meet(&Convex::from(obstacle), 1.0)
                .as_ref()
                .map_or(0.0, floor_of),
        }
    }

    /// The whole answer for a primitive.
    pub(crate) fn primitive_answer(&self, obstacle: &Primitive, hit: PrimitiveHit) -> ShapeHit {
        let convex = Convex::from(obstacle);
        let encounter = match hit.encounter {
            Some(encounter) => Some(encounter),
            None if hit.is_overlap => Some(Encounter::Overlap),
            None => self.meet(&convex, 1.0),
        };
        let point = encounter.map_or(Vec3::ZERO, |encounter| {
            self.shared_point(&convex, &encounter)
        });
        // A time that is not 0 is one of separate shapes.
        let start = if hit.t > 0.0 {
            StartState::Separate
        } else {
            start_state(&self.resting(&convex))
        };
        ShapeHit {
            t: hit.t,
            normal: hit.normal,
            point,
            start,
            side: None,
            object: None,
            user_data: 0,
            triangle: None,
        }
    }
}

/// The exact time of an encounter, rounded down to f64.
fn floor_of(encounter: &Encounter) -> f64 {
    match encounter {
        Encounter::Overlap => 0.0,
        Encounter::Contact(contact) => contact.floor(),
    }
}

/// How the shapes lie, by their contact at rest.
fn start_state(resting: &RestingContact) -> StartState {
    match resting.status() {
        Ordering::Less => StartState::Overlap {
            separation: resting.separation(),
            way_out: resting.normal(),
        },
        Ordering::Equal => StartState::Touching,
        Ordering::Greater => StartState::Separate,
    }
}

impl Primitive {
    /// The first hit of a moving shape with this solid, or `None`. A solid counts from every side.
    ///
    /// Where neither has a radius, boxes and hulls that is, each separating axis with motion has a closed interval
    /// of t in which the shapes touch or overlap along it; on one without motion they overlap always or,
    /// where they only touch, never. They hit at the latest start of all, unless an interval has ended
    /// before or they only part from a touch; the normal is along the axis that is entered last, of
    /// equal ones the first of the obstacle's faces, the shape's, and the products of their edges.
    /// Otherwise they hit at the first t at which their gap, the distance of centre, segment or box less
    /// the radii, is 0 and negative at once afterwards. So shapes that touch and part, slide along each
    /// other or graze do not hit.
    ///
    /// # Accuracy
    /// Every decision is exact, and `t` is the exact time rounded once. Where one of the two is a cylinder, the
    /// answer is that for a gap which is changed by no more than 2^-40 of the largest coordinate or size;
    /// where the computed interval of the gap holds 0, shapes touch at the start, and do not hit in passing.
    ///
    /// ```
    /// use hitscan::{Aabb, Primitive, ShapeCast, Sphere, glam::Vec3};
    /// let ball = ShapeCast::new(Sphere::new([0.0; 3], 1.0)?, [8.0, 0.0, 0.0])?;
    /// let wall = Primitive::from(Aabb::new([3.0, -2.0, -2.0], [4.0, 2.0, 2.0])?);
    /// let hit = wall.cast_shape(&ball, ()).expect("the wall is in the way");
    /// assert_eq!((hit.t, hit.normal), (0.25, Vec3::NEG_X));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
        let prepared = PreparedCast::new(cast, sides.into());
        let hit = prepared.first_primitive(self)?;
        Some(prepared.primitive_answer(self, hit))
    }

    /// Whether a moving shape hits this solid or overlaps it at the start; see
    /// [`Primitive::cast_shape`].
    #[must_use]
    pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
        let prepared = PreparedCast::new(cast, sides.into());
        prepared.first_primitive(self).is_some()
    }
}

/// The same for each kind of primitive.
macro_rules! casts_at_primitives {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// The first hit of a moving shape with this solid, or `None`; see
            /// [`Primitive::cast_shape`].
            #[must_use]
            pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
                Primitive::from(self.clone()).cast_shape(cast, sides)
            }

            /// Whether a moving shape hits this solid; see [`Primitive::cast_shape_any`].
            #[must_use]
            pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
                Primitive::from(self.clone()).cast_shape_any(cast, sides)
            }
        }
    )*};
}

casts_at_primitives!(Sphere, Aabb, Obb, Capsule, Cylinder, ConvexHull);

impl Triangle {
    /// The first hit of a moving shape with this triangle, or `None`; see [`Primitive::cast_shape`].
    ///
    /// The triangle is a surface: it is hit from the sides that `sides` admits, where the front is the
    /// side that the motion goes against, and has no inside. One without area is never hit.
    ///
    /// ```
    /// use hitscan::{Aabb, ShapeCast, Triangle};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let ramp = Triangle::new([3.0, 0.0, -1.0], [3.0, 0.0, 3.0], [7.0, 4.0, -1.0])?;
    /// let slide = ShapeCast::new(unit, [4.0, 0.0, 0.0])?;
    /// let hit = ramp.cast_shape(&slide, ()).expect("the ramp is in the way");
    /// assert_eq!((hit.t, hit.normal.x < 0.0), (0.5, true));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
        let prepared = PreparedCast::new(cast, sides.into());
        let (triangle, encounter) = self.meet(&prepared)?;
        let resting = prepared.resting(&triangle.convex());
        Some(
            prepared.triangle_answer(&triangle, &encounter, || match start_state(&resting) {
                StartState::Overlap {
                    separation,
                    way_out,
                } => Some((separation, way_out)),
                _ => None,
            }),
        )
    }

    /// Whether a moving shape hits this triangle; see [`Triangle::cast_shape`].
    #[must_use]
    pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
        let prepared = PreparedCast::new(cast, sides.into());
        self.meet(&prepared).is_some()
    }

    fn meet(&self, prepared: &PreparedCast) -> Option<(SourceTriangle, Encounter)> {
        if prepared.is_empty {
            return None;
        }
        let triangle = SourceTriangle::from(self.wide());
        let is_admitted = prepared.admits_all() || prepared.admits(triangle.side(prepared.motion));
        let encounter = prepared.meet_triangle(&triangle, 1.0)?;
        is_admitted.then_some((triangle, encounter))
    }
}

impl PreparedCast<'_> {
    /// The whole answer for a triangle. `deepest` gives separation and way out of the object's contact
    /// at the start, and is called only where the shape overlaps the triangle there.
    pub(crate) fn triangle_answer(
        &self,
        triangle: &SourceTriangle,
        encounter: &Encounter,
        deepest: impl FnOnce() -> Option<(f32, Vec3)>,
    ) -> ShapeHit {
        let convex = triangle.convex();
        let (t, normal) = match encounter {
            Encounter::Overlap => (0.0, Vec3::ZERO),
            Encounter::Contact(contact) => (contact.t(), contact.normal()),
        };
        let overlap = || {
            let (separation, way_out) = deepest().unwrap_or_else(|| {
                let resting = self.resting(&convex);
                (resting.separation(), resting.normal())
            });
            StartState::Overlap {
                separation,
                way_out,
            }
        };
        let start = match encounter {
            Encounter::Overlap | Encounter::Contact(CastContact::Stuck(_)) => overlap(),
            // The least number above 0 that f32 holds is not the least time.
            Encounter::Contact(_) if t > 0.0 => StartState::Separate,
            Encounter::Contact(contact) if contact.floor() > 0.0 => StartState::Separate,
            Encounter::Contact(_) => start_state(&self.resting(&convex)),
        };
        ShapeHit {
            t,
            normal,
            point: self.shared_point(&convex, encounter),
            start,
            side: (self.motion != glam::DVec3::ZERO).then(|| triangle.side(self.motion)),
            object: None,
            user_data: 0,
            triangle: Some(triangle.id),
        }
    }
}
