//! The page's first file as it is served: it names all others in a folder that is named by their content.
//!
//! So a browser may keep them for good: what has changed has another name. It also lists the modules, so
//! that they are requested at once, and not each when what imports it has come.

use crate::page::{PAGE, PageFile, gzip};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

/// The first file, and the module that begins.
const FIRST: &str = "index.html";
const MAIN: &str = "main.js";

/// The first file, ready to be sent.
#[derive(Debug)]
pub(crate) struct FirstFile {
    /// Where the files are that it names, with a `/` at both ends.
    pub(crate) folder: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) gzip: Vec<u8>,
}

/// The first file, which is made once.
pub(crate) fn first_file() -> &'static FirstFile {
    static MADE: LazyLock<FirstFile> = LazyLock::new(|| {
        let folder = folder(PAGE);
        let bytes = naming(PAGE, &folder).into_bytes();
        FirstFile {
            gzip: gzip(&bytes),
            folder,
            bytes,
        }
    });
    &MADE
}

/// The folder of files with this content.
fn folder(files: &[PageFile]) -> String {
    let mut content = DefaultHasher::new();
    for file in files {
        (file.name, file.bytes).hash(&mut content);
    }
    format!("/v/{:016x}/", content.finish())
}

/// The first file, with each name of another below the folder, and a line for each module.
fn naming(files: &[PageFile], folder: &str) -> String {
    let mut html = text(files, FIRST).to_owned();
    for file in files {
        for attribute in ["href", "src"] {
            let name = file.name;
            let named = format!("{attribute}=\"{folder}{name}\"");
            html = html.replace(&format!("{attribute}=\"{name}\""), &named);
        }
    }
    let lines = modules(files)
        .into_iter()
        .map(|name| format!("<link rel=\"modulepreload\" href=\"{folder}{name}\">\n"));
    html.replacen("<script", &(lines.collect::<String>() + "<script"), 1)
}

/// The modules in the order in which they run, each after those that it imports.
fn modules(files: &[PageFile]) -> Vec<&'static str> {
    let mut order = Vec::new();
    let mut begun = Vec::new();
    visit(files, MAIN, &mut begun, &mut order);
    order
}

fn visit(
    files: &[PageFile],
    name: &str,
    begun: &mut Vec<&'static str>,
    order: &mut Vec<&'static str>,
) {
    let Some(file) = files.iter().find(|file| file.name == name) else {
        return;
    };
    if begun.contains(&file.name) {
        return;
    }
    begun.push(file.name);
    for imported in imports(text(files, name)) {
        visit(files, imported, begun, order);
    }
    order.push(file.name);
}

/// The modules that a module's text imports; comments import types, which are no modules' own.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let begins = |line: &&str| {
        ["import ", "export ", "}"]
            .iter()
            .any(|word| line.starts_with(word))
    };
    text.lines().filter(begins).filter_map(|line| {
        let (_, rest) = line.split_once("\"./")?;
        let (name, _) = rest.split_once('"')?;
        (line.contains(" from \"./") || line.starts_with("import \"./")).then_some(name)
    })
}

/// The text of a file; that of none is empty.
fn text(files: &[PageFile], name: &str) -> &'static str {
    let file = files.iter().find(|file| file.name == name);
    file.map_or("", |file| {
        std::str::from_utf8(file.bytes).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_content_or_another_name_is_another_folder() {
        let file = |name, bytes| PageFile { name, bytes };
        let all = [
            folder(&[file("a.js", b"1"), file("b.js", b"2")]),
            folder(&[file("a.js", b"1"), file("b.js", b"3")]),
            folder(&[file("a.js", b"1"), file("c.js", b"2")]),
            folder(&[file("a.js", b"12"), file("b.js", b"")]),
            folder(&[file("a.js", b"1")]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{one}");
            assert_eq!((one.len(), &one[..3]), (20, "/v/"));
        }
    }

    #[test]
    fn every_module_is_listed_once_after_those_that_it_imports() {
        let order = modules(PAGE);
        assert_eq!(order.last(), Some(&MAIN));
        let mut listed = order.clone();
        listed.sort_unstable();
        let scripts = PAGE.iter().map(|file| file.name);
        let scripts: Vec<&str> = scripts.filter(|name| name.ends_with(".js")).collect();
        assert_eq!(listed, scripts);
        let place = |name: &str| order.iter().position(|own| *own == name).unwrap();
        for name in &order {
            // What is quoted so, outside of comments, is imported.
            let code = text(PAGE, name)
                .split("*/")
                .filter_map(|part| part.split("/**").next());
            for piece in code.collect::<String>().split("from \"./").skip(1) {
                let imported = piece.split('"').next().unwrap();
                assert!(place(imported) < place(name), "{name} imports {imported}");
            }
        }
    }

    #[test]
    fn the_first_file_names_others_below_the_folder_alone() {
        let FirstFile { folder, bytes, .. } = first_file();
        let html = std::str::from_utf8(bytes).unwrap();
        let mut named = Vec::new();
        for attribute in ["href=\"", "src=\""] {
            let values = html.split(attribute).skip(1);
            named.extend(values.map(|value| value.split('"').next().unwrap()));
        }
        named.retain(|name| !name.starts_with('#'));
        assert!(named.len() > PAGE.len() - 2, "{named:?}");
        for name in named {
            let name = name
                .strip_prefix(folder.as_str())
                .unwrap_or_else(|| panic!("{name}"));
            assert!(PAGE.iter().any(|file| file.name == name), "{name}");
        }
        let original = text(PAGE, FIRST);
        let lines = |html: &str| {
            html.lines()
                .filter(|line| !line.contains("modulepreload"))
                .count()
        };
        assert_eq!(lines(html), original.lines().count());
        assert_eq!(html.matches("modulepreload").count(), modules(PAGE).len());
    }
}
