//! The declarations, imports and references of one module of a parsed file, without its tests.
//!
//! Paths are collected as they are written, from `use` trees, types, expressions, patterns,
//! attributes and the tokens of macros; `module_tree.rs` makes sense of them.

mod attributes;
mod macro_paths;

pub(super) use attributes::is_test;

use attributes::{exported_macro, path_of_file};
use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Macro, Path, UseTree, Visibility};

/// What one module holds.
#[derive(Debug, Default)]
pub(super) struct ModuleSyntax {
    /// Its modules in the order in which they are listed.
    pub(super) children: Vec<Child>,
    /// Names that `use` brings into it, public or not.
    pub(super) imports: Vec<Import>,
    /// The modules that it glob-imports.
    pub(super) globs: Vec<Vec<String>>,
    /// The names of the other things that it declares.
    pub(super) items: Vec<String>,
    /// The names of macros that it puts into the root of the crate.
    pub(super) root_macros: Vec<String>,
    /// The paths in its code.
    pub(super) references: Vec<Reference>,
}

/// A module that a module lists.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) name: String,
    /// Whether only tests are built with it.
    pub(super) is_test: bool,
    /// What is in its braces, where it has no file of its own.
    pub(super) inline: Option<ModuleSyntax>,
    /// The file that `#[path]` names, from the folder of the file that lists the module.
    pub(super) file: Option<String>,
}

/// A name and the path that it refers to.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Vec<String>,
}

/// A path as written, without generic arguments.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) line: usize,
    pub(super) path: Vec<String>,
}

/// Reads the items of one module.
pub(super) fn read(items: &[Item]) -> ModuleSyntax {
    let mut reader = Reader::default();
    for item in items {
        reader.visit_item(item);
    }
    let mut found = reader.found;
    if found.globs.is_empty() {
        // A single name is declared or imported here, and its import is a reference by itself.
        found
            .references
            .retain(|reference| reference.path.len() > 1);
    }
    found
}

#[derive(Default)]
struct Reader {
    found: ModuleSyntax,
    /// How many items are around what is read: names inside a function are not the module's.
    depth: usize,
}

impl Reader {
    fn refer(&mut self, line: usize, path: Vec<String>) {
        self.found.references.push(Reference { line, path });
    }

    /// Takes in a `use` tree whose leaves continue `prefix`.
    fn import(&mut self, prefix: &[String], tree: &UseTree) {
        let with = |ident: &Ident| {
            let mut path = prefix.to_vec();
            // `a::{self}` is `a` itself; a leading `self` is kept, as it says where to look.
            if ident != "self" || prefix.is_empty() {
                path.push(ident.unraw().to_string());
            }
            path
        };
        match tree {
            UseTree::Path(tree) => self.import(&with(&tree.ident), &tree.tree),
            UseTree::Name(tree) => {
                let path = with(&tree.ident);
                let name = path.last().cloned().unwrap_or_default();
                self.import_as(name, path, &tree.ident);
            }
            UseTree::Rename(tree) => {
                let name = tree.rename.unraw().to_string();
                self.import_as(name, with(&tree.ident), &tree.ident);
            }
            UseTree::Glob(tree) => {
                self.refer(tree.star_token.span.start().line, prefix.to_vec());
                if self.depth == 0 {
                    self.found.globs.push(prefix.to_vec());
                }
            }
            UseTree::Group(tree) => {
                for tree in &tree.items {
                    self.import(prefix, tree);
                }
            }
        }
    }

    fn import_as(&mut self, name: String, path: Vec<String>, place: &Ident) {
        self.refer(place.span().start().line, path.clone());
        if self.depth == 0 {
            self.found.imports.push(Import { name, path });
        }
    }

    /// Notes the name that an item declares in its module.
    fn declare(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Macro(item) => {
                self.found.root_macros.extend(exported_macro(item));
                match &item.ident {
                    Some(name) => name,
                    None => return,
                }
            }
            _ => return,
        };
        self.found.items.push(name.unraw().to_string());
    }

    /// Goes into a part of the syntax tree, unless only tests are built with it.
    fn enter(&mut self, attributes: &[Attribute], go: impl FnOnce(&mut Self)) {
        if !is_test(attributes) {
            go(self);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if self.depth == 0 => {
                let child = Child {
                    name: module.ident.unraw().to_string(),
                    is_test: is_test(&module.attrs),
                    inline: module.content.as_ref().map(|(_, items)| read(items)),
                    file: path_of_file(&module.attrs),
                };
                self.found.children.push(child);
            }
            Item::Use(item) => self.enter(&item.attrs, |reader| {
                if item.leading_colon.is_none() {
                    reader.import(&[], &item.tree);
                }
            }),
            _ => self.enter(attributes::of_item(item), |reader| {
                if reader.depth == 0 {
                    reader.declare(item);
                }
                reader.depth += 1;
                visit::visit_item(reader, item);
                reader.depth -= 1;
            }),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        self.enter(attributes::of_impl_item(item), |reader| {
            visit::visit_impl_item(reader, item);
        });
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        self.enter(attributes::of_trait_item(item), |reader| {
            visit::visit_trait_item(reader, item);
        });
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.enter(&local.attrs, |reader| visit::visit_local(reader, local));
    }

    fn visit_stmt_macro(&mut self, call: &'ast syn::StmtMacro) {
        self.enter(&call.attrs, |reader| visit::visit_stmt_macro(reader, call));
    }

    fn visit_expr(&mut self, expression: &'ast syn::Expr) {
        self.enter(attributes::of_expression(expression), |reader| {
            visit::visit_expr(reader, expression);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.enter(&arm.attrs, |reader| visit::visit_arm(reader, arm));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.enter(&field.attrs, |reader| visit::visit_field(reader, field));
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        self.enter(&field.attrs, |reader| {
            visit::visit_field_value(reader, field)
        });
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.enter(&variant.attrs, |reader| {
            visit::visit_variant(reader, variant)
        });
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if let (None, Some(first)) = (&path.leading_colon, path.segments.first()) {
            let names = path
                .segments
                .iter()
                .map(|part| part.ident.unraw().to_string());
            self.refer(first.ident.span().start().line, names.collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.visit_path(&call.path);
        let found = macro_paths::in_tokens(&call.tokens);
        self.found.references.extend(found);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let found = macro_paths::in_attribute(attribute);
        self.found.references.extend(found);
    }

    // `pub(in path)` names a module around this one, and uses nothing of it.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}
