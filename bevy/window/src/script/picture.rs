//! The screenshot, and the check that it shows the triangle under the pointer.

use super::report::Report;
use crate::highlight;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use std::path::PathBuf;

/// How far from the pointer the triangle's colour is looked for, pixels.
const REACH: u32 = 40;

/// The least number of pixels there that have it.
const LEAST: usize = 30;

/// Saves what the window shows in this frame.
pub(super) fn take(commands: &mut Commands, path: PathBuf, pointer: UVec2) {
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut report: ResMut<Report>| {
            let picture = match captured.image.clone().try_into_dynamic() {
                Ok(picture) => picture.to_rgb8(),
                Err(error) => {
                    report.fail(format!("the screenshot is no picture: {error}"));
                    return;
                }
            };
            let wanted = highlight::COLOR.to_u8_array_no_alpha();
            let pixels = picture.enumerate_pixels();
            let lit = pixels.filter(|(x, y, pixel)| {
                let is_near = x.abs_diff(pointer.x) <= REACH && y.abs_diff(pointer.y) <= REACH;
                let mut channels = pixel.0.into_iter().zip(wanted);
                is_near && channels.all(|(found, wanted)| found.abs_diff(wanted) <= 3)
            });
            report.lit_pixels = lit.count();
            if report.lit_pixels < LEAST {
                let lit = report.lit_pixels;
                report.fail(format!(
                    "{lit} pixels of the screenshot around {pointer} have the highlight's colour"
                ));
            }
            if let Err(error) = picture.save(&path) {
                report.fail(format!("{} was not saved: {error}", path.display()));
            }
            report.is_pictured = true;
        },
    );
}
