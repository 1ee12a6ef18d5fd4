//! The page's files, embedded: a fixed table, which is all that the server hands out.

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct PageFile {
    /// Its path below `page/`, which is its path on the server; `index.html` is at `/`.
    pub name: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

impl PageFile {
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

macro_rules! page_file {
    ($name:literal) => {
        PageFile {
            name: $name,
            bytes: include_bytes!(concat!("../page/", $name)),
        }
    };
}

/// All files of the page, in the order of their names.
pub const PAGE: &[PageFile] = &[page_file!("index.html")];

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// The greatest size of the page, bytes.
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
        let bytes: usize = PAGE.iter().map(|file| file.bytes.len()).sum();
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
}
