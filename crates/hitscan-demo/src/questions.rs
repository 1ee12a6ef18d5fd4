//! The demo's questions: rays, points, moving boxes and capsules, each with a label.
//!
//! The same values go into the tables of questions and into direct calls of the library.

use crate::scene::{CRATE, robot_transform};
use crate::{DemoFile, Error, MarchComparison};
use glam::{DVec3, Vec3};
use hitscan::ObjectId;
use hitscan::shape_cast::ShapeCast;
use hitscan::{Aabb, Capsule, Primitive, Ray};
use hitscan_assets::Scene;
use std::fmt::Write as _;

/// A query and what it is about.
#[derive(Debug, Clone)]
pub struct Question<T> {
    /// A few words, without commas.
    pub label: &'static str,
    /// The query itself.
    pub query: T,
}

/// All questions about the demo's scene.
#[derive(Debug, Clone)]
pub struct Questions {
    /// Rays.
    pub rays: Vec<Question<Ray>>,
    /// Points on the map: x and z, metres.
    pub points: Vec<Question<[f32; 2]>>,
    /// Moving boxes.
    pub moves: Vec<Question<ShapeCast>>,
    /// Moving capsules, as guards walk.
    pub walks: Vec<Question<ShapeCast>>,
    /// Eyes.
    pub eyes: Vec<Question<Vec3>>,
    /// What the eyes look at.
    pub targets: Vec<Question<Vec3>>,
}

impl Questions {
    /// Makes the questions about the demo's scene, whose picture is seen from `eye`.
    ///
    /// # Errors
    /// [`Error::Refused`] where a constructor of the library refuses a query, which it does only
    /// for a scene that is not the demo's.
    pub fn new(scene: &Scene, eye: DVec3, comparison: &MarchComparison) -> Result<Self, Error> {
        let objects = Objects { scene };
        Ok(Self {
            rays: rays(&objects, eye.as_vec3(), comparison)?,
            points: points(&objects, comparison),
            moves: moves(&objects)?,
            walks: walks(&objects)?,
            eyes: eyes(&objects),
            targets: targets(&objects),
        })
    }

    /// The questions as tables for `hitscan ray`, `height`, `sweep` and `sweep --shape capsule`, for
    /// discs on the ground, and for `sight`: CSV, with a first column that holds the label.
    #[must_use]
    pub fn files(&self) -> [DemoFile; 7] {
        let file = |name, csv: String| DemoFile {
            name,
            bytes: csv.into_bytes(),
        };
        [
            file("rays.csv", self.rays_csv()),
            file("points.csv", self.points_csv()),
            file("moves.csv", self.moves_csv()),
            file("walks.csv", self.walks_csv()),
            file("footprints.csv", self.footprints_csv()),
            file("eyes.csv", places_csv(&self.eyes)),
            file("targets.csv", places_csv(&self.targets)),
        ]
    }

    /// The rays as a table. The field `t_max` of an endless ray is empty.
    fn rays_csv(&self) -> String {
        let mut csv = String::from("about,ox,oy,oz,dx,dy,dz,t_max\n");
        for Question { label, query } in &self.rays {
            let numbers = [query.origin(), query.direction()].map(numbers).join(",");
            let t_max = query.t_max();
            let t_max = if t_max.is_finite() {
                t_max.to_string()
            } else {
                String::new()
            };
            push(&mut csv, format_args!("{label},{numbers},{t_max}\n"));
        }
        csv
    }

    /// The points as a table.
    fn points_csv(&self) -> String {
        let mut csv = String::from("about,x,z\n");
        for Question {
            label,
            query: [x, z],
        } in &self.points
        {
            push(&mut csv, format_args!("{label},{x},{z}\n"));
        }
        csv
    }

    /// Discs around the points as a table.
    fn footprints_csv(&self) -> String {
        let mut csv = String::from("about,x,z,radius\n");
        for Question {
            label,
            query: [x, z],
        } in &self.points
        {
            push(&mut csv, format_args!("{label},{x},{z},4\n"));
        }
        csv
    }

    /// The moving boxes as a table.
    fn moves_csv(&self) -> String {
        let mut csv = String::from("about,min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n");
        for Question { label, query } in &self.moves {
            let start = query.shape().bounds();
            let numbers = [start.min(), start.max(), query.motion()]
                .map(numbers)
                .join(",");
            push(&mut csv, format_args!("{label},{numbers}\n"));
        }
        csv
    }

