//! The demo's questions, each with a label.
//!
//! The same values go into the tables of questions and into direct calls of the library.

use crate::objects::Objects;
use crate::question::labelled;
use crate::scene::CRATE;
use crate::shape_questions::{Ball, Person, arcs, balls, probes, shapes, walks};
use crate::{Error, MarchComparison, Question};
use glam::{DVec3, Vec3};
use hitscan::{Aabb, BallisticArc, Ray, ShapeCast};
use hitscan_assets::Scene;

/// All questions about the demo's scene.
#[derive(Debug, Clone)]
pub struct Questions {
    /// Rays.
    pub rays: Vec<Question<Ray>>,
    /// Points on the map: x and z, metres.
    pub points: Vec<Question<[f32; 2]>>,
    /// Moving boxes.
    pub moves: Vec<Question<ShapeCast>>,
    /// Moving spheres.
    pub balls: Vec<Question<Ball>>,
    /// Moving capsules.
    pub walks: Vec<Question<Person>>,
    /// Resting boxes, for what is within [`Questions::MARGIN`] of them.
    pub shapes: Vec<Question<Aabb>>,
    /// Points, for what is nearest to them within [`Questions::REACH`].
    pub probes: Vec<Question<Vec3>>,
    /// Thrown and fired things.
    pub arcs: Vec<Question<BallisticArc>>,
    /// Eyes.
    pub eyes: Vec<Question<Vec3>>,
    /// What the eyes look at.
    pub targets: Vec<Question<Vec3>>,
    /// Where a guard stands, x and z.
    pub guard: [f32; 2],
}

impl Questions {
    /// The radius of the footprints around the points, metres.
    pub const FOOTPRINT_RADIUS: f64 = 4.0;
    /// How near to a resting shape things count, metres.
    pub const MARGIN: f32 = 0.5;
    /// How near to a probe things count, metres.
    pub const REACH: f32 = 20.0;
    /// How high the guard's eyes are above the ground, metres.
    pub const GUARD_EYES: f64 = 1.7;

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
            balls: balls(&objects),
            walks: walks(&objects),
            shapes: shapes(&objects)?,
            probes: probes(&objects),
            arcs: arcs(&objects)?,
            eyes: eyes(&objects),
            targets: targets(&objects),
            guard: [40.0, 60.0],
        })
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
