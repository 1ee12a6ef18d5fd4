//! A mesh with a transform into the world, as a source of triangles.

use super::TriMesh;
use super::swept_block::SweptShape;
use crate::Aabb;
use crate::bvh::{self, BestFirst as _, LEAF_ITEMS, LeafItems, TraversalQuery, TraversalRay};
use crate::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::convex::Outline;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::ray_cast::hit::TriangleId;
use crate::ray_cast::ray::LocalRay;
use crate::simd::{dispatch, take_least};
use core::ops::ControlFlow;
use fearless_simd::Simd;
use glam::{DAffine3, DMat3, DVec3};

/// The share of the magnitudes involved by which what is transformed into a part's space may be
/// displaced, as far as boxes in trees are concerned: they are widened by it.
///
/// Where a transform would displace by more, the part's corners are transformed instead.
pub(crate) const MARGIN: f64 = 1.0 / 1_048_576.0;

/// A mesh in the world: a part of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedMesh<'a> {
    pub(crate) mesh: &'a TriMesh,
    pub(crate) part: u32,
    /// To the world and back; `None` where the mesh is in the world.
    pub(crate) transforms: Option<(&'a DAffine3, &'a DAffine3)>,
    /// Whether its triangles' corners go clockwise seen from the front, in the world.
    pub(crate) is_mirrored: bool,
}

impl PlacedMesh<'_> {
    /// A triangle in the world. Its corners are rounded once, so that triangles share them.
    pub(crate) fn triangle(&self, triangle: u32) -> SourceTriangle {
        let corners = self.mesh.corners(triangle);
        SourceTriangle {
            id: TriangleId {
                part: self.part,
                triangle,
            },
            corners: match self.transforms {
                None => corners,
                Some((transform, _)) => corners.map(|corner| transform.transform_point3(corner)),
            },
            is_mirrored: self.is_mirrored,
        }
    }

    /// A box in the mesh's space that at every t holds the world's.
    fn local(&self, swept: &MovingBox) -> MovingBox {
        match self.transforms {
            None => *swept,
            Some((world_from_mesh, mesh_from_world)) => {
                local_box(swept, world_from_mesh, mesh_from_world)
            }
        }
    }
}

impl TriangleSource for PlacedMesh<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        let local = self.local(&MovingBox {
            min,
            max,
            motion: DVec3::ZERO,
        });
        let corners = (local.min, local.max);
        self.mesh
            .bvh
            .touching(corners, |item| visit(self.triangle(item)))
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        if search.is_done() {
            return;
        }
        let local = self.local(swept);
        let corners = (local.min, local.max);
        let query = TraversalQuery::moving_box(corners, local.motion, (0.0, 1.0));
        let outline = match (search.outline(), self.transforms) {
            (Some(outline), None) => Keys::Times(*outline),
            (Some(_), Some(_)) => Keys::Times(Outline::of_box(local.min, local.max)),
            // Elsewhere lengths may be others.
            (None, None) => search
                .resting()
                .map_or(Keys::Any, |outline| Keys::Separations(*outline)),
            (None, Some(_)) => Keys::Any,
        };
        let width = self.mesh.bvh.width();
        let way = (&outline, local.motion);
        dispatch!(width, simd => self.best_first_with(simd, &query, way, search));
    }
}

/// What a search's keys are, and how what it looks for lies beside the mesh.
enum Keys {
    Times(Outline),
    Separations(Outline),
    Any,
}

impl PlacedMesh<'_> {
    #[inline(always)]
    fn best_first_with<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        (keys, motion): (&Keys, DVec3),
        search: &mut dyn BestFirst,
    ) {
        let mut prepared = TraversalRay::NONE;
        if !self.mesh.bvh.prepare_into(simd, query, &mut prepared) {
            return;
        }
        let mut search = InMesh {
            placed: self,
            search,
            keys,
            motion,
            prepared: &prepared,
            shape: None,
        };
        self.mesh.bvh.best_first(simd, &prepared, &mut search);
    }
}

