//! Random objects of every kind, with their pieces as the oracle sees them.

use crate::pair::Piece;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::{
    Aabb, Capsule, Compound, CompoundPart, ConvexHull, HeightField, ObjectId, Primitive, Sphere,
    TriMesh, World,
};
use hitscan_testkit::Rng;
use std::sync::Arc;

/// An object of the world, and its pieces.
pub(crate) struct Asked {
    pub(crate) id: ObjectId,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Mesh,
    Terrain,
    Solid,
    Compound,
}

/// Where numbers come from.
pub(crate) struct Maker {
    pub(crate) rng: Rng,
    /// Whether all coordinates are halves, so that touches and ties are common.
    pub(crate) is_on_grid: bool,
    pub(crate) scale: f32,
}

impl Maker {
    fn coordinate(&mut self, range: usize) -> f32 {
        let whole = self.rng.below(2 * range + 1) as f32 - range as f32;
        let beside = match self.is_on_grid {
            true => 0.0,
            false => self.rng.uniform_f32(0.0, 1.0),
        };
        self.scale * (whole * 0.5 + beside)
    }

    pub(crate) fn point(&mut self, range: usize) -> Vec3 {
        Vec3::new(
            self.coordinate(range),
            self.coordinate(range),
            self.coordinate(range),
        )
    }

    fn radius(&mut self) -> f64 {
        f64::from(self.scale) * (1 + self.rng.below(3)) as f64 * 0.5
    }

