//! Outlines in the mesh's space hold what they should, and no triangle that counts is culled by them.

use super::*;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::shape_cast::brute_force::Soup;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::simd::Width;
use crate::test_rng::Rng;
use crate::tri_mesh::PlacedMesh;
use crate::{Aabb, Capsule, ContactsPer, InitialOverlap, Obb, Primitive};
use crate::{ShapeCast, Sides, Sphere, TriMesh};
use glam::{DQuat, Vec3};

fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::from([(); 3].map(|()| rng.uniform(-1.0, 1.0)))
}

fn turn(rng: &mut Rng) -> DQuat {
    let [x, y, z, w] = [(); 4].map(|()| rng.uniform(-1.0, 1.0));
    DQuat::from_xyzw(x, y, z, w + 2.0).normalize()
}

/// Of many kinds: turned with even scales, from tiny to huge, mirrored and uneven ones, thin ones, sheared ones,
/// some of them far away; the last flattens, and has no inverse.
fn transform(rng: &mut Rng, kind: usize) -> DAffine3 {
    let size = rng.pick(&[1.0, 0.01, 1e-7, 300.0, 1e9]);
    let scale = match kind {
        0..=2 => DVec3::ONE,
        3 => DVec3::new(-1.0, 1.0, 1.0),
        4 => vector(rng) + 1.5,
        5 => DVec3::new(1.0, rng.pick(&[0.1, 1e-3, 1e-6]), -1.0),
        6 => DVec3::new(rng.pick(&[0.1, 1e-3, 1e-6]), 2.0, 1.0),
        7 => DVec3::new(1.0, 0.0, 1.0),
        _ => DVec3::ONE,
    };
    let far = rng.pick(&[0.0, 1.0, 1.0, 1e4]);
    let mut placed = DAffine3::from_scale_rotation_translation(
        scale * size,
        turn(rng),
        vector(rng) * far * size,
    );
    if kind == 8 {
        let sheared = DMat3::from_cols(DVec3::X, DVec3::new(1.5, 1.0, 0.0), vector(rng));
        placed.matrix3 *= sheared;
    }
    placed
}

const KINDS: usize = 9;

/// A shape near a point.
fn shape(rng: &mut Rng, near: DVec3, size: f64) -> Primitive {
    let from = (near + 1.5 * size * vector(rng)).as_vec3();
    let long = rng.pick(&[1.0, 0.1, 0.01]);
    let half = (size * long * vector(rng)).abs().as_vec3();
    let radius = size * rng.uniform(0.01, 0.5);
    match rng.below(4) {
        0 => Sphere::new(from, radius).unwrap().into(),
        1 => Capsule::new(from, from + half, 0.3 * radius)
            .unwrap()
            .into(),
        2 => Aabb::new(from - half, from + half).unwrap().into(),
        _ => Obb::new(from, half, turn(rng)).unwrap().into(),
    }
}

/// Triangles between random corners; flat, or far from their own origin.
fn mesh(rng: &mut Rng, width: Width) -> TriMesh {
    let far = vector(rng) * rng.pick(&[0.0, 0.0, 100.0]);
    let flat = DVec3::new(1.0, rng.pick(&[1.0, 0.01, 0.0]), 1.0);
    let corners = (0..24).map(|_| (far + flat * vector(rng)).as_vec3());
    let positions: Vec<Vec3> = corners.collect();
    let triangles = (0..40).map(|_| [(); 3].map(|()| u32::try_from(rng.below(24)).unwrap()));
    let mesh = TriMesh::new(positions, triangles.collect()).unwrap();
    mesh.with_width(width)
}

