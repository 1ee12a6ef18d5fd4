//! Solids and objects as lines: what moves in a page's picture is drawn by them.

use super::rounded_hull::rounded_lines;
use crate::limits;
use crate::protocol::{Reply, WireframePlace};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::model::PosedModel;
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{Aabb, ConvexHull, ObjectId, Primitive, Snapshot, TriMesh};

/// Points of a circle.
const CIRCLE_POINTS: u8 = 32;
/// Triangles that meet at an angle of which the cosine is less than this have an edge that is drawn, some 18 degrees.
const CREASE: f64 = 0.95;

/// Lines from point to point, metres.
pub(super) type Wireframe = Vec<Vec<[f32; 3]>>;

/// Which object is drawn, and where.
#[derive(Debug)]
pub(in crate::viewer) struct WireframeQuestion {
    world: Snapshot,
    object: ObjectId,
    place: WireframePlace,
}

impl WireframeQuestion {
    /// `None` where there is no such object, and of what is no hull at the origin.
    pub(in crate::viewer) fn new(
        object: Option<ObjectId>,
        world: Snapshot,
        place: WireframePlace,
    ) -> Option<Self> {
        let object = object?;
        let is_hull = world.kind(object) == Some(ObjectKind::ConvexHull);
        (place == WireframePlace::World || is_hull).then_some(Self {
            world,
            object,
            place,
        })
    }

    /// The lines, to the message `id`.
    pub(super) fn answer(&self, id: u32) -> Reply {
        let world = &self.world;
        let (lines, bounds) = match (self.place, world.shape(self.object)) {
            (WireframePlace::Origin, Some(ObjectShape::Primitive(Primitive::ConvexHull(hull)))) => {
                match hull.placed_by(hull.scale(), DQuat::IDENTITY, DVec3::ZERO) {
                    Ok(hull) => {
                        let bounds = hull.bounds();
                        (of_solid(&hull.into()), Some(bounds))
                    }
                    // Beyond the maximum coordinate.
                    Err(_) => (Wireframe::new(), None),
                }
            }
            _ => (
                of_object(world, self.object),
                world.object_bounds(self.object),
            ),
        };
        Reply::Wireframe {
            id,
            lines,
            bounds: bounds.map(|bounds| [bounds.min(), bounds.max()].map(Into::into)),
        }
    }
}

impl WireframePlace {
    /// What the name of an object to draw there must be.
    pub(in crate::viewer) fn expected(self) -> &'static str {
        match self {
            Self::World => "the name of an object",
            Self::Origin => "the name of a hull",
        }
    }
}

/// The lines of a solid.
pub(super) fn of_solid(solid: &Primitive) -> Wireframe {
    let mut lines = Lines::default();
    lines.solid(solid);
    lines.0
}

/// The lines of an object as placed: of triangles the longest of the edges at which the surface ends or bends; of
/// what has very many triangles, and of terrain, the box around it.
pub(super) fn of_object(world: &Snapshot, object: ObjectId) -> Wireframe {
    let mut lines = Lines::default();
    let bounds = world.object_bounds(object);
    let has_many = world.triangle_count(object) > limits::WIREFRAME_TRIANGLES;
    let transform = world.transform(object).unwrap_or(DAffine3::IDENTITY);
    match world.shape(object) {
        None => {}
        Some(ObjectShape::Primitive(solid)) => lines.solid(&solid),
        Some(ObjectShape::TriMesh(mesh)) if !has_many => {
            lines.edges(mesh_edges(&mesh, transform));
        }
        Some(ObjectShape::Model(posed)) if !has_many => lines.model(&posed, transform),
        Some(ObjectShape::Compound(_) | ObjectShape::PosedCompound(_)) => {
            for (part, _) in world.compound_parts(object) {
                if let Some(solid) = world.part_solid(object, part) {
                    lines.solid(&solid);
                }
            }
            if let Some(ObjectShape::PosedCompound(posed)) = world.shape(object)
                && posed.has_meshes()
                && !has_many
            {
                lines.model(posed.posed_model(), transform);
            }
        }
        Some(_) => bounds.iter().for_each(|bounds| lines.aabb(bounds)),
    }
    lines.0.truncate(limits::WIREFRAME_LINES);
    lines.0
}

#[derive(Default)]
struct Lines(Wireframe);

impl Lines {
    fn line(&mut self, points: impl IntoIterator<Item = DVec3>) {
        let points: Vec<[f32; 3]> = points
            .into_iter()
            .map(|point| point.as_vec3().to_array())
            .collect();
        if points.iter().flatten().all(|number| number.is_finite()) {
            self.0.push(points);
        }
    }

