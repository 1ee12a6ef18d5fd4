//! The columns of a shape in a table, by its kind, which moves or rests.

use crate::above::y_of;
use hitscan::glam::{DQuat, DVec3};
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{Aabb, Capsule, ConvexHull, Cylinder, Error, Obb, Primitive, Sphere};
use hitscan_assets::{KnownNames, Scene};
use hitscan_table::{Axis, Bound, QuestionColumn, Questions};
use std::sync::Arc;

/// What kind of shape the rows of a table have, which decides its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ShapeKind {
    /// A box along the axes: `min_x min_y min_z max_x max_y max_z`.
    #[default]
    Box,
    /// An oriented box: `cx cy cz half_x half_y half_z qx qy qz qw`, the rotation brought to unit length.
    Obb,
    /// A sphere: `cx cy cz radius`.
    Sphere,
    /// A capsule: `ax ay az bx by bz radius`. Where both ends are one point it is a sphere.
    Capsule,
    /// A hull of the scene by its name, elsewhere: `hull cx cy cz qx qy qz qw radius`.
    Hull,
    /// A cylinder: `ax ay az bx by bz radius`, its ends around a and b.
    Cylinder,
}

impl ShapeKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Box,
        Self::Obb,
        Self::Sphere,
        Self::Capsule,
        Self::Hull,
        Self::Cylinder,
    ];

    /// The kind's name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Obb => "obb",
            Self::Sphere => "sphere",
            Self::Capsule => "capsule",
            Self::Hull => "hull",
            Self::Cylinder => "cylinder",
        }
    }

    /// The kind of this name, or of the alias `turned_box` of `obb`.
    ///
    /// ```
    /// use hitscan_ask::ShapeKind;
    /// assert_eq!(ShapeKind::from_name("obb"), Some(ShapeKind::Obb));
    /// assert_eq!(ShapeKind::from_name("turned_box"), Some(ShapeKind::Obb));
    /// assert_eq!(ShapeKind::from_name("cone"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "turned_box" => Some(Self::Obb),
            _ => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }

    /// The columns of such a shape.
    #[must_use]
    pub fn columns(self) -> &'static [QuestionColumn] {
        match self {
            Self::Box => &BOX,
            Self::Obb => &OBB,
            Self::Sphere => &SPHERE,
            Self::Capsule | Self::Cylinder => &CAPSULE,
            Self::Hull => &HULL,
        }
    }
}

/// What shape the rows of one table have: its kind, and for hulls perhaps one for all rows, in place of the
/// column `hull`.
#[derive(Debug, Clone)]
pub(crate) struct RowShape {
    kind: ShapeKind,
    hull: Option<Arc<ConvexHull>>,
}

impl From<ShapeKind> for RowShape {
    fn from(kind: ShapeKind) -> Self {
        Self { kind, hull: None }
    }
}

impl From<ConvexHull> for RowShape {
    fn from(hull: ConvexHull) -> Self {
        Self {
            kind: ShapeKind::Hull,
            hull: Some(Arc::new(hull)),
        }
    }
}

impl RowShape {
    /// The columns of the shape.
    pub(crate) fn columns(&self) -> &'static [QuestionColumn] {
        match self.hull {
            Some(_) => &HULL[1..],
            None => self.kind.columns(),
        }
    }

    /// The shape of a question whose first columns are those of the shape, or why the question is
    /// invalid.
    pub(crate) fn read(
        &self,
        scene: &Scene,
        questions: &Questions,
        question: usize,
    ) -> Result<Primitive, String> {
        let columns = self.columns();
        let y = |index: usize, xz| y_of(scene, questions, question, (index, columns[index]), xz);
        let shape = match self.kind {
            ShapeKind::Box => {
                let [a, _, c, d, _, f] = numbers(questions, question);
                // A box has the ground of its middle.
                let middle = [(a + d) / 2.0, (c + f) / 2.0];
                let [b, e] = [y(1, middle)?, y(4, middle)?];
                Aabb::new([a, b, c], [d, e, f]).map(Primitive::from)
            }
            ShapeKind::Obb => {
                let [x, _, z, a, b, c, qx, qy, qz, qw] = numbers(questions, question);
                let y = y(1, [x, z])?;
                let rotation = [qx, qy, qz, qw].map(f64::from);
                Obb::new([x, y, z], [a, b, c], DQuat::from_array(rotation)).map(Primitive::from)
            }
            ShapeKind::Sphere => {
                let [x, _, z, radius] = numbers(questions, question);
                check_radius(radius)?;
                let y = y(1, [x, z])?;
                Sphere::new([x, y, z], f64::from(radius)).map(Primitive::from)
            }
            ShapeKind::Capsule => {
                let [a, _, c, d, _, f, radius] = numbers(questions, question);
                check_radius(radius)?;
                let [b, e] = [y(1, [a, c])?, y(4, [d, f])?];
                Capsule::new([a, b, c], [d, e, f], f64::from(radius)).map(Primitive::from)
            }
            ShapeKind::Cylinder => {
                let [a, _, c, d, _, f, radius] = numbers(questions, question);
                check_radius(radius)?;
                let [b, e] = [y(1, [a, c])?, y(4, [d, f])?];
                Cylinder::new([a, b, c], [d, e, f], f64::from(radius)).map(Primitive::from)
            }
            ShapeKind::Hull => {
                let (hull, first) = match &self.hull {
                    Some(hull) => (Arc::clone(hull), 0),
                    None => (named_hull(scene, questions.names(0).get(question))?, 1),
                };
                let number = |column: usize| questions.column(first + column)[question];
                let (x, z) = (number(0), number(2));
                let place = DVec3::new(x.into(), y(first + 1, [x, z])?.into(), z.into());
                return placed_hull(&hull, place, &number);
            }
        };
        shape.map_err(|error: Error| error.to_string())
    }
}

