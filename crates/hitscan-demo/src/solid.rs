//! Closed solids of triangles, made by lofting: rings of points joined along a path and capped.
//!
//! Every solid here is closed, and its triangles are counter-clockwise seen from outside.

use glam::{DMat3, DVec3};

/// A closed triangle mesh in metres.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Solid {
    pub(crate) positions: Vec<DVec3>,
    /// Counter-clockwise seen from outside.
    pub(crate) triangles: Vec<[u16; 3]>,
}

/// One cross-section of a loft.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ring {
    /// The section's middle.
    pub(crate) center: DVec3,
    /// Half its width along the section's first and second axis.
    pub(crate) half: [f64; 2],
}

/// The direction of a loft; its sections are perpendicular to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    /// Sections span x and y, the loft goes towards +z.
    Z,
    /// Sections span z and x, the loft goes towards +y.
    Y,
    /// Sections span y and z, the loft goes towards +x.
    X,
}

impl Along {
    /// The section's two axes and the loft's direction, right-handed.
    fn axes(self) -> DMat3 {
        match self {
            Self::X => DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
            Self::Y => DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y),
            Self::Z => DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::Z),
        }
    }
}

/// The outline of a loft's sections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outline {
    /// An ellipse of this many corners.
    Round(u16),
    /// A rectangle whose corners are cut off by this fraction of its half widths.
    Chamfered(f64),
}

impl Outline {
    /// Its points on the square from -1 to 1, counter-clockwise.
    fn points(self) -> Vec<[f64; 2]> {
        match self {
            Self::Round(count) => (0..count)
                .map(|index| {
                    let angle = std::f64::consts::TAU * (f64::from(index) + 0.5) / f64::from(count);
                    [libm::cos(angle), libm::sin(angle)]
                })
                .collect(),
            Self::Chamfered(cut) => {
                let near = 1.0 - cut;
                vec![
                    [1.0, -near],
                    [1.0, near],
                    [near, 1.0],
                    [-near, 1.0],
                    [-1.0, near],
                    [-1.0, -near],
                    [-near, -1.0],
                    [near, -1.0],
                ]
            }
        }
    }
}

impl Solid {
    /// Joins two rings or more, in their order along the direction, and closes both ends with a
    /// fan.
    pub(crate) fn loft(along: Along, outline: Outline, rings: &[Ring]) -> Self {
        let axes = along.axes();
        let outline = outline.points();
        let mut solid = Self::default();
        for ring in rings {
            for [a, b] in &outline {
                let across = DVec3::new(a * ring.half[0], b * ring.half[1], 0.0);
                solid.positions.push(ring.center + axes * across);
            }
        }
        let count = outline.len();
        for section in 0..rings.len().saturating_sub(1) {
            for corner in 0..count {
                let next = (corner + 1) % count;
                let [a, b] = [corner, next].map(|at| section * count + at);
                let [c, d] = [corner, next].map(|at| (section + 1) * count + at);
                solid.triangles.push([a, b, d].map(index));
                solid.triangles.push([a, d, c].map(index));
            }
        }
        if let [first, .., last] = rings {
            let [bottom, top] = [first, last].map(|ring| {
                solid.positions.push(ring.center);
                index(solid.positions.len() - 1)
            });
            let start_of_last = (rings.len() - 1) * count;
            for corner in 0..count {
                let next = (corner + 1) % count;
                solid.triangles.push([bottom, index(next), index(corner)]);
                solid.triangles.push([
                    top,
                    index(start_of_last + corner),
                    index(start_of_last + next),
                ]);
            }
        }
        solid
    }

    /// A box from `min` to `max` whose edges are cut off by `bevel` metres.
    pub(crate) fn bevelled_box(min: DVec3, max: DVec3, bevel: f64) -> Self {
        let middle = (min + max) / 2.0;
        let half = (max - min) / 2.0;
        let ring = |y: f64, inset: f64| Ring {
            center: DVec3::new(middle.x, y, middle.z),
            half: [half.z - inset, half.x - inset],
        };
        let cut = bevel / half.x.min(half.z);
        Self::loft(
            Along::Y,
            Outline::Chamfered(cut),
            &[
                ring(min.y, bevel),
                ring(min.y + bevel, 0.0),
                ring(max.y - bevel, 0.0),
                ring(max.y, bevel),
            ],
        )
    }

    /// A ball of `radius`, `count` corners around and half as many bands.
    pub(crate) fn ball(center: DVec3, radius: f64, count: u16) -> Self {
        let bands = count / 2;
        let rings: Vec<Ring> = (0..=bands)
            .map(|band| {
                // The outermost rings are small, not points, so that no triangle lacks area.
                let fraction = (f64::from(band) / f64::from(bands)).clamp(0.06, 0.94);
                let angle = std::f64::consts::PI * (1.0 - fraction);
                let wide = radius * libm::sin(angle);
                Ring {
                    center: center + DVec3::Y * (radius * libm::cos(angle)),
                    half: [wide, wide],
                }
            })
            .collect();
        Self::loft(Along::Y, Outline::Round(count), &rings)
    }

    /// Both solids as one mesh. They may intersect; each stays closed.
    pub(crate) fn with(mut self, other: Self) -> Self {
        let offset = self.positions.len();
        self.positions.extend(other.positions);
        let moved = other
            .triangles
            .iter()
            .map(|corners| corners.map(|corner| index(usize::from(corner) + offset)));
        self.triangles.extend(moved);
        self
    }
}

/// A vertex number as it is stored.
fn index(vertex: usize) -> u16 {
    u16::try_from(vertex).expect("a part of the robot has far fewer than 65536 vertices")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Asserts that each edge belongs to two triangles which use it in opposite directions, and
    /// that the volume is positive, so that the outside is out.
    #[track_caller]
    pub(crate) fn check_closed(solid: &Solid) {
        let mut edges = BTreeMap::new();
        let mut volume = 0.0;
        for corners in &solid.triangles {
            let [a, b, c] = corners.map(|corner| solid.positions[usize::from(corner)]);
            assert!((b - a).cross(c - a).length() > 1e-9, "no area: {corners:?}");
            volume += a.dot(b.cross(c)) / 6.0;
            for [from, to] in [[0, 1], [1, 2], [2, 0]] {
                *edges.entry((corners[from], corners[to])).or_insert(0) += 1;
            }
        }
        for (&(from, to), &count) in &edges {
            assert_eq!(count, 1, "edge {from} {to}");
            assert!(edges.contains_key(&(to, from)), "open edge {from} {to}");
        }
        assert!(volume > 0.0, "volume {volume}");
    }

    #[test]
    fn solids_are_closed_and_wound_outward() {
        let ring = |x: f64| Ring {
            center: DVec3::new(x, 1.0, -2.0),
            half: [0.5, 0.25],
        };
        for along in [Along::X, Along::Y, Along::Z] {
            let axis = along.axes().z_axis;
            let rings = [0.0, 1.0, 3.0].map(|t| Ring {
                center: axis * t,
                ..ring(0.0)
            });
            for outline in [Outline::Round(7), Outline::Chamfered(0.3)] {
                check_closed(&Solid::loft(along, outline, &rings));
            }
        }
        let cube = Solid::bevelled_box(DVec3::ONE, DVec3::splat(2.0), 0.1);
        let ball = Solid::ball(DVec3::X, 0.5, 10);
        check_closed(&cube);
        check_closed(&ball);
        check_closed(&cube.with(ball));
    }
}
