//! hitscan where it was slow far beyond the size of the question, each beside a usual query.

use super::hitscan::{height_field, label, rays, tri_mesh};
use super::hitscan_ties::usual;
use crate::inputs::{self, Rays};
use crate::subject::{Subjects, each, filled};
use glam::DQuat;
use hitscan::height_field::{ViewshedQuery, Visibility};
use hitscan::{
    Aabb, Capsule, ContactsPer, HeightField, InitialOverlap, Obb, Primitive, ShapeCast, TriMesh,
    World,
};
use std::sync::Arc;

/// How many hits each ray has.
pub fn all_hits_of_pile<'a>(
    piles: &[inputs::Mesh; 2],
    questions: &Rays,
) -> Subjects<'a, Option<f32>> {
    let [equal, apart] = piles.each_ref().map(tri_mesh);
    let count =
        |mesh: TriMesh| move |ray: &hitscan::Ray| Some(mesh.cast_ray_all(ray, ()).len() as f32);
    let asked = || rays(questions);
    vec![
        each(label("cast_ray_all"), asked(), None, count(equal)),
        each(usual("triangles apart"), asked(), None, count(apart)),
    ]
}

/// The t of each ray, one by one and in one call; the usual mesh has no giant.
pub fn rays_at_waves<'a>(
    meshes: &[inputs::Mesh; 2],
    questions: &Rays,
) -> Subjects<'a, Option<f32>> {
    let [giant, plain] = meshes.each_ref().map(|mesh| Arc::new(tri_mesh(mesh)));
    let one = |mesh: &Arc<TriMesh>| {
        let mesh = Arc::clone(mesh);
        move |ray: &hitscan::Ray| mesh.cast_ray(ray, ()).map(|hit| hit.t)
    };
    let many = |mesh: &Arc<TriMesh>, name| {
        let (mesh, rays) = (Arc::clone(mesh), rays(questions));
        let fill = move |answers: &mut Vec<_>| {
            *answers = super::hitscan::alone().install(|| mesh.cast_rays(&rays, ()))
        };
        filled(name, Vec::new(), fill, |hit: &Option<hitscan::RayHit>| {
            hit.map(|hit| hit.t)
        })
    };
    vec![
        each(label("cast_ray"), rays(questions), None, one(&giant)),
        many(&giant, label("cast_rays")),
        each(
            usual("no giant, cast_ray"),
            rays(questions),
            None,
            one(&plain),
        ),
        many(&plain, usual("no giant, cast_rays")),
    ]
}

/// A shape around the middle of a ground, and how far below the ground's level it goes.
#[derive(Debug, Clone, Copy)]
pub enum Dipped {
    /// A box of this half size.
    Box(f32),
    /// The same, tilted about two axes.
    Tilted(f32),
}

const DEPTH: f32 = 0.1;

impl Dipped {
    fn at(self, middle: f32, height: f32) -> Primitive {
        match self {
            Self::Box(half) => {
                let [low, high] = [middle - half, middle + half];
                let made = Aabb::new([low, height - DEPTH, low], [high, height + 2.0, high]);
                made.expect("the ends are in order").into()
            }
            Self::Tilted(half) => {
                let turn = DQuat::from_rotation_x(0.02) * DQuat::from_rotation_z(0.03);
                let center = [middle, height + 0.05 * half, middle];
                let made = Obb::new(center, [half, 1.0, half], turn);
                made.expect("sizes are not negative").into()
            }
        }
    }
}

/// The separation of a resting box, and the t of a box that leaves an overlap, on level and on rough
/// ground.
pub struct Grounds {
    pub level: Arc<HeightField>,
    pub rough: Arc<HeightField>,
    pub sheet: Arc<TriMesh>,
    middle: f32,
}

impl Grounds {
    pub fn new(level: &inputs::Terrain, rough: &inputs::Terrain, sheet: &inputs::Mesh) -> Self {
        Self {
            level: Arc::new(height_field(level)),
            rough: Arc::new(height_field(rough)),
            sheet: Arc::new(tri_mesh(sheet)),
            middle: (level.size - 1) as f32 / 2.0,
        }
    }

    fn height(&self, ground: &HeightField) -> f32 {
        ground.elevation([self.middle; 2]).unwrap_or_default()
    }

    /// The deepest contact with level ground; the usual ground is rough.
    pub fn deepest<'a>(&self, shape: Dipped, queries: usize) -> Subjects<'a, Option<f32>> {
        let ask = |ground: &Arc<HeightField>| {
            let ground = Arc::clone(ground);
            move |shape: &Primitive| {
                let contacts = ground.contacts(shape.clone(), 0.0, ContactsPer::Object);
                contacts.first().map(|_| 1.0)
            }
        };
        let at = |ground| vec![shape.at(self.middle, self.height(ground)); queries];
        vec![
            each(label("contacts"), at(&self.level), None, ask(&self.level)),
            each(
                usual("rough ground"),
                at(&self.rough),
                None,
                ask(&self.rough),
            ),
        ]
    }