    /// A transform that keeps halves, or any.
    fn transform(&mut self) -> DAffine3 {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let first = self.rng.below(3);
        let second = (first + 1 + self.rng.below(2)) % 3;
        let third = 3 - first - second;
        let mut sign = || if self.rng.one_in(2) { -1.0 } else { 1.0 };
        let columns = [first, second, third].map(|axis| axes[axis] * sign());
        let mut matrix = DMat3::from_cols(columns[0], columns[1], columns[2]);
        if self.rng.one_in(4) {
            matrix *= 2.0;
        }
        if !self.is_on_grid {
            let angle = self.rng.uniform(-3.0, 3.0);
            matrix *= DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), angle);
        }
        DAffine3 {
            matrix3: matrix,
            translation: self.point(3).as_dvec3(),
        }
    }

    /// Adds a random object.
    pub(crate) fn add(&mut self, world: &mut World) -> Asked {
        match self.rng.below(6) {
            0..=2 => self.mesh(world),
            3 => self.terrain(world),
            4 => self.compound(world),
            _ => {
                let (solid, corners, radius) = self.solid();
                let id = world.add(solid);
                let pieces = vec![Piece {
                    part: 0,
                    triangle: 0,
                    corners,
                    radius,
                }];
                let kind = Kind::Solid;
                Asked { id, pieces, kind }
            }
        }
    }

    pub(crate) fn mesh(&mut self, world: &mut World) -> Asked {
        let range = 3;
        let positions: Vec<Vec3> = (0..6).map(|_| self.point(range)).collect();
        let count = 1 + self.rng.below(4);
        let mut corner = || u32::try_from(self.rng.below(6)).unwrap();
        let triangles: Vec<[u32; 3]> = (0..count).map(|_| [corner(), corner(), corner()]).collect();
        let transform = self.transform();
        let placed: Vec<DVec3> = (positions.iter())
            .map(|at| transform.transform_point3(at.as_dvec3()))
            .collect();
        let pieces = (0..).zip(&triangles).map(|(triangle, corners)| Piece {
            part: 0,
            triangle,
            corners: corners.map(|corner| placed[corner as usize]).to_vec(),
            radius: 0.0,
        });
        let pieces = pieces.collect();
        let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
        let id = world.add_at(mesh, transform).unwrap();
        let kind = Kind::Mesh;
        Asked { id, pieces, kind }
    }

    /// A mesh whose triangles have a corner in one place.
    pub(crate) fn mesh_at(&mut self, world: &mut World, corner: Vec3) -> Asked {
        let mut positions: Vec<Vec3> = (0..4).map(|_| corner + self.point(2)).collect();
        positions[0] = corner;
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        let pieces = (0..).zip(&triangles).map(|(triangle, corners)| Piece {
            part: 0,
            triangle,
            corners: corners
                .map(|at: u32| positions[at as usize].as_dvec3())
                .to_vec(),
            radius: 0.0,
        });
        let pieces = pieces.collect();
        let id = world.add(Arc::new(TriMesh::new(positions, triangles).unwrap()));
        let kind = Kind::Mesh;
        Asked { id, pieces, kind }
    }

    fn terrain(&mut self, world: &mut World) -> Asked {
        let [columns, rows] = [2 + self.rng.below(2), 2 + self.rng.below(2)];
        let spacing = f64::from(self.scale);
        let origin = self.point(2).as_dvec3();
        let heights: Vec<f32> = (0..columns * rows)
            .map(|_| match self.rng.one_in(8) {
                true => f32::NAN,
                false => self.coordinate(2),
            })
            .collect();
        let sample = |i: usize, j: usize| {
            let height = f64::from(heights[j * columns + i]);
            let (x, z) = (i as f64 * spacing, j as f64 * spacing);
            DVec3::new(origin.x + x, origin.y + height, origin.z + z)
        };
        let mut pieces = Vec::new();
        for j in 0..rows - 1 {
            for i in 0..columns - 1 {
                let first = [sample(i, j), sample(i, j + 1), sample(i + 1, j)];
                let second = [sample(i + 1, j), sample(i, j + 1), sample(i + 1, j + 1)];
                for (half, corners) in [first, second].into_iter().enumerate() {
                    let triangle = u32::try_from(2 * (j * (columns - 1) + i) + half).unwrap();
                    if corners.iter().all(|at| at.is_finite()) {
                        pieces.push(Piece {
                            part: 0,
                            triangle,
                            corners: corners.to_vec(),
                            radius: 0.0,
                        });
                    }
                }
            }
        }
        let grid = Grid {
            origin: origin.to_array(),
            ..Grid::new(columns, rows, [spacing; 2])
        };
        let id = world.add(HeightField::new(grid, heights).unwrap());
        let kind = Kind::Terrain;
        Asked { id, pieces, kind }
    }

    fn compound(&mut self, world: &mut World) -> Asked {
        let count = 1 + self.rng.below(3);
        let mut pieces = Vec::new();
        let parts = (0..count).map(|part| {
            let (solid, corners, radius) = self.solid();
            pieces.push(Piece {
                part: u32::try_from(part).unwrap(),
                triangle: 0,
                corners,
                radius,
            });
            CompoundPart::new(format!("part{part}"), solid)
        });
        let parts: Vec<CompoundPart> = parts.collect();
        let id = world.add(Compound::new(parts).unwrap());
        let kind = Kind::Compound;
        Asked { id, pieces, kind }
    }

    /// A solid, its corners, and its radius.
    fn solid(&mut self) -> (Primitive, Vec<DVec3>, f64) {
        let far = 3;
        match self.rng.below(4) {
            0 => {
                let (center, radius) = (self.point(far), self.radius());
                let sphere = Sphere::new(center, radius).unwrap();
                (sphere.into(), vec![center.as_dvec3()], radius)
            }
            1 => {
                let (a, b, radius) = (self.point(far), self.point(far), self.radius());
                let capsule = Capsule::new(a, b, radius).unwrap();
                (capsule.into(), vec![a.as_dvec3(), b.as_dvec3()], radius)
            }
            2 => {
                let (a, b) = (self.point(far), self.point(far));
                let (min, max) = (a.min(b), a.max(b));
                let corner = |k: usize| {
                    let end = |axis: usize| if k >> axis & 1 == 0 { min } else { max }[axis];
                    Vec3::new(end(0), end(1), end(2)).as_dvec3()
                };
                let corners = (0..8).map(corner).collect();
                (Aabb::new(min, max).unwrap().into(), corners, 0.0)
            }
            _ => {
                let around = self.point(far);
                let count = 4 + self.rng.below(3);
                let points: Vec<Vec3> = (0..count).map(|_| around + self.point(2)).collect();
                let hull = ConvexHull::new(points.iter().copied()).unwrap();
                let radius = match self.rng.one_in(2) {
                    true => self.radius(),
                    false => 0.0,
                };
                let corners = points.iter().map(|at| at.as_dvec3()).collect();
                (hull.rounded_by(radius).unwrap().into(), corners, radius)
            }
        }
    }
}

/// Ground of many triangles as one object, and each triangle as an object.
pub(crate) struct Bumps {
    pub(crate) whole: ObjectId,
    pub(crate) triangles: Vec<ObjectId>,
}

/// Ground of `side` by `side` quads, somewhere and turned somehow.
pub(crate) fn bumps(maker: &mut Maker, world: &mut World, side: usize) -> Bumps {
    let transform = maker.transform();
    let positions: Vec<Vec3> = (0..=side)
        .flat_map(|j| (0..=side).map(move |i| Vec3::new(i as f32, 0.0, j as f32)))
        .map(|at| at + Vec3::Y * maker.coordinate(1))
        .collect();
    let at = |i: usize, j: usize| u32::try_from(j * (side + 1) + i).unwrap();
    let triangles: Vec<[u32; 3]> = (0..side)
        .flat_map(|j| (0..side).map(move |i| (i, j)))
        .flat_map(|(i, j)| {
            [
                [at(i, j), at(i, j + 1), at(i + 1, j)],
                [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)],
            ]
        })
        .collect();
    let mut add = |triangles: Vec<[u32; 3]>| {
        let mesh = Arc::new(TriMesh::new(positions.clone(), triangles).unwrap());
        world.add_at(mesh, transform).unwrap()
    };
    let whole = add(triangles.clone());
    let triangles = triangles.into_iter().map(|one| add(vec![one])).collect();
    Bumps { whole, triangles }
}
