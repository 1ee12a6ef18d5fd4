//! The columns with which a row chooses what it sees: `mask` and `ignore`.
//!
//! Which objects a query sees is the library's part (`hitscan::QueryFilter`); here names become handles.
//! `ignore` holds the name of an object, or several with `;` between them; a `;` of a name is `\;` there. Where no
//! object has a name, it may be `object/part` of a compound.

use hitscan::{Compound, CompoundPart, ObjectId, QueryFilter};
use hitscan_assets::{KnownNames, Scene};
use hitscan_table::{AnswerBuilder, Names, QuestionColumn, Questions};

/// The layers that a question sees: all, where the field is empty.
pub(crate) const MASK: QuestionColumn = QuestionColumn::optional_mask("mask", u32::MAX);

/// The objects that a question passes through: none, where the field is empty.
pub(crate) const IGNORE: QuestionColumn = QuestionColumn::optional_name("ignore");

/// Reads the filters of questions about a scene.
#[derive(Debug)]
pub(crate) struct FilterColumns<'scene> {
    scene: &'scene Scene,
    mask: usize,
    ignore: usize,
}

impl<'scene> FilterColumns<'scene> {
    /// For questions about `scene` which have [`MASK`] and [`IGNORE`] among their `columns`.
    pub(crate) fn new(scene: &'scene Scene, columns: &[QuestionColumn]) -> Self {
        let position = |wanted: QuestionColumn| {
            let found = columns.iter().position(|&column| column == wanted);
            found.expect("every question has the columns of a filter")
        };
        Self {
            scene,
            mask: position(MASK),
            ignore: position(IGNORE),
        }
    }

    /// The filters of a batch of questions.
    pub(crate) fn read<'q>(&'q self, questions: &'q Questions) -> FilterBatch<'q> {
        FilterBatch {
            columns: self,
            masks: questions.masks(self.mask),
            names: questions.names(self.ignore),
            are_alike: !questions.has(self.mask) && !questions.has(self.ignore),
            ignored: Ignored::default(),
        }
    }

    /// Answers questions one by one: `read` makes each of its columns, `answer` writes its rows. A
    /// question is invalid for the reason of `read`, or else for that of its filter.
    pub(crate) fn answer_each<Q>(
        &self,
        questions: &Questions,
        out: &mut AnswerBuilder,
        read: impl Fn(usize) -> Result<Q, String>,
        answer: impl Fn(Q, QueryFilter<'_>, usize, &mut AnswerBuilder),
    ) {
        let mut filters = self.read(questions);
        let mut first = 0;
        while first < questions.len() {
            let end = filters.end_of_run(first);
            let filter = filters.of(first);
            for question in first..end {
                match read(question).and_then(|asked| Ok((asked, filter.clone()?))) {
                    Ok((asked, filter)) => answer(asked, filter.filter(), question, out),
                    Err(reason) => out.invalid(question, &reason),
                }
            }
            first = end;
        }
    }

    /// Appends what a field of `ignore` names; the error says which name is unknown.
    pub(crate) fn find(&self, field: &str, found: &mut Ignored) -> Result<(), String> {
        let scene = self.scene;
        find_ignored(scene, field, found).map_err(|name| unknown(scene, &name))
    }
}

/// The message about a name that no object has, with those that exist; of a compound with those of its parts.
fn unknown(scene: &Scene, name: &str) -> String {
    if let Some((object, part)) = unknown_part(scene, name) {
        let parts = object.parts().iter().map(CompoundPart::name);
        let known = KnownNames::near(part, parts);
        return format!("the column `ignore` names no part but `{part}`, in `{name}`{known}");
    }
    let mut names: Vec<&str> = scene.object_names().collect();
    names.sort_unstable();
    let known = KnownNames::near(name, names);
    format!("the column `ignore` names no object but `{name}`{known}")
}

/// The compound that a name begins with, and what it has in place of the name of a part.
fn unknown_part<'a>(scene: &'a Scene, name: &'a str) -> Option<(&'a Compound, &'a str)> {
    let mut splits = name.match_indices('/');
    splits.find_map(|(at, _)| {
        let compound = scene.now().compound(scene.object_named(&name[..at])?)?;
        Some((compound.as_ref(), &name[at + 1..]))
    })
}

/// What a row passes through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Objects.
    pub objects: Vec<ObjectId>,
    /// Parts of compounds, by their numbers.
    pub parts: Vec<(ObjectId, u32)>,
}

