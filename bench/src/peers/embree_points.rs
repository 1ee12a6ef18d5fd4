//! Embree 4: chains of rays, and the nearest points of meshes by `rtcPointQuery`.
//!
//! All `unsafe` of these queries is in this file: it calls `native/embree.c`.

use super::embree::{Named, Packets, Scene, Shape};
use super::native::{RawMet, native};
use crate::answer::Met;
use crate::inputs::Question;
use crate::inputs::arcs::CHAIN;
use crate::subject::{Subject, Subjects, mapped};
use std::ffi::c_void;

unsafe extern "C" {
    fn embree_chains(
        shape: *const Shape,
        segments: *const Question,
        chain: usize,
        count: usize,
        answers: *mut RawMet,
    );
    fn embree_chains8(
        shape: *const Shape,
        packets: *const c_void,
        chain: usize,
        count: usize,
        answers: *mut RawMet,
    );
    fn embree_distances(
        shape: *const Shape,
        points: *const f32,
        count: usize,
        answers: *mut RawMet,
    );
}

/// Rays a packet of a chain.
const WIDTH: usize = 8;

/// G1: each ray of a chain in turn, and in packets of eight.
pub fn chains<'a>(named: &'a Named, segments: &'a [Question]) -> Subjects<'a, Option<Met>> {
    let scene = &named.scene;
    let single = move |_: usize, answers: &mut [RawMet]| in_turn(scene, segments, answers);
    let count = segments.len() / CHAIN;
    let mut subjects = vec![native(named.label(""), count, None, single)];
    if named.has_packets {
        let packets = Packets::new(segments, WIDTH);
        let eight = move |_: usize, answers: &mut [RawMet]| in_packets(scene, &packets, answers);
        let label = named.label(", packets of 8").of_many();
        subjects.push(native(label, count, None, eight));
    }
    let unnumbered = |_, met: Option<Met>| met.map(Met::unnumbered);
    let subjects = subjects.into_iter();
    subjects
        .map(|subject| mapped(subject, unnumbered))
        .collect()
}

fn in_turn(scene: &Scene, segments: &[Question], answers: &mut [RawMet]) {
    assert!(answers.len() * CHAIN <= segments.len());
    let (shape, first, many) = (scene.pointer(), segments.as_ptr(), answers.len());
    // SAFETY: there are so many chains of segments, and room for their answers.
    unsafe { embree_chains(shape, first, CHAIN, many, answers.as_mut_ptr()) }
}

fn in_packets(scene: &Scene, packets: &Packets, answers: &mut [RawMet]) {
    let (first, rays) = packets.all();
    assert!(CHAIN.is_multiple_of(WIDTH) && answers.len() * CHAIN <= rays);
    let (shape, many) = (scene.pointer(), answers.len());
    // SAFETY: chains are whole packets of eight, there are so many of them, and room for their
    // answers.
    unsafe { embree_chains8(shape, first, CHAIN, many, answers.as_mut_ptr()) }
}

/// C1: the distance of each point and its nearest triangle, of a scene of triangles.
pub fn distances<'a>(named: Named, points: &[[f32; 3]]) -> Box<dyn Subject<Option<Met>> + 'a> {
    assert!(named.is_numbered, "a grid has no triangles to look up");
    let (label, points) = (named.label(", rtcPointQuery"), points.to_vec());
    let count = points.len();
    let ask = move |_: usize, answers: &mut [RawMet]| {
        assert!(answers.len() <= points.len());
        let (shape, first) = (named.scene.pointer(), points.as_flattened().as_ptr());
        // SAFETY: there are three numbers for each answer; the scene is of triangles, whose corners
        // the shim keeps.
        unsafe { embree_distances(shape, first, answers.len(), answers.as_mut_ptr()) }
    };
    native(label, count, None, ask)
}
