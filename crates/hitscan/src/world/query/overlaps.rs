//! Overlaps of objects: exact, triangle by triangle, with containment.
//!
//! The crate's module `overlap` decides how two shapes overlap; here are the objects and trees.

use super::bounds::{AabbPair, pair_of};
use super::overlap_feature::{
    NamedSolid, OverlapFeature, OverlapPair, Visit, contains, contains_whole, is_inside, meet_all,
    meet_solids,
};
use super::watch::SolidId;
use super::world_triangles::WorldTriangle;
use crate::bvh::Bvh;
use crate::narrow_phase::overlap::{
    ClosedSurface, Location, Overlap, OverlapKind, triangle_triangle,
};
use crate::narrow_phase::ray_cast::hit::{TriangleId, triangle_rank};
use crate::narrow_phase::ray_cast::ray_triangle::normal;
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::Snapshot;
use crate::world::object::Shape;
use crate::{Aabb, ObjectId, Primitive};
use core::ops::ControlFlow;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

impl Snapshot {
    /// All pairs of objects that `filter` accepts and whose shapes overlap, one element for each
    /// pair of overlapping triangles.
    ///
    /// Decided exactly on the triangles in world space; [`crate::narrow_phase::overlap`] says what
    /// the kinds mean. Where a closed surface or a solid holds another object whole, that is one
    /// element without triangles, with the holder as `a`. The elements are in the order of the
    /// objects' pairs, then of parts and triangles. A part of a compound is a solid by itself, which may hold
    /// another object, or be held.
    #[must_use]
    pub fn overlaps<'f>(&self, filter: impl Into<QueryFilter<'f>>) -> Vec<OverlapPair> {
        self.all_overlaps(filter.into())
    }

    fn all_overlaps(&self, filter: QueryFilter<'_>) -> Vec<OverlapPair> {
        let mut overlaps = Vec::new();
        for pair in self.broad_phase_pairs(filter) {
            let _ = self.meet(&pair, &filter, &mut |overlap| {
                overlaps.push(overlap);
                ControlFlow::Continue(())
            });
        }
        overlaps
    }

    /// The part of [`Snapshot::overlaps`] that one pair of objects has, given in either order.
    /// Empty where `filter` does not accept both, where one is not of this world, and for an object
    /// with itself.
    #[must_use]
    pub fn overlaps_of<'f>(
        &self,
        one: ObjectId,
        other: ObjectId,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<OverlapPair> {
        self.pair_overlaps(one, other, filter.into())
    }

    fn pair_overlaps(
        &self,
        one: ObjectId,
        other: ObjectId,
        filter: QueryFilter<'_>,
    ) -> Vec<OverlapPair> {
        let mut overlaps = Vec::new();
        let _ = self.visit_overlaps_of(one, other, filter, |overlap| {
            overlaps.push(overlap);
            ControlFlow::Continue(())
        });
        overlaps
    }

    /// Calls `visit` with each element of [`Snapshot::overlaps_of`], in order, until it breaks or the filter's
    /// limit on work is reached; returns whether it did. Without a list of them, but where one is a compound.
    pub fn visit_overlaps_of<'f>(
        &self,
        one: ObjectId,
        other: ObjectId,
        filter: impl Into<QueryFilter<'f>>,
        mut visit: impl FnMut(OverlapPair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let filter = filter.into();
        let seen = |id| {
            let object = self.state().object(id)?;
            filter.sees(id, object.layers).then_some(object)
        };
        if let (Some(a), Some(b)) = (seen(one.min(other)), seen(one.max(other)))
            && one != other
            && let Some(pair) = pair_of(a, b)
        {
            self.meet(&pair, &filter, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    fn meet(&self, pair: &AabbPair, filter: &QueryFilter<'_>, visit: Visit<'_>) -> ControlFlow<()> {
        filter.step()?;
        let (a, b) = (pair.a, pair.b);
        match (self.shape_of(a), self.shape_of(b)) {
            (Some(Shape::Compound(_)), _) | (_, Some(Shape::Compound(_))) => {
                self.meet_parts(pair, filter, visit)
            }
            _ => match (self.solid(a), self.solid(b)) {
                (Some(first), Some(second)) => {
                    match meet_solids(((a, None), &first), ((b, None), &second)) {
                        Some(overlap) => visit(overlap),
                        None => ControlFlow::Continue(()),
                    }
                }
                (Some(solid), None) => self.meet_solid(((a, None), &solid), (b, filter), visit),
                (None, Some(solid)) => self.meet_solid(((b, None), &solid), (a, filter), visit),
                (None, None) => self.meet_surfaces(pair, filter, visit),
            },
        }
    }

    /// Two objects, one of which is a compound: each part by itself.
    fn meet_parts(
        &self,
        pair: &AabbPair,
        filter: &QueryFilter<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let mut found = Vec::new();
        let ended = {
            let mut keep = |overlap| {
                found.push(overlap);
                ControlFlow::Continue(())
            };
            self.meet_pieces(pair, filter, &mut keep)
        };
        sort_by_rank(&mut found, |overlap: &OverlapPair| {
            let of_b = overlap.a.object == pair.b;
            let (a, b) = (
                triangle_rank(overlap.a.triangle),
                triangle_rank(overlap.b.triangle),
            );
            if of_b { [b, a, 0] } else { [a, b, 0] }
        });
        found.into_iter().try_for_each(visit)?;
        ended
    }

    /// The solids and the triangles of one object with those of another.
    fn meet_pieces(
        &self,
        pair: &AabbPair,
        filter: &QueryFilter<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let [firsts, seconds] = [pair.a, pair.b].map(|object| self.solids(object, filter));
        let [has_a, has_b] = [pair.a, pair.b].map(|object| self.has_triangles(object));
        meet_all((&firsts, &seconds), filter, visit)?;
        if has_b {
            for (of, solid) in &firsts {
                self.meet_solid((*of, solid), (pair.b, filter), visit)?;
            }
        }
        if has_a {
            for (of, solid) in &seconds {
                self.meet_solid((*of, solid), (pair.a, filter), visit)?;
            }
        }
        if has_a && has_b {
            self.meet_surfaces(pair, filter, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Two objects of triangles.
    fn meet_surfaces(
        &self,
        pair: &AabbPair,
        filter: &QueryFilter<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let of_a = self.triangles_in(pair.a, &pair.intersection, filter)?;
        let of_b = self.triangles_in(pair.b, &pair.intersection, filter)?;
        let bounds: Vec<Aabb> = of_b.iter().map(WorldTriangle::bounds).collect();
        let tree = Bvh::build(&bounds);
        // While none cross, the triangles that touch: one object may then contain the other.
        let mut touching = Some((BTreeSet::new(), BTreeSet::new()));
        let mut found = Vec::new();
        for own in &of_a {
            let bounds = own.bounds();
            tree.touching(
                (bounds.min().as_dvec3(), bounds.max().as_dvec3()),
                |other| {
                    filter.step()?;
                    let other = &of_b[other as usize];
                    if let Some(Overlap { kind, segment }) =
                        triangle_triangle(&own.corners, &other.corners)
                    {
                        let [a, b] = [(pair.a, own), (pair.b, other)]
                            .map(|(object, triangle)| OverlapFeature::triangle(object, triangle));
                        found.push(OverlapPair {
                            kind,
                            a,
                            b,
                            segment,
                        });
                    }
                    ControlFlow::Continue(())
                },
            )?;
            sort_by_rank(&mut found, |overlap| {
                [triangle_rank(overlap.b.triangle), 0, 0]
            });
            for overlap in found.drain(..) {
                if overlap.kind == OverlapKind::Cross {
                    touching = None;
                } else if let Some((of_a, of_b)) = &mut touching {
                    of_a.extend(overlap.a.triangle);
                    of_b.extend(overlap.b.triangle);
                }
                visit(overlap)?;
            }
        }
        let Some((touching_a, touching_b)) = touching else {
            return ControlFlow::Continue(());
        };
        if self.holds(pair.a, pair.b, &touching_b, filter)? {
            visit(contains_whole(pair.a, pair.b))?;
        } else if self.holds(pair.b, pair.a, &touching_a, filter)? {
            visit(contains_whole(pair.b, pair.a))?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a closed surface of `outer` holds all of `inner`, of whose triangles those in
    /// `touching` touch it and none crosses it.
    fn holds(
        &self,
        outer: ObjectId,
        inner: ObjectId,
        touching: &BTreeSet<TriangleId>,
        filter: &QueryFilter<'_>,
    ) -> ControlFlow<(), bool> {
        if !self.may_hold(outer, inner) {
            return ControlFlow::Continue(false);
        }
        let inner = self.all_triangles(inner, filter)?;
        let places = inner
            .iter()
            .enumerate()
            .filter(|(_, one)| touching.contains(&one.id));
        let touching: Vec<usize> = places.map(|(place, _)| place).collect();
        let inner: Vec<[DVec3; 3]> = inner.into_iter().map(|triangle| triangle.corners).collect();
        let shells = self.shells(outer, filter)?;
        ControlFlow::Continue(shells.iter().any(|shell| {
            ClosedSurface::new(shell).is_some_and(|surface| surface.contains(&inner, &touching))
        }))
    }

    /// A solid with an object of triangles.
    fn meet_solid(
        &self,
        (of, solid): (SolidId, &Primitive),
        (surface_id, filter): (ObjectId, &QueryFilter<'_>),
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let (solid_id, _) = of;
        let bounds = solid.bounds();
        let Some(surface_bounds) = self.object_bounds(surface_id) else {
            return ControlFlow::Continue(());
        };
        let Some(intersection) = bounds.intersection(&surface_bounds) else {
            return ControlFlow::Continue(());
        };
        if is_inside(&surface_bounds, &bounds) {
            let all = self.all_triangles(surface_id, filter)?;
            let mut with_area = all.iter().filter(|one| normal(&one.corners) != DVec3::ZERO);
            let is_something = with_area.clone().next().is_some();
            if is_something
                && bounds.overlaps(&surface_bounds)
                && with_area.all(|one| one.corners.iter().all(|at| solid.holds(*at)))
            {
                return visit(contains(
                    OverlapFeature::solid(of),
                    OverlapFeature::whole(surface_id),
                ));
            }
        }
        let mut is_apart = true;
        let whole = OverlapFeature::solid(of);
        for triangle in self.triangles_in(surface_id, &intersection, filter)? {
            filter.step()?;
            if let Some(Overlap { kind, segment }) = solid.triangle_overlap(&triangle.corners) {
                let feature = OverlapFeature::triangle(surface_id, &triangle);
                let (a, b) = if solid_id < surface_id {
                    (whole, feature)
                } else {
                    (feature, whole)
                };
                is_apart &= kind == OverlapKind::Touch;
                visit(OverlapPair {
                    kind,
                    a,
                    b,
                    segment,
                })?;
            }
        }
        if is_apart && is_inside(&bounds, &surface_bounds) {
            let is_held = self.shells(surface_id, filter)?.iter().any(|shell| {
                ClosedSurface::new(shell)
                    .is_some_and(|surface| surface.locate(solid.inner_point()) == Location::Inside)
            });
            if is_held {
                visit(contains(
                    OverlapFeature::whole(surface_id),
                    OverlapFeature::solid(of),
                ))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the box of `outer` holds that of `inner`, without which nothing holds the other.
    fn may_hold(&self, outer: ObjectId, inner: ObjectId) -> bool {
        match (self.object_bounds(outer), self.object_bounds(inner)) {
            (Some(outer), Some(inner)) => is_inside(&inner, &outer),
            _ => false,
        }
    }

    /// What of an object may be a closed surface: the whole, or else single parts.
    fn shells(
        &self,
        object: ObjectId,
        filter: &QueryFilter<'_>,
    ) -> ControlFlow<(), Vec<Vec<[DVec3; 3]>>> {
        // Terrain is open, and may be large.
        if matches!(self.shape_of(object), Some(Shape::HeightField(_))) {
            return ControlFlow::Continue(Vec::new());
        }
        let all = self.all_triangles(object, filter)?;
        let corners = |triangles: &[WorldTriangle]| -> Vec<[DVec3; 3]> {
            triangles.iter().map(|triangle| triangle.corners).collect()
        };
        let whole = corners(&all);
        if ClosedSurface::new(&whole).is_some() {
            return ControlFlow::Continue(vec![whole]);
        }
        let parts = all.chunk_by(|a, b| a.id.part == b.id.part);
        ControlFlow::Continue(parts.map(corners).collect())
    }

    fn solid(&self, object: ObjectId) -> Option<Primitive> {
        match self.shape_of(object)? {
            Shape::Primitive(solid) => Some(solid.get()),
            Shape::HeightField(_) | Shape::Instance(_) | Shape::Compound(_) => None,
        }
    }

    /// Whether an object has triangles, terrain or meshes.
    fn has_triangles(&self, object: ObjectId) -> bool {
        let shape = self.shape_of(object);
        shape
            .is_some_and(|shape| matches!(shape, Shape::HeightField(_)) || shape.meshes().is_some())
    }

    /// The solids of an object that is one or has such parts, those that are seen.
    fn solids(&self, object: ObjectId, filter: &QueryFilter<'_>) -> SmallVec<[NamedSolid; 1]> {
        match self.shape_of(object) {
            Some(Shape::Primitive(solid)) => smallvec![((object, None), solid.get())],
            Some(Shape::Compound(compound)) => {
                let seen = compound.seen(object, filter).all();
                seen.map(|(part, solid)| ((object, Some(part)), solid.clone()))
                    .collect()
            }
            Some(Shape::HeightField(_) | Shape::Instance(_)) | None => SmallVec::new(),
        }
    }
}
