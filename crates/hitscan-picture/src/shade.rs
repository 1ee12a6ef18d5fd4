//! The radiance along rays: the surfaces that they hit, lit by sun and sky, behind haze.
//!
//! Shadows, ambient occlusion and the reflections of water are rays of the library too. They are cast
//! many at once: first all surfaces are looked at and the rays that they need are listed, then these
//! are cast, then the light is put together. The camera's rays are in `painter.rs`.

use crate::atmosphere::{Atmosphere, SUN, power};
use crate::land_cover::{CoverKind, land_cover};
use crate::noise::gradient_noise;
use crate::options::Light;
use crate::outline::SurfaceId;
use crate::palette::Palette;
use crate::scene::{Material, SurfaceHit, unit_or_up};
use crate::sequence::{Use, in_cosine_lobe, on_disc, pixel_point};
use crate::world_scene::WorldScene;
use glam::{DVec2, DVec3};
use hitscan::{Ray, RayHit};

/// How far off the surface a shadow or reflection ray starts, for each metre to the camera: far more
/// than the rounding of a hit to f32 (2^-24 of a coordinate), far less than a pixel.
const SHADOW_BIAS: f64 = 1.0 / 2048.0;

/// The sine of the sun's radius as seen from the ground, in soft light: three times that of the real
/// one, so that the softness shows at the scale of a game's world.
const SUN_RADIUS: f64 = 0.014;

/// How far the rays of ambient occlusion reach, for each metre to the camera: what is within this part
/// of the picture darkens a place, whatever the scale of the world.
const SOFT_REACH: f64 = 0.40;
/// As [`SOFT_REACH`], in the sun: shadows of contact.
const CONTACT_REACH: f64 = 0.03;

/// The part of the sky's light that reaches a place all the same from which no sky is seen within the
/// reach: from farther away, and from what hides it.
const INDIRECT: f64 = 0.25;

/// Everything that decides the radiance along a ray.
pub(crate) struct Shader<'s, 'a> {
    pub(crate) scene: &'s WorldScene<'a>,
    pub(crate) air: Atmosphere,
    /// The size of the scene, metres: the patterns of the ground are made to it.
    pub(crate) scale: f64,
    /// The width of a pixel at no distance, and how much wider it is for each metre; patterns that are
    /// finer are left out. Zeros draw them all.
    pub(crate) pixel: [f64; 2],
    pub(crate) light: Light,
    pub(crate) palette: Palette,
    /// How many rays look for the sky from each surface.
    pub(crate) ambient_occlusion: u32,
}

/// How many reflections may follow a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reflections {
    One,
    None,
}

/// Which sample of which pixel a ray belongs to: its light is looked for in directions of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleId {
    pub(crate) pixel: [u32; 2],
    /// Counted from 0.
    pub(crate) number: u32,
}

/// The radiance along a ray, and the surface that it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// Linear light, not yet tone-mapped.
    pub(crate) radiance: DVec3,
    /// The object and part that were hit; equal neighbours show one surface.
    pub(crate) surface: Option<SurfaceId>,
}

/// The samples of many rays, and how many further rays they took.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) samples: Vec<Sample>,
    pub(crate) rays: u64,
}

/// What a ray met, before it is known what light reaches it.
enum Surface {
    Sky,
    /// The inside of a solid, which has no surface there to light.
    Inside(DVec3),
    Ground {
        albedo: DVec3,
        facing: DVec3,
    },
    Water {
        deep: DVec3,
        reflectance: f64,
        /// The unit direction in which the sky, or something before it, is mirrored.
        mirrored: DVec3,
    },
    Paint {
        color: DVec3,
        normal: DVec3,
    },
}

/// What a ray met, and what light can reach it.
struct Lit {
    /// Of the ray, unit length.
    direction: DVec3,
    distance: f64,
    surface: Surface,
    identity: Option<SurfaceId>,
    /// The cosine between the normal and the sun's direction: 0 in shadow.
    sunlight: f64,
    /// The part of the rays towards the sky that reach it.
    openness: f64,
}

/// Rays that wait for their answer, and the places in the list that asked for them.
#[derive(Default)]
struct Waiting {
    rays: Vec<Ray>,
    askers: Vec<usize>,
}

impl Waiting {
    /// A ray that cannot be made is not asked.
    fn ask(&mut self, asker: usize, ray: Result<Ray, hitscan::Error>) {
        if let Ok(ray) = ray {
            self.rays.push(ray);
            self.askers.push(asker);
        }
    }
}

impl Shader<'_, '_> {
    /// The radiance along rays in these directions, of unit length, given what they hit.
    pub(crate) fn samples(
        &self,
        directions: &[DVec3],
        hits: &[Option<RayHit>],
        ids: &[SampleId],
    ) -> Samples {
        self.trace(directions, hits, ids, Reflections::One)
    }

