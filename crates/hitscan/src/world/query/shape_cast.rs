//! The shape cast against the whole world.
//!
//! The objects of a surface are searched together, once a query, when the tree comes to the first of them.

use super::part_casts::{FirstInCompound, first_in_compound, first_part, meets_a_part, standing};
use super::surface_casts::{first_on_surface, meets_surface};
use super::surface_pieces::Near;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::narrow_phase::shape_cast::primitive::PrimitiveHit;
use crate::narrow_phase::shape_cast::surface_search::FirstTriangle;
use crate::narrow_phase::shape_cast::{ShapeCast, ShapeHit};
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{ObjectId, Sides, SurfaceId, TriangleId};
use core::ops::ControlFlow;

impl Snapshot {
    /// The first hit of a moving shape with the objects and sides that `options` admit.
    ///
    /// An overlap at the start is a hit at t = 0. Of hits with the same t that of the object that was added
    /// first is returned; within one object an overlap goes before other hits at t = 0.
    ///
    /// A shape that slides over the triangles of one object is not caught at their inner edges
    /// ([`TriMesh::cast_shape`](crate::TriMesh::cast_shape)). Two objects are two surfaces: at the seam of two
    /// meshes laid side by side a shape may be caught, unless they are pieces of one surface
    /// ([`World::set_surface`](crate::World::set_surface)). The objects of a surface are one object here, in
    /// the place of the lowest of them that the filter accepts; the hit names the object that is hit. What
    /// the filter does not accept suppresses nothing.
    ///
    /// ```
    /// use hitscan::{Aabb, ShapeCast, Sphere, World};
    /// let mut world = World::new();
    /// let wall = world.add(Aabb::new([3.0, -2.0, -2.0], [4.0, 2.0, 2.0])?);
    /// world.update();
    /// let ball = ShapeCast::new(Sphere::new([0.0; 3], 1.0)?, [8.0, 0.0, 0.0])?;
    /// let hit = world.now().cast_shape(&ball, ()).expect("the wall is in the way");
    /// assert_eq!((hit.object, hit.t, hit.normal.x), (Some(wall), 0.25, -1.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape<'f>(
        &self,
        cast: &ShapeCast,
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Option<ShapeHit> {
        self.first_shape_hit(cast, options.into())
    }

    pub(super) fn first_shape_hit(
        &self,
        cast: &ShapeCast,
        QueryOptions { settings, filter }: QueryOptions<'_, Sides>,
    ) -> Option<ShapeHit> {
        let prepared = PreparedCast::new(cast, settings);
        let mut first: Option<Found> = None;
        let mut searched = Vec::new();
        let _ = self.tree().cast(&query_of(&prepared), 1.0, |slot| {
            self.with_object(slot, &filter, |object| {
                let found = match self.unsearched(object, &mut searched) {
                    Target::Object => Limit::before(first.as_ref(), object.id)
                        .and_then(|limit| find(&prepared, (slot, object), limit, &filter)),
                    Target::Surface(surface) => {
                        let place = self.place_of(object.id, filter);
                        Limit::before(first.as_ref(), place).and_then(|limit| {
                            self.find_on_surface(&prepared, (surface, place), limit, &filter)
                        })
                    }
                    Target::Searched => None,
                };
                if let Some(found) = found {
                    first = Some(found);
                }
            });
            filter.step()?;
            ControlFlow::Continue(first.as_ref().map_or(1.0, |found| found.t))
        });
        self.shape_hit(&prepared, first?, &filter)
    }

    /// Whether a moving shape hits anything that `options` admit, or overlaps it at the start.
    #[must_use]
    pub fn cast_shape_any<'f>(
        &self,
        cast: &ShapeCast,
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> bool {
        self.is_shape_hit(cast, options.into())
    }

