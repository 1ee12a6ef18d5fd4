//! The height of the ground over all terrains: the highest answer wins.

use crate::height_field::{
    Footprint, FootprintGround, FootprintSample, Ground, GroundHeight, Wanted, fill_chunks,
    footprint_as_one, sampled_as_one,
};
use crate::parallel;
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::Snapshot;
use crate::{HeightField, ObjectId, SurfaceId};
use glam::Vec2;

impl Snapshot {
    /// The exact height of the ground at a point (x, z), of the terrains that `filter` accepts: of
    /// several terrains the highest, of equally high ones the lowest object. Where none has a
    /// height, a hole comes before being outside.
    #[must_use]
    #[inline]
    pub fn height<'f>(&self, point: impl Into<Vec2>, filter: impl Into<QueryFilter<'f>>) -> Ground {
        self.height_at(point.into(), filter.into())
    }

    fn height_at(&self, point: Vec2, filter: QueryFilter<'_>) -> Ground {
        let fields = self.terrains(filter);
        highest(fields.map(|(tag, field)| (tag, field.height_at(point))))
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
        let fields: Vec<((ObjectId, u64), &HeightField)> = self.terrains(filter).collect();
        fill_chunks(points, grounds, |points, grounds| {
            for (point, ground) in points.iter().zip(grounds) {
                let fields = fields.iter();
                *ground = highest(fields.map(|(tag, field)| (*tag, field.height_at(*point))));
            }
        });
    }

    /// The highest sample within `radius` metres of a point (x, z), over all terrains that `filter`
    /// accepts. Those of a surface ([`World::set_surface`](crate::World::set_surface)) are one map: of
    /// samples at the same x and z that of the lowest terrain counts which is no hole, and the lowest
    /// that has the highest sample is named.
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

    /// The highest of the terrains' means of the samples within `radius` metres of a point (x, z). Those of a
    /// surface are one map, as for [`Snapshot::max_height`]; the lowest that has one of the samples is named.
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
        let options = (wanted, filter.limit());
        let fields = self.terrains(filter);
        if !self.has_surfaces() {
            return highest(
                fields.map(|(tag, field)| (tag, field.sampled(point, radius, options))),
            );
        }
        let near = fields.filter(|(_, field)| field.may_have_samples(point, radius));
        let answers = self.maps(near, filter).into_iter().map(|(tags, fields)| {
            let (ground, place) = sampled_as_one(&fields, (point, radius), options);
            (tags[place], ground)
        });
        highest(answers)
    }

    /// The ground under a footprint, of the terrains that `filter` accepts: of several the one with the
    /// largest `max`, of equal ones the lowest object. Without ground a hole comes before being outside.
    ///
    /// Those of a surface ([`World::set_surface`](crate::World::set_surface)) are one map, whose lowest
    /// terrain with ground under the footprint is named: where cells of several are the same square, the
    /// ground of the lowest counts.
    #[must_use]
    pub fn footprint<'f>(
        &self,
        footprint: &Footprint,
        filter: impl Into<QueryFilter<'f>>,
    ) -> FootprintSample {
        self.sample_footprint(footprint, filter.into())
    }

    fn sample_footprint(&self, footprint: &Footprint, filter: QueryFilter<'_>) -> FootprintSample {
        let fields = self.terrains(filter);
        if !self.has_surfaces() {
            let answer = |field: &HeightField| field.footprint_within(footprint, filter.limit());
            return most(fields.map(|(tag, field)| (tag, answer(field))));
        }
        let near = fields.filter(|(_, field)| footprint.reaches(field));
        most(self.maps(near, filter).into_iter().map(|(tags, fields)| {
            let (sample, place) = footprint_as_one(&fields, footprint, filter.limit());
            (tags[place], sample)
        }))
    }

    /// Terrains, those of one surface together, in the order of their places.
    fn maps<'a>(
        &self,
        fields: impl Iterator<Item = (Tag, &'a HeightField)>,
        filter: QueryFilter<'_>,
    ) -> Vec<Map<'a>> {
        let mut maps: Vec<(Option<SurfaceId>, Map<'a>)> = Vec::new();
        for (tag, field) in fields {
            let surface = self.surface_of(tag.0);
            let same = maps
                .iter_mut()
                .find(|(other, _)| surface.is_some() && *other == surface);
            match same {
                Some((_, (tags, fields))) => {
                    tags.push(tag);
                    fields.push(field);
                }
                None => maps.push((surface, (vec![tag], vec![field]))),
            }
        }
        sort_by_rank(&mut maps, |(_, (tags, _))| {
            let [key, number] = self.place_of(tags[0].0, filter).rank();
            [key, number, 0]
        });
        maps.into_iter().map(|(_, map)| map).collect()
    }

    /// [`Snapshot::footprint`] of each footprint, in order; on the threads of rayon's current pool where
    /// the feature `parallel` is on.
    #[must_use]
    pub fn footprints<'f>(
        &self,
        footprints: &[Footprint],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<FootprintSample> {
        let mut samples = vec![FootprintSample::Outside; footprints.len()];
        self.footprints_into(footprints, filter, &mut samples);
        samples
    }

    /// As [`Snapshot::footprints`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn footprints_into<'f>(
        &self,
        footprints: &[Footprint],
        filter: impl Into<QueryFilter<'f>>,
        samples: &mut [FootprintSample],
    ) {
        let filter = filter.into();
        parallel::answer_each(footprints, samples, |footprint| {
            self.sample_footprint(footprint, filter)
        });
    }

    /// The terrains that `filter` accepts, in order.
    pub fn height_fields<'a>(
        &'a self,
        filter: impl Into<QueryFilter<'a>>,
    ) -> impl Iterator<Item = (ObjectId, &'a HeightField)> {
        let fields = self.terrains(filter.into());
        fields.map(|((object, _), field)| (object, field))
    }
}

/// What answers name a terrain by.
type Tag = (ObjectId, u64);

/// The terrains of a map, in order.
type Map<'a> = (Vec<Tag>, Vec<&'a HeightField>);

/// The highest of the terrains' answers, of equal ones the first; without a height a hole, then an
/// empty circle, then being outside.
fn highest(answers: impl Iterator<Item = (Tag, Ground)>) -> Ground {
    let mut best = Ground::Outside;
    for ((object, user_data), answer) in answers {
        best = match (answer, best) {
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

/// That of the terrains' answers with the largest `max`, of equal ones the first; without ground a hole,
/// then being outside.
fn most(answers: impl Iterator<Item = (Tag, FootprintSample)>) -> FootprintSample {
    let mut best = FootprintSample::Outside;
    for ((object, user_data), answer) in answers {
        best = match (answer, best) {
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