impl Ignored {
    /// The same for the queries of the library.
    #[must_use]
    pub fn filter(&self) -> QueryFilter<'_> {
        QueryFilter::new()
            .exclude(&self.objects)
            .exclude_parts(&self.parts)
    }

    pub(crate) fn clear(&mut self) {
        self.objects.clear();
        self.parts.clear();
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        self.objects.extend_from_slice(&other.objects);
        self.parts.extend_from_slice(&other.parts);
    }

    /// Adds what a name is of, if there is such an object or part.
    fn add(&mut self, scene: &Scene, name: &str) -> Option<()> {
        if let Some(object) = scene.object_named(name) {
            self.objects.push(object);
            return Some(());
        }
        let mut splits = name.match_indices('/');
        let part = splits.find_map(|(at, _)| {
            let object = scene.object_named(&name[..at])?;
            let part = scene.now().compound_part_named(object, &name[at + 1..])?;
            Some((object, part))
        });
        self.parts.push(part?);
        Some(())
    }
}

/// Appends what a field names, or returns the first name that nothing has.
fn find_ignored(scene: &Scene, field: &str, found: &mut Ignored) -> Result<(), String> {
    // A name may contain `;` itself, and end with a backslash.
    if found.add(scene, field).is_some() {
        return Ok(());
    }
    let before = (found.objects.len(), found.parts.len());
    let plain = field.split(';').map(str::trim);
    let mut plain = plain.filter(|name| !name.is_empty());
    let Some(missing) = plain.find(|name| found.add(scene, name).is_none()) else {
        return Ok(());
    };
    if !field.contains("\\;") {
        return Err(missing.to_owned());
    }
    found.objects.truncate(before.0);
    found.parts.truncate(before.1);
    for name in ignored_names(field) {
        found.add(scene, &name).ok_or(name)?;
    }
    Ok(())
}

/// The objects, and the parts of compounds, that a field of the column `ignore`, or the option `--ignore`, names:
/// one, or several with `;` between them. A `;` of a name is written `\;`, unless the field is that name alone; a
/// part is `object/part`, where no object has that whole name.
///
/// # Errors
/// The first name that nothing has.
pub fn ignored(scene: &Scene, field: &str) -> Result<Ignored, String> {
    let mut found = Ignored::default();
    find_ignored(scene, field, &mut found)?;
    Ok(found)
}

/// The names in a field of the column `ignore`, as [`ignore_field`] writes them.
///
/// ```
/// assert_eq!(hitscan_ask::ignored_names(r"crate; left\;right;"), ["crate", "left;right"]);
/// ```
#[must_use]
pub fn ignored_names(field: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut rest = field.chars().peekable();
    while let Some(next) = rest.next() {
        if next == ';' {
            names.push(String::new());
            continue;
        }
        let escaped = next == '\\' && rest.next_if_eq(&';').is_some();
        if let Some(name) = names.last_mut() {
            name.push(if escaped { ';' } else { next });
        }
    }
    let names = names.iter().map(|name| name.trim());
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// A field of the column `ignore` that names these objects.
///
/// ```
/// assert_eq!(hitscan_ask::ignore_field(["crate", "left;right"]), r"crate;left\;right");
/// ```
#[must_use]
pub fn ignore_field<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names = names.into_iter().map(|name| name.replace(';', "\\;"));
    names.collect::<Vec<_>>().join(";")
}

/// The filters of a batch of questions.
pub(crate) struct FilterBatch<'q> {
    columns: &'q FilterColumns<'q>,
    masks: &'q [u32],
    names: &'q Names,
    /// Whether the table has neither column, and all questions see the same.
    are_alike: bool,
    /// What the current question ignores.
    ignored: Ignored,
}

impl FilterBatch<'_> {
    /// The end of the run of questions from `first` on that have the same mask and ignored names.
    pub(crate) fn end_of_run(&self, first: usize) -> usize {
        if self.are_alike {
            return self.masks.len();
        }
        let columns = |question| (self.masks[question], self.names.get(question));
        let others = first + 1..self.masks.len();
        let differs = |question: &usize| columns(*question) != columns(first);
        others.clone().find(differs).unwrap_or(others.end)
    }

    /// The filter of a question, or why the question is invalid.
    pub(crate) fn of(&mut self, question: usize) -> Result<RowFilter<'_>, String> {
        self.ignored.clear();
        if let Some(field) = self.names.get(question) {
            self.columns.find(field, &mut self.ignored)?;
        }
        Ok(RowFilter {
            layers: self.masks[question],
            ignored: &self.ignored,
        })
    }
}

