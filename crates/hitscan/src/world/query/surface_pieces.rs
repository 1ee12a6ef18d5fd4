//! The objects of one surface near a query: to moving and resting shapes their triangles are those of one
//! object, whose parts are the parts of all of them, object after object. The solids of compounds are parts beside them.
//!
//! Neighbours across a seam are found as those within a mesh are, by equal corners in the world.

use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::query::filter::QueryFilter;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::world::instance::Geometry;
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::SeenParts;
use crate::{Contact, SurfaceId, TriangleId};
use core::ops::ControlFlow;
use glam::DVec3;
use std::borrow::Cow;

/// Which objects of a surface a query comes near.
#[derive(Clone, Copy)]
pub(crate) enum Near<'a> {
    /// Those that this query of the tree touches.
    Cast(&'a TraversalQuery),
    /// Those that touch the box between these corners.
    Box((DVec3, DVec3)),
    /// All.
    Everything,
}

/// The objects of a surface that a query comes near and its filter accepts, in order.
pub(crate) struct SurfacePieces<'a>(Vec<Piece<'a>>);

struct Piece<'a> {
    object: Cow<'a, Object>,
    /// The number of the first of its parts among those of all.
    first_part: u32,
    /// The corners of a box around it.
    bounds: (DVec3, DVec3),
}

impl Snapshot {
    /// The objects of a surface that a query comes near and its filter accepts.
    pub(crate) fn surface_pieces(
        &self,
        surface: SurfaceId,
        near: Near<'_>,
        filter: &QueryFilter<'_>,
    ) -> SurfacePieces<'_> {
        let mut found = Vec::new();
        let mut add = |slot| {
            let is_of_it = |id| self.surface_of(id) == Some(surface);
            let object = self.id_and_layers(slot);
            found.extend(object.filter(|(id, layers)| is_of_it(*id) && filter.sees(*id, *layers)));
            filter.step()
        };
        // Where the work is limited the answer is thrown away.
        let _ = match near {
            Near::Cast(query) => self.tree().cast(query, 1.0, |slot| {
                add(slot)?;
                ControlFlow::Continue(1.0)
            }),
            Near::Box(corners) => self.tree().touching(corners, add),
            Near::Everything => self.objects_of(surface).try_for_each(|id| add(id.slot())),
        };
        found.sort_unstable();
        let mut pieces = Vec::with_capacity(found.len());
        let mut first_part = 0;
        for (id, _) in found {
            let object = self.object(id);
            let Some((object, bounds)) = object.and_then(|object| {
                let bounds = object.culling_bounds()?;
                Some((object, bounds))
            }) else {
                continue;
            };
            let part_count = part_count(&object);
            pieces.push(Piece {
                object,
                first_part,
                bounds: (bounds.min().as_dvec3(), bounds.max().as_dvec3()),
            });
            first_part += part_count;
        }
        SurfacePieces(pieces)
    }
}

/// The number of an object's parts; terrain has one.
fn part_count(object: &Object) -> u32 {
    match &object.shape {
        Shape::HeightField(_) | Shape::Primitive(_) => 1,
        Shape::Compound(compound) => compound.end_of_parts(),
        Shape::Instance(instance) => match instance.geometry() {
            Geometry::Mesh(_) => 1,
            Geometry::Model(posed) => u32::try_from(posed.part_count()).unwrap_or(u32::MAX),
        },
    }
}