/// A search in one mesh.
struct InMesh<'a> {
    placed: &'a PlacedMesh<'a>,
    search: &'a mut dyn BestFirst,
    keys: &'a Keys,
    motion: DVec3,
    prepared: &'a TraversalRay,
    /// Made where the first leaf is reached: most searches reach none.
    shape: Option<SweptShape>,
}

impl bvh::BestFirst for InMesh<'_> {
    fn are_keys_times(&self) -> bool {
        matches!(self.keys, Keys::Times(_))
    }

    fn lower_bound(&self, bounds: &Aabb) -> Option<f64> {
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let (min, max) = match self.placed.transforms {
            None => (min, max),
            Some((transform, _)) => placed_bounds(transform, min, max),
        };
        self.search.quick_bound(min, max)
    }

    fn admits(&mut self, bound: f64, triangle: u32) -> bool {
        let part = self.placed.part;
        self.search.admits(bound, TriangleId { part, triangle })
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

    #[inline(always)]
    fn visit_leaf<S: Simd>(&mut self, simd: S, leaf: u32, time_limit: f32, bound: Option<f64>) {
        let bvh = &self.placed.mesh.bvh;
        let (block, items) = (bvh.block(leaf), bvh.items(leaf));
        let (Keys::Times(outline) | Keys::Separations(outline)) = self.keys else {
            let bounds = [bound.unwrap_or(f64::NEG_INFINITY); LEAF_ITEMS];
            return self.visit_by(block.used(), &bounds, items);
        };
        let (motion, prepared) = (self.motion, self.prepared);
        let new = || SweptShape::new(outline, motion, prepared);
        let shape = self.shape.get_or_insert_with(new);
        if let Keys::Separations(_) = self.keys {
            let least = shape.separations(simd, prepared, block);
            return self.visit_by(block.used(), &least, items);
        }
        let test = shape.test_block(simd, prepared, block, time_limit);
        if test.possible != 0 {
            self.visit_in_time((test.possible, &test.times), items, bound);
        }
    }
}

impl InMesh<'_> {
    /// Visits triangles of a leaf, those first that may be touched first.
    #[inline(never)]
    fn visit_in_time(
        &mut self,
        (mut possible, times): (u32, &[f32; LEAF_ITEMS]),
        items: &LeafItems,
        bound: Option<f64>,
    ) {
        let mut limit = f32::INFINITY;
        while let Some(place) = take_least(&mut possible, times) {
            if times[place] > limit {
                return;
            }
            let item = items[place];
            if bound.is_none_or(|bound| self.admits(bound, item)) {
                self.search.visit(self.placed.triangle(item));
                if self.is_done() {
                    return;
                }
                limit = self.prepared.time_limit(self.time_limit());
            }
        }
    }

    /// Visits triangles of a leaf that matter by bounds of their keys, those of the least first.
    #[inline(never)]
    fn visit_by(&mut self, mut possible: u32, bounds: &[f64; LEAF_ITEMS], items: &LeafItems) {
        while let Some(place) = take_least(&mut possible, bounds) {
            if self.admits(bounds[place], items[place]) {
                self.search.visit(self.placed.triangle(items[place]));
            }
        }
    }
}

/// The bounds of all that `transform` makes of points between `min` and `max`, rounded as each point
/// is.
///
/// Products and sums are rounded monotonically, so a placed coordinate is least where each of the
/// point's coordinates is at the end that the sign of its factor chooses: the bounds have no slack.
pub(crate) fn placed_bounds(transform: &DAffine3, min: DVec3, max: DVec3) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let factors = transform.matrix3.row(axis);
        let grows = factors.cmpge(DVec3::ZERO);
        let first = DVec3::select(grows, min, max);
        let last = DVec3::select(grows, max, min);
        low[axis] = transform.transform_point3(first)[axis];
        high[axis] = transform.transform_point3(last)[axis];
    }
    (low, high)
}

