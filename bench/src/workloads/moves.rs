//! W: moving spheres, boxes and capsules over terrain and at a mesh. O1: capsules that rest at a mesh.
//! H2: moving hulls. Y1: moving cylinders. C1: the nearest points of a mesh. FLAT: which normals a flat floor has.

use super::context::Context;
use crate::answer::Touch;
use crate::inputs::Terrain;
use crate::inputs::moves::{self, Floor, KINDS, Kind, Move, Solid};
use crate::peers;
use crate::shape::Obstacles;
use crate::subject::{Subject, Subjects, mapped};
use crate::subjects::hitscan_moves as own;

const QUERIES: usize = 100_000;
/// Metres along the way; a shape that only grazes is a question of how it is rounded.
const GROUND_TOLERANCE: f32 = 1e-2;
/// The same in radii at a mesh: Jolt's and parry's iterations end at 1e-4.
const MESH_TOLERANCE: f32 = 1e-3;
/// Off by more than so many degrees a normal is wrong.
const WRONG: f32 = 0.1;

pub fn over_terrain(context: &Context) {
    let terrain = Terrain::new(1025);
    let mut shapes: Obstacles = vec![Box::new(own::Terrain::new(&terrain))];
    shapes.extend(context.peers(|| peers::move_terrains(&terrain)));
    for (number, kind) in KINDS.into_iter().enumerate() {
        let name = format!("W{}-terrain", number + 1);
        if context.wants(&name) {
            let solid = Solid::over_terrain(kind);
            let moves = moves::moves_over_terrain(&terrain, solid, context.queries(QUERIES));
            race(context, &name, &shapes, solid, &moves, GROUND_TOLERANCE);
        }
    }
    for (name, kind) in [("H2-terrain", Kind::Hull), ("Y1-terrain", Kind::Cylinder)] {
        if context.wants(name) {
            let solid = Solid::over_terrain(kind);
            let moves = moves::moves_over_terrain(&terrain, solid, context.queries(QUERIES));
            race(context, name, &shapes, solid, &moves, GROUND_TOLERANCE);
        }
    }
}

pub fn at_mesh(context: &Context) {
    let mesh = super::mesh::sphere("small");
    let count = context.queries(QUERIES);
    if KINDS
        .iter()
        .enumerate()
        .any(|(number, _)| context.wants(&at_mesh_name(number)))
        || context.wants("H2-mesh")
    {
        let mut shapes: Obstacles = vec![Box::new(own::Mesh::new(&mesh))];
        shapes.extend(context.peers(|| peers::move_meshes(&mesh)));
        for (number, kind) in KINDS.into_iter().enumerate() {
            let name = at_mesh_name(number);
            if context.wants(&name) {
                let solid = Solid::at_mesh(kind, &mesh);
                let moves = moves::moves_at_mesh(&mesh, solid, count);
                race(context, &name, &shapes, solid, &moves, MESH_TOLERANCE);
            }
        }
        if context.wants("H2-mesh") {
            let solid = Solid::at_mesh(Kind::Hull, &mesh);
            let moves = moves::moves_at_mesh(&mesh, solid, count);
            race(context, "H2-mesh", &shapes, solid, &moves, MESH_TOLERANCE);
        }
    }
    if context.wants("O1") {
        let solid = Solid::at_mesh(Kind::Capsule, &mesh);
        let middles = moves::resting_at_mesh(&mesh, solid, count);
        let mut subjects = own::separations(&mesh, solid, &middles, solid.half);
        subjects.extend(context.peers(|| peers::separations(&mesh, solid, &middles, solid.half)));
        let describe = |index: usize| format!("{solid:?} at {:?}", middles[index]);
        context.race("O1", subjects, count, MESH_TOLERANCE, &describe);
    }
    if context.wants("C1") {
        let points = moves::points_at_mesh(&mesh, count);
        let mut subjects = own::distances(&mesh, &points);
        subjects.extend(context.peers(|| peers::distances(&mesh, &points)));
        let describe = |index: usize| format!("{:?}", points[index]);
        context.race("C1", subjects, count, MESH_TOLERANCE, &describe);
    }
}

fn at_mesh_name(number: usize) -> String {
    format!("W{}-mesh", number + 1)
}

fn race(
    context: &Context,
    name: &str,
    shapes: &Obstacles,
    solid: Solid,
    moves: &[Move],
    tolerance: f32,
) {
    let subjects = shapes
        .iter()
        .flat_map(|shape| shape.first_contacts(solid, moves));
    let describe = |index: usize| format!("{solid:?} {:?}", moves[index]);
    context.race::<Option<Touch>>(name, subjects.collect(), moves.len(), tolerance, &describe);
}

/// The answers are how many degrees each normal is off the floor's.
pub fn on_floors(context: &Context) {
    for kind in KINDS {
        let name = format!("FLAT-{}", kind.name());
        if !context.wants(&name) {
            continue;
        }
        let solid = Solid::over_terrain(kind);
        let floors = moves::floors(solid, context.queries(QUERIES));
        let shapes: Vec<Obstacles> = floors
            .iter()
            .map(|floor| {
                let mut shapes: Obstacles = vec![Box::new(own::Mesh::new(&floor.mesh))];
                shapes.extend(context.peers(|| peers::move_meshes(&floor.mesh)));
                shapes
            })
            .collect();
        let mut joined: Vec<Joined<'_>> = Vec::new();
        for (floor, shapes) in floors.iter().zip(&shapes) {
            let subjects = shapes
                .iter()
                .flat_map(|shape| shape.first_contacts(solid, &floor.moves));
            for (place, subject) in subjects.enumerate() {
                if joined.len() <= place {
                    joined.push(Joined(Vec::new()));
                }
                joined[place].0.push(degrees_off(subject, floor));
            }
        }
        let subjects = joined
            .into_iter()
            .map(|joined| Box::new(joined) as _)
            .collect();
        let moves: Vec<Move> = floors
            .iter()
            .flat_map(|floor| floor.moves.clone())
            .collect();
        let truth = vec![Some(0.0); moves.len()];
        let describe = |index: usize| format!("{solid:?} {:?}", moves[index]);
        context.race_for_truth(&name, subjects, (truth, WRONG), &describe);
    }
}

fn degrees_off<'a>(
    subject: Box<dyn Subject<Option<Touch>> + 'a>,
    floor: &Floor,
) -> Box<dyn Subject<Option<f32>> + 'a> {
    let normal = floor.normal;
    let degrees = move |touch: Touch| {
        let own = touch.normal.map(f64::from);
        let cross = [0, 1, 2].map(|axis| {
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            own[b] * normal[c] - own[c] * normal[b]
        });
        let along: f64 = (0..3).map(|axis| own[axis] * normal[axis]).sum();
        let across = cross.iter().map(|x| x * x).sum::<f64>().sqrt();
        if across == 0.0 && along == 0.0 {
            // Zero is no normal.
            return 180.0;
        }
        libm::atan2(across, along).to_degrees() as f32
    };
    mapped(subject, move |_, touch: Option<Touch>| touch.map(degrees))
}

/// The same way of a library on one floor after the other.
struct Joined<'a>(Subjects<'a, Option<f32>>);

impl Subject<Option<f32>> for Joined<'_> {
    fn label(&self) -> &crate::label::Label {
        self.0[0].label()
    }

    fn pass(&mut self) {
        for subject in &mut self.0 {
            subject.pass();
        }
    }

    fn answers(&mut self) -> Vec<Option<f32>> {
        self.0
            .iter_mut()
            .flat_map(|subject| subject.answers())
            .collect()
    }
}
