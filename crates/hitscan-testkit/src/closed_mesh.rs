//! Closed meshes with outward triangles: round ones, cubes of right-angled cells, and the surfaces
//! of voxels with all their steps, ridges and edges that four faces share.
//!
//! Coordinates are snapped to a grid of a power of two, so that differences of corners are exact in
//! f32 and a ray can be aimed at a corner or a point of an edge without any rounding.

use crate::Rng;
use glam::{DVec3, Vec3};
use hitscan::{Ray, TriMesh, Triangle};
use std::collections::BTreeMap;

/// Corners and triangles of a closed mesh; each edge has as many triangles in one direction as in
/// the other.
#[derive(Debug, Clone)]
pub struct ClosedMesh {
    /// The corners.
    pub positions: Vec<Vec3>,
    /// Indices into the corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl ClosedMesh {
    /// A sphere around 0 of `20 * 4^depth` triangles, with its radius anywhere in
    /// `1.0..1.0 + bumps` at each corner. It is seen whole from 0.
    #[must_use]
    pub fn bumpy_sphere(depth: usize, bumps: f64, rng: &mut Rng) -> Self {
        let g = f64::midpoint(1.0, 5.0_f64.sqrt());
        let mut corners: Vec<DVec3> = Vec::new();
        for (a, b) in [(1.0, g), (1.0, -g), (-1.0, g), (-1.0, -g)] {
            corners.extend([
                DVec3::new(0.0, a, b),
                DVec3::new(a, b, 0.0),
                DVec3::new(b, 0.0, a),
            ]);
        }
        // The sides are the triples of corners that are nearest neighbours.
        let is_side = |a: DVec3, b: DVec3| (a.distance(b) - 2.0).abs() < 1e-9;
        let mut triangles = Vec::new();
        for a in 0..12 {
            for b in a + 1..12 {
                for c in b + 1..12 {
                    let [p, q, r] = [a, b, c].map(|i| corners[i]);
                    if is_side(p, q) && is_side(q, r) && is_side(r, p) {
                        let is_outward = (q - p).cross(r - p).dot(p) > 0.0;
                        triangles.push(if is_outward { [a, b, c] } else { [a, c, b] });
                    }
                }
            }
        }
        for _ in 0..depth {
            let mut middles = BTreeMap::new();
            let mut middle = |a: usize, b: usize| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    corners.push((corners[a] + corners[b]) * 0.5);
                    corners.len() - 1
                })
            };
            triangles = triangles
                .into_iter()
                .flat_map(|[a, b, c]| {
                    let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
                    [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
                })
                .collect();
        }
        let mut place = |p: DVec3| p / p.length() * rng.uniform(1.0, 1.0 + bumps);
        Self {
            positions: corners.into_iter().map(|p| place(p).as_vec3()).collect(),
            triangles: triangles.iter().map(|t| t.map(number)).collect(),
        }
    }

    /// The surface of all voxels `[x, y, z]`, each coordinate below `size`, that `is_solid` takes;
    /// voxel `[x, y, z]` spans from there to `[x + 1, y + 1, z + 1]`.
    #[must_use]
    pub fn voxels(size: usize, is_solid: impl Fn([usize; 3]) -> bool) -> Self {
        let mut mesh = Self {
            positions: Vec::new(),
            triangles: Vec::new(),
        };
        let mut corners = BTreeMap::new();
        let is_inside = |v: [usize; 3]| v.iter().all(|c| *c < size) && is_solid(v);
        for place in 0..size * size * size {
            let voxel = [place % size, place / size % size, place / size / size];
            if !is_inside(voxel) {
                continue;
            }
            for axis in 0..3 {
                for side in 0..2 {
                    let mut neighbour = voxel;
                    // Below 0 the index wraps round and is outside.
                    neighbour[axis] = (voxel[axis] + side * 2).wrapping_sub(1);
                    if is_inside(neighbour) {
                        continue;
                    }
                    let quad = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(j, k)| {
                        let mut corner = voxel;
                        corner[axis] += side;
                        corner[(axis + 1) % 3] += j;
                        corner[(axis + 2) % 3] += k;
                        *corners.entry(corner).or_insert_with(|| {
                            mesh.positions.push(small(corner));
                            number(mesh.positions.len() - 1)
                        })
                    });
                    let [a, b, c, d] = if side == 1 {
                        quad
                    } else {
                        [quad[0], quad[3], quad[2], quad[1]]
                    };
                    mesh.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
        mesh
    }

    /// A cube from 0 to `cells` on each axis, each face of `cells * cells` squares.
    #[must_use]
    pub fn cube(cells: usize) -> Self {
        Self::voxels(cells, |_| true)
    }

    /// The mesh with each corner elsewhere, snapped to the grid of `step`, a power of two.
    #[must_use]
    pub fn moved(mut self, step: f64, to: impl Fn(DVec3) -> DVec3) -> Self {
        for position in &mut self.positions {
            *position = ((to(position.as_dvec3()) / step).round() * step).as_vec3();
        }
        self
    }

    /// The same triangles in another order, with where each of them was before.
    #[must_use]
    pub fn shuffled(&self, rng: &mut Rng) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..number(self.triangles.len())).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last + 1));
        }
        let triangles = order.iter().map(|i| self.triangles[*i as usize]).collect();
        let positions = self.positions.clone();
        (
            Self {
                positions,
                triangles,
            },
            order,
        )
    }

    /// The mesh as the library has it.
    ///
    /// # Panics
    /// When corners are out of the library's range.
    #[must_use]
    pub fn tri_mesh(&self) -> TriMesh {
        TriMesh::new(self.positions.clone(), self.triangles.clone()).expect("corners are in range")
    }

    /// The corners of a triangle.
    #[must_use]
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|corner| self.positions[corner as usize])
    }

    /// The triangles one by one.
    ///
    /// # Panics
    /// When corners are out of the library's range.
    #[must_use]
    pub fn single_triangles(&self) -> Vec<Triangle> {
        let single = |triangle| {
            let [a, b, c] = self.corners(triangle);
            Triangle::new(a, b, c).expect("corners are in range")
        };
        (0..self.triangles.len()).map(single).collect()
    }

    /// A corner, or as often a point of an edge: a whole number of eighths along it.
    pub fn target(&self, rng: &mut Rng) -> Vec3 {
        let [a, b, _] = self.corners(rng.below(self.triangles.len()));
        let eighths = [0.0, 0.125, 0.25, 0.5, 0.625, 0.875];
        let fraction = if rng.one_in(2) {
            0.0
        } else {
            eighths[1 + rng.below(5)]
        };
        a + (b - a) * fraction
    }

    /// A ray that passes exactly through `target` at t = 1.
    ///
    /// # Panics
    /// When the two are the same point.
    #[must_use]
    pub fn aim(origin: Vec3, target: Vec3) -> Ray {
        Ray::new(origin, target - origin).expect("origin and target differ")
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("test meshes are small")
}

fn small(corner: [usize; 3]) -> Vec3 {
    let whole = |c: usize| f32::from(u16::try_from(c).expect("test meshes are small"));
    Vec3::from_array(corner.map(whole))
}
