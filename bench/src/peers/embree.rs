//! Embree 4: triangles and grids, robust and not, single rays, packets of 8 and 16.
//!
//! All `unsafe` of Embree's rays is in this file: it calls `native/embree.c`, which calls the
//! library that `embree_library.rs` opens. `embree_points.rs` has chains of rays and points.

use super::embree_library::{self, DEVICE};
use super::embree_points;
use super::native::{RawMet, native};
use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::RayShape;
use crate::subject::{Subjects, mapped};
use crate::workloads::edit::Edit;
use rayon::ThreadPool;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::NonNull;

/// What `native/embree.c` holds.
#[repr(C)]
pub struct Shape {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn embree_mesh(
        config: *const c_char,
        positions: *const f32,
        position_count: usize,
        triangles: *const u32,
        triangle_count: usize,
        robust: c_int,
        compact: c_int,
        quality: c_int,
    ) -> *mut Shape;
    fn embree_grid(
        config: *const c_char,
        heights: *const f32,
        size: usize,
        robust: c_int,
        dynamic: c_int,
    ) -> *mut Shape;
    fn embree_edit(
        shape: *mut Shape,
        size: usize,
        column: usize,
        row: usize,
        side: usize,
        heights: *const f32,
    );
    fn embree_free(shape: *mut Shape);
    fn embree_bytes(shape: *const Shape) -> usize;
    fn embree_nearest(
        shape: *const Shape,
        questions: *const Question,
        count: usize,
        answers: *mut RawMet,
    );
    fn embree_any(
        shape: *const Shape,
        questions: *const Question,
        count: usize,
        answers: *mut bool,
    );
    fn embree_packets8(questions: *const Question, count: usize) -> *mut c_void;
    fn embree_packets16(questions: *const Question, count: usize) -> *mut c_void;
    fn embree_nearest8(
        shape: *const Shape,
        packets: *const c_void,
        count: usize,
        coherent: c_int,
        answers: *mut RawMet,
    );
    fn embree_nearest16(
        shape: *const Shape,
        packets: *const c_void,
        count: usize,
        coherent: c_int,
        answers: *mut RawMet,
    );
    fn embree_any8(shape: *const Shape, packets: *const c_void, count: usize, answers: *mut bool);
    fn embree_any16(shape: *const Shape, packets: *const c_void, count: usize, answers: *mut bool);
    fn embree_free_packets(packets: *mut c_void);
}

/// Embree's qualities of building (`RTCBuildQuality`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    Low = 0,
    Medium = 1,
    High = 2,
}

/// A scene with one geometry.
pub struct Scene(NonNull<Shape>);

// SAFETY: a committed scene may be queried from any thread (Embree's manual, "Thread safety");
// edits need `&mut self`.
unsafe impl Send for Scene {}
// SAFETY: as above.
unsafe impl Sync for Scene {}

impl Drop for Scene {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a constructor and is freed only here.
        unsafe { embree_free(self.0.as_ptr()) }
    }
}

impl Scene {
    pub fn triangles(
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
        mode: Mode,
        is_compact: bool,
        quality: Quality,
    ) -> Self {
        assert!(
            embree_library::is_open(),
            "scenes are made by an open library"
        );
        let (positions, triangles) = (positions.as_flattened(), triangles.as_flattened());
        // SAFETY: the lengths are those of the slices, which the shim copies; corners index them.
        let shape = unsafe {
            embree_mesh(
                DEVICE.as_ptr(),
                positions.as_ptr(),
                positions.len() / 3,
                triangles.as_ptr(),
                triangles.len() / 3,
                mode.flag(),
                c_int::from(is_compact),
                quality as c_int,
            )
        };
        Self(NonNull::new(shape).expect("Embree makes a device"))
    }

    pub fn grid(terrain: &inputs::Terrain, mode: Mode, is_dynamic: bool) -> Self {
        assert!(
            embree_library::is_open(),
            "scenes are made by an open library"
        );
        let (robust, dynamic) = (mode.flag(), c_int::from(is_dynamic));
        let heights = terrain.heights.as_ptr();
        // SAFETY: there are size * size heights, which the shim copies.
        let shape = unsafe { embree_grid(DEVICE.as_ptr(), heights, terrain.size, robust, dynamic) };
        Self(NonNull::new(shape).expect("Embree makes a device"))
    }

    /// What a constructor of the shim made, which nobody else frees.
    pub fn from_pointer(shape: *mut Shape) -> Self {
        Self(NonNull::new(shape).expect("Embree makes a device"))
    }

    /// Never null, and valid while this lives.
    pub fn pointer(&self) -> *const Shape {
        self.0.as_ptr()
    }

    pub fn bytes(&self) -> usize {
        // SAFETY: the scene lives.
        unsafe { embree_bytes(self.0.as_ptr()) }
    }

    pub fn edit(&mut self, size: usize, edit: &Edit) {
        assert!(edit.column + edit.size <= size && edit.row + edit.size <= size);
        let (shape, heights) = (self.0.as_ptr(), edit.heights.as_ptr());
        // SAFETY: the rectangle lies on the grid of `size` * `size`, and has its own heights.
        unsafe { embree_edit(shape, size, edit.column, edit.row, edit.size, heights) }
    }

    pub fn nearest(&self, questions: &[Question], answers: &mut [RawMet]) {
        assert!(questions.len() >= answers.len());
        let (shape, many) = (self.0.as_ptr(), answers.len());
        // SAFETY: there are at least so many questions and answers.
        unsafe { embree_nearest(shape, questions.as_ptr(), many, answers.as_mut_ptr()) }
    }