    pub(super) fn is_shape_hit(
        &self,
        cast: &ShapeCast,
        QueryOptions { settings, filter }: QueryOptions<'_, Sides>,
    ) -> bool {
        let prepared = PreparedCast::new(cast, settings);
        let mut searched = Vec::new();
        let found = self.tree().cast(&query_of(&prepared), 1.0, |slot| {
            let is_hit = self.with_object(slot, &filter, |object| {
                match self.unsearched(object, &mut searched) {
                    Target::Object => meets(&prepared, object, &filter),
                    Target::Surface(surface) => {
                        let near = Near::Cast(&query_of(&prepared));
                        let pieces = self.surface_pieces(surface, near, &filter);
                        meets_surface(&prepared, &query_of(&prepared), &pieces, &filter)
                    }
                    Target::Searched => false,
                }
            });
            filter.step()?;
            if is_hit == Some(true) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(1.0)
            }
        });
        found.is_break()
    }

    /// The first hit of a moving shape with each object that `options` admit, in order of t, then of
    /// the objects. It does not stop at any of them. The objects of a surface have one first hit.
    #[must_use]
    pub fn cast_shape_all<'f>(
        &self,
        cast: &ShapeCast,
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<ShapeHit> {
        self.shape_hits(cast, options.into())
    }

    pub(super) fn shape_hits(
        &self,
        cast: &ShapeCast,
        QueryOptions { settings, filter }: QueryOptions<'_, Sides>,
    ) -> Vec<ShapeHit> {
        let prepared = PreparedCast::new(cast, settings);
        let mut found = Vec::new();
        let mut searched = Vec::new();
        let _ = self.tree().cast(&query_of(&prepared), 1.0, |slot| {
            self.with_object(slot, &filter, |object| {
                found.extend(match self.unsearched(object, &mut searched) {
                    Target::Object => find(&prepared, (slot, object), Limit::NONE, &filter),
                    Target::Surface(surface) => {
                        let place = self.place_of(object.id, filter);
                        let of_surface = (surface, place);
                        self.find_on_surface(&prepared, of_surface, Limit::NONE, &filter)
                    }
                    Target::Searched => None,
                });
            });
            filter.step()?;
            ControlFlow::Continue(1.0)
        });
        // No time is -0, so that bits are in the order of the numbers.
        sort_by_rank(&mut found, |found| {
            let [key, number] = found.place.rank();
            [ordered_bits(found.t.into()), key, number]
        });
        let answers = found.into_iter();
        answers
            .filter_map(|found| self.shape_hit(&prepared, found, &filter))
            .collect()
    }

    /// What of an object a query that comes to it is to search: all objects of a surface at once.
    #[inline]
    fn unsearched(&self, object: &Object, searched: &mut Vec<SurfaceId>) -> Target {
        match self.surface_of(object.id) {
            None => Target::Object,
            Some(surface) if searched.contains(&surface) => Target::Searched,
            Some(surface) => {
                searched.push(surface);
                Target::Surface(surface)
            }
        }
    }

    /// The first hit with the objects of a surface, which has this place in the order of objects.
    fn find_on_surface(
        &self,
        prepared: &PreparedCast,
        (surface, place): (SurfaceId, ObjectId),
        limit: Limit,
        filter: &QueryFilter<'_>,
    ) -> Option<Found> {
        let pieces = self.surface_pieces(surface, Near::Cast(&query_of(prepared)), filter);
        let limits = (limit.latest(), limit.t);
        let hit = first_on_surface(prepared, &query_of(prepared), &pieces, (filter, limits))?;
        let t = hit.t;
        if !limit.admits(t) {
            return None;
        }
        let (object, triangle) = pieces.own(hit.triangle?);
        let hit = ShapeHit {
            triangle: Some(triangle),
            ..hit
        };
        Some(Found {
            object: object.id,
            place,
            slot: object.id.slot(),
            t,
            feature: FoundFeature::OnSurface(hit),
        })
    }

    /// The whole answer.
    fn shape_hit(
        &self,
        prepared: &PreparedCast,
        found: Found,
        filter: &QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let Found {
            object,
            slot,
            feature,
            ..
        } = found;
        // The filter has accepted it already.
        let hit = self.with_object(slot, &QueryFilter::new(), |found| {
            match (&found.shape, feature) {
                (_, FoundFeature::OnSurface(hit)) => Some(hit),
                (Shape::HeightField(field), FoundFeature::Triangle(first)) => {
                    Some(prepared.surface_answer(&**field, &first))
                }
                (Shape::Instance(instance), FoundFeature::Triangle(first)) => {
                    Some(prepared.surface_answer(&instance.parts(), &first))
                }
                (Shape::Compound(compound), FoundFeature::Triangle(first)) => {
                    let hit = prepared.surface_answer(&compound.meshes()?.parts(), &first);
                    Some(standing(prepared, hit, compound, (found.id, filter)))
                }
                (Shape::Primitive(primitive), FoundFeature::Primitive(hit)) => {
                    Some(prepared.primitive_answer(&primitive.get(), hit))
                }
                (Shape::Compound(compound), FoundFeature::Part(part, hit)) => {
                    let mut hit = prepared.primitive_answer(compound.solid(part)?, hit);
                    hit.triangle = TriangleId::in_part(hit.triangle, part);
                    Some(standing(prepared, hit, compound, (found.id, filter)))
                }
                _ => None,
            }
        });
        let (object, user_data) = self.tagged(object);
        Some(ShapeHit {
            object: Some(object),
            user_data,
            ..hit.flatten()?
        })
    }
}

