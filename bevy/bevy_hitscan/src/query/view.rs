//! A snapshot as entities see it: what a query considers, and in how many casts.

use crate::{HitscanFilter, HitscanWorld};
use bevy_asset::Assets;
use bevy_camera::visibility::{InheritedVisibility, ViewVisibility};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_mesh::Mesh;
use bevy_picking::mesh_picking::ray_cast::RayCastVisibility;
use hitscan::{ObjectId, QueryFilter, Sides, Snapshot};

/// What is read of entities at the time of a query.
#[derive(SystemParam)]
pub(crate) struct Lookups<'w, 's> {
    visibility: Query<
        'w,
        's,
        (
            Option<&'static InheritedVisibility>,
            Option<&'static ViewVisibility>,
        ),
    >,
    parents: Query<'w, 's, &'static ChildOf>,
    pub(super) meshes: Option<Res<'w, Assets<Mesh>>>,
}

/// A snapshot, and the entities that its objects are.
pub(crate) struct View<'a, 'w, 's> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) world: &'a HitscanWorld,
    pub(super) lookups: &'a Lookups<'w, 's>,
    /// Whether it is an earlier time, whose visibility nobody remembers.
    pub(super) is_past: bool,
}

/// The entities that one cast considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// All.
    All,
    /// Those that rays hit from the front only.
    OneSided,
    /// Those that rays hit from all sides.
    OtherSided,
}

impl View<'_, '_, '_> {
    /// The casts whose nearest hit is that of a ray, and the sides that count in each.
    pub(super) fn casts(&self, sides: Option<Sides>) -> &'static [(Group, Sides)] {
        const ONE: [&[(Group, Sides)]; 3] = [
            &[(Group::All, Sides::Both)],
            &[(Group::All, Sides::Front)],
            &[(Group::All, Sides::Back)],
        ];
        let one_sided_count = self.world.one_sided_count;
        match sides {
            Some(Sides::Both) => ONE[0],
            Some(Sides::Front) => ONE[1],
            Some(Sides::Back) => ONE[2],
            // Those that have left since may be of either kind.
            None if self.is_past && !self.world.departed.is_empty() => &[
                (Group::OneSided, Sides::Front),
                (Group::OtherSided, Sides::Both),
            ],
            None if one_sided_count == 0 => ONE[0],
            None if one_sided_count == self.world.entity_count() => ONE[1],
            None => &[
                (Group::OneSided, Sides::Front),
                (Group::OtherSided, Sides::Both),
            ],
        }
    }

    /// What `ask` answers by the library's filter for this one.
    pub(super) fn ask<R>(
        &self,
        filter: &HitscanFilter<'_>,
        group: Group,
        ask: impl FnOnce(QueryFilter<'_>) -> R,
    ) -> R {
        let is_seen = |object: ObjectId| {
            let data = self.snapshot.user_data(object);
            let entity = data.and_then(Entity::try_from_bits);
            entity.is_some_and(|entity| self.is_seen(entity, filter, group))
        };
        let everything = QueryFilter::new().layers(filter.layers);
        let asks_visibility = !self.is_past && !matches!(filter.visibility, RayCastVisibility::Any);
        let is_plain = !asks_visibility
            && group == Group::All
            && filter.excluded.is_empty()
            && filter.excluded_trees.is_empty()
            && filter.predicate.is_none();
        if is_plain {
            ask(everything)
        } else {
            ask(everything.predicate(&is_seen))
        }
    }

    /// Whether rays hit an entity from the front only.
    pub(super) fn is_one_sided(&self, entity: Entity) -> bool {
        match self.world.tracked.get(&entity) {
            Some(tracked) => tracked.is_one_sided,
            None => {
                let departed = self.world.departed.get(&entity);
                departed.is_some_and(|departed| departed.is_one_sided)
            }
        }
    }

    fn is_seen(&self, entity: Entity, filter: &HitscanFilter<'_>, group: Group) -> bool {
        let is_of_group = match group {
            Group::All => true,
            Group::OneSided => self.is_one_sided(entity),
            Group::OtherSided => !self.is_one_sided(entity),
        };
        is_of_group
            && !filter.excluded.contains(&entity)
            && (self.is_past || self.is_visible(entity, filter.visibility))
            && !self.is_below(entity, &filter.excluded_trees)
            && filter.predicate.is_none_or(|predicate| predicate(entity))
    }

    fn is_visible(&self, entity: Entity, visibility: RayCastVisibility) -> bool {
        let Ok((inherited, in_view)) = self.lookups.visibility.get(entity) else {
            return true;
        };
        match visibility {
            RayCastVisibility::Any => true,
            RayCastVisibility::Visible => inherited.is_none_or(|inherited| inherited.get()),
            RayCastVisibility::VisibleInView => in_view.is_none_or(|in_view| in_view.get()),
        }
    }

    /// Whether an entity is one of these, or below one.
    fn is_below(&self, entity: Entity, roots: &[Entity]) -> bool {
        if roots.is_empty() {
            return false;
        }
        roots.contains(&entity)
            || (self.lookups.parents.iter_ancestors(entity)).any(|above| roots.contains(&above))
    }
}