    fn any(&self, questions: &[Question], answers: &mut [bool]) {
        assert!(questions.len() >= answers.len());
        let (shape, many) = (self.0.as_ptr(), answers.len());
        // SAFETY: there are at least so many questions and answers.
        unsafe { embree_any(shape, questions.as_ptr(), many, answers.as_mut_ptr()) }
    }
}

/// Rays in packets of 8 or 16.
pub struct Packets {
    packets: NonNull<c_void>,
    width: usize,
    count: usize,
}

/// The floats and integers of one ray in a packet (`RTCRay16`).
const WORDS_A_RAY: usize = 12;

// SAFETY: packets are plain numbers that nobody writes after they are made.
unsafe impl Send for Packets {}
// SAFETY: as above.
unsafe impl Sync for Packets {}

impl Packets {
    pub fn new(questions: &[Question], width: usize) -> Self {
        let (first, count) = (questions.as_ptr(), questions.len());
        // SAFETY: there are `count` questions, at least one.
        let packets = unsafe {
            if width == 8 {
                embree_packets8(first, count)
            } else {
                embree_packets16(first, count)
            }
        };
        let packets = NonNull::new(packets).expect("there is memory for packets");
        Self {
            packets,
            width,
            count,
        }
    }

    /// The packets, and how many rays they hold.
    pub fn all(&self) -> (*const c_void, usize) {
        (self.packets.as_ptr(), self.count)
    }

    /// Answers from the question `first` on, which begins a packet.
    fn nearest(&self, scene: &Scene, is_coherent: bool, first: usize, answers: &mut [RawMet]) {
        assert!(first.is_multiple_of(self.width) && first + answers.len() <= self.count);
        let (shape, many) = (scene.0.as_ptr(), answers.len());
        let (coherent, answers) = (c_int::from(is_coherent), answers.as_mut_ptr());
        // SAFETY: a packet is WORDS_A_RAY arrays of `width` words, so the pointer is that of the
        // packet of question `first`; there are packets and room for `many` from there.
        unsafe {
            let packets = self
                .packets
                .cast::<u32>()
                .add(first * WORDS_A_RAY)
                .cast()
                .as_ptr();
            if self.width == 8 {
                embree_nearest8(shape, packets, many, coherent, answers);
            } else {
                embree_nearest16(shape, packets, many, coherent, answers);
            }
        }
    }
}

impl Packets {
    fn any(&self, scene: &Scene, answers: &mut [bool]) {
        assert_eq!(answers.len(), self.count);
        let (shape, packets) = (scene.0.as_ptr(), self.packets.as_ptr());
        let answers = answers.as_mut_ptr();
        // SAFETY: the packets hold `count` rays, and there is room for their answers.
        unsafe {
            if self.width == 8 {
                embree_any8(shape, packets, self.count, answers);
            } else {
                embree_any16(shape, packets, self.count, answers);
            }
        }
    }
}

impl Drop for Packets {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a constructor and is freed only here.
        unsafe { embree_free_packets(self.packets.as_ptr()) }
    }
}

/// Embree's modes: the robust one is watertight but for corners, and slower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    Robust,
    NotRobust,
}

impl Mode {
    /// What a label of this mode says.
    pub fn label(self, way: &str) -> Label {
        let mode = match self {
            Self::Robust => "robust",
            Self::NotRobust => "not robust",
        };
        Label::in_mode(Family::Embree, mode, way)
    }

    fn flag(self) -> c_int {
        c_int::from(self == Self::Robust)
    }
}

/// A scene as it is named in the table.
pub struct Named {
    pub mode: Mode,
    pub name: &'static str,
    pub scene: Scene,
    /// Whether Embree's numbers of triangles are ours; a grid is one primitive.
    pub is_numbered: bool,
    /// Whether rays are cast in packets too.
    pub has_packets: bool,
}

impl Named {
    pub fn label(&self, way: &str) -> Label {
        self.mode.label(&format!("{}{way}", self.name))
    }
}

impl RayShape for Named {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let (all, count) = (questions.to_vec(), questions.len());
        let single = move |first: usize, answers: &mut [RawMet]| {
            self.scene.nearest(&all[first..], answers);
        };
        let mut subjects = vec![native(self.label(""), count, pool, single)];
        let ways = [(8, false), (16, false), (16, true)];
        let is_apt = |way: &(usize, bool)| self.has_packets && (questions.are_coherent || !way.1);
        for (width, is_coherent) in ways.into_iter().filter(is_apt) {
            let packets = Packets::new(questions, width);
            let coherent = if is_coherent { " coherent" } else { "" };
            let label = self.label(&format!(", packets of {width}{coherent}"));
            let label = label.of_many();
            let ask = move |first: usize, answers: &mut [RawMet]| {
                packets.nearest(&self.scene, is_coherent, first, answers);
            };
            subjects.push(native(label, count, pool, ask));
        }
        if !self.is_numbered {
            let unnumbered = |_, met: Option<Met>| met.map(Met::unnumbered);
            let subjects = subjects.into_iter();
            return subjects
                .map(|subject| mapped(subject, unnumbered))
                .collect();
        }
        subjects
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let (all, count) = (questions.to_vec(), questions.len());
        let ask = move |first: usize, answers: &mut [bool]| self.scene.any(&all[first..], answers);
        let mut subjects = vec![native(self.label(""), count, None, ask)];
        for width in [8, 16].into_iter().filter(|_| self.has_packets) {
            let packets = Packets::new(questions, width);
            let label = self.label(&format!(", packets of {width}")).of_many();
            let ask = move |_: usize, answers: &mut [bool]| packets.any(&self.scene, answers);
            subjects.push(native(label, count, None, ask));
        }
        subjects
    }

    fn chains<'a>(&'a self, segments: &'a [Question]) -> Subjects<'a, Option<Met>> {
        embree_points::chains(self, segments)
    }
}
