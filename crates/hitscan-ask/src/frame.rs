//! The coordinates in which a scene's tables may name positions.

use hitscan_assets::Scene;
use hitscan_table::{AxisAlias, AxisMap, Frame};

/// The frame of tables about `scene`: `x y z` are the world's, and `easting height northing` (in a
/// scene in degrees `lon height lat`) those of its map, as
/// [`MapFrame`](hitscan_assets::georeference::MapFrame) lays down. `None` for a scene that has no
/// map.
///
/// ```
/// use hitscan_ask::{Axis, table_frame};
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-frame-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[world]\norigin = [500000.0, 0.0, 6200000.0]\n")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let frame = table_frame(&scene).unwrap();
/// let northing = frame.alias(Axis::Z).unwrap();
/// assert_eq!((northing.name.as_str(), northing.map.to_world(6_199_990.0)), ("northing", 10.0));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn table_frame(scene: &Scene) -> Option<Frame> {
    let map = scene.frame()?;
    let names = map.axis_names();
    let [east, north] = map.metres_per_unit();
    let metres = [east, 1.0, -north];
    let alias = |axis: usize| {
        Some(AxisAlias {
            name: names[axis].to_owned(),
            map: AxisMap {
                zero: map.origin()[axis],
                metres_per_unit: metres[axis],
            },
        })
    };
    Some(Frame {
        origin: [0.0; 3],
        aliases: [alias(0), alias(1), alias(2)],
    })
}
