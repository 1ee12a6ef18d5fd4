//! What a query sees of a world: which sides, which layers, which objects.

use crate::Sides;
use crate::world::ObjectId;
use crate::world::object::Object;
use core::fmt;

/// A predicate over objects.
type Predicate<'a> = &'a (dyn Fn(ObjectId) -> bool + Sync);

/// Which objects, and which of their sides, a query sees. What it does not see is not there: a ray
/// passes through.
///
/// ```
/// use hitscan::{Aabb, QueryFilter, Ray, Sides, World};
/// let mut world = World::new();
/// let shooter = world.add_aabb(Aabb::new([0.0; 3], [1.0; 3])?);
/// let glass = world.add_aabb(Aabb::new([0.0, 0.0, 3.0], [1.0, 1.0, 4.0])?);
/// let wall = world.add_aabb(Aabb::new([0.0, 0.0, 8.0], [1.0, 1.0, 9.0])?);
/// world.set_layers(glass, 0b10)?;
/// world.update();
/// let shot = Ray::new([0.5; 3], [0.0, 0.0, 1.0])?;
/// let object = |filter: QueryFilter| world.cast_ray(&shot, filter).map(|hit| hit.object);
/// assert_eq!(object(Sides::Both.into()), Some(shooter));
/// let own = [shooter];
/// assert_eq!(object(QueryFilter::new().ignoring(&own)), Some(glass));
/// assert_eq!(object(QueryFilter::new().ignoring(&own).in_layers(0b01)), Some(wall));
/// assert_eq!(object(QueryFilter::new().admitting(&|id| id == wall)), Some(wall));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    sides: Sides,
    layers: u32,
    ignored: &'a [ObjectId],
    admits: Option<Predicate<'a>>,
}

impl QueryFilter<'static> {
    /// A filter that lets everything pass: both sides of all objects in any layer.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sides: Sides::Both,
            layers: u32::MAX,
            ignored: &[],
            admits: None,
        }
    }
}

impl<'a> QueryFilter<'a> {
    /// Only hits from these sides.
    #[must_use]
    pub const fn from_sides(mut self, sides: Sides) -> Self {
        self.sides = sides;
        self
    }

    /// Only objects that are in at least one of these layers, a bit each. An object is in the first
    /// layer, bit 0, unless [`World::set_layers`](crate::world::World::set_layers) said otherwise; one in no
    /// layer is seen by no query.
    #[must_use]
    pub const fn in_layers(mut self, mask: u32) -> Self {
        self.layers = mask;
        self
    }

    /// Without these objects; the shooter's own body, say. Looked through one by one: for many,
    /// layers or [`QueryFilter::admitting`] are faster.
    #[must_use]
    pub const fn ignoring(mut self, objects: &'a [ObjectId]) -> Self {
        self.ignored = objects;
        self
    }

    /// Only objects of which `predicate` is true. It is asked of objects that the query comes near,
    /// in no promised order and perhaps more than once, and should always answer the same.
    #[must_use]
    pub const fn admitting(mut self, predicate: Predicate<'a>) -> Self {
        self.admits = Some(predicate);
        self
    }

    pub(in crate::world) fn sides(&self) -> Sides {
        self.sides
    }

    /// Whether the query sees the object.
    pub(in crate::world) fn sees(&self, object: &Object) -> bool {
        object.layers & self.layers != 0
            && !self.ignored.contains(&object.id)
            && self.admits.is_none_or(|admits| admits(object.id))
    }
}

impl Default for QueryFilter<'static> {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Sides> for QueryFilter<'static> {
    fn from(sides: Sides) -> Self {
        Self::new().from_sides(sides)
    }
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryFilter")
            .field("sides", &self.sides)
            .field("layers", &self.layers)
            .field("ignored", &self.ignored)
            .field("admits", &self.admits.map(|_| "a predicate"))
            .finish()
    }
}
