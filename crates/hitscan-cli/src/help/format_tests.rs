//! The formats and limits of files that the pages name are those of the code.

use super::page_parts::section;
use super::tests::{Words, named};
use super::*;
use hitscan_assets::heights::HeightFormat;
use hitscan_assets::{MAX_FILE_BYTES, MAX_SCENE_BYTES, ModelFormat};
use hitscan_table::Format;

#[test]
fn the_formats_are_those_that_are_read() {
    let of_files = |heading: &str| named(section(FILES, heading).split("\n### ").next().unwrap());
    let endings = of_files("## Height maps");
    assert!(endings.len() >= 8);
    for ending in endings {
        let path = format!("map{ending}");
        assert!(HeightFormat::from_path(path.as_ref()).is_some(), "{ending}");
    }
    let endings = of_files("## Models");
    assert!(endings.len() >= 5);
    for ending in endings {
        assert!(
            ModelFormat::is_model(format!("model{ending}").as_ref()),
            "{ending}"
        );
    }
    let formats = Format::ALL.map(|format| format!(".{}", format.name()));
    assert_eq!(
        named(section(TABLES, "## Formats of tables")),
        Words::from(formats)
    );
    for limit in [MAX_SCENE_BYTES, MAX_FILE_BYTES] {
        assert!(FILES.contains(&format!("{} GiB", limit >> 30)), "{limit}");
    }
}
