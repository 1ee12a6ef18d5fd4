//! The turning cast against the whole world.

use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::turning_cast::search::{Piece, PieceFound, PreparedTurning, VisitPiece};
use crate::parallel::answer_each;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::SeenParts;
use crate::{ObjectId, Sides, TriangleId, TurningCast, TurningHit, TurningStatus};
use core::ops::ControlFlow;
use glam::DVec3;

impl Snapshot {
    /// What a turning shape comes to first of all that `filter` accepts, or `None`: then it overlaps nothing at
    /// any time. Both sides of triangles count, and no contact is suppressed.
    ///
    /// Of hits with the same t that of the lowest object is returned, the objects of a
    /// surface ([`World::set_surface`](crate::World::set_surface)) having the place of the lowest of them; what is
    /// undecided comes after all others at that t. With an angle of 0 it is the answer of
    /// [`Snapshot::cast_shape`].
    ///
    /// ```
    /// use hitscan::{Aabb, Obb, ShapeCast, TurningStatus, World, glam::DQuat};
    /// let mut world = World::new();
    /// let post = world.add(Aabb::new([2.0, 0.0, -0.25], [2.5, 3.0, 0.25])?);
    /// world.update();
    /// // A beam of 4 m lies along z and turns by a right angle until it lies along x.
    /// let beam = Obb::new([0.0, 1.0, 0.0], [0.125, 0.125, 2.25], DQuat::IDENTITY)?;
    /// let swing = ShapeCast::new(beam, [0.0; 3])?
    ///     .turning([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2)?
    ///     .with_tolerance(1e-3)?;
    /// let hit = world.now().cast_turning(&swing, ()).expect("the post is in the way");
    /// assert_eq!((hit.object, hit.status), (Some(post), TurningStatus::Hit));
    /// assert!(hit.t > 0.8 && hit.t < 1.0 && hit.gap <= 1e-3);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_turning<'f>(
        &self,
        cast: &TurningCast,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<TurningHit> {
        self.first_turning_hit(cast, filter.into())
    }

    /// [`Snapshot::cast_turning`] for each turning shape, in order; on the threads of rayon's current pool where
    /// the feature `parallel` is on.
    #[must_use]
    pub fn cast_turnings<'f>(
        &self,
        casts: &[TurningCast],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<TurningHit>> {
        let mut hits = vec![None; casts.len()];
        self.cast_turnings_into(casts, filter, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_turnings`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_turnings_into<'f>(
        &self,
        casts: &[TurningCast],
        filter: impl Into<QueryFilter<'f>>,
        hits: &mut [Option<TurningHit>],
    ) {
        let filter = filter.into();
        answer_each(casts, hits, |cast| self.first_turning_hit(cast, filter));
    }

    pub(super) fn first_turning_hit(
        &self,
        cast: &TurningCast,
        filter: QueryFilter<'_>,
    ) -> Option<TurningHit> {
        if cast.angle() == 0.0 {
            let hit = self.first_shape_hit(cast.cast(), (Sides::Both, filter).into())?;
            return Some(TurningHit::of_plain(hit));
        }
        if cast.cast().is_empty() {
            return None;
        }
        let prepared = PreparedTurning::new(cast);
        let [min, max] = prepared.reach();
        let mut first: Option<Found> = None;
        let _ = self.tree().touching((min, max), |slot| {
            filter.step()?;
            self.with_object(slot, &filter, |object| {
                let latest = first.as_ref().map_or(1.0, |first| first.piece.pair.t);
                let found = first_of(&prepared, object, latest, &filter).map(|piece| Found {
                    piece,
                    object: object.id,
                    place: self.place_of(object.id, filter),
                });
                if let Some(found) = found
                    && first.as_ref().is_none_or(|best| found.is_before(best))
                {
                    first = Some(found);
                }
            });
            ControlFlow::Continue(())
        });
        let found = first?;
        let (object, user_data) = self.tagged(found.object);
        Some(TurningHit {
            object: Some(object),
            user_data,
            ..found.piece.hit()
        })
    }
}

/// What is found of an object.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) piece: PieceFound,
    pub(super) object: ObjectId,
    /// What ties are decided by: the object, or the lowest of its surface.
    pub(super) place: ObjectId,
}

impl Found {
    pub(super) fn is_before(&self, other: &Self) -> bool {
        let (pair, others) = (&self.piece.pair, &other.piece.pair);
        let is_undecided = |status: TurningStatus| status == TurningStatus::Undecided;
        let is_no_overlap = |status: TurningStatus| status != TurningStatus::Overlap;
        (pair.t.total_cmp(&others.t))
            .then(is_undecided(pair.status).cmp(&is_undecided(others.status)))
            .then(self.place.cmp(&other.place))
            .then(is_no_overlap(pair.status).cmp(&is_no_overlap(others.status)))
            .then(self.object.cmp(&other.object))
            .is_lt()
    }
}

fn first_of(
    prepared: &PreparedTurning<'_>,
    object: &Object,
    latest: f32,
    filter: &QueryFilter<'_>,
) -> Option<PieceFound> {
    let first = |source: &dyn TriangleSource| prepared.first_triangle(source, latest);
    match &object.shape {
        Shape::HeightField(field) => filter.with_source(&**field, first),
        Shape::Instance(instance) => filter.with_source(&instance.parts(), first),
        Shape::Primitive(primitive) => {
            let solid = primitive.get();
            let piece = Piece {
                id: None,
                convex: Convex::from(&solid),
            };
            prepared.first_single(piece, latest)
        }
        Shape::Compound(compound) => {
            let meshes = compound.meshes().map(|meshes| meshes.parts());
            let of_meshes = meshes.and_then(|meshes| filter.with_source(&meshes, first));
            let latest = of_meshes.as_ref().map_or(latest, |found| found.pair.t);
            let of_solids = first_part(prepared, compound.seen(object.id, filter), latest);
            match (of_meshes, of_solids) {
                (Some(mesh), Some(solid)) if solid.is_before(&mesh) => Some(solid),
                (mesh, solid) => mesh.or(solid),
            }
        }
    }
}

fn first_part<'a>(
    prepared: &PreparedTurning<'_>,
    parts: SeenParts<'a>,
    latest: f32,
) -> Option<PieceFound> {
    let pieces = |[min, max]: [DVec3; 2], visit: VisitPiece<'_, 'a>| {
        let _ = parts.touching((min, max), |part, solid| {
            visit(Piece {
                id: TriangleId::in_part(None, part),
                convex: Convex::from(solid),
            })
        });
    };
    prepared.first_of(&pieces, latest)
}
