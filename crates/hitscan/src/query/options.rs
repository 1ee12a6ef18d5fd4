//! Query options: the sides of surfaces that count, and the objects that are considered.

use super::filter::QueryFilter;
use crate::{RayCastSettings, RayStart, Sides};

/// What counts as a hit of a cast at a [`Snapshot`](crate::Snapshot), and which objects are considered.
///
/// A query takes `impl Into<QueryOptions>`, so that a call states only what is special about it:
///
/// | argument | meaning |
/// |---|---|
/// | `()` | every surface of every object |
/// | [`Sides`], [`RayStart`] or [`RayCastSettings`] | such surfaces of every object |
/// | [`QueryFilter`] | every surface of such objects |
/// | `(sides, filter)` | such surfaces of such objects |
///
/// Casts of shapes take `QueryOptions<'_, Sides>`: how they start is in the
/// [`ShapeCast`](crate::ShapeCast). Queries without sides take `impl Into<QueryFilter>`, and `()` there too.
///
/// ```
/// use hitscan::{Aabb, QueryFilter, Ray, RayStart, Sides, World};
/// let mut world = World::new();
/// let room = world.add(Aabb::new([-4.0; 3], [4.0; 3])?);
/// let crate_box = world.add(Aabb::new([2.0, -1.0, -1.0], [3.0, 1.0, 1.0])?);
/// world.update();
/// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
/// let hit = |hit: Option<hitscan::RayHit>| hit.map(|hit| (hit.object, hit.t));
/// let now = world.now();
/// assert_eq!(hit(now.cast_ray(&ray, ())), Some((Some(room), 0.0)));
/// assert_eq!(hit(now.cast_ray(&ray, Sides::Front)), Some((Some(crate_box), 2.0)));
/// let not_crate = QueryFilter::new().exclude_one(crate_box);
/// assert_eq!(hit(now.cast_ray(&ray, (RayStart::Hollow, not_crate))), Some((Some(room), 4.0)));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct QueryOptions<'a, S = RayCastSettings> {
    /// What counts as a hit.
    pub settings: S,
    /// Which objects are considered.
    pub filter: QueryFilter<'a>,
}

impl<S: Default> From<()> for QueryOptions<'_, S> {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl<'a, S: Default> From<QueryFilter<'a>> for QueryOptions<'a, S> {
    fn from(filter: QueryFilter<'a>) -> Self {
        Self {
            filter,
            ..Self::default()
        }
    }
}

impl<'a, T: Into<S>, S> From<(T, QueryFilter<'a>)> for QueryOptions<'a, S> {
    fn from((settings, filter): (T, QueryFilter<'a>)) -> Self {
        let settings = settings.into();
        Self { settings, filter }
    }
}

impl From<RayCastSettings> for QueryOptions<'_> {
    fn from(settings: RayCastSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }
}

impl From<RayStart> for QueryOptions<'_> {
    fn from(start: RayStart) -> Self {
        RayCastSettings::from(start).into()
    }
}

impl From<Sides> for QueryOptions<'_> {
    fn from(sides: Sides) -> Self {
        RayCastSettings::from(sides).into()
    }
}

impl From<Sides> for QueryOptions<'_, Sides> {
    fn from(settings: Sides) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }
}

impl From<()> for QueryFilter<'_> {
    fn from((): ()) -> Self {
        QueryFilter::new()
    }
}
