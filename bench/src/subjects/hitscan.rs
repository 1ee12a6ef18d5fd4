//! hitscan on each workload.

use crate::answer::Met;
use crate::by_hand::{AabbSet, SphereSet};
use crate::inputs::arcs::CHAIN;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::RayShape;
use crate::subject::{Subject, Subjects, build, each, filled};
use crate::workloads::boxes::{BoxPair, Primitive};
use crate::workloads::edit::Edit;
use glam::Vec2;
use hitscan::broad_phase::{self, AabbCast};
use hitscan::height_field::{Grid, Region};
use hitscan::{Aabb, BuildPreset, HeightField, Ray, RayHit, Sphere, TriMesh};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;

pub fn label(way: &str) -> Label {
    Label::new(Family::Hitscan, way)
}

pub fn ray(question: &Question) -> Ray {
    let ray = Ray::new(question.origin, question.direction).expect("inputs are finite");
    ray.with_range(0.0, question.t_max)
        .expect("ranges are in order")
}

pub fn rays(questions: &[Question]) -> Vec<Ray> {
    questions.iter().map(ray).collect()
}

pub fn met(hit: Option<hitscan::RayHit>) -> Option<Met> {
    let hit = hit?;
    Some(Met {
        t: hit.t,
        primitive: hit.triangle?.triangle,
    })
}

pub fn height_field(terrain: &inputs::Terrain) -> HeightField {
    let grid = Grid::new(terrain.size, terrain.size, [1.0, 1.0]);
    HeightField::new(grid, terrain.heights.clone()).expect("the terrain is in range")
}

pub fn tri_mesh(mesh: &inputs::Mesh) -> TriMesh {
    tri_mesh_with(mesh, BuildPreset::default())
}

fn tri_mesh_with(mesh: &inputs::Mesh, preset: BuildPreset) -> TriMesh {
    let positions = mesh
        .positions
        .iter()
        .map(|position| (*position).into())
        .collect();
    TriMesh::with_preset(positions, mesh.triangles.clone(), preset).expect("the mesh is in range")
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
        let ask = |ray: &Ray| met(self.0.cast_ray(ray, ()));
        let all = rays(questions);
        let cast_all = move |hits: &mut [Option<RayHit>]| {
            self.0.cast_rays_into(&all, (), hits);
        };
        vec![
            each(label(""), rays(questions), pool, ask),
            all_at_once(questions.len(), pool, cast_all),
        ]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let ask = |ray: &Ray| self.0.cast_ray_any(ray, ());
        let all = rays(questions);
        let cast_all = move |are_hits: &mut [bool]| {
            self.0.cast_rays_any_into(&all, (), are_hits);
        };
        vec![
            each(label(""), rays(questions), None, ask),
            any_at_once(questions.len(), cast_all),
        ]
    }

    /// Each ray of a chain in turn: what users do whose library has no arcs.
    fn chains<'a>(&'a self, segments: &'a [Question]) -> Subjects<'a, Option<Met>> {
        let rays = rays(segments);
        let ask = move |chain: &usize| {
            let links = rays[chain * CHAIN..][..CHAIN].iter().enumerate();
            let hit = |(link, ray): (usize, &Ray)| {
                let met = met(self.0.cast_ray(ray, ()))?;
                let t = link as f32 + met.t;
                Some(Met { t, ..met })
            };
            links.into_iter().find_map(hit)
        };
        let chains = (0..segments.len() / CHAIN).collect();
        let label = Label::new(Family::HitscanOtherwise, "rays in chains");
        vec![each(label, chains, None, ask)]
    }
}

pub struct Mesh {
    mesh: TriMesh,
}

impl Mesh {
    pub fn new(mesh: &inputs::Mesh) -> Self {
        let mesh = tri_mesh(mesh);
        Self { mesh }
    }
}

impl RayShape for Mesh {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let ask = |ray: &Ray| met(self.mesh.cast_ray(ray, ()));
        let all = rays(questions);
        let cast_all = move |hits: &mut [Option<RayHit>]| {
            self.mesh.cast_rays_into(&all, (), hits);
        };
        vec![
            each(label(""), rays(questions), pool, ask),
            all_at_once(questions.len(), pool, cast_all),
        ]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let ask = |ray: &Ray| self.mesh.cast_ray_any(ray, ());
        let all = rays(questions);
        let cast_all = move |are_hits: &mut [bool]| {
            self.mesh.cast_rays_any_into(&all, (), are_hits);
        };
        vec![
            each(label(""), rays(questions), None, ask),
            any_at_once(questions.len(), cast_all),
        ]
    }
}

/// The call that takes all rays and fills in their hits.
fn all_at_once<'a>(
    count: usize,
    pool: Option<&'a ThreadPool>,
    cast_all: impl Fn(&mut [Option<RayHit>]) + Send + Sync + 'a,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let fill = move |hits: &mut Vec<Option<RayHit>>| match pool {
        Some(pool) => pool.install(|| cast_all(hits)),
        None => alone().install(|| cast_all(hits)),
    };
    filled(
        label("cast_rays").of_many(),
        vec![None; count],
        fill,
        |hit| met(*hit),
    )
}

/// The call that takes all rays and returns which of them hit anything.
fn any_at_once<'a>(
    count: usize,
    cast_all: impl Fn(&mut [bool]) + Send + Sync + 'a,
) -> Box<dyn Subject<bool> + 'a> {
    let fill = move |are_hits: &mut Vec<bool>| alone().install(|| cast_all(are_hits));
    filled(
        label("cast_rays_any").of_many(),
        vec![false; count],
        fill,
        |is_hit| *is_hit,
    )
}

