//! The hit under the pointer: by picking now, and by a ray into the history where the slider says so.

use bevy::picking::backend::ray::RayMap;
use bevy::picking::pointer::{PointerId, PointerInteraction};
use bevy::prelude::*;
use bevy::ui_widgets::{Slider, SliderValue};
use bevy_hitscan::HitscanHit;
use bevy_hitscan::hitscan::ObjectId;
use bevy_hitscan::prelude::*;

/// What the pointer is over.
#[derive(Resource, Default)]
pub(crate) struct Pointed {
    /// The time of its ray, where that is not now.
    pub(crate) past: Option<f64>,
    pub(crate) hit: Option<PointedHit>,
}

/// The triangle that is hit.
#[derive(Debug)]
pub(crate) struct PointedHit {
    pub(crate) entity: Entity,
    pub(crate) object: ObjectId,
    pub(crate) triangle: u32,
    pub(crate) joint: Option<Entity>,
    pub(crate) distance: f32,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Pointed>().add_systems(Update, point);
}

#[expect(clippy::cast_precision_loss, reason = "ticks of an afternoon")]
pub(crate) fn point(
    slider: Single<&SliderValue, With<Slider>>,
    tick: Res<HitscanTick>,
    pointers: Query<(&PointerId, &PointerInteraction)>,
    rays: Res<RayMap>,
    hitscan: Hitscan,
    mut pointed: ResMut<Pointed>,
) {
    *pointed = Pointed::default();
    let ago = f64::from(-slider.0);
    if ago > 0.0 {
        pointed.past = Some(tick.0 as f64 - ago);
    }
    let mouse = pointers.iter().find(|(id, _)| **id == PointerId::Mouse);
    let nearest = mouse.and_then(|(_, interaction)| interaction.get_nearest_hit());
    if let Some(time) = pointed.past {
        // The slider and its like are in the present.
        let is_on_ui = nearest.is_some_and(|(_, hit)| hit.extra_as::<HitscanHit>().is_none());
        let ray = rays.iter().find(|(id, _)| id.pointer == PointerId::Mouse);
        if let (false, Some((_, ray)), Some(past)) = (is_on_ui, ray, hitscan.at(time)) {
            let hit = past.cast_ray(*ray, &HitscanFilter::new());
            pointed.hit = hit.and_then(|hit| {
                let detail = past.detail(&hit);
                Some(PointedHit {
                    entity: hit.entity,
                    object: hit.object?,
                    triangle: detail.triangle?,
                    joint: detail.joint,
                    distance: hit.distance,
                })
            });
        }
        return;
    }
    pointed.hit = nearest.and_then(|(entity, hit)| {
        let detail = hit.extra_as::<HitscanHit>()?;
        Some(PointedHit {
            entity: *entity,
            object: hitscan.world().object(*entity)?,
            triangle: detail.triangle?,
            joint: detail.joint,
            distance: hit.depth,
        })
    });
}
