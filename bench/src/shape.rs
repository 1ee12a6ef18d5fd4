//! The queries on terrain and meshes of every library.

use crate::answer::{Met, Touch};
use crate::inputs::moves::{Move, Solid};
use crate::inputs::{Question, Rays};
use crate::label::Label;
use crate::subject::Subjects;
use rayon::ThreadPool;

/// Terrain or a mesh, built by one library. Its subjects are the ways in which that library may be
/// queried in the same way: settings, single rays and packets.
pub trait RayShape {
    /// The nearest hit of each ray: one ray a call, and by the calls that take many, where there are
    /// any; on a pool's threads where one is given.
    fn nearest<'a>(
        &'a self,
        rays: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>>;

    /// Whether each ray hits anything.
    fn any<'a>(&'a self, rays: &Rays) -> Subjects<'a, bool>;

    /// Whether rays pass through back faces.
    fn is_one_sided(&self) -> bool {
        false
    }

    /// The nearest hit of each chain of [`crate::inputs::arcs::CHAIN`] segments, whose `t` is the
    /// segment's number and the place on it: 1.5 is half way along the second. Only of terrain.
    fn chains<'a>(&'a self, _segments: &'a [Question]) -> Subjects<'a, Option<Met>> {
        Vec::new()
    }
}

pub type RayShapes = Vec<Box<dyn RayShape>>;

/// Terrain or a mesh, built by one library, against which other shapes move.
pub trait Obstacle {
    /// The first contact of `solid` in each of its moves.
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &'a [Move])
    -> Subjects<'a, Option<Touch>>;
}

pub type Obstacles = Vec<Box<dyn Obstacle>>;

/// Which samples of a terrain are seen from a place, found by one library.
pub trait Viewshed {
    fn label(&self) -> Label;

    /// What must be done before each run and is not part of it.
    fn prepare(&mut self) {}

    fn run(&mut self);

    /// The last run's samples, row by row.
    fn seen(&self) -> Vec<bool>;
}

/// A world of many bodies, built by one library.
pub trait WholeWorld: RayShape + Obstacle {
    /// Whether `solid` overlaps anything at each place.
    fn overlaps<'a>(&'a self, solid: Solid, middles: &'a [[f32; 3]]) -> Subjects<'a, bool>;
}

pub type WholeWorlds = Vec<Box<dyn WholeWorld>>;
