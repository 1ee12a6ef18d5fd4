//! Coherent rays against the world: a bundle that traverses the tree over the objects as one, and at each
//! object goes on with the rays that reach it, in packets and wavefronts.
//!
//! Each ray tests every object whose box it touches before its best hit, in whichever order, and ties are
//! settled by object, part and triangle: so each has the answer of a ray that is cast alone.

use super::collector::{ObjectCollector, QueryContext, limit_of};
use super::together::{BatchCaster, RayBatch};
use crate::bvh::{GiveUp, RayBundle, RaySet};
use crate::model::{PartTree, PlacedPart};
use crate::query::watch::Unwatched;
use crate::world::instance::Instance;
use crate::world::object::{Object, Shape};

/// A bundle of rays on its way through a world.
pub(crate) struct BundleCast<A: ObjectCollector> {
    bundle: RayBundle,
    state: BundleState<A>,
}

/// The hits that the rays have found, and buffers for tests of objects.
struct BundleState<A: ObjectCollector> {
    collectors: Vec<A>,
    /// The places of rays at one shape.
    places: Vec<u32>,
    caster: BatchCaster<A>,
}

impl<A: ObjectCollector> BundleCast<A> {
    pub(crate) fn new() -> Self {
        Self {
            bundle: RayBundle::new(),
            state: BundleState {
                collectors: Vec::new(),
                places: Vec::new(),
                caster: BatchCaster::new(),
            },
        }
    }

    /// Answers each of up to [`BUNDLE`](crate::bvh::BUNDLE) rays as if it were cast alone; `false` where
    /// their numbers are too far apart for that, or the objects too small and many before them.
    pub(crate) fn answer(&mut self, batch: &RayBatch<'_>, answers: &mut [A::Answer]) -> bool {
        let RayBatch { snapshot, rays, .. } = batch;
        if !self.bundle.init(snapshot.tree().width(), rays) {
            return false;
        }
        let state = &mut self.state;
        state.collectors.resize_with(rays.len(), A::new);
        state.collectors.iter_mut().for_each(A::restart);
        let (tree, bundle) = (snapshot.tree(), &mut self.bundle);
        let is_whole =
            tree.cast_bundle(bundle, GiveUp::WhenScattered, &mut |bundle, slot, rays| {
                if let Some(object) = snapshot.seen(slot, batch.filter) {
                    state.test_object(batch, &object, (bundle, rays));
                }
            });
        if is_whole {
            A::answer_all(&state.collectors, (snapshot, rays), answers);
        }
        is_whole
    }
}

impl<A: ObjectCollector> BundleState<A> {
    /// Tests an object with these rays for hits that still matter.
    fn test_object(
        &mut self,
        batch: &RayBatch<'_>,
        object: &Object,
        (bundle, rays): (&mut RayBundle, RaySet),
    ) {
        let id = object.id;
        match &object.shape {
            Shape::HeightField(field) => {
                self.list(rays);
                let rays = (&*self.places, &mut *self.collectors);
                self.caster.cast_at_field(batch, (id, field), rays);
                self.shorten(bundle);
            }
            Shape::Instance(instance) => {
                cast_at_parts(instance, (bundle, rays), &mut |bundle, part, rays| {
                    self.list(rays);
                    match part.mesh_for(self.places.len()) {
                        Some(mesh) => {
                            let rays = (&*self.places, &mut *self.collectors);
                            let part = (part, mesh);
                            self.caster.cast_at_part(batch, id, part, rays);
                        }
                        None => self.each(batch, |collector, context| {
                            collector.test_part(id, part, context, Unwatched);
                        }),
                    }
                    self.shorten(bundle);
                });
            }
            Shape::Primitive(solid) => {
                self.list(rays);
                self.each(batch, |collector, context| {
                    collector.test_solid(id, solid, context, Unwatched);
                });
                self.shorten(bundle);
            }
            Shape::Compound(compound) => {
                self.list(rays);
                self.each(batch, |collector, context| {
                    collector.test_compound(id, compound, context, Unwatched);
                });
                self.shorten(bundle);
            }
        }
    }

    /// Lists the places of those of the rays that still look for something.
    fn list(&mut self, mut rays: RaySet) {
        self.places.clear();
        while rays != 0 {
            let place = rays.trailing_zeros();
            rays &= rays - 1;
            if self.collectors[place as usize].t_max().is_some() {
                self.places.push(place);
            }
        }
    }

    /// Tests with each listed ray by itself.
    fn each(&mut self, batch: &RayBatch<'_>, test: impl Fn(&mut A, &QueryContext<'_>)) {
        for &place in &self.places {
            test(
                &mut self.collectors[place as usize],
                &batch.context(place as usize),
            );
        }
    }

    /// Ends the listed rays where they have hit.
    fn shorten(&self, bundle: &mut RayBundle) {
        for &place in &self.places {
            let limit = limit_of(&self.collectors[place as usize]);
            bundle.keep_before(place as usize, limit);
        }
    }
}

/// A visitor of parts, with the rays that may touch each.
type VisitParts<'a> = &'a mut dyn FnMut(&mut RayBundle, PlacedPart<'_>, RaySet);

/// Visits the parts that some of these rays may touch before their limits, with those rays.
fn cast_at_parts(
    instance: &Instance,
    (bundle, rays): (&mut RayBundle, RaySet),
    visit: VisitParts<'_>,
) {
    let placed = instance.parts();
    let Some(PartTree { tree, parts }) = placed.tree() else {
        for part in placed.all() {
            visit(bundle, part, rays);
        }
        return;
    };
    let visit = &mut |bundle: &mut RayBundle, item: u32, touching| {
        if let Some(part) = placed.part(parts[item as usize])
            && touching & rays != 0
        {
            visit(bundle, part, touching & rays);
        }
    };
    tree.cast_bundle(bundle, GiveUp::Never, visit);
}
