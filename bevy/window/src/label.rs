//! The label beside the pointer: the joint, the entity and the distance of what it is over.

use crate::pointed::{Pointed, point};
use bevy::picking::pointer::{PointerId, PointerLocation};
use bevy::prelude::*;

/// How far beside the pointer it is, pixels.
const OFFSET: Vec2 = Vec2::new(18.0, 14.0);

#[derive(Component)]
pub(crate) struct Label;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, show.after(point));
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Text::new("F1: gizmos    drag the slider, or [ and ]: rewind"),
        TextFont::from_font_size(15.0),
        TextColor(Color::WHITE),
        TextShadow {
            offset: Vec2::splat(1.0),
            ..default()
        },
        Node {
            position_type: PositionType::Absolute,
            top: px(12),
            left: px(14),
            ..default()
        },
        Pickable::IGNORE,
    ));
    commands.spawn((
        Label,
        Text::default(),
        TextFont::from_font_size(15.0),
        TextColor(Color::WHITE),
        BackgroundColor(Color::srgba(0.08, 0.09, 0.12, 0.85)),
        Node {
            position_type: PositionType::Absolute,
            padding: UiRect::axes(px(8), px(5)),
            border_radius: BorderRadius::all(px(4)),
            ..default()
        },
        Visibility::Hidden,
        Pickable::IGNORE,
    ));
}

pub(crate) fn show(
    pointed: Res<Pointed>,
    names: Query<&Name>,
    parents: Query<&ChildOf>,
    pointers: Query<(&PointerId, &PointerLocation)>,
    label: Single<(&mut Text, &mut Node, &mut Visibility), With<Label>>,
) {
    let (mut text, mut node, mut visibility) = label.into_inner();
    let mouse = pointers.iter().find(|(id, _)| **id == PointerId::Mouse);
    let place = mouse.and_then(|(_, place)| place.location());
    let (Some(hit), Some(place)) = (&pointed.hit, place) else {
        *visibility = Visibility::Hidden;
        return;
    };
    let [x, y] = (place.position + OFFSET).to_array();
    (node.left, node.top) = (px(x), px(y));
    *visibility = Visibility::Visible;
    let around = [hit.entity].into_iter();
    let mut around = around.chain(parents.iter_ancestors(hit.entity));
    let of_whole = around.find_map(|entity| names.get(entity).ok());
    let of_whole = of_whole.map_or("unnamed", Name::as_str);
    let of_joint = hit.joint.and_then(|joint| names.get(joint).ok());
    let what = match of_joint {
        Some(joint) => format!("{joint} of {of_whole}"),
        None => of_whole.to_owned(),
    };
    text.0 = format!(
        "{what}\nentity {}, triangle {}, {:.2} m",
        hit.entity, hit.triangle, hit.distance
    );
}
