//! The page's files, embedded: a fixed table, which is all that the server hands out.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::sync::LazyLock;

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct PageFile {
    /// Its path below `page/`. The server has it at that path, and in a folder that is named by the content
    /// of all; `index.html` is at `/`, with the names in that folder.
    pub name: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

impl PageFile {
    /// Its content as gzip, which is made once; `None` for a file that is none of [`PAGE`].
    #[must_use]
    pub fn gzip(&self) -> Option<&'static [u8]> {
        static ALL: LazyLock<Vec<Vec<u8>>> =
            LazyLock::new(|| PAGE.iter().map(|file| gzip(file.bytes)).collect());
        let place = PAGE.iter().position(|file| file.name == self.name)?;
        ALL.get(place).map(Vec::as_slice)
    }

    /// What a browser takes it for, by its ending.
    #[must_use]
    pub fn content_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            _ => "application/octet-stream",
        }
    }
}

/// Bytes as gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail; an empty answer would show.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

macro_rules! page_file {
    ($name:literal) => {
        PageFile {
            name: $name,
            bytes: include_bytes!(concat!("../page/", $name)),
        }
    };
}

/// All files of the page, in the order of their names.
pub const PAGE: &[PageFile] = &[
    page_file!("answer.css"),
    page_file!("answer.js"),
    page_file!("answer_motion.js"),
    page_file!("answer_text.js"),
    page_file!("asker.js"),
    page_file!("camera.js"),
    page_file!("camera_history.js"),
    page_file!("camera_panel.js"),
    page_file!("columns.js"),
    page_file!("controls.css"),
    page_file!("copy_as.js"),
    page_file!("copy_buttons.js"),
    page_file!("csv.js"),
    page_file!("elements.js"),
    page_file!("expected_text.js"),
    page_file!("format.js"),
    page_file!("frame_parts.js"),
    page_file!("frame_tiles.js"),
    page_file!("frames.js"),
    page_file!("from_side.js"),
    page_file!("header.js"),
    page_file!("icon.svg"),
    page_file!("index.html"),
    page_file!("inspector.js"),
    page_file!("key_focus.js"),
    page_file!("key_switch.js"),
    page_file!("keys.js"),
    page_file!("link.js"),
    page_file!("link_shift.js"),
    page_file!("list_window.js"),
    page_file!("main.js"),
    page_file!("newest.js"),
    page_file!("notices.js"),
    page_file!("numbers.js"),
    page_file!("overlay.js"),
    page_file!("overlay_paint.js"),
    page_file!("page.css"),
    page_file!("page_key.js"),
    page_file!("panel_parts.js"),
    page_file!("panels.css"),
    page_file!("panels.js"),
    page_file!("parts.css"),
    page_file!("phone.css"),
    page_file!("playback.js"),
    page_file!("pointer.js"),
    page_file!("pointer_words.js"),
    page_file!("protocol.js"),
    page_file!("python_test.js"),
    page_file!("question_form.js"),
    page_file!("question_handles.js"),
    page_file!("question_points.js"),
    page_file!("readout.js"),
    page_file!("roles.js"),
    page_file!("ruler.js"),
    page_file!("running.js"),
    page_file!("rust_test.js"),
    page_file!("scene.css"),
    page_file!("scene.js"),
    page_file!("scene_boxes.js"),
    page_file!("scene_objects.js"),
    page_file!("scene_tree.js"),
    page_file!("section_scale.js"),
    page_file!("sheet_room.js"),
    page_file!("shot_list.js"),
    page_file!("shots.css"),
    page_file!("shots.js"),
    page_file!("shots_kept.js"),
    page_file!("shots_tables.js"),
    page_file!("side_view.js"),
    page_file!("stage.css"),
    page_file!("store.js"),
    page_file!("table_frame.js"),
    page_file!("table_rows.js"),
    page_file!("theme.js"),
    page_file!("timeline.css"),
    page_file!("timeline.js"),
    page_file!("tokens.css"),
    page_file!("tool_filter.js"),
    page_file!("tool_height.js"),
    page_file!("tool_options.js"),
    page_file!("tool_points.js"),
    page_file!("tool_ray.js"),
    page_file!("tool_ruler.js"),
    page_file!("tool_shape.js"),
    page_file!("tool_sight.js"),
    page_file!("tool_sweep.js"),
    page_file!("tool_tap.js"),
    page_file!("tool_turn.js"),
    page_file!("tool_viewshed.js"),
    page_file!("tools.js"),
    page_file!("touch.js"),
    page_file!("transport.js"),
    page_file!("vector.js"),
    page_file!("view_control.js"),
    page_file!("view_log.js"),
    page_file!("viewshed_text.js"),
    page_file!("viewshed_tint.js"),
    page_file!("virtual_list.js"),
    page_file!("why.css"),
    page_file!("why.js"),
    page_file!("why_expected.js"),
    page_file!("why_section.js"),
    page_file!("why_steps.js"),
    page_file!("why_text.js"),
    page_file!("wireframe.js"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::fs;
    use std::io::Read as _;
    use std::path::Path;

    /// The maximum size of the page as it is sent, bytes.
    const MAX_BYTES: usize = 200_000;

    fn files(folder: &Path, prefix: &str, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                files(&entry.path(), &format!("{name}/"), names);
            } else {
                names.push(name);
            }
        }
    }

    #[test]
    fn the_table_is_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut names = Vec::new();
        files(&folder, "", &mut names);
        names.retain(|name| {
            let is_source = [".js", ".css", ".html", ".svg", ".png"];
            is_source.iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".test.js")
        });
        names.sort();
        let table: Vec<&str> = PAGE.iter().map(|file| file.name).collect();
        assert_eq!(table, names);
    }

    #[test]
    fn the_page_is_small_and_of_known_kinds() {
        let sent = |file: &PageFile| file.gzip().unwrap().len();
        let bytes: usize = PAGE.iter().map(sent).sum();
        assert!(bytes <= MAX_BYTES, "{bytes} bytes");
        for file in PAGE {
            assert_ne!(
                file.content_type(),
                "application/octet-stream",
                "{}",
                file.name
            );
        }
    }

    #[test]
    fn what_is_sent_as_gzip_is_the_file() {
        for file in PAGE {
            let mut content = Vec::new();
            let mut reader = GzDecoder::new(file.gzip().unwrap());
            reader.read_to_end(&mut content).unwrap();
            assert!(content == file.bytes, "{}", file.name);
        }
        let other = PageFile {
            name: "other.js",
            bytes: b"",
        };
        assert_eq!(other.gzip(), None);
    }
}
