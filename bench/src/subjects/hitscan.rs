//! hitscan on each workload.

use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::shape::RayShape;
use crate::subject::{Family, Label, Subject, Subjects, build, each, whole};
use crate::workloads::boxes::{BoxPair, Solid};
use crate::workloads::edit::Edit;
use hitscan::glam::DAffine3;
use hitscan::height_field::{Grid, Region};
use hitscan::{Aabb, HeightField, Ray, Sides, Sphere, TriMesh, World, WorldHit, sweep};
use rayon::ThreadPool;
use std::sync::Arc;

fn label(way: &str) -> Label {
    Label::new(Family::Hitscan, format!("hitscan{way}"))
}

fn rays(questions: &[Question]) -> Vec<Ray> {
    let ray = |question: &Question| {
        let ray = Ray::new(question.origin, question.direction).expect("inputs are finite");
        ray.with_range(0.0, question.t_max)
            .expect("ranges are in order")
    };
    questions.iter().map(ray).collect()
}

fn met(hit: Option<hitscan::Hit>) -> Option<Met> {
    let hit = hit?;
    Some(Met {
        t: hit.t,
        primitive: hit.triangle?.triangle,
    })
}

fn height_field(terrain: &inputs::Terrain) -> HeightField {
    let grid = Grid::new(terrain.size, terrain.size, [1.0, 1.0]);
    HeightField::new(grid, terrain.heights.clone()).expect("the terrain is in range")
}

fn tri_mesh(mesh: &inputs::Mesh) -> TriMesh {
    let positions = mesh
        .positions
        .iter()
        .map(|position| (*position).into())
        .collect();
    TriMesh::new(positions, mesh.triangles.clone()).expect("the mesh is in range")
}

pub struct Terrain(HeightField);

impl Terrain {
    pub fn new(terrain: &inputs::Terrain) -> Self {
        Self(height_field(terrain))
    }
}

impl RayShape for Terrain {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let ask = |ray: &Ray| met(self.0.cast_ray(ray, Sides::Both));
        vec![each(label(""), rays(questions), pool, ask)]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let ask = |ray: &Ray| self.0.cast_ray_any(ray, Sides::Both);
        vec![each(label(""), rays(questions), None, ask)]
    }
}

/// A mesh, and the world of that mesh alone, which takes many rays at once.
pub struct Mesh {
    mesh: Arc<TriMesh>,
    world: World,
}

impl Mesh {
    pub fn new(mesh: &inputs::Mesh) -> Self {
        let mesh = Arc::new(tri_mesh(mesh));
        let mut world = World::new();
        let added = world.add_mesh(Arc::clone(&mesh), DAffine3::IDENTITY);
        added.expect("the identity keeps the mesh in range");
        world.update();
        Self { mesh, world }
    }
}

impl RayShape for Mesh {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let ask = |ray: &Ray| met(self.mesh.cast_ray(ray, Sides::Both));
        vec![each(label(""), rays(questions), pool, ask)]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let ask = |ray: &Ray| self.mesh.cast_ray_any(ray, Sides::Both);
        vec![each(label(""), rays(questions), None, ask)]
    }

    fn batch<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let rays = rays(questions);
        let run = move || {
            let ask = || self.world.cast_rays(&rays, Sides::Both);
            pool.map_or_else(ask, |pool| pool.install(ask))
        };
        let read = |hits: &Vec<Option<WorldHit>>| {
            let met = |hit: &Option<WorldHit>| met(hit.map(|hit| hit.hit));
            hits.iter().map(met).collect()
        };
        vec![whole(label(" World::cast_rays"), run, read)]
    }
}

/// The exact height at each place.
pub fn heights<'a>(terrain: &'a Terrain, places: &[[f32; 2]]) -> Subjects<'a, Option<f32>> {
    let ask = |[x, z]: &[f32; 2]| terrain.0.height(*x, *z).ok().map(|ground| ground.height);
    vec![each(label(""), places.to_vec(), None, ask)]
}

/// The highest sample within `radius` of each place.
pub fn highest_within<'a>(
    terrain: &'a Terrain,
    places: &[[f32; 2]],
    radius: f64,
) -> Subjects<'a, Option<f32>> {
    let ask = move |[x, z]: &[f32; 2]| terrain.0.highest_within(*x, *z, radius).ok();
    vec![each(label(""), places.to_vec(), None, ask)]
}

