//! How resting shapes stand, against whole numbers: status, separation, way out, points and margins.
//!
//! The oracle takes the distance as the least over all corners, edges and faces, and the depth as the
//! least over all axes; that no other direction parts the cores sooner is tried with a thousand.

use core::cmp::Ordering;
use glam::{DQuat, DVec3, Vec3};
use hitscan::convex::examined::ExaminedShape;
use hitscan::convex::examined_resting::{
    ExaminedResting, compare_separations, examine_resting, is_within,
};
use hitscan::{Aabb, Capsule, Obb, Primitive, Sphere};
use hitscan_testkit::Rng;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

type Vector = [BigInt; 3];

/// All lengths are whole multiples of 2^-SHIFT.
const SHIFT: u32 = 220;

fn whole(x: f64) -> BigInt {
    let scaled = BigRational::from_float(x).expect("finite") * (BigInt::from(1) << SHIFT);
    assert!(scaled.is_integer(), "{x}");
    scaled.to_integer()
}

fn whole_vector(v: DVec3) -> Vector {
    v.to_array().map(whole)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j): (usize, usize)| &a[i] * &b[j] - &a[j] * &b[i])
}

fn is_zero(a: &Vector) -> bool {
    a.iter().all(Zero::is_zero)
}

/// A squared length as a fraction, with a vector along it.
#[derive(Clone, Debug)]
struct Squared {
    numerator: BigInt,
    denominator: BigInt,
    along: Vector,
}

impl Squared {
    fn compare(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    fn least(all: Vec<Self>) -> Self {
        let mut all = all.into_iter();
        let first = all.next().expect("cores have corners");
        all.fold(first, |least, next| {
            if next.compare(&least).is_lt() {
                next
            } else {
                least
            }
        })
    }
}

/// A core: its corners, edges, faces as triangles, and the directions that make axes.
struct Body {
    corners: Vec<Vector>,
    edges: Vec<[usize; 2]>,
    triangles: Vec<[usize; 3]>,
    normals: Vec<Vector>,
    directions: Vec<Vector>,
    radius: BigInt,
}

impl Body {
    fn new(shape: &ExaminedShape) -> Self {
        let of = |corners: &[DVec3], radius: f64| Self {
            corners: corners.iter().map(|corner| whole_vector(*corner)).collect(),
            edges: Vec::new(),
            triangles: Vec::new(),
            normals: Vec::new(),
            directions: Vec::new(),
            radius: whole(radius),
        };
        match shape {
            ExaminedShape::Triangle(corners) => {
                let mut body = of(corners, 0.0);
                body.edges = vec![[0, 1], [1, 2], [2, 0]];
                body.triangles = vec![[0, 1, 2]];
                body.directions = (0..3).map(|i| body.way([i, (i + 1) % 3])).collect();
                body.normals = vec![cross(&body.directions[0], &body.directions[1])];
                body
            }
            ExaminedShape::Solid(Primitive::Sphere(sphere)) => {
                of(&[sphere.center().as_dvec3()], sphere.radius())
            }
            ExaminedShape::Solid(Primitive::Capsule(capsule)) => {
                let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
                if a == b {
                    return of(&[a], capsule.radius());
                }
                let mut body = of(&[a, b], capsule.radius());
                body.edges = vec![[0, 1]];
                body.directions = vec![body.way([0, 1])];
                body
            }
            ExaminedShape::Solid(Primitive::Aabb(aabb)) => {
                let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                let pick = |k: usize, i: usize| if k >> i & 1 == 1 { max[i] } else { min[i] };
                let corners: Vec<DVec3> = (0..8)
                    .map(|k| DVec3::new(pick(k, 0), pick(k, 1), pick(k, 2)))
                    .collect();
                of(&corners, 0.0).as_box(&DVec3::AXES)
            }
            ExaminedShape::Solid(Primitive::Obb(obb)) => {
                let corners = obb.corners();
                let edges = [1, 2, 4].map(|k: usize| corners[k] - corners[0]);
                assert!(
                    edges.iter().all(|edge| *edge != DVec3::ZERO),
                    "flat ones are upright here"
                );
                of(&corners, 0.0).as_box(&edges)
            }
        }
    }

    fn way(&self, [from, to]: [usize; 2]) -> Vector {
        minus(&self.corners[to], &self.corners[from])
    }

