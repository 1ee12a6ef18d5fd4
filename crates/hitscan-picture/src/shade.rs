//! The radiance along a ray: the surface that it hits, lit by sun and sky, behind haze.
//!
//! Shadows and the reflections of water are rays of the library too. The camera's rays are in
//! `pixels.rs`.

use crate::atmosphere::{Atmosphere, SUN};
use crate::land_cover::{CoverKind, land_cover};
use crate::noise::gradient_noise;
use crate::palette;
use crate::scene::{Material, Scene, SurfaceHit, unit_or_up};
use glam::{DVec2, DVec3};
use hitscan::Ray;

/// How far off the surface a shadow or reflection ray starts, for each metre to the camera: far more
/// than the rounding of a hit to f32 (2^-24 of a coordinate), far less than a pixel.
const SHADOW_BIAS: f64 = 1.0 / 2048.0;

/// Everything that decides the radiance along a ray.
pub(crate) struct Shader<'a> {
    pub(crate) scene: &'a dyn Scene,
    pub(crate) air: Atmosphere,
    /// The size of the scene, metres: the patterns of the ground are made to it.
    pub(crate) scale: f64,
}

/// How many reflections may follow a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reflections {
    One,
    None,
}

/// The radiance along a ray, and the surface that it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// Linear light, not yet tone-mapped.
    pub(crate) radiance: DVec3,
    /// The object and part that were hit; equal neighbours show one surface.
    pub(crate) surface: Option<(u32, u32)>,
}

impl Shader<'_> {
    /// The radiance along `ray`, whose direction has about unit length.
    pub(crate) fn sample(&self, ray: &Ray) -> Sample {
        self.trace(ray, Reflections::One)
    }

    fn trace(&self, ray: &Ray, reflections: Reflections) -> Sample {
        let direction = unit_or_up(ray.direction().as_dvec3());
        let Some(hit) = self.scene.closest_hit(ray) else {
            return Sample {
                radiance: self.air.sky(direction),
                surface: None,
            };
        };
        let radiance = match hit.material {
            Material::Ground {
                elevation,
                smooth_normal,
            } => self.ground(&hit, direction, elevation, smooth_normal, reflections),
            Material::Object {
                object,
                part,
                color,
            } => {
                let color = color.unwrap_or_else(|| palette::part_color(object, part));
                self.paint(&hit, direction, color)
            }
        };
        let surface = match hit.material {
            Material::Ground { .. } => (u32::MAX, 0),
            Material::Object { object, part, .. } => (object, part),
        };
        Sample {
            radiance: self.air.attenuate(radiance, hit.distance, direction),
            surface: Some(surface),
        }
    }

    fn ground(
        &self,
        hit: &SurfaceHit,
        direction: DVec3,
        elevation: f64,
        smooth_normal: DVec3,
        reflections: Reflections,
    ) -> DVec3 {
        let cover = land_cover(hit.point, elevation, hit.normal, smooth_normal, self.scale);
        let facing = towards_viewer(smooth_normal, direction);
        if cover.kind == CoverKind::Water && reflections == Reflections::One && direction.y < 0.0 {
            return self.water(hit, direction, cover.albedo);
        }
        let lit = SUN * self.sunlight(hit, direction, facing) + self.air.ambient(facing);
        cover.albedo * lit
    }

    /// Water: its reflection, by Schlick's approximation of Fresnel's law, over its own colour.
    fn water(&self, hit: &SurfaceHit, direction: DVec3, deep: DVec3) -> DVec3 {
        let pattern = DVec2::new(hit.point.x, hit.point.z) / self.scale;
        let ripple = DVec2::new(
            gradient_noise(pattern * DVec2::new(260.0, 420.0), 0x31),
            gradient_noise(pattern * DVec2::new(260.0, 420.0), 0x32),
        );
        let normal = unit_or_up(DVec3::new(ripple.x * 0.022, 1.0, ripple.y * 0.022));
        let toward = -direction.dot(normal);
        let mirrored = direction + normal * (2.0 * toward);
        let mirrored = unit_or_up(DVec3::new(mirrored.x, mirrored.y.abs(), mirrored.z));
        let grazing = 1.0 - toward.clamp(0.0, 1.0);
        let reflectance = 0.03 + 0.97 * grazing * grazing * grazing * grazing * grazing;
        let origin = hit.point + DVec3::Y * (hit.distance * SHADOW_BIAS);
        let reflection = match Ray::new(origin.as_vec3(), mirrored.as_vec3()) {
            Ok(ray) => self.trace(&ray, Reflections::None).radiance,
            Err(_) => self.air.sky(mirrored),
        };
        let own = deep * (SUN * self.sunlight(hit, direction, DVec3::Y) * 0.7 + 0.8);
        own.lerp(reflection, reflectance)
    }

    /// Paint: matt colour with a soft highlight.
    fn paint(&self, hit: &SurfaceHit, direction: DVec3, color: DVec3) -> DVec3 {
        if hit.normal == DVec3::ZERO {
            // The ray starts inside a solid, which has no surface there to light.
            return color * 0.4;
        }
        let normal = towards_viewer(hit.normal, direction);
        let sun = self.sunlight(hit, direction, normal);
        let halfway = unit_or_up(self.air.to_sun - direction);
        let highlight = 0.35 * libm::pow(normal.dot(halfway).max(0.0), 48.0);
        let grazing = 1.0 + direction.dot(normal).clamp(-1.0, 0.0);
        let rim = 0.02 + 0.22 * grazing * grazing * grazing * grazing;
        let mirrored = direction - normal * (2.0 * direction.dot(normal));
        let sheen = self.air.ambient(mirrored) * rim;
        color * (SUN * sun + self.air.ambient(normal)) + SUN * (sun.min(1.0) * highlight) + sheen
    }

    /// The cosine between the normal and the sun's direction: 0 in shadow.
    fn sunlight(&self, hit: &SurfaceHit, direction: DVec3, normal: DVec3) -> f64 {
        let cosine = normal.dot(self.air.to_sun);
        if cosine <= 0.0 {
            return 0.0;
        }
        let off_surface = towards_viewer(hit.normal, direction);
        let origin = hit.point + off_surface * (hit.distance * SHADOW_BIAS);
        let is_occluded = Ray::new(origin.as_vec3(), self.air.to_sun.as_vec3())
            .is_ok_and(|ray| self.scene.is_occluded(&ray));
        if is_occluded { 0.0 } else { cosine }
    }
}

/// The normal on the side from which a ray along `direction` comes.
fn towards_viewer(normal: DVec3, direction: DVec3) -> DVec3 {
    if normal.dot(direction) > 0.0 {
        -normal
    } else {
        normal
    }
}
