//! The height of the ground over all terrains: the highest answer wins.

use crate::HeightField;
use crate::ObjectId;
use crate::height_field::{
    Footprint, FootprintGround, FootprintSample, Ground, GroundHeight, Wanted, fill_chunks,
};
use crate::parallel;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use glam::Vec2;

impl Snapshot {
    /// The exact height of the ground at a point (x, z), of the terrains that `filter` accepts: of
    /// several terrains the highest, of equally high ones the lowest object index. Where none has a
    /// height, a hole comes before being outside.
    #[must_use]
    #[inline]
    pub fn height<'f>(&self, point: impl Into<Vec2>, filter: impl Into<QueryFilter<'f>>) -> Ground {
        self.height_at(point.into(), filter.into())
    }

    fn height_at(&self, point: Vec2, filter: QueryFilter<'_>) -> Ground {
        highest(self.state().height_fields(filter), |field| {
            field.height_at(point)
        })
    }

    /// [`Snapshot::height`] at each point (x, z), in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn heights<'f>(&self, points: &[Vec2], filter: impl Into<QueryFilter<'f>>) -> Vec<Ground> {
        let mut grounds = vec![Ground::Outside; points.len()];
        self.heights_into(points, filter.into(), &mut grounds);
        grounds
    }

    /// As [`Snapshot::heights`], into a slice.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn heights_into<'f>(
        &self,
        points: &[Vec2],
        filter: impl Into<QueryFilter<'f>>,
        grounds: &mut [Ground],
    ) {
        self.fill_heights(points, filter.into(), grounds)
    }

    fn fill_heights(&self, points: &[Vec2], filter: QueryFilter<'_>, grounds: &mut [Ground]) {
        let fields: Vec<((ObjectId, u64), &HeightField)> =
            self.state().height_fields(filter).collect();
        fill_chunks(points, grounds, |points, grounds| {
            for (point, ground) in points.iter().zip(grounds) {
                *ground = highest(fields.iter().copied(), |field| field.height_at(*point));
            }
        });
    }

    /// The highest sample within `radius` metres of a point (x, z), over all terrains that `filter`
    /// accepts.
    #[must_use]
    #[inline]
    pub fn max_height<'f>(
        &self,
        point: impl Into<Vec2>,
        radius: impl Into<f64>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Ground {
        self.sampled(point.into(), radius.into(), Wanted::Max, filter.into())
    }

    /// The highest of the terrains' means of the samples within `radius` metres of a point (x, z).
    #[must_use]
    #[inline]
    pub fn mean_height<'f>(
        &self,
        point: impl Into<Vec2>,
        radius: impl Into<f64>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Ground {
        self.sampled(point.into(), radius.into(), Wanted::Mean, filter.into())
    }

    fn sampled(&self, point: Vec2, radius: f64, wanted: Wanted, filter: QueryFilter<'_>) -> Ground {
        highest(self.state().height_fields(filter), |field| {
            field.sampled(point, radius, (wanted, filter.limit()))
        })
    }

    /// The ground under a footprint, of the terrains that `filter` accepts: of several the one with the
    /// largest `max`, of equal ones the lowest object index. Without ground a hole comes before being outside.
    #[must_use]
    pub fn footprint<'f>(
        &self,
        footprint: &Footprint,
        filter: impl Into<QueryFilter<'f>>,
    ) -> FootprintSample {
        self.sample_footprint(footprint, filter.into())
    }

    fn sample_footprint(&self, footprint: &Footprint, filter: QueryFilter<'_>) -> FootprintSample {
        let mut best = FootprintSample::Outside;
        for ((object, user_data), field) in self.state().height_fields(filter) {
            best = match (field.footprint_within(footprint, filter.limit()), best) {
                (FootprintSample::Ground(own), FootprintSample::Ground(other))
                    if own.max <= other.max =>
                {
                    best
                }
                (FootprintSample::Ground(own), _) => FootprintSample::Ground(FootprintGround {
                    object: Some(object),
                    user_data,
                    ..own
                }),
                (FootprintSample::Hole, FootprintSample::Outside) => FootprintSample::Hole,
                _ => best,
            };
        }
        best
    }

    /// [`Snapshot::footprint`] of each footprint, in order; on the threads of rayon's current pool where
    /// the feature `parallel` is on.
    #[must_use]
    pub fn footprints<'f>(
        &self,
        footprints: &[Footprint],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<FootprintSample> {
        let filter = filter.into();
        let mut answers = vec![FootprintSample::Outside; footprints.len()];
        parallel::answer_each(footprints, &mut answers, |footprint| {
            self.footprint(footprint, filter)
        });
        answers
    }

    /// The terrains that `filter` accepts, in order.
    pub fn height_fields<'a>(
        &'a self,
        filter: impl Into<QueryFilter<'a>>,
    ) -> impl Iterator<Item = (ObjectId, &'a HeightField)> {
        let fields = self.state().height_fields(filter.into());
        fields.map(|((object, _), field)| (object, field))
    }
}

/// The highest of the terrains' answers, of equal ones the first; without a height a hole, then an
/// empty circle, then being outside.
fn highest<'a>(
    fields: impl Iterator<Item = ((ObjectId, u64), &'a HeightField)>,
    query: impl Fn(&HeightField) -> Ground,
) -> Ground {
    let mut best = Ground::Outside;
    for ((object, user_data), field) in fields {
        best = match (query(field), best) {
            (Ground::Height(own), Ground::Height(other)) if own.height <= other.height => best,
            (Ground::Height(own), _) => Ground::Height(GroundHeight {
                object: Some(object),
                user_data,
                ..own
            }),
            (Ground::Hole, Ground::Outside | Ground::Empty) => Ground::Hole,
            (Ground::Empty, Ground::Outside) => Ground::Empty,
            _ => best,
        };
    }
    best
}