#[test]
fn a_placed_mesh_answers_as_all_its_triangles_do() {
    let mut rng = Rng(3);
    let widths = Width::available();
    let (mut hits, mut overlaps, mut near, mut apart) = (0, 0, 0, 0);
    for round in 0..3_000 {
        let mesh = mesh(&mut rng, widths[round % widths.len()]);
        let affine = transform(&mut rng, round % KINDS);
        let transform = MeshTransform::new(affine);
        let placed = PlacedMesh {
            transform: Some(&transform),
            is_mirrored: transform.is_mirrored(),
            ..PlacedMesh::from(&mesh)
        };
        let count = u32::try_from(mesh.triangles().len()).unwrap();
        let soup = Soup(
            (0..count)
                .map(|triangle| placed.triangle(triangle))
                .collect(),
        );
        let [a, b, c] = placed.corners(u32::try_from(rng.below(40)).unwrap());
        let size = rng.pick(&[1.0, 0.3, 0.05]) * max_stretch(&affine.matrix3);
        for _ in 0..4 {
            let shape = shape(&mut rng, (a + b + c) / 3.0, size);
            let motion = (rng.pick(&[0.0, 1.0, 4.0]) * size * vector(&mut rng)).as_vec3();
            for escapes in [InitialOverlap::Stop, InitialOverlap::Escape] {
                let cast = ShapeCast::new(shape.clone(), motion).unwrap();
                let cast = cast.with_initial_overlap(escapes);
                let prepared = PreparedCast::new(&cast, rng.pick(&[Sides::Both, Sides::Front]));
                let found = prepared.first_hit(&placed);
                assert_eq!(
                    found,
                    prepared.first_hit(&soup),
                    "{round} {affine:?} {cast:?}"
                );
                assert_eq!(prepared.meets_any(&placed), found.is_some(), "{round}");
                hits += usize::from(found.is_some());
            }
            for margin in [0.0, 0.2 * size] {
                #[expect(clippy::cast_possible_truncation, reason = "any margin will do")]
                let query = ContactQuery::new(&shape, margin as f32);
                let is_found = query.overlaps(&placed);
                assert_eq!(
                    is_found,
                    query.overlaps(&soup),
                    "{round} {affine:?} {shape:?}"
                );
                overlaps += usize::from(is_found);
                for each in [ContactsPer::Object, ContactsPer::Triangle] {
                    let found = query.with_triangles(&placed, each);
                    let expected = query.with_triangles(&soup, each);
                    assert_eq!(found, expected, "{round} {affine:?} {shape:?} {margin}");
                    near += usize::from(!found.is_empty());
                    apart += usize::from(found.is_empty());
                }
            }
        }
    }
    let counts = [hits, overlaps, near, apart];
    println!("{counts:?}");
    assert!(counts.iter().all(|count| *count > 2_000), "{counts:?}");
}

/// What touches the shape's surface somewhere, in the mesh's space, against the outline along many axes.
#[test]
fn the_outline_holds_what_touches_the_shape() {
    let mut rng = Rng(11);
    let mut tested = 0;
    for round in 0..20_000 {
        let affine = transform(&mut rng, round % KINDS);
        let transform = MeshTransform::new(affine);
        let local = (vector(&mut rng) * rng.pick(&[1.0, 1e-3, 1e4])).as_vec3();
        let local = local.as_dvec3();
        let [world, ..] = transform.placed([local; 3]);
        let size = rng.pick(&[1.0, 1e-3, 1e-6]) * max_stretch(&affine.matrix3);
        let motion = (size * vector(&mut rng)).as_vec3().as_dvec3();
        let t = rng.uniform(0.0, 1.0);
        // The shape's surface is an ulp or so beyond the point.
        let start = world - motion * t;
        let a = (start + size * vector(&mut rng)).as_vec3();
        let b = (start + size * vector(&mut rng)).as_vec3();
        let (nearest, shape): (DVec3, Option<Primitive>) = if round % 2 == 0 {
            let radius = start.distance(a.as_dvec3()) * (1.0 + 1e-15);
            (a.as_dvec3(), Sphere::new(a, radius).ok().map(Into::into))
        } else {
            let (a64, b64) = (a.as_dvec3(), b.as_dvec3());
            let along = (start - a64).dot(b64 - a64) / (b64 - a64).length_squared();
            let nearest = a64.lerp(b64, along.clamp(0.0, 1.0));
            let radius = start.distance(nearest) * (1.0 + 1e-15);
            (nearest, Capsule::new(a, b, radius).ok().map(Into::into))
        };
        let Some(shape) = shape else {
            continue;
        };
        let outline = Outline::new(&Convex::from(&shape));
        let bounds = shape.bounds();
        let swept = MovingBox {
            min: bounds.min().as_dvec3(),
            max: bounds.max().as_dvec3(),
            motion,
        };
        let (Some((moving, around)), Some(inverse)) = (
            transform.local_outline(&outline, &swept),
            transform.inverse(),
        ) else {
            continue;
        };
        let (low, high) = (
            around.min + around.motion * t,
            around.max + around.motion * t,
        );
        assert!(
            (low.cmple(local) & local.cmple(high)).all(),
            "{round} {affine:?} {shape:?}"
        );
        let away = inverse.transform_vector3(start - nearest);
        for axis in [away, DVec3::X, DVec3::Y, DVec3::Z]
            .into_iter()
            .chain((0..20).map(|_| vector(&mut rng)))
        {
            let place = axis.dot(local - moving.middle() - around.motion * t).abs();
            let halves = moving.halves().map(|half| axis.dot(half).abs());
            let extent = halves.iter().sum::<f64>() + moving.radius() * axis.length();
            assert!(
                place <= extent,
                "{round} {affine:?} {shape:?} {place} {extent}"
            );
            tested += 1;
        }
    }
    assert!(tested > 200_000, "{tested}");
}