    /// The moving capsules as a table.
    fn walks_csv(&self) -> String {
        let mut csv = String::from("about,ax,ay,az,bx,by,bz,radius,dx,dy,dz\n");
        for Question { label, query } in &self.walks {
            if let Primitive::Capsule(guard) = query.shape() {
                let ends = [guard.a(), guard.b()].map(numbers).join(",");
                let (radius, motion) = (guard.radius(), numbers(query.motion()));
                push(&mut csv, format_args!("{label},{ends},{radius},{motion}\n"));
            }
        }
        csv
    }
}

/// The scene's objects by name.
struct Objects<'a> {
    scene: &'a Scene,
}

impl Objects<'_> {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        let world = self.scene.world();
        let has_name = |object: &ObjectId| self.scene.object_name(*object) == Some(name);
        world
            .now()
            .object_bounds(world.now().objects().find(has_name)?)
    }

    /// A point of an object's box: 0 to 1 on each axis from its least to its greatest corner.
    fn point(&self, name: &str, fraction: [f32; 3]) -> Vec3 {
        self.bounds(name).map_or(Vec3::ZERO, |bounds| {
            bounds.min() * (Vec3::ONE - Vec3::from(fraction)) + bounds.max() * Vec3::from(fraction)
        })
    }

    /// A point on a robot, given in metres along its left, up from its soles, and forward.
    fn on_robot(&self, name: &str, local: [f64; 3]) -> Vec3 {
        let Some((rotation, [x, z])) = robot_transform(name) else {
            return Vec3::ZERO;
        };
        let soles = f64::from(self.point(name, [0.0; 3]).y);
        (DVec3::new(x, soles, z) + rotation * DVec3::from(local)).as_vec3()
    }
}

fn rays(
    objects: &Objects<'_>,
    eye: Vec3,
    comparison: &MarchComparison,
) -> Result<Vec<Question<Ray>>, hitscan::Error> {
    let middle = |name| objects.point(name, [0.5; 3]);
    let down = Vec3::NEG_Y;
    let toward = |target: Vec3| Ray::new(eye, target - eye);
    let ada = objects.on_robot("ada", [0.0, 1.3, 0.0]);
    // Four metres from her left, at the height where the tail hangs.
    let [beside, tail] = [4.0, 0.0].map(|left| objects.on_robot("cleo", [left, 0.80, -0.48]));
    let mut questions = vec![
        ("the eye looks at ada", toward(ada)?),
        (
            "the eye looks at bruno's face",
            toward(objects.on_robot("bruno", [0.0, 1.86, 0.1]))?,
        ),
        (
            "from the side at cleo's tail",
            Ray::new(beside, tail - beside)?,
        ),
        (
            "straight down on the balloon",
            Ray::new(middle("balloon") + Vec3::Y * 10.0, down)?,
        ),
        ("from inside the buoy", Ray::new(middle("buoy"), Vec3::X)?),
        ("the eye looks at the crates", toward(middle("crate-c"))?),
        (
            "straight down on the meadow",
            Ray::new([2.0, 12.0, 78.0], down)?,
        ),
        ("up the valley", Ray::new(eye, [-0.09, 0.14, -1.0])?),
        (
            "from under the ground upwards",
            Ray::new([20.0, -5.0, 60.0], Vec3::Y)?,
        ),
        (
            "towards ada but too short",
            toward(ada)?.with_range(0.0, 0.5)?,
        ),
        ("into the sky", Ray::new(eye, [0.3, 0.9, -0.4])?),
    ];
    for error in &comparison.worst {
        let label = match error.marched {
            Some(_) => "at a crest that the march skips",
            None => "at a crest: the march finds nothing",
        };
        questions.push((label, error.ray));
    }
    Ok(labelled(questions))
}

fn points(objects: &Objects<'_>, comparison: &MarchComparison) -> Vec<Question<[f32; 2]>> {
    let ada = objects.on_robot("ada", [0.0; 3]);
    let buoy = objects.point("buoy", [0.5; 3]);
    let mut questions = vec![
        ("under ada", [ada.x, ada.z]),
        ("in the river", [buoy.x, buoy.z]),
        ("on the map's corner", [-128.0, -128.0]),
        ("off the map", [200.0, 0.0]),
    ];
    if let Some(worst) = comparison.worst.first() {
        questions.insert(
            2,
            (
                "on the skipped crest",
                [worst.exact.point.x, worst.exact.point.z],
            ),
        );
    }
    labelled(questions)
}