    /// A motion along the ground out of an overlap with a flat mesh; the usual one stops.
    pub fn leave<'a>(&self, shape: Dipped, queries: usize) -> Subjects<'a, Option<f32>> {
        let moving = |overlaps| {
            let cast = ShapeCast::new(shape.at(self.middle, 0.0), [1.0, 0.0, 0.0]);
            cast.expect("the motion is finite")
                .with_initial_overlap(overlaps)
        };
        let ask = || {
            let sheet = Arc::clone(&self.sheet);
            move |cast: &ShapeCast| {
                Some(f32::from(u8::from(
                    sheet.cast_shape(cast, ()).is_some_and(|hit| hit.t > 0.0),
                )))
            }
        };
        vec![
            each(
                label("Leave"),
                vec![moving(InitialOverlap::Escape); queries],
                None,
                ask(),
            ),
            each(
                usual("Stop"),
                vec![moving(InitialOverlap::Stop); queries],
                None,
                ask(),
            ),
        ]
    }

    /// The contacts with the triangles of a flat mesh; the usual query is that of the object.
    pub fn each_triangle<'a>(&self, shape: Dipped, queries: usize) -> Subjects<'a, Option<f32>> {
        let ask = |each: ContactsPer| {
            let sheet = Arc::clone(&self.sheet);
            move |shape: &Primitive| {
                sheet
                    .contacts(shape.clone(), 0.0, each)
                    .first()
                    .map(|_| 1.0)
            }
        };
        let at = || vec![shape.at(self.middle, 0.0); queries];
        vec![
            each(
                label("ContactsPer::Triangle"),
                at(),
                None,
                ask(ContactsPer::Triangle),
            ),
            each(
                usual("ContactsPer::Object"),
                at(),
                None,
                ask(ContactsPer::Object),
            ),
        ]
    }

    /// A tilted box that comes down on a flat mesh; the usual query is whether it hits at all.
    pub fn come_down<'a>(&self, half: f32, queries: usize) -> Subjects<'a, Option<f32>> {
        let shape = Dipped::Tilted(half).at(self.middle, half);
        let cast = ShapeCast::new(shape, [0.0, -2.0 * half, 0.0]).expect("the motion is finite");
        let [first, any] = [(); 2].map(|()| Arc::clone(&self.sheet));
        let hit = move |cast: &ShapeCast| first.cast_shape(cast, ()).map(|_| 1.0);
        let is_hit = move |cast: &ShapeCast| any.cast_shape_any(cast, ()).then_some(1.0);
        vec![
            each(label("cast_shape"), vec![cast.clone(); queries], None, hit),
            each(usual("cast_shape_any"), vec![cast; queries], None, is_hit),
        ]
    }

    /// How much an eye on level ground sees; the usual eye is 1.7 m above it.
    pub fn viewshed<'a>(&self) -> Subjects<'a, Option<f32>> {
        let ask = || {
            let mut world = World::new();
            let id = world.add(Arc::clone(&self.level));
            world.update();
            move |query: &ViewshedQuery| {
                let now = world.now();
                let found = super::hitscan::alone().install(|| now.viewshed(id, query, ()))?;
                found
                    .at(0, 0)
                    .map(|seen| f32::from(u8::from(seen == Visibility::Visible)))
            }
        };
        let query = |above| ViewshedQuery::standing([self.middle; 2]).with_above(above);
        let standing = |above| vec![query(above).expect("the eye is a finite way above")];
        vec![
            each(label("viewshed"), standing(0.0), None, ask()),
            each(usual("an eye 1.7 m above"), standing(1.7), None, ask()),
        ]
    }
}

/// A box cast at a capsule, both of numbers far apart; the usual pair is of ordinary ones.
pub fn far_apart<'a>(queries: usize) -> Subjects<'a, Option<f32>> {
    let pair = |large: f32, small: f32| {
        let aabb = Aabb::new([-large, small, -small], [-small, large, small]);
        let cast = ShapeCast::new(
            aabb.expect("the ends are in order"),
            [3.0 * large, -small, small],
        );
        let ends = ([large, small, 0.0], [large, 0.5 * large, small]);
        let capsule = Capsule::new(ends.0, ends.1, 0.25 * f64::from(large));
        let capsule = Primitive::from(capsule.expect("the radius is positive"));
        vec![(capsule, cast.expect("the motion is finite")); queries]
    };
    let ask = |(capsule, cast): &(Primitive, ShapeCast)| capsule.cast_shape(cast, ()).map(|_| 1.0);
    vec![
        each(label("1e18 beside 1e-41"), pair(1e18, 1e-41), None, ask),
        each(usual("8 beside 0.5"), pair(8.0, 0.5), None, ask),
    ]
}
