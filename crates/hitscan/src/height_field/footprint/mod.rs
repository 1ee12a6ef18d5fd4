//! The ground under a footprint: a disc or a rectangle on the surface itself, not its samples.
//!
//! Blocks of cells that are wholly inside are taken from a pyramid of their moments (`pyramid.rs`), which
//! is made for the first query of a footprint; triangles at the rim are clipped (`region.rs`,
//! `polygon.rs`, `disc.rs`).

mod moments;
mod slope;
mod polygon;
mod disc;
mod region;
mod pyramid;
mod one_map;

use super::HeightField;
use crate::exact::expansion::nearest_f32;
use crate::shape::unit_vector::unit;
use crate::{Error, ObjectId, WorkLimit};
use glam::{DMat2, DVec2, DVec3, Vec2, Vec3};
use moments::Moments;
pub(crate) use one_map::footprint_as_one;
pub(super) use pyramid::MomentPyramid;
use pyramid::{block_cells, block_ends, middle, triangles};
use region::{Placement, Region};

/// The largest size and coordinate of a footprint, metres.
const MAX_SIZE: f64 = 1e18;

/// A disc or a rectangle on the ground, seen from above.
///
/// ```
/// use hitscan::height_field::{Footprint, Grid};
/// use hitscan::HeightField;
/// // A slope that rises by half a metre a metre towards +x.
/// let heights = [0.0, 0.5, 1.0, 1.5, 2.0].repeat(5);
/// let field = HeightField::new(Grid::new(5, 5, [1.0, 1.0]), heights)?;
/// let ground = field.footprint(&Footprint::disc([2.0, 2.0], 1.5)?).ok().expect("it is on the map");
/// assert_eq!((ground.height, ground.min, ground.max, ground.coverage), (1.0, 0.25, 1.75, 1.0));
/// assert!((ground.slope - 0.5_f32.atan()).abs() < 1e-6);
/// // Half of this one is off the map.
/// let car = Footprint::rectangle([0.0, 2.0], [1.0, 0.5], 0.0)?;
/// assert_eq!(field.footprint(&car).ok().map(|ground| ground.coverage), Some(0.5));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    center: DVec2,
    region: Region,
}

impl Footprint {
    /// All within `radius` metres of a point (x, z).
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a centre that is NaN or infinite, [`Error::BadValue`] for a radius that
    /// is not above 0, or beyond 1e18.
    pub fn disc(center: impl Into<Vec2>, radius: impl Into<f64>) -> Result<Self, Error> {
        let radius = size("footprint radius", radius.into())?;
        Ok(Self {
            center: center_of(center.into())?,
            region: Region::Disc { radius },
        })
    }

    /// The rectangle around a point (x, z) with these half sizes, metres, turned by `angle` radians about
    /// +Y: its first side points to (cos, 0, -sin).
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a centre or an angle that is NaN or infinite, [`Error::BadValue`] for a
    /// half size that is not above 0, or beyond 1e18.
    pub fn rectangle(
        center: impl Into<Vec2>,
        half_sizes: [impl Into<f64>; 2],
        angle: impl Into<f64>,
    ) -> Result<Self, Error> {
        let (half_sizes, angle) = (half_sizes.map(Into::into), angle.into());
        if !angle.is_finite() {
            return Err(Error::NotFinite {
                what: "footprint angle",
                found: angle,
            });
        }
        let [x, z] = half_sizes;
        let half = DVec2::new(
            size("footprint half size", x)?,
            size("footprint half size", z)?,
        );
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        Ok(Self {
            center: center_of(center.into())?,
            region: Region::Rectangle {
                half,
                own_from_world: DMat2::from_cols_array(&[cosine, sine, -sine, cosine]),
            },
        })
    }
}

fn size(what: &'static str, found: f64) -> Result<f64, Error> {
    if found > 0.0 && found <= MAX_SIZE {
        return Ok(found);
    }
    Err(Error::BadValue {
        what,
        expected: "above 0 and at most 1e18",
        found,
    })
}

