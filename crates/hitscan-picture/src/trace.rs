//! The radiance along rays: what they hit, lit by sun and sky, behind haze.
//!
//! Shadows, ambient occlusion and the reflections of water are rays of the library too. They are cast
//! many at once: first all surfaces are looked at and the rays that they need are listed, then these
//! are cast, then the light is put together. The camera's rays are in `painter.rs`.

use crate::atmosphere::Way;
use crate::options::Light;
use crate::outline::SurfaceId;
use crate::scene::{SurfaceHit, unit_or_up};
use crate::sequence::{Use, in_cosine_lobe, on_disc, pixel_point};
use crate::shade::{Lit, Reflections, Shader, Surface, towards_viewer};
use glam::DVec3;
use hitscan::{Ray, RayHit};

/// How far off the surface a shadow or reflection ray starts, for each metre to the camera: far more
/// than the rounding of a hit to f32 (2^-24 of a coordinate), far less than a pixel.
const SHADOW_BIAS: f64 = 1.0 / 2048.0;

/// The sine of the sun's radius as seen from the ground, in soft light: three times that of the real
/// one, so that the softness shows at the scale of a game's world.
const SUN_RADIUS: f64 = 0.014;

/// The range of rays of ambient occlusion, for each metre to the camera: what is within this part
/// of the picture darkens a place, whatever the scale of the world.
const SOFT_REACH: f64 = 0.40;
/// As [`SOFT_REACH`], in the sun: shadows of contact.
const CONTACT_REACH: f64 = 0.03;

/// The pixel and the sample that a ray belongs to: its light is sampled in directions of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleId {
    pub(crate) pixel: [u32; 2],
    /// Counted from 0.
    pub(crate) number: u32,
}

/// What many rays show, and how many further rays they took.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// Tone-mapped, linear light.
    pub(crate) colors: Vec<DVec3>,
    /// The object and part that each ray hit; equal neighbours show one surface.
    pub(crate) surfaces: Vec<Option<SurfaceId>>,
    pub(crate) rays: u64,
}

/// The light that comes along many rays.
struct Traced {
    /// Before the haze.
    ways: Vec<Way>,
    surfaces: Vec<Option<SurfaceId>>,
    rays: u64,
}

/// Rays that wait for their answer, and the places in the list that they are for.
#[derive(Default)]
struct Waiting {
    rays: Vec<Ray>,
    askers: Vec<usize>,
}

impl Waiting {
    /// A ray that cannot be made is not cast.
    fn ask(&mut self, asker: usize, ray: Result<Ray, hitscan::Error>) {
        if let Ok(ray) = ray {
            self.rays.push(ray);
            self.askers.push(asker);
        }
    }
}

impl Shader<'_, '_> {
    /// What rays in these directions, of unit length, show, given what they hit.
    pub(crate) fn samples(
        &self,
        directions: &[DVec3],
        hits: &[Option<RayHit>],
        ids: &[SampleId],
    ) -> Samples {
        match self.light {
            Light::Plain => self.plain_samples(directions, hits, ids),
            Light::Soft | Light::Sun => self.lit_samples(directions, hits, ids),
        }
    }

    /// As [`Self::samples`], in any light.
    pub(crate) fn lit_samples(
        &self,
        directions: &[DVec3],
        hits: &[Option<RayHit>],
        ids: &[SampleId],
    ) -> Samples {
        let traced = self.trace(directions, hits, ids, Reflections::One);
        Samples {
            colors: self.air.colors(&traced.ways),
            surfaces: traced.surfaces,
            rays: traced.rays,
        }
    }

    fn trace(
        &self,
        directions: &[DVec3],
        hits: &[Option<RayHit>],
        ids: &[SampleId],
        reflections: Reflections,
    ) -> Traced {
        let (mut shadows, mut skies, mut mirrors) =
            (Waiting::default(), Waiting::default(), Waiting::default());
        let hits = self.scene.surfaces(hits);
        let mut albedos = self.land_albedos(&hits).into_iter();
        let hit_rays = directions.iter().zip(&hits).zip(ids);
        let mut all: Vec<Lit> = hit_rays
            .enumerate()
            .map(|(asker, ((&direction, hit), id))| {
                let Some(hit) = hit else {
                    return Lit::sky(direction);
                };
                let lit = self.look(hit, direction, reflections, &mut albedos);
                if self.light != Light::Plain {
                    self.ask_for_light(&lit, hit, *id, asker, [&mut shadows, &mut skies]);
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
        let weight = 1.0 / f64::from(self.ambient_occlusion.max(1));
        let is_hidden = self.scene.any(&skies.rays);
        for (asker, is_hidden) in skies.askers.iter().zip(is_hidden) {
            if is_hidden {
                all[*asker].openness -= weight;
            }
        }
        let mut further = shadows.rays.len() + skies.rays.len() + mirrors.rays.len();
        let reflected = self.reflected(&mirrors, ids, &mut further);
        Traced {
            ways: self.put_together(&all, mirrors.askers.iter().zip(reflected)),
            surfaces: all.iter().map(|lit| lit.identity).collect(),
            rays: further as u64,
        }
    }

    /// The light from what was looked at, once it is known what reaches it; `reflected` is what some of
    /// it mirrors, in order.
    fn put_together<'r>(
        &self,
        all: &[Lit],
        reflected: impl Iterator<Item = (&'r usize, DVec3)>,
    ) -> Vec<Way> {
        let mut reflected = reflected.peekable();
        let mut beyond = vec![DVec3::ZERO; all.len()];
        let (mut askers, mut toward_sky) = (Vec::new(), Vec::new());
        for (asker, lit) in all.iter().enumerate() {
            let toward = match lit.surface {
                Surface::Sky => lit.direction,
                Surface::Water { mirrored, .. } => mirrored,
                _ => continue,
            };
            if let Some((_, radiance)) = reflected.next_if(|(of, _)| **of == asker) {
                beyond[asker] = radiance;
            } else {
                askers.push(asker);
                toward_sky.push(toward);
            }
        }
        for (asker, sky) in askers.iter().zip(self.air.skies(&toward_sky)) {
            beyond[*asker] = sky;
        }
        let way = |(lit, beyond): (&Lit, DVec3)| Way {
            light: self.radiance(lit, beyond),
            distance: lit.distance,
            direction: lit.direction,
        };
        all.iter().zip(beyond).map(way).collect()
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
        self.air.attenuate(&traced.ways)
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
        let range = match self.light {
            Light::Soft => SOFT_REACH,
            Light::Plain | Light::Sun => CONTACT_REACH,
        };
        for ray in 0..self.ambient_occlusion {
            let number = id.number.wrapping_mul(self.ambient_occlusion);
            let point = pixel_point(id.pixel, number.wrapping_add(ray), Use::Sky);
            let toward = in_cosine_lobe(point, off_surface) * (hit.distance * range);
            let ray = Ray::new(origin.as_vec3(), toward.as_vec3());
            skies.ask(asker, ray.and_then(|ray| ray.with_range(0.0, 1.0)));
        }
    }
}

/// The direction of a ray at unit length.
pub(crate) fn direction_of(ray: &Ray) -> DVec3 {
    unit_or_up(ray.direction().as_dvec3())
}
