//! A world of the library as a scene that can be drawn: what a picture's rays meet, and of what it is
//! made.
//!
//! Every ray of a picture is cast here, many at once.

use crate::options::{PictureOptions, SurfaceColor};
use crate::scene::{Material, SurfaceHit, unit_or_up};
use glam::DVec3;
use hitscan::world::ObjectShape;
use hitscan::{Camera, CameraTile, HeightField, QueryFilter, Ray, RayHit, Sides, Snapshot};
use std::sync::Arc;

/// A world at one time, and what the renderer needs of its terrains besides their hits.
pub(crate) struct WorldScene<'a> {
    snapshot: Snapshot,
    color: SurfaceColor<'a>,
    layers: u32,
    /// The numbers of objects that no ray meets, in order.
    hidden: Vec<usize>,
    /// The terrains by their objects' numbers, in order.
    terrains: Vec<(usize, Terrain)>,
}

struct Terrain {
    field: Arc<HeightField>,
    low: f64,
    span: f64,
}

impl<'a> WorldScene<'a> {
    /// Prepares to draw a world as it was at the snapshot.
    pub(crate) fn new(snapshot: &Snapshot, options: &PictureOptions<'a>) -> Self {
        let terrains = snapshot.height_fields(QueryFilter::new());
        let terrains = terrains.filter_map(|(object, _)| {
            let Some(ObjectShape::HeightField(field)) = snapshot.shape(object) else {
                return None;
            };
            let bounds = field.bounds()?;
            let (low, high) = (f64::from(bounds.min().y), f64::from(bounds.max().y));
            let span = high - low;
            Some((object.index(), Terrain { field, low, span }))
        });
        let mut terrains: Vec<_> = terrains.collect();
        terrains.sort_by_key(|(object, _)| *object);
        let hidden = options.hidden.iter().map(|object| object.index());
        let mut hidden: Vec<usize> = hidden.collect();
        hidden.sort_unstable();
        Self {
            snapshot: snapshot.clone(),
            color: Arc::clone(&options.color),
            layers: options.layers,
            hidden,
            terrains,
        }
    }

    /// Gives what rays meet to `ask`.
    fn filtered<R>(&self, ask: impl FnOnce(QueryFilter<'_>) -> R) -> R {
        let filter = QueryFilter::new().layers(self.layers);
        if self.hidden.is_empty() {
            return ask(filter);
        }
        let is_shown = |object: hitscan::ObjectId| {
            let number = object.index();
            self.hidden.binary_search(&number).is_err()
        };
        ask(filter.predicate(&is_shown))
    }

    /// The nearest hit of each ray.
    pub(crate) fn nearest(&self, rays: &[Ray]) -> Vec<Option<RayHit>> {
        self.filtered(|filter| self.snapshot.cast_rays(rays, Sides::Both, filter))
    }

    /// The nearest hit of each ray of a camera's tile.
    pub(crate) fn nearest_of_camera(
        &self,
        camera: &Camera,
        tile: &CameraTile,
    ) -> Vec<Option<RayHit>> {
        self.filtered(|filter| self.snapshot.cast_camera(camera, tile, Sides::Both, filter))
    }

    /// How many boxes and triangles are tested to find the nearest hit of a ray.
    pub(crate) fn cost(&self, ray: &Ray) -> u32 {
        self.filtered(|filter| {
            let (_, counts) = self.snapshot.cast_ray_counted(ray, Sides::Both, filter);
            counts.boxes.saturating_add(counts.triangles)
        })
    }

    /// Whether each ray hits anything.
    pub(crate) fn any(&self, rays: &[Ray]) -> Vec<bool> {
        self.filtered(|filter| self.snapshot.cast_rays_any(rays, Sides::Both, filter))
    }

    /// What a ray hit is made of; `None` for a hit of no object, which a world does not answer.
    pub(crate) fn surface(&self, hit: &RayHit) -> Option<SurfaceHit> {
        let number = hit.object?.index();
        let (point, normal) = (hit.point.as_dvec3(), hit.normal.as_dvec3());
        let terrain = self.terrains.binary_search_by_key(&number, |(of, _)| *of);
        let material = match terrain {
            Ok(place) => {
                let (_, terrain) = &self.terrains[place];
                Material::Ground {
                    elevation: terrain.elevation(point),
                    smooth_normal: terrain.smooth_normal(point).unwrap_or(normal),
                }
            }
            Err(terrains_before) => Material::Object {
                object: u32::try_from(number - terrains_before).unwrap_or(u32::MAX),
                part: hit.triangle.map_or(0, |triangle| triangle.part),
                color: (self.color)(hit),
            },
        };
        Some(SurfaceHit {
            distance: f64::from(hit.distance),
            point,
            normal,
            material,
        })
    }
}

impl Terrain {
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
