//! A world of the library as a picture sees it.
//!
//! This is the only file of pictures that knows worlds.

use super::scene::{Matter, Scene, Sighting, unit};
use glam::DVec3;
use hitscan::world::World;
use hitscan::{HeightField, Ray, Sides};

/// A world, and what is drawn of its terrains besides their hits.
pub(crate) struct WorldScene<'a> {
    world: &'a World,
    /// By object: the terrain, where it is one.
    terrains: Vec<Option<Terrain<'a>>>,
}

#[derive(Clone, Copy)]
struct Terrain<'a> {
    field: &'a HeightField,
    low: f64,
    span: f64,
}

impl<'a> WorldScene<'a> {
    /// Prepares to draw a world as it was last updated.
    pub(crate) fn new(world: &'a World) -> Self {
        let mut terrains = vec![None; world.object_count()];
        for (object, field) in world.height_fields() {
            terrains[object.index()] = field.bounds().map(|bounds| {
                let (low, high) = (f64::from(bounds.min().y), f64::from(bounds.max().y));
                Terrain {
                    field,
                    low,
                    span: high - low,
                }
            });
        }
        Self { world, terrains }
    }

    /// The number by which an object is coloured: its place among all that is no terrain.
    pub(crate) fn colour_index(&self, object: usize) -> u32 {
        let before = self.terrains.iter().take(object);
        let index = before.filter(|terrain| terrain.is_none()).count();
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

impl Scene for WorldScene<'_> {
    fn nearest(&self, ray: &Ray) -> Option<Sighting> {
        let met = self.world.cast_ray(ray, Sides::Both)?;
        let (object, hit) = (met.object.index(), met.hit);
        let (point, normal) = (hit.point.as_dvec3(), hit.normal.as_dvec3());
        let matter = match self.terrains.get(object).copied().flatten() {
            Some(terrain) => Matter::Ground {
                elevation: terrain.elevation(point),
                smooth_normal: terrain.smooth_normal(point).unwrap_or(normal),
            },
            None => Matter::Object {
                object: self.colour_index(object),
                part: hit.triangle.map_or(0, |triangle| triangle.part),
            },
        };
        Some(Sighting {
            distance: f64::from(hit.distance),
            point,
            normal,
            matter,
        })
    }

    fn is_blocked(&self, ray: &Ray) -> bool {
        self.world.cast_ray_any(ray, Sides::Both)
    }
}

impl Terrain<'_> {
    /// 0 on the lowest ground, 1 on the highest; ground that is all level is in the lower middle.
    fn elevation(&self, point: DVec3) -> f64 {
        if self.span > 0.0 {
            (point.y - self.low) / self.span
        } else {
            0.3
        }
    }

    /// The normal from the heights one sample to each side, where there are all four.
    fn smooth_normal(&self, point: DVec3) -> Option<DVec3> {
        let [step_x, step_z] = self.field.grid().spacing;
        let height = |x: f64, z: f64| {
            let place = DVec3::new(x, 0.0, z).as_vec3();
            self.field.elevation([place.x, place.z]).map(f64::from)
        };
        let rise_x = height(point.x + step_x, point.z)? - height(point.x - step_x, point.z)?;
        let rise_z = height(point.x, point.z + step_z)? - height(point.x, point.z - step_z)?;
        Some(unit(DVec3::new(
            -rise_x / (2.0 * step_x),
            1.0,
            -rise_z / (2.0 * step_z),
        )))
    }
}
