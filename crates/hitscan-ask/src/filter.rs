//! The columns with which a row chooses what it sees: `mask` and `ignore`.
//!
//! Which objects a query sees is the library's part (`hitscan::QueryFilter`); here names become handles.
//! `ignore` holds the name of an object, or several with `;` between them; a `;` of a name is `\;` there.

use hitscan::{ObjectId, QueryFilter};
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
            ignored: Vec::new(),
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

    /// Appends the objects that a field of `ignore` names; the error says which name is unknown.
    pub(crate) fn find(&self, field: &str, found: &mut Vec<ObjectId>) -> Result<(), String> {
        let scene = self.scene;
        find_ignored(scene, field, found).map_err(|name| unknown(scene, &name))
    }
}

/// The message about a name that no object has, with those that exist.
fn unknown(scene: &Scene, name: &str) -> String {
    let mut names: Vec<&str> = scene.object_names().collect();
    names.sort_unstable();
    let known = KnownNames::near(name, names);
    format!("the column `ignore` names no object but `{name}`{known}")
}

/// Appends the objects that a field names, or returns the first name that no object has.
fn find_ignored(scene: &Scene, field: &str, found: &mut Vec<ObjectId>) -> Result<(), String> {
    // A name may contain `;` itself, and end with a backslash.
    if let Some(object) = scene.object_named(field) {
        found.push(object);
        return Ok(());
    }
    let before = found.len();
    let mut add = |name: &str| {
        found.push(scene.object_named(name)?);
        Some(())
    };
    let plain = field.split(';').map(str::trim);
    let mut plain = plain.filter(|name| !name.is_empty());
    let Some(missing) = plain.find(|name| add(name).is_none()) else {
        return Ok(());
    };
    if !field.contains("\\;") {
        return Err(missing.to_owned());
    }
    found.truncate(before);
    for name in ignored_names(field) {
        found.push(scene.object_named(&name).ok_or(name)?);
    }
    Ok(())
}

/// The objects that a field of the column `ignore`, or the option `--ignore`, names: one, or several
/// with `;` between them. A `;` of a name is written `\;`, unless the field is that name alone.
///
/// # Errors
/// The first name that no object has.
pub fn ignored_objects(scene: &Scene, field: &str) -> Result<Vec<ObjectId>, String> {
    let mut found = Vec::new();
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
    /// The objects that the current question ignores.
    ignored: Vec<ObjectId>,
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
    /// The objects that it passes through.
    pub ignored: Vec<ObjectId>,
}

impl Seen {
    /// The same for the queries of the library.
    #[must_use]
    pub fn filter(&self) -> QueryFilter<'_> {
        QueryFilter::new()
            .layers(self.layers)
            .exclude(&self.ignored)
    }
}

/// Which objects of a world one question of a batch sees.
#[derive(Clone, Copy)]
pub(crate) struct RowFilter<'a> {
    pub(crate) layers: u32,
    pub(crate) ignored: &'a [ObjectId],
}

impl<'a> RowFilter<'a> {
    /// The same for the queries of the library.
    pub(crate) fn filter(self) -> QueryFilter<'a> {
        QueryFilter::new().layers(self.layers).exclude(self.ignored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let found = ignored_objects(&scene, field)?;
            Ok::<_, String>(
                found
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
