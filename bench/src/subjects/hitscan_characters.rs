//! hitscan's characters: posed lazily, as it is made to; and as it would be without that.

use super::hitscan::{self as own, alone, label};
use crate::answer::Met;
use crate::inputs::Question;
use crate::inputs::characters::{Characters, Place};
use crate::label::{Family, Label};
use crate::subject::{Subject, Subjects};
use crate::workloads::characters::{Cast, TICKS, frames};
use hitscan::model::{Model, PosedModel};
use hitscan::{ObjectId, Ray, RayHit, TriMesh, World};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

type Answers = Vec<Option<Met>>;

fn otherwise(way: &str) -> Label {
    Label::new(Family::HitscanOtherwise, way)
}

/// The hit's number is its character's.
fn met(hit: RayHit) -> Met {
    Met {
        t: hit.t,
        primitive: hit.object.expect("a world names what was hit").index() as u32,
    }
}

/// The hit's number is its triangle.
fn met_alone(hit: RayHit) -> Option<Met> {
    Some(Met {
        t: hit.t,
        primitive: hit.triangle?.triangle,
    })
}

/// A world whose objects are the characters.
#[derive(Default)]
struct Posed {
    world: World,
    objects: Vec<ObjectId>,
}

impl Posed {
    fn new(characters: &Characters) -> Self {
        let mut world = World::new();
        let model = &characters.model;
        let add = |place: &Place| {
            let added = world.add_model(model, model.rest_pose(), place.world_from_model());
            added.expect("places are finite")
        };
        let objects = characters.places.iter().map(add).collect();
        Self { world, objects }
    }

    fn pose(&mut self, characters: &Characters, frame: u64) {
        for (object, secs) in self.objects.iter().zip(characters.times(frame)) {
            let posed = self.world.set_pose_at(*object, 0, secs);
            posed.expect("the object and its clip are there");
        }
        alone().install(|| self.world.update());
    }
}

/// K1's frame, and K2's pose.
#[derive(Default)]
struct Lazily(Posed);

impl Cast for Lazily {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.0 = Posed::new(characters);
        self.0.pose(characters, timed.start - 1);
    }

    fn step(&mut self, characters: &Characters, frame: u64) {
        self.0.pose(characters, frame);
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        self.0.world.now().cast_ray(ray, ()).map(met)
    }
}

pub fn lazily_posed<'a>(
    characters: &Rc<Characters>,
    count: usize,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    frames(label(""), Lazily::default(), characters, count)
}

/// All vertices, deformed, and the part's tree refitted to them.
fn skinned(model: &Arc<Model>, secs: f64) -> Arc<TriMesh> {
    let posed_model = PosedModel::at_clip(model, 0, secs).expect("the clip is there");
    let part = posed_model.part(0).expect("the character has a part");
    Arc::clone(part.mesh())
}

/// A world of meshes, each made of all of a character's vertices.
#[derive(Default)]
struct Whole(World);

impl Cast for Whole {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.step(characters, timed.start - 1);
    }

    fn step(&mut self, characters: &Characters, frame: u64) {
        self.0 = World::new();
        for (place, secs) in characters.places.iter().zip(characters.times(frame)) {
            let mesh = skinned(&characters.model, secs);
            let added = self.0.add_at(mesh, place.world_from_model());
            added.expect("places are finite");
        }
        alone().install(|| self.0.update());
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        self.0.now().cast_ray(ray, ()).map(met)
    }
}

pub fn skinning_all<'a>(
    characters: &Rc<Characters>,
    count: usize,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let label = otherwise("skinning all vertices, trees refitted");
    frames(label, Whole::default(), characters, count)
}

/// K1's frame, recorded, and queried in the past.
#[derive(Default)]
struct Rewound(Posed);

impl Cast for Rewound {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.0 = Posed::new(characters);
        self.0.world.keep_history(TICKS as usize);
        for frame in timed.start - TICKS..timed.start {
            self.step(characters, frame);
        }
    }

    fn step(&mut self, characters: &Characters, frame: u64) {
        self.0.pose(characters, frame);
        let recorded = self.0.world.record(frame);
        recorded.expect("frames are in order");
    }

    fn nearest(&self, ray: &Ray, tick: u64) -> Option<Met> {
        let snapshot = self.0.world.at(tick as f64).expect("the tick is kept");
        snapshot.cast_ray(ray, ()).map(met)
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.0.world.history_bytes())
    }
}

pub fn rewound<'a>(
    characters: &Rc<Characters>,
    count: usize,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    frames(label(""), Rewound::default(), characters, count)
}

/// K1's frame beside K3's. Its answers, for K3's to be held against, are those of worlds made at each
/// ray's tick.
#[derive(Default)]
struct Present {
    lazily: Lazily,
    frame: u64,
}

