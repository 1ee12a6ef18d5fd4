//! Shots drawn over a picture: each line in the colour and with the sign of what it means, what lies
//! behind surfaces dotted.
//!
//! Lines are cut into pieces of a few pixels, and a ray of the library tells of each piece whether the
//! camera sees it; all pieces of all shots are cast together.

use crate::Image;
use crate::painter::Painter;
use crate::pen::{Pattern, Pen};
use crate::role::Role;
use crate::shot::Shot;
use crate::shot_marks::{Mark, Stage};
use glam::{DVec2, DVec3};
use hitscan::Ray;

/// The length of the pieces of a line that are tested for visibility, pixels.
const PIECE: f64 = 3.0;

/// How far before a place a line of sight to it ends, a part of its length: a line on a surface is not
/// behind it.
const SIGHT_BIAS: f32 = 1.0 / 256.0;

/// Draws shots over a picture that the painter has painted.
///
/// Hits are blue and solid with a full dot, misses vermilion and dashed with an open arrow, shapes that
/// overlap something at the start purple and hatched, approximate hits orange with square ticks, and
/// normals yellow arrows ([`Role`]); lines have a dark casing, and are dotted where they lie behind
/// what is shown.
///
/// ```
/// use hitscan::{Ray, Sphere, World};
/// use hitscan_picture::{PictureOptions, Painter, RenderOptions, Shot, draw_shots, render};
/// use std::sync::atomic::AtomicBool;
/// let mut world = World::new();
/// world.add(Sphere::new([0.0, 1.0, 0.0], 1.0)?);
/// world.update();
/// let cancel = AtomicBool::new(false);
/// let mut image = render(world.now(), &RenderOptions::new([64, 36], &cancel))?;
/// let before = image.clone();
/// let painter = Painter::new(world.now(), &PictureOptions::new([64, 36]))?;
/// let ray = Ray::new([-1.0, 1.0, 2.0], [1.0, 0.0, 0.0])?;
/// draw_shots(&mut image, &painter, &[Shot::Ray { ray, hit: None }]);
/// assert_ne!(image, before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw_shots(image: &mut Image, painter: &Painter<'_>, shots: &[Shot]) {
    let stage = painter.stage();
    let marks: Vec<Mark> = shots.iter().flat_map(|shot| stage.marks(shot)).collect();
    let brush = Brush::new(image, &stage);
    let lines = marks.iter().map(|mark| brush.pieces(image, mark));
    let lines: Vec<Vec<Piece>> = lines.collect();
    let rays: Vec<Ray> = lines
        .iter()
        .flatten()
        .filter_map(|piece| piece.sight)
        .collect();
    let mut hidden = painter.are_hidden(&rays).into_iter();
    for pieces in lines {
        let seen = pieces.into_iter().map(|piece| {
            let is_hidden = piece.sight.is_some() && hidden.next().unwrap_or(false);
            (piece, is_hidden)
        });
        brush.draw_line(image, &seen.collect::<Vec<_>>());
    }
    for mark in &marks {
        brush.draw_sign(image, mark);
    }
}

/// A piece of a line, and the line of sight to its middle.
struct Piece {
    ends: [DVec2; 2],
    sight: Option<Ray>,
    pen: Pen,
}

struct Brush<'a> {
    stage: &'a Stage,
    /// Pixels for one pixel of a picture 720 high.
    unit: f64,
}

impl<'a> Brush<'a> {
    fn new(image: &Image, stage: &'a Stage) -> Self {
        let unit = (f64::from(image.height()) / 720.0).clamp(0.75, 4.0);
        Self { stage, unit }
    }

    fn pen(&self, role: Role, width: f64) -> Pen {
        Pen {
            color: role.color(),
            width: width * self.unit,
            pattern: match role {
                Role::Miss => Pattern::Dashed,
                Role::Past => Pattern::Dotted,
                Role::Hit | Role::Overlap | Role::March | Role::Normal => Pattern::Solid,
            },
        }
    }