/// A pool of the one pinned thread.
pub fn alone() -> &'static ThreadPool {
    static ALONE: OnceLock<ThreadPool> = OnceLock::new();
    ALONE.get_or_init(|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        pool.expect("a thread can be started")
    })
}

/// The exact height at each place: one by one, one by one with normal and triangle, all at once.
pub fn heights<'a>(terrain: &'a Terrain, places: &[[f32; 2]]) -> Subjects<'a, Option<f32>> {
    let bare = |[x, z]: &[f32; 2]| terrain.0.elevation([*x, *z]);
    let whole = |[x, z]: &[f32; 2]| terrain.0.height([*x, *z]).ok().map(|ground| ground.height);
    let points: Vec<Vec2> = places.iter().map(|place| Vec2::from(*place)).collect();
    let fill = move |heights: &mut Vec<Option<f32>>| {
        alone().install(|| terrain.0.elevations_into(&points, heights));
    };
    let results = vec![None; places.len()];
    vec![
        each(label(""), places.to_vec(), None, bare),
        each(label("with normal"), places.to_vec(), None, whole),
        filled(label("elevations").of_many(), results, fill, |height| {
            *height
        }),
    ]
}

/// The highest sample within `radius` of each place.
pub fn max_height<'a>(
    terrain: &'a Terrain,
    places: &[[f32; 2]],
    radius: f64,
) -> Subjects<'a, Option<f32>> {
    let ask = move |[x, z]: &[f32; 2]| {
        let ground = terrain.0.max_height([*x, *z], radius).ok();
        ground.map(|ground| ground.height)
    };
    vec![each(label(""), places.to_vec(), None, ask)]
}

pub fn build_terrain(terrain: &inputs::Terrain) -> Subjects<'_, ()> {
    let run = || {
        alone().install(|| {
            let field = height_field(terrain);
            // What the first ray would make, as others have it.
            field.prepare();
            field
        })
    };
    vec![build(label(""), run, HeightField::memory_bytes)]
}

pub fn build_mesh(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let ways = [
        ("", BuildPreset::Balanced),
        ("fast", BuildPreset::Fast),
        ("tight", BuildPreset::Tight),
    ];
    let subject = |(way, preset)| {
        let run = move || alone().install(|| tri_mesh_with(mesh, preset));
        build(label(way), run, TriMesh::memory_bytes)
    };
    ways.map(subject).into()
}

/// Edits one map over and over, querying it after each edit.
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
            *answer = met(self.field.cast_ray(ray, ()));
        }
    }

    /// Each pass begins with the map as it was.
    fn prepare(&mut self) {
        self.field.clone_from(&self.first);
    }

    /// Holds every sample, bound and answer against a map that is built afresh, bit for bit.
    fn answers(&mut self) -> Vec<Option<Met>> {
        let (grid, heights) = (*self.field.grid(), self.field.samples().to_vec());
        let fresh = HeightField::new(grid, heights).expect("the edited map is in range");
        assert_eq!(fresh.bounds(), self.field.bounds());
        for (_, ray) in &self.edits {
            let (edited, fresh) = (&self.field, &fresh);
            assert_eq!(edited.cast_ray(ray, ()), fresh.cast_ray(ray, ()));
        }
        self.answers.clone()
    }
}

pub fn aabb(solid: &Primitive) -> Aabb {
    Aabb::new(solid.min, solid.max).expect("boxes are in order")
}

/// How many of the boxes each query box touches.
pub fn touching_boxes<'a>(boxes: &[Primitive], queries: &[Primitive]) -> Subjects<'a, u32> {
    let boxes = AabbSet::new(boxes.iter().map(aabb));
    let ask = move |query: &Aabb| {
        let mut count = 0;
        boxes.for_each_touching(query, |_| count += 1);
        count
    };
    vec![each(
        label(""),
        queries.iter().map(aabb).collect(),
        None,
        ask,
    )]
}

/// When the moving box of each pair hits the other: all at once, and one by one.
pub fn moving_boxes<'a>(pairs: &[BoxPair]) -> Subjects<'a, Option<f32>> {
    let pair = |pair: &BoxPair| {
        let cast = AabbCast::new(aabb(&pair.moving), pair.motion);
        (cast.expect("motions are finite"), aabb(&pair.resting))
    };
    let pairs: Vec<(AabbCast, Aabb)> = pairs.iter().map(pair).collect();
    let (casts, boxes): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let fill = move |times: &mut Vec<Option<f32>>| {
        times.resize(casts.len(), None);
        alone().install(|| broad_phase::times_of_impact_into(&casts, &boxes, times));
    };
    let ask = |(cast, resting): &(AabbCast, Aabb)| cast.time_of_impact(resting);
    vec![
        filled(label("times_of_impact").of_many(), Vec::new(), fill, |t| *t),
        each(label(""), pairs, None, ask),
    ]
}

/// The nearest sphere on each ray.
pub fn ray_and_spheres<'a>(
    spheres: &[([f32; 3], f32)],
    questions: &[Question],
) -> Subjects<'a, Option<Met>> {
    let sphere = |(center, radius): &([f32; 3], f32)| {
        Sphere::new(*center, *radius).expect("spheres are finite")
    };
    let spheres = SphereSet::new(spheres.iter().map(sphere).collect());
    let ask = move |ray: &Ray| {
        let (primitive, hit) = spheres.cast_ray(ray)?;
        let t = hit.t;
        Some(Met { t, primitive })
    };
    vec![each(label(""), rays(questions), None, ask)]
}
