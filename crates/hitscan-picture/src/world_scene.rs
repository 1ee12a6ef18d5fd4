//! A world of the library as a scene that can be drawn: what a picture's rays meet, and of what it is
//! made.
//!
//! Every ray of a picture is cast here, many at once.

use crate::land_cover::{Land, is_water};
use crate::options::{PictureOptions, SurfaceColor};
use crate::scene::{Material, SurfaceHit, unit_or_up};
use glam::{DVec2, DVec3, Vec2};
use hitscan::world::ObjectShape;
use hitscan::{Camera, CameraTile, HeightField, QueryFilter, Ray, RayHit, Snapshot};
use std::sync::Arc;

/// A world at one time, and what the renderer needs of its terrains besides their hits.
pub(crate) struct WorldScene<'a> {
    snapshot: Snapshot,
    color: SurfaceColor<'a>,
    layers: u32,
    /// The numbers of objects that no ray hits, in order.
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
        let terrains = snapshot.height_fields(());
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
        self.filtered(|filter| self.snapshot.cast_rays(rays, filter))
    }

    /// The nearest hit of each ray of a camera's tile.
    pub(crate) fn nearest_of_camera(
        &self,
        camera: &Camera,
        tile: &CameraTile,
    ) -> Vec<Option<RayHit>> {
        self.filtered(|filter| self.snapshot.cast_camera(camera, tile, filter))
    }

    /// How many boxes and triangles are tested to find the nearest hit of a ray.
    pub(crate) fn cost(&self, ray: &Ray) -> u32 {
        self.filtered(|filter| {
            let (_, counts) = self.snapshot.cast_ray_counted(ray, filter);
            counts.boxes.saturating_add(counts.triangles)
        })
    }

    /// Whether each ray hits anything.
    pub(crate) fn any(&self, rays: &[Ray]) -> Vec<bool> {
        self.filtered(|filter| self.snapshot.cast_rays_any(rays, filter))
    }

    /// What ray hits are made of; `None` for none, and for a hit of no object, which a world does not
    /// answer.
    pub(crate) fn surfaces(&self, hits: &[Option<RayHit>]) -> Vec<Option<SurfaceHit>> {
        let surface = |hit: &Option<RayHit>| hit.as_ref().and_then(|hit| self.surface(hit));
        let mut surfaces: Vec<_> = hits.iter().map(surface).collect();
        for (number, terrain) in &self.terrains {
            let is_on = |hit: &RayHit| hit.object.is_some_and(|object| object.index() == *number);
            let on_terrain = hits.iter().zip(&mut surfaces);
            let on_terrain = on_terrain.filter(|(hit, _)| hit.as_ref().is_some_and(is_on));
            let on_terrain = on_terrain.filter_map(|(_, surface)| surface.as_mut());
            let on_terrain: Vec<&mut SurfaceHit> = on_terrain.collect();
            let normals = terrain.smooth_normals(on_terrain.iter().map(|surface| surface.point));
            for (surface, normal) in on_terrain.into_iter().zip(normals) {
                if let (Material::Ground { smooth_normal, .. }, Some(normal)) =
                    (&mut surface.material, normal)
                {
                    *smooth_normal = normal;
                }
            }
        }
        surfaces
    }

    /// The solid ground that rays hit, and the place of each hit in the list.
    pub(crate) fn lands(&self, hits: &[Option<RayHit>]) -> (Vec<usize>, Vec<Land>) {
        let (mut places, mut lands) = (Vec::new(), Vec::with_capacity(hits.len()));
        for (number, terrain) in &self.terrains {
            let first = lands.len();
            for (place, hit) in hits.iter().enumerate() {
                let Some(hit) = hit else { continue };
                if hit.object.map(hitscan::ObjectId::index) != Some(*number) {
                    continue;
                }
                let (point, normal) = (hit.point.as_dvec3(), hit.normal.as_dvec3());
                let elevation = terrain.elevation(point);
                if !is_water(elevation, normal) {
                    places.push(place);
                    lands.push(Land {
                        point,
                        elevation,
                        smooth_normal: normal,
                        distance: f64::from(hit.distance),
                    });
                }
            }
            let lands = &mut lands[first..];
            let normals = terrain.smooth_normals(lands.iter().map(|land| land.point));
            for (land, normal) in lands.iter_mut().zip(normals) {
                land.smooth_normal = normal.unwrap_or(land.smooth_normal);
            }
        }
        (places, lands)
    }

    /// What a ray hit is made of, ground with the normal of its triangle alone.
    fn surface(&self, hit: &RayHit) -> Option<SurfaceHit> {
        let number = hit.object?.index();
        let (point, normal) = (hit.point.as_dvec3(), hit.normal.as_dvec3());
        let terrain = self.terrains.binary_search_by_key(&number, |(of, _)| *of);
        let material = match terrain {
            Ok(place) => {
                let (_, terrain) = &self.terrains[place];
                Material::Ground {
                    elevation: terrain.elevation(point),
                    smooth_normal: normal,
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

    /// The smooth normals of places on it: from the heights one sample to each side; `None` where there
    /// are not all four.
    fn smooth_normals(&self, places: impl Iterator<Item = DVec3>) -> Vec<Option<DVec3>> {
        let [step_x, step_z] = self.field.grid().spacing;
        let around = |DVec3 { x, z, .. }: DVec3| {
            let around = [
                (x + step_x, z),
                (x - step_x, z),
                (x, z + step_z),
                (x, z - step_z),
            ];
            around.map(|(x, z)| DVec2::new(x, z).as_vec2())
        };
        let points: Vec<[Vec2; 4]> = places.map(around).collect();
        let heights = self.field.elevations(points.as_flattened());
        let (heights, _) = heights.as_chunks();
        let normal = |heights: &[Option<f32>; 4]| {
            let [Some(east), Some(west), Some(south), Some(north)] = *heights else {
                return None;
            };
            let slope_x = -(f64::from(east) - f64::from(west)) / (2.0 * step_x);
            let slope_z = -(f64::from(south) - f64::from(north)) / (2.0 * step_z);
            Some(unit_or_up(DVec3::new(slope_x, 1.0, slope_z)))
        };
        heights.iter().map(normal).collect()
    }
}