impl SurfacePieces<'_> {
    /// The object that has a triangle or a part that is a solid, and that as the object numbers it.
    pub(crate) fn own(&self, id: TriangleId) -> (&Object, TriangleId) {
        let after = self.0.partition_point(|piece| piece.first_part <= id.part);
        let piece = &self.0[after - 1];
        let part = id.part - piece.first_part;
        let is_solid = match &piece.object.shape {
            Shape::Compound(compound) => compound.solid(part).is_some(),
            _ => false,
        };
        let whole = TriangleId::in_part(None, part).filter(|_| is_solid);
        (&piece.object, whole.unwrap_or(TriangleId { part, ..id }))
    }

    /// The compounds among the objects: each with the solids of it that a filter accepts, and the number of its first
    /// part among those of all.
    pub(crate) fn compounds<'p>(
        &'p self,
        filter: &'p QueryFilter<'p>,
    ) -> impl Iterator<Item = (&'p Object, SeenParts<'p>, u32)> {
        self.0.iter().filter_map(|piece| match &piece.object.shape {
            Shape::Compound(compound) => {
                let seen = compound.seen(piece.object.id, filter);
                Some((&*piece.object, seen, piece.first_part))
            }
            _ => None,
        })
    }

    /// The objects, each with the number of its first part among those of all.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (&Object, u32)> {
        self.0
            .iter()
            .map(|piece| (&*piece.object, piece.first_part))
    }

    /// A contact with one of the triangles, as that of its object.
    pub(crate) fn named(&self, contact: Contact) -> Contact {
        let own = contact.triangle.map(|triangle| self.own(triangle));
        let (object, triangle) = own.unzip();
        Contact {
            object: object.map(|object| object.id),
            user_data: object.map_or(0, |object| object.user_data),
            triangle,
            ..contact
        }
    }

    /// Reads each object with its own triangles, in order.
    pub(crate) fn for_each_source(&self, mut read: impl FnMut(&Object, &dyn TriangleSource)) {
        for piece in &self.0 {
            piece.with_source(|source| read(&piece.object, source));
        }
    }

    /// Visits the pieces whose boxes touch the box from `min` to `max`.
    fn for_each_touching(
        &self,
        (min, max): (DVec3, DVec3),
        mut visit: impl FnMut(&Piece<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut touching = (self.0.iter())
            .filter(|piece| piece.bounds.0.cmple(max).all() && piece.bounds.1.cmpge(min).all());
        touching.try_for_each(&mut visit)
    }
}

impl Piece<'_> {
    fn with_source<R>(&self, read: impl FnOnce(&dyn TriangleSource) -> R) -> Option<R> {
        match &self.object.shape {
            Shape::HeightField(field) => Some(read(&**field)),
            Shape::Instance(instance) => Some(read(&instance.parts())),
            Shape::Compound(compound) => {
                let meshes = compound.meshes()?;
                Some(read(&meshes.parts()))
            }
            // No lone solid is of a surface.
            Shape::Primitive(_) => None,
        }
    }

    /// The triangle of its own as one of all.
    fn of_all(&self, id: TriangleId) -> TriangleId {
        TriangleId {
            part: id.part + self.first_part,
            ..id
        }
    }

    /// Has triangles of its own visited as those of all.
    fn visiting(
        &self,
        visit: VisitTriangle<'_>,
        of: impl FnOnce(&dyn TriangleSource, VisitTriangle<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut visit = |triangle: SourceTriangle| {
            visit(SourceTriangle {
                id: self.of_all(triangle.id),
                ..triangle
            })
        };
        let visited = self.with_source(|source| of(source, &mut visit));
        visited.unwrap_or(ControlFlow::Continue(()))
    }
}

impl TriangleSource for SurfacePieces<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.for_each_touching((min, max), |piece| {
            piece.visiting(visit, |source, visit| source.for_each_in(min, max, visit))
        })
    }

    fn for_each_near(
        &self,
        outline: &Outline,
        bounds: (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        self.for_each_touching(bounds, |piece| {
            piece.visiting(visit, |source, visit| {
                source.for_each_near(outline, bounds, visit)
            })
        })
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        let bounded = |piece: &Piece<'_>| search.lower_bound(piece.bounds.0, piece.bounds.1);
        let pieces = self.0.iter();
        let mut near: Vec<(f64, &Piece<'_>)> = pieces
            .filter_map(|piece| Some((bounded(piece)?, piece)))
            .collect();
        sort_by_rank(&mut near, |(bound, _)| [ordered_bits(*bound), 0, 0]);
        for (bound, piece) in near {
            let first = TriangleId {
                part: piece.first_part,
                triangle: 0,
            };
            if search.is_done() || !search.admits(bound, first) {
                continue;
            }
            piece.with_source(|source| {
                source.best_first(swept, &mut PieceSearch { search, piece });
            });
        }
    }
}

/// A search among the triangles of all, as it is to one piece.
struct PieceSearch<'a, 'b> {
    search: &'a mut dyn BestFirst,
    piece: &'a Piece<'b>,
}

impl BestFirst for PieceSearch<'_, '_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.lower_bound(min, max)
    }

    fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.quick_bound(min, max)
    }

    fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
        self.search.admits(bound, self.piece.of_all(id))
    }

    fn outline(&self) -> Option<&Outline> {
        self.search.outline()
    }

    fn resting(&self) -> Option<&Outline> {
        self.search.resting()
    }

    fn has_found(&self) -> bool {
        self.search.has_found()
    }

    fn is_done(&self) -> bool {
        self.search.is_done()
    }

    fn time_limit(&self) -> f32 {
        self.search.time_limit()
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        self.search.visit(SourceTriangle {
            id: self.piece.of_all(triangle.id),
            ..triangle
        });
    }
}
