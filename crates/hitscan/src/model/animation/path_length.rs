//! Bounds on the lengths of points' paths while a transform is interpolated, and the boxes that hold paths by their
//! ends.

use super::rotation_stretch::RotationStretch;
use crate::Aabb;
use core::f64::consts::{FRAC_1_SQRT_2, PI};
use glam::{DMat3, DQuat, DVec3};

/// What is added to a length for what is lost in computing it, relative to it.
const LOSSES: f64 = 1e-9;

/// A bound on the length of the path of a point of a space, while the space's transform is interpolated: `fixed`, and
/// `per_metre` times the distance of the point from the space's origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathLength {
    fixed: f64,
    per_metre: f64,
}

impl PathLength {
    /// The paths between two transforms, neither of which stretches by more than `stretch`.
    ///
    /// The place of a point is `translation + rotation * stretch * point`: the translation and the stretch go straight,
    /// and the rotation turns what is stretched by their angle.
    pub(crate) fn between(from: &RotationStretch, to: &RotationStretch, stretch: f64) -> Self {
        let stretched = frobenius_norm(&(to.stretch - from.stretch));
        Self {
            fixed: (to.translation - from.translation).length(),
            per_metre: angle_bound(from.rotation, to.rotation) * stretch + stretched,
        }
    }

    /// Of a space within this one, whose own paths in it are `own`: this one stretches them by `stretch` at most.
    /// `distance` is that of the own space's origin from this one's, `own_stretch` what the own space is stretched by,
    /// each at most.
    pub(crate) fn then(
        &self,
        stretch: f64,
        own: &Self,
        (distance, own_stretch): (f64, f64),
    ) -> Self {
        Self {
            fixed: stretch * own.fixed + self.fixed + self.per_metre * distance,
            per_metre: stretch * own.per_metre + self.per_metre * own_stretch,
        }
    }

    /// The length of the path of a point within `radius` of the space's origin.
    pub(crate) fn of_radius(&self, radius: f64) -> f64 {
        self.fixed + self.per_metre * radius
    }

    /// A box that holds paths which begin in the one box, end in the other, and are no longer than `length`, or `None`
    /// where f32 has none. Ends may be off by `margin`.
    ///
    /// Along each axis a point of such a path is no farther from both of its ends together than the path is long.
    pub(crate) fn around((from, to): (&Aabb, &Aabb), length: f64, margin: f64) -> Option<Aabb> {
        let length = DVec3::splat(length * (1.0 + LOSSES) + 2.0 * margin);
        let min = (from.min().as_dvec3() + to.min().as_dvec3() - length) / 2.0;
        let max = (from.max().as_dvec3() + to.max().as_dvec3() + length) / 2.0;
        let limit = f64::from(f32::MAX);
        let fits =
            (min.is_finite() && max.is_finite()) && min.abs().max(max.abs()).max_element() < limit;
        fits.then(|| Aabb::around_f64([min, max])).flatten()
    }
}

/// The angle between two rotations along the shorter arc, or a little more: at most π / √8 times it, where it is small,
/// and exact for half a turn.
///
/// With `c` the distance of the quaternions, the angle is `4 asin(c / 2)`, of an argument from 0 to √½, where the arc
/// sine is below the chord to that end.
fn angle_bound(from: DQuat, to: DQuat) -> f64 {
    let chord = (to - from).length().min((to + from).length());
    chord * (PI * FRAC_1_SQRT_2)
}

/// The square root of the sum of squares: no smaller than the largest stretch, convex, and the same
/// whatever rotation is taken out.
pub(in crate::model) fn frobenius_norm(matrix: &DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length_squared);
    (x + y + z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::normalized;
    use crate::test_rng::Rng;
    use glam::DAffine3;

    fn point(rng: &mut Rng, span: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| rng.uniform(-span, span)))
    }

    fn transform(rng: &mut Rng, near: &DAffine3, change: f64) -> DAffine3 {
        let turn = [(); 3].map(|()| rng.uniform(-change, change));
        let turn = normalized(DQuat::from_xyzw(turn[0], turn[1], turn[2], 1.0));
        let scale = DVec3::ONE + point(rng, 0.5 * change.min(1.0));
        DAffine3::from_scale_rotation_translation(scale, turn, point(rng, change)) * *near
    }

    /// The larger of the bounds of both ends, by the exact largest stretch of none: of the Frobenius norm.
    fn stretch(a: &DAffine3, b: &DAffine3) -> f64 {
        frobenius_norm(&a.matrix3).max(frobenius_norm(&b.matrix3))
    }

    /// Paths of points in a space within a space, cut into a thousand pieces, are no longer than the bound, and stay
    /// in the box; and the bound is not much longer.
    #[test]
    fn paths_are_bounded_and_held_by_their_ends() {
        let mut rng = Rng(77);
        let mut ratios = Vec::new();
        for round in 0..400 {
            let change = [1e-3, 0.05, 0.5, 3.0][round % 4];
            let outer = transform(&mut rng, &DAffine3::IDENTITY, 2.0);
            let inner = transform(&mut rng, &DAffine3::IDENTITY, 2.0);
            let outer = [outer, transform(&mut rng, &outer, change)];
            let inner = [inner, transform(&mut rng, &inner, change)];
            let parts = [outer, inner].map(|ends| ends.map(|end| RotationStretch::new(&end)));
            let stretches = [stretch(&outer[0], &outer[1]), stretch(&inner[0], &inner[1])];
            let own = PathLength::between(&parts[1][0], &parts[1][1], stretches[1]);
            let far = inner[0]
                .translation
                .length()
                .max(inner[1].translation.length());
            let path = PathLength::between(&parts[0][0], &parts[0][1], stretches[0]).then(
                stretches[0],
                &own,
                (far, stretches[1]),
            );
            let q = point(&mut rng, 2.0);
            let at = |alpha: f64| {
                let [outer, inner] = [&parts[0], &parts[1]].map(|[a, b]| a.toward(b, alpha));
                outer.transform_point3(inner.transform_point3(q))
            };
            let bound = path.of_radius(q.length());
            let ends = [0.0, 1.0].map(|alpha| Aabb::around_f64([at(alpha)]).unwrap());
            let held = PathLength::around((&ends[0], &ends[1]), bound, 0.0).unwrap();
            let (mut length, mut before) = (0.0, at(0.0));
            for step in 1..=1_000 {
                let now = at(f64::from(step) / 1_000.0);
                length += (now - before).length();
                before = now;
                let (min, max) = (held.min().as_dvec3(), held.max().as_dvec3());
                assert!(
                    min.cmple(now).all() && now.cmple(max).all(),
                    "{now} {held:?}"
                );
            }
            assert!(length <= bound, "{length} {bound}");
            ratios.push(bound / length);
        }
        ratios.sort_by(f64::total_cmp);
        assert!(ratios[200] < 12.0, "{}", ratios[200]);
    }

    #[test]
    fn angles_are_bounded_closely_where_they_are_small() {
        for angle in [0.0, 1e-12, 1e-3, 0.5, 2.0, 3.1] {
            let half = angle / 2.0;
            let to = DQuat::from_xyzw(0.0, libm::sin(half), 0.0, libm::cos(half));
            for to in [to, -to] {
                let bound = angle_bound(DQuat::IDENTITY, to);
                assert!(
                    bound >= angle && bound <= 1.12 * angle + 1e-15,
                    "{angle} {bound}"
                );
            }
        }
    }
}
