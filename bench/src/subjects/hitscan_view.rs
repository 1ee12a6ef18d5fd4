//! hitscan's frames of a camera: of a world, and of its one shape alone.

use super::hitscan::{alone, height_field, label, tri_mesh};
use crate::answer::Met;
use crate::inputs;
use crate::inputs::Question;
use crate::inputs::characters::Characters;
use crate::label::{Family, Label};
use crate::subject::{Subject, Subjects};
use glam::DAffine3;
use hitscan::model::PosedModel;
use hitscan::{Camera, CameraTile, QueryFilter, Ray, RayHit, World};
use std::sync::Arc;

/// Packets want pixels in squares of so many a side.
const SQUARE: u32 = 4;
/// A picture is cast tile by tile, so many pixels across and down, as `hitscan-picture` does.
const TILE: [u32; 2] = [64, 16];
/// How many characters the crowd has: 20 rows of 20, 2 m apart.
const CROWD: usize = 400;

/// A square picture of a camera.
pub struct View {
    camera: Camera,
    side: u32,
}

impl View {
    /// From `eye` to `target`, so many degrees high.
    pub fn new(eye: [f32; 3], target: [f32; 3], degrees: f64, side: u32) -> Self {
        let camera = Camera::new(eye, target, degrees.to_radians(), [side; 2]);
        let camera = camera.expect("the camera looks at something");
        Self { camera, side }
    }

    pub fn pixels(&self) -> usize {
        (self.side * self.side) as usize
    }

    pub fn describe(&self, pixel: usize) -> String {
        let side = self.side as usize;
        format!("pixel ({}, {})", pixel % side, pixel / side)
    }

    /// The rays square by square, and each one's pixel, row by row.
    fn in_squares(&self) -> (Vec<Ray>, Vec<usize>) {
        let squares = self.side / SQUARE;
        let place = |index: u32| {
            let (square, pixel) = (index / (SQUARE * SQUARE), index % (SQUARE * SQUARE));
            let x = square % squares * SQUARE + pixel % SQUARE;
            (x, square / squares * SQUARE + pixel / SQUARE)
        };
        let middle = |pixel: u32| pixel as f32 + 0.5;
        let all = 0..self.side * self.side;
        let rays = all.clone().map(place);
        let rays = rays.map(|(x, y)| self.camera.ray(middle(x), middle(y)));
        let pixels = all.map(|index| self.pixel(place(index)));
        (rays.collect(), pixels.collect())
    }

    /// The tiles, and the pixel of each of their rays.
    fn tiles(&self) -> (Vec<CameraTile>, Vec<usize>) {
        let [across, down] = TILE;
        let (mut tiles, mut pixels) = (Vec::new(), Vec::new());
        for top in (0..self.side).step_by(down as usize) {
            for left in (0..self.side).step_by(across as usize) {
                let (columns, rows) = (left..left + across, top..top + down);
                let tile = CameraTile::new(&self.camera, columns.clone(), rows.clone());
                tiles.push(tile.expect("whole tiles fill the picture"));
                pixels.extend(rows.flat_map(|y| columns.clone().map(move |x| (x, y))));
            }
        }
        let pixels = pixels.into_iter().map(|place| self.pixel(place));
        (tiles, pixels.collect())
    }

    /// The rays square by square, as peers take them.
    pub fn questions(&self) -> Vec<Question> {
        let question = |ray: &Ray| Question {
            origin: ray.origin().into(),
            direction: ray.direction().into(),
            t_max: f32::INFINITY,
        };
        self.in_squares().0.iter().map(question).collect()
    }

    /// The same subject, its answers square by square, with them row by row.
    pub fn by_pixel<'a>(
        &self,
        subject: Box<dyn Subject<Option<Met>> + 'a>,
    ) -> Box<dyn Subject<Option<Met>> + 'a> {
        let pixels = self.in_squares().1;
        Box::new(ByPixel { subject, pixels })
    }

    fn pixel(&self, (x, y): (u32, u32)) -> usize {
        (y * self.side + x) as usize
    }
}

/// A subject whose answers are put to their pixels.
struct ByPixel<'a> {
    subject: Box<dyn Subject<Option<Met>> + 'a>,
    pixels: Vec<usize>,
}