    fn solid(&mut self, solid: &Primitive) {
        match solid {
            Primitive::Sphere(sphere) => self.ball(sphere.center().as_dvec3(), sphere.radius()),
            Primitive::Obb(obb) => self.corners(obb.corners().map(|corner| corner.as_vec3())),
            Primitive::Capsule(capsule) => {
                let ends = [capsule.a(), capsule.b()].map(Vec3::as_dvec3);
                self.capsule(ends, capsule.radius());
            }
            Primitive::Cylinder(cylinder) => {
                let ends = [cylinder.a(), cylinder.b()].map(Vec3::as_dvec3);
                if let Some(frame) = frame_of(ends) {
                    self.tube(ends, frame, cylinder.radius(), false);
                }
            }
            Primitive::ConvexHull(hull) if hull.radius() > 0.0 => self.rounded_hull(hull),
            Primitive::ConvexHull(hull) => {
                for ends in hull.placed_edges().take(limits::WIREFRAME_LINES) {
                    self.line(ends);
                }
            }
            other => self.aabb(&other.bounds()),
        }
    }

    fn aabb(&mut self, bounds: &Aabb) {
        self.corners(bounds.corners());
    }

    /// The edges of a box, of whose corners' numbers bit 0 is along x, bit 1 along y and bit 2 along z.
    fn corners(&mut self, corners: [Vec3; 8]) {
        for bit in [1, 2, 4] {
            for low in (0..corners.len()).filter(|low| low & bit == 0) {
                self.line([corners[low], corners[low | bit]].map(|corner| corner.as_dvec3()));
            }
        }
    }

    fn ball(&mut self, center: DVec3, radius: f64) {
        for [u, v] in [
            [DVec3::X, DVec3::Y],
            [DVec3::Y, DVec3::Z],
            [DVec3::Z, DVec3::X],
        ] {
            self.line(arc(center, [u, v], radius, CIRCLE_POINTS));
        }
    }

    /// The circles around two ends and what joins them; half circles over each where it is round there.
    fn tube(&mut self, [a, b]: [DVec3; 2], [u, v, axis]: [DVec3; 3], radius: f64, is_round: bool) {
        for end in [a, b] {
            self.line(arc(end, [u, v], radius, CIRCLE_POINTS));
        }
        for side in [u, v, -u, -v] {
            self.line([a, b].map(|end| end + side * radius));
        }
        for side in [u, v].into_iter().filter(|_| is_round) {
            self.line(arc(a, [side, -axis], radius, CIRCLE_POINTS / 2));
            self.line(arc(b, [side, axis], radius, CIRCLE_POINTS / 2));
        }
    }

    /// What its transform flattens is drawn as the flat hull of its corners; what is no wider than a segment as a capsule.
    fn rounded_hull(&mut self, hull: &ConvexHull) {
        let lines = rounded_lines(hull).or_else(|| {
            let corners = hull.corners().iter().map(|corner| corner.as_vec3());
            let flat = ConvexHull::new(corners).and_then(|flat| flat.with_radius(hull.radius()));
            rounded_lines(&flat.ok()?)
        });
        if let Some(lines) = lines {
            for line in lines.into_iter().take(limits::WIREFRAME_LINES) {
                self.line(line);
            }
            return;
        }
        if let (Some(a), Some(b)) = (hull.corners().first(), hull.corners().last()) {
            self.capsule([*a, *b], hull.radius());
        }
    }

    fn capsule(&mut self, ends: [DVec3; 2], radius: f64) {
        match frame_of(ends) {
            Some(frame) => self.tube(ends, frame, radius, true),
            None => self.ball(ends[0], radius),
        }
    }

    fn model(&mut self, posed: &PosedModel, world_from_model: DAffine3) {
        let edges = posed
            .parts()
            .flat_map(|part| mesh_edges(part.mesh(), world_from_model * part.model_from_part()));
        self.edges(edges.collect());
    }

    /// The longest edges first; of equal ones the order stays.
    fn edges(&mut self, mut edges: Vec<[DVec3; 2]>) {
        let length = |[a, b]: &[DVec3; 2]| a.distance_squared(*b);
        edges.sort_by(|one, other| length(other).total_cmp(&length(one)));
        for edge in edges.into_iter().take(limits::WIREFRAME_LINES) {
            self.line(edge);
        }
    }
}

