//! The modules of one crate as a tree, and which of them a path goes through.

use super::references::{self, Import, ModuleSyntax, Reference};
use super::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// The names that lead from the crate's root, which is empty, to a module.
pub(super) type ModulePath = Vec<String>;

/// One module.
pub(super) struct Module {
    /// The file that its text is in.
    pub(super) file: String,
    /// Whether only tests are built with it.
    pub(super) is_test: bool,
    /// Its modules in the order in which they are listed.
    pub(super) children: Vec<String>,
    /// The paths in its code, without those of its modules.
    pub(super) references: Vec<Reference>,
    imports: Vec<Import>,
    globs: Vec<ModulePath>,
    items: BTreeSet<String>,
}

/// All modules below one root file.
pub(super) struct ModuleTree {
    modules: BTreeMap<ModulePath, Module>,
}

impl ModuleTree {
    /// Reads the modules from the root file on. A file that is missing or no Rust is a problem.
    pub(super) fn read(sources: &Sources, root: &str, problems: &mut Vec<String>) -> Self {
        let mut tree = Self {
            modules: BTreeMap::new(),
        };
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.add_file(sources, Place::new(root, folder), problems);
        tree
    }

    pub(super) fn modules(&self) -> impl Iterator<Item = (&ModulePath, &Module)> {
        self.modules.iter()
    }

    pub(super) fn module(&self, path: &[String]) -> Option<&Module> {
        self.modules.get(path)
    }

    fn add_file(&mut self, sources: &Sources, mut place: Place, problems: &mut Vec<String>) {
        let text = sources.text(&place.file).unwrap_or_default();
        match syn::parse_file(text) {
            Ok(file) => {
                place.is_test |= references::is_test(&file.attrs);
                self.add(sources, place, references::read(&file.items), problems);
            }
            Err(error) => {
                let line = error.span().start().line;
                problems.push(format!("{}:{line} is no Rust: {error}", place.file));
            }
        }
    }

    fn add(
        &mut self,
        sources: &Sources,
        place: Place,
        syntax: ModuleSyntax,
        problems: &mut Vec<String>,
    ) {
        let children = syntax.children.iter().map(|child| child.name.clone());
        let module = Module {
            file: place.file.clone(),
            is_test: place.is_test,
            children: children.collect(),
            references: syntax.references,
            imports: syntax.imports,
            globs: syntax.globs,
            items: syntax.items.into_iter().collect(),
        };
        self.modules.insert(place.path.clone(), module);
        if let Some(root) = self.modules.get_mut(&[] as &[String]) {
            for name in syntax.root_macros {
                let path = ["crate".to_owned()].into_iter().chain(place.path.clone());
                let path = path.chain([name.clone()]).collect();
                root.imports.push(Import { name, path });
            }
        }
        for child in syntax.children {
            let mut below = place.below(&child.name, child.is_test);
            if let Some(inline) = child.inline {
                self.add(sources, below, inline, problems);
                continue;
            }
            let files = match &child.file {
                Some(file) => vec![beside(&place.file, file)],
                None => vec![
                    format!("{}/{}.rs", place.folder, child.name),
                    format!("{}/{}/mod.rs", place.folder, child.name),
                ],
            };
            match files.into_iter().find(|file| sources.text(file).is_some()) {
                Some(file) => {
                    below.file = file;
                    self.add_file(sources, below, problems);
                }
                None => problems.push(format!(
                    "{} lists a module `{}` that has no file",
                    place.file, child.name
                )),
            }
        }
    }

    /// The modules that a path, written in module `from`, goes through or ends in; re-exports are
    /// followed to where they lead. Other crates have no modules here.
    pub(super) fn modules_used(&self, from: &[String], path: &[String]) -> BTreeSet<ModulePath> {
        let mut walk = Walk::default();
        self.follow(from, path, &mut walk);
        walk.used
    }

    /// Walks along a path, and returns whether it leads to something in this crate.
    fn follow(&self, from: &[String], path: &[String], walk: &mut Walk) -> bool {
        let Some((mut at, names)) = anchor(from, path) else {
            return false;
        };
        for (place, name) in names.iter().enumerate() {
            let Some(module) = self.modules.get(&at) else {
                return false;
            };
            let rest = &names[place + 1..];
            let is_child = module.children.contains(name);
            let mut is_imported = false;
            // The last name may be a module and a function at once.
            if (!is_child || rest.is_empty()) && walk.seen.insert((at.clone(), name.clone())) {
                for import in module.imports.iter().filter(|import| import.name == *name) {
                    let whole = [&import.path, rest].concat();
                    is_imported |= self.follow(&at, &whole, walk);
                }
            }
            if !is_child {
                return is_imported
                    || module.items.contains(name)
                    || self.follow_globs(&at, &names[place..], walk);
            }
            at.push(name.clone());
            walk.used.insert(at.clone());
        }
        true
    }

    /// Looks for the first of `names` in the modules that `at` glob-imports.
    fn follow_globs(&self, at: &ModulePath, names: &[String], walk: &mut Walk) -> bool {
        let globs = self.modules.get(at).map_or(&[][..], |module| &module.globs);
        globs.iter().any(|glob| {
            let step = format!("{}::* for {}", glob.join("::"), names[0]);
            if !walk.seen.insert((at.clone(), step)) {
                return false;
            }
            let used = walk.used.clone();
            let is_found = self.follow(at, &[glob, names].concat(), walk);
            if !is_found {
                walk.used = used;
            }
            is_found
        })
    }
}

/// The file that a path leads to from the folder of another.
fn beside(file: &str, path: &str) -> String {
    let mut names: Vec<&str> = file.split('/').collect();
    names.pop();
    for name in path.split('/') {
        match name {
            "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.join("/")
}

/// What is found along a path, and which names were already replaced by what they import.
#[derive(Default)]
struct Walk {
    used: BTreeSet<ModulePath>,
    seen: BTreeSet<(ModulePath, String)>,
}

/// The module where a path written in `from` begins, and the names that go on from there.
fn anchor<'path>(from: &[String], path: &'path [String]) -> Option<(ModulePath, &'path [String])> {
    let mut at = from.to_vec();
    let mut names = path;
    while let [first, rest @ ..] = names {
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop()?;
            }
            _ => break,
        }
        names = rest;
    }
    Some((at, names))
}

/// Where a module is: in the tree, and on disk.
struct Place {
    path: ModulePath,
    is_test: bool,
    file: String,
    /// The folder in which the files of its modules are.
    folder: String,
}

impl Place {
    fn new(root: &str, folder: &str) -> Self {
        Self {
            path: Vec::new(),
            is_test: false,
            file: root.to_owned(),
            folder: folder.to_owned(),
        }
    }

    /// A module of this one, which is in the same file until it is found to have its own.
    fn below(&self, name: &str, is_test: bool) -> Self {
        let mut path = self.path.clone();
        path.push(name.to_owned());
        Self {
            path,
            is_test: self.is_test || is_test,
            file: self.file.clone(),
            folder: format!("{}/{name}", self.folder),
        }
    }
}
