//! The coordinates in which a scene's tables may name positions.

use hitscan_assets::Scene;
use hitscan_table::{Axis, AxisAlias, AxisMap, ForeignAxis, Frame};

/// The frame of tables about `scene`: `easting height northing` (in a scene in degrees `lon height
/// lat`) are those of its map, and `x y z` the world's, off by the origin that the scene states, as
/// [`MapFrame`](hitscan_assets::georeference::MapFrame) lays down. In a scene without a map `x y z`
/// are all there is.
///
/// ```
/// use hitscan_ask::{Axis, table_frame};
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-frame-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[world]\norigin = [500000.0, 0.0, 6200000.0]\n")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let frame = table_frame(&scene);
/// let northing = frame.alias(Axis::Z).unwrap();
/// assert_eq!((northing.name.as_str(), northing.map.to_world(6_199_990.0)), ("northing", 10.0));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn table_frame(scene: &Scene) -> Frame {
    let Some(map) = scene.frame() else {
        let advice = "the scene has no map coordinates: it needs `georeferenced = true` on a \
                      terrain (`--georeferenced` for a height map in place of a scene), or \
                      `[world]` with `origin = [E, H, N]`";
        return Frame {
            foreign: foreign(&[PROJECTED, GEOGRAPHIC].concat(), advice),
            ..Frame::at([0.0; 3])
        };
    };
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
    let system = match map.crs() {
        Some(crs) => format!("{crs}, in {}", crs.unit),
        None => "in metres".to_owned(),
    };
    let (names, coordinates) = if map.is_geographic() {
        (PROJECTED, "projected coordinates")
    } else {
        (GEOGRAPHIC, "degrees (such as EPSG:4326)")
    };
    let advice = format!(
        "the scene's map is another system ({system}), and nothing is reprojected here: reproject \
         the table from {coordinates} to that system first"
    );
    Frame {
        origin: map.table_offset(),
        aliases: [alias(0), alias(1), alias(2)],
        foreign: foreign(&names, &advice),
    }
}

/// All frames that [`table_frame`] may return for a scene that is not loaded yet, as far as the names of
/// columns go: those of no map, of a projected one, and of one in degrees.
#[must_use]
pub fn possible_frames() -> [Frame; 3] {
    let of_map = |names: [(Axis, &str); 2]| {
        let alias = |name: &str| {
            Some(AxisAlias {
                name: name.to_owned(),
                map: AxisMap {
                    zero: 0.0,
                    metres_per_unit: 1.0,
                },
            })
        };
        let mut frame = Frame::at([0.0; 3]);
        frame.aliases = [alias(names[0].1), alias("height"), alias(names[1].1)];
        // North is -z, which decides what the names of a box's ends are.
        if let Some(north) = &mut frame.aliases[2] {
            north.map.metres_per_unit = -1.0;
        }
        frame
    };
    [Frame::at([0.0; 3]), of_map(PROJECTED), of_map(GEOGRAPHIC)]
}

/// Names of x and z in projected and in geographic coordinates.
const PROJECTED: [(Axis, &str); 2] = [(Axis::X, "easting"), (Axis::Z, "northing")];
const GEOGRAPHIC: [(Axis, &str); 2] = [(Axis::X, "lon"), (Axis::Z, "lat")];

fn foreign(names: &[(Axis, &str)], advice: &str) -> Vec<ForeignAxis> {
    let name = |&(axis, name): &(Axis, &str)| ForeignAxis {
        axis,
        name: name.to_owned(),
        advice: advice.to_owned(),
    };
    names.iter().map(name).collect()
}
