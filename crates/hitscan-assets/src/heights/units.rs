//! Heights and cells that are hardly metres, although they count as such.

use super::image::HeightImage;
use crate::georeference::metres_per_degree;

/// Higher than any mountain, metres.
const HIGHEST_GROUND: f64 = 9000.0;

impl HeightImage {
    /// What to say of a map whose file gives its spacing in degrees and not in metres, where no other
    /// spacing is given.
    #[must_use]
    pub fn degree_warning(&self) -> Option<String> {
        let place = self.georeference().ok()?;
        self.spacing_m().filter(|_| place.crs.is_geographic())?;
        let (cell, latitude) = (place.cell, place.middle()[1]);
        let degree = metres_per_degree(latitude);
        let [x, z] = [degree[0] * cell[0], degree[1] * cell[1]];
        Some(format!(
            "its cells of {} x {} are taken for metres, but look like degrees: say `georeferenced = \
             true`, or in metres at the latitude {latitude:.3} `spacing = [{x:.3}, {z:.3}]`",
            cell[0], cell[1]
        ))
    }

    /// What to say of a map whose file states another unit of height than the metre, where neither
    /// `range` nor `height_scale` is given.
    #[must_use]
    pub fn foot_warning(&self) -> Option<String> {
        let stated = self.georeference().ok()?.vertical.unit_metres;
        let metres = stated.filter(|metres| *metres != 1.0)?;
        Some(format!(
            "its heights are taken for metres, but the file states units of {metres} m: say \
             `height_scale = {metres}`"
        ))
    }

    /// What to say of 8- and 16-bit unsigned samples that are no heights in metres, where neither
    /// `range` nor `height_scale` is given.
    #[must_use]
    pub fn code_warning(&self) -> Option<String> {
        let top = self.samples().highest_code()?;
        if self.stored_scale().is_some() {
            return None;
        }
        let (_, extent) = self.extent();
        let [_, high] = extent?;
        (high > HIGHEST_GROUND).then(|| {
            format!(
                "its codes are taken for metres and reach {high}; give the metres of code 0 and of \
                 code {top} as `range = [LOWEST, HIGHEST]`"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_heights;

    fn warnings(text: &str) -> Option<String> {
        let image = read_heights("a.asc".as_ref(), text.as_bytes(), None).unwrap();
        image.degree_warning()
    }

    #[test]
    fn degrees_are_recognised_and_given_in_metres() {
        let text = "ncols 2\nnrows 2\nxllcorner 11\nyllcorner 57\ncellsize 0.01\n1 2 3 4\n";
        let expected = "its cells of 0.01 x 0.01 are taken for metres, but look like degrees: say \
                        `georeferenced = true`, or in metres at the latitude 57.010 `spacing = \
                        [607.559, 1113.601]`";
        assert_eq!(warnings(text).as_deref(), Some(expected));
        for (from, to) in [
            ("0.01", "1"),
            ("xllcorner 11", "xllcorner 400000"),
            ("yllcorner 57", "yllcorner 89.99"),
            ("yllcorner 57\n", ""),
        ] {
            assert_eq!(warnings(&text.replace(from, to)), None, "{to}");
        }
    }

    #[test]
    fn codes_beyond_all_mountains_need_a_range() {
        let raw = |code: u16| {
            let bytes: Vec<u8> = [code; 4].into_iter().flat_map(u16::to_le_bytes).collect();
            read_heights("a.r16".as_ref(), &bytes, None)
                .unwrap()
                .code_warning()
        };
        assert_eq!(raw(8848), None);
        let expected = "its codes are taken for metres and reach 57342; give the metres of code 0 \
                        and of code 65535 as `range = [LOWEST, HIGHEST]`";
        assert_eq!(raw(57342).as_deref(), Some(expected));
    }
}
