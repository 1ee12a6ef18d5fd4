//! The samples of several terrains as those of one map: where several have one at the same x and z, that of
//! the first which is no hole counts.

use super::radius_query::{Circle, Wanted, lines_within};
use super::sampled_ground;
use crate::WorkLimit;
use crate::height_field::HeightField;
use crate::height_field::height::ground::Ground;
use crate::height_field::storage::grid::Lines;
use glam::Vec2;

/// What terrains have within a circle, as one map: its highest sample, and the first terrain that has
/// that; or the mean of its samples, and the first terrain that has one.
///
/// # Accuracy
/// As of one terrain; a mean is summed terrain by terrain, in order.
pub(crate) fn sampled_as_one(
    fields: &[&HeightField],
    (point, radius): (Vec2, f64),
    (wanted, limit): (Wanted, Option<&WorkLimit<'_>>),
) -> (Ground, usize) {
    let Some(circle) = Circle::around(point, radius) else {
        return (Ground::Outside, 0);
    };
    let (mut is_on_map, mut is_any) = (false, false);
    let mut highest: Option<(f64, usize)> = None;
    let mut mean = Mean::default();
    for (place, field) in fields.iter().enumerate() {
        let found = field.tally_within(circle, (wanted, limit));
        is_on_map |= field.is_over(circle);
        is_any |= found.is_any;
        if found.tally.count == 0 {
            continue;
        }
        let own = Own {
            field,
            before: &fields[..place],
            circle,
            limit,
        };
        match wanted {
            Wanted::Mean => {
                let all = (found.tally.sum, found.tally.count);
                let (sum, count) = own.sum(all);
                mean.add((field.grid.origin[1], sum), count, place);
            }
            Wanted::Max => {
                let is_higher = |y: f64| highest.is_none_or(|(best, _)| y > best);
                if !is_higher(field.grid.y(found.tally.max)) {
                    continue;
                }
                let y = own.highest(found.tally.max).map(|max| field.grid.y(max));
                if let Some(y) = y.filter(|y| is_higher(*y)) {
                    highest = Some((y, place));
                }
            }
        }
    }
    let found = match wanted {
        Wanted::Mean => mean.of_all(),
        Wanted::Max => highest,
    };
    let (y, place) = found.unzip();
    (sampled_ground(y, is_on_map, is_any), place.unwrap_or(0))
}

impl HeightField {
    /// Whether the answer of what is sampled within a radius may be other than outside.
    pub(crate) fn may_have_samples(&self, point: Vec2, radius: f64) -> bool {
        let (x_lines, z_lines) = (self.grid.x_lines(), self.grid.z_lines());
        Circle::around(point, radius).is_some_and(|circle| {
            let radius = circle.radius_squared.sqrt();
            let reaches = |lines: &Lines, at: f64| lines_within(lines, at, radius).is_some();
            self.is_over(circle) || reaches(&x_lines, circle.x) && reaches(&z_lines, circle.z)
        })
    }
}

/// A sum of y, about the origin of the first terrain that has any.
#[derive(Default)]
struct Mean {
    first: Option<(f64, usize)>,
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, (origin, sum): (f64, f64), count: u32, place: usize) {
        if count == 0 {
            return;
        }
        let (base, _) = *self.first.get_or_insert((origin, place));
        self.sum += sum + f64::from(count) * (origin - base);
        self.count += u64::from(count);
    }

    fn of_all(&self) -> Option<(f64, usize)> {
        let (base, place) = self.first?;
        Some((base + self.sum / self.count as f64, place))
    }
}

/// The samples of a terrain within a circle, beside those of the terrains before it.
struct Own<'a> {
    field: &'a HeightField,
    before: &'a [&'a HeightField],
    circle: Circle,
    /// A step is a row that is looked through.
    limit: Option<&'a WorkLimit<'a>>,
}

