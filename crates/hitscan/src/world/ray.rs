//! Rays against the whole world: nearest, any and all hits.

use super::figure::Figure;
use super::object::{Object, ObjectId, Shape};
use super::placement::{MARGIN, greatest};
use super::{Filter, Moment};
use crate::all_hits::PartCrossings;
use crate::bvh::Probe;
use crate::hit::unit;
use crate::ray::LocalRay;
use crate::ray_triangle::Crossing;
use crate::solid::{Passage, SolidHit};
use crate::{Hit, Ray, Side};
use core::ops::ControlFlow;

/// A hit, and the object that was met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldHit {
    /// The object that was met.
    pub object: ObjectId,
    /// Where it was met.
    pub hit: Hit,
}

/// What decides between two hits: t, then object, part and triangle.
type Rank = (f32, ObjectId, u32, u32);

/// A hit that may still be beaten; it becomes a [`Hit`] only at the end.
#[derive(Clone, Copy)]
enum Candidate {
    Crossing(Crossing),
    Solid(SolidHit),
}

/// The nearest hit found so far.
#[derive(Default)]
struct Nearest {
    best: Option<(Rank, Candidate)>,
}

impl Moment<'_> {
    /// The nearest hit of `ray` on what `filter` sees; sides alone do as a filter.
    ///
    /// Of hits with the same t the lowest object answers, then the lowest part, then the lowest
    /// triangle.
    #[must_use]
    pub fn cast_ray<'f>(&self, ray: &Ray, filter: impl Into<Filter<'f>>) -> Option<WorldHit> {
        let filter = filter.into();
        let wide = LocalRay::from(ray);
        let probe = probe(&wide);
        let mut nearest = Nearest::default();
        let _ = self.tree().cast(&probe, f32::INFINITY, |slot| {
            self.ask_object(slot, &filter, |object| {
                nearest.meet(object, ray, &wide, &probe, &filter);
            });
            ControlFlow::Continue(nearest.limit())
        });
        let ((_, id, part, triangle), candidate) = nearest.best?;
        self.ask_object(id.slot(), &filter, |object| {
            world_hit(ray, object, part, triangle, candidate)
        })
    }

    /// Whether `ray` hits anything that `filter` sees.
    #[must_use]
    pub fn cast_ray_any<'f>(&self, ray: &Ray, filter: impl Into<Filter<'f>>) -> bool {
        let filter = filter.into();
        let wide = LocalRay::from(ray);
        let probe = probe(&wide);
        let visit = |slot: u32| {
            let is_hit = self.ask_object(slot, &filter, |object| {
                is_hit(object, ray, &wide, &probe, &filter)
            });
            if is_hit == Some(true) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(f32::INFINITY)
            }
        };
        self.tree().cast(&probe, f32::INFINITY, visit).is_break()
    }

    /// All hits of `ray` on what `filter` sees, nearest first.
    ///
    /// A crossing at an edge or corner that triangles share counts as if the ray were moved aside
    /// by one fixed infinitesimal, so that the crossings of a closed part alternate between front
    /// and back; a touch that this would lose is one front and one back hit. Solids give entry and
    /// exit. Hits with the same t are in the order of objects and parts.
    #[must_use]
    pub fn cast_ray_all<'f>(&self, ray: &Ray, filter: impl Into<Filter<'f>>) -> Vec<WorldHit> {
        let filter = filter.into();
        let wide = LocalRay::from(ray);
        let probe = probe(&wide);
        let mut hits = Vec::new();
        let _ = self.tree().cast(&probe, f32::INFINITY, |slot| {
            self.ask_object(slot, &filter, |object| {
                all_hits(object, ray, &wide, &probe, &mut hits);
            });
            ControlFlow::Continue(f32::INFINITY)
        });
        // The sort is stable: the order within a part stays as it was found.
        hits.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        hits.into_iter()
            .map(|(_, hit)| hit)
            .filter(|hit| filter.sides().admits(hit.hit.side))
            .collect()
    }
}

/// The ray as trees see it, widened by what transforms into parts may carry it off.
fn probe(ray: &LocalRay) -> Probe {
    let margin = MARGIN * greatest(ray.origin);
    let corners = (ray.origin - margin, ray.origin + margin);
    Probe::moving_box(corners, ray.direction, (ray.t_min, ray.t_max))
}

impl Nearest {
    /// The greatest t that still matters.
    fn limit(&self) -> f32 {
        self.best.as_ref().map_or(f32::INFINITY, |(rank, _)| rank.0)
    }

