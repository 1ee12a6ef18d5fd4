//! Skinned meshes against brute force: every vertex skinned in f64, every triangle tried.

use crate::characters::{Character, put, skinned, spawn_character};
use crate::stage::{Numbers, app, ask, triangles};
use bevy_app::App;
use bevy_hitscan::hitscan::Sides;
use bevy_hitscan::prelude::*;
use bevy_math::{DVec3, Dir3, Quat, Vec3};
use bevy_mesh::Mesh;
use bevy_shape::Ray3d;
use bevy_transform::components::{GlobalTransform, Transform};

const JOINTS: u8 = 6;
const VERTICES: usize = 60;
const TRIANGLES: usize = 80;

struct Skin {
    positions: Vec<[f32; 3]>,
    corners: Vec<u32>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    places: Vec<Vec3>,
}

fn random_skin(numbers: &mut Numbers) -> Skin {
    let below = |numbers: &mut Numbers, limit: f32| (numbers.share() * limit).floor();
    let positions = (0..VERTICES)
        .map(|_| numbers.point(1.0).to_array())
        .collect();
    let (mut corners, mut corner) = (Vec::new(), 0);
    for _ in 0..TRIANGLES * 3 {
        // Steps of less than half the number, so that the three of a triangle differ.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small whole numbers"
        )]
        let step = 1 + below(numbers, 29.0) as u32;
        corner = (corner + step) % 60;
        corners.push(corner);
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small whole numbers"
    )]
    let joints = (0..VERTICES)
        .map(|_| [(); 4].map(|()| below(numbers, 6.0) as u16))
        .collect();
    // Their sums are anything from 0 to 4.
    let weights = (0..VERTICES)
        .map(|_| [(); 4].map(|()| numbers.share()))
        .collect();
    let places = (0..JOINTS).map(|_| numbers.point(0.5)).collect();
    Skin {
        positions,
        corners,
        joints,
        weights,
        places,
    }
}

fn random_pose(app: &mut App, character: &Character, numbers: &mut Numbers) {
    for joint in &character.joints {
        let turn = Quat::from_axis_angle(*numbers.direction(), numbers.between(0.0, 3.0));
        let scale = numbers.point(0.7) + Vec3::ONE;
        let at = Transform::from_translation(numbers.point(2.0))
            .with_rotation(turn)
            .with_scale(scale);
        put(app, *joint, at);
    }
}

/// Every vertex where Bevy's joints take it, in f64.
fn vertices(app: &App, character: &Character, skin: &Skin) -> Vec<DVec3> {
    let matrices: Vec<_> = (character.joints.iter())
        .map(|joint| {
            app.world()
                .get::<GlobalTransform>(*joint)
                .expect("a joint")
                .affine()
        })
        .collect();
    let moved = |vertex: usize| {
        let position = Vec3::from(skin.positions[vertex]).as_dvec3();
        let mut place = DVec3::ZERO;
        let mut sum = 0.0;
        for (joint, weight) in skin.joints[vertex].iter().zip(skin.weights[vertex]) {
            let joint = usize::from(*joint);
            let in_joint = position - skin.places[joint].as_dvec3();
            let matrix = matrices[joint];
            let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis]
                .map(|axis| Vec3::from(axis).as_dvec3());
            let at = x * in_joint.x + y * in_joint.y + z * in_joint.z;
            place += f64::from(weight) * (at + Vec3::from(matrix.translation).as_dvec3());
            sum += f64::from(weight);
        }
        place / sum
    };
    (0..VERTICES).map(moved).collect()
}

/// Where a ray hits a triangle, and how far from the triangle's border, as a fraction of its size.
fn meet(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<(f64, f64)> {
    let [ab, ac] = [b - a, c - a];
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(across) / determinant;
    let along = from_a.cross(ab);
    let v = direction.dot(along) / determinant;
    let t = ac.dot(along) / determinant;
    (t >= 0.0).then_some((t, u.min(v).min(1.0 - u - v)))
}

/// Rays that pass a border closer than this fraction may hit or miss: vertices are rounded to f32.
const BORDER: f64 = 1e-5;

/// Distances that differ by no more than this fraction of them are the same: vertices are rounded to f32.
const CROSSING: f64 = 1e-6;

#[test]
fn skins_are_hit_where_brute_force_in_f64_has_them() {
    let mut numbers = Numbers(42);
    let [mut hits, mut misses, mut crossings] = [0, 0, 0];
    for _ in 0..20 {
        let skin = random_skin(&mut numbers);
        let mesh = triangles(&skin.positions, &skin.corners);
        let mesh: Mesh = skinned(mesh, skin.joints.clone(), skin.weights.clone());
        let mut app = app();
        let character = spawn_character(&mut app, mesh, &skin.places);
        app.update();
        for _ in 0..3 {
            random_pose(&mut app, &character, &mut numbers);
            app.update();
            let vertices = vertices(&app, &character, &skin);
            let rays: Vec<Ray3d> = (0..200)
                .map(|_| {
                    let origin = *numbers.direction() * 12.0;
                    let target = numbers.point(2.0);
                    Ray3d::new(origin, Dir3::new(target - origin).expect("far away"))
                })
                .collect();
            let filter = HitscanFilter::new().sides(Sides::Both);
            let answers = ask(&mut app, |hitscan| hitscan.cast_rays(&rays, &filter));
            for (ray, answer) in rays.iter().zip(answers) {
                let [origin, direction] = [ray.origin, *ray.direction].map(|at| at.as_dvec3());
                let met =
                    skin.corners
                        .chunks_exact(3)
                        .enumerate()
                        .filter_map(|(number, corners)| {
                            let at = |corner: usize| vertices[corners[corner] as usize];
                            let (t, inside) = meet(origin, direction, [at(0), at(1), at(2)])?;
                            Some((number, t, inside))
                        });
                let met: Vec<_> = met.collect();
                if met.iter().any(|(_, _, inside)| inside.abs() < BORDER) {
                    continue;
                }
                let inside = met.iter().filter(|(_, _, inside)| *inside > 0.0);
                let nearest = inside.min_by(|(_, one, _), (_, other, _)| one.total_cmp(other));
                match (nearest, answer) {
                    (None, None) => misses += 1_usize,
                    (Some((number, t, _)), Some(answer)) => {
                        hits += 1;
                        assert_eq!(answer.entity, character.mesh);
                        let found = answer.triangle.and_then(|id| id.number());
                        let found = found.map(|found| found as usize);
                        let other = met.iter().find(|(number, _, _)| Some(*number) == found);
                        let later = other.map(|(_, other, inside)| (other - t, *inside > 0.0));
                        // Where two triangles cross, the one may be as near as the other.
                        let is_nearest =
                            later.is_some_and(|(later, is_hit)| is_hit && later < CROSSING * t);
                        assert!(
                            is_nearest,
                            "{ray:?}: {found:?}, {later:?} later than {number}"
                        );
                        crossings += usize::from(found != Some(*number));
                        assert!((f64::from(answer.distance) - t).abs() < 1e-5 * t, "{ray:?}");
                    }
                    (nearest, answer) => panic!("{ray:?}: {nearest:?} and {answer:?}"),
                }
            }
        }
    }
    assert!(hits > 2_000 && misses > 500, "{hits} hits, {misses} misses");
    assert!(crossings < 10, "{crossings} hits where two triangles cross");
}