fn center_of(center: Vec2) -> Result<DVec2, Error> {
    match center.to_array().into_iter().find(|x| !x.is_finite()) {
        Some(found) => Err(Error::NotFinite {
            what: "footprint centre",
            found: f64::from(found),
        }),
        None => Ok(center.as_dvec2()),
    }
}

/// What is under a footprint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FootprintSample {
    /// Ground, as far as there is any.
    Ground(FootprintGround),
    /// No ground, but a map reaches under it: all is holes.
    Hole,
    /// No map reaches under it with area.
    Outside,
}

impl FootprintSample {
    /// The ground, if there is any.
    #[must_use]
    pub fn ok(self) -> Option<FootprintGround> {
        match self {
            Self::Ground(ground) => Some(ground),
            Self::Hole | Self::Outside => None,
        }
    }
}

/// The ground under a footprint.
///
/// Its least-squares plane is that with the smallest mean squared difference in height.
///
/// # Accuracy
/// `height`, `min`, `max` and `plane` are within one ulp of f32 of the exact values, or 2^-36 of the
/// largest |y| and of the largest difference in height under the footprint, whichever is more;
/// `coverage` is within 2^-20. `plane`, `normal` and `slope` (1e-6) where `coverage` is 0.01 or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FootprintGround {
    /// The mean height over the ground's area, seen from above, metres.
    pub height: f32,
    /// The upward unit normal of the least-squares plane.
    pub normal: Vec3,
    /// The terrain, where a world was queried.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The smallest height.
    pub min: f32,
    /// The largest height.
    pub max: f32,
    /// The plane's angle to the horizontal, radians.
    pub slope: f32,
    /// The plane's height at the footprint's middle.
    pub plane: f32,
    /// The ground's area over the footprint's, 0 to 1.
    pub coverage: f32,
}

impl HeightField {
    /// The ground under a footprint: all triangles that are no holes, as far as they are under it.
    ///
    /// The first footprint makes a pyramid of moments, 88 bytes for 16 samples (about 6 bytes a sample),
    /// which edits keep up to date. The cost grows with the footprint's rim.
    #[must_use]
    pub fn footprint(&self, footprint: &Footprint) -> FootprintSample {
        self.footprint_within(footprint, None)
    }

    /// As [`HeightField::footprint`], as far as a limit lets it: a step is a block that the rim goes through.
    pub(crate) fn footprint_within(
        &self,
        footprint: &Footprint,
        limit: Option<&WorkLimit<'_>>,
    ) -> FootprintSample {
        let sum = self.moments_under(footprint, limit, &[]);
        if sum.area > 0.0 {
            return FootprintSample::Ground(ground(footprint, &sum));
        }
        self.without_ground(footprint)
    }

    /// Whether the map reaches under a footprint that has no ground.
    fn without_ground(&self, footprint: &Footprint) -> FootprintSample {
        let (x, z) = (self.grid.x_lines(), self.grid.z_lines());
        let corners = [
            (x.first(), z.first()),
            (x.end(), z.first()),
            (x.end(), z.end()),
            (x.first(), z.end()),
        ]
        .map(DVec2::from);
        let own = footprint.region.own_from_world();
        let map = corners.map(|corner| own * (corner - footprint.center));
        if footprint.region.clip(&map, [0.0; 3]).area > 0.0 {
            FootprintSample::Hole
        } else {
            FootprintSample::Outside
        }
    }

    /// The moments of what is under a footprint, but for the cells that have ground in one of `before`.
    fn moments_under(
        &self,
        footprint: &Footprint,
        limit: Option<&WorkLimit<'_>>,
        before: &[&Self],
    ) -> Moments {
        let pyramid = self.moments.get_or_init(|| MomentPyramid::new(self));
        let mut sum = Moments::NOTHING;
        let asked = Asked {
            footprint,
            limit,
            before,
        };
        self.add_block(&asked, pyramid, (pyramid.top(), 0, 0), &mut sum);
        sum
    }