impl Subject<Option<Met>> for ByPixel<'_> {
    fn label(&self) -> &Label {
        self.subject.label()
    }

    fn pass(&mut self) {
        self.subject.pass();
    }

    fn answers(&mut self) -> Vec<Option<Met>> {
        let own = self.subject.answers();
        let mut answers = vec![None; own.len()];
        for (&pixel, answer) in self.pixels.iter().zip(own) {
            answers[pixel] = answer;
        }
        answers
    }
}

/// Something that casts all rays of a picture.
struct Frame<F> {
    label: Label,
    cast: F,
    hits: Vec<Option<RayHit>>,
    /// The pixel of each hit.
    pixels: Vec<usize>,
}

impl<F: FnMut(&mut Vec<Option<RayHit>>)> Subject<Option<Met>> for Frame<F> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn pass(&mut self) {
        (self.cast)(&mut self.hits);
    }

    fn answers(&mut self) -> Vec<Option<Met>> {
        let mut answers = vec![None; self.hits.len()];
        for (&pixel, hit) in self.pixels.iter().zip(&self.hits) {
            answers[pixel] = hit.map(|hit| Met {
                t: hit.t,
                primitive: hit.triangle.map_or(0, |triangle| triangle.triangle),
            });
        }
        answers
    }
}

/// The camera's query of a world, tile by tile.
fn frame<'a>(world: World, view: &'a View) -> Box<dyn Subject<Option<Met>> + 'a> {
    let (tiles, pixels) = view.tiles();
    Box::new(Frame {
        label: label("cast_camera").of_many(),
        cast: move |hits: &mut Vec<_>| {
            let (camera, everything) = (&view.camera, QueryFilter::new());
            hits.clear();
            alone().install(|| {
                for tile in &tiles {
                    let cast = world.now().cast_camera(camera, tile, everything);
                    hits.extend(cast);
                }
            });
        },
        hits: Vec::with_capacity(pixels.len()),
        pixels,
    })
}

/// The camera's query of any world.
pub fn camera<'a>(world: World, view: &'a View) -> Subjects<'a, Option<Met>> {
    vec![frame(world, view)]
}

/// A call that takes the rays square by square.
fn batch<'a>(
    way: &str,
    view: &View,
    cast_all: impl Fn(&[Ray], &mut [Option<RayHit>]) + Send + Sync + 'a,
) -> Box<dyn Subject<Option<Met>> + 'a> {
    let (rays, pixels) = view.in_squares();
    Box::new(Frame {
        label: Label::new(Family::HitscanOtherwise, way).of_many(),
        hits: vec![None; rays.len()],
        cast: move |hits: &mut Vec<_>| alone().install(|| cast_all(&rays, hits)),
        pixels,
    })
}

/// A world of one mesh, and the mesh.
pub fn mesh<'a>(mesh: &inputs::Mesh, view: &'a View) -> Subjects<'a, Option<Met>> {
    let mesh = Arc::new(tri_mesh(mesh));
    let mut world = World::new();
    let added = world.add_at(Arc::clone(&mesh), DAffine3::IDENTITY);
    added.expect("the mesh is in range");
    world.update();
    let own = move |rays: &[Ray], hits: &mut [_]| mesh.cast_rays_into(rays, (), hits);
    vec![frame(world, view), batch("the mesh's cast_rays", view, own)]
}

/// A world of one terrain, and the terrain.
pub fn terrain<'a>(terrain: &inputs::Terrain, view: &'a View) -> Subjects<'a, Option<Met>> {
    let field = Arc::new(height_field(terrain));
    let mut world = World::new();
    world.add(Arc::clone(&field));
    world.update();
    let own = move |rays: &[Ray], hits: &mut [_]| field.cast_rays_into(rays, (), hits);
    vec![
        frame(world, view),
        batch("the terrain's cast_rays", view, own),
    ]
}

/// A world of characters in their poses, and its rays one by one.
pub fn crowd(view: &View) -> Subjects<'_, Option<Met>> {
    let characters = Characters::crowd(CROWD, 1, 1);
    let mut world = World::new();
    for (place, secs) in characters.places.iter().zip(characters.times(0)) {
        let posed = PosedModel::at_clip(&characters.model, 0, secs);
        let posed = Arc::new(posed.expect("the clip is there"));
        let added = world.add_at(posed, place.world_from_model());
        added.expect("places are finite");
    }
    world.update();
    let again = world.clone();
    let one_by_one = move |rays: &[Ray], hits: &mut [_]| {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = again.now().cast_ray(ray, ());
        }
    };
    vec![
        frame(world, view),
        batch("the world's rays one by one", view, one_by_one),
    ]
}
