//! Places in a wave, listed without branches.

use super::WAVE;

/// Up to [`WAVE`] places.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    /// One more than can be listed, so that what is not kept can be written as well.
    places: [u8; WAVE + 1],
    count: usize,
}

impl List {
    pub(super) const EMPTY: Self = Self {
        places: [0; WAVE + 1],
        count: 0,
    };

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Lists the place if `is_kept`: writing always costs less than a branch guessed wrong.
    #[expect(clippy::cast_possible_truncation, reason = "places are below WAVE")]
    #[inline(always)]
    pub(super) fn push_if(&mut self, place: usize, is_kept: bool) {
        self.places[self.count] = place as u8;
        self.count += usize::from(is_kept);
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.places[..self.count]
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.as_slice()
            .iter()
            .map(|&place| usize::from(place) % WAVE)
    }
}
