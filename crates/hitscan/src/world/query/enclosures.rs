//! Enclosures of a resting shape: the closed surfaces that it is inside of and the terrain that it is below,
//! without overlapping their triangles.

use super::surface_pieces::Near;
use crate::exact::expansion::nearest_f32;
use crate::model::PlacedParts;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::overlap::is_under;
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::Snapshot;
use crate::{HeightField, ObjectId, Primitive, TriangleId};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// How an object encloses a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EnclosureKind {
    /// The shape is inside a closed mesh or model.
    Inside,
    /// The shape is below terrain.
    Below,
}

/// An object that encloses a shape without overlapping it by any of its triangles, and a way out.
///
/// # Accuracy
/// Whether, and how, is exact. `depth` and `point` are within 2^-21 of the largest coordinate or
/// size involved, `normal` is within 2^-22 of the exact direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enclosure {
    /// How it does.
    pub kind: EnclosureKind,
    /// By how much the shape must be moved along `normal` until all of it is beyond the plane through
    /// `point`, metres: the plane across `normal`, and below terrain that of `triangle`.
    pub depth: f32,
    /// The unit direction of that move: upwards out of the ground; outward, to the nearest triangle, out
    /// of a closed surface.
    pub normal: Vec3,
    /// The point of the surface that is nearest to [`Primitive::inner_point`]; of terrain the one
    /// straight above it.
    pub point: Vec3,
    /// What encloses the shape.
    pub object: ObjectId,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave it, or 0.
    pub user_data: u64,
    /// The triangle of `point`; of several the lowest.
    pub triangle: TriangleId,
}

impl Snapshot {
    /// What a resting shape is inside of or below, of what `filter` accepts, in order of object: where
    /// [`Snapshot::contacts`] has nothing or only what touches or is near, since surfaces have no inside there.
    ///
    /// Inside is a shape that overlaps no triangle of a mesh or model, and has its
    /// [`inner_point`](Primitive::inner_point) inside that by the rule of
    /// [`Snapshot::closest_point_signed`]. All points of a shape that is not flat are then inside.
    /// Below is a shape that overlaps no triangle of a terrain, and has one straight above its inner
    /// point; over holes and beyond the border there is nothing to be below. Touching from within, and
    /// from below, is inside and below. Of a surface ([`World::set_surface`](crate::World::set_surface)) the
    /// lowest object that encloses the shape is named, in the place of the surface, if no triangle of the
    /// surface overlaps it.
    ///
    /// Along the way out is a plane and not the whole of a surface: move, and query again.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Capsule, EnclosureKind, HeightField, World, glam::Vec3};
    /// let mut world = World::new();
    /// let ground = world.add(HeightField::new(Grid::new(2, 2, [100.0, 100.0]), vec![8.0; 4])?);
    /// world.update();
    /// let guard = Capsule::new([50.0, -20.0, 50.0], [50.0, -19.0, 50.0], 0.5)?;
    /// let [found] = world.now().enclosures(guard, ())[..] else { panic!("it is buried") };
    /// assert_eq!((found.kind, found.object), (EnclosureKind::Below, ground));
    /// // So far up it stands on the ground.
    /// assert_eq!((found.depth, found.normal), (28.5, Vec3::Y));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn enclosures<'f>(
        &self,
        shape: impl Into<Primitive>,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Enclosure> {
        self.enclosures_of(&shape.into(), filter.into())
    }

    fn enclosures_of(&self, shape: &Primitive, filter: QueryFilter<'_>) -> Vec<Enclosure> {
        let query = EnclosureQuery {
            shape: ContactQuery::new(shape, 0.0),
            inner_point: shape.inner_point(),
        };
        let mut found = Vec::new();
        let mut add = |(object, user_data), way: Option<WayOut>| {
            found.extend(way.map(|way| way.of_object(object, user_data)));
        };
        let _ = self
            .tree()
            .touching((query.inner_point, query.inner_point), |slot| {
                self.with_object(slot, &filter, |object| {
                    if let Some(instance) = object.shape.meshes() {
                        add(object.tag(), query.out_of_surface(instance.parts()));
                    }
                });
                ControlFlow::Continue(())
            });
        // The shape may be far below a terrain's box.
        for (object, field) in self.terrains(filter) {
            add(object, query.out_of_ground(field));
        }
        sort_by_rank(&mut found, |enclosure| {
            let [key, number] = enclosure.object.rank();
            [key, number, 0]
        });
        self.keep_one_of_each_surface(&mut found, &query.shape, &filter);
        found
    }