fn moves(objects: &Objects<'_>) -> Result<Vec<Question<ShapeCast>>, hitscan::Error> {
    let size = DVec3::splat(CRATE).as_vec3();
    let moving = |min: Vec3, motion: Vec3| ShapeCast::new(Aabb::new(min, min + size)?, motion);
    let [top, bruno] = [("crate-c", [0.0; 3]), ("bruno", [0.5, 0.0, 0.5])]
        .map(|(name, fraction)| objects.point(name, fraction));
    let balloon = objects.point("balloon", [0.5; 3]);
    let east = Vec3::X * 4.0;
    let meadow = Vec3::new(0.0, top.y + 6.0, 80.0);
    Ok(labelled(vec![
        ("a crate slides against crate-c", moving(top + east, -east)?),
        (
            "a crate is thrown at bruno",
            moving(bruno + Vec3::new(3.0, 0.9, -0.5), -east)?,
        ),
        (
            "a crate flies into the balloon",
            moving(balloon - east - size * 0.5, east)?,
        ),
        (
            "a crate falls on the meadow",
            moving(meadow, Vec3::NEG_Y * 12.0)?,
        ),
        (
            "a crate starts inside crate-c",
            moving(top + Vec3::splat(0.25), east)?,
        ),
        // It starts where crate-c's box ends, as f32 has it, so that the two touch exactly.
        (
            "a crate that touches crate-c slides by",
            moving(objects.point("crate-c", [1.0, 0.0, 0.0]), Vec3::Z * 2.0)?,
        ),
        (
            "a crate rises into the air",
            moving(meadow, Vec3::Y * 20.0)?,
        ),
    ]))
}

fn walks(objects: &Objects<'_>) -> Result<Vec<Question<ShapeCast>>, hitscan::Error> {
    /// Half as wide as a guard, metres; a power of two, so that f32 has it.
    const RADIUS: f32 = 0.25;
    let walking = |feet: Vec3, motion: Vec3| {
        let (low, high) = (feet + Vec3::Y * RADIUS, feet + Vec3::Y * (1.75 - RADIUS));
        ShapeCast::new(Capsule::new(low, high, f64::from(RADIUS))?, motion)
    };
    let [top, bruno] = [("crate-c", [0.5; 3]), ("bruno", [0.5, 0.0, 0.5])]
        .map(|(name, fraction)| objects.point(name, fraction));
    let meadow = Vec3::new(0.0, top.y + 6.0, 80.0);
    Ok(labelled(vec![
        (
            "a guard walks into bruno",
            walking(bruno + Vec3::new(3.0, 0.5, 0.0), Vec3::X * -4.0)?,
        ),
        (
            "a guard falls on the meadow",
            walking(meadow, Vec3::NEG_Y * 12.0)?,
        ),
        (
            "a guard starts inside crate-c",
            walking(top, Vec3::X * 4.0)?,
        ),
        (
            "a guard leaps into the air",
            walking(meadow, Vec3::Y * 2.0)?,
        ),
    ]))
}

/// The robots' eyes, a hand's breadth before their faces.
fn eyes(objects: &Objects<'_>) -> Vec<Question<Vec3>> {
    let eye = |name| objects.on_robot(name, [0.0, 1.86, 0.4]);
    labelled(vec![
        ("ada's eyes", eye("ada")),
        ("bruno's eyes", eye("bruno")),
        ("cleo's eyes", eye("cleo")),
    ])
}

fn targets(objects: &Objects<'_>) -> Vec<Question<Vec3>> {
    // Just above what it is, so that it does not hide itself.
    let above = |name| objects.point(name, [0.5, 1.0, 0.5]) + Vec3::Y * 0.1;
    labelled(vec![
        ("above crate-c", above("crate-c")),
        ("above the buoy", above("buoy")),
        ("above the balloon", above("balloon")),
        ("above ada", above("ada")),
    ])
}

/// Places as a table.
fn places_csv(places: &[Question<Vec3>]) -> String {
    let mut csv = String::from("about,x,y,z\n");
    for Question { label, query } in places {
        push(&mut csv, format_args!("{label},{}\n", numbers(*query)));
    }
    csv
}

fn labelled<T>(questions: Vec<(&'static str, T)>) -> Vec<Question<T>> {
    questions
        .into_iter()
        .map(|(label, query)| Question { label, query })
        .collect()
}

/// The components, each as the shortest text that reads back as the same number.
fn numbers(v: Vec3) -> String {
    v.to_array()
        .map(|component| component.to_string())
        .join(",")
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = text.write_fmt(line);
}