/// A box of a part's space that at every t holds the world's.
pub(crate) fn local_box(
    swept: &MovingBox,
    world_from_part: &DAffine3,
    part_from_world: &DAffine3,
) -> MovingBox {
    let MovingBox { min, max, motion } = *swept;
    let (low, high) = transformed_box(min, max, part_from_world);
    let extent =
        max_abs(min).max(max_abs(max)) + max_abs(motion) + max_abs(world_from_part.translation);
    let stretch = magnitudes(&part_from_world.matrix3) * DVec3::ONE;
    let margin = stretch * (MARGIN * extent);
    MovingBox {
        min: low - margin,
        max: high + margin,
        motion: part_from_world.transform_vector3(motion),
    }
}

/// The ends of the box around what a transform makes of the box from `min` to `max`.
fn transformed_box(min: DVec3, max: DVec3, transform: &DAffine3) -> (DVec3, DVec3) {
    let matrix = &transform.matrix3;
    let (mut low, mut high) = (transform.translation, transform.translation);
    for (axis, (least, most)) in [
        (matrix.x_axis, (min.x, max.x)),
        (matrix.y_axis, (min.y, max.y)),
        (matrix.z_axis, (min.z, max.z)),
    ] {
        let (one, other) = (axis * least, axis * most);
        low += one.min(other);
        high += one.max(other);
    }
    (low, high)
}

/// A box around `boxes` where a transform takes them, widened by [`MARGIN`].
pub(crate) fn placed_box(
    boxes: impl IntoIterator<Item = Aabb>,
    world_from_part: &DAffine3,
) -> Option<Aabb> {
    let ends = boxes.into_iter().map(|one| {
        let (min, max) = (one.min().as_dvec3(), one.max().as_dvec3());
        transformed_box(min, max, world_from_part)
    });
    let (min, max) = ends.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))?;
    let extent = max_abs(min).max(max_abs(max)) + max_abs(world_from_part.translation);
    let margin = MARGIN * extent;
    Aabb::around_f64([min - margin, max + margin])
}

/// The query of a tree over placed boxes that a ray makes: widened by [`MARGIN`] of its origin, as far as
/// the ray may be displaced where a transform takes it to a part.
pub(crate) fn widened_query(ray: &LocalRay) -> TraversalQuery {
    let margin = MARGIN * max_abs(ray.origin);
    let corners = (ray.origin - margin, ray.origin + margin);
    TraversalQuery::moving_box(corners, ray.direction, (ray.t_min, ray.t_max))
}

/// The matrix of the components' magnitudes.
pub(crate) fn magnitudes(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(
        matrix.x_axis.abs(),
        matrix.y_axis.abs(),
        matrix.z_axis.abs(),
    )
}

/// The greatest magnitude of a component.
pub(crate) fn max_abs(v: DVec3) -> f64 {
    v.abs().max_element()
}

/// How far a point that is transformed there and back may be off, as a share of the magnitudes involved.
///
/// By the residual of the product, and by the rounding of two transforms: each component is a sum
/// of three products and a translation, below 8u of its terms' magnitudes, which the way back
/// multiplies by the magnitudes of its matrix. Four times the whole covers the box's own rounding
/// and that of the ray's way.
pub(crate) fn relative_error(outward: &DAffine3, inward: &DAffine3) -> f64 {
    let (forward, backward) = (outward.matrix3, inward.matrix3);
    let residual = forward * backward - DMat3::IDENTITY;
    let magnification = norm(&(magnitudes(&forward) * magnitudes(&backward)));
    4.0 * (norm(&residual) + 32.0 * UNIT_ROUNDOFF * (1.0 + magnification))
}

/// The square root of the sum of squares, no smaller than the greatest stretch.
fn norm(matrix: &DMat3) -> f64 {
    matrix
        .to_cols_array()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
}
