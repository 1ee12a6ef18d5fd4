//! Intervals of a moving box: those of t in which its projections onto each axis overlap those of what it
//! hits.
//!
//! Source: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference
//! Detection", SIGGRAPH 1996 (which axes suffice for two boxes); Eberly, "Dynamic Collision Detection
//! using Oriented Bounding Boxes", 1999 (that the last axis to overlap decides). Here in f64, for looking
//! at; the answers of shape casts are exact.

use super::space::{finite, rounded};
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{ObjectId, Primitive, ShapeCast, TriangleId};
use glam::{DVec3, Vec3};

/// How a moving shape and an obstacle come to overlap.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SweepIntervals {
    /// Of two shapes with flat faces: axis by axis.
    Axes(AxisIntervals),
    /// One of them is round: no finite number of axes decides, but their distance.
    Distance,
}

/// The axes of a moving box and a box or a triangle.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisIntervals {
    /// Axis by axis: faces of the shape, faces of the obstacle, pairs of edges.
    pub axes: Vec<AxisInterval>,
    /// Which of them overlaps last, the first of equals: where the shape hits the obstacle from outside,
    /// this axis decides when. `None` where one never overlaps.
    pub decides: Option<usize>,
    /// The direction of that axis against the motion, of unit length; zero where none decides or the
    /// shape does not move along it.
    pub normal: Vec3,
    /// From when to when all overlap; the first number is the greater where they never do at once.
    pub t: [f32; 2],
}

/// An axis, and when the projections onto it overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisInterval {
    /// Which axis it is.
    pub axis: SeparatingAxis,
    /// Its direction, of unit length.
    pub direction: Vec3,
    /// From which t to which the projections overlap, ends included, finite; `None` for never. An axis
    /// across the motion overlaps always or never: from `f32::MIN` to `f32::MAX`.
    pub t: Option<[f32; 2]>,
}

/// An axis on which shapes that are apart may be seen to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeparatingAxis {
    /// The moving box's own x (0), y (1) or z (2).
    ShapeFace(u8),
    /// The obstacle's own x, y or z; of a triangle, 0, its normal.
    ObstacleFace(u8),
    /// Across an edge of each: of a box along its own x, y or z, of a triangle the edge from this corner
    /// to the next.
    Edges {
        /// The moving box's edge.
        shape: u8,
        /// The obstacle's.
        obstacle: u8,
    },
}

impl SeparatingAxis {
    /// Which axis it is, for people.
    #[must_use]
    pub fn sentence(self) -> String {
        let letter = |axis: u8| ["x", "y", "z"][usize::from(axis % 3)];
        match self {
            Self::ShapeFace(axis) => format!("face {} of the shape", letter(axis)),
            Self::ObstacleFace(axis) => format!("face {axis} of the obstacle"),
            Self::Edges { shape, obstacle } => {
                format!(
                    "edge {} of the shape across edge {obstacle} of the obstacle",
                    letter(shape)
                )
            }
        }
    }
}

impl Snapshot {
    /// The intervals of t in which a moving shape's projections overlap those of an object's solid, or
    /// of one of its triangles or parts. `None` where there is no such object or triangle.
    ///
    /// # Accuracy
    /// In f64, rounded to f32 once: what is shown beside an answer, which is exact.
    ///
    /// ```
    /// use hitscan::explain::{SeparatingAxis, SweepIntervals};
    /// use hitscan::{Aabb, ShapeCast, World, glam::Vec3};
    /// let mut world = World::new();
    /// let wall = world.add(Aabb::new([4.0, 0.0, 0.0], [5.0, 9.0, 9.0])?);
    /// world.update();
    /// let cast = ShapeCast::new(Aabb::new([0.0, 1.0, 1.0], [1.0, 2.0, 2.0])?, [6.0, 2.0, 0.0])?;
    /// let found = world.now().sweep_intervals(&cast, wall, None);
    /// let Some(SweepIntervals::Axes(found)) = found else { panic!("both are boxes") };
    /// let decides = &found.axes[found.decides.expect("all overlap at some time")];
    /// assert_eq!(decides.axis, SeparatingAxis::ShapeFace(0));
    /// assert_eq!((found.t[0], found.normal), (0.5, Vec3::NEG_X));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn sweep_intervals(
        &self,
        cast: &ShapeCast,
        object: ObjectId,
        triangle: Option<TriangleId>,
    ) -> Option<SweepIntervals> {
        let object = self.object(object)?;
        let obstacle = match Body::of_object(&object, triangle)? {
            Obstacle::Flat(body) => body,
            Obstacle::Round => return Some(SweepIntervals::Distance),
        };
        Some(match Body::of_solid(cast.shape()) {
            Some(shape) => SweepIntervals::Axes(axis_intervals(&shape, &obstacle, cast.motion())),
            None => SweepIntervals::Distance,
        })
    }
}

/// A shape with flat faces.
struct Body {
    corners: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: [DVec3; 3],
}

