//! Ballistic arcs against a posed model as a whole, in the model's space.
//!
//! Each corner of a part is taken into the model once, in f64, and arcs are exact on those.

use super::PosedModel;
use crate::narrow_phase::arc_cast::arc::BallisticArc;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::parallel::answers_of;
use crate::{RayCastSettings, RayHit};

impl PosedModel {
    /// The first hit of `arc`, which is in the model's space; of equal t the lowest part index, then the lowest
    /// triangle; see [`TriMesh::cast_arc`](crate::TriMesh::cast_arc).
    ///
    /// Parts that the arc comes near are deformed as a whole.
    #[must_use]
    pub fn cast_arc(
        &self,
        arc: &BallisticArc,
        settings: impl Into<RayCastSettings>,
    ) -> Option<RayHit> {
        self.first_arc_hit(arc, settings.into())
    }

    fn first_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> Option<RayHit> {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray(&ray, settings);
        }
        let mut search = ArcSearch::nearest(arc, settings);
        self.placed_parts().search_arc(&mut search);
        search.into_best()
    }

    /// Whether `arc` hits anything.
    #[must_use]
    pub fn cast_arc_any(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> bool {
        self.is_arc_hit(arc, settings.into())
    }

    fn is_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> bool {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray_any(&ray, settings);
        }
        let mut search = ArcSearch::any(arc, settings);
        self.placed_parts().search_arc(&mut search);
        search.is_hit()
    }

    /// [`PosedModel::cast_arc`] for each arc, in order; on the threads of rayon's current pool where the
    /// feature `parallel` is on.
    #[must_use]
    pub fn cast_arcs(
        &self,
        arcs: &[BallisticArc],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        let settings = settings.into();
        answers_of(arcs, |arc| self.first_arc_hit(arc, settings))
    }

    /// [`PosedModel::cast_arc_any`] for each arc, in order; on threads as [`PosedModel::cast_arcs`].
    #[must_use]
    pub fn cast_arcs_any(
        &self,
        arcs: &[BallisticArc],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<bool> {
        let settings = settings.into();
        answers_of(arcs, |arc| self.is_arc_hit(arc, settings))
    }
}
