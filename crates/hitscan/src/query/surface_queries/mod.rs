//! The queries of a surface of triangles: what terrain, a mesh and a posed model each find by a traversal
//! of their own, and what all three make of it.
//!
//! Their public methods are in `verbs.rs`: they convert their arguments and call what is here, which is
//! compiled once, in this crate.

mod verbs;

pub(crate) use verbs::surface_verbs;

use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::narrow_phase::turning_cast::search::PreparedTurning;
use crate::parallel::{answer_queries, answers_of};
use crate::{
    BallisticArc, Camera, CameraTile, ClosestPoint, Contact, ContactsPer, Primitive, Ray,
    RayCastSettings, RayHit, ShapeCast, ShapeHit, Sides, TurningCast, TurningHit,
};
use glam::Vec3;

/// What a surface finds by itself. Shape casts and contacts find its triangles as a [`TriangleSource`].
pub(crate) trait SurfaceQueries: TriangleSource + Sync {
    /// The nearest hit of a ray.
    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit>;

    /// Whether a ray hits anything.
    fn has_hit(&self, ray: &Ray, sides: Sides) -> bool;

    /// All hits of a ray, in order of t.
    fn all_hits(&self, ray: &Ray, sides: Sides) -> Vec<RayHit>;

    /// Writes [`Self::nearest_hit`] of each ray; panics where the lengths differ.
    fn nearest_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]);

    /// Writes [`Self::has_hit`] of each ray; panics where the lengths differ.
    fn have_hits(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]);

    /// [`Self::nearest_hit`] of each of a tile's rays.
    fn camera_hits(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<Option<RayHit>>;

    /// [`Self::has_hit`] of each of a tile's rays.
    fn camera_any(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<bool>;

    /// Has the search consider the triangles that its arc may hit.
    fn search_along_arc(&self, search: &mut ArcSearch);

    /// Prefetches what the search of an arc reads first, where that is worth it.
    fn prefetch_arc(&self, _arc: &BallisticArc) {}

    /// The closest point.
    fn closest(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint>;

    /// The closest point, with a negative distance inside.
    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint>;
}

type Surface<'a> = &'a dyn SurfaceQueries;

pub(crate) fn cast_rays_all(surface: Surface<'_>, rays: &[Ray], sides: Sides) -> Vec<Vec<RayHit>> {
    answers_of(rays, |ray| surface.all_hits(ray, sides))
}

pub(crate) fn cast_arc(
    surface: Surface<'_>,
    arc: &BallisticArc,
    settings: RayCastSettings,
) -> Option<RayHit> {
    if let Some(ray) = arc.as_ray() {
        return surface.nearest_hit(&ray, settings.sides);
    }
    let mut search = ArcSearch::nearest(arc, settings);
    surface.search_along_arc(&mut search);
    search.into_best()
}

pub(crate) fn cast_arc_any(
    surface: Surface<'_>,
    arc: &BallisticArc,
    settings: RayCastSettings,
) -> bool {
    if let Some(ray) = arc.as_ray() {
        return surface.has_hit(&ray, settings.sides);
    }
    let mut search = ArcSearch::any(arc, settings);
    surface.search_along_arc(&mut search);
    search.is_hit()
}

pub(crate) fn cast_arcs(
    surface: Surface<'_>,
    arcs: &[BallisticArc],
    settings: RayCastSettings,
) -> Vec<Option<RayHit>> {
    answers_of_arcs(surface, arcs, |arc| cast_arc(surface, arc, settings))
}

pub(crate) fn cast_arcs_any(
    surface: Surface<'_>,
    arcs: &[BallisticArc],
    settings: RayCastSettings,
) -> Vec<bool> {
    answers_of_arcs(surface, arcs, |arc| cast_arc_any(surface, arc, settings))
}

/// How many arcs ahead a start is prefetched.
const AHEAD: usize = 4;

/// Answers each arc, and meanwhile prefetches the start of one that follows: at terrain most of the time of
/// an arc by itself is spent waiting for that.
fn answers_of_arcs<A: Clone + Default + Send>(
    surface: Surface<'_>,
    arcs: &[BallisticArc],
    answer: impl Fn(&BallisticArc) -> A + Sync,
) -> Vec<A> {
    let mut answers = vec![A::default(); arcs.len()];
    answer_queries(arcs, &mut answers, |arcs, answers| {
        for (k, one) in answers.iter_mut().enumerate() {
            if let Some(next) = arcs.get(k + AHEAD) {
                surface.prefetch_arc(next);
            }
            *one = answer(&arcs[k]);
        }
    });
    answers
}

pub(crate) fn cast_shape(surface: Surface<'_>, cast: &ShapeCast, sides: Sides) -> Option<ShapeHit> {
    PreparedCast::new(cast, sides).first_hit(surface)
}

pub(crate) fn cast_shape_any(surface: Surface<'_>, cast: &ShapeCast, sides: Sides) -> bool {
    PreparedCast::new(cast, sides).meets_any(surface)
}

pub(crate) fn cast_shapes(
    surface: Surface<'_>,
    casts: &[ShapeCast],
    sides: Sides,
) -> Vec<Option<ShapeHit>> {
    answers_of(casts, |cast| cast_shape(surface, cast, sides))
}

pub(crate) fn cast_shapes_any(
    surface: Surface<'_>,
    casts: &[ShapeCast],
    sides: Sides,
) -> Vec<bool> {
    answers_of(casts, |cast| cast_shape_any(surface, cast, sides))
}

pub(crate) fn cast_turning(surface: Surface<'_>, cast: &TurningCast) -> Option<TurningHit> {
    if cast.angle() == 0.0 {
        let hit = cast_shape(surface, cast.cast(), Sides::Both)?;
        return Some(TurningHit::of_plain(hit));
    }
    if cast.cast().is_empty() {
        return None;
    }
    let found = PreparedTurning::new(cast).first_triangle(surface, 1.0)?;
    Some(found.hit())
}

pub(crate) fn cast_turnings(
    surface: Surface<'_>,
    casts: &[TurningCast],
) -> Vec<Option<TurningHit>> {
    answers_of(casts, |cast| cast_turning(surface, cast))
}

pub(crate) fn contacts(
    surface: Surface<'_>,
    shape: &Primitive,
    margin: f32,
    each: ContactsPer,
) -> Vec<Contact> {
    ContactQuery::new(shape, margin).with_triangles(surface, each)
}

pub(crate) fn contacts_of_shapes(
    surface: Surface<'_>,
    shapes: &[Primitive],
    margin: f32,
    each: ContactsPer,
) -> Vec<Vec<Contact>> {
    answers_of(shapes, |shape| contacts(surface, shape, margin, each))
}

pub(crate) fn overlaps_shape(surface: Surface<'_>, shape: &Primitive) -> bool {
    ContactQuery::new(shape, 0.0).overlaps(surface)
}

pub(crate) fn overlaps_shapes(surface: Surface<'_>, shapes: &[Primitive]) -> Vec<bool> {
    answers_of(shapes, |shape| overlaps_shape(surface, shape))
}

pub(crate) fn closest_points(
    surface: Surface<'_>,
    points: &[Vec3],
    max_distance: f32,
) -> Vec<Option<ClosestPoint>> {
    answers_of(points, |point| surface.closest(*point, max_distance))
}

pub(crate) fn closest_points_signed(
    surface: Surface<'_>,
    points: &[Vec3],
    max_distance: f32,
) -> Vec<Option<ClosestPoint>> {
    answers_of(points, |point| surface.closest_signed(*point, max_distance))
}