    fn trace(
        &self,
        directions: &[DVec3],
        hits: &[Option<RayHit>],
        ids: &[SampleId],
        reflections: Reflections,
    ) -> Samples {
        let (mut shadows, mut skies, mut mirrors) =
            (Waiting::default(), Waiting::default(), Waiting::default());
        let met = directions.iter().zip(hits).zip(ids);
        let mut all: Vec<Lit> = met
            .enumerate()
            .map(|(asker, ((&direction, hit), id))| {
                let hit = hit.as_ref().and_then(|hit| self.scene.surface(hit));
                let Some(hit) = hit else {
                    return Lit::sky(direction);
                };
                let lit = self.look(&hit, direction, reflections);
                if self.light != Light::Plain {
                    self.ask_for_light(&lit, &hit, *id, asker, [&mut shadows, &mut skies]);
                    if let Surface::Water { mirrored, .. } = lit.surface {
                        let origin = hit.point + DVec3::Y * (hit.distance * SHADOW_BIAS);
                        mirrors.ask(asker, Ray::new(origin.as_vec3(), mirrored.as_vec3()));
                    }
                }
                lit
            })
            .collect();
        let is_shadowed = self.scene.any(&shadows.rays);
        for (asker, is_shadowed) in shadows.askers.iter().zip(is_shadowed) {
            if is_shadowed {
                all[*asker].sunlight = 0.0;
            }
        }
        let share = 1.0 / f64::from(self.ambient_occlusion.max(1));
        let is_hidden = self.scene.any(&skies.rays);
        for (asker, is_hidden) in skies.askers.iter().zip(is_hidden) {
            if is_hidden {
                all[*asker].openness -= share;
            }
        }
        let mut further = shadows.rays.len() + skies.rays.len() + mirrors.rays.len();
        let reflected = self.reflected(&mirrors, ids, &mut further);
        let mut reflected = mirrors.askers.iter().zip(reflected).peekable();
        let samples = all.iter().enumerate().map(|(asker, lit)| {
            let mirror = reflected.next_if(|(of, _)| **of == asker);
            self.put_together(lit, mirror.map(|(_, radiance)| radiance))
        });
        Samples {
            samples: samples.collect(),
            rays: further as u64,
        }
    }

    /// The radiance along rays off water, in which nothing is mirrored again.
    fn reflected(&self, mirrors: &Waiting, ids: &[SampleId], further: &mut usize) -> Vec<DVec3> {
        if mirrors.rays.is_empty() {
            return Vec::new();
        }
        let hits = self.scene.nearest(&mirrors.rays);
        let ids: Vec<SampleId> = mirrors.askers.iter().map(|asker| ids[*asker]).collect();
        let directions = mirrors.rays.iter().map(direction_of);
        let directions: Vec<DVec3> = directions.collect();
        let traced = self.trace(&directions, &hits, &ids, Reflections::None);
        *further += usize::try_from(traced.rays).unwrap_or(0);
        traced.samples.iter().map(|one| one.radiance).collect()
    }

    /// What is at a hit, with all the sun's light that its slope lets it have.
    fn look(&self, hit: &SurfaceHit, direction: DVec3, reflections: Reflections) -> Lit {
        let (surface, normal, identity) = match hit.material {
            Material::Ground {
                elevation,
                smooth_normal,
            } => {
                let [width, spread] = self.pixel;
                let pixel = width + spread * hit.distance;
                let normals = [hit.normal, smooth_normal];
                let cover = land_cover(hit.point, elevation, normals, self.scale, pixel);
                let is_water = cover.kind == CoverKind::Water;
                let facing = towards_viewer(smooth_normal, direction);
                let (surface, normal) =
                    if is_water && reflections == Reflections::One && direction.y < 0.0 {
                        (self.water(hit, direction, cover.albedo), DVec3::Y)
                    } else {
                        let albedo = cover.albedo;
                        (Surface::Ground { albedo, facing }, facing)
                    };
                (surface, normal, SurfaceId::Ground)
            }
            Material::Object {
                object,
                part,
                color,
            } => {
                let color = color.unwrap_or_else(|| self.palette.part_color(object, part));
                let normal = towards_viewer(hit.normal, direction);
                let surface = if hit.normal == DVec3::ZERO {
                    Surface::Inside(color)
                } else {
                    Surface::Paint { color, normal }
                };
                (surface, normal, SurfaceId::Part(object, part))
            }
        };
        Lit {
            direction,
            distance: hit.distance,
            surface,
            identity: Some(identity),
            sunlight: normal.dot(self.air.to_sun).max(0.0),
            openness: 1.0,
        }
    }

    /// Water: what it reflects, by Schlick's approximation of Fresnel's law, over its own colour.
    fn water(&self, hit: &SurfaceHit, direction: DVec3, deep: DVec3) -> Surface {
        let pattern = DVec2::new(hit.point.x, hit.point.z) / self.scale;
        let ripple = DVec2::new(
            gradient_noise(pattern * DVec2::new(260.0, 420.0), 0x31),
            gradient_noise(pattern * DVec2::new(260.0, 420.0), 0x32),
        );
        let normal = unit_or_up(DVec3::new(ripple.x * 0.022, 1.0, ripple.y * 0.022));
        let toward = -direction.dot(normal);
        let mirrored = direction + normal * (2.0 * toward);
        let grazing = 1.0 - toward.clamp(0.0, 1.0);
        Surface::Water {
            deep,
            reflectance: 0.03 + 0.97 * grazing * grazing * grazing * grazing * grazing,
            mirrored: unit_or_up(DVec3::new(mirrored.x, mirrored.y.abs(), mirrored.z)),
        }
    }

