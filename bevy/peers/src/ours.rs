//! The plugin.

use crate::crowd::OfBody;
use crate::measure::timed;
use crate::threads::cast_all;
use crate::truth::Answer;
use bevy_app::App;
use bevy_ecs::error::BevyError;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_shape::Ray3d;

/// The schedule of the plugin, which nothing runs by itself, so that its time is known.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Aside;

/// The plugin, syncing only where it is told to.
pub(crate) fn plugin() -> HitscanPlugin {
    HitscanPlugin::default().in_schedule(Aside).bake_blocking()
}

/// Milliseconds of a sync.
pub(crate) fn sync(app: &mut App) -> f64 {
    timed(|| HitscanWorld::sync_now(app.world_mut())).1
}

/// The nearest hits, and the milliseconds that they took.
pub(crate) fn cast(app: &mut App, rays: &[Ray3d]) -> Result<(Vec<Answer>, f64), BevyError> {
    let mut state = SystemState::<(Hitscan, Query<&OfBody>)>::new(app.world_mut());
    let (hitscan, bodies) = state.get(app.world())?;
    let filter = HitscanFilter::new();
    let (hits, ms) = timed(|| match rays {
        [ray] => vec![hitscan.cast_ray(*ray, &filter)],
        rays => hitscan.cast_rays(rays, &filter),
    });
    let answer = |hit: EntityHit<_>| Some((bodies.get(hit.entity).ok()?.0, hit.distance));
    let answers = hits.into_iter().map(|hit| hit.and_then(answer));
    Ok((answers.collect(), ms))
}

/// The nearest hits, each at a tick of its own, and the milliseconds that they took.
pub(crate) fn cast_at(app: &mut App, rays: &[(Ray3d, f64)]) -> Result<(Vec<bool>, f64), BevyError> {
    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world())?;
    let filter = HitscanFilter::new();
    Ok(timed(|| {
        cast_all(rays, |(ray, tick)| {
            let past = hitscan.at(*tick);
            past.is_some_and(|past| past.cast_ray(*ray, &filter).is_some())
        })
    }))
}
