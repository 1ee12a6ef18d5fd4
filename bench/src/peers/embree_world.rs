//! Embree: whole worlds, in several ways, and worlds of bodies that move.
//!
//! All `unsafe` of Embree's worlds is in this file: it calls `native/embree_world.c`. Rays are cast by
//! `embree.rs`, as at any scene.

use super::embree::{Mode, Named, Quality, Scene, Shape};
use super::embree_library::{self, DEVICE};
use super::native_world::{View, with_view};
use crate::answer::{Met, Touch};
use crate::inputs::Rays;
use crate::inputs::moves::{Move, Solid};
use crate::inputs::world::{Body, Inventory};
use crate::shape::{Obstacle, RayShape, WholeWorld};
use crate::subject::{Subjects, build};
use rayon::ThreadPool;
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn embree_world(
        config: *const c_char,
        view: *const View<'_>,
        robust: c_int,
        way: c_int,
        dynamic: c_int,
        quality: c_int,
    ) -> *mut Shape;
    fn embree_world_move(shape: *mut Shape, bodies: *const Body, count: usize);
}

/// How terrain and solids are held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    /// As geometries beside the instances of meshes.
    Beside = 0,
    /// Each solid as an instance, and the terrain.
    Each = 1,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Beside => "solids beside instances",
            Self::Each => "each solid an instance",
        }
    }
}

fn scene(inventory: &Inventory, mode: Mode, way: Way, motion: Option<Quality>) -> Scene {
    assert!(
        embree_library::is_open(),
        "scenes are made by an open library"
    );
    let robust = c_int::from(mode == Mode::Robust);
    let (dynamic, quality) = (motion.is_some(), motion.unwrap_or(Quality::Medium));
    let shape = with_view(inventory, |view| {
        let (way, dynamic, quality) = (way as c_int, c_int::from(dynamic), quality as c_int);
        // SAFETY: the view's lengths are those of its slices, which hold during the call.
        unsafe { embree_world(DEVICE.as_ptr(), view, robust, way, dynamic, quality) }
    });
    Scene::from_pointer(shape)
}

/// A world that takes part where rays are cast.
struct World(Named);

impl RayShape for World {
    fn nearest<'a>(
        &'a self,
        rays: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        self.0.nearest(rays, pool)
    }

    fn any<'a>(&'a self, rays: &Rays) -> Subjects<'a, bool> {
        self.0.any(rays)
    }
}

/// Embree has no queries of shapes.
impl Obstacle for World {
    fn first_contacts<'a>(&'a self, _: Solid, _: &'a [Move]) -> Subjects<'a, Option<Touch>> {
        Vec::new()
    }
}

impl WholeWorld for World {
    fn overlaps<'a>(&'a self, _: Solid, _: &'a [[f32; 3]]) -> Subjects<'a, bool> {
        Vec::new()
    }
}

const MODES: [Mode; 2] = [Mode::Robust, Mode::NotRobust];
const WAYS: [Way; 2] = [Way::Beside, Way::Each];

/// The first is robust, and speaks for Embree where answers are held together.
pub fn worlds(inventory: &Inventory) -> Vec<Box<dyn WholeWorld>> {
    let world = |(mode, way)| {
        Box::new(World(Named {
            mode,
            name: Way::name(way),
            scene: scene(inventory, mode, way, None),
            is_numbered: false,
            has_packets: true,
        })) as Box<dyn WholeWorld>
    };
    let all = WAYS
        .into_iter()
        .flat_map(|way| MODES.map(|mode| (mode, way)));
    all.map(world).collect()
}

pub fn builds(inventory: &Inventory) -> Subjects<'_, ()> {
    let subject = |way: Way| {
        let run = move || scene(inventory, Mode::Robust, way, None);
        build(Mode::Robust.label(way.name()), run, Scene::bytes)
    };
    WAYS.map(subject).into()
}

/// A world of moving bodies; the top tree is built anew each frame, of low or of medium quality.
pub struct Moving {
    pub mode: Mode,
    pub way: Way,
    pub quality: Quality,
}

impl Moving {
    pub const ALL: [Self; 5] = [
        Self::new(Mode::Robust, Way::Beside, Quality::Low),
        Self::new(Mode::Robust, Way::Beside, Quality::Medium),
        Self::new(Mode::Robust, Way::Each, Quality::Low),
        Self::new(Mode::NotRobust, Way::Beside, Quality::Low),
        Self::new(Mode::NotRobust, Way::Each, Quality::Low),
    ];

    const fn new(mode: Mode, way: Way, quality: Quality) -> Self {
        Self { mode, way, quality }
    }

    pub fn name(&self) -> String {
        let quality = match self.quality {
            Quality::Low => "low",
            Quality::Medium => "medium",
            Quality::High => "high",
        };
        format!("{}, {quality}", self.way.name())
    }

    pub fn start(&self, inventory: &Inventory) -> MovingScene {
        MovingScene {
            scene: scene(inventory, self.mode, self.way, Some(self.quality)),
            bodies: inventory.bodies.len(),
        }
    }
}

/// A scene whose bodies move.
pub struct MovingScene {
    pub scene: Scene,
    bodies: usize,
}

impl MovingScene {
    /// All bodies have moved; brings the scene up to date.
    pub fn step(&mut self, bodies: &[Body]) {
        assert_eq!(bodies.len(), self.bodies);
        let shape = self.scene.pointer().cast_mut();
        // SAFETY: the scene is a world that was made with as many bodies, and nobody else uses it.
        unsafe { embree_world_move(shape, bodies.as_ptr(), bodies.len()) }
    }
}