    /// The pieces of a mark that is a line.
    fn pieces(&self, image: &Image, mark: &Mark) -> Vec<Piece> {
        let (places, pen) = match mark {
            Mark::Line(role, places) => (places, self.pen(*role, 2.4)),
            Mark::Edge(role, places) => {
                let pattern = Pattern::Solid;
                let pen = self.pen(*role, 1.4);
                (places, Pen { pattern, ..pen })
            }
            _ => return Vec::new(),
        };
        let segments = places.windows(2).filter_map(|pair| {
            let ends = self.stage.projector.ahead([pair[0], pair[1]])?;
            Some(self.segment(image, ends, pen))
        });
        segments.flatten().collect()
    }

    fn segment(&self, image: &Image, ends: [DVec3; 2], pen: Pen) -> Vec<Piece> {
        let projector = &self.stage.projector;
        let [from, to] = ends.map(|end| projector.pixel(end));
        let Some([enter, leave]) = image.crossed([from, to]) else {
            return Vec::new();
        };
        let length = (to - from).length() * (leave - enter);
        let count = (length / (PIECE * self.unit)).ceil().clamp(1.0, 4096.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and 4096"
        )]
        let numbers = 0..count as u32;
        let pieces = numbers.map(|number| {
            let part = |number: f64| enter + (leave - enter) * number / count;
            let number = f64::from(number);
            let middle = projector.between(ends, part(number + 0.5));
            let eye = projector.eye_for(middle);
            let sight = Ray::between(eye.as_vec3(), middle.as_vec3());
            Piece {
                ends: [number, number + 1.0].map(|number| from.lerp(to, part(number))),
                sight: sight
                    .and_then(|sight| sight.with_range(0.0, 1.0 - SIGHT_BIAS))
                    .ok(),
                pen,
            }
        });
        pieces.collect()
    }

    /// Draws the pieces of a line that are all seen, or all hidden, as one.
    fn draw_line(&self, image: &mut Image, pieces: &[(Piece, bool)]) {
        for hidden in [true, false] {
            let joined = |(a, was): &(Piece, bool), (b, is): &(Piece, bool)| {
                was == is && a.ends[1] == b.ends[0]
            };
            for run in pieces.chunk_by(joined).filter(|run| run[0].1 == hidden) {
                let first = run[0].0.ends[0];
                let ends = run.iter().map(|(piece, _)| piece.ends[1]);
                let points: Vec<DVec2> = std::iter::once(first).chain(ends).collect();
                let pen = run[0].0.pen;
                let pen = match hidden {
                    true => Pen {
                        width: pen.width * 0.7,
                        pattern: Pattern::Dotted,
                        ..pen
                    },
                    false => pen,
                };
                pen.line(image, &points);
            }
        }
    }

    /// Draws what of a mark is no line through the world.
    fn draw_sign(&self, image: &mut Image, mark: &Mark) {
        let unit = self.unit;
        match mark {
            Mark::Line(Role::March, places) => self.ticks(image, places),
            Mark::Line(..) | Mark::Edge(..) => {}
            Mark::Outline(role, places) => {
                let pattern = Pattern::Solid;
                let pen = self.pen(*role, 1.4);
                let mut outline = self.outline(places);
                outline.extend(outline.first().copied());
                Pen { pattern, ..pen }.line(image, &outline);
            }
            Mark::Hatch(role, places) => {
                let outline = self.outline(places);
                self.pen(*role, 1.6).hatch(image, &outline, 7.0 * unit);
            }
            Mark::Dot(role, place) => {
                if let Some(at) = self.pixel(*place) {
                    self.pen(*role, 1.0).dot(image, at, 4.2 * unit);
                }
            }
            Mark::Ring(role, place) => {
                if let Some(at) = self.pixel(*place) {
                    self.pen(*role, 2.0).ring(image, at, 4.5 * unit);
                }
            }
            Mark::Arrow(role, ends) => {
                if let Some([from, tip]) = self.pixels(*ends) {
                    let pen = self.pen(*role, 2.4);
                    pen.open_arrow(image, from, tip, 10.0 * unit);
                }
            }
            Mark::Normal(place, normal) => self.normal(image, *place, *normal),
        }
    }

    /// An arrow of a fixed length in the picture where it is not foreshortened.
    fn normal(&self, image: &mut Image, place: DVec3, normal: DVec3) {
        let length = 34.0 * self.unit * self.stage.projector.pixel_at(place);
        let Some([from, tip]) = self.pixels([place, place + normal * length]) else {
            return;
        };
        let pen = self.pen(Role::Normal, 2.0);
        let head = (10.0 * self.unit).min(0.6 * (tip - from).length());
        pen.line(image, &[from, tip.lerp(from, 0.15)]);
        pen.full_arrow(image, from, tip, head);
    }

    /// Square ticks along a line.
    fn ticks(&self, image: &mut Image, places: &[DVec3]) {
        let pen = self.pen(Role::March, 1.0);
        for pair in places.windows(2) {
            let Some([from, to]) = self.pixels([pair[0], pair[1]]) else {
                continue;
            };
            let Some([enter, leave]) = image.crossed([from, to]) else {
                continue;
            };
            let step = 22.0 * self.unit / (to - from).length().max(1e-9);
            let mut part = (enter / step).ceil() * step;
            while part <= leave {
                pen.square(image, from.lerp(to, part), 3.2 * self.unit);
                part += step;
            }
        }
    }

    /// The convex outline of places in the picture; empty where one is behind the eye.
    fn outline(&self, places: &[DVec3]) -> Vec<DVec2> {
        let pixels: Option<Vec<DVec2>> = places.iter().map(|place| self.pixel(*place)).collect();
        pixels.map_or_else(Vec::new, convex_outline)
    }

    fn pixel(&self, place: DVec3) -> Option<DVec2> {
        let projector = &self.stage.projector;
        projector.ahead([place, place])?;
        Some(projector.pixel(place))
    }

    fn pixels(&self, ends: [DVec3; 2]) -> Option<[DVec2; 2]> {
        let projector = &self.stage.projector;
        Some(projector.ahead(ends)?.map(|end| projector.pixel(end)))
    }
}

