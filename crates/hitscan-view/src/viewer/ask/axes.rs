//! Intervals of t in which a moving box and what it hits overlap along each separating axis: the last to
//! begin decides. They are the library's.

use crate::protocol::AxisReply;
use hitscan::explain::{AxisInterval, SeparatingAxis, SweepIntervals};
use hitscan::{Primitive, ShapeCast, ShapeHit, Snapshot, TriangleId};

/// The axes of a moving box and of the box or the triangle that it hits; shapes with a radius have none.
pub(super) fn axes(world: &Snapshot, cast: &ShapeCast, hit: &ShapeHit) -> Option<Vec<AxisReply>> {
    let SweepIntervals::Axes(found) = world.sweep_intervals(cast, hit.object?, hit.triangle)?
    else {
        return None;
    };
    let whose = match cast.shape() {
        Primitive::Aabb(_) => "",
        _ => "own ",
    };
    let is_triangle = hit.triangle.and_then(TriangleId::number).is_some();
    // Of boxes side by side the obstacle's faces are the shape's, and say nothing new.
    let is_first = |(place, interval): &(usize, &AxisInterval)| {
        let mut before = found.axes[..*place].iter();
        !before
            .any(|one| one.direction == interval.direction || one.direction == -interval.direction)
    };
    let reply = |(place, interval): (usize, &AxisInterval)| {
        let within = interval
            .t
            .filter(|&[enter, leave]| enter <= 1.0 && leave >= 0.0);
        // Ends beyond the motion are not on its bar.
        let ends = within.filter(|&[enter, leave]| enter > 0.0 || leave < 1.0);
        AxisReply {
            name: name(interval.axis, whose, is_triangle),
            enter: ends.map(|[enter, _]| enter.max(0.0)),
            leave: ends.map(|[_, leave]| leave.min(1.0)),
            never: within.is_none(),
            decides: found.decides == Some(place),
        }
    };
    let axes = found.axes.iter().enumerate().filter(is_first);
    Some(axes.map(reply).collect())
}

/// What an axis is called beside its bar: `y`, `own y` of a turned box, `triangle's normal`, `x × edge
/// v0-v1`, say.
fn name(axis: SeparatingAxis, whose: &str, is_triangle: bool) -> String {
    let own = |axis: u8| format!("{whose}{}", letter(axis));
    match axis {
        SeparatingAxis::ShapeFace(axis) => own(axis),
        SeparatingAxis::ObstacleFace(_) if is_triangle => "triangle's normal".to_owned(),
        SeparatingAxis::ObstacleFace(axis) => format!("obstacle {}", letter(axis)),
        SeparatingAxis::Edges { shape, obstacle } => {
            let other = match is_triangle {
                true => format!("edge v{obstacle}-v{}", (obstacle + 1) % 3),
                false => format!("obstacle {}", letter(obstacle)),
            };
            format!("{} × {other}", own(shape))
        }
        other => other.sentence(),
    }
}

fn letter(axis: u8) -> &'static str {
    ["x", "y", "z"][usize::from(axis % 3)]
}
