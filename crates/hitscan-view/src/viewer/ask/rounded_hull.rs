//! A rounded hull as lines: its faces moved out by the radius, and around each corner the arcs from one to the next.

use glam::{DVec3, Vec3};
use hitscan::ConvexHull;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Pieces of half a circle.
const HALF_CIRCLE_PIECES: f64 = 16.0;

/// The lines of a hull of at least three corners that its transform does not flatten; `None` of others.
pub(super) fn rounded_lines(hull: &ConvexHull) -> Option<Vec<Vec<DVec3>>> {
    let determinant = hull.transform().matrix3.determinant();
    (hull.face_count() > 0 && determinant != 0.0).then(|| {
        let faces = Faces::new(hull, determinant < 0.0);
        let around = (0..faces.rings.len()).map(|face| faces.moved_out(face));
        let between = faces.starts.keys().map(|&corner| faces.around(corner));
        around.chain(between).collect()
    })
}

/// The faces of a hull where it is.
struct Faces {
    corners: Vec<DVec3>,
    radius: f64,
    /// The corners of each face by their numbers, counter-clockwise seen from outside.
    rings: Vec<Vec<u16>>,
    normals: Vec<DVec3>,
    /// Of each corner of a face, by both: the face, the corner before it.
    before: BTreeMap<(u16, u16), (usize, u16)>,
    /// Of each corner one that comes after it in a face.
    starts: BTreeMap<u16, u16>,
}

impl Faces {
    fn new(hull: &ConvexHull, is_mirrored: bool) -> Self {
        let placed = |corner: &Vec3| hull.transform().transform_point3(corner.as_dvec3());
        let corners: Vec<DVec3> = hull.own_corners().iter().map(placed).collect();
        let rings: Vec<Vec<u16>> = (0..hull.face_count())
            .map(|face| match is_mirrored {
                false => hull.face(face).to_vec(),
                true => hull.face(face).iter().rev().copied().collect(),
            })
            .collect();
        let mut faces = Self {
            normals: rings.iter().map(|ring| normal(&corners, ring)).collect(),
            corners,
            radius: hull.radius(),
            rings,
            before: BTreeMap::new(),
            starts: BTreeMap::new(),
        };
        for (face, ring) in faces.rings.iter().enumerate() {
            for at in 0..ring.len() {
                let [last, corner, next] =
                    [ring.len() - 1, 0, 1].map(|step| ring[(at + step) % ring.len()]);
                faces.before.insert((corner, next), (face, last));
                faces.starts.insert(corner, next);
            }
        }
        faces
    }

    fn corner(&self, number: u16) -> DVec3 {
        self.corners[usize::from(number)]
    }

    /// The closed ring of a face, moved out by the radius.
    fn moved_out(&self, face: usize) -> Vec<DVec3> {
        let ring = &self.rings[face];
        let out = self.normals[face] * self.radius;
        let closed = ring.iter().chain(ring.first());
        closed.map(|&number| self.corner(number) + out).collect()
    }

    /// The closed ring of arcs around a corner, from each face to the next over the edge between them.
    fn around(&self, number: u16) -> Vec<DVec3> {
        let corner = self.corner(number);
        let first = self.starts[&number];
        let mut points = Vec::new();
        let mut next = first;
        loop {
            let (face, last) = self.before[&(number, next)];
            let (beyond, _) = self.before[&(number, last)];
            let edge = corner - self.corner(last);
            let normals = [face, beyond].map(|face| self.normals[face]);
            let out = arc(edge, normals);
            points.extend(out.map(|out| corner + out * self.radius));
            next = last;
            if next == first {
                return points;
            }
        }
    }
}

