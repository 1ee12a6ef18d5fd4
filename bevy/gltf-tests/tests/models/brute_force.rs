//! Models as Bevy has posed them against brute force: every vertex posed in f64, every triangle tried.

use crate::cases::{REFUSED, cases};
use crate::posed_mesh::PosedMesh;
use crate::stage::{app_with, ask, load, meshes, spawn_posed};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitscan::hitscan::Sides;
use bevy_hitscan::prelude::*;
use bevy_math::{DVec3, Dir3, Vec3};
use bevy_shape::Ray3d;
use std::path::Path;

const RAYS: usize = 10_000;

/// Rays that pass a border closer than this fraction may hit or miss: vertices are rounded to f32.
const BORDER: f64 = 1e-5;

/// Distances that differ by no more than this fraction of the model's size are the same: vertices are rounded
/// to f32.
const CROSSING: f64 = 1e-6;

/// What brute force says of a ray.
struct Met {
    mesh: usize,
    triangle: usize,
    distance: f64,
    /// How far inside the triangle, as a fraction of its size; negative outside.
    inside: f64,
}

/// Numbers that look random: xorshift64*.
struct Numbers(u64);

impl Numbers {
    /// From -1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        f64::from(u32::try_from(bits).unwrap()) / f64::from(u32::MAX) * 2.0 - 1.0
    }

    fn point(&mut self) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.signed()))
    }
}

/// Where a ray intersects the plane of a triangle.
fn meet(ray: &Ray3d, [a, b, c]: [DVec3; 3]) -> Option<(f64, f64)> {
    let [origin, direction] = [ray.origin, *ray.direction].map(Vec3::as_dvec3);
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
    let distance = ac.dot(along) / determinant;
    (distance >= 0.0).then_some((distance, u.min(v).min(1.0 - u - v)))
}

/// All triangles that a ray hits, or passes closely by.
fn meetings(ray: &Ray3d, posed: &[PosedMesh]) -> Vec<Met> {
    let mut met = Vec::new();
    for (mesh, posed) in posed.iter().enumerate() {
        for (triangle, corners) in posed.triangles.iter().enumerate() {
            if let Some((distance, inside)) =
                meet(ray, *corners).filter(|(_, inside)| *inside > -BORDER)
            {
                met.push(Met {
                    mesh,
                    triangle,
                    distance,
                    inside,
                });
            }
        }
    }
    met
}

/// Rays from around the model into the box about it.
fn rays(posed: &[PosedMesh], numbers: &mut Numbers) -> (Vec<Ray3d>, f64) {
    let corners = || {
        posed
            .iter()
            .flat_map(|mesh| mesh.triangles.iter().flatten())
    };
    let min = corners().fold(DVec3::INFINITY, |min, at| min.min(*at));
    let max = corners().fold(DVec3::NEG_INFINITY, |max, at| max.max(*at));
    let [middle, half] = [(min + max) / 2.0, (max - min) / 2.0];
    let size = half.length();
    let ray = |_| loop {
        let origin = middle + numbers.point().normalize_or_zero() * 3.0 * size;
        let target = middle + numbers.point() * half;
        if let Ok(direction) = Dir3::new((target - origin).as_vec3()) {
            return Ray3d::new(origin.as_vec3(), direction);
        }
    };
    ((0..RAYS).map(ray).collect(), size)
}

/// The model's triangles as they are posed, with rays at them and what these hit.
struct Truth {
    rays: Vec<Ray3d>,
    met: Vec<Vec<Met>>,
    size: f64,
}

#[derive(Default, Debug)]
struct Counts {
    hits: usize,
    misses: usize,
    at_borders: usize,
    crossings: usize,
}

/// The model a third of the way through its first animation.
fn spawned(plugin: HitscanPlugin, folder: &Path, file: &str, duration: Option<f64>) -> App {
    let mut app = app_with(plugin, folder);
    let model = load(&mut app, file).unwrap();
    #[expect(clippy::cast_possible_truncation, reason = "Bevy's times are f32")]
    let pose = duration.map(|duration| (0, (duration / 3.0) as f32));
    spawn_posed(&mut app, &model, pose);
    app
}

fn check(app: &mut App, truth: &Truth, entities: &[Entity], file: &str) -> Counts {
    let mut counts = Counts::default();
    let filter = HitscanFilter::new().sides(Sides::Both);
    let answers = ask(app, |hitscan| hitscan.cast_rays(&truth.rays, &filter));
    for ((ray, met), answer) in truth.rays.iter().zip(&truth.met).zip(answers) {
        if met.iter().any(|met| met.inside.abs() < BORDER) {
            counts.at_borders += 1;
            continue;
        }
        let nearest = met
            .iter()
            .min_by(|one, other| one.distance.total_cmp(&other.distance));
        let (Some(nearest), Some(answer)) = (nearest, answer) else {
            assert_eq!(nearest.is_some(), answer.is_some(), "{file}: {ray:?}");
            counts.misses += 1;
            continue;
        };
        counts.hits += 1;
        let number = answer.triangle.and_then(|id| id.number()).unwrap();
        let found = met.iter().find(|met| {
            entities[met.mesh] == answer.entity && u32::try_from(met.triangle) == Ok(number)
        });
        let Some(found) = found else {
            panic!("{file}: {ray:?}: {answer:?} is no triangle that the ray meets");
        };
        // Where two triangles cross, the one may be as near as the other.
        let later = found.distance - nearest.distance;
        assert!(
            later <= CROSSING * truth.size,
            "{file}: {ray:?}: {later} later"
        );
        let is_other = (found.mesh, found.triangle) != (nearest.mesh, nearest.triangle);
        counts.crossings += usize::from(is_other);
        let off = (f64::from(answer.distance) - found.distance).abs();
        assert!(off <= 1e-5 * truth.size, "{file}: {ray:?}: off by {off}");
    }
    counts
}

#[test]
fn posed_models_are_hit_where_brute_force_in_f64_has_them() {
    let Some((folder, cases)) = cases() else {
        return;
    };
    let mut checked = 0;
    let mut numbers = Numbers(34);
    for model in cases["models"].as_array().unwrap() {
        let file = model["file"].as_str().unwrap();
        if REFUSED.iter().any(|(refused, _)| *refused == file) {
            continue;
        }
        let duration = model["durations"][0].as_f64();
        let blocking = HitscanPlugin::default().bake_blocking();
        let mut app = spawned(blocking, &folder, file, duration);
        let entities = meshes(&mut app);
        let posed: Vec<PosedMesh> = entities
            .iter()
            .map(|entity| PosedMesh::of(&app, *entity))
            .collect();
        let (rays, size) = rays(&posed, &mut numbers);
        let met = rays.iter().map(|ray| meetings(ray, &posed)).collect();
        let truth = Truth { rays, met, size };
        let entities: Vec<Entity> = posed.iter().map(|mesh| mesh.entity).collect();
        let counts = check(&mut app, &truth, &entities, file);
        println!("{file}: {counts:?}");
        assert!(
            counts.hits > 100 && counts.at_borders < RAYS / 20,
            "{file}: {counts:?}"
        );
        let mut aside = spawned(HitscanPlugin::default(), &folder, file, duration);
        let entities_aside = meshes(&mut aside);
        assert_eq!(entities_aside.len(), entities.len(), "{file}");
        check(&mut aside, &truth, &entities_aside, file);
        checked += 1;
    }
    assert!(checked >= 15, "{checked} models");
}