    fn as_box(mut self, directions: &[DVec3; 3]) -> Self {
        for axis in 0..3 {
            let [j, k] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
            for at in [0, 1 << axis] {
                self.triangles.push([at, at | j, at | k]);
                self.triangles.push([at | j, at | k, at | j | k]);
            }
            let lower = (0..8).filter(|k| k >> axis & 1 == 0);
            self.edges.extend(lower.map(|k| [k, k | 1 << axis]));
        }
        self.directions = directions.map(whole_vector).to_vec();
        let [x, y, z] = directions.map(whole_vector);
        self.normals = vec![cross(&y, &z), cross(&z, &x), cross(&x, &y)];
        self
    }

    fn highest(&self, axis: &Vector) -> BigInt {
        self.corners
            .iter()
            .map(|corner| dot(axis, corner))
            .max()
            .expect("corners")
    }

    fn lowest(&self, axis: &Vector) -> BigInt {
        self.corners
            .iter()
            .map(|corner| dot(axis, corner))
            .min()
            .expect("corners")
    }

    /// Whether a box holds a point, its surface included.
    fn holds(&self, point: &Vector) -> bool {
        self.corners.len() == 8
            && self.normals.iter().all(|normal| {
                let height = dot(normal, point);
                self.lowest(normal) <= height && height <= self.highest(normal)
            })
    }
}

fn point_point(a: &Vector, p: &Vector) -> Squared {
    let along = minus(p, a);
    Squared {
        numerator: dot(&along, &along),
        denominator: BigInt::from(1),
        along,
    }
}

/// From the segment to the point.
fn segment_point([a, b]: [&Vector; 2], p: &Vector) -> Squared {
    let (edge, way) = (minus(b, a), minus(p, a));
    let (share, whole) = (dot(&edge, &way), dot(&edge, &edge));
    if !share.is_positive() {
        return point_point(a, p);
    }
    if share >= whole {
        return point_point(b, p);
    }
    let moment = cross(&way, &edge);
    Squared {
        numerator: dot(&moment, &moment),
        denominator: whole,
        along: cross(&edge, &moment),
    }
}

fn plane(normal: &Vector, way: &Vector) -> Squared {
    let height = dot(normal, way);
    let along = if height.is_negative() {
        normal.clone().map(|x| -x)
    } else {
        normal.clone()
    };
    Squared {
        numerator: &height * &height,
        denominator: dot(normal, normal),
        along,
    }
}

/// From the triangle to the point.
fn triangle_point([a, b, c]: [&Vector; 3], p: &Vector) -> Squared {
    let (ab, ac, ap) = (minus(b, a), minus(c, a), minus(p, a));
    let normal = cross(&ab, &ac);
    let of_b = dot(&cross(&ap, &ac), &normal);
    let of_c = dot(&cross(&ab, &ap), &normal);
    let whole = dot(&normal, &normal);
    let is_inside = !of_b.is_negative() && !of_c.is_negative() && &of_b + &of_c <= whole;
    if is_inside && whole.is_positive() {
        return plane(&normal, &ap);
    }
    Squared::least(
        [[a, b], [b, c], [c, a]]
            .map(|edge| segment_point(edge, p))
            .to_vec(),
    )
}

fn reversed(squared: Squared) -> Squared {
    Squared {
        along: squared.along.map(|x| -x),
        ..squared
    }
}

/// From the first segment to the second.
fn segment_segment([p, q]: [&Vector; 2], [r, s]: [&Vector; 2]) -> Squared {
    let (u, v, w) = (minus(q, p), minus(s, r), minus(r, p));
    let normal = cross(&u, &v);
    let whole = dot(&normal, &normal);
    let (of_u, of_v) = (dot(&cross(&w, &v), &normal), dot(&cross(&w, &u), &normal));
    let is_part = |share: &BigInt| !share.is_negative() && *share <= whole;
    if whole.is_positive() && is_part(&of_u) && is_part(&of_v) {
        return plane(&normal, &w);
    }
    Squared::least(vec![
        segment_point([p, q], r),
        segment_point([p, q], s),
        reversed(segment_point([r, s], p)),
        reversed(segment_point([r, s], q)),
    ])
}

/// The squared distance of two cores, from the first to the second; 0 where they meet.
fn distance(a: &Body, b: &Body) -> Squared {
    let mut all = Vec::new();
    for p in &a.corners {
        for q in &b.corners {
            all.push(point_point(p, q));
        }
    }
    let from = |all: &mut Vec<Squared>, a: &Body, b: &Body, is_reversed: bool| {
        let mut add = |found| all.push(if is_reversed { reversed(found) } else { found });
        for p in &b.corners {
            for triangle in &a.triangles {
                add(triangle_point(triangle.map(|i| &a.corners[i]), p));
            }
            for edge in &a.edges {
                add(segment_point(edge.map(|i| &a.corners[i]), p));
            }
        }
    };
    from(&mut all, a, b, false);
    from(&mut all, b, a, true);
    for edge in &a.edges {
        for other in &b.edges {
            let (edge, other) = (edge.map(|i| &a.corners[i]), other.map(|i| &b.corners[i]));
            all.push(segment_segment(edge, other));
        }
    }
    // An edge may pass a triangle inside, far from its edges and corners.
    let passes = |a: &Body, b: &Body| {
        b.edges.iter().any(|edge| {
            a.triangles.iter().any(|triangle| {
                let [o, p, q] = triangle.map(|i| &a.corners[i]);
                let normal = cross(&minus(p, o), &minus(q, o));
                let [start, end] = edge.map(|i| dot(&normal, &minus(&b.corners[i], o)));
                if !(start.is_negative() && end.is_positive()
                    || start.is_positive() && end.is_negative())
                {
                    return false;
                }
                let way = b.way(*edge);
                let sides = [[o, p], [p, q], [q, o]].map(|[from, to]| {
                    dot(
                        &cross(&minus(to, from), &minus(&b.corners[edge[0]], from)),
                        &way,
                    )
                });
                sides.iter().all(|side| !side.is_negative())
                    || sides.iter().all(|side| !side.is_positive())
            })
        })
    };
    let mut least = Squared::least(all);
    if passes(a, b) || passes(b, a) || a.holds(&b.corners[0]) || b.holds(&a.corners[0]) {
        least.numerator = BigInt::zero();
    }
    least
}

/// The axes in the contract's order, those that vanish left out.
fn axes(obstacle: &Body, shape: &Body) -> Vec<Vector> {
    let mut axes: Vec<Vector> = obstacle
        .normals
        .iter()
        .chain(&shape.normals)
        .cloned()
        .collect();
    for a in &obstacle.directions {
        for b in &shape.directions {
            axes.push(cross(a, b));
        }
    }
    axes.retain(|axis| !is_zero(axis));
    axes
}

/// How far the shape must go along an axis, times the axis's length.
fn depth_along(obstacle: &Body, shape: &Body, axis: &Vector) -> BigInt {
    obstacle.highest(axis) - shape.lowest(axis)
}

/// The least squared depth, and its way out; `None` without an axis.
fn depth(obstacle: &Body, shape: &Body) -> Option<Squared> {
    let mut least: Option<Squared> = None;
    for axis in axes(obstacle, shape) {
        for along in [axis.clone(), axis.map(|x| -x)] {
            let depth = depth_along(obstacle, shape, &along);
            assert!(!depth.is_negative(), "cores that meet");
            let found = Squared {
                numerator: &depth * &depth,
                denominator: dot(&along, &along),
                along,
            };
            if least
                .as_ref()
                .is_none_or(|least| found.compare(least).is_lt())
            {
                least = Some(found);
            }
        }
    }
    least
}

fn unit(along: &Vector) -> DVec3 {
    let most = along.iter().map(Signed::abs).max().expect("three");
    let scaled = along.clone().map(|x| {
        BigRational::new(x, most.clone())
            .to_f64()
            .expect("at most 1")
    });
    DVec3::from_array(scaled).normalize()
}

/// What is expected of a pair.
struct Expected {
    /// Whether the squared root below counts as negative.
    is_depth: bool,
    squared: Option<Squared>,
    radius: BigInt,
    status: Ordering,
}

impl Expected {
    fn new(obstacle: &Body, shape: &Body) -> Self {
        let radius = &obstacle.radius + &shape.radius;
        let apart = distance(obstacle, shape);
        let is_depth = apart.numerator.is_zero();
        let status = if !is_depth {
            apart
                .numerator
                .cmp(&(&radius * &radius * &apart.denominator))
        } else if radius.is_positive() {
            Ordering::Less
        } else {
            let is_open = axes(obstacle, shape).iter().all(|axis| {
                obstacle.lowest(axis) < shape.highest(axis)
                    && shape.lowest(axis) < obstacle.highest(axis)
            });
            if is_open {
                Ordering::Less
            } else {
                Ordering::Equal
            }
        };
        let squared = if is_depth {
            depth(obstacle, shape)
        } else {
            Some(apart)
        };
        Self {
            is_depth,
            squared,
            radius,
            status,
        }
    }

