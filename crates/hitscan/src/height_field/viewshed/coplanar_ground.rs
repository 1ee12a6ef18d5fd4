//! Classification of the samples in planes at the eye: by the planes, then by the shadows on them.

use super::coplanar::{Coplanar, HIDDEN, SEEN};
use super::eye_triangles::{EyeTriangle, eye_triangles};
use super::quarter::Quarter;
use super::shadow::{Found, Shadow};
use super::start::{Start, Sweep};
use crate::parallel;

/// The ground in planes at the eye, with what shadows on it show to be seen or hidden; `None` where no
/// plane has enough of the ground.
pub(super) fn coplanar_ground(sweep: &Sweep<'_>) -> Option<Coplanar> {
    let at_eye = eye_triangles(sweep.field, sweep.eye, sweep.place);
    let mut coplanar = Coplanar::new(sweep, &at_eye)?;
    if coplanar.is_at_samples && sweep.start != Start::Unsure {
        coplanar.find_seen_and_hidden(sweep, &at_eye);
    }
    Some(coplanar)
}

impl Coplanar {
    fn find_seen_and_hidden(&mut self, sweep: &Sweep<'_>, at_eye: &[EyeTriangle]) {
        let mut shadows = Vec::new();
        for plane in &self.planes {
            // Beside the eye a line of sight passes over these triangles, which no shadow is cast by.
            let is_in = |triangle: &EyeTriangle| {
                let mask = self.mask_of(triangle.column, triangle.row, triangle.half);
                mask & plane.bit != 0
            };
            let is_harmless = matches!(sweep.start, Start::On | Start::NoGround);
            if !is_harmless && !plane.is_off_ground && !at_eye.iter().all(is_in) {
                continue;
            }
            for (is_major_x, is_down) in Quarter::ALL {
                let quarter = Quarter::new(sweep, is_major_x, is_down);
                shadows.extend(Shadow::new(quarter, self, plane));
            }
        }
        let found = parallel::map_all(shadows, Shadow::sweep);
        for Found { seen, hidden } in found {
            for (samples, bit) in [(seen, SEEN), (hidden, HIDDEN)] {
                for sample in samples {
                    self.masks[sample] |= bit;
                }
            }
        }
    }
}
