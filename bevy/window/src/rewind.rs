//! The rewind slider: how far in the past the pointer's ray is cast.

use crate::stage::HZ;
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::ui_widgets::{
    Slider, SliderPrecision, SliderRange, SliderThumb, SliderValue, TrackClick, slider_self_update,
};

/// How many ticks the slider goes back, and how many are kept.
pub(crate) const TICKS: u8 = 120;

const THUMB: f32 = 16.0;

/// Says in words where the slider is.
#[derive(Component)]
struct Caption;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, (step_by_keys, show));
}

fn spawn(mut commands: Commands) {
    let bar = Node {
        position_type: PositionType::Absolute,
        bottom: px(18),
        left: percent(20),
        right: percent(20),
        flex_direction: FlexDirection::Column,
        row_gap: px(6),
        ..default()
    };
    let bar = commands.spawn((bar, Pickable::IGNORE)).id();
    commands.spawn((
        Caption,
        Text::default(),
        TextFont::from_font_size(15.0),
        TextColor(Color::WHITE),
        TextShadow {
            offset: Vec2::splat(1.0),
            ..default()
        },
        Node {
            align_self: AlignSelf::Center,
            ..default()
        },
        Pickable::IGNORE,
        ChildOf(bar),
    ));
    let slider = (
        Slider {
            track_click: TrackClick::Snap,
            ..default()
        },
        SliderRange::new(-f32::from(TICKS) + 1.0, 0.0),
        SliderValue(0.0),
        SliderPrecision(0),
        Hovered::default(),
        Node {
            height: px(THUMB),
            justify_content: JustifyContent::Center,
            flex_direction: FlexDirection::Column,
            ..default()
        },
    );
    let rail = (
        Node {
            height: px(6),
            border_radius: BorderRadius::all(px(3)),
            ..default()
        },
        BackgroundColor(Color::srgba(0.1, 0.12, 0.15, 0.8)),
        Pickable::IGNORE,
    );
    // Shorter by the thumb, so that the thumb's place on it is the value's.
    let track = (
        Node {
            position_type: PositionType::Absolute,
            left: px(0),
            right: px(THUMB),
            top: px(0),
            bottom: px(0),
            ..default()
        },
        Pickable::IGNORE,
        children![(
            SliderThumb,
            Node {
                position_type: PositionType::Absolute,
                width: px(THUMB),
                height: px(THUMB),
                border_radius: BorderRadius::MAX,
                ..default()
            },
            BackgroundColor(Color::srgb(0.95, 0.75, 0.2)),
        )],
    );
    commands
        .spawn((slider, ChildOf(bar), children![rail, track]))
        .observe(slider_self_update);
}

/// By `[` and `]` it goes back and forth by one tick; the arrow keys move it once it was clicked.
fn step_by_keys(
    keys: Res<ButtonInput<KeyCode>>,
    slider: Single<(Entity, &SliderValue, &SliderRange), With<Slider>>,
    mut commands: Commands,
) {
    let step = [(KeyCode::BracketLeft, -1.0), (KeyCode::BracketRight, 1.0)];
    let step = step.into_iter().find(|(key, _)| keys.just_pressed(*key));
    if let Some((_, step)) = step {
        let (entity, value, range) = *slider;
        let value = range.clamp(value.0 + step);
        commands.entity(entity).insert(SliderValue(value));
    }
}

fn show(
    slider: Single<(&SliderValue, &SliderRange), With<Slider>>,
    mut thumb: Single<&mut Node, With<SliderThumb>>,
    mut caption: Single<&mut Text, With<Caption>>,
) {
    let (value, range) = *slider;
    thumb.left = percent(100.0 * range.thumb_position(value.0));
    let ago = -value.0;
    caption.0 = match ago {
        0.0 => "now".to_owned(),
        _ => format!("{ago:.0} ticks ago ({:.2} s)", ago / HZ),
    };
}
