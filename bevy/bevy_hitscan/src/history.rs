//! The history: the world as it was at earlier ticks of the game.

use crate::HitscanWorld;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;

/// Keeps what the world was at the last ticks, for [`Hitscan::at`](crate::Hitscan::at).
///
/// Each run of [`HitscanSystems::Record`](crate::HitscanSystems::Record) records the world under the number in
/// [`HitscanTick`], which the game counts. A run under the number of the last one records nothing; a number before
/// it begins a new history.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_hitscan::prelude::*;
/// let mut app = App::new();
/// app.add_plugins((
///     HitscanPlugin::default().in_schedule(FixedPostUpdate),
///     HitscanHistoryPlugin { ticks: 64 },
/// ));
/// app.add_systems(FixedPreUpdate, |mut tick: ResMut<HitscanTick>| tick.0 += 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HitscanHistoryPlugin {
    /// How many ticks are kept.
    pub ticks: usize,
}

/// The game's own tick, at which the history is queried.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[reflect(Resource, Default, Debug, PartialEq, Clone)]
pub struct HitscanTick(pub u64);

impl Plugin for HitscanHistoryPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<HitscanTick>()
            .init_resource::<HitscanTick>();
        let mut state = app.world_mut().get_resource_or_init::<HitscanWorld>();
        state.history_ticks = self.ticks;
        state.world.keep_history(self.ticks);
    }
}

/// Records the world as the last sync left it.
pub(crate) fn record(mut state: ResMut<HitscanWorld>, tick: Option<Res<HitscanTick>>) {
    let Some(tick) = tick.filter(|_| state.history_ticks > 0) else {
        return;
    };
    let last = state.world.history().map(|kept| *kept.end());
    if last == Some(tick.0) {
        return;
    }
    if last > Some(tick.0) {
        let ticks = state.history_ticks;
        state.world.keep_history(0);
        state.world.keep_history(ticks);
    }
    // A tick beyond 2^53 is refused, and there the history ends.
    if state.world.record(tick.0).is_ok()
        && let Some(kept) = state.world.history()
    {
        state
            .departed
            .retain(|_, departed| departed.last_tick >= *kept.start());
    }
}
