//! The contacts of a resting shape with the whole world.

use super::part_contacts::{with_compound, with_surface};
use super::surface_pieces::Near;
use crate::ObjectId;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{Contact, ContactStatus, ContactsPer, Primitive};
use core::ops::ControlFlow;

impl Snapshot {
    /// What a resting shape overlaps, touches or is within `margin` of, metres, of what `filter`
    /// accepts: one contact an object ([`ContactsPer::Object`]), or one for each triangle and primitive
    /// ([`ContactsPer::Triangle`]), in order of object, part and triangle. A negative margin counts as 0.
    /// The objects of a surface ([`World::set_surface`](crate::World::set_surface)) are one object: with
    /// [`ContactsPer::Object`] they have one contact, in the place of the lowest that `filter` accepts.
    ///
    /// An object's contact is that of smallest separation and clears one of its triangles; it is not the
    /// shortest way out of a whole mesh, which is not convex. To leave it, move, and query again.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, ContactsPer, World, glam::Vec3};
    /// let mut world = World::new();
    /// let floor = world.add(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?);
    /// world.update();
    /// let guard = Capsule::new([0.0, 0.625, 0.0], [0.0, 1.5, 0.0], 0.5)?;
    /// let contacts = world.now().contacts(guard, 0.25, ContactsPer::Object, ());
    /// assert_eq!((contacts[0].object, contacts[0].separation), (Some(floor), 0.125));
    /// assert_eq!(contacts[0].normal, Vec3::Y);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn contacts<'f>(
        &self,
        shape: impl Into<Primitive>,
        margin: f32,
        each: ContactsPer,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Contact> {
        self.contacts_of(&shape.into(), margin, each, filter.into())
    }

    /// Whether a resting shape overlaps anything that `filter` accepts, exactly: what it only touches
    /// it does not overlap.
    #[must_use]
    pub fn overlaps_shape<'f>(
        &self,
        shape: impl Into<Primitive>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> bool {
        self.overlaps_any(&shape.into(), filter.into())
    }

    pub(super) fn contacts_of(
        &self,
        shape: &Primitive,
        margin: f32,
        each: ContactsPer,
        filter: QueryFilter<'_>,
    ) -> Vec<Contact> {
        let query = ContactQuery::new(shape, margin);
        let mut contacts = Vec::new();
        let mut searched = Vec::new();
        let _ = self.tree().touching(query.reach(), |slot| {
            filter.step()?;
            self.with_object(slot, &filter, |object| {
                if let Some(surface) = self.surface_of(object.id) {
                    if !searched.contains(&surface) {
                        searched.push(surface);
                        let near = Near::Box(query.reach());
                        let pieces = self.surface_pieces(surface, near, &filter);
                        let found = with_surface(&query, &pieces, each, &filter);
                        contacts.extend(found.into_iter().map(|contact| pieces.named(contact)));
                    }
                    return;
                }
                let found = with_object(&query, object, each, &filter).into_iter();
                contacts.extend(found.map(|contact| Contact {
                    object: Some(object.id),
                    user_data: object.user_data,
                    ..contact
                }));
            });
            ControlFlow::Continue(())
        });
        // Stable: those of one object stay in order.
        let place = |object| match each {
            ContactsPer::Object => self.place_of(object, filter),
            ContactsPer::Triangle => object,
        };
        sort_by_rank(&mut contacts, |contact| {
            let place = contact.object.map(place);
            let [key, number] = place.map_or([0; 2], ObjectId::rank);
            [key, number, 0]
        });
        contacts
    }

    pub(super) fn overlaps_any(&self, shape: &Primitive, filter: QueryFilter<'_>) -> bool {
        let query = ContactQuery::new(shape, 0.0);
        let found = self.tree().touching(query.reach(), |slot| {
            filter.step()?;
            let overlaps =
                self.with_object(slot, &filter, |object| overlaps(&query, object, &filter));
            if overlaps == Some(true) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }
}

fn with_object(
    query: &ContactQuery,
    object: &Object,
    each: ContactsPer,
    filter: &QueryFilter<'_>,
) -> Vec<Contact> {
    let with = |source: &dyn TriangleSource| query.with_triangles(source, each);
    match &object.shape {
        Shape::HeightField(field) => filter.with_source(&**field, with),
        Shape::Instance(instance) => filter.with_source(&instance.parts(), with),
        Shape::Primitive(primitive) => {
            let contact = query.with_primitive(&primitive.get());
            contact.into_iter().collect()
        }
        Shape::Compound(compound) => with_compound(query, compound, (object.id, filter), each),
    }
}

fn overlaps(query: &ContactQuery, object: &Object, filter: &QueryFilter<'_>) -> bool {
    let overlaps = |source: &dyn TriangleSource| query.overlaps(source);
    match &object.shape {
        Shape::HeightField(field) => filter.with_source(&**field, overlaps),
        Shape::Instance(instance) => filter.with_source(&instance.parts(), overlaps),
        Shape::Primitive(primitive) => query
            .with_primitive(&primitive.get())
            .is_some_and(|contact| contact.status == ContactStatus::Overlap),
        Shape::Compound(compound) => {
            if let Some(meshes) = compound.meshes()
                && filter.with_source(&meshes.parts(), overlaps)
            {
                return true;
            }
            let parts = compound.seen(object.id, filter);
            let found = parts.touching(query.reach(), |_, solid| match query.resting_on(solid) {
                Some(contact) if contact.status().is_lt() => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            });
            found.is_break()
        }
    }
}