impl Own<'_> {
    /// Visits the samples that one of the terrains before has, too.
    fn for_each_repeated(&self, visit: &mut dyn FnMut(f32)) {
        let Some([within_x, within_z]) = self.within() else {
            return;
        };
        let grid = &self.field.grid;
        for (place, other) in self.before.iter().enumerate() {
            let [columns, rows] = [
                shared(&grid.x_lines(), within_x, &other.grid.x_lines()),
                shared(&grid.z_lines(), within_z, &other.grid.z_lines()),
            ];
            for &(row, z) in &rows {
                if self.is_ended() {
                    return;
                }
                for &(column, x) in &columns {
                    if let Some(height) = self.field.sample(column, row)
                        && self.circle.holds(x, z)
                        && has_sample(other, x, z)
                        && !self.before[..place].iter().any(|one| has_sample(one, x, z))
                    {
                        visit(height);
                    }
                }
            }
        }
    }

    /// The sum of the samples that no terrain before has and their number, given those of all.
    fn sum(&self, (of_all, all): (f64, u32)) -> (f64, u32) {
        let (mut sum, mut count, mut taken) = (of_all, all, 0.0);
        self.for_each_repeated(&mut |height| {
            sum -= f64::from(height);
            taken += f64::from(height).abs();
            count -= 1;
        });
        // Less than 2^-16 of what was taken away is left: the roundings of `of_all` might show.
        if taken > 0.0 && sum.abs() * 65_536.0 < taken {
            (sum, count) = (0.0, 0);
            self.for_each_own(&mut |height| {
                sum += f64::from(height);
                count += 1;
            });
        }
        (sum, count)
    }

    /// The highest sample that no terrain before has, given the highest of all.
    fn highest(&self, of_all: f32) -> Option<f32> {
        let mut is_repeated = false;
        self.for_each_repeated(&mut |height| is_repeated |= height == of_all);
        if !is_repeated {
            return Some(of_all);
        }
        let mut highest: Option<f32> = None;
        self.for_each_own(&mut |height| {
            if highest.is_none_or(|highest| height > highest) {
                highest = Some(height);
            }
        });
        highest
    }

    /// Visits the samples that no terrain before has.
    fn for_each_own(&self, visit: &mut dyn FnMut(f32)) {
        let Some([[west, east], [north, south]]) = self.within() else {
            return;
        };
        let (x_lines, z_lines) = (self.field.grid.x_lines(), self.field.grid.z_lines());
        for row in north..=south {
            if self.is_ended() {
                return;
            }
            let z = z_lines.at(row);
            for column in west..=east {
                let x = x_lines.at(column);
                if let Some(height) = self.field.sample(column, row)
                    && self.circle.holds(x, z)
                    && !self.before.iter().any(|one| has_sample(one, x, z))
                {
                    visit(height);
                }
            }
        }
    }

    /// The first and the last column, and row, that may be within the circle.
    fn within(&self) -> Option<[[usize; 2]; 2]> {
        let (grid, circle) = (&self.field.grid, self.circle);
        let radius = circle.radius_squared.sqrt();
        Some([
            lines_within(&grid.x_lines(), circle.x, radius)?,
            lines_within(&grid.z_lines(), circle.z, radius)?,
        ])
    }

    fn is_ended(&self) -> bool {
        self.limit.is_some_and(|limit| limit.step().is_break())
    }
}

/// Whether a terrain has a sample with a height at exactly this x and z.
fn has_sample(field: &HeightField, x: f64, z: f64) -> bool {
    let (column, row) = (
        field.grid.x_lines().index_of(x),
        field.grid.z_lines().index_of(z),
    );
    let sample = column.zip(row);
    sample.is_some_and(|(column, row)| field.sample(column, row).is_some())
}

/// The lines of a grid from one to another that another grid has too: the index of each, and where it is.
fn shared(own: &Lines, [from, to]: [usize; 2], other: &Lines) -> Vec<(usize, f64)> {
    // The middle of the other's lines, and half of what they are wide.
    let (middle, half) = (
        f64::midpoint(other.first(), other.end()),
        0.5 * (other.end() - other.first()),
    );
    let Some([first, last]) = lines_within(own, middle, half) else {
        return Vec::new();
    };
    let lines = (first.max(from)..=last.min(to)).map(|index| (index, own.at(index)));
    lines
        .filter(|(_, at)| other.index_of(*at).is_some())
        .collect()
}