enum Obstacle {
    Flat(Body),
    Round,
}

impl Body {
    fn of_object(object: &Object, triangle: Option<TriangleId>) -> Option<Obstacle> {
        let corners = match (&object.shape, triangle) {
            (Shape::Primitive(solid), None) => {
                let body = Self::of_solid(&solid.get());
                return Some(body.map_or(Obstacle::Round, Obstacle::Flat));
            }
            (Shape::Compound(compound), Some(id)) if compound.solid(id.part).is_some() => {
                let body = Self::of_solid(compound.solid(id.part)?);
                return Some(body.map_or(Obstacle::Round, Obstacle::Flat));
            }
            (Shape::HeightField(field), Some(id)) if id.part == 0 => field.triangle(id.triangle)?,
            (shape, Some(id)) => {
                let placed = shape.meshes()?.parts().part(id.part)?.placed_mesh();
                placed.mesh.triangles().get(id.triangle as usize)?;
                placed.corners(id.triangle)
            }
            _ => return None,
        };
        let [a, b, c] = corners;
        Some(Obstacle::Flat(Self {
            corners: corners.to_vec(),
            normals: vec![(b - a).cross(c - a)],
            edges: [b - a, c - b, a - c],
        }))
    }

    fn of_solid(solid: &Primitive) -> Option<Self> {
        match solid {
            Primitive::Aabb(aabb) => Some(Self {
                corners: aabb.wide_corners().to_vec(),
                normals: DVec3::AXES.to_vec(),
                edges: DVec3::AXES,
            }),
            Primitive::Obb(obb) => {
                let corners = obb.corners();
                let edges = [1, 2, 4].map(|corner| corners[corner] - corners[0]);
                Some(Self {
                    corners: corners.to_vec(),
                    normals: edges.to_vec(),
                    edges,
                })
            }
            Primitive::Sphere(_)
            | Primitive::Capsule(_)
            | Primitive::Cylinder(_)
            | Primitive::ConvexHull(_) => None,
        }
    }

    /// From where to where its projection reaches.
    fn along(&self, direction: DVec3) -> [f64; 2] {
        let places = self.corners.iter().map(|corner| corner.dot(direction));
        places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        })
    }
}

fn axis_intervals(shape: &Body, obstacle: &Body, motion: Vec3) -> AxisIntervals {
    let motion = motion.as_dvec3();
    let number = |index: usize| u8::try_from(index).unwrap_or_default();
    let faces = |body: &Body, name: fn(u8) -> SeparatingAxis| {
        let normals = body.normals.iter().enumerate();
        normals
            .map(|(index, normal)| (name(number(index)), *normal))
            .collect::<Vec<_>>()
    };
    let mut directions = faces(shape, SeparatingAxis::ShapeFace);
    directions.extend(faces(obstacle, SeparatingAxis::ObstacleFace));
    for (i, one) in shape.edges.iter().enumerate() {
        for (j, other) in obstacle.edges.iter().enumerate() {
            let (shape, obstacle) = (number(i), number(j));
            directions.push((SeparatingAxis::Edges { shape, obstacle }, one.cross(*other)));
        }
    }
    let mut found = AxisIntervals {
        axes: Vec::new(),
        decides: None,
        normal: Vec3::ZERO,
        t: [f32::MIN, f32::MAX],
    };
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for (axis, direction) in directions {
        let length = direction.dot(direction).sqrt();
        if length == 0.0 {
            continue;
        }
        let times = overlap(
            shape.along(direction),
            obstacle.along(direction),
            motion.dot(direction),
        );
        let [first, last] = times.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
        if first > enter || found.decides.is_none() {
            let against = -direction * motion.dot(direction).signum() / length;
            let is_moving = motion.dot(direction) != 0.0;
            found.decides = Some(found.axes.len());
            found.normal = if is_moving {
                rounded(against).into()
            } else {
                Vec3::ZERO
            };
        }
        (enter, leave) = (enter.max(first), leave.min(last));
        found.axes.push(AxisInterval {
            axis,
            direction: rounded(direction / length).into(),
            t: times.map(|times| times.map(finite)),
        });
    }
    if found.axes.iter().any(|axis| axis.t.is_none()) {
        (found.decides, found.normal) = (None, Vec3::ZERO);
    }
    found.t = [enter, leave].map(finite);
    found
}

/// When an interval that moves at a speed overlaps a resting one.
fn overlap(moving: [f64; 2], resting: [f64; 2], speed: f64) -> Option<[f64; 2]> {
    let gaps = [resting[0] - moving[1], resting[1] - moving[0]];
    if speed == 0.0 {
        let is_overlapping = gaps[0] <= 0.0 && gaps[1] >= 0.0;
        return is_overlapping.then_some([f64::NEG_INFINITY, f64::INFINITY]);
    }
    let [one, other] = gaps.map(|gap| gap / speed);
    Some([one.min(other), one.max(other)])
}
