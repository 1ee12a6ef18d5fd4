//! The tag GDAL_METADATA: how stored values become heights, as GDAL states it.
//!
//! The tag is XML, a list of items: `<Item name="SCALE" sample="0" role="scale">0.1</Item>`. A height is
//! `stored * scale + offset`.

use super::directory::Directory;
use crate::Error;
use crate::heights::image::StoredScale;
use crate::tiff_numbers::tag::GDAL_METADATA;

/// The scale and the offset of the first channel; `None` where neither changes a value.
pub(super) fn stored_scale(directory: &Directory<'_>) -> Result<Option<StoredScale>, Error> {
    let text = directory.text(GDAL_METADATA)?;
    Ok(text.as_deref().and_then(of_text))
}

fn of_text(text: &str) -> Option<StoredScale> {
    let scale = StoredScale {
        factor: number(text, "scale").unwrap_or(1.0),
        offset: number(text, "offset").unwrap_or(0.0),
    };
    (scale != StoredScale::IDENTITY).then_some(scale)
}

/// The number in the item of the first channel with this role.
fn number(text: &str, role: &str) -> Option<f64> {
    let mut items = text
        .split("<Item")
        .skip(1)
        .filter_map(|item| item.split_once('>'));
    let is_meant = |head: &str| {
        attribute(head, "role") == Some(role) && attribute(head, "sample").unwrap_or("0") == "0"
    };
    let (_, rest) = items.find(|(head, _)| is_meant(head))?;
    let number: f64 = rest.split('<').next()?.trim().parse().ok()?;
    number.is_finite().then_some(number)
}

/// The value of an attribute in an element's head.
fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.split_ascii_whitespace().find_map(|word| {
        let value = word.strip_prefix(name)?.strip_prefix('=')?;
        Some(value.trim_matches(['"', '\'', '/']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_channels_items_count() {
        let text = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"1\" role=\"offset\">7</Item>\n  \
                    <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item>\n  \
                    <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.1</Item>\n</GDALMetadata>";
        let scale = of_text(text).unwrap();
        assert_eq!((scale.factor, scale.offset), (0.1, 100.0));
        for nothing in [
            "",
            "<GDALMetadata/>",
            "<Item name=\"SCALE\" role=\"scale\">1</Item>",
            "<Item name=\"SCALE\" role=\"scale\">wide</Item>",
            "<Item name=\"AREA_OR_POINT\">Point</Item>",
        ] {
            assert_eq!(of_text(nothing), None, "{nothing}");
        }
    }
}