    /// Adds what of a block is under the footprint; the recursion is as deep as the pyramid is high.
    fn add_block(
        &self,
        asked: &Asked<'_>,
        pyramid: &MomentPyramid,
        (level, column, row): (usize, usize, usize),
        sum: &mut Moments,
    ) {
        let block = pyramid.block(level, column, row);
        if block.area == 0.0 {
            return;
        }
        let Footprint { center, region } = asked.footprint;
        let ends = block_ends(&self.grid, level, column, row);
        match region.place(ends.map(|end| end - *center)) {
            Placement::Outside => return,
            Placement::Inside if !asked.may_repeat(&ends) => {
                let own = region.own_from_world();
                let way = own * (middle(&ends) - *center);
                *sum = sum.plus(&block.turned(&own).moved(way));
                return;
            }
            _ if (asked.limit).is_some_and(|limit| limit.step().is_break()) => return,
            Placement::Inside | Placement::Across => {}
        }
        let [columns, rows] = block_cells(&self.grid, level, column, row);
        let Some(below) = level.checked_sub(1) else {
            for row in rows {
                for column in columns.clone() {
                    self.add_cell(asked, [column, row], sum);
                }
            }
            return;
        };
        let size = block_cells(&self.grid, below, 0, 0).map(|cells| cells.end.max(1));
        let blocks = |cells: &core::ops::Range<usize>, size: usize| {
            cells.start / size..cells.end.div_ceil(size)
        };
        for row in blocks(&rows, size[1]) {
            for column in blocks(&columns, size[0]) {
                self.add_block(asked, pyramid, (below, column, row), sum);
            }
        }
    }

    fn add_cell(&self, asked: &Asked<'_>, [column, row]: [usize; 2], sum: &mut Moments) {
        let Footprint { center, region } = asked.footprint;
        let cell = self.cell(column, row);
        let ends = [0, 1].map(|end: usize| DVec2::new(cell.x[end], cell.z[end]) - *center);
        if region.place(ends) == Placement::Outside {
            return;
        }
        let own = region.own_from_world();
        for (half, at, y) in triangles(&cell) {
            if asked.repeats(&cell, half) {
                continue;
            }
            let part = region.clip(&at.map(|at| own * (at - *center)), y);
            if part.area > 0.0 {
                *sum = sum.plus(&part);
            }
        }
    }
}

/// The query of one terrain.
struct Asked<'a> {
    footprint: &'a Footprint,
    limit: Option<&'a WorkLimit<'a>>,
    /// The terrains of one map whose ground goes before.
    before: &'a [&'a HeightField],
}

/// The answer of all that is under a footprint.
fn ground(footprint: &Footprint, sum: &Moments) -> FootprintGround {
    let area = sum.area;
    // A mean is between the extremes, whatever was rounded.
    let height = (sum.height / area).clamp(sum.low, sum.high);
    let centroid = sum.first / area;
    let [xx, xz, zz] = sum.second.map(|moment| moment / area);
    // The spread about the centroid, and how the height goes with it.
    let [xx, xz, zz] = [
        xx - centroid.x * centroid.x,
        xz - centroid.x * centroid.y,
        zz - centroid.y * centroid.y,
    ];
    let along = (sum.height_first - sum.first * height) / area;
    let determinant = xx * zz - xz * xz;
    let gradient =
        DVec2::new(along.x * zz - along.y * xz, along.y * xx - along.x * xz) / determinant;
    let gradient = if gradient.is_finite() {
        gradient
    } else {
        DVec2::ZERO
    };
    let plane = height - gradient.dot(centroid);
    let world = footprint.region.own_from_world().transpose() * gradient;
    let steepness = world.length();
    FootprintGround {
        height: nearest_f32(height),
        normal: unit(DVec3::new(-world.x, 1.0, -world.y)),
        object: None,
        user_data: 0,
        min: nearest_f32(sum.low),
        max: nearest_f32(sum.high),
        slope: nearest_f32(libm::atan(steepness)),
        plane: nearest_f32(plane),
        coverage: nearest_f32((area / footprint.region.area()).clamp(0.0, 1.0)),
    }
}
