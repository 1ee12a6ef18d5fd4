//! The queries on terrain and meshes of every library.

use crate::answer::Met;
use crate::inputs::Rays;
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
}

pub type RayShapes = Vec<Box<dyn RayShape>>;