impl Cast for Present {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.lazily.start(characters, timed);
    }

    fn step(&mut self, characters: &Characters, frame: u64) {
        self.frame = frame;
        self.lazily.step(characters, frame);
    }

    fn nearest(&self, ray: &Ray, tick: u64) -> Option<Met> {
        self.lazily.nearest(ray, tick)
    }

    fn answers_of(&self, answers: &[Option<Met>], characters: &Characters) -> Answers {
        let mut expected = vec![None; answers.len()];
        for age in 0..TICKS {
            let mut past = Posed::new(characters);
            past.pose(characters, self.frame - age);
            let queries = characters.rays.iter().zip(&characters.ages);
            for (answer, (question, own_age)) in expected.iter_mut().zip(queries) {
                if *own_age == age {
                    let hit = past.world.now().cast_ray(&own::ray(question), ());
                    *answer = hit.map(met);
                }
            }
        }
        expected
    }
}

pub fn not_rewound<'a>(
    characters: &Rc<Characters>,
    count: usize,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let label = otherwise("without history, the present asked (K1)");
    frames(label, Present::default(), characters, count)
}

/// K2's character without a world.
struct Bare(Option<PosedModel>);

impl Cast for Bare {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, _: &Characters, _: Range<u64>) {}

    fn step(&mut self, characters: &Characters, frame: u64) {
        let secs = characters.times(frame).next();
        let posed_model = |secs| PosedModel::at_clip(&characters.model, 0, secs);
        self.0 = secs.map(|secs| posed_model(secs).expect("the clip is there"));
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        let part = self.0.as_ref()?.part(0)?;
        part.cast_ray(ray, ()).and_then(met_alone)
    }
}

/// Meshes of the posed vertices, built before the clock starts.
#[derive(Default)]
struct Static {
    first: u64,
    meshes: Vec<Arc<TriMesh>>,
    current: usize,
}

impl Cast for Static {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        let part = &characters.model.parts()[0];
        let mesh = |frame| {
            let pose = characters.poses(frame).next()?;
            let posed = characters.model.skinned(&pose).ok()?;
            let positions = posed.parts()[0].positions(part).to_vec();
            TriMesh::new(positions, part.mesh().triangles().to_vec()).ok()
        };
        self.first = timed.start;
        let mesh = |frame| Arc::new(mesh(frame).expect("the posed character is in range"));
        self.meshes = timed.map(mesh).collect();
    }

    fn step(&mut self, _: &Characters, frame: u64) {
        self.current = (frame - self.first) as usize;
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        let mesh = self.meshes.get(self.current)?;
        mesh.cast_ray(ray, ()).and_then(met_alone)
    }
}

/// The same meshes, each in a world.
#[derive(Default)]
struct StaticInWorld {
    meshes: Static,
    worlds: Vec<World>,
}

impl Cast for StaticInWorld {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.meshes.start(characters, timed);
        let world = |mesh: &Arc<TriMesh>| {
            let mut world = World::new();
            let place = characters.places[0].world_from_model();
            let added = world.add_at(Arc::clone(mesh), place);
            added.expect("places are finite");
            world.update();
            world
        };
        self.worlds = self.meshes.meshes.iter().map(world).collect();
    }

    fn step(&mut self, _: &Characters, frame: u64) {
        self.meshes.current = (frame - self.meshes.first) as usize;
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        let world = self.worlds.get(self.meshes.current)?;
        let hit = world.now().cast_ray(ray, ())?;
        met_alone(hit)
    }
}

/// K2's pose in a world; the hit's number is its triangle.
#[derive(Default)]
struct LazilyAlone(Lazily);

impl Cast for LazilyAlone {
    type Ray = Ray;

    fn ray(question: &Question) -> Ray {
        own::ray(question)
    }

    fn start(&mut self, characters: &Characters, timed: Range<u64>) {
        self.0.start(characters, timed);
    }

    fn step(&mut self, characters: &Characters, frame: u64) {
        self.0.step(characters, frame);
    }

    fn nearest(&self, ray: &Ray, _: u64) -> Option<Met> {
        let hit = self.0.0.world.now().cast_ray(ray, ())?;
        met_alone(hit)
    }
}

/// A character alone and in a world, against the same posed vertices as a static mesh.
pub fn one_character<'a>(characters: &Rc<Characters>, count: usize) -> Subjects<'a, Option<Met>> {
    let still = otherwise("static TriMesh, building not counted");
    let still_in_world = otherwise("static TriMesh in a World, building not counted");
    vec![
        frames(label(""), LazilyAlone::default(), characters, count),
        frames(label("PosedModel"), Bare(None), characters, count),
        frames(still, Static::default(), characters, count),
        frames(still_in_world, StaticInWorld::default(), characters, count),
    ]
}
