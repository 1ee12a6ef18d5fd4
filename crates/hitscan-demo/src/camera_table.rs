//! The `[camera]` of the demo's scene files.

use glam::DVec3;
use hitscan_picture::View;

/// The angle of the demo's pictures from their lower to their upper edge, degrees: the default of
/// `hitscan render`.
pub const FOV_DEGREES: f64 = 50.0;

/// A view as the table of a scene file, with an empty line before it.
pub(crate) fn camera_table(view: View) -> String {
    let [eye, look] = [view.eye, view.target].map(|point| point.to_array());
    format!("\n[camera]\neye = {eye:?}\nlook = {look:?}\nfov = {FOV_DEGREES:?}\n")
}

/// The point, rounded.
pub(crate) fn to_centimetres(point: DVec3) -> DVec3 {
    (point * 100.0).round() / 100.0
}
