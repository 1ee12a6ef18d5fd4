//! The highest of several terrains at each of many points, without what is of its triangles.

use hitscan::HeightField;
use hitscan::glam::Vec2;

/// The height of the highest of `terrains` at each point (x, z), and the key of that terrain; of equally high
/// ones the first answers. `None` where none has a height.
///
/// ```
/// use hitscan::{HeightField, glam::Vec2, height_field::Grid};
/// let flat = |height| HeightField::new(Grid::new(2, 2, [1.0; 2]), vec![height; 4]);
/// let (low, high) = (flat(1.0)?, flat(2.0)?);
/// let points = [Vec2::new(0.5, 0.5), Vec2::new(5.0, 0.5)];
/// let highest = hitscan_ask::highest_terrain(&[("low", &low), ("high", &high)], &points);
/// assert_eq!(highest, [Some((2.0, "high")), None]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn highest_terrain<K: Copy>(
    terrains: &[(K, &HeightField)],
    points: &[Vec2],
) -> Vec<Option<(f32, K)>> {
    let mut highest: Vec<Option<(f32, K)>> = vec![None; points.len()];
    let mut heights = vec![None; points.len()];
    for (key, field) in terrains {
        field.elevations_into(points, &mut heights);
        for (best, height) in highest.iter_mut().zip(&heights) {
            if let Some(height) = *height
                && best.is_none_or(|(best, _)| height > best)
            {
                *best = Some((height, *key));
            }
        }
    }
    highest
}
