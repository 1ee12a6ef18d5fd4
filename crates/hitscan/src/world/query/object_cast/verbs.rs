//! The queries of a snapshot with objects that move.

use crate::Sides;
use crate::parallel::answer_chunks;
use crate::query::options::QueryOptions;
use crate::world::Snapshot;
use crate::world::object_cast::{ObjectCast, ObjectHit};

/// The number of casts a task: each takes long.
const CASTS_A_TASK: usize = 4;

impl Snapshot {
    /// The first hit of an object that moves with the other objects and sides that `options` admit. It moves as it
    /// is, with all its parts, and is no obstacle itself, whatever `options` say of it.
    ///
    /// Each pair of a triangle or solid of the mover and one of an obstacle is a shape cast of its own
    /// ([`Snapshot::cast_shape`]); surfaces have no inside, so a mesh that is wholly inside another hits nothing of it. Of
    /// two without radius, one of which is a hull or a triangle that moves, the sides of their difference
    /// decide, as [`Primitive::cast_shape`](crate::Primitive::cast_shape) says of hulls. An overlap at the
    /// start is a hit at t = 0. Of hits with the same t that of the lowest object is returned; within an
    /// object an overlap before others, then the least exact time rounded down to f64, then what inner edges
    /// of neither surface suppress ([`TriMesh::cast_shape`](crate::TriMesh::cast_shape)), then the lowest
    /// triangle of the obstacle, then of the mover.
    ///
    /// A mover that is one solid is answered as [`Snapshot::cast_shape`] answers for that solid. Terrain does not
    /// move: it hits nothing, as does an object that is not there.
    ///
    /// ```
    /// use hitscan::{Aabb, ObjectCast, TriMesh, World, glam::Vec3};
    /// let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    /// let panel = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// let mut world = World::new();
    /// let panel = world.add(panel);
    /// let wall = world.add(Aabb::new([-4.0, 0.0, 3.0], [4.0, 2.0, 4.0])?);
    /// world.update();
    /// let push = ObjectCast::new(panel, [0.0, 0.0, 4.0])?;
    /// let hit = world.now().cast_object(&push, ()).expect("the wall is in the way");
    /// assert_eq!((hit.object, hit.t, hit.normal.z), (Some(wall), 0.75, -1.0));
    /// assert_eq!(hit.mover_triangle.map(|own| own.triangle), Some(0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Accuracy
    /// As of [`Snapshot::cast_shape`]: every decision is exact on the corners in the world, and `t` is the exact time
    /// rounded once.
    #[must_use]
    pub fn cast_object<'f>(
        &self,
        cast: &ObjectCast,
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Option<ObjectHit> {
        self.first_object_hit(cast, options.into())
    }

    /// Whether an object that moves hits anything that `options` admit, or overlaps it at the start; see
    /// [`Snapshot::cast_object`].
    #[must_use]
    pub fn cast_object_any<'f>(
        &self,
        cast: &ObjectCast,
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> bool {
        self.is_object_hit(cast, options.into())
    }

    /// The first hit of an object that moves with each other object that `options` admit, in order of t, then of the
    /// objects. It does not stop at any of them. The objects of a surface have one first hit.
    #[must_use]
    pub fn cast_object_all<'f>(
        &self,
        cast: &ObjectCast,
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<ObjectHit> {
        self.object_hits(cast, options.into())
    }

    /// [`Snapshot::cast_object`] for each object that moves, in order.
    #[must_use]
    pub fn cast_objects<'f>(
        &self,
        casts: &[ObjectCast],
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<Option<ObjectHit>> {
        let mut hits = vec![None; casts.len()];
        self.cast_objects_into(casts, options, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_objects`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_objects_into<'f>(
        &self,
        casts: &[ObjectCast],
        options: impl Into<QueryOptions<'f, Sides>>,
        hits: &mut [Option<ObjectHit>],
    ) {
        let options = options.into();
        answer_each(casts, hits, |cast| self.first_object_hit(cast, options));
    }

    /// [`Snapshot::cast_object_any`] for each object that moves, in order.
    #[must_use]
    pub fn cast_objects_any<'f>(
        &self,
        casts: &[ObjectCast],
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<bool> {
        let mut are_hits = vec![false; casts.len()];
        self.cast_objects_any_into(casts, options, &mut are_hits);
        are_hits
    }

    /// As [`Snapshot::cast_objects_any`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_objects_any_into<'f>(
        &self,
        casts: &[ObjectCast],
        options: impl Into<QueryOptions<'f, Sides>>,
        are_hits: &mut [bool],
    ) {
        let options = options.into();
        answer_each(casts, are_hits, |cast| self.is_object_hit(cast, options));
    }

    /// [`Snapshot::cast_object_all`] for each object that moves, in order.
    #[must_use]
    pub fn cast_objects_all<'f>(
        &self,
        casts: &[ObjectCast],
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<Vec<ObjectHit>> {
        let options = options.into();
        let mut hits = vec![Vec::new(); casts.len()];
        answer_each(casts, &mut hits, |cast| self.object_hits(cast, options));
        hits
    }
}

/// Fills in what `answer` makes of each cast.
///
/// # Panics
/// If there are not as many answers as casts.
fn answer_each<A: Send>(
    casts: &[ObjectCast],
    answers: &mut [A],
    answer: impl Fn(&ObjectCast) -> A + Sync,
) {
    answer_chunks(casts, answers, CASTS_A_TASK, |casts, answers| {
        for (cast, one) in casts.iter().zip(answers) {
            *one = answer(cast);
        }
    });
}
