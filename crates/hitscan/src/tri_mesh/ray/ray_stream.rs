//! Ray streams: many rays at one mesh, in packets (`packet.rs`) where neighbours are coherent, the others
//! in a wavefront (`wavefront.rs`). What a ray finds is that of the ray cast alone.

use super::LeafTriangle;
use super::packet::PACKET;
use super::packet_group::PacketGroup;
use super::wavefront::{MeshRay, Wavefront};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::collector::Collector;
use crate::simd::Width;
use crate::tri_mesh::TriMesh;
use crate::{Ray, Sides};
use core::ops::Range;
use glam::Vec3;

/// Fewer rays are cast one after the other.
pub(crate) const FEW_RAYS: usize = 6;

/// The square of the smallest cosine between rays of a packet, which are 8 degrees apart.
const COHERENT: f32 = 0.98;

/// Rays at a mesh, by their numbers.
pub(crate) trait StreamRays {
    fn count(&self) -> usize;

    /// The direction, in any space: whether rays are coherent is estimated from it.
    fn direction(&self, number: usize) -> Vec3;

    /// The ray in the mesh's space, and after which t hits do not matter.
    fn ray(&self, number: usize) -> (LocalRay, f32);
}

/// Rays in the mesh's space, all of whose hits matter.
impl StreamRays for [Ray] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        self.len()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn direction(&self, number: usize) -> Vec3 {
        self[number].direction()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ray(&self, number: usize) -> (LocalRay, f32) {
        (LocalRay::from(&self[number]), f32::INFINITY)
    }
}

/// Streams of rays through meshes, with buffers that are used again. Each is made when it is first needed:
/// together they are as dear as a few rays.
pub(crate) struct RayStream<C> {
    packets: Option<Box<PacketGroup<C>>>,
    wavefront: Option<Box<Wavefront<C>>>,
    /// The numbers of rays that belong to no packet.
    incoherent: Vec<usize>,
}

impl<C: Collector<LeafTriangle> + Copy> RayStream<C> {
    pub(crate) fn new() -> Self {
        Self {
            packets: None,
            wavefront: None,
            incoherent: Vec::new(),
        }
    }

    /// Takes rays through the mesh. `pass_on` is given a ray's number, what it has found, and the hit,
    /// which means something if the collector has a best candidate. The answer lists the rays that are
    /// left: too few for a wavefront, to be cast alone.
    pub(crate) fn run(
        &mut self,
        (mesh, sides): (&TriMesh, Sides),
        rays: &(impl StreamRays + ?Sized),
        mut pass_on: impl FnMut(usize, &C, &TriangleHit),
    ) -> &[usize] {
        let count = rays.count();
        self.incoherent.clear();
        for first in (0..count).step_by(PACKET) {
            let numbers = first..count.min(first + PACKET);
            let is_last = numbers.end == count;
            if !self.try_add(mesh, numbers.clone(), rays) {
                self.incoherent.extend(numbers);
            }
            if let Some(packets) = &mut self.packets
                && (is_last || packets.are_full())
            {
                packets.run(
                    mesh,
                    sides,
                    #[cfg_attr(not(debug_assertions), inline(always))]
                    |number, found, hit| pass_on(number, found, hit),
                );
            }
        }
        if self.incoherent.len() >= FEW_RAYS {
            let numbers = &*self.incoherent;
            let ray_of = |place: usize| {
                let (ray, t_max) = rays.ray(numbers[place]);
                MeshRay {
                    mesh,
                    ray,
                    sides,
                    t_max,
                }
            };
            let wavefront = (self.wavefront).get_or_insert_with(|| Box::new(Wavefront::new()));
            let width = mesh.bvh.width();
            wavefront.run((numbers.len(), ray_of), width, &mut |ended| {
                for (place, found, hit) in ended {
                    pass_on(numbers[place], &found, hit);
                }
            });
            self.incoherent.clear();
        }
        &self.incoherent
    }

    /// Takes so many rays of any meshes, by their numbers, through these in a wavefront.
    pub(crate) fn run_scattered<'m>(
        &mut self,
        rays: (usize, impl Fn(usize) -> MeshRay<'m>),
        width: Width,
        mut pass_on: impl FnMut(usize, &C, &TriangleHit),
    ) {
        let wavefront = (self.wavefront).get_or_insert_with(|| Box::new(Wavefront::new()));
        wavefront.run(rays, width, &mut |ended| {
            for (number, found, hit) in ended {
                pass_on(number, &found, hit);
            }
        });
    }

    /// Adds a packet of these rays, if they are coherent enough.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn try_add(
        &mut self,
        mesh: &TriMesh,
        numbers: Range<usize>,
        rays: &(impl StreamRays + ?Sized),
    ) -> bool {
        let direction = |place: usize| rays.direction(numbers.start + place);
        if numbers.len() < FEW_RAYS || !seem_coherent(numbers.len(), direction) {
            return false;
        }
        let packets = (self.packets).get_or_insert_with(|| Box::new(PacketGroup::new()));
        packets.try_add(
            mesh,
            numbers,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |number| rays.ray(number),
        )
    }
}

/// Whether so many rays seem coherent, by the directions of a few of them: most that are not are refused
/// before anything is worked out.
#[cfg_attr(not(debug_assertions), inline(always))]
fn seem_coherent(count: usize, direction_of: impl Fn(usize) -> Vec3) -> bool {
    let first = direction_of(0);
    [count / 3, count - 1].into_iter().all(|other| {
        let other = direction_of(other);
        let cosine = first.dot(other);
        cosine > 0.0 && cosine * cosine > COHERENT * first.dot(first) * other.dot(other)
    })
}
