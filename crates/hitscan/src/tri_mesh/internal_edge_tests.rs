//! Tests that no shape is caught at the inner edges of a floor made of triangles: every t is, bit for bit,
//! that over a floor of two triangles, and every normal that of the floor.

use crate::test_rng::Rng;
use crate::{
    Aabb, Capsule, ContactsPer, InitialOverlap, Obb, Primitive, ShapeCast, ShapeHit, Sphere,
    TriMesh,
};
use glam::{DQuat, Vec3};

/// The number of cells that the fine floor has along each side; they are 8,192 triangles.
const CELLS: u32 = 64;

/// A plane through lattice points, so that a floor on it is flat exactly.
#[derive(Debug, Clone, Copy)]
struct Slope {
    x: f32,
    z: f32,
}

impl Slope {
    fn at(self, x: f32, z: f32) -> Vec3 {
        Vec3::new(x, self.x * x + self.z * z, z)
    }

    fn normal(self) -> Vec3 {
        let normal = glam::DVec3::new(f64::from(-self.x), 1.0, f64::from(-self.z));
        (normal / normal.length()).as_vec3()
    }

    /// A floor of `cells` squares each way, in an order that is not the floor's.
    fn floor(self, cells: u32) -> TriMesh {
        let size = CELLS as f32 / cells as f32;
        let point = |i: u32| {
            let (column, row) = (i % (cells + 1), i / (cells + 1));
            self.at(column as f32 * size, row as f32 * size)
        };
        let points = (0..(cells + 1) * (cells + 1)).map(point).collect();
        let cell = |k: u32| {
            let k = k * 7919 % (cells * cells);
            let corner = k / cells * (cells + 1) + k % cells;
            let below = corner + cells + 1;
            [[corner, below, corner + 1], [corner + 1, below, below + 1]]
        };
        TriMesh::new(points, (0..cells * cells).flat_map(cell).collect()).unwrap()
    }
}

const SLOPES: [Slope; 4] = [
    Slope { x: 0.0, z: 0.0 },
    Slope { x: 0.25, z: 0.0 },
    Slope { x: -0.5, z: 0.125 },
    Slope { x: 0.375, z: 0.75 },
];

struct Numbers(Rng);

impl Numbers {
    /// A number between the two.
    fn next(&mut self, low: f32, high: f32) -> f32 {
        self.0.uniform_f32(low, high)
    }

    fn shape(&mut self, kind: usize, at: Vec3) -> Primitive {
        let radius = f64::from(self.next(0.1, 0.6));
        let along = Vec3::new(
            self.next(-0.7, 0.7),
            self.next(0.0, 1.0),
            self.next(-0.7, 0.7),
        );
        match kind {
            0 => Sphere::new(at, radius).unwrap().into(),
            1 => Capsule::new(at, at + along, radius).unwrap().into(),
            2 => Aabb::new(at, at + along.abs() + 0.1).unwrap().into(),
            _ => {
                let turn = DQuat::from_xyzw(f64::from(along.x), 0.3, f64::from(along.z), 0.9);
                Obb::new(at, along.abs() + 0.1, turn).unwrap().into()
            }
        }
    }
}

fn is_near(a: Vec3, b: Vec3) -> bool {
    // The expected normal is rounded itself.
    (a.as_dvec3() - b.as_dvec3()).length() <= 1.5 / 4_194_304.0
}

#[test]
fn landings_and_slides_are_those_over_a_smooth_floor() {
    let mut numbers = Numbers(Rng(9));
    let mut hits = [0; 4];
    for slope in SLOPES {
        let (fine, smooth) = (slope.floor(CELLS), slope.floor(1));
        for case in 0..400 {
            let kind = case % 4;
            let on_lattice = case / 4 % 3 == 0;
            let mut place = |low: f32, high: f32| {
                let x = numbers.next(low, high);
                if on_lattice { x.round() } else { x }
            };
            let ground = slope.at(place(20.0, 44.0), place(20.0, 44.0));
            let above = numbers.next(1.5, 6.0);
            let shape = numbers.shape(kind, ground + Vec3::Y * above);
            // Falls, or glides that take ten metres to come down.
            let (x, z) = (numbers.next(-9.0, 9.0), numbers.next(-9.0, 9.0));
            let fall = if case % 2 == 0 { 9.0 } else { above + 1.5 };
            let motion = Vec3::new(x, slope.x * x + slope.z * z - fall, z);
            let cast = ShapeCast::new(shape, motion).unwrap();
            let found = fine.cast_shape(&cast, ());
            let expected = smooth.cast_shape(&cast, ());
            let t = |hit: Option<ShapeHit>| hit.map(|hit| hit.t.to_bits());
            assert_eq!(t(found), t(expected), "{slope:?} {cast:?}");
            if let Some(hit) = found {
                hits[kind] += 1;
                assert!(
                    is_near(hit.normal, slope.normal()),
                    "{hit:?} {slope:?} {cast:?}"
                );
            }
        }
    }
    println!("{hits:?} hits");
    assert!(hits.into_iter().all(|hits| hits > 200), "{hits:?}");
}

#[test]
fn a_shape_that_rounding_put_inside_a_floor_slides_on_and_rests_on_its_face() {
    let mut numbers = Numbers(Rng(5));
    let (mut stopped, mut overlaps) = (0, 0);
    for slope in [SLOPES[0], SLOPES[1]] {
        let fine = slope.floor(CELLS);
        for case in 0..40 {
            let at = slope.at(numbers.next(24.0, 40.0), numbers.next(24.0, 40.0));
            let radius = 0.5;
            let inside = numbers.next(1e-6, 1e-3);
            let center = at + slope.normal() * (0.5 - inside);
            let shape: Primitive = if case % 2 == 0 {
                Sphere::new(center, radius).unwrap().into()
            } else {
                Capsule::new(center, center + Vec3::Y, radius)
                    .unwrap()
                    .into()
            };
            let contacts = fine.contacts(shape.clone(), 0.01, ContactsPer::Triangle);
            assert!(!contacts.is_empty(), "{shape:?}");
            for contact in &contacts {
                assert!(
                    is_near(contact.normal, slope.normal()),
                    "{contact:?} {shape:?}"
                );
            }
            overlaps += usize::from(fine.overlaps_shape(shape.clone()));
            let (x, z) = (numbers.next(-9.0, 9.0), numbers.next(-9.0, 9.0));
            // Along the floor, and a little upward for what rounding takes.
            let along = Vec3::new(x, slope.x * x + slope.z * z + 1e-3, z);
            let leaving = |motion: Vec3| {
                let cast = ShapeCast::new(&shape, motion).unwrap();
                fine.cast_shape(&cast.with_initial_overlap(InitialOverlap::Escape), ())
            };
            assert_eq!(leaving(along), None, "{shape:?} {along}");
            if let Some(hit) = leaving(along - Vec3::Y) {
                stopped += 1;
                assert!(hit.t == 0.0 && hit.start.is_overlap(), "{hit:?}");
                assert!(is_near(hit.normal, slope.normal()), "{hit:?} {shape:?}");
            }
        }
    }
    println!("{stopped} stopped, {overlaps} overlaps");
    assert!(stopped == 80 && overlaps == 80, "{stopped} {overlaps}");
}
