//! The state of a contact's feature in a search: looked for only where contacts tie.

use super::feature::ContactFeature;

/// Whether a contact is suppressed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum EdgeState {
    /// Neighbours were not looked for.
    #[default]
    Unknown,
    /// No neighbour that counts makes the feature inactive.
    Active,
    /// A neighbour that counts makes the feature inactive.
    Suppressed,
}

impl EdgeState {
    /// Whether the contact is suppressed; `look` looks for neighbours once.
    pub(crate) fn is_suppressed(&mut self, look: impl FnOnce() -> bool) -> bool {
        if *self == Self::Unknown {
            *self = if look() {
                Self::Suppressed
            } else {
                Self::Active
            };
        }
        *self == Self::Suppressed
    }
}

/// The feature that a contact has, as far as f64 tells.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum FeatureState {
    /// It was not looked for.
    #[default]
    Unknown,
    /// f64 is not certain of it.
    Uncertain,
    /// It is this one.
    Certain(ContactFeature),
}

impl FeatureState {
    /// The feature where f64 is certain of it; `look` looks for it once.
    pub(crate) fn certain(
        &mut self,
        look: impl FnOnce() -> Option<ContactFeature>,
    ) -> Option<ContactFeature> {
        if let Self::Unknown = self {
            *self = look().map_or(Self::Uncertain, Self::Certain);
        }
        match self {
            Self::Certain(feature) => Some(*feature),
            Self::Unknown | Self::Uncertain => None,
        }
    }
}
