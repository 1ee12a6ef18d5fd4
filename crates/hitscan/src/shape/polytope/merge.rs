//! Whole faces of a triangulated surface: facets in one plane become one, and corners on its edges and faces
//! go.

use super::Ring;
use super::predicates::side;
use super::quickhull::Facet;
use crate::sorting::sort_by_rank;
use glam::DVec3;

/// The rings of the whole faces, by points: counter-clockwise seen from outside.
pub(super) fn whole_faces(points: &[DVec3], facets: &[Facet]) -> Vec<Ring<u32>> {
    let faces = Faces::of(points, facets);
    let mut borders = Vec::new();
    // Of each point up to three faces around it.
    let mut around: Vec<FacesAround> = vec![FacesAround::default(); points.len()];
    for (place, facet) in facets.iter().enumerate() {
        let face = faces.of[place];
        for (edge, corner) in facet.corners.into_iter().enumerate() {
            around[corner as usize].add(face);
            if faces.of[facet.neighbours[edge] as usize] != face {
                borders.push(Border {
                    face,
                    from: corner,
                    to: facet.corners[(edge + 1) % 3],
                });
            }
        }
    }
    sort_by_rank(&mut borders, |border| {
        [border.face, border.from, border.to].map(u64::from)
    });
    // Where fewer than three faces meet there is no corner.
    let is_corner = |point: u32| around[point as usize].count > 2;
    let by_face = borders.chunk_by(|one, next| one.face == next.face);
    by_face.map(|border| ring(border, &is_corner)).collect()
}

/// Faces that meet at a point: up to three of them.
#[derive(Debug, Clone, Copy, Default)]
struct FacesAround {
    faces: [u32; 3],
    count: usize,
}

impl FacesAround {
    fn add(&mut self, face: u32) {
        let is_new = self.count < 3 && !self.faces[..self.count].contains(&face);
        if is_new {
            self.faces[self.count] = face;
            self.count += 1;
        }
    }
}

/// An edge between two faces, as one of them has it.
struct Border {
    face: u32,
    from: u32,
    to: u32,
}

/// The corners of a face in turn, given its borders by where they begin.
fn ring(borders: &[Border], is_corner: &dyn Fn(u32) -> bool) -> Ring<u32> {
    let mut ring = Ring::new();
    let mut place = 0;
    for _ in borders {
        let Border { from, to, .. } = borders[place];
        if is_corner(from) {
            ring.push(from);
        }
        place = borders.partition_point(|border| border.from < to);
    }
    ring
}

/// Which face each facet belongs to: the lowest facet of that plane stands for it.
struct Faces {
    of: Vec<u32>,
}

impl Faces {
    fn of(points: &[DVec3], facets: &[Facet]) -> Self {
        let mut of: Vec<u32> = vec![u32::MAX; facets.len()];
        let mut open = Vec::new();
        for (start, face) in (0..facets.len()).zip(0..) {
            if of[start] != u32::MAX {
                continue;
            }
            of[start] = face;
            open.push(start);
            while let Some(place) = open.pop() {
                let facet = &facets[place];
                let corners = facet.corners.map(|corner| points[corner as usize]);
                for beyond in facet.neighbours.map(|beyond| beyond as usize) {
                    let other = facets[beyond].corners;
                    let is_level = |corner: &u32| {
                        facet.corners.contains(corner)
                            || side(&facet.plane, corners, points[*corner as usize]).is_eq()
                    };
                    if of[beyond] == u32::MAX && other.iter().all(is_level) {
                        of[beyond] = face;
                        open.push(beyond);
                    }
                }
            }
        }
        Self { of }
    }
}