/// Which objects of a world one question sees: its columns `mask` and `ignore`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The layers, a bit each.
    pub layers: u32,
    /// What it passes through.
    pub ignored: Ignored,
}

impl Seen {
    /// The same for the queries of the library.
    #[must_use]
    pub fn filter(&self) -> QueryFilter<'_> {
        self.ignored.filter().layers(self.layers)
    }
}

/// Which objects of a world one question of a batch sees.
#[derive(Clone, Copy)]
pub(crate) struct RowFilter<'a> {
    pub(crate) layers: u32,
    pub(crate) ignored: &'a Ignored,
}

impl<'a> RowFilter<'a> {
    /// The same for the queries of the library.
    pub(crate) fn filter(self) -> QueryFilter<'a> {
        self.ignored.filter().layers(self.layers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_compounds_are_named_where_no_object_is() {
        let part = |name| {
            format!(
                "[[compound.part]]\nname = '{name}'\nshape = 'sphere'\ncenter = [0, 0, 0]\nradius = 1\n"
            )
        };
        let text = [
            "[[sphere]]\nname = 'guard/head'\ncenter = [0, 0, 0]\nradius = 1\n".to_owned(),
            "[[compound]]\nname = 'guard'\n".to_owned(),
            part("head"),
            part("left/arm"),
            "[[compound]]\nname = 'guard/left'\n".to_owned(),
            part("arm"),
            part("leg"),
        ];
        let path = std::path::Path::new("scene.toml");
        let scene = hitscan_assets::load_scene_text(path, &text.concat()).unwrap();
        let found = |field: &str| {
            let Ignored { objects, parts } = ignored(&scene, field)?;
            let name = |id: ObjectId| scene.object_name(id).unwrap();
            let objects = objects.into_iter().map(|id| name(id).to_owned());
            let parts = parts
                .into_iter()
                .map(|(id, part)| format!("{}:{part}", name(id)));
            Ok::<_, String>(objects.chain(parts).collect::<Vec<_>>().join(" "))
        };
        for (field, expected) in [
            ("guard/head", "guard/head"),
            ("guard", "guard"),
            ("guard/left/arm", "guard:1"),
            ("guard/left/leg", "guard/left:1"),
            ("guard/left; guard/left/arm", "guard/left guard:1"),
        ] {
            assert_eq!(found(field).as_deref(), Ok(expected), "{field}");
        }
        assert_eq!(found("guard;guard/tail"), Err("guard/tail".to_owned()));
        let message = unknown(&scene, "guard/hed");
        assert!(
            message.starts_with("the column `ignore` names no part but `hed`, in `guard/hed`"),
            "{message}"
        );
        assert!(message.contains("`head`"), "{message}");
    }

    #[test]
    fn names_with_semicolons_are_named_among_others() {
        let names = ["a", "b", "c;d", r"e\", "f"];
        let spheres = names
            .map(|name| format!("[[sphere]]\nname = '{name}'\ncenter = [0, 0, 0]\nradius = 1\n"));
        let path = std::env::temp_dir().join(format!("hitscan-ignore-{}.toml", std::process::id()));
        std::fs::write(&path, spheres.concat()).unwrap();
        let scene = hitscan_assets::load_scene(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let named = |field: &str| {
            let found = ignored(&scene, field)?;
            Ok::<_, String>(
                found
                    .objects
                    .iter()
                    .map(|&id| scene.object_name(id).unwrap())
                    .collect::<Vec<_>>(),
            )
        };
        for (field, found) in [
            ("", &[][..]),
            ("a; b;", &["a", "b"]),
            ("c;d", &["c;d"]),
            (r"c\;d", &["c;d"]),
            (r"a;c\;d;b", &["a", "c;d", "b"]),
            // The name ends with a backslash: it is known, so this is no escaped mark.
            (r"e\;f", &[r"e\", "f"]),
        ] {
            assert_eq!(named(field).as_deref(), Ok(found), "{field}");
        }
        assert_eq!(named("a;c;d"), Err("c".to_owned()));
        assert_eq!(named(r"a;x\;y"), Err("x;y".to_owned()));
        let field = ignore_field(["c;d", "a"]);
        assert_eq!(
            (field.as_str(), ignored_names(&field)),
            (r"c\;d;a", vec!["c;d".to_owned(), "a".to_owned()])
        );
    }
}
