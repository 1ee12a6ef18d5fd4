//! Query filters: which entities a query considers, and which of their sides.

use bevy_ecs::prelude::*;
use bevy_picking::mesh_picking::ray_cast::RayCastVisibility;
use core::fmt;
use hitscan::Sides;
use smallvec::SmallVec;

/// A predicate over entities.
type Predicate<'a> = &'a (dyn Fn(Entity) -> bool + Sync);

/// Which entities a query considers, which sides of their surfaces, and how far it reaches. It ignores the
/// others: a ray passes through them.
///
/// By default these are the entities that are [`Visible`](RayCastVisibility::Visible) in the hierarchy, in any layer,
/// hit as they are drawn.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_hitscan::prelude::*;
/// use bevy_math::{Dir3, Vec3};
/// use bevy_shape::Ray3d;
/// fn shoot(hitscan: Hitscan, shooters: Query<(Entity, &Muzzle)>) {
///     for (shooter, muzzle) in &shooters {
///         // Through the shooter, and all that hangs on him.
///         let filter = HitscanFilter::new().excluding_tree(shooter).max_distance(300.0);
///         if let Some(hit) = hitscan.cast_ray(Ray3d::new(muzzle.0, Dir3::NEG_Z), &filter) {
///             println!("{} is hit {} m away", hit.entity, hit.distance);
///         }
///     }
/// }
/// #[derive(Component)]
/// struct Muzzle(Vec3);
/// # bevy_ecs::system::assert_is_system(shoot);
/// ```
#[derive(Clone)]
#[must_use]
pub struct HitscanFilter<'a> {
    pub(crate) layers: u32,
    pub(crate) sides: Option<Sides>,
    pub(crate) visibility: RayCastVisibility,
    pub(crate) max_distance: f32,
    pub(crate) excluded: SmallVec<[Entity; 2]>,
    pub(crate) excluded_trees: SmallVec<[Entity; 2]>,
    pub(crate) predicate: Option<Predicate<'a>>,
}

impl HitscanFilter<'static> {
    /// The default.
    pub fn new() -> Self {
        Self {
            layers: u32::MAX,
            sides: None,
            visibility: RayCastVisibility::Visible,
            max_distance: f32::INFINITY,
            excluded: SmallVec::new(),
            excluded_trees: SmallVec::new(),
            predicate: None,
        }
    }
}

impl<'a> HitscanFilter<'a> {
    /// Only entities that are in one of these [layers](crate::HitscanLayers), a bit each.
    pub fn layers(mut self, layers: u32) -> Self {
        self.layers = layers;
        self
    }

    /// Only these sides of surfaces, whatever the entities say. Without it rays hit the front of meshes, both sides
    /// where an entity has [`RayCastBackfaces`](bevy_picking::mesh_picking::ray_cast::RayCastBackfaces), and
    /// colliders and terrain from every side; other queries regard both sides of everything.
    pub fn sides(mut self, sides: Sides) -> Self {
        self.sides = Some(sides);
        self
    }

    /// Only entities that are visible like this. Entities without Bevy's components of visibility are visible.
    pub fn visibility(mut self, visibility: RayCastVisibility) -> Self {
        self.visibility = visibility;
        self
    }

    /// Rays end after so many metres, that distance included.
    pub fn max_distance(mut self, metres: f32) -> Self {
        self.max_distance = metres;
        self
    }

    /// Without this entity; may be said of several.
    pub fn excluding(mut self, entity: Entity) -> Self {
        self.excluded.push(entity);
        self
    }

    /// Without this entity and all that is below it in the hierarchy; may be said of several.
    pub fn excluding_tree(mut self, root: Entity) -> Self {
        self.excluded_trees.push(root);
        self
    }

    /// Only entities for which `predicate` is true. It is called for entities that the query comes near, in no
    /// promised order and perhaps more than once, on any thread.
    pub fn predicate<'b>(self, predicate: Predicate<'b>) -> HitscanFilter<'b>
    where
        'a: 'b,
    {
        HitscanFilter {
            predicate: Some(predicate),
            ..self
        }
    }
}

impl Default for HitscanFilter<'static> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for HitscanFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HitscanFilter")
            .field("layers", &self.layers)
            .field("sides", &self.sides)
            .field("max_distance", &self.max_distance)
            .field("excluded", &self.excluded)
            .field("excluded_trees", &self.excluded_trees)
            .field("has_predicate", &self.predicate.is_some())
            .finish_non_exhaustive()
    }
}