/// A shape cast's query of the tree over objects.
fn query_of(prepared: &PreparedCast) -> TraversalQuery {
    let swept = prepared.swept();
    TraversalQuery::moving_box((swept.min, swept.max), swept.motion, (0.0, 1.0))
}

/// The first hit with an object.
struct Found {
    object: ObjectId,
    /// What ties are decided by: the object, or the lowest of its surface.
    place: ObjectId,
    slot: u32,
    /// The reported t.
    t: f32,
    feature: FoundFeature,
}

/// The feature of the object that is hit.
enum FoundFeature {
    Triangle(FirstTriangle),
    Primitive(PrimitiveHit),
    /// A part of a compound.
    Part(u32, PrimitiveHit),
    /// The answer, but for the object, where it is one of a surface.
    OnSurface(ShapeHit),
}

/// What a query is to search.
enum Target {
    Object,
    Surface(SurfaceId),
    /// The object is of a surface that was searched.
    Searched,
}

/// What an object's first hit must come before, by the reported t.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    t: f32,
    /// Whether hits at `t` still count.
    is_included: bool,
}

impl Limit {
    const NONE: Self = Self {
        t: 1.0,
        is_included: true,
    };

    /// `None` where no hit of the object counts any more.
    fn before(best: Option<&Found>, object: ObjectId) -> Option<Self> {
        Self::of_order(best.map(|best| (best.t, best.place)), object)
    }

    /// The same, the best hit being given by its t and what decides ties.
    pub(super) fn of_order(best: Option<(f32, ObjectId)>, object: ObjectId) -> Option<Self> {
        let Some((t, place)) = best else {
            return Some(Self::NONE);
        };
        let is_included = object < place;
        (is_included || t > 0.0).then_some(Self { t, is_included })
    }

    /// No exact time after this is reported within the limit.
    pub(super) fn latest(self) -> f64 {
        let t = f64::from(self.t);
        if self.is_included {
            f64::midpoint(t, f64::from(self.t.next_up())).min(1.0)
        } else {
            f64::midpoint(t, f64::from(self.t.next_down()))
        }
    }

    pub(super) fn admits(self, t: f32) -> bool {
        t < self.t || (self.is_included && t == self.t)
    }
}

fn find(
    prepared: &PreparedCast,
    (slot, object): (u32, &Object),
    limit: Limit,
    filter: &QueryFilter<'_>,
) -> Option<Found> {
    let first = |source: &dyn TriangleSource| prepared.first_triangle(source, limit.latest());
    let (t, feature) = match &object.shape {
        Shape::HeightField(field) => triangle_found(filter.with_source(&**field, first)?),
        Shape::Instance(instance) => triangle_found(filter.with_source(&instance.parts(), first)?),
        Shape::Primitive(primitive) => {
            let hit = prepared.first_primitive(&primitive.get())?;
            (hit.t(), FoundFeature::Primitive(hit))
        }
        Shape::Compound(compound) => {
            let parts = compound.seen(object.id, filter);
            let of_solids = first_part(prepared, &query_of(prepared), parts, limit.t);
            let meshes = compound.meshes();
            let of_meshes = meshes.and_then(|meshes| filter.with_source(&meshes.parts(), first));
            match first_in_compound(prepared, compound, of_meshes, of_solids)? {
                FirstInCompound::Triangle(first) => triangle_found(first),
                FirstInCompound::Part(part, hit) => (hit.t(), FoundFeature::Part(part, hit)),
            }
        }
    };
    limit.admits(t).then_some(Found {
        object: object.id,
        place: object.id,
        slot,
        t,
        feature,
    })
}

fn triangle_found(first: FirstTriangle) -> (f32, FoundFeature) {
    (first.encounter.t(), FoundFeature::Triangle(first))
}

fn meets(prepared: &PreparedCast, object: &Object, filter: &QueryFilter<'_>) -> bool {
    let meets = |source: &dyn TriangleSource| prepared.meets_any(source);
    match &object.shape {
        Shape::HeightField(field) => filter.with_source(&**field, meets),
        Shape::Instance(instance) => filter.with_source(&instance.parts(), meets),
        Shape::Primitive(primitive) => prepared.first_primitive(&primitive.get()).is_some(),
        Shape::Compound(compound) => {
            if let Some(meshes) = compound.meshes()
                && filter.with_source(&meshes.parts(), meets)
            {
                return true;
            }
            let parts = compound.seen(object.id, filter);
            meets_a_part(prepared, &query_of(prepared), parts)
        }
    }
}