#[test]
fn the_stretch_is_exact_for_turned_scales_and_a_bound_for_all() {
    let mut rng = Rng(5);
    for round in 0..2_000 {
        let DAffine3 { matrix3, .. } = transform(&mut rng, round % KINDS);
        let bound = max_stretch(&matrix3);
        for _ in 0..20 {
            let v = vector(&mut rng);
            assert!(
                (matrix3 * v).length() <= bound * v.length(),
                "{matrix3:?} {v:?}"
            );
        }
        let scale = vector(&mut rng) * rng.pick(&[1.0, 1e-9, 1e9]);
        let (turned, scale) = (
            DMat3::from_quat(turn(&mut rng)),
            DMat3::from_diagonal(scale),
        );
        let exact = magnitudes(&scale).mul_vec3(DVec3::ONE).max_element();
        for product in [turned * scale, scale * turned] {
            let bound = max_stretch(&product);
            assert!(
                bound >= exact && bound <= exact * (1.0 + 1e-13),
                "{bound} {exact}"
            );
        }
    }
}

#[test]
fn a_similar_transform_makes_no_outline_larger() {
    let mut rng = Rng(13);
    for round in 0..1_000 {
        let affine = transform(&mut rng, round % 4);
        let transform = MeshTransform::new(affine);
        let scale = max_stretch(&affine.matrix3);
        let shape = shape(&mut rng, affine.translation, scale);
        let outline = Outline::new(&Convex::from(&shape));
        let bounds = shape.bounds();
        let swept = MovingBox {
            min: bounds.min().as_dvec3(),
            max: bounds.max().as_dvec3(),
            motion: DVec3::ZERO,
        };
        let (local, _) = transform.local_outline(&outline, &swept).unwrap();
        let margin = 2.0 * MARGIN * magnitude(&swept, &affine);
        let most = outline.mean_extent() + margin;
        let extent = local.mean_extent() * scale;
        assert!(
            extent <= most * (1.0 + 1e-9),
            "{round} {affine:?} {shape:?} {extent} {most}"
        );
    }
}

/// Gaps in the mesh's space along the triangle's normal, from the shape's middle, and along any axis.
#[test]
fn no_bound_of_a_separation_is_more_than_it_is() {
    let mut rng = Rng(17);
    let (mut tested, mut close) = ([0; 2], 0);
    for round in 0..4_000 {
        let mesh = mesh(&mut rng, Width::available()[0]);
        let affine = transform(&mut rng, round % KINDS);
        let transform = MeshTransform::new(affine);
        let placed = PlacedMesh {
            transform: Some(&transform),
            ..PlacedMesh::from(&mesh)
        };
        let triangle = u32::try_from(rng.below(40)).unwrap();
        let corners = placed.corners(triangle);
        let size = rng.pick(&[1.0, 0.3, 0.05]) * max_stretch(&affine.matrix3);
        let near = (corners[0] + corners[1] + corners[2]) / 3.0;
        let shape = shape(&mut rng, near, size);
        #[expect(clippy::cast_possible_truncation, reason = "any margin will do")]
        let query = ContactQuery::new(&shape, (4.0 * size) as f32);
        let (min, max) = query.reach();
        let motion = DVec3::ZERO;
        let around = MovingBox { min, max, motion };
        let (Some(contact), Some((outline, lengths))) = (
            query.contact(&Convex::triangle(corners)),
            transform.local_resting(query.outline(), &around),
        ) else {
            continue;
        };
        let [_, separation] = contact.enclosure();
        let [a, b, c] = mesh
            .corners(triangle)
            .map(|corner| corner - outline.middle());
        let normal = (b - a).cross(c - a);
        let axes = [normal, a + b + c, a, b, c].into_iter();
        for axis in axes.chain((0..10).map(|_| vector(&mut rng))) {
            let axis = axis.normalize_or_zero();
            let [a, b, c] = [a, b, c].map(|corner| axis.dot(corner));
            let halves = outline.halves().map(|half| axis.dot(half).abs());
            let extent = halves.iter().sum::<f64>() + outline.radius();
            let gap = a.min(b).min(c).max(-a.max(b).max(c)) - extent;
            let bound = lengths.separation(gap);
            assert!(
                bound <= separation,
                "{round} {affine:?} {shape:?} {bound} {separation}"
            );
            tested[usize::from(gap > 0.0)] += 1;
            close += usize::from(bound > separation - separation.abs() * 1e-3);
        }
    }
    assert!(tested.iter().all(|count| *count > 4_000), "{tested:?}");
    assert!(close > 300, "{close}");
}
