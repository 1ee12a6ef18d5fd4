//! Places on objects: the corners of a triangle or a hull's face in the world, a point in an object's own space.

use glam::{DAffine3, DVec3, Vec3};
use hitscan::model::PosedModel;
use hitscan::world::ObjectShape;
use hitscan::{ConvexHull, ObjectId, Primitive, Snapshot, TriMesh, TriangleId};

/// The corners of a triangle in the world, as the object is posed.
pub(super) fn triangle_corners(
    world: &Snapshot,
    object: ObjectId,
    triangle: TriangleId,
) -> Option<[DVec3; 3]> {
    let transform = || world.transform(object);
    match world.shape(object)? {
        ObjectShape::HeightField(field) => field.triangle(triangle.triangle),
        ObjectShape::TriMesh(mesh) => {
            let corners = mesh_corners(&mesh, triangle.triangle)?;
            let transform = transform()?;
            Some(corners.map(|corner| transform.transform_point3(corner)))
        }
        ObjectShape::Model(posed) => model_corners(&posed, triangle, transform()?),
        ObjectShape::PosedCompound(compound)
            if compound.has_meshes() && compound.part_at(triangle.part).is_none() =>
        {
            model_corners(compound.posed_model(), triangle, transform()?)
        }
        _ => None,
    }
}

/// The corners of what an answer names, in a ring: a triangle, or a face of a hull or of a compound's part that is one.
pub(super) fn feature_corners(
    world: &Snapshot,
    object: ObjectId,
    feature: TriangleId,
) -> Option<Vec<DVec3>> {
    let solid = match world.shape(object)? {
        ObjectShape::Primitive(solid) => Some(solid),
        _ => world.part_solid(object, feature.part),
    };
    match solid {
        Some(Primitive::ConvexHull(hull)) => {
            hull_face(&hull, usize::try_from(feature.number()?).ok()?)
        }
        Some(_) => None,
        None => triangle_corners(world, object, feature).map(Vec::from),
    }
}

fn model_corners(
    posed: &PosedModel,
    triangle: TriangleId,
    world_from_model: DAffine3,
) -> Option<[DVec3; 3]> {
    let part = posed.part(usize::try_from(triangle.part).ok()?)?;
    let corners = mesh_corners(part.mesh(), triangle.triangle)?;
    let transform = world_from_model * part.model_from_part();
    Some(corners.map(|corner| transform.transform_point3(corner)))
}

fn mesh_corners(mesh: &TriMesh, triangle: u32) -> Option<[DVec3; 3]> {
    let corners = mesh.triangles().get(usize::try_from(triangle).ok()?)?;
    let corner = |index: u32| mesh.positions().get(usize::try_from(index).ok()?);
    let [a, b, c] = corners.map(corner);
    Some([a?, b?, c?].map(|corner| corner.as_dvec3()))
}

/// A point of the world in an object's own space.
pub(super) fn local_point(world: &Snapshot, object: ObjectId, point: Vec3) -> Option<[f32; 3]> {
    let transform = world.transform(object)?.inverse();
    let local = transform.transform_point3(point.as_dvec3());
    local.is_finite().then(|| local.as_vec3().to_array())
}

/// The corners of a hull's face in the world, in a ring.
fn hull_face(hull: &ConvexHull, face: usize) -> Option<Vec<DVec3>> {
    if face >= hull.face_count() {
        return None;
    }
    let own = hull.own_corners();
    let corner = |&number: &u16| {
        let corner = own.get(usize::from(number))?;
        Some(hull.transform().transform_point3(corner.as_dvec3()))
    };
    hull.face(face).iter().map(corner).collect()
}