/// Two directions across the line between two points, and that along it; `None` where they are one.
fn frame_of([a, b]: [DVec3; 2]) -> Option<[DVec3; 3]> {
    let axis = (b - a).try_normalize()?;
    let (u, v) = axis.any_orthonormal_pair();
    Some([u, v, axis])
}

/// So many of the steps of a circle, from u towards v.
fn arc(center: DVec3, [u, v]: [DVec3; 2], radius: f64, steps: u8) -> impl Iterator<Item = DVec3> {
    (0..=steps).map(move |step| {
        let turn = std::f64::consts::TAU * f64::from(step) / f64::from(CIRCLE_POINTS);
        center + (u * libm::cos(turn) + v * libm::sin(turn)) * radius
    })
}

/// The edges of a mesh that one triangle alone has, or at which two meet at an angle; corners are one where their
/// coordinates are.
fn mesh_edges(mesh: &TriMesh, world_from_mesh: DAffine3) -> Vec<[DVec3; 2]> {
    // Adding 0 makes one number of 0 and -0.
    let bits = |corner: Vec3| (corner + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut sides = Vec::with_capacity(3 * mesh.triangles().len());
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|index| mesh.positions()[index as usize]);
        let normal = (b - a).as_dvec3().cross((c - a).as_dvec3());
        let normal = normal.normalize_or_zero();
        for ends in [[a, b], [b, c], [c, a]] {
            let mut key = ends.map(bits);
            key.sort_unstable();
            sides.push((key, ends, normal));
        }
    }
    sides.sort_by_key(|(key, ..)| *key);
    let edges = sides.chunk_by(|(one, ..), (other, ..)| one == other);
    let bends = |edge: &&[(_, [Vec3; 2], DVec3)]| match edge {
        [(.., one), others @ ..] => {
            others.is_empty() || others.iter().any(|(.., other)| one.dot(*other) < CREASE)
        }
        [] => false,
    };
    let place = |corner: Vec3| world_from_mesh.transform_point3(corner.as_dvec3());
    let bent = edges.filter(bends);
    bent.map(|edge| edge[0].1.map(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::{ConvexHull, Cylinder};

    /// Two triangles of one plane have four edges, as the one that they share is level; a fold has five.
    #[test]
    fn edges_are_where_a_surface_ends_or_bends() {
        for (lift, count) in [(0.0, 4), (1.0, 5)] {
            let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            let corners = corners.into_iter().chain([[1.0, 1.0, lift]]);
            let corners: Vec<Vec3> = corners.map(Vec3::from).collect();
            let mesh = TriMesh::new(corners, vec![[0, 1, 2], [2, 1, 3]]).unwrap();
            let edges = mesh_edges(&mesh, DAffine3::from_translation(DVec3::X));
            assert_eq!(edges.len(), count, "{edges:?}");
            assert!(edges.iter().flatten().all(|corner| corner.x >= 1.0));
        }
    }

    fn hull_of_cube() -> ConvexHull {
        let corners = (0..8u8).map(|bits| [0, 1, 2].map(|axis| f32::from(bits >> axis & 1)));
        ConvexHull::new(corners).unwrap()
    }

    #[test]
    fn solids_are_drawn_by_their_edges_and_circles() {
        let hull = ConvexHull::new([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
        assert_eq!(of_solid(&hull.into()).len(), 3);
        let lines_of = |points: &[[f32; 3]]| {
            let hull = ConvexHull::new(points.to_vec()).unwrap();
            of_solid(&hull.with_radius(0.5).unwrap().into()).len()
        };
        // A ball, a capsule; two faces and three corners.
        assert_eq!(lines_of(&[[1.0; 3]]), 3);
        assert_eq!(lines_of(&[[1.0; 3], [2.0; 3]]), 10);
        assert_eq!(lines_of(&[[0.0; 3], [1.0; 3], [1.0, 0.0, 0.0]]), 5);
        let flattened = hull_of_cube().with_radius(0.5).unwrap();
        let flattened = flattened.placed(&DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0)));
        assert_eq!(of_solid(&flattened.unwrap().into()).len(), 2 + 4);
        let cylinder = Cylinder::new([0.0, 0.0, 0.0], [0.0, 2.0, 0.0], 0.5).unwrap();
        let lines = of_solid(&cylinder.into());
        assert_eq!(lines.len(), 6);
        let across = |point: &[f32; 3]| point[0].hypot(point[2]);
        let points = lines.iter().flatten();
        assert!(
            points
                .clone()
                .all(|point| (across(point) - 0.5).abs() < 1e-6)
        );
        assert!(points.clone().all(|point| [0.0, 2.0].contains(&point[1])));
    }
}
