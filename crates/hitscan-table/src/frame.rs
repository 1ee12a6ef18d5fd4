//! The coordinates of a table's positions beside those of the world, which are f32.
//!
//! A [`Frame`] has an origin, which is far from the world's, and other names for the axes, each
//! with its own linear map. All of it is worked out in f64 and rounded to f32 once. Which columns
//! are positions is the part of `column.rs`.

/// An axis of positions: x, y (up) or z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// To the right, or east.
    X,
    /// Up.
    Y,
    /// Towards the viewer, or south.
    Z,
}

/// A linear map between a table's values and the world's metres on one axis, in f64.
///
/// The difference comes first, so that values far from 0 lose nothing: with a factor of 1 or -1
/// it is the only rounding, and it is exact where value and zero are within a factor of two.
///
/// ```
/// use hitscan_table::AxisMap;
/// // Northings grow to the north, z to the south.
/// let northing = AxisMap { zero: 6_250_000.0, metres_per_unit: -1.0 };
/// assert_eq!(northing.to_world(6_250_012.25), -12.25);
/// assert_eq!(northing.to_table(-12.25), 6_250_012.25);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisMap {
    /// The table's value at the world's 0.
    pub zero: f64,
    /// How many metres of the world one unit of the table is; negative where they run against each
    /// other, and never 0.
    pub metres_per_unit: f64,
}

impl AxisMap {
    /// `(value - zero) * metres_per_unit`.
    #[must_use]
    pub fn to_world(self, value: f64) -> f64 {
        (value - self.zero) * self.metres_per_unit
    }

    /// Whether it changes no value, so that a table's numbers are the world's.
    #[must_use]
    pub fn is_identity(self) -> bool {
        self.zero == 0.0 && self.metres_per_unit == 1.0
    }

    /// `metres / metres_per_unit + zero`. Never -0.
    #[must_use]
    pub fn to_table(self, metres: f64) -> f64 {
        metres / self.metres_per_unit + self.zero + 0.0
    }
}

/// Another name of an axis, with its own map.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisAlias {
    /// The name, such as `easting`.
    pub name: String,
    /// How its values become metres of the world.
    pub map: AxisMap,
}

/// A name of an axis in coordinates that a frame does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignAxis {
    /// The axis.
    pub axis: Axis,
    /// The name, such as `lon`.
    pub name: String,
    /// What to say of a table that has it in place of a column that is needed.
    pub advice: String,
}

/// The coordinates of a table's positions.
///
/// With a frame positions are read as f64 and answered as f64; on an axis whose map changes no
/// value they are f32, as without one. A table may name an axis by its
/// alias in place of x, y or z: the column `ox` is then `easting`, and `min_x` is `min_easting`
/// (`max_easting` where the map has a negative factor, as that is the smaller x).
///
/// ```
/// use hitscan_table::{AxisAlias, AxisMap, Frame};
/// let origin = [500_000.0, 120.0, -6_250_000.0];
/// let alias = |name: &str, zero, metres_per_unit| {
///     let (name, map) = (name.to_owned(), AxisMap { zero, metres_per_unit });
///     Some(AxisAlias { name, map })
/// };
/// let frame = Frame {
///     origin,
///     aliases: [
///         alias("easting", 500_000.0, 1.0),
///         alias("height", 120.0, 1.0),
///         alias("northing", 6_250_000.0, -1.0),
///     ],
///     foreign: Vec::new(),
/// };
/// assert_eq!(frame.own_map(hitscan_table::Axis::X).to_world(500_001.5), 1.5);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What is taken off `x y z` in a table, and added to those of an answer.
    pub origin: [f64; 3],
    /// Other names of x, y and z.
    pub aliases: [Option<AxisAlias>; 3],
    /// Names that tables may have by mistake.
    pub foreign: Vec<ForeignAxis>,
}

impl Frame {
    /// A frame with an origin alone.
    #[must_use]
    pub fn at(origin: [f64; 3]) -> Self {
        Self {
            origin,
            aliases: [None, None, None],
            foreign: Vec::new(),
        }
    }

    /// The map of the columns that name an axis x, y or z.
    #[must_use]
    pub fn own_map(&self, axis: Axis) -> AxisMap {
        AxisMap {
            zero: self.origin[axis as usize],
            metres_per_unit: 1.0,
        }
    }

    /// The other name of an axis.
    #[must_use]
    pub fn alias(&self, axis: Axis) -> Option<&AxisAlias> {
        self.aliases[axis as usize].as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn millimetres_survive_far_from_the_origin() {
        let frame = Frame::at([1.0e7, 0.0, -6.0e6]);
        let map = frame.own_map(Axis::X);
        assert_eq!(
            map.to_world(10_000_000.001).to_bits(),
            (10_000_000.001_f64 - 1.0e7).to_bits()
        );
        assert_eq!(map.to_table(map.to_world(10_000_000.001)), 10_000_000.001);
        let zero = Frame::at([0.0; 3]).own_map(Axis::Y).to_table(-0.0);
        assert!(zero == 0.0 && zero.is_sign_positive());
    }
}
