//! Plain light: the colours of what rays hit, to which no further rays are cast.
//!
//! Sky and solid ground, most of the picture of a landscape, become colours side by side in vectors. All
//! else goes the way of the other lights (`trace.rs`), whose formulas these are, bit for bit.

use crate::atmosphere::{SUN, WayLanes};
use crate::land_cover::{Land, albedos};
use crate::lanes::{LANES, Vec3Lanes, gather, map_lanes};
use crate::outline::SurfaceId;
use crate::shade::{Shader, ground_facing};
use crate::trace::{SampleId, Samples};
use crate::vectorize::vectorize;
use fearless_simd::{Simd, prelude::*};
use glam::DVec3;
use hitscan::RayHit;

/// Solid ground, the direction of the ray that hit it, unit length, and its smooth normal on the side that
/// was hit.
#[derive(Clone, Copy)]
struct SeenLand {
    land: Land,
    direction: DVec3,
    facing: DVec3,
}

impl Shader<'_, '_> {
    /// As [`Self::samples`], in plain light.
    pub(crate) fn plain_samples(
        &self,
        directions: &[DVec3],
        hits: &[Option<RayHit>],
        ids: &[SampleId],
    ) -> Samples {
        let mut colors = vec![DVec3::ZERO; directions.len()];
        let mut surfaces = vec![None; directions.len()];

        let (places, lands) = self.scene.lands(hits);
        let seen = places.iter().zip(lands);
        let seen = seen.map(|(place, land)| {
            let direction = directions[*place];
            let own = hits[*place].map_or(land.smooth_normal, |hit| hit.normal.as_dvec3());
            SeenLand {
                land,
                direction,
                facing: ground_facing(land.smooth_normal, own, direction),
            }
        });
        let land_colors = self.land_colors(&seen.collect::<Vec<_>>());
        for (place, color) in places.iter().zip(land_colors) {
            colors[*place] = color;
            surfaces[*place] = Some(SurfaceId::Ground);
        }

        let (mut skies, mut others) = (Vec::new(), Vec::new());
        for (place, (hit, surface)) in hits.iter().zip(&surfaces).enumerate() {
            match (hit, surface) {
                (None, _) => skies.push(place),
                (Some(_), None) => others.push(place),
                (Some(_), Some(_)) => {}
            }
        }
        let toward_sky: Vec<DVec3> = skies.iter().map(|place| directions[*place]).collect();
        for (place, color) in skies.iter().zip(self.air.sky_colors(&toward_sky)) {
            colors[*place] = color;
        }
        if !others.is_empty() {
            let directions: Vec<DVec3> = others.iter().map(|place| directions[*place]).collect();
            let hits: Vec<_> = others.iter().map(|place| hits[*place]).collect();
            let ids: Vec<SampleId> = others.iter().map(|place| ids[*place]).collect();
            let samples = self.lit_samples(&directions, &hits, &ids);
            let samples = samples.colors.into_iter().zip(samples.surfaces);
            for (place, (color, surface)) in others.iter().zip(samples) {
                colors[*place] = color;
                surfaces[*place] = surface;
            }
        }
        Samples {
            colors,
            surfaces,
            rays: 0,
        }
    }

    /// What a picture shows of ground in plain light.
    fn land_colors(&self, lands: &[SeenLand]) -> Vec<DVec3> {
        vectorize!(simd => map_lanes(lands, #[inline(always)] |lands| {
            self.land_color(simd, lands)
        }))
    }

    #[inline(always)]
    fn land_color<S: Simd>(&self, simd: S, seen: &[SeenLand; LANES]) -> Vec3Lanes<S> {
        let albedo = albedos(
            simd,
            seen,
            #[inline(always)]
            |seen| &seen.land,
            &self.detail,
        );
        let direction = Vec3Lanes::gather(simd, seen, |seen| seen.direction);
        let facing = Vec3Lanes::gather(simd, seen, |seen| seen.facing);
        let sunlight = facing.dot(self.air.to_sun).max(0.0);
        let sun = Vec3Lanes::splat(simd, SUN) * sunlight;
        self.air.color(WayLanes {
            light: albedo * (sun + self.air.ambient_lanes(facing)),
            distance: gather(simd, seen, |seen| seen.land.distance),
            direction,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmosphere::Atmosphere;
    use crate::land_cover::Detail;
    use crate::options::{Light, PictureOptions};
    use crate::palette::Palette;
    use crate::scene::unit_or_up;
    use crate::world_scene::WorldScene;
    use hitscan::height_field::{Grid, HeightField};
    use hitscan::{Ray, Sphere, World};
    use std::sync::Arc;

    /// Two slopes, one of them beside water, and a ball.
    fn world() -> World {
        let heights = |low: u8| -> Vec<f32> {
            let heights = (0..81_u8).map(|index| (index % 9).saturating_sub(low));
            heights.map(|height| f32::from(height) * 0.7).collect()
        };
        let mut world = World::new();
        let field = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), heights(3)).unwrap();
        world.add(Arc::new(field));
        world.add(Sphere::new([2.0, 1.5, 4.0], 1.0).unwrap());
        let mut grid = Grid::new(9, 9, [0.5, 2.0]);
        grid.origin = [10.0, 0.0, 3.0];
        world.add(Arc::new(HeightField::new(grid, heights(0)).unwrap()));
        world.update();
        world
    }

    #[test]
    fn plain_light_has_the_bits_of_the_other_lights_formulas() {
        let world = world();
        let options = PictureOptions::new([1, 1]);
        let scene = WorldScene::new(world.now(), &options);
        let eye = DVec3::new(7.0, 6.0, 5.0);
        let directions: Vec<DVec3> = (0..6007_u32)
            .map(|step| {
                let turn = f64::from(step) * 2.399;
                let y = f64::from(step) / 4000.0 - 1.0;
                unit_or_up(DVec3::new(libm::cos(turn), y, libm::sin(turn)))
            })
            .collect();
        let ray = |direction: &DVec3| Ray::new(eye.as_vec3(), direction.as_vec3()).unwrap();
        let hits = scene.nearest(&directions.iter().map(ray).collect::<Vec<_>>());
        let id = SampleId {
            pixel: [0, 0],
            number: 0,
        };
        let ids = vec![id; hits.len()];
        for pixel in [[0.0, 0.0], [0.01, 0.002]] {
            let shader = Shader {
                scene: &scene,
                air: Atmosphere::afternoon(20.0, 3.0),
                detail: Detail { scale: 20.0, pixel },
                light: Light::Plain,
                palette: Palette::default(),
                ambient_occlusion: 0,
            };
            let plain = shader.plain_samples(&directions, &hits, &ids);
            let expected = shader.lit_samples(&directions, &hits, &ids);
            assert!(plain.surfaces == expected.surfaces && plain.colors == expected.colors);
            assert_eq!((plain.rays, expected.rays), (0, 0));
            let count = |surface| plain.surfaces.iter().filter(|of| **of == surface).count();
            let counts = [None, Some(SurfaceId::Ground)].map(count);
            assert!(counts.into_iter().all(|count| count > 500), "{counts:?}");
            assert!(
                counts.into_iter().sum::<usize>() < hits.len(),
                "the ball is seen"
            );
        }
    }
}
