//! Rays, hits, and a ray against each primitive.

pub(crate) mod ray;
pub(crate) mod hit;
pub(crate) mod solid_hits;
pub(crate) mod slabs;
mod plane_time;
pub(crate) mod ray_aabb;
pub(crate) mod ray_sphere;
pub(crate) mod ray_plane;
pub(crate) mod project_point;
pub(crate) mod ray_obb;
pub(crate) mod rounded_hull;
pub(crate) mod ray_hull;
mod capsule_filter;
pub(crate) mod line_capsule;
pub(crate) mod ray_capsule;
mod cylinder_surface;
mod cylinder_filter;
pub(crate) mod ray_cylinder;
pub(crate) mod ray_primitive;
pub(crate) mod ray_triangle;
mod triangle_ray_hit;
pub(crate) mod all_hits;
