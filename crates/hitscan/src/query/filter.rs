//! Query filters: which objects a query considers.

use super::work_limit::WorkLimit;
use crate::ObjectId;
use crate::narrow_phase::closest_point::Allowance;
use core::fmt;
use core::ops::ControlFlow;

/// A predicate over objects.
type Predicate<'a> = &'a (dyn Fn(ObjectId) -> bool + Sync);

/// What keeps an object out of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilteredBy {
    /// It is in none of the layers.
    Layers,
    /// It is one of those that are excluded.
    Excluded,
    /// The predicate is false for it.
    Predicate,
}

impl FilteredBy {
    /// The name in explanations: `layers`, `ignored` or `predicate`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::Excluded => "ignored",
            Self::Predicate => "predicate",
        }
    }
}

/// Which objects a query considers. It ignores the others: a ray passes through them.
///
/// ```
/// use hitscan::{Aabb, QueryFilter, Ray, World};
/// let mut world = World::new();
/// let shooter = world.add(Aabb::new([0.0; 3], [1.0; 3])?);
/// let glass = world.add(Aabb::new([0.0, 0.0, 3.0], [1.0, 1.0, 4.0])?);
/// let wall = world.add(Aabb::new([0.0, 0.0, 8.0], [1.0, 1.0, 9.0])?);
/// world.set_layers(glass, 0b10)?;
/// world.update();
/// let shot = Ray::new([0.5; 3], [0.0, 0.0, 1.0])?;
/// let object = |filter: QueryFilter| world.now().cast_ray(&shot, filter)?.object;
/// assert_eq!(object(QueryFilter::new()), Some(shooter));
/// assert_eq!(object(QueryFilter::new().exclude_one(shooter)), Some(glass));
/// assert_eq!(object(QueryFilter::new().exclude_one(shooter).layers(0b01)), Some(wall));
/// assert_eq!(object(QueryFilter::new().exclude(&[shooter, glass])), Some(wall));
/// assert_eq!(object(QueryFilter::new().predicate(&|id| id == wall)), Some(wall));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    layers: u32,
    excluded: &'a [ObjectId],
    excluded_one: Option<ObjectId>,
    excluded_parts: &'a [(ObjectId, u32)],
    /// What moves itself, and is no obstacle.
    mover: Option<ObjectId>,
    predicate: Option<Predicate<'a>>,
    limit: Option<&'a WorkLimit<'a>>,
}

impl QueryFilter<'static> {
    /// A filter that accepts all objects that are in any layer.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            layers: u32::MAX,
            excluded: &[],
            excluded_one: None,
            excluded_parts: &[],
            mover: None,
            predicate: None,
            limit: None,
        }
    }
}

impl<'a> QueryFilter<'a> {
    /// Only objects that are in at least one of these layers, a bit each. An object is in the first
    /// layer, bit 0, unless [`World::set_layers`](crate::World::set_layers) put it into others; one in
    /// no layer is seen by no query.
    #[must_use]
    pub const fn layers(mut self, mask: u32) -> Self {
        self.layers = mask;
        self
    }

    /// Without these objects; the shooter's own body, say. The list is searched from front to back:
    /// for many objects, layers or [`QueryFilter::predicate`] are faster.
    #[must_use]
    pub const fn exclude(mut self, objects: &'a [ObjectId]) -> Self {
        self.excluded = objects;
        self
    }

    /// Without this object, beside those of [`QueryFilter::exclude`]; of two calls the last counts.
    #[must_use]
    pub const fn exclude_one(mut self, object: ObjectId) -> Self {
        self.excluded_one = Some(object);
        self
    }

    /// Without these parts of compounds, by object and number; parts of other objects are not excluded. The
    /// list is searched from front to back.
    ///
    /// The boxes of objects, by which [`Snapshot::broad_phase_pairs`](crate::Snapshot::broad_phase_pairs),
    /// [`Snapshot::objects_in`](crate::Snapshot::objects_in) and [`Snapshot::impacts`](crate::Snapshot::impacts)
    /// answer, are those of all parts.
    #[must_use]
    pub const fn exclude_parts(mut self, parts: &'a [(ObjectId, u32)]) -> Self {
        self.excluded_parts = parts;
        self
    }

    /// Only objects for which `predicate` is true. It is called for objects that the query comes near,
    /// in no promised order and perhaps more than once, and should always answer the same.
    #[must_use]
    pub const fn predicate(mut self, predicate: Predicate<'a>) -> Self {
        self.predicate = Some(predicate);
        self
    }

    /// Ends the query where this limit is reached, in those queries that [`WorkLimit`] names.
    #[must_use]
    pub const fn work_limit(mut self, limit: &'a WorkLimit<'a>) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Without the object that moves, whatever else is excluded.
    pub(crate) const fn without_mover(mut self, object: ObjectId) -> Self {
        self.mover = Some(object);
        self
    }

    /// The limit that [`QueryFilter::work_limit`] set.
    #[must_use]
    pub const fn limit(&self) -> Option<&'a WorkLimit<'a>> {
        self.limit
    }

    /// The limit as searches for the closest triangle know it.
    pub(crate) fn allowance(&self) -> Option<&'a dyn Allowance> {
        self.limit.map(|limit| limit as &dyn Allowance)
    }

    /// Takes a step of the limit, if there is one; breaks where it is reached.
    #[inline]
    pub(crate) fn step(&self) -> ControlFlow<()> {
        self.limit
            .map_or(ControlFlow::Continue(()), WorkLimit::step)
    }

    /// Whether the filter accepts an object that is in `layers`.
    #[inline]
    pub(crate) fn sees(&self, object: ObjectId, layers: u32) -> bool {
        layers & self.layers != 0
            && !self.excludes(object)
            && self.predicate.is_none_or(|predicate| predicate(object))
    }

    /// Whether a part of a compound is none of those of [`QueryFilter::exclude_parts`].
    #[must_use]
    #[inline]
    pub fn sees_part(&self, object: ObjectId, part: u32) -> bool {
        !self.excluded_parts.contains(&(object, part))
    }

    #[inline]
    fn excludes(&self, object: ObjectId) -> bool {
        self.excluded_one == Some(object)
            || self.mover == Some(object)
            || self.excluded.contains(&object)
    }

    /// What keeps out an object that is in `layers`: the first reason in the order of the enum.
    pub(crate) fn filtered_by(&self, object: ObjectId, layers: u32) -> Option<FilteredBy> {
        if layers & self.layers == 0 {
            return Some(FilteredBy::Layers);
        }
        if self.excludes(object) {
            return Some(FilteredBy::Excluded);
        }
        let is_refused = self.predicate.is_some_and(|predicate| !predicate(object));
        is_refused.then_some(FilteredBy::Predicate)
    }
}

impl Default for QueryFilter<'static> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryFilter")
            .field("layers", &self.layers)
            .field("excluded", &self.excluded)
            .field("excluded_one", &self.excluded_one)
            .field("excluded_parts", &self.excluded_parts)
            .field("mover", &self.mover)
            .field("has_predicate", &self.predicate.is_some())
            .field("limit", &self.limit)
            .finish()
    }
}