    /// Of the objects of a surface the lowest encloses a shape, if none of them overlaps it.
    fn keep_one_of_each_surface(
        &self,
        found: &mut Vec<Enclosure>,
        shape: &ContactQuery<'_>,
        filter: &QueryFilter<'_>,
    ) {
        let mut looked_at = Vec::new();
        found.retain(|enclosure| {
            let Some(surface) = self.surface_of(enclosure.object) else {
                return true;
            };
            if looked_at.contains(&surface) {
                return false;
            }
            looked_at.push(surface);
            let pieces = self.surface_pieces(surface, Near::Box(shape.reach()), filter);
            !shape.overlaps(&pieces)
        });
        sort_by_rank(found, |enclosure| {
            let place = self.place_of(enclosure.object, *filter);
            let [key, number] = place.rank();
            [key, number, 0]
        });
    }
}

/// A resting shape.
struct EnclosureQuery<'a> {
    shape: ContactQuery<'a>,
    inner_point: DVec3,
}

/// The way out of what encloses a shape.
struct WayOut {
    kind: EnclosureKind,
    depth: f64,
    normal: Vec3,
    point: Vec3,
    triangle: TriangleId,
}

impl WayOut {
    fn of_object(self, object: ObjectId, user_data: u64) -> Enclosure {
        Enclosure {
            kind: self.kind,
            depth: nearest_f32(self.depth.max(0.0)),
            normal: self.normal,
            point: self.point,
            object,
            user_data,
            triangle: self.triangle,
        }
    }
}

impl EnclosureQuery<'_> {
    /// The way out of a closed surface that the shape is inside of.
    fn out_of_surface(&self, parts: PlacedParts<'_>) -> Option<WayOut> {
        if !parts.hold(self.inner_point) || self.shape.overlaps(&parts) {
            return None;
        }
        let nearest = parts.closest_from_inside(self.inner_point)?;
        let normal = nearest.normal.as_dvec3();
        let extent = self.shape.extent_against(normal, self.inner_point);
        Some(WayOut {
            kind: EnclosureKind::Inside,
            depth: extent - f64::from(nearest.distance),
            normal: nearest.normal,
            point: nearest.point,
            triangle: nearest.triangle?,
        })
    }

    /// The way up out of the ground that the shape is below.
    fn out_of_ground(&self, field: &HeightField) -> Option<WayOut> {
        let from = self.inner_point;
        let top = f64::from(field.bounds()?.max().y);
        if from.y > top {
            return None;
        }
        let mut above: Option<(u32, [DVec3; 3])> = None;
        let up = DVec3::new(from.x, top, from.z);
        // Nothing breaks off.
        let _ = field.for_each_triangle_in(from, up, &mut |triangle, corners| {
            if above.is_none_or(|(lowest, _)| triangle < lowest) && is_under(from, corners) {
                above = Some((triangle, *corners));
            }
            ControlFlow::Continue(())
        });
        let (triangle, [a, b, c]) = above?;
        if self.shape.overlaps(field) {
            return None;
        }
        let mut normal = (b - a).cross(c - a);
        if normal.y < 0.0 {
            normal = -normal;
        }
        let height = (a - from).dot(normal) / normal.y;
        let extent = self.shape.extent_against(normal, from) / normal.y;
        Some(WayOut {
            kind: EnclosureKind::Below,
            depth: height + extent,
            normal: Vec3::Y,
            point: (from + DVec3::Y * height).as_vec3(),
            triangle: TriangleId { part: 0, triangle },
        })
    }
}