pub fn build_terrain(terrain: &inputs::Terrain) -> Subjects<'_, ()> {
    let run = || height_field(terrain);
    vec![build(label(""), run, HeightField::memory_bytes)]
}

pub fn build_mesh(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let run = || tri_mesh(mesh);
    vec![build(label(""), run, TriMesh::memory_bytes)]
}

/// Edits one map over and over, asking it after each edit.
struct Editing<'a> {
    label: Label,
    first: HeightField,
    field: HeightField,
    edits: Vec<(&'a Edit, Ray)>,
    answers: Vec<Option<Met>>,
}

pub fn edit_terrain<'a>(
    terrain: &inputs::Terrain,
    edits: &'a [Edit],
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let questions: Vec<Question> = edits.iter().map(|edit| edit.question).collect();
    Box::new(Editing {
        label: label(""),
        first: height_field(terrain),
        field: height_field(terrain),
        edits: edits.iter().zip(rays(&questions)).collect(),
        answers: vec![None; edits.len()],
    })
}

impl Subject<Option<Met>> for Editing<'_> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn pass(&mut self) {
        for ((edit, ray), answer) in self.edits.iter().zip(&mut self.answers) {
            let region = Region {
                column: edit.column,
                row: edit.row,
                columns: edit.size,
                rows: edit.size,
            };
            let edited = self.field.set_heights(region, &edit.heights);
            edited.expect("edits lie on the map");
            *answer = met(self.field.cast_ray(ray, Sides::Both));
        }
    }

    /// Each pass begins with the map as it was.
    fn prepare(&mut self) {
        self.field.clone_from(&self.first);
    }

    /// Holds every sample, bound and answer against a map that is built afresh, bit for bit.
    fn answers(&mut self) -> Vec<Option<Met>> {
        let (grid, heights) = (*self.field.grid(), self.field.heights().to_vec());
        let fresh = HeightField::new(grid, heights).expect("the edited map is in range");
        assert_eq!(fresh.bounds(), self.field.bounds());
        for (_, ray) in &self.edits {
            let (edited, fresh) = (&self.field, &fresh);
            assert_eq!(
                edited.cast_ray(ray, Sides::Both),
                fresh.cast_ray(ray, Sides::Both)
            );
        }
        self.answers.clone()
    }
}

fn aabb(solid: &Solid) -> Aabb {
    Aabb::new(solid.min, solid.max).expect("boxes are in order")
}

/// How many of the boxes each query box touches.
pub fn touching_boxes<'a>(boxes: &[Solid], queries: &[Solid]) -> Subjects<'a, u32> {
    let boxes: Vec<Aabb> = boxes.iter().map(aabb).collect();
    let ask = move |query: &Aabb| {
        let touching = boxes.iter().filter(|other| query.touches(other));
        touching.count() as u32
    };
    vec![each(
        label(""),
        queries.iter().map(aabb).collect(),
        None,
        ask,
    )]
}

/// When the moving box of each pair meets the other.
pub fn moving_boxes<'a>(pairs: &[BoxPair]) -> Subjects<'a, Option<f32>> {
    let pair = |pair: &BoxPair| {
        let moving = sweep::BoxMotion::new(aabb(&pair.moving), pair.motion);
        (moving.expect("motions are finite"), aabb(&pair.resting))
    };
    let ask = |(moving, resting): &(sweep::BoxMotion, Aabb)| {
        sweep::box_box(moving, resting).map(|contact| contact.t)
    };
    vec![each(label(""), pairs.iter().map(pair).collect(), None, ask)]
}

/// The nearest sphere on each ray.
pub fn ray_and_spheres<'a>(
    spheres: &[([f32; 3], f32)],
    questions: &[Question],
) -> Subjects<'a, Option<Met>> {
    let sphere = |(center, radius): &([f32; 3], f32)| {
        Sphere::new(*center, f64::from(*radius)).expect("spheres are finite")
    };
    let spheres: Vec<Sphere> = spheres.iter().map(sphere).collect();
    let ask = move |ray: &Ray| {
        let mut nearest: Option<Met> = None;
        for (sphere, primitive) in spheres.iter().zip(0..) {
            if let Some(hit) = sphere.cast_ray(ray, Sides::Both)
                && nearest.is_none_or(|met| hit.t < met.t)
            {
                let t = hit.t;
                nearest = Some(Met { t, primitive });
            }
        }
        nearest
    };
    vec![each(label(""), rays(questions), None, ask)]
}
