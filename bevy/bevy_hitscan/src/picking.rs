//! A backend of Bevy's picking: pointers hit meshes as they are drawn.

use crate::{Hitscan, HitscanFilter};
use bevy_app::prelude::*;
use bevy_camera::Camera;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::prelude::*;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::mesh_picking::MeshPickingPlugin;
use bevy_picking::mesh_picking::ray_cast::RayCastVisibility;
use bevy_picking::{Pickable, PickingSystems};
use bevy_reflect::prelude::*;
use bevy_shape::Ray3d;
use tracing::warn;

/// Picks entities by the rays of all pointers and cameras, in place of
/// [`MeshPickingPlugin`].
///
/// Hits are reported from near to far until the first entity that blocks lower ones, which those without
/// [`Pickable`] do. Each has the point, the unit normal, and as its extra data a [`HitscanHit`](crate::HitscanHit).
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_hitscan::prelude::*;
/// App::new().add_plugins((HitscanPlugin::default(), HitscanPickingPlugin));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct HitscanPickingPlugin;

/// What pointers hit.
#[derive(Resource, Reflect, Clone)]
#[reflect(Resource, Default, Clone)]
pub struct HitscanPickingSettings {
    /// Only cameras with a [`HitscanPickingCamera`], and entities with a [`Pickable`].
    pub require_markers: bool,
    /// Which entities are visible enough. By default those in view of any camera.
    pub visibility: RayCastVisibility,
}

impl Default for HitscanPickingSettings {
    fn default() -> Self {
        Self {
            require_markers: false,
            visibility: RayCastVisibility::VisibleInView,
        }
    }
}

/// A camera whose pointers pick, where [`HitscanPickingSettings::require_markers`] is set.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct HitscanPickingCamera;

impl Plugin for HitscanPickingPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<HitscanPickingSettings>()
            .register_type::<HitscanPickingCamera>()
            .init_resource::<HitscanPickingSettings>()
            .add_systems(
                PreUpdate,
                pick.run_if(resource_exists::<RayMap>)
                    .in_set(PickingSystems::Backend),
            );
    }

    fn finish(&self, app: &mut App) {
        if !app.world().contains_resource::<RayMap>() {
            warn!("HitscanPickingPlugin picks nothing without Bevy's PickingPlugin");
        }
        if app.is_plugin_added::<MeshPickingPlugin>() {
            warn!(
                "MeshPickingPlugin and HitscanPickingPlugin both pick meshes: one of them is enough"
            );
        }
    }
}

/// What entities say of being picked.
type Picked<'w, 's> = Query<'w, 's, (Option<&'static Pickable>, Option<&'static RenderLayers>)>;

fn pick(
    settings: Res<HitscanPickingSettings>,
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Has<HitscanPickingCamera>, Option<&RenderLayers>)>,
    picked: Picked,
    hitscan: Hitscan,
    mut messages: MessageWriter<PointerHits>,
) {
    for (RayId { camera, pointer }, ray) in rays.iter() {
        let Ok((settings_of_camera, is_marked, layers)) = cameras.get(*camera) else {
            continue;
        };
        if settings.require_markers && !is_marked {
            continue;
        }
        let layers = layers.cloned().unwrap_or_default();
        let is_wanted = |entity: Entity| {
            let (pickable, own_layers) = picked.get(entity).unwrap_or_default();
            let is_in_layers = match own_layers {
                Some(own) => layers.intersects(own),
                None => layers.intersects(&RenderLayers::default()),
            };
            is_in_layers
                && match pickable {
                    Some(pickable) => pickable.is_hoverable,
                    None => !settings.require_markers,
                }
        };
        let filter = HitscanFilter::new()
            .visibility(settings.visibility)
            .predicate(&is_wanted);
        let hits = hits(*ray, *camera, filter, (&hitscan, &picked));
        if !hits.is_empty() {
            #[expect(clippy::cast_precision_loss, reason = "as Bevy's backends do it")]
            let order = settings_of_camera.order as f32;
            messages.write(PointerHits::new(*pointer, hits, order));
        }
    }
}

/// The nearest hit with each entity, until the first that blocks.
fn hits(
    ray: Ray3d,
    camera: Entity,
    mut filter: HitscanFilter<'_>,
    (hitscan, picked): (&Hitscan, &Picked),
) -> Vec<(Entity, HitData)> {
    let mut hits = Vec::new();
    while let Some(hit) = hitscan.cast_ray(ray, &filter) {
        let detail = hitscan.detail(&hit);
        let (point, normal) = (Some(hit.point), Some(hit.normal));
        let data = HitData::new_with_extra(camera, hit.distance, point, normal, detail);
        hits.push((hit.entity, data));
        let pickable = picked
            .get(hit.entity)
            .ok()
            .and_then(|(pickable, _)| pickable);
        if pickable.is_none_or(|pickable| pickable.should_block_lower) {
            break;
        }
        filter = filter.excluding(hit.entity);
    }
    hits
}
