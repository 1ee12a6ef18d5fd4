//! Turning casts at a single solid or triangle.

use super::cast::TurningCast;
use super::hit::TurningHit;
use super::search::{Piece, PreparedTurning};
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::convex::Convex;
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Sides, Sphere, Triangle};

impl Primitive {
    /// What a turning shape comes to first of this solid, or `None`: then nothing of it is overlapped at any
    /// time.
    ///
    /// A solid that is touched at the start is hit there if a point of contact moves in, against every direction
    /// that separates the two, and let go if all move out. One that the shape only slides along, across
    /// the axis, is not hit at all. A pass closer than the tolerance may be a hit or none.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, Primitive, ShapeCast};
    /// let sword = Capsule::new([0.2, 1.0, 0.0], [1.2, 1.0, 0.0], 0.02)?;
    /// let stroke = ShapeCast::new(sword, [0.0; 3])?
    ///     .turning([0.0, 1.0, 0.0], 2.0)?
    ///     .about([0.0, 1.0, 0.0])?;
    /// let post = Primitive::from(Aabb::new([-0.05, 0.0, -1.05], [0.05, 2.0, -0.95])?);
    /// let hit = post.cast_turning(&stroke).expect("the post is in the way");
    /// assert!(hit.t > 0.7 && hit.t < 0.8 && hit.normal.x > 0.9);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_turning(&self, cast: &TurningCast) -> Option<TurningHit> {
        if cast.angle() == 0.0 {
            let hit = self.cast_shape(cast.cast(), Sides::Both)?;
            return Some(TurningHit::of_plain(hit));
        }
        let piece = Piece {
            id: None,
            convex: Convex::from(self),
        };
        single(cast, piece)
    }
}

/// The same for each kind of primitive.
macro_rules! turning_casts_at_primitives {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// What a turning shape comes to first of this solid, or `None`; see
            /// [`Primitive::cast_turning`].
            #[must_use]
            pub fn cast_turning(&self, cast: &TurningCast) -> Option<TurningHit> {
                Primitive::from(self.clone()).cast_turning(cast)
            }
        }
    )*};
}

turning_casts_at_primitives!(Sphere, Aabb, Obb, Capsule, ConvexHull, Cylinder);

impl Triangle {
    /// What a turning shape comes to first of this triangle, from either side, or `None`; see
    /// [`Primitive::cast_turning`]. A triangle without area is never hit.
    #[must_use]
    pub fn cast_turning(&self, cast: &TurningCast) -> Option<TurningHit> {
        if cast.angle() == 0.0 {
            let hit = self.cast_shape(cast.cast(), Sides::Both)?;
            return Some(TurningHit::of_plain(hit));
        }
        let triangle = SourceTriangle::from(self.wide());
        let piece = Piece {
            id: Some(triangle.id),
            convex: triangle.convex(),
        };
        single(cast, piece)
    }
}

fn single(cast: &TurningCast, piece: Piece<'_>) -> Option<TurningHit> {
    if cast.cast().is_empty() {
        return None;
    }
    let found = PreparedTurning::new(cast).first_single(piece, 1.0)?;
    Some(found.hit())
}
