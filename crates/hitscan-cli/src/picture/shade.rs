//! The colour that a ray brings back: what it met, lit by sun and sky, seen through the air.
//!
//! Whether the sun reaches a point, and what water mirrors, are rays of the library too. What
//! rays a picture starts with is in `render.rs`.

use super::atmosphere::{Atmosphere, SUN};
use super::ground::{CoverKind, cover};
use super::noise::gradient_noise;
use super::palette;
use super::scene::{Matter, Scene, Sighting, unit};
use glam::{DVec2, DVec3};
use hitscan::Ray;

/// How far a second ray starts off the surface, for each metre that the first one went: far more
/// than the rounding of an answer to f32 (2^-24 of a coordinate), far less than a pixel.
const LIFT: f64 = 1.0 / 2048.0;

/// Everything that decides a ray's colour.
pub(crate) struct Shader<'a> {
    pub(crate) scene: &'a dyn Scene,
    pub(crate) air: Atmosphere,
    /// The size of the scene, metres: the patterns of the ground are made to it.
    pub(crate) scale: f64,
}

/// How many mirrors a ray may still meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mirrors {
    Once,
    Never,
}

/// What a ray brought back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// Linear light, not yet tone-mapped.
    pub(crate) light: DVec3,
    /// The object and part that were met; equal neighbours show one surface.
    pub(crate) matter: Option<(u32, u32)>,
}

impl Shader<'_> {
    /// What `ray`, whose direction has about unit length, sees.
    pub(crate) fn look(&self, ray: &Ray) -> Seen {
        self.trace(ray, Mirrors::Once)
    }

    fn trace(&self, ray: &Ray, mirrors: Mirrors) -> Seen {
        let direction = unit(ray.direction().as_dvec3());
        let nearest = self.scene.nearest(ray);
        let Some(sighting) = nearest else {
            return Seen {
                light: self.air.sky(direction),
                matter: None,
            };
        };
        let light = match sighting.matter {
            Matter::Ground {
                elevation,
                smooth_normal,
            } => self.ground(&sighting, direction, elevation, smooth_normal, mirrors),
            Matter::Object { object, part } => {
                self.paint(&sighting, direction, palette::part(object, part))
            }
        };
        let matter = match sighting.matter {
            Matter::Ground { .. } => (u32::MAX, 0),
            Matter::Object { object, part } => (object, part),
        };
        Seen {
            light: self.air.through_air(light, sighting.distance, direction),
            matter: Some(matter),
        }
    }

    fn ground(
        &self,
        sighting: &Sighting,
        direction: DVec3,
        elevation: f64,
        smooth_normal: DVec3,
        mirrors: Mirrors,
    ) -> DVec3 {
        let cover = cover(
            sighting.point,
            elevation,
            sighting.normal,
            smooth_normal,
            self.scale,
        );
        let facing = towards_viewer(smooth_normal, direction);
        if cover.kind == CoverKind::Water && mirrors == Mirrors::Once && direction.y < 0.0 {
            return self.water(sighting, direction, cover.albedo);
        }
        let lit = SUN * self.sunlight(sighting, direction, facing) + self.air.ambient(facing);
        cover.albedo * lit
    }

    /// Water: what it mirrors, by Schlick's approximation of Fresnel's law, over its own colour.
    fn water(&self, sighting: &Sighting, direction: DVec3, deep: DVec3) -> DVec3 {
        let place = DVec2::new(sighting.point.x, sighting.point.z) / self.scale;
        let ripple = DVec2::new(
            gradient_noise(place * DVec2::new(260.0, 420.0), 0x31),
            gradient_noise(place * DVec2::new(260.0, 420.0), 0x32),
        );
        let normal = unit(DVec3::new(ripple.x * 0.022, 1.0, ripple.y * 0.022));
        let toward = -direction.dot(normal);
        let mirrored = direction + normal * (2.0 * toward);
        let mirrored = unit(DVec3::new(mirrored.x, mirrored.y.abs(), mirrored.z));
        let grazing = 1.0 - toward.clamp(0.0, 1.0);
        let share = 0.03 + 0.97 * grazing * grazing * grazing * grazing * grazing;
        let origin = sighting.point + DVec3::Y * (sighting.distance * LIFT);
        let reflection = match Ray::new(origin.as_vec3(), mirrored.as_vec3()) {
            Ok(ray) => self.trace(&ray, Mirrors::Never).light,
            Err(_) => self.air.sky(mirrored),
        };
        let own = deep * (SUN * self.sunlight(sighting, direction, DVec3::Y) * 0.7 + 0.8);
        own.lerp(reflection, share)
    }

    /// Paint: matt colour with a soft highlight.
    fn paint(&self, sighting: &Sighting, direction: DVec3, colour: DVec3) -> DVec3 {
        if sighting.normal == DVec3::ZERO {
            // The eye is inside a solid: there is only its colour.
            return colour * 0.4;
        }
        let normal = towards_viewer(sighting.normal, direction);
        let sun = self.sunlight(sighting, direction, normal);
        let halfway = unit(self.air.to_sun - direction);
        let highlight = 0.35 * libm::pow(normal.dot(halfway).max(0.0), 48.0);
        let grazing = 1.0 + direction.dot(normal).clamp(-1.0, 0.0);
        let rim = 0.02 + 0.22 * grazing * grazing * grazing * grazing;
        let mirrored = direction - normal * (2.0 * direction.dot(normal));
        let sheen = self.air.ambient(mirrored) * rim;
        colour * (SUN * sun + self.air.ambient(normal)) + SUN * (sun.min(1.0) * highlight) + sheen
    }

    /// How squarely the sun lights a surface with this normal: 0 in shadow.
    fn sunlight(&self, sighting: &Sighting, direction: DVec3, normal: DVec3) -> f64 {
        let squareness = normal.dot(self.air.to_sun);
        if squareness <= 0.0 {
            return 0.0;
        }
        let off_surface = towards_viewer(sighting.normal, direction);
        let origin = sighting.point + off_surface * (sighting.distance * LIFT);
        let blocked = Ray::new(origin.as_vec3(), self.air.to_sun.as_vec3())
            .is_ok_and(|ray| self.scene.is_blocked(&ray));
        if blocked { 0.0 } else { squareness }
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
