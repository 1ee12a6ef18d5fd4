//! Broad-phase queries: pairs of objects whose bounding boxes touch, and objects whose boxes touch a
//! region.
//!
//! `overlaps.rs` decides how their shapes overlap.

use crate::Aabb;
use crate::ObjectId;
use crate::broad_phase::touching_pairs_with;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::Object;
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// Two objects whose boxes share a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AabbPair {
    /// The lower object.
    pub a: ObjectId,
    /// The higher object.
    pub b: ObjectId,
    /// The box that both boxes share, flat where they only touch.
    pub intersection: Aabb,
}

impl Snapshot {
    /// All pairs of objects that `filter` accepts and whose boxes touch or overlap, in order of the
    /// lower, then the higher.
    #[must_use]
    pub fn broad_phase_pairs<'f>(&self, filter: impl Into<QueryFilter<'f>>) -> Vec<AabbPair> {
        self.touching_pairs(filter.into())
    }

    /// Calls `visit` with each element of [`Snapshot::broad_phase_pairs`], in order, without a list of them,
    /// until it breaks or the filter's limit on work is reached; returns whether it did.
    ///
    /// ```
    /// use hitscan::{Aabb, World};
    /// use std::ops::ControlFlow;
    /// let mut world = World::new();
    /// let first = world.add(Aabb::new([0.0; 3], [1.0; 3])?);
    /// for _ in 0..9 {
    ///     world.add(Aabb::new([0.0; 3], [1.0; 3])?);
    /// }
    /// world.update();
    /// let mut pairs = Vec::new();
    /// let ended = world.now().visit_broad_phase_pairs((), |pair| {
    ///     pairs.push(pair);
    ///     match pairs.len() {
    ///         3 => ControlFlow::Break(()),
    ///         _ => ControlFlow::Continue(()),
    ///     }
    /// });
    /// assert!(ended.is_break() && pairs.iter().all(|pair| pair.a == first));
    /// assert_eq!(pairs, world.now().broad_phase_pairs(())[..3]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn visit_broad_phase_pairs<'f>(
        &self,
        filter: impl Into<QueryFilter<'f>>,
        mut visit: impl FnMut(AabbPair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_touching_pairs(&filter.into(), &mut visit)
    }

    fn visit_touching_pairs(
        &self,
        filter: &QueryFilter<'_>,
        visit: &mut dyn FnMut(AabbPair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut others: Vec<ObjectId> = Vec::new();
        for object in self.state().objects() {
            filter.step()?;
            if !filter.sees(object.id, object.layers) {
                continue;
            }
            let Some(bounds) = object.culling_bounds() else {
                continue;
            };
            others.clear();
            let corners = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            self.tree().touching(corners, |slot| {
                filter.step()?;
                let other = self.with_object(slot, filter, |other| other.id);
                others.extend(other.filter(|other| object.id < *other));
                ControlFlow::Continue(())
            })?;
            others.sort_unstable();
            for other in &others {
                let other = self.state().object(*other);
                if let Some(pair) = other.and_then(|other| pair_of(object, other)) {
                    visit(pair)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn touching_pairs(&self, filter: QueryFilter<'_>) -> Vec<AabbPair> {
        let objects: Vec<(&Object, Aabb)> = self
            .state()
            .objects()
            .into_iter()
            .filter(|object| filter.sees(object.id, object.layers))
            .filter_map(|object| Some((object, object.culling_bounds()?)))
            .collect();
        let bounds: Vec<Aabb> = objects.iter().map(|(_, bounds)| *bounds).collect();
        let pairs = touching_pairs_with(&bounds, self.tree().width()).into_iter();
        let object = |place: u32| objects[place as usize].0;
        pairs
            .filter_map(|[a, b]| pair_of(object(a), object(b)))
            .collect()
    }

    /// The objects that `filter` accepts and whose boxes touch or overlap `region`, in order.
    #[must_use]
    pub fn objects_in<'f>(
        &self,
        region: &Aabb,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<ObjectId> {
        self.touching_objects(region, filter.into())
    }

    fn touching_objects(&self, region: &Aabb, filter: QueryFilter<'_>) -> Vec<ObjectId> {
        let mut slots = SmallVec::<[u32; 64]>::new();
        let corners = (region.min().as_dvec3(), region.max().as_dvec3());
        // Objects lie far apart in memory: all are prefetched before the first is read.
        let _ = self.tree().touching(corners, |slot| {
            self.fetch(slot);
            slots.push(slot);
            ControlFlow::Continue(())
        });
        let mut found = Vec::with_capacity(slots.len());
        for slot in slots {
            let id = self.with_object(slot, &filter, |object| {
                let touches = object.bounds().is_some_and(|own| own.touches(region));
                touches.then_some(object.id)
            });
            found.extend(id.flatten());
        }
        found.sort_unstable();
        found
    }
}

/// Boxes that cull may be larger than the objects' own, which decide.
pub(super) fn pair_of(a: &Object, b: &Object) -> Option<AabbPair> {
    let intersection = a.bounds()?.intersection(&b.bounds()?)?;
    Some(AabbPair {
        a: a.id,
        b: b.id,
        intersection,
    })
}