    /// How the exact separation compares with a length.
    fn compare(&self, limit: &BigInt) -> Ordering {
        let limit = limit + &self.radius;
        let Some(squared) = &self.squared else {
            return BigInt::zero().cmp(&limit);
        };
        if squared.numerator.is_zero() {
            return BigInt::zero().cmp(&limit);
        }
        let magnitude = squared
            .numerator
            .cmp(&(&limit * &limit * &squared.denominator));
        match (self.is_depth, limit.is_negative()) {
            (false, true) => Ordering::Greater,
            (false, false) => magnitude,
            (true, true) => magnitude.reverse(),
            (true, false) => Ordering::Less,
        }
    }
}

fn check(obstacle: &ExaminedShape, shape: &ExaminedShape, rng: &mut Rng) -> Ordering {
    let (a, b) = (Body::new(obstacle), Body::new(shape));
    let expected = Expected::new(&a, &b);
    let corners: Vec<DVec3> = [&a, &b]
        .iter()
        .flat_map(|body| &body.corners)
        .map(|corner| {
            let rational = |x: &BigInt| BigRational::new(x.clone(), BigInt::from(1) << SHIFT);
            DVec3::from_array([0, 1, 2].map(|i: usize| rational(&corner[i]).to_f64().unwrap()))
        })
        .collect();
    let ways: Vec<[DVec3; 2]> = (1..corners.len())
        .map(|i| [corners[i - 1], corners[i]])
        .collect();
    let margins = [0.0, 0.5, -0.25, 1.0 + rng.uniform(0.0, 1.0)];
    let found = examine_resting(obstacle, shape, &ways, &margins);
    let context = || format!("{obstacle:?}\n{shape:?}\n{found:?}");
    assert_eq!(found.status, expected.status, "{}", context());
    check_separation(&found, &expected, &margins, &context);
    let margin = f64::from(found.separation);
    let is_near = expected.compare(&whole(margin)).is_le();
    assert_eq!(is_within(obstacle, shape, margin), is_near, "{}", context());
    if let Some(squared) = &expected.squared {
        let off = (found.normal.as_dvec3() - unit(&squared.along)).length();
        assert!(off < 1.0 / 4_194_304.0, "{off} {}", context());
        for (way, sign) in ways.iter().zip(&found.signs) {
            let way = minus(&whole_vector(way[1]), &whole_vector(way[0]));
            assert_eq!(
                dot(&squared.along, &way).cmp(&BigInt::zero()),
                *sign,
                "{}",
                context()
            );
        }
        if expected.is_depth {
            no_direction_parts_sooner(&a, &b, squared, rng);
        }
    }
    check_point(&found, &expected, [&a, &b], &corners, &context);
    let swapped = examine_resting(shape, obstacle, &[], &margins);
    if matches!(shape, ExaminedShape::Solid(_)) && matches!(obstacle, ExaminedShape::Solid(_)) {
        assert_eq!(
            (swapped.status, swapped.separation),
            (found.status, found.separation)
        );
        assert_eq!(swapped.margins, found.margins);
    }
    found.status
}

fn check_separation(
    found: &ExaminedResting,
    expected: &Expected,
    margins: &[f64],
    context: &dyn Fn() -> String,
) {
    let [low, high] = found.enclosure;
    assert!(expected.compare(&whole(low)).is_ge(), "{}", context());
    assert!(expected.compare(&whole(high)).is_le(), "{}", context());
    let separation = found.separation;
    let is_even = separation.to_bits().is_multiple_of(2);
    let midpoint = |other: f32| whole(f64::midpoint(f64::from(separation), f64::from(other)));
    let below = expected.compare(&midpoint(separation.next_down()));
    let above = expected.compare(&midpoint(separation.next_up()));
    assert!(below.is_gt() || is_even && below.is_eq(), "{}", context());
    assert!(above.is_lt() || is_even && above.is_eq(), "{}", context());
    for (margin, order) in margins.iter().zip(&found.margins) {
        assert_eq!(
            expected.compare(&whole(*margin)),
            *order,
            "{margin} {}",
            context()
        );
    }
}

fn no_direction_parts_sooner(obstacle: &Body, shape: &Body, least: &Squared, rng: &mut Rng) {
    for _ in 0..1000 {
        let mut part = || BigInt::from(rng.below(2001) as i64 - 1000);
        let along = [part(), part(), part()];
        let depth = depth_along(obstacle, shape, &along);
        let squared = Squared {
            numerator: &depth * &depth,
            denominator: dot(&along, &along),
            along,
        };
        if squared.denominator.is_positive() {
            assert!(!depth.is_negative() && squared.compare(least).is_ge());
        }
    }
}

/// The point is the obstacle's nearest, or one that both share, within 2^-21 of the greatest coordinate.
fn check_point(
    found: &ExaminedResting,
    expected: &Expected,
    [obstacle, shape]: [&Body; 2],
    corners: &[DVec3],
    context: &dyn Fn() -> String,
) {
    let radius = expected.radius.to_f64().unwrap() / 2.0_f64.powi(220);
    let most = corners
        .iter()
        .fold(radius, |most, corner| most.max(corner.abs().max_element()));
    let tolerance = whole(most / 2_097_152.0);
    let point = Body {
        corners: vec![whole_vector(found.point.as_dvec3())],
        edges: Vec::new(),
        triangles: Vec::new(),
        normals: Vec::new(),
        directions: Vec::new(),
        radius: BigInt::zero(),
    };
    let is_by = |body: &Body, reach: BigInt| {
        let apart = distance(body, &point);
        apart.numerator <= &reach * &reach * apart.denominator
    };
    assert!(
        is_by(obstacle, &obstacle.radius + &tolerance),
        "{}",
        context()
    );
    let beyond = if found.status.is_gt() {
        whole(found.enclosure[1])
    } else {
        BigInt::zero()
    };
    assert!(
        is_by(shape, &shape.radius + beyond + tolerance),
        "{}",
        context()
    );
}

/// Shapes on a coarse grid, so that touches, ties and flush faces are common, or far off it.
struct Shapes {
    rng: Rng,
    is_on_grid: bool,
}

impl Shapes {
    fn coordinate(&mut self) -> f32 {
        let whole = self.rng.below(5) as f32 - 2.0;
        if self.is_on_grid {
            whole
        } else {
            whole + self.rng.uniform(0.0, 1.0) as f32
        }
    }