    /// Lists the rays that decide how much of the light of sun and sky reaches a place.
    fn ask_for_light(
        &self,
        lit: &Lit,
        hit: &SurfaceHit,
        id: SampleId,
        asker: usize,
        [shadows, skies]: [&mut Waiting; 2],
    ) {
        let off_surface = towards_viewer(hit.normal, lit.direction);
        let origin = hit.point + off_surface * (hit.distance * SHADOW_BIAS);
        let is_inside = matches!(lit.surface, Surface::Inside(_));
        if lit.sunlight > 0.0 && !is_inside {
            let to_sun = match self.light {
                Light::Soft => {
                    let point = pixel_point(id.pixel, id.number, Use::Sun);
                    on_disc(point, self.air.to_sun, SUN_RADIUS)
                }
                Light::Plain | Light::Sun => self.air.to_sun,
            };
            shadows.ask(asker, Ray::new(origin.as_vec3(), to_sun.as_vec3()));
        }
        if !matches!(lit.surface, Surface::Ground { .. } | Surface::Paint { .. }) {
            return;
        }
        let reach = match self.light {
            Light::Soft => SOFT_REACH,
            Light::Plain | Light::Sun => CONTACT_REACH,
        };
        for ray in 0..self.ambient_occlusion {
            let number = id.number.wrapping_mul(self.ambient_occlusion);
            let point = pixel_point(id.pixel, number.wrapping_add(ray), Use::Sky);
            let toward = in_cosine_lobe(point, off_surface) * (hit.distance * reach);
            let ray = Ray::new(origin.as_vec3(), toward.as_vec3());
            skies.ask(asker, ray.and_then(|ray| ray.with_range(0.0, 1.0)));
        }
    }

    /// The light from what was looked at, once it is known what reaches it.
    fn put_together(&self, lit: &Lit, mirror: Option<DVec3>) -> Sample {
        let open = INDIRECT + (1.0 - INDIRECT) * lit.openness;
        let ambient = |normal| self.air.ambient(normal) * open;
        let radiance = match lit.surface {
            Surface::Sky => {
                return Sample {
                    radiance: self.air.sky(lit.direction),
                    surface: None,
                };
            }
            Surface::Inside(color) => color * 0.4,
            Surface::Ground { albedo, facing } => albedo * (SUN * lit.sunlight + ambient(facing)),
            Surface::Water {
                deep,
                reflectance,
                mirrored,
            } => {
                let own = deep * (SUN * lit.sunlight * 0.7 + 0.8);
                let reflection = mirror.unwrap_or_else(|| self.air.sky(mirrored));
                own.lerp(reflection, reflectance)
            }
            Surface::Paint { color, normal } => self.paint(lit, color, normal, ambient),
        };
        Sample {
            radiance: self.air.attenuate(radiance, lit.distance, lit.direction),
            surface: lit.identity,
        }
    }

    /// Paint: matt colour with a soft highlight.
    fn paint(
        &self,
        lit: &Lit,
        color: DVec3,
        normal: DVec3,
        ambient: impl Fn(DVec3) -> DVec3,
    ) -> DVec3 {
        let direction = lit.direction;
        let highlight = if lit.sunlight > 0.0 {
            let halfway = unit_or_up(self.air.to_sun - direction);
            0.35 * power(normal.dot(halfway).max(0.0), 48)
        } else {
            0.0
        };
        let grazing = 1.0 + direction.dot(normal).clamp(-1.0, 0.0);
        let rim = 0.02 + 0.22 * grazing * grazing * grazing * grazing;
        let mirrored = direction - normal * (2.0 * direction.dot(normal));
        let sheen = ambient(mirrored) * rim;
        color * (SUN * lit.sunlight + ambient(normal))
            + SUN * (lit.sunlight.min(1.0) * highlight)
            + sheen
    }
}

impl Lit {
    fn sky(direction: DVec3) -> Self {
        Self {
            direction,
            distance: 0.0,
            surface: Surface::Sky,
            identity: None,
            sunlight: 0.0,
            openness: 1.0,
        }
    }
}

/// The direction of a ray at unit length.
pub(crate) fn direction_of(ray: &Ray) -> DVec3 {
    unit_or_up(ray.direction().as_dvec3())
}

/// The normal on the side from which a ray along `direction` comes.
fn towards_viewer(normal: DVec3, direction: DVec3) -> DVec3 {
    if normal.dot(direction) > 0.0 {
        -normal
    } else {
        normal
    }
}