/// The hull of the scene that a row names.
fn named_hull(scene: &Scene, name: Option<&str>) -> Result<Arc<ConvexHull>, String> {
    let name = name.unwrap_or_default();
    let object = scene
        .object_named(name)
        .and_then(|id| scene.now().shape(id));
    match object {
        Some(ObjectShape::Primitive(Primitive::ConvexHull(hull))) => Ok(hull),
        _ => Err(unknown_hull(scene, name)),
    }
}

/// A hull where a row puts it: its points, its scale and its radius, not its place. The row's numbers are `cx cy cz qx
/// qy qz qw radius`.
fn placed_hull(
    hull: &ConvexHull,
    place: DVec3,
    number: &dyn Fn(usize) -> f32,
) -> Result<Primitive, String> {
    let rotation = DQuat::from_array([3, 4, 5, 6].map(|column| number(column).into()));
    if rotation.length_squared() == 0.0 {
        return Err("the rotation `qx qy qz qw` is zero".to_owned());
    }
    let placed = hull.placed_by(hull.scale(), unit(rotation), place);
    // Where there is no radius, the hull's own.
    let radius = f64::from(number(7));
    let rounded = placed.and_then(|placed| match radius.is_nan() {
        true => Ok(placed),
        false => placed.rounded_by(radius),
    });
    rounded
        .map(Primitive::from)
        .map_err(|error| error.to_string())
}

/// A quaternion at unit length: divided by its largest part first, so that no square overflows.
fn unit(rotation: DQuat) -> DQuat {
    let largest = rotation
        .to_array()
        .into_iter()
        .fold(0.0, |max: f64, part| max.max(part.abs()));
    let scaled = rotation * (1.0 / largest);
    scaled * (1.0 / scaled.length_squared().sqrt())
}

/// The message about a name that no hull has, with those that exist.
fn unknown_hull(scene: &Scene, name: &str) -> String {
    let is_hull = |name: &&str| {
        let kind = scene.object_named(name).and_then(|id| scene.now().kind(id));
        kind == Some(ObjectKind::ConvexHull)
    };
    let mut names: Vec<&str> = scene.object_names().filter(is_hull).collect();
    names.sort_unstable();
    let known = KnownNames::near(name, names);
    format!("the column `hull` names no hull of the scene but `{name}`{known}")
}

/// The numbers of a question in its first columns.
fn numbers<const COUNT: usize>(questions: &Questions, question: usize) -> [f32; COUNT] {
    std::array::from_fn(|column| questions.column(column)[question])
}

/// A shape without extent is a point, which moves along a ray.
fn check_radius(radius: f32) -> Result<(), String> {
    if radius == 0.0 {
        return Err("the radius is 0: a point moves along a ray, so use `hitscan ray`".to_owned());
    }
    Ok(())
}

const BOX: [QuestionColumn; 6] = [
    QuestionColumn::required("min_x").position(Axis::X, Bound::Min),
    QuestionColumn::required("min_y")
        .position(Axis::Y, Bound::Min)
        .or_above("min_y_above"),
    QuestionColumn::required("min_z").position(Axis::Z, Bound::Min),
    QuestionColumn::required("max_x").position(Axis::X, Bound::Max),
    QuestionColumn::required("max_y")
        .position(Axis::Y, Bound::Max)
        .or_above("max_y_above"),
    QuestionColumn::required("max_z").position(Axis::Z, Bound::Max),
];

const CENTER: [QuestionColumn; 3] = [
    QuestionColumn::required("cx").position(Axis::X, Bound::Point),
    QuestionColumn::required("cy")
        .position(Axis::Y, Bound::Point)
        .or_above("cy_above"),
    QuestionColumn::required("cz").position(Axis::Z, Bound::Point),
];

const RADIUS: QuestionColumn = QuestionColumn::required("radius");

const HULL: [QuestionColumn; 9] = [
    QuestionColumn::required_name("hull"),
    QuestionColumn::optional("cx", 0.0).position(Axis::X, Bound::Point),
    QuestionColumn::optional("cy", 0.0)
        .position(Axis::Y, Bound::Point)
        .or_above("cy_above"),
    QuestionColumn::optional("cz", 0.0).position(Axis::Z, Bound::Point),
    QuestionColumn::optional("qx", 0.0),
    QuestionColumn::optional("qy", 0.0),
    QuestionColumn::optional("qz", 0.0),
    QuestionColumn::optional("qw", 1.0),
    QuestionColumn::optional("radius", f32::NAN),
];

const OBB: [QuestionColumn; 10] = [
    CENTER[0],
    CENTER[1],
    CENTER[2],
    QuestionColumn::required("half_x"),
    QuestionColumn::required("half_y"),
    QuestionColumn::required("half_z"),
    QuestionColumn::required("qx"),
    QuestionColumn::required("qy"),
    QuestionColumn::required("qz"),
    QuestionColumn::required("qw"),
];

const SPHERE: [QuestionColumn; 4] = [CENTER[0], CENTER[1], CENTER[2], RADIUS];

const CAPSULE: [QuestionColumn; 7] = [
    QuestionColumn::required("ax").position(Axis::X, Bound::A),
    QuestionColumn::required("ay")
        .position(Axis::Y, Bound::A)
        .or_above("ay_above"),
    QuestionColumn::required("az").position(Axis::Z, Bound::A),
    QuestionColumn::required("bx").position(Axis::X, Bound::B),
    QuestionColumn::required("by")
        .position(Axis::Y, Bound::B)
        .or_above("by_above"),
    QuestionColumn::required("bz").position(Axis::Z, Bound::B),
    RADIUS,
];