    fn point(&mut self) -> Vec3 {
        Vec3::new(self.coordinate(), self.coordinate(), self.coordinate())
    }

    fn size(&mut self, least: f32) -> f32 {
        least + self.rng.below(4) as f32 * 0.5
    }

    fn sphere(&mut self) -> ExaminedShape {
        let radius = f64::from(self.size(0.5));
        ExaminedShape::Solid(Sphere::new(self.point(), radius).unwrap().into())
    }

    fn capsule(&mut self) -> ExaminedShape {
        let radius = f64::from(self.size(0.5));
        ExaminedShape::Solid(
            Capsule::new(self.point(), self.point(), radius)
                .unwrap()
                .into(),
        )
    }

    fn aabb(&mut self) -> ExaminedShape {
        let min = self.point();
        let size = Vec3::new(self.size(0.0), self.size(0.0), self.size(0.0)) * 2.0;
        ExaminedShape::Solid(Aabb::new(min, min + size).unwrap().into())
    }

    fn obb(&mut self) -> ExaminedShape {
        let half = Vec3::new(self.size(0.5), self.size(0.5), self.size(0.5));
        let quarters = [
            DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
            DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            DQuat::from_xyzw(0.0, 0.0, 1.0, 2.0),
            DQuat::from_xyzw(1.0, -3.0, 2.0, 1.0),
        ];
        let rotation = quarters[self.rng.below(4) as usize];
        ExaminedShape::Solid(Obb::new(self.point(), half, rotation).unwrap().into())
    }

