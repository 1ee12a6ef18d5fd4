//! Points and surfaces in closed surfaces made of cubes, where the answer is known by counting.

use hitscan::Aabb;
use hitscan::glam::{DMat3, DVec3};
use hitscan::overlap::{ClosedSurface, Location, OverlapKind, WindingNumber, triangle_triangle};
use hitscan_testkit::Rng;
use hitscan_testkit::exact_overlap::{self, rational};

/// How many cells along each side.
const CELLS: i32 = 3;

/// Which cells of a grid of unit cubes are filled.
struct Cubes {
    filled: Vec<[i32; 3]>,
}

impl Cubes {
    fn random(rng: &mut Rng, one_in: usize) -> Self {
        let all = (0..CELLS.pow(3)).map(|i| [i % CELLS, i / CELLS % CELLS, i / CELLS.pow(2)]);
        let mut filled: Vec<[i32; 3]> = all.filter(|_| rng.one_in(one_in)).collect();
        if filled.is_empty() {
            filled.push([0; 3]);
        }
        Self { filled }
    }

    fn is_filled(&self, cell: [i32; 3]) -> bool {
        self.filled.contains(&cell)
    }

    /// The faces between filled and empty cells, as the face's cell and its outward axis and sign.
    fn faces(&self) -> impl Iterator<Item = ([i32; 3], usize, i32)> {
        self.filled.iter().flat_map(move |&cell| {
            (0..3).flat_map(move |axis| {
                [-1, 1]
                    .into_iter()
                    .filter(move |&sign| {
                        let mut next = cell;
                        next[axis] += sign;
                        !self.is_filled(next)
                    })
                    .map(move |sign| (cell, axis, sign))
            })
        })
    }