    fn offer(&mut self, rank: Rank, candidate: Candidate) {
        if self.best.as_ref().is_none_or(|(other, _)| rank < *other) {
            self.best = Some((rank, candidate));
        }
    }

    fn meet(
        &mut self,
        object: &Object,
        ray: &Ray,
        wide: &LocalRay,
        probe: &Probe,
        filter: &Filter<'_>,
    ) {
        let (id, sides) = (object.id, filter.sides());
        match &object.shape {
            Shape::HeightField(field) => {
                if let Some((triangle, crossing)) = field.nearest(wide, sides, self.limit()) {
                    self.offer((crossing.t, id, 0, triangle), Candidate::Crossing(crossing));
                }
            }
            Shape::Figure(figure) => {
                let _ = figure.cast(probe, self.limit(), |index, part| {
                    let local = part.local_ray(wide);
                    if let Some((triangle, crossing)) = part.nearest(&local, sides, self.limit()) {
                        let rank = (crossing.t, id, index, triangle);
                        self.offer(rank, Candidate::Crossing(crossing));
                    }
                    ControlFlow::Continue(self.limit())
                });
            }
            Shape::Solid(solid) => {
                if let Some(hit) = solid.nearest(ray, wide, sides) {
                    self.offer((hit.t.0, id, 0, 0), Candidate::Solid(hit));
                }
            }
        }
    }
}

fn is_hit(object: &Object, ray: &Ray, wide: &LocalRay, probe: &Probe, filter: &Filter<'_>) -> bool {
    let sides = filter.sides();
    match &object.shape {
        Shape::HeightField(field) => field.hits_any(wide, sides),
        Shape::Figure(figure) => {
            let visit = |_: u32, part: &super::placement::PlacedPart| {
                if part.is_hit(&part.local_ray(wide), sides) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(f32::INFINITY)
                }
            };
            figure.cast(probe, f32::INFINITY, visit).is_break()
        }
        Shape::Solid(solid) => solid.nearest(ray, wide, sides).is_some(),
    }
}

/// Adds all hits of an object, each with what decides its place: t, object and part.
fn all_hits(
    object: &Object,
    ray: &Ray,
    wide: &LocalRay,
    probe: &Probe,
    hits: &mut Vec<((f32, ObjectId, u32), WorldHit)>,
) {
    let mut push = |part, triangle, candidate| {
        let hit = world_hit(ray, object, part, triangle, candidate);
        hits.push(((hit.hit.t, object.id, part), hit));
    };
    match &object.shape {
        Shape::HeightField(field) => {
            let mut crossings = PartCrossings::default();
            // Nothing breaks off, so the way it ends says nothing.
            let _ = field.for_each_candidate(wide, &mut |triangle, corners| {
                crossings.test(wide, triangle, corners);
                ControlFlow::Continue(())
            });
            for (triangle, crossing) in crossings.into_sorted(|side| side) {
                push(0, triangle, Candidate::Crossing(crossing));
            }
        }
        Shape::Figure(figure) => {
            let _ = figure.cast(probe, f32::INFINITY, |index, part| {
                let local = part.local_ray(wide);
                let mut crossings = PartCrossings::default();
                part.for_each_candidate(&local, |triangle, corners| {
                    crossings.test(&local, triangle, corners);
                });
                for (triangle, crossing) in crossings.into_sorted(|side| part.turned(side)) {
                    push(index, triangle, Candidate::Crossing(crossing));
                }
                ControlFlow::Continue(f32::INFINITY)
            });
        }
        Shape::Solid(solid) => {
            for hit in solid.get().passage(ray).into_iter().flat_map(Passage::all) {
                push(0, 0, Candidate::Solid(hit));
            }
        }
    }
}

fn world_hit(
    ray: &Ray,
    object: &Object,
    part: u32,
    triangle: u32,
    candidate: Candidate,
) -> WorldHit {
    let hit = match candidate {
        Candidate::Solid(hit) => hit.into_hit(ray),
        Candidate::Crossing(crossing) => {
            let placed = match &object.shape {
                Shape::Figure(figure) => Figure::part(figure, part),
                _ => None,
            };
            let (normal, side): (_, Side) = match placed {
                Some(placed) => (
                    placed.world_normal(crossing.normal),
                    placed.turned(crossing.side),
                ),
                None => (crossing.normal, crossing.side),
            };
            let t = (crossing.t, crossing.t_wide);
            let surface = (unit(normal), side);
            Hit::new(ray, t, surface, Some(crossing.on(part, triangle)))
        }
    };
    WorldHit {
        object: object.id,
        hit,
    }
}
