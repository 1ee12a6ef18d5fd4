//! The neighbours that make a feature inactive.

use super::feature::{AlongNormal, ContactFeature};
use crate::narrow_phase::contact::triangle_source::{SourceTriangle, TriangleSource};
use core::ops::ControlFlow;

impl ContactFeature {
    /// Visits the triangles of an object that make the feature inactive, until `visit` breaks off.
    pub(crate) fn for_each_deactivating(
        &self,
        source: &dyn TriangleSource,
        compare: AlongNormal<'_>,
        visit: &mut dyn FnMut(SourceTriangle) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_face() {
            return ControlFlow::Continue(());
        }
        let at = self.corner();
        source.for_each_in(at, at, &mut |other| {
            if self.is_inactive_beside(&other.corners, compare) {
                visit(other)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Whether a triangle that `counts` makes the feature inactive, which suppresses the contact.
    pub(crate) fn is_suppressed(
        &self,
        source: &dyn TriangleSource,
        compare: AlongNormal<'_>,
        counts: &dyn Fn(&SourceTriangle) -> bool,
    ) -> bool {
        let found = self.for_each_deactivating(source, compare, &mut |other| {
            if counts(&other) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }
}
