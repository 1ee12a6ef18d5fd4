//! parry3d's characters: a `TriMesh` each, rebuilt or refitted to all its vertices each frame, and a
//! tree over them. Their vertices are skinned by hitscan, as parry has no skins.

use super::parry::vector;
use crate::answer::Met;
use crate::inputs::Question;
use crate::inputs::characters::{Characters, Place};
use crate::label::{Family, Label};
use crate::subject::{Subject, Subjects};
use crate::workloads::characters::{self, Cast};
use hitscan::model::Pose as ModelPose;
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray, RayCast};
use parry3d::shape::TriMesh;
use std::ops::Range;
use std::rc::Rc;

fn label(way: &str) -> Label {
    Label::new(Family::Parry, format!("TriMesh, {way}"))
}

fn world_from_model(place: &Place) -> Pose {
    let translation = vector([place.x as f32, 0.0, place.z as f32]);
    Pose::from_parts(translation, Rotation::from_rotation_y(place.angle as f32))
}

fn vertices(characters: &Characters, pose: &ModelPose) -> Vec<Vector> {
    let posed = characters.model.skinned(pose).expect("the pose is its own");
    let positions = posed.parts()[0].positions(&characters.model.parts()[0]);
    let vectors = positions.iter().map(|at| vector(at.to_array()));
    vectors.collect()
}

fn mesh(characters: &Characters, pose: &ModelPose) -> TriMesh {
    let triangles = characters.model.parts()[0].mesh().triangles().to_vec();
    TriMesh::new(vertices(characters, pose), triangles).expect("the character has triangles")
}

fn ray(question: &Question) -> Ray {
    Ray::new(vector(question.origin), vector(question.direction))
}

/// What becomes of the trees when vertices move.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Rebuild,
    Refit,
}

struct Crowd {
    way: Way,
    tree: Bvh,
    meshes: Vec<TriMesh>,
    places: Vec<Pose>,
}

impl Crowd {
    fn rebuild(&mut self, characters: &Characters, frame: u64) {
        let poses = characters.poses(frame);
        self.meshes = poses.map(|pose| mesh(characters, &pose)).collect();
    }

    fn refit(&mut self, characters: &Characters, frame: u64) {
        for (mesh, pose) in self.meshes.iter_mut().zip(characters.poses(frame)) {
            mesh.set_vertices(&vertices(characters, &pose));
        }
    }
}

impl Cast for Crowd {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.places = characters.places.iter().map(world_from_model).collect();
        if self.way == Way::Refit {
            self.rebuild(characters, timed.start - 1);
        }
    }

    fn step(&mut self, characters: &Characters, frame: u64) {
        match self.way {
            Way::Rebuild => self.rebuild(characters, frame),
            Way::Refit => self.refit(characters, frame),
        }
        let placed = self.meshes.iter().zip(&self.places);
        let boxes: Vec<Aabb> = placed.map(|(mesh, place)| mesh.aabb(place)).collect();
        self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        let cast = |number: u32, limit: f32| {
            let number = number as usize;
            self.meshes[number].cast_ray(&self.places[number], ray, limit, true)
        };
        let (primitive, t) = self.tree.cast_ray(ray, f32::MAX, cast)?;
        Some(Met { t, primitive })
    }
}

pub fn frames<'a>(characters: &Rc<Characters>, count: usize) -> Subjects<'a, Option<Met>> {
    let ways = [
        ("rebuilt, all vertices skinned", Way::Rebuild),
        ("refitted, all vertices skinned", Way::Refit),
    ];
    let subject = |(name, way)| {
        let crowd = Crowd {
            way,
            tree: Bvh::new(),
            meshes: Vec::new(),
            places: Vec::new(),
        };
        characters::frames(label(name), crowd, characters, count)
    };
    ways.map(subject).into()
}

/// Meshes of the posed vertices, built before the clock starts.
#[derive(Default)]
struct Static {
    first: u64,
    meshes: Vec<TriMesh>,
    current: usize,
}

impl Cast for Static {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.first = timed.start;
        let poses = timed.filter_map(|frame| characters.poses(frame).next());
        self.meshes = poses.map(|pose| mesh(characters, &pose)).collect();
    }

    fn step(&mut self, _: &Characters, frame: u64) {
        self.current = (frame - self.first) as usize;
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        let mesh = self.meshes.get(self.current)?;
        let hit = mesh.cast_local_ray_and_get_normal(ray, f32::MAX, true)?;
        Some(Met {
            t: hit.time_of_impact,
            primitive: hit.subshape,
        })
    }
}

pub fn one_character<'a>(
    characters: &Rc<Characters>,
    count: usize,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let label = label("static, building not counted");
    characters::frames(label, Static::default(), characters, count)
}