    fn triangle(&mut self) -> ExaminedShape {
        loop {
            let corners = [self.point(), self.point(), self.point()].map(Vec3::as_dvec3);
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            if area.length() > 0.01 {
                return ExaminedShape::Triangle(corners);
            }
        }
    }
}

fn corner_of(shape: &ExaminedShape) -> DVec3 {
    let ExaminedShape::Triangle([.., corner]) = shape else {
        unreachable!("a triangle is asked")
    };
    *corner
}

type Maker = fn(&mut Shapes) -> ExaminedShape;

fn check_all(obstacles: &[Maker], shapes: &[Maker], cases: usize) {
    let mut counts = [0, 0, 0];
    for is_on_grid in [true, false] {
        let rng = Rng::new(71);
        let mut make = Shapes { rng, is_on_grid };
        let mut rng = Rng::new(72);
        for _ in 0..cases {
            for obstacle in obstacles {
                for shape in shapes {
                    let pair = (obstacle(&mut make), shape(&mut make));
                    let status = check(&pair.0, &pair.1, &mut rng);
                    counts[(status as i8 + 1) as usize] += 1;
                }
            }
        }
    }
    println!("overlap, touch, apart: {counts:?}");
    assert!(counts.iter().all(|count| *count > 2), "{counts:?}");
}

#[test]
fn spheres_and_capsules_stand_to_triangles_as_whole_numbers_say() {
    check_all(&[Shapes::triangle], &[Shapes::sphere, Shapes::capsule], 150);
}

#[test]
fn spheres_and_capsules_stand_to_each_other_as_whole_numbers_say() {
    let round: [Maker; 2] = [Shapes::sphere, Shapes::capsule];
    check_all(&round, &round, 100);
}

#[test]
fn boxes_stand_to_round_shapes_as_whole_numbers_say() {
    let round: [Maker; 2] = [Shapes::sphere, Shapes::capsule];
    check_all(&[Shapes::aabb, Shapes::obb], &round, 20);
    check_all(&round, &[Shapes::aabb, Shapes::obb], 10);
}

#[test]
fn boxes_stand_to_triangles_and_boxes_as_whole_numbers_say() {
    check_all(&[Shapes::triangle], &[Shapes::aabb, Shapes::obb], 30);
    check_all(
        &[Shapes::aabb, Shapes::obb],
        &[Shapes::aabb, Shapes::obb],
        8,
    );
}

#[test]
fn an_obb_that_is_not_turned_stands_as_the_aabb() {
    let rng = Rng::new(73);
    let mut make = Shapes {
        rng,
        is_on_grid: true,
    };
    let makers: [Maker; 5] = [
        Shapes::sphere,
        Shapes::capsule,
        Shapes::aabb,
        Shapes::obb,
        Shapes::triangle,
    ];
    for _ in 0..200 {
        let ExaminedShape::Solid(Primitive::Aabb(aabb)) = make.aabb() else {
            unreachable!("an axis-aligned box was made")
        };
        let half = (aabb.max() - aabb.min()) / 2.0;
        let obb = Obb::new(aabb.min() + half, half, DQuat::IDENTITY).unwrap();
        let (aabb, obb) = (
            ExaminedShape::Solid(aabb.into()),
            ExaminedShape::Solid(obb.into()),
        );
        for maker in makers {
            let obstacle = maker(&mut make);
            let stand = |shape| examine_resting(&obstacle, shape, &[], &[0.5]);
            assert_eq!(stand(&aabb), stand(&obb), "{obstacle:?}");
        }
    }
}

#[test]
fn separations_of_two_obstacles_compare_exactly() {
    let rng = Rng::new(74);
    let mut make = Shapes {
        rng,
        is_on_grid: true,
    };
    let mut ties = 0;
    for _ in 0..300 {
        let first = make.triangle();
        let ExaminedShape::Triangle([a, b, _]) = first else {
            unreachable!("a triangle was made")
        };
        // The second one shares an edge with the first.
        let second = ExaminedShape::Triangle([b, a, make.point().as_dvec3()]);
        if (b - a).cross(corner_of(&second) - a) == DVec3::ZERO {
            continue;
        }
        let shape = make.capsule();
        let shape_body = Body::new(&shape);
        let [one, other] =
            [&first, &second].map(|obstacle| Expected::new(&Body::new(obstacle), &shape_body));
        let expected = match (one.is_depth, other.is_depth) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (is_depth, _) => {
                let (Some(a), Some(b)) = (&one.squared, &other.squared) else {
                    continue;
                };
                let order = a.compare(b);
                if is_depth { order.reverse() } else { order }
            }
        };
        ties += usize::from(expected.is_eq());
        assert_eq!(compare_separations([&first, &second], &shape), expected);
    }
    assert!(ties > 5, "{ties}");
}
