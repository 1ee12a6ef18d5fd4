//! The columns with which a question chooses what it sees: `mask` and `ignore`.
//!
//! What an object must be to be seen is the library's business (`hitscan::QueryFilter`); here are the
//! names. `ignore` holds the name of an object, or several with `;` between them.

use crate::scene::OpenScene;
use hitscan::{ObjectId, QueryFilter};
use hitscan_table::{Names, QuestionColumn, Questions};
use std::collections::BTreeMap;

/// The layers that a question sees: all, where the row says nothing.
pub(super) const MASK: QuestionColumn = QuestionColumn::optional_mask("mask", u32::MAX);

/// The objects that a question passes through: none, where the row says nothing.
pub(super) const IGNORE: QuestionColumn = QuestionColumn::optional_name("ignore");

/// Finds the objects that questions name.
pub(super) struct FilterColumns<'scene> {
    by_name: BTreeMap<&'scene str, ObjectId>,
    mask: usize,
    ignore: usize,
}

impl<'scene> FilterColumns<'scene> {
    /// For questions about `scene` which have [`MASK`] and [`IGNORE`] among their `columns`.
    pub(super) fn new(scene: &'scene OpenScene, columns: &[QuestionColumn]) -> Self {
        let position = |wanted: QuestionColumn| {
            let found = columns.iter().position(|&column| column == wanted);
            found.expect("every question has the columns of a filter")
        };
        let named = |object| (scene.object_name(object), object);
        Self {
            by_name: scene.world().now().objects().map(named).collect(),
            mask: position(MASK),
            ignore: position(IGNORE),
        }
    }

    /// The filters of a batch of questions.
    pub(super) fn read<'q>(&'q self, questions: &'q Questions) -> FilterBatch<'q> {
        FilterBatch {
            columns: self,
            masks: questions.masks(self.mask),
            names: questions.names(self.ignore),
            ignored: Vec::new(),
        }
    }

    /// Appends the objects that a field of `ignore` names; the error says which name is unknown.
    fn find(&self, field: &str, found: &mut Vec<ObjectId>) -> Result<(), String> {
        // A name with a `;` in it is a name all the same.
        if let Some(&object) = self.by_name.get(field) {
            found.push(object);
            return Ok(());
        }
        let names = field.split(';').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            let object = self.by_name.get(name).ok_or_else(|| self.unknown(name))?;
            found.push(*object);
        }
        Ok(())
    }

    /// What to say about a name that no object bears: one that is like it, or those that there are.
    fn unknown(&self, name: &str) -> String {
        /// How alike two names must be, on the scale of Jaro and Winkler from 0 to 1.
        const ALIKE: f64 = 0.75;
        const SHOWN: usize = 8;
        let lower = name.to_lowercase();
        let near = self
            .by_name
            .keys()
            .map(|known| (strsim::jaro_winkler(&lower, &known.to_lowercase()), known))
            .filter(|&(alike, _)| alike >= ALIKE)
            .max_by(|(a, _), (b, _)| a.total_cmp(b));
        let hint = match near {
            Some((_, near)) => format!("did you mean `{near}`?"),
            None if self.by_name.is_empty() => "the scene has no objects".to_owned(),
            None => {
                let shown = self.by_name.keys().take(SHOWN);
                let shown: Vec<String> = shown.map(|known| format!("`{known}`")).collect();
                let more = if self.by_name.len() > SHOWN {
                    ", ..."
                } else {
                    ""
                };
                format!("there is {}{more}", shown.join(", "))
            }
        };
        format!("the column `ignore` names no object but `{name}`; {hint}")
    }
}

/// The filters of a batch of questions.
pub(super) struct FilterBatch<'q> {
    columns: &'q FilterColumns<'q>,
    masks: &'q [u32],
    names: &'q Names,
    /// The objects that the question at hand names.
    ignored: Vec<ObjectId>,
}

impl FilterBatch<'_> {
    /// Where the questions end that see the same as `first` and follow it.
    pub(super) fn end_of_run(&self, first: usize) -> usize {
        let sees = |question| (self.masks[question], self.names.get(question));
        let others = first + 1..self.masks.len();
        let is_other = |question: &usize| sees(*question) != sees(first);
        others.clone().find(is_other).unwrap_or(others.end)
    }

    /// What a question sees, or why that cannot be told.
    pub(super) fn of(&mut self, question: usize) -> Result<Seen<'_>, String> {
        self.ignored.clear();
        if let Some(field) = self.names.get(question) {
            self.columns.find(field, &mut self.ignored)?;
        }
        Ok(Seen {
            layers: self.masks[question],
            ignored: &self.ignored,
        })
    }
}

/// What one question sees of a world.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    layers: u32,
    ignored: &'a [ObjectId],
}

impl<'a> Seen<'a> {
    /// The same for the queries of the library.
    pub(super) fn filter(self) -> QueryFilter<'a> {
        QueryFilter::new().layers(self.layers).exclude(self.ignored)
    }
}