    /// Two triangles a face, counter-clockwise seen from outside.
    fn surface(&self) -> Vec<[DVec3; 3]> {
        self.faces()
            .flat_map(|(cell, axis, sign)| {
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let mut origin = cell;
                origin[axis] += i32::from(sign > 0);
                let corner = |along_u: i32, along_v: i32| {
                    let mut p = origin;
                    p[u] += along_u;
                    p[v] += along_v;
                    DVec3::from_array(p.map(f64::from))
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if sign > 0 {
                    [[a, b, c], [a, c, d]]
                } else {
                    [[a, c, b], [a, d, c]]
                }
            })
            .collect()
    }

    /// Where the point with coordinates `p / 4` is, by the cells around it.
    fn locate_quarters(&self, p: [i32; 3]) -> Location {
        let around = |k: usize| [(p[k] - 1).div_euclid(4), p[k].div_euclid(4)];
        let mut cells = Vec::new();
        for x in around(0) {
            for y in around(1) {
                for z in around(2) {
                    cells.push(self.is_filled([x, y, z]));
                }
            }
        }
        if cells.iter().all(|filled| *filled) {
            Location::Inside
        } else if cells.iter().any(|filled| *filled) {
            Location::OnSurface
        } else {
            Location::Outside
        }
    }

    /// Whether each face of `inner` has a filled cell on one of its sides at least.
    fn holds_surface_of(&self, inner: &Self) -> bool {
        inner.faces().all(|(cell, axis, sign)| {
            let mut next = cell;
            next[axis] += sign;
            self.is_filled(cell) || self.is_filled(next)
        })
    }
}

/// Shears with small integers: exact on the grid, and no face stays aligned with an axis.
fn shears() -> [DMat3; 3] {
    let columns = |x, y, z| DMat3::from_cols(DVec3::from(x), DVec3::from(y), DVec3::from(z));
    [
        DMat3::IDENTITY,
        columns([1.0, 2.0, -1.0], [0.0, 1.0, 3.0], [-2.0, 1.0, 2.0]),
        // A mirror image: the surface is inside out.
        columns([0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0])
            * DMat3::from_diagonal(-DVec3::X + DVec3::Y + DVec3::Z),
    ]
}

#[test]
fn points_aligned_with_corners_and_edges() {
    let mut rng = Rng::new(21);
    let mut counts = [0; 3];
    for round in 0..24 {
        let cubes = Cubes::random(&mut rng, 2 + round % 2);
        for shear in shears() {
            let surface: Vec<[DVec3; 3]> = cubes
                .surface()
                .iter()
                .map(|t| t.map(|p| shear * p))
                .collect();
            let solid = ClosedSurface::new(&surface).expect("faces of cubes close up");
            // Quarters hit corners, edges, diagonals and face middles; one cell beyond, too.
            for _ in 0..400 {
                let mut quarter = || i32::try_from(rng.below(21)).unwrap() - 4;
                let at = [quarter(), quarter(), quarter()];
                let point = shear * DVec3::from_array(at.map(|x| f64::from(x) / 4.0));
                let expected = cubes.locate_quarters(at);
                assert_eq!(
                    solid.locate(point),
                    expected,
                    "{at:?} {shear:?} {:?}",
                    cubes.filled
                );
                counts[expected as usize] += 1;
            }
        }
    }
    println!("inside, on, outside: {counts:?}");
    assert!(counts.iter().all(|count| *count > 1000));
}

#[test]
fn triangles_that_do_not_matter_may_be_left_out() {
    let mut rng = Rng::new(22);
    let mut left_out = 0;
    for _ in 0..20 {
        let surface = Cubes::random(&mut rng, 2).surface();
        for _ in 0..50 {
            let point = DVec3::from_array([(); 3].map(|()| rng.uniform(-1.0, 4.0).round()));
            let (mut all, mut some) = (WindingNumber::new(point), WindingNumber::new(point));
            for triangle in &surface {
                all.add(triangle);
                let corners = triangle.map(|p| p.as_vec3());
                let min = corners[0].min(corners[1]).min(corners[2]);
                let max = corners[0].max(corners[1]).max(corners[2]);
                if some.matters(&Aabb::new(min, max).unwrap()) {
                    some.add(triangle);
                } else {
                    left_out += 1;
                }
            }
            assert_eq!(all.location(), some.location());
        }
    }
    assert!(left_out > 1000);
}

#[test]
fn surfaces_in_surfaces_that_touch() {
    let mut rng = Rng::new(23);
    let mut counts = [0; 2];
    for round in 0..240 {
        let outer = Cubes::random(&mut rng, 2);
        // Every other inner one is made of the outer one's cells, else containment would be rare.
        let mut inner = Cubes::random(&mut rng, 3);
        if round % 2 == 0 {
            inner.filled.retain(|cell| outer.is_filled(*cell));
            if inner.filled.is_empty() {
                inner.filled.push(outer.filled[0]);
            }
        }
        let shear = shears()[round % 3];
        let sheared = |cubes: &Cubes| -> Vec<[DVec3; 3]> {
            cubes
                .surface()
                .iter()
                .map(|t| t.map(|p| shear * p))
                .collect()
        };
        let (outer_surface, inner_surface) = (sheared(&outer), sheared(&inner));
        let solid = ClosedSurface::new(&outer_surface).expect("faces of cubes close up");
        let touching: Vec<usize> = (0..inner_surface.len())
            .filter(|&index| {
                outer_surface.iter().any(|triangle| {
                    let overlap = triangle_triangle(&inner_surface[index], triangle);
                    // On one grid nothing crosses, even where the surfaces do.
                    assert!(overlap.is_none_or(|m| m.kind != OverlapKind::Cross));
                    overlap.is_some()
                })
            })
            .collect();
        let expected = outer.holds_surface_of(&inner);
        assert_eq!(
            solid.contains(&inner_surface, &touching),
            expected,
            "{:?} in {:?}",
            inner.filled,
            outer.filled
        );
        counts[usize::from(expected)] += 1;
    }
    println!("not contained, contained: {counts:?}");
    assert!(counts.iter().all(|count| *count > 50));
}

/// A ball of twenty triangles with corners that f64 has rounded.
fn icosahedron(rng: &mut Rng) -> Vec<[DVec3; 3]> {
    let golden = f64::midpoint(1.0, 5.0f64.sqrt());
    let mut corners = Vec::new();
    for (x, y) in [
        (1.0, golden),
        (1.0, -golden),
        (-1.0, golden),
        (-1.0, -golden),
    ] {
        corners.extend([
            DVec3::new(0.0, x, y),
            DVec3::new(x, y, 0.0),
            DVec3::new(y, 0.0, x),
        ]);
    }
    let shift = DVec3::new(rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), 0.0);
    let stretch = DVec3::new(1.0, rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0));
    let mut triangles = Vec::new();
    for (i, &a) in corners.iter().enumerate() {
        for (j, &b) in corners.iter().enumerate().skip(i + 1) {
            for &c in &corners[j + 1..] {
                let is_near = |p: DVec3, q: DVec3| p.distance(q) < 2.1;
                if is_near(a, b) && is_near(b, c) && is_near(c, a) {
                    let is_outward = (b - a).cross(c - a).dot(a) > 0.0;
                    let triangle = if is_outward { [a, b, c] } else { [a, c, b] };
                    triangles.push(triangle.map(|p| p * stretch + shift));
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    triangles
}

#[test]
fn points_a_hair_from_a_rounded_ball() {
    let mut rng = Rng::new(24);
    let mut counts = [0; 3];
    let wide = |p: DVec3| p.to_array().map(rational);
    for _ in 0..12 {
        let surface = icosahedron(&mut rng);
        let solid = ClosedSurface::new(&surface).expect("twenty faces close up");
        let exact: Vec<_> = surface.iter().map(|t| t.map(wide)).collect();
        for _ in 0..40 {
            let [a, b, c] = surface[rng.below(20)];
            let other = surface[rng.below(20)][0];
            let point = match rng.below(6) {
                0 => a,
                1 => (a + b) / 2.0,
                2 => a + (b - a) * rng.uniform(0.0, 1.0),
                3 => a + (b - a) * rng.uniform(0.0, 0.5) + (c - a) * rng.uniform(0.0, 0.5),
                // In line with corners along the axes, inside or beside the ball.
                4 => DVec3::new(rng.uniform(-5.0, 5.0), a.y, other.z),
                _ => DVec3::new(a.x.next_down(), a.y, a.z),
            };
            let at = wide(point);
            let expected = if exact.iter().any(|t| exact_overlap::is_on_triangle(t, &at)) {
                Location::OnSurface
            } else {
                let mut aim = || wide(DVec3::from_array([(); 3].map(|()| rng.uniform(-1.0, 1.0))));
                let count = (0..9).find_map(|_| exact_overlap::winding(&exact, &at, &aim()));
                match count.expect("a ray at random meets no edge") {
                    0 => Location::Outside,
                    _ => Location::Inside,
                }
            };
            assert_eq!(solid.locate(point), expected, "{point} {surface:?}");
            counts[expected as usize] += 1;
        }
    }
    println!("inside, on, outside: {counts:?}");
    assert!(counts.iter().all(|count| *count > 50));
}
