//! parry3d on boxes and spheres, and on edits of terrain, which it answers by a new terrain.

use super::parry::{Terrain, vector};
use crate::answer::Met;
use crate::inputs::{self, Question};
use crate::label::{Family, Label};
use crate::subject::{Subject, Subjects, each};
use crate::workloads::boxes::{BoxPair, Primitive};
use crate::workloads::edit::Edit;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::query::details::ray_toi_with_ball;
use parry3d::query::{Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d::shape::Cuboid;

fn label(way: &str) -> Label {
    Label::new(Family::Parry, way)
}

fn aabb(solid: &Primitive) -> Aabb {
    Aabb::new(vector(solid.min), vector(solid.max))
}

pub fn touching_boxes<'a>(boxes: &[Primitive], queries: &[Primitive]) -> Subjects<'a, u32> {
    let boxes: Vec<Aabb> = boxes.iter().map(aabb).collect();
    let ask = move |query: &Aabb| {
        let touching = boxes.iter().filter(|other| query.intersects(other));
        touching.count() as u32
    };
    vec![each(
        label("Aabb"),
        queries.iter().map(aabb).collect(),
        None,
        ask,
    )]
}

pub fn moving_boxes<'a>(pairs: &[BoxPair]) -> Subjects<'a, Option<f32>> {
    let boxes = pairs.iter().map(|pair| {
        let (moving, resting) = (aabb(&pair.moving), aabb(&pair.resting));
        (moving, vector(pair.motion), resting)
    });
    let sum = |(moving, motion, resting): &(Aabb, Vector, Aabb)| {
        let middle = moving.center();
        let half = moving.half_extents();
        let sum = Aabb::new(resting.mins - half, resting.maxs + half);
        sum.cast_local_ray(&Ray::new(middle, *motion), 1.0, true)
    };
    let shapes = pairs.iter().map(|pair| {
        let placed = |solid: &Primitive| {
            let solid = aabb(solid);
            let place = solid.center();
            (
                Pose::from_translation(place),
                Cuboid::new(solid.half_extents()),
            )
        };
        (
            placed(&pair.moving),
            vector(pair.motion),
            placed(&pair.resting),
        )
    });
    type Placed = (Pose, Cuboid);
    let cast = |((at, moving), motion, (other, resting)): &(Placed, Vector, Placed)| {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let hit = cast_shapes(at, *motion, moving, other, Vector::ZERO, resting, options);
        Some(hit.ok()??.time_of_impact)
    };
    vec![
        each(label("ray on Minkowski sum"), boxes.collect(), None, sum),
        each(label("cast_shapes"), shapes.collect(), None, cast),
    ]
}

pub fn ray_and_spheres<'a>(
    spheres: &[([f32; 3], f32)],
    questions: &[Question],
) -> Subjects<'a, Option<Met>> {
    let spheres: Vec<(Vector, f32)> = spheres
        .iter()
        .map(|(center, radius)| (vector(*center), *radius))
        .collect();
    let ray = |question: &Question| Ray::new(vector(question.origin), vector(question.direction));
    let ask = move |ray: &Ray| {
        let mut nearest: Option<Met> = None;
        for ((center, radius), primitive) in spheres.iter().zip(0..) {
            if let Some(t) = ray_toi_with_ball(*center, *radius, ray, true).1
                && nearest.is_none_or(|met| t < met.t)
            {
                nearest = Some(Met { t, primitive });
            }
        }
        nearest
    };
    vec![each(
        label("Ball"),
        questions.iter().map(ray).collect(),
        None,
        ask,
    )]
}

struct Rebuilding<'a> {
    label: Label,
    first: &'a inputs::Terrain,
    map: inputs::Terrain,
    edits: &'a [Edit],
    answers: Vec<Option<Met>>,
}

pub fn edit_terrain<'a>(
    terrain: &'a inputs::Terrain,
    edits: &'a [Edit],
) -> Box<dyn Subject<Option<Met>> + 'a> {
    Box::new(Rebuilding {
        label: label("HeightField, built anew"),
        first: terrain,
        map: terrain.clone(),
        edits,
        answers: vec![None; edits.len()],
    })
}

impl Subject<Option<Met>> for Rebuilding<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.map = self.first.clone();
    }

    fn pass(&mut self) {
        for (edit, answer) in self.edits.iter().zip(&mut self.answers) {
            edit.apply(&mut self.map);
            *answer = Terrain::new(&self.map).cast(&edit.question);
        }
    }

    fn answers(&mut self) -> Vec<Option<Met>> {
        self.answers.clone()
    }
}
