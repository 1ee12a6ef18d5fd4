//! The best contact of a search: its exact time, rounded down as late as possible, and whether a
//! neighbouring triangle makes its feature inactive.

use super::lower_bound::OVERLAP;
use super::prepared::{CastContact, Encounter, PreparedCast};
use crate::narrow_phase::contact::internal_edges::{ContactFeature, EdgeState, FeatureState};
use crate::narrow_phase::contact::triangle_source::{SourceTriangle, TriangleSource};

/// A triangle that is hit, and what is known of the contact.
pub(super) struct Best {
    pub(super) triangle: SourceTriangle,
    pub(super) encounter: Encounter,
    /// An enclosure of the key; one number once it was rounded exactly.
    pub(super) key: [f64; 2],
    feature: FeatureState,
    edge: EdgeState,
}

impl Best {
    pub(super) fn new(triangle: SourceTriangle, encounter: Encounter) -> Self {
        let key = match &encounter {
            Encounter::Overlap => [OVERLAP; 2],
            Encounter::Contact(contact) => contact.enclosure(),
        };
        Self {
            triangle,
            encounter,
            key,
            feature: FeatureState::default(),
            edge: EdgeState::default(),
        }
    }

    /// The feature, where f64 is certain of it.
    fn certain_feature(&mut self) -> Option<ContactFeature> {
        let (encounter, corners) = (&self.encounter, &self.triangle.corners);
        self.feature
            .certain(|| encounter.contact()?.certain_feature(corners))
    }

    /// Whether the shape certainly hits both at the same exact time: at the same edge or corner.
    ///
    /// The distance from that edge alone is convex in time too, and is the radius at both contacts,
    /// when it shrinks; that happens once.
    pub(super) fn is_simultaneous(&mut self, other: &mut Self) -> bool {
        match (self.certain_feature(), other.certain_feature()) {
            (Some(own), Some(others)) => own.is_same(&others),
            _ => false,
        }
    }

    /// The exact time rounded down, or [`OVERLAP`].
    pub(super) fn floor(&mut self) -> f64 {
        if let Encounter::Contact(contact) = &self.encounter
            && self.key[0] != self.key[1]
        {
            self.key = [contact.floor(); 2];
        }
        self.key[0]
    }

    /// Whether a neighbour that is hit at the same time makes the contact's feature inactive.
    pub(super) fn is_suppressed(
        &mut self,
        cast: &PreparedCast,
        source: &dyn TriangleSource,
    ) -> bool {
        let (encounter, corners) = (&self.encounter, &self.triangle.corners);
        let feature = &mut self.feature;
        self.edge.is_suppressed(|| {
            let Some(contact) = encounter.contact() else {
                return false;
            };
            let compare = |a, b| contact.compare_along_normal(a, b);
            let certain = feature.certain(|| contact.certain_feature(corners));
            let feature = certain.unwrap_or_else(|| ContactFeature::new(corners, &compare));
            feature.is_suppressed(source, &compare, &|other| cast.is_hit_with(other, contact))
        })
    }
}

impl Encounter {
    fn contact(&self) -> Option<&CastContact> {
        match self {
            Self::Overlap => None,
            Self::Contact(contact) => Some(contact),
        }
    }
}

impl PreparedCast<'_> {
    /// Whether another triangle than the contact's is hit at the same time.
    ///
    /// Enclosures of both times come first: times of the same floor have enclosures that overlap, as the
    /// ends are f64 and rounding down is monotone.
    fn is_hit_with(&self, other: &SourceTriangle, contact: &CastContact) -> bool {
        let [low, high] = contact.enclosure();
        if low > 0.0 {
            return match self.meet_triangle(other, high.next_up().min(1.0)) {
                None | Some(Encounter::Overlap) => false,
                Some(Encounter::Contact(met)) => {
                    let [first, last] = met.enclosure();
                    first <= high && low <= last && met.floor() == contact.floor()
                }
            };
        }
        // The way out of an overlap is that of a resting shape, whose neighbours only have to touch.
        if let CastContact::Stuck(_) = contact {
            return self.rests_against(other);
        }
        let floor = contact.floor();
        self.meet_triangle_at(other, floor).is_some()
    }

    /// How a triangle is hit, if that is at an exact time which rounds down to `floor`.
    pub(super) fn meet_triangle_at(
        &self,
        triangle: &SourceTriangle,
        floor: f64,
    ) -> Option<Encounter> {
        let encounter = self.meet_triangle(triangle, floor.next_up().min(1.0))?;
        let is_then = match &encounter {
            Encounter::Overlap => floor == 0.0,
            Encounter::Contact(contact) => {
                let [low, high] = contact.enclosure();
                low.next_down() <= floor && floor <= high && contact.floor() == floor
            }
        };
        is_then.then_some(encounter)
    }
}
