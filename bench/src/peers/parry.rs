//! parry3d: `HeightField` and `TriMesh`, and its tree built by PLOC.

use crate::answer::Met;
use crate::inputs::arcs::CHAIN;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::RayShape;
use crate::subject::{Subjects, build, each};
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray, RayCast};
use parry3d::shape::{CompositeShapeRef, HeightField, TriMesh};
use parry3d::utils::Array2;
use rayon::ThreadPool;

pub fn label(way: &str) -> Label {
    Label::new(Family::Parry, way)
}

pub fn vector(v: [f32; 3]) -> Vector {
    Vector::new(v[0], v[1], v[2])
}

fn ray(question: &Question, shift: f32) -> (Ray, f32) {
    let [x, y, z] = question.origin;
    let origin = Vector::new(x - shift, y, z - shift);
    let t_max = question.t_max.min(f32::MAX);
    (Ray::new(origin, vector(question.direction)), t_max)
}

pub fn height_field(terrain: &inputs::Terrain) -> HeightField {
    let size = terrain.size;
    // Rows go along z, columns along x, and the array is stored column by column.
    let mut heights = Array2::repeat(size, size, 0.0);
    for row in 0..size {
        for column in 0..size {
            heights[(row, column)] = terrain.sample(column, row);
        }
    }
    let length = terrain.length() as f32;
    HeightField::new(heights, Vector::new(length, 1.0, length))
}

pub struct Terrain {
    pub field: HeightField,
    /// parry's map lies around the origin.
    pub shift: f32,
    cells_a_side: u32,
}

impl Terrain {
    pub fn new(terrain: &inputs::Terrain) -> Self {
        Self {
            field: height_field(terrain),
            shift: 0.5 * terrain.length() as f32,
            cells_a_side: terrain.size as u32 - 1,
        }
    }

    pub fn cast(&self, question: &Question) -> Option<Met> {
        let (ray, t_max) = ray(question, self.shift);
        self.met(&ray, t_max)
    }

    fn met(&self, ray: &Ray, t_max: f32) -> Option<Met> {
        let hit = self.field.cast_local_ray_and_get_normal(ray, t_max, true)?;
        Some(Met {
            t: hit.time_of_impact,
            primitive: self.primitive(hit.subshape),
        })
    }

    /// parry numbers all cells' first triangles column by column, then all second ones.
    fn primitive(&self, own: u32) -> u32 {
        let side = self.cells_a_side;
        let cells = side * side;
        let (cell, half) = (own % cells, own / cells);
        let (row, column) = (cell % side, cell / side);
        2 * (row * side + column) + half
    }
}

impl RayShape for Terrain {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let rays = questions
            .iter()
            .map(|question| ray(question, self.shift))
            .collect();
        let ask = |(ray, t_max): &(Ray, f32)| self.met(ray, *t_max);
        vec![each(label("HeightField"), rays, pool, ask)]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let rays = questions
            .iter()
            .map(|question| ray(question, self.shift))
            .collect();
        let ask = |(ray, t_max): &(Ray, f32)| self.field.intersects_local_ray(ray, *t_max);
        vec![each(label("HeightField"), rays, None, ask)]
    }

    fn chains<'a>(&'a self, segments: &'a [Question]) -> Subjects<'a, Option<Met>> {
        let rays: Vec<_> = segments.iter().map(|own| ray(own, self.shift)).collect();
        let ask = move |chain: &usize| {
            let links = rays[chain * CHAIN..][..CHAIN].iter().enumerate();
            let hit = |(link, (ray, t_max)): (usize, &(Ray, f32))| {
                let met = self.met(ray, *t_max)?;
                let t = link as f32 + met.t;
                Some(Met { t, ..met })
            };
            links.into_iter().find_map(hit)
        };
        let chains = (0..segments.len() / CHAIN).collect();
        vec![each(label("HeightField"), chains, None, ask)]
    }
}

pub fn tri_mesh(mesh: &inputs::Mesh) -> TriMesh {
    let vertices = mesh
        .positions
        .iter()
        .map(|position| vector(*position))
        .collect();
    TriMesh::new(vertices, mesh.triangles.clone()).expect("the mesh has triangles")
}

fn ploc_tree(mesh: &TriMesh) -> Bvh {
    let leaves: Vec<_> = mesh
        .triangles()
        .map(|triangle| triangle.local_aabb())
        .collect();
    Bvh::from_leaves(BvhBuildStrategy::Ploc, &leaves)
}

pub struct Mesh {
    pub mesh: TriMesh,
    ploc: Bvh,
}

impl Mesh {
    pub fn new(mesh: &inputs::Mesh) -> Self {
        let mesh = tri_mesh(mesh);
        let ploc = ploc_tree(&mesh);
        Self { mesh, ploc }
    }
}

impl RayShape for Mesh {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let rays: Vec<_> = questions
            .iter()
            .map(|question| ray(question, 0.0))
            .collect();
        let met = |(primitive, t)| Met { t, primitive };
        let default = move |(ray, t_max): &(Ray, f32)| {
            CompositeShapeRef(&self.mesh)
                .cast_local_ray(ray, *t_max, true)
                .map(met)
        };
        let ploc = move |(ray, t_max): &(Ray, f32)| {
            let test =
                |triangle, best| self.mesh.triangle(triangle).cast_local_ray(ray, best, true);
            let hit = self.ploc.cast_ray(ray, *t_max, test)?;
            (hit.1 < *t_max).then_some(met(hit))
        };
        vec![
            each(label("TriMesh"), rays.clone(), pool, default),
            each(label("Bvh by PLOC"), rays, pool, ploc),
        ]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let rays = questions
            .iter()
            .map(|question| ray(question, 0.0))
            .collect();
        let ask = |(ray, t_max): &(Ray, f32)| self.mesh.intersects_local_ray(ray, *t_max);
        vec![each(label("TriMesh"), rays, None, ask)]
    }
}

pub fn build_terrain(terrain: &inputs::Terrain) -> Subjects<'_, ()> {
    let bytes = |field: &HeightField| {
        let (samples, cells) = (
            field.heights().nrows().pow(2),
            field.nrows() * field.ncols(),
        );
        size_of::<HeightField>() + samples * size_of::<f32>() + cells
    };
    vec![build(label("HeightField"), || height_field(terrain), bytes)]
}

pub fn build_meshes(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let bytes = TriMesh::total_memory_size;
    vec![build(label("TriMesh"), || tri_mesh(mesh), bytes)]
}
