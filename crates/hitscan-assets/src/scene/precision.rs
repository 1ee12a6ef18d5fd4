//! The precision check of a scene: a warning where it is so far from the origin that positions in f32
//! lose millimetres.

use glam::DVec3;
use hitscan::Aabb;
use hitscan::height_field::Grid;

/// The box around where a scene's objects are placed: of a model its origin, so that no triangle has
/// to be computed.
#[derive(Debug, Default)]
pub(super) struct Placements {
    corners: Option<[DVec3; 2]>,
}

impl Placements {
    pub(super) fn add(&mut self, point: impl Into<DVec3>) {
        let point = point.into();
        let [min, max] = self.corners.unwrap_or([point; 2]);
        self.corners = Some([min.min(point), max.max(point)]);
    }

    pub(super) fn add_grid(&mut self, grid: &Grid) {
        let y = grid.origin[1];
        self.add(DVec3::new(grid.x(0), y, grid.z(0)));
        self.add(DVec3::new(
            grid.x(grid.columns - 1),
            y,
            grid.z(grid.rows - 1),
        ));
    }

    /// The box; `None` without objects.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        let [min, max] = self.corners?.map(|corner| corner.as_vec3());
        Aabb::new(min, max).ok()
    }
}

/// From here on neighbouring f32 are more than 1 mm apart: 2^-9 m, about 2 mm.
const COARSE: f32 = 16384.0;

/// What to say of a scene without an origin whose objects are within `bounds`; `None` where f32 is
/// fine enough.
pub(super) fn coarse_warning(bounds: Option<Aabb>) -> Option<String> {
    let bounds = bounds?;
    let [min, max] = [bounds.min(), bounds.max()];
    // Heights hardly come from afar.
    let size = min.abs().max(max.abs());
    let farthest = size.x.max(size.z);
    if farthest < COARSE {
        return None;
    }
    let step_mm = (farthest.next_up() - farthest) * 1000.0;
    // Whole kilometres near the middle, as easting, height and northing (which runs against z).
    let middle = (min * 0.5 + max * 0.5) / 1000.0;
    let [x, y, z] = middle.round().to_array().map(|km| f64::from(km) * 1000.0);
    Some(format!(
        "positions reach {farthest} m, where those of tables and answers (f32) are {step_mm} mm \
         apart. Give the scene's positions relative to a point near them and say which, such as \
         `[world]` with `origin = [{x:?}, {y:?}, {:?}]` (easting, height, northing): it is taken \
         off the x, y and z of tables in f64, which may also have the columns easting, northing and \
         height. `origin = [0.0, 0.0, 0.0]` leaves \
         everything as it is",
        0.0 - z
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_two_to_the_fourteen_metres_on_there_is_a_warning() {
        let warning =
            |min: [f32; 3], max: [f32; 3]| coarse_warning(Some(Aabb::new(min, max).unwrap()));
        assert_eq!(coarse_warning(None), None);
        assert_eq!(warning([-16383.0; 3], [16383.0; 3]), None);
        let text = warning(
            [500_000.0, 0.0, -6_200_400.0],
            [500_100.0, 9.0, -6_199_900.0],
        )
        .unwrap();
        assert!(
            text.contains("`origin = [500000.0, 0.0, 6200000.0]`"),
            "{text}"
        );
        assert!(text.contains("500 mm apart"), "{text}");
        assert!(warning([0.0; 3], [1.0, 1.0, 16384.0]).is_some());
    }
}
