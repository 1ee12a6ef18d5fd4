//! The mouse and the keyboard, as the window's own messages.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent};

/// Writes what winit would.
#[derive(SystemParam)]
pub(super) struct Input<'w, 's> {
    window: Single<'w, 's, Entity, With<PrimaryWindow>>,
    all: MessageWriter<'w, WindowEvent>,
    moves: MessageWriter<'w, CursorMoved>,
    buttons: MessageWriter<'w, MouseButtonInput>,
    keys: MessageWriter<'w, KeyboardInput>,
}

impl Input<'_, '_> {
    /// Moves the pointer to a place in the window, in pixels.
    pub(super) fn move_to(&mut self, position: Vec2) {
        let message = CursorMoved {
            window: *self.window,
            position,
            delta: None,
        };
        self.all.write(WindowEvent::CursorMoved(message.clone()));
        self.moves.write(message);
    }

    /// Presses or releases the left button.
    pub(super) fn click(&mut self, state: ButtonState) {
        let message = MouseButtonInput {
            button: MouseButton::Left,
            state,
            window: *self.window,
        };
        self.all.write(WindowEvent::MouseButtonInput(message));
        self.buttons.write(message);
    }

    /// Presses or releases F1.
    pub(super) fn f1(&mut self, state: ButtonState) {
        let message = KeyboardInput {
            key_code: KeyCode::F1,
            logical_key: Key::F1,
            state,
            text: None,
            repeat: false,
            window: *self.window,
        };
        self.all.write(WindowEvent::KeyboardInput(message.clone()));
        self.keys.write(message);
    }
}
