//! Surfaces that rays hit, and the light that leaves them.
//!
//! What light reaches a surface takes further rays, which are cast for many surfaces at once: those are
//! in `trace.rs`, the haze before the surfaces is in `atmosphere.rs`.

use crate::atmosphere::{Atmosphere, SUN};
use crate::land_cover::{DEEP, Detail, Land, is_water, land_albedos};
use crate::lanes::power;
use crate::noise::gradient_noise;
use crate::options::Light;
use crate::outline::SurfaceId;
use crate::palette::Palette;
use crate::scene::{Material, SurfaceHit, unit_or_up};
use crate::world_scene::WorldScene;
use glam::{DVec2, DVec3};

/// The part of the sky's light that reaches a place all the same from which no sky is seen within the
/// reach: from farther away, and from what hides it.
const INDIRECT: f64 = 0.25;

/// Everything that decides the radiance along a ray.
pub(crate) struct Shader<'s, 'a> {
    pub(crate) scene: &'s WorldScene<'a>,
    pub(crate) air: Atmosphere,
    pub(crate) detail: Detail,
    pub(crate) light: Light,
    pub(crate) palette: Palette,
    /// How many rays look for the sky from each surface.
    pub(crate) ambient_occlusion: u32,
}

/// How many reflections may follow a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reflections {
    One,
    None,
}

/// The hit of a ray, before the light that reaches it is known.
pub(crate) enum Surface {
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

/// The hit of a ray, and the light that reaches it.
pub(crate) struct Lit {
    /// Of the ray, unit length.
    pub(crate) direction: DVec3,
    pub(crate) distance: f64,
    pub(crate) surface: Surface,
    pub(crate) identity: Option<SurfaceId>,
    /// The cosine between the normal and the sun's direction: 0 in shadow.
    pub(crate) sunlight: f64,
    /// The part of the rays towards the sky that reach it.
    pub(crate) openness: f64,
}

impl Shader<'_, '_> {
    /// The albedos of the solid ground among these hits, in order.
    pub(crate) fn land_albedos(&self, hits: &[Option<SurfaceHit>]) -> Vec<DVec3> {
        let land = |hit: &SurfaceHit| match hit.material {
            Material::Ground {
                elevation,
                smooth_normal,
            } if !is_water(elevation, hit.normal) => Some(Land {
                point: hit.point,
                elevation,
                smooth_normal,
                distance: hit.distance,
            }),
            _ => None,
        };
        let lands: Vec<Land> = hits.iter().flatten().filter_map(land).collect();
        land_albedos(&lands, &self.detail)
    }

    /// What is at a hit, with all the sun's light that its slope lets it have.
    ///
    /// `albedos` gives those of [`Self::land_albedos`] in turn.
    pub(crate) fn look(
        &self,
        hit: &SurfaceHit,
        direction: DVec3,
        reflections: Reflections,
        albedos: &mut impl Iterator<Item = DVec3>,
    ) -> Lit {
        let (surface, normal, identity) = match hit.material {
            Material::Ground {
                elevation,
                smooth_normal,
            } => {
                let is_water = is_water(elevation, hit.normal);
                let albedo = (!is_water).then(|| albedos.next()).flatten();
                let albedo = albedo.unwrap_or(DEEP);
                let facing = ground_facing(smooth_normal, hit.normal, direction);
                let (surface, normal) =
                    if is_water && reflections == Reflections::One && direction.y < 0.0 {
                        (self.water(hit, direction, albedo), DVec3::Y)
                    } else {
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
        let pattern = DVec2::new(hit.point.x, hit.point.z) / self.detail.scale;
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

    /// The light that leaves what was looked at, once it is known what reaches it; of the sky and of
    /// what water mirrors it is `beyond`.
    pub(crate) fn radiance(&self, lit: &Lit, beyond: DVec3) -> DVec3 {
        let open = INDIRECT + (1.0 - INDIRECT) * lit.openness;
        let ambient = |normal| self.air.ambient(normal) * open;
        match lit.surface {
            Surface::Sky => beyond,
            Surface::Inside(color) => color * 0.4,
            Surface::Ground { albedo, facing } => albedo * (SUN * lit.sunlight + ambient(facing)),
            Surface::Water {
                deep, reflectance, ..
            } => {
                let own = deep * (SUN * lit.sunlight * 0.7 + 0.8);
                own.lerp(beyond, reflectance)
            }
            Surface::Paint { color, normal } => self.paint(lit, color, normal, ambient),
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
            0.35 * power(1.0, normal.dot(halfway).max(0.0), 48)
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
    pub(crate) fn sky(direction: DVec3) -> Self {
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

/// The smooth normal of ground on the side that a ray has hit. Which side that is the triangle's own normal
/// says: on a ridge the smooth one may face away from who sees it, and would be dark if it were turned.
pub(crate) fn ground_facing(smooth: DVec3, own: DVec3, direction: DVec3) -> DVec3 {
    let up = if own.y < 0.0 { -own } else { own };
    if up.dot(direction) > 0.0 {
        -smooth
    } else {
        smooth
    }
}

/// The normal on the side from which a ray along `direction` comes.
pub(crate) fn towards_viewer(normal: DVec3, direction: DVec3) -> DVec3 {
    if normal.dot(direction) > 0.0 {
        -normal
    } else {
        normal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_seen_from_above_is_lit_from_above() {
        // Down along a slope that is nearly edge-on, beside one that falls away.
        let direction = unit_or_up(DVec3::new(0.0, -0.1, -1.0));
        let own = DVec3::new(0.0, 1.0, 0.0);
        let smooth = unit_or_up(DVec3::new(0.0, 1.0, -0.3));
        assert!(smooth.dot(direction) > 0.0);
        assert_eq!(ground_facing(smooth, own, direction), smooth);
        assert_eq!(ground_facing(smooth, -own, direction), smooth);
        assert_eq!(ground_facing(smooth, own, -direction), -smooth);
    }
}