/// The corners of the convex hull in order.
///
/// Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information
/// Processing Letters 9(5), 1979.
fn convex_outline(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut points.iter().copied());
    outline.extend(half(&mut points.iter().rev().copied()));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::PictureOptions;
    use crate::view::{View, Viewpoint};
    use glam::Vec3;
    use hitscan::{Aabb, World};

    #[test]
    fn a_convex_outline_has_the_outer_points() {
        let points = [
            [0.0, 0.0],
            [4.0, 0.0],
            [2.0, 1.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [2.0, 0.0],
        ];
        let outline = convex_outline(points.map(DVec2::from).into());
        assert_eq!(outline.len(), 4);
        assert!(!outline.contains(&DVec2::new(2.0, 1.0)));
        assert_eq!(convex_outline(vec![DVec2::ONE; 5]), [DVec2::ONE]);
    }

    /// How many pixels of a row are about as blue as a hit, in a picture of a wall from z = 0 on with
    /// the line of a ray at this z.
    fn blue(z: f32) -> usize {
        let mut world = World::new();
        world.add(Aabb::new([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]).unwrap());
        world.update();
        let options = PictureOptions {
            viewpoint: Viewpoint::At(View {
                eye: DVec3::new(0.0, 0.0, 10.0),
                target: DVec3::ZERO,
            }),
            ..PictureOptions::new([120, 80])
        };
        let painter = Painter::new(world.now(), &options).unwrap();
        let mut image = Image::new(120, 80, vec![Vec3::splat(0.5); 9600]).unwrap();
        let ray = Ray::new([-3.0, 0.0, z], [1.0, 0.0, 0.0]).unwrap();
        let hit = hitscan::Sphere::new([4.0, 0.0, z], 1.0).unwrap();
        let hit = hit.cast_ray(&ray, hitscan::Sides::Both);
        draw_shots(&mut image, &painter, &[Shot::Ray { ray, hit }]);
        let color = Role::Hit.color();
        let row = (0..120).filter_map(|x| image.pixel(x, 40));
        row.filter(|pixel| (*pixel - color).abs().max_element() < 0.2)
            .count()
    }

    #[test]
    fn what_lies_behind_a_surface_is_dotted() {
        let (before, behind) = (blue(1.0), blue(-2.0));
        assert!(before > 30, "{before} pixels before the wall");
        assert!(
            4 * behind < 3 * before,
            "{behind} of {before} pixels behind the wall"
        );
        assert!(behind > 5, "{behind} pixels behind the wall");
    }
}
