//! Lines that show what is in the world, and what queries hit.

use crate::trace::{Trace, Traced};
use crate::triangles::Triangles;
use crate::{HitscanSystems, HitscanWorld};
use bevy_app::prelude::*;
use bevy_color::{Color, LinearRgba};
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;
use bevy_transform::components::GlobalTransform;
use hitscan::{ObjectId, RayHit, Snapshot};

/// Draws what is in the world and what queries hit, as [`HitscanGizmos`] says. It needs Bevy's `GizmoPlugin`.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_hitscan::{HitscanGizmosPlugin, HitscanPlugin};
/// # use bevy_asset::AssetPlugin;
/// # use bevy_gizmos::GizmoPlugin;
/// let mut app = App::new();
/// # app.add_plugins((AssetPlugin::default(), GizmoPlugin));
/// app.add_plugins((HitscanPlugin::default(), HitscanGizmosPlugin));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct HitscanGizmosPlugin;

/// What is drawn; a group of Bevy's [`GizmoConfigStore`](bevy_gizmos::config::GizmoConfigStore).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_gizmos::config::GizmoConfigStore;
/// use bevy_hitscan::HitscanGizmos;
/// fn show_trees(mut store: ResMut<GizmoConfigStore>) {
///     let (_, shown) = store.config_mut::<HitscanGizmos>();
///     shown.tree_depth = Some(3);
/// }
/// # bevy_ecs::system::assert_is_system(show_trees);
/// ```
#[derive(Reflect, GizmoConfigGroup, Clone, Debug)]
#[reflect(Default, Clone)]
pub struct HitscanGizmos {
    /// The rays and the moving shapes of the last frame's queries; of hits the triangle, the normal and, on a skinned
    /// mesh, a line to the joint that counts most. Shapes are drawn by the boxes around them.
    pub queries: bool,
    /// The triangles of meshes and of terrain as they are hit: posed.
    pub outlines: bool,
    /// The boxes around the solids of colliders.
    pub colliders: bool,
    /// Of what was hit, the boxes of its own tree at this depth: those of a skin's clusters, and of terrain's blocks.
    pub hit_boxes: Option<u32>,
    /// The boxes of the tree over all entities at this depth.
    pub tree_depth: Option<u32>,
    /// The most triangles, and the most boxes of each kind, that are drawn.
    pub limit: usize,
}

impl Default for HitscanGizmos {
    fn default() -> Self {
        Self {
            queries: true,
            outlines: false,
            colliders: false,
            hit_boxes: None,
            tree_depth: None,
            limit: 10_000,
        }
    }
}

impl Plugin for HitscanGizmosPlugin {
    fn build(&self, app: &mut App) {
        let mut state = app.world_mut().get_resource_or_init::<HitscanWorld>();
        state.trace = Some(Trace::default());
        // What was hit is drawn before the next sync moves it.
        app.init_gizmo_group::<HitscanGizmos>()
            .add_systems(PostUpdate, draw.before(HitscanSystems::Sync));
    }
}

/// How long the normal of a hit is drawn, metres.
const NORMAL: f32 = 0.25;

/// How far a ray that hits nothing is drawn at most, metres.
const REACH: f32 = 1_000.0;

const MISS: LinearRgba = LinearRgba::rgb(0.3, 0.3, 0.3);
const HIT: LinearRgba = LinearRgba::rgb(1.0, 0.1, 0.05);
const NORMALS: LinearRgba = LinearRgba::rgb(0.1, 0.4, 1.0);
const JOINTS: LinearRgba = LinearRgba::rgb(1.0, 0.6, 0.0);
const OUTLINES: LinearRgba = LinearRgba::rgb(0.1, 0.8, 0.2);
const BOXES: LinearRgba = LinearRgba::rgb(0.6, 0.3, 0.8);

/// The pairs of corners of a box that its edges join: bit by bit x, y, z.
const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

type Lines<'w, 's> = Gizmos<'w, 's, HitscanGizmos>;

