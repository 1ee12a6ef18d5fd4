//! What the demo asks: rays, points and moving boxes, each with a word of what it is about.
//!
//! The same values go into the tables of questions and into the answers that are printed. What is
//! answered is in `answers.rs`.

use super::ridge::Comparison;
use super::stage::{CRATE, robot_stance};
use super::valley;
use crate::scene::OpenScene;
use glam::{DVec3, Vec3};
use hitscan::shape_cast::ShapeCast;
use hitscan::{Aabb, Error, ObjectId, Ray};
use std::fmt::Write as _;

/// A question and what it is about.
#[derive(Debug, Clone)]
pub(crate) struct Asked<T> {
    /// A few words, without commas.
    pub(crate) about: &'static str,
    /// The question itself.
    pub(crate) question: T,
}

/// All questions of the demo.
pub(crate) struct Questions {
    pub(crate) rays: Vec<Asked<Ray>>,
    /// x and z, metres.
    pub(crate) points: Vec<Asked<[f32; 2]>>,
    pub(crate) moves: Vec<Asked<ShapeCast>>,
}

/// Makes the questions for the demo's scene, whose picture is seen from `eye`.
///
/// # Errors
/// What the shapes' constructors refuse, which here is nothing.
pub(crate) fn make(
    scene: &OpenScene,
    eye: DVec3,
    comparison: &Comparison,
) -> Result<Questions, Error> {
    let cast = Cast { scene };
    Ok(Questions {
        rays: rays(&cast, eye.as_vec3(), comparison)?,
        points: points(&cast, comparison),
        moves: moves(&cast)?,
    })
}

/// The scene's objects by name.
struct Cast<'a> {
    scene: &'a OpenScene,
}

impl Cast<'_> {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        let world = self.scene.world();
        let is_wanted = |object: &ObjectId| self.scene.object_name(*object) == name;
        world
            .now()
            .object_bounds(world.now().objects().find(is_wanted)?)
    }

    /// A point of an object's box: 0 to 1 on each axis from its smallest to its greatest corner.
    fn point(&self, name: &str, share: [f32; 3]) -> Vec3 {
        self.bounds(name).map_or(Vec3::ZERO, |bounds| {
            bounds.min() * (Vec3::ONE - Vec3::from(share)) + bounds.max() * Vec3::from(share)
        })
    }

    /// A place on a robot, told in metres along its left, up from its soles, and forward.
    fn on_robot(&self, name: &str, local: [f64; 3]) -> Vec3 {
        let Some((turn, [x, z])) = robot_stance(name) else {
            return Vec3::ZERO;
        };
        let soles = f64::from(self.point(name, [0.0; 3]).y);
        (DVec3::new(x, soles, z) + turn * DVec3::from(local)).as_vec3()
    }
}

fn rays(cast: &Cast<'_>, eye: Vec3, comparison: &Comparison) -> Result<Vec<Asked<Ray>>, Error> {
    let middle = |name| cast.point(name, [0.5; 3]);
    let down = Vec3::NEG_Y;
    let toward = |target: Vec3| Ray::new(eye, target - eye);
    let ada = cast.on_robot("ada", [0.0, 1.3, 0.0]);
    // Four metres from her left, at the height where the tail hangs.
    let [beside, tail] = [4.0, 0.0].map(|left| cast.on_robot("cleo", [left, 0.80, -0.48]));
    let mut asked = vec![
        ("the eye looks at ada", toward(ada)?),
        (
            "the eye looks at bruno's face",
            toward(cast.on_robot("bruno", [0.0, 1.86, 0.1]))?,
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
    for mistake in &comparison.worst {
        let about = match mistake.marched {
            Some(_) => "at a crest that the march skips",
            None => "at a crest: the march finds nothing",
        };
        asked.push((about, mistake.ray));
    }
    Ok(listed(asked))
}

fn points(cast: &Cast<'_>, comparison: &Comparison) -> Vec<Asked<[f32; 2]>> {
    let ada = cast.on_robot("ada", [0.0; 3]);
    let buoy = cast.point("buoy", [0.5; 3]);
    let mut asked = vec![
        ("under ada", [ada.x, ada.z]),
        ("in the river", [buoy.x, buoy.z]),
        ("on the map's corner", [-128.0, -128.0]),
        ("off the map", [200.0, 0.0]),
    ];
    if let Some(worst) = comparison.worst.first() {
        asked.insert(
            2,
            (
                "on the skipped crest",
                [worst.exact.point.x, worst.exact.point.z],
            ),
        );
    }
    listed(asked)
}

fn moves(cast: &Cast<'_>) -> Result<Vec<Asked<ShapeCast>>, Error> {
    let size = DVec3::splat(CRATE).as_vec3();
    let moving = |min: Vec3, motion: Vec3| ShapeCast::new(Aabb::new(min, min + size)?, motion);
    let [top, bruno] = [("crate-c", [0.0; 3]), ("bruno", [0.5, 0.0, 0.5])]
        .map(|(name, share)| cast.point(name, share));
    let balloon = cast.point("balloon", [0.5; 3]);
    let east = Vec3::X * 4.0;
    let meadow = Vec3::new(0.0, top.y + 6.0, 80.0);
    Ok(listed(vec![
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
            moving(cast.point("crate-c", [1.0, 0.0, 0.0]), Vec3::Z * 2.0)?,
        ),
        (
            "a crate rises into the air",
            moving(meadow, Vec3::Y * 20.0)?,
        ),
    ]))
}

fn listed<T>(asked: Vec<(&'static str, T)>) -> Vec<Asked<T>> {
    asked
        .into_iter()
        .map(|(about, question)| Asked { about, question })
        .collect()
}

impl Questions {
    /// The rays as a table for `hitscan ray`. An endless ray has no `t_max`.
    pub(crate) fn rays_csv(&self) -> String {
        let mut csv = String::from("about,ox,oy,oz,dx,dy,dz,t_max\n");
        for Asked { about, question } in &self.rays {
            let numbers = [question.origin(), question.direction()]
                .map(numbers)
                .join(",");
            let t_max = question.t_max();
            let t_max = if t_max.is_finite() {
                t_max.to_string()
            } else {
                String::new()
            };
            push(&mut csv, format_args!("{about},{numbers},{t_max}\n"));
        }
        csv
    }

    /// The points as a table for `hitscan height`.
    pub(crate) fn points_csv(&self) -> String {
        let mut csv = String::from("about,x,z\n");
        for Asked {
            about,
            question: [x, z],
        } in &self.points
        {
            push(&mut csv, format_args!("{about},{x},{z}\n"));
        }
        csv
    }

    /// The moving boxes as a table for `hitscan sweep`.
    pub(crate) fn moves_csv(&self) -> String {
        let mut csv = String::from("about,min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n");
        for Asked { about, question } in &self.moves {
            let start = question.shape().bounds();
            let numbers = [start.min(), start.max(), question.motion()]
                .map(numbers)
                .join(",");
            push(&mut csv, format_args!("{about},{numbers}\n"));
        }
        csv
    }
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

/// Where the eyes stand that look for crests: beside the river, x and z in metres.
pub(crate) fn eyes_along_the_river() -> Vec<[f32; 2]> {
    (0..12_u8)
        .map(|step| {
            let z = f64::from(step) * 15.0 - 50.0;
            let place = DVec3::new(valley::river_x(z) + 9.0, 0.0, z).as_vec3();
            [place.x, place.z]
        })
        .collect()
}