/// The directions from the normal of one face to that of the next, over the edge between them, along which the first
/// has its inside to the left.
fn arc(edge: DVec3, [from, to]: [DVec3; 2]) -> impl Iterator<Item = DVec3> {
    let outward = edge.cross(from).normalize_or_zero();
    // The faces of a flat hull are half a turn apart: that way round.
    let angle = libm::atan2(to.dot(outward).abs(), to.dot(from));
    let pieces = (angle / PI * HALF_CIRCLE_PIECES).ceil().max(1.0);
    let steps = std::iter::successors(Some(0.0), |step| Some(step + 1.0));
    steps
        .take_while(move |step| *step <= pieces)
        .map(move |step| {
            let turn = angle * step / pieces;
            from * libm::cos(turn) + outward * libm::sin(turn)
        })
}

/// The unit normal of a ring of corners that lie in a plane, but for rounding.
///
/// Source: M. E. Newell's method, in I. E. Sutherland, R. F. Sproull and R. A. Schumacker, "A Characterization of Ten
/// Hidden-Surface Algorithms", ACM Computing Surveys 6(1), 1974.
fn normal(corners: &[DVec3], ring: &[u16]) -> DVec3 {
    let origin = corners[usize::from(ring[0])];
    let spokes = ring
        .iter()
        .map(|&number| corners[usize::from(number)] - origin);
    let spokes: Vec<DVec3> = spokes.collect();
    let area: DVec3 = spokes.windows(2).map(|pair| pair[0].cross(pair[1])).sum();
    area.normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DAffine3, DQuat};

    fn cube() -> ConvexHull {
        let corners = (0..8u8).map(|bits| [0, 1, 2].map(|axis| f32::from(bits >> axis & 1)));
        ConvexHull::new(corners).unwrap()
    }

    /// How far a point is from a unit cube at the origin.
    fn gap(point: DVec3) -> f64 {
        point.distance(point.clamp(DVec3::ZERO, DVec3::ONE))
    }

    #[test]
    fn all_lines_are_on_the_surface() {
        let lines = rounded_lines(&cube().with_radius(0.25).unwrap()).unwrap();
        // Six faces and eight corners, three arcs of eight pieces around each.
        assert_eq!(lines.len(), 14);
        assert!(lines[..6].iter().all(|line| line.len() == 5));
        assert!(lines[6..].iter().all(|line| line.len() == 3 * 9));
        for line in &lines {
            assert!(line[0].distance(line[line.len() - 1]) < 1e-12, "{line:?}");
            assert!(
                line.iter().all(|point| (gap(*point) - 0.25).abs() < 1e-12),
                "{line:?}"
            );
        }
    }

    #[test]
    fn mirrored_and_turned_hulls_are_rounded_outwards() {
        let rotation = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        let transform = DAffine3::from_scale_rotation_translation(
            DVec3::new(-1.0, 1.0, 1.0),
            rotation,
            DVec3::X,
        );
        let hull = cube()
            .with_radius(0.25)
            .unwrap()
            .placed(&transform)
            .unwrap();
        for point in rounded_lines(&hull).unwrap().iter().flatten() {
            let own = transform.inverse().transform_point3(*point);
            assert!((gap(own) - 0.25).abs() < 1e-12, "{point}");
        }
    }

    #[test]
    fn a_flat_hull_is_round_all_along_its_edges() {
        let flat = ConvexHull::new([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap();
        let lines = rounded_lines(&flat.with_radius(0.5).unwrap()).unwrap();
        assert_eq!(lines.len(), 2 + 3);
        let lowest = lines
            .iter()
            .flatten()
            .map(|point| point.y)
            .fold(0.0, f64::min);
        assert!((lowest + 0.5).abs() < 1e-12, "{lowest}");
    }

    #[test]
    fn what_has_no_face_has_no_such_lines() {
        let rod = ConvexHull::new([Vec3::ZERO, Vec3::X]).unwrap();
        assert!(rounded_lines(&rod.with_radius(0.5).unwrap()).is_none());
        let flattened = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        let hull = cube().with_radius(0.5).unwrap().placed(&flattened).unwrap();
        assert!(rounded_lines(&hull).is_none());
    }
}