fn draw(mut lines: Lines, state: Res<HitscanWorld>, transforms: Query<&GlobalTransform>) {
    let queries = state.trace.as_ref().map(Trace::take).unwrap_or_default();
    let shown = lines.config_ext.clone();
    let snapshot = state.now();
    if shown.queries {
        for query in &queries {
            match query {
                Traced::Ray { ray, reach, hit } => {
                    let length = hit.as_ref().map_or(reach.min(REACH), |hit| hit.distance);
                    let color = if hit.is_some() { HIT } else { MISS };
                    lines.line(ray.origin, ray.origin + *ray.direction * length, color);
                    if let Some(hit) = hit {
                        draw_hit(&mut lines, &state, hit, &transforms);
                    }
                }
                Traced::Sweep { cast, hit } => {
                    let share = hit.as_ref().map_or(1.0, |hit| hit.t);
                    let color = if hit.is_some() { HIT } else { MISS };
                    let start = cast.shape().bounds().corners();
                    let way = cast.motion() * share;
                    let end = start.map(|corner| corner + way);
                    draw_box(&mut lines, &start, color);
                    draw_box(&mut lines, &end, color);
                    for (one, other) in start.into_iter().zip(end) {
                        lines.line(one, other, color);
                    }
                }
            }
        }
    }
    if let Some(depth) = shown.hit_boxes {
        for query in &queries {
            let object = match query {
                Traced::Ray { hit, .. } => hit.as_ref().and_then(|hit| hit.object),
                Traced::Sweep { hit, .. } => hit.as_ref().and_then(|hit| hit.object),
            };
            let boxes = object.and_then(|object| snapshot.object_boxes(object, depth, shown.limit));
            for corners in boxes.unwrap_or_default() {
                draw_box(&mut lines, &corners.map(Vec3::from), BOXES);
            }
        }
    }
    if let Some(depth) = shown.tree_depth {
        for bounds in snapshot.tree_boxes(depth, shown.limit) {
            draw_box(&mut lines, &bounds.corners(), BOXES);
        }
    }
    let mut left = shown.limit;
    for object in snapshot.objects() {
        if shown.outlines {
            draw_outline(&mut lines, snapshot, object, &mut left);
        }
        if shown.colliders && snapshot.compound(object).is_some() {
            let solids = snapshot.object_boxes(object, 0, shown.limit);
            for corners in solids.unwrap_or_default() {
                draw_box(&mut lines, &corners.map(Vec3::from), OUTLINES);
            }
        }
    }
}

/// The triangle, the normal and the joint of a hit.
fn draw_hit(
    lines: &mut Lines,
    state: &HitscanWorld,
    hit: &RayHit,
    transforms: &Query<&GlobalTransform>,
) {
    let snapshot = state.now();
    lines.line(hit.point, hit.point + hit.normal * NORMAL, NORMALS);
    let triangle = hit.object.zip(hit.triangle);
    let corners = triangle.and_then(|(object, triangle)| {
        let triangles = Triangles::of(snapshot, object)?;
        triangles.corners(triangle.part, triangle.triangle)
    });
    if let Some(corners) = corners {
        draw_triangle(lines, corners, HIT);
    }
    let joint = state
        .joint(snapshot, hit)
        .and_then(|joint| transforms.get(joint).ok());
    if let Some(joint) = joint {
        lines.line(hit.point, joint.translation(), JOINTS);
    }
}

fn draw_outline(lines: &mut Lines, snapshot: &Snapshot, object: ObjectId, left: &mut usize) {
    let Some(triangles) = Triangles::of(snapshot, object) else {
        return;
    };
    for part in 0..triangles.part_count() {
        for triangle in 0..triangles.triangle_count(part) {
            if *left == 0 {
                return;
            }
            if let Some(corners) = triangles.corners(part, triangle) {
                draw_triangle(lines, corners, OUTLINES);
                *left -= 1;
            }
        }
    }
}

fn draw_triangle(lines: &mut Lines, [a, b, c]: [Vec3; 3], color: impl Into<Color>) {
    let color = color.into();
    for (one, other) in [(a, b), (b, c), (c, a)] {
        lines.line(one, other, color);
    }
}

fn draw_box(lines: &mut Lines, corners: &[Vec3; 8], color: impl Into<Color>) {
    let color = color.into();
    for [one, other] in EDGES {
        lines.line(corners[one], corners[other], color);
    }
}
