//! A world of the library as a scene that can be drawn.
//!
//! No other file here uses worlds but `render.rs`, which passes one on.

use crate::scene::{Material, Scene, SurfaceHit, unit_or_up};
use glam::DVec3;
use hitscan::{HeightField, QueryFilter, Ray, RayHit, Sides, World};

/// The colour of a surface where a ray hit it, linear light from 0 to 1; `None` leaves the choice of
/// one to the picture.
pub type SurfaceColor<'a> = &'a (dyn Fn(&RayHit) -> Option<DVec3> + Sync);

/// A world, and what the renderer needs of its terrains besides their hits.
pub(crate) struct WorldScene<'a> {
    world: &'a World,
    color: SurfaceColor<'a>,
    /// The terrain of each object that is one, by the object's number.
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
    pub(crate) fn new(world: &'a World, color: SurfaceColor<'a>) -> Self {
        let mut terrains = vec![None; world.now().object_count()];
        for (object, field) in world.now().height_fields(QueryFilter::new()) {
            terrains[object.index()] = field.bounds().map(|bounds| {
                let (low, high) = (f64::from(bounds.min().y), f64::from(bounds.max().y));
                Terrain {
                    field,
                    low,
                    span: high - low,
                }
            });
        }
        Self {
            world,
            color,
            terrains,
        }
    }

    /// The number by which an object is coloured: how many objects before it are no terrain.
    fn color_index(&self, object: usize) -> u32 {
        let before = self.terrains.iter().take(object);
        let index = before.filter(|terrain| terrain.is_none()).count();
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

impl Scene for WorldScene<'_> {
    fn closest_hit(&self, ray: &Ray) -> Option<SurfaceHit> {
        let snapshot = self.world.now();
        let hit = snapshot.cast_ray(ray, Sides::Both, QueryFilter::new())?;
        let object = hit.object?.index();
        let (point, normal) = (hit.point.as_dvec3(), hit.normal.as_dvec3());
        let material = match self.terrains.get(object).copied().flatten() {
            Some(terrain) => Material::Ground {
                elevation: terrain.elevation(point),
                smooth_normal: terrain.smooth_normal(point).unwrap_or(normal),
            },
            None => Material::Object {
                object: self.color_index(object),
                part: hit.triangle.map_or(0, |triangle| triangle.part),
                color: (self.color)(&hit),
            },
        };
        Some(SurfaceHit {
            distance: f64::from(hit.distance),
            point,
            normal,
            material,
        })
    }

    fn is_occluded(&self, ray: &Ray) -> bool {
        self.world
            .now()
            .cast_ray_any(ray, Sides::Both, QueryFilter::new())
    }
}

impl Terrain<'_> {
    /// 0 on the lowest ground, 1 on the highest; ground that is all level counts as low.
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
            let point = DVec3::new(x, 0.0, z).as_vec3();
            self.field.elevation([point.x, point.z]).map(f64::from)
        };
        let rise_x = height(point.x + step_x, point.z)? - height(point.x - step_x, point.z)?;
        let rise_z = height(point.x, point.z + step_z)? - height(point.x, point.z - step_z)?;
        Some(unit_or_up(DVec3::new(
            -rise_x / (2.0 * step_x),
            1.0,
            -rise_z / (2.0 * step_z),
        )))
    }
}
