//! The columns with which a row chooses what it sees: `mask` and `ignore`.
//!
//! Which objects a query sees is the library's part (`hitscan::QueryFilter`); here names become handles.
//! `ignore` holds the name of an object, or several with `;` between them.

use hitscan::{ObjectId, QueryFilter};
use hitscan_assets::{KnownNames, Scene};
use hitscan_table::{Names, QuestionColumn, Questions};

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
            ignored: Vec::new(),
        }
    }

    /// Appends the objects that a field of `ignore` names; the error says which name is unknown.
    pub(crate) fn find(&self, field: &str, found: &mut Vec<ObjectId>) -> Result<(), String> {
        // A name may contain `;` itself.
        if let Some(object) = self.scene.object_named(field) {
            found.push(object);
            return Ok(());
        }
        let names = field.split(';').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            let object = self.scene.object_named(name);
            found.push(object.ok_or_else(|| self.unknown(name))?);
        }
        Ok(())
    }

    /// The message about a name that no object has, with those that exist.
    fn unknown(&self, name: &str) -> String {
        let mut names: Vec<&str> = self.scene.object_names().collect();
        names.sort_unstable();
        let known = KnownNames::near(name, names);
        format!("the column `ignore` names no object but `{name}`{known}")
    }
}

/// The filters of a batch of questions.
pub(crate) struct FilterBatch<'q> {
    columns: &'q FilterColumns<'q>,
    masks: &'q [u32],
    names: &'q Names,
    /// The objects that the current question ignores.
    ignored: Vec<ObjectId>,
}

impl FilterBatch<'_> {
    /// The end of the run of questions from `first` on that have the same mask and ignored names.
    pub(crate) fn end_of_run(&self, first: usize) -> usize {
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
