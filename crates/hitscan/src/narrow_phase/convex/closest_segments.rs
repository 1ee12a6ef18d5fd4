//! Closest points of point-segment and segment-segment pairs, in f64.
//!
//! Points are interpolated between ends by weights from 0 to 1, so that each is on its segment up to rounding.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9.

use glam::DVec3;

/// Closest points of two cores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closest {
    pub(crate) on_obstacle: DVec3,
    pub(crate) on_shape: DVec3,
    pub(crate) feature: Feature,
}

/// The feature of the cores' Minkowski difference that is nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Feature {
    Corner,
    /// An edge with this direction.
    Edge(DVec3),
    /// A face with this normal, of any length and sign.
    Face(DVec3),
}

impl Closest {
    pub(super) fn swapped(self) -> Self {
        Self {
            on_obstacle: self.on_shape,
            on_shape: self.on_obstacle,
            feature: self.feature,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn squared(&self) -> f64 {
        (self.on_shape - self.on_obstacle).length_squared()
    }

    pub(super) fn or_nearer(self, other: Self) -> Self {
        if other.squared() < self.squared() {
            other
        } else {
            self
        }
    }

    /// The vector from the obstacle to the shape, as accurate as the feature allows.
    pub(crate) fn offset(&self) -> DVec3 {
        let offset = self.on_shape - self.on_obstacle;
        match self.feature {
            Feature::Face(normal) => {
                let along = normal.dot(offset);
                normal * (along / normal.length_squared())
            }
            Feature::Corner | Feature::Edge(_) => offset,
        }
    }
}

impl Closest {
    /// The offset without the component along an edge that rounding the weight leaves: exactly
    /// perpendicular to an edge along an axis.
    pub(crate) fn square_offset(&self) -> DVec3 {
        let offset = self.offset();
        match self.feature {
            Feature::Edge(edge) => edge.cross(offset.cross(edge)) / edge.length_squared(),
            Feature::Corner | Feature::Face(_) => offset,
        }
    }

    pub(super) fn shifted(self, shift: DVec3) -> Self {
        Self {
            on_obstacle: self.on_obstacle + shift,
            on_shape: self.on_shape + shift,
            feature: self.feature,
        }
    }
}

/// The closest points of a segment (the obstacle) and a point.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn point_segment(point: DVec3, [p, q]: [DVec3; 2]) -> Closest {
    let edge = q - p;
    let along = edge.dot(point - p);
    let squared = edge.length_squared();
    let (on_obstacle, feature) = if along <= 0.0 {
        (p, Feature::Corner)
    } else if along >= squared {
        (q, Feature::Corner)
    } else {
        (p + edge * (along / squared), Feature::Edge(edge))
    };
    Closest {
        on_obstacle,
        on_shape: point,
        feature,
    }
}

/// The closest points of two segments.
pub(super) fn segments(obstacle: [DVec3; 2], shape: [DVec3; 2]) -> Closest {
    if let Some(found) = lines(obstacle, shape) {
        return found;
    }
    let ([p, q], [r, s]) = (obstacle, shape);
    let by_shape = point_segment(r, obstacle).or_nearer(point_segment(s, obstacle));
    let by_obstacle = point_segment(p, shape).or_nearer(point_segment(q, shape));
    by_shape.or_nearer(by_obstacle.swapped())
}

/// The closest points of two segments' lines, where both are inner ones.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn lines([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> Option<Closest> {
    let (u, v, w) = (q - p, s - r, r - p);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    let of_u = w.cross(v).dot(normal);
    let of_v = w.cross(u).dot(normal);
    let are_inner =
        squared > 0.0 && of_u >= 0.0 && of_u <= squared && of_v >= 0.0 && of_v <= squared;
    are_inner.then(|| Closest {
        on_obstacle: p + u * (of_u / squared),
        on_shape: r + v * (of_v / squared),
        feature: Feature::Face(normal),
    })
}
