//! Tables of resting shapes: what each overlaps, touches or is near to.

use crate::explain::{Explain, NamedCandidate, explained, wrong_kind};
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::write_feature;
use crate::shape::{RowShape, ShapeKind};
use hitscan::explain::{self, Question, Verdict};
use hitscan::{
    Contact, ContactStatus, ContactsPer, ConvexHull, Enclosure, EnclosureKind, Interior, ObjectId,
    Primitive, QueryFilter,
};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, ColumnKind, Frame, QuestionColumn, Questions,
    RowWriter,
};

/// Answers tables of resting shapes about a scene, with the columns of `hitscan overlap` with a table.
///
/// ```
/// use hitscan::ContactsPer;
/// use hitscan_ask::{ContactTable, ShapeKind};
/// use hitscan_table::{Input, RunOptions, Value, answer_row};
/// use std::sync::atomic::AtomicBool;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-contacts-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[[box]]\nname = 'floor'\nmin = [-9, -1, -9]\nmax = [9, 0, 9]\n")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = ContactTable::new(&scene, ShapeKind::Sphere, ContactsPer::Object);
/// let balls = Input::Stream {
///     name: "balls".to_owned(),
///     reader: Box::new(&b"cx,cy,cz,radius,margin\n0,0.75,0,0.5,1\n"[..]),
/// };
/// let row = answer_row(balls, 0, &table, &RunOptions::new(&AtomicBool::new(false)))?;
/// assert_eq!(row.answers[0][1], ("status".to_owned(), Some(Value::Text("near".to_owned()))));
/// assert_eq!(row.answers[0][2], ("separation".to_owned(), Some(Value::Number(0.25))));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ContactTable<'scene> {
    scene: &'scene Scene,
    questions: Vec<QuestionColumn>,
    filters: FilterColumns<'scene>,
    shape: RowShape,
    each: ContactsPer,
    interior: Interior,
    frame: Frame,
}

impl<'scene> ContactTable<'scene> {
    /// Prepares to answer resting shapes about `scene`: a row for each object within the margin, or
    /// for each triangle and solid.
    #[must_use]
    pub fn new(scene: &'scene Scene, shape: ShapeKind, each: ContactsPer) -> Self {
        Self::of_rows(scene, shape.into(), each)
    }

    /// As [`Self::new`], of one hull for all rows: there is no column `hull`.
    #[must_use]
    pub fn of_hull(scene: &'scene Scene, hull: ConvexHull, each: ContactsPer) -> Self {
        Self::of_rows(scene, hull.into(), each)
    }

    fn of_rows(scene: &'scene Scene, shape: RowShape, each: ContactsPer) -> Self {
        let questions = [shape.columns(), &[MARGIN, MASK, IGNORE]].concat();
        Self {
            scene,
            filters: FilterColumns::new(scene, &questions),
            questions,
            shape,
            each,
            interior: Interior::Solids,
            frame: table_frame(scene),
        }
    }

    /// With [`Interior::ClosedSurfaces`] also what a shape is inside of or below, by
    /// [`Snapshot::enclosures`](hitscan::Snapshot::enclosures): a row `inside` or `below` in place of those
    /// of the object's triangles.
    #[must_use]
    pub fn with_interior(self, interior: Interior) -> Self {
        Self { interior, ..self }
    }
}

/// How far apart things may be, metres.
const MARGIN: QuestionColumn = QuestionColumn::optional("margin", 0.0);

const ANSWERS: [AnswerColumn; 12] = [
    AnswerColumn::new("row", ColumnKind::RowNumber),
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("separation", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("x", ColumnKind::F32)
        .on_axis(Axis::X)
        .named_by_alias("contact_"),
    AnswerColumn::new("y", ColumnKind::F32)
        .on_axis(Axis::Y)
        .named_by_alias("contact_"),
    AnswerColumn::new("z", ColumnKind::F32)
        .on_axis(Axis::Z)
        .named_by_alias("contact_"),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
];

impl Answer for ContactTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &self.questions
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let snapshot = self.scene.now();
        let read = |question| self.asked(questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |asked, filter, question, out| {
            let (shape, margin) = asked;
            let contacts = snapshot.contacts(&shape, margin, self.each, filter);
            let mut enclosures = self.enclosures(shape, filter);
            let place = |object| match self.each {
                ContactsPer::Object => snapshot.place_of(object, filter),
                ContactsPer::Triangle => object,
            };
            enclosures.sort_by_key(|one| place(one.object));
            self.write_rows(&contacts, (&enclosures, &place), question, out);
        });
    }
}

impl Explain for ContactTable<'_> {
    fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        let (shape, _) = self.asked(questions, 0)?;
        let (question, seen) = self.question(questions)?;
        let enclosures = self.enclosures(shape, seen.filter());
        let mut candidates = explained(self.scene, &(question, seen));
        for enclosure in &enclosures {
            self.explain_enclosure(enclosure, &mut candidates);
        }
        Ok(candidates)
    }

    fn question(&self, questions: &Questions) -> Result<(Question, Seen), String> {
        let (shape, margin) = self.asked(questions, 0)?;
        let question = Question::Contacts {
            shape,
            margin,
            each: self.each,
        };
        Ok((question, self.filters.seen(questions)?))
    }

    fn write(&self, answer: &explain::Answer, question: usize, out: &mut AnswerBuilder) {
        match answer {
            explain::Answer::Contacts(contacts) => {
                self.write_rows(contacts, (&[], &|object| object), question, out);
            }
            _ => wrong_kind(answer),
        }
    }
}

impl ContactTable<'_> {
    /// The shape of a question and its margin, or why the question is invalid.
    fn asked(&self, questions: &Questions, question: usize) -> Result<(Primitive, f32), String> {
        let shape = self.shape.read(self.scene, questions, question)?;
        let margin = questions.column(self.shape.columns().len())[question];
        if margin < 0.0 {
            return Err(format!(
                "the margin must be 0 or more metres, found {margin}"
            ));
        }
        Ok((shape, margin))
    }

    /// What encloses the shape, if the table has such rows.
    fn enclosures(&self, shape: Primitive, filter: QueryFilter<'_>) -> Vec<Enclosure> {
        match self.interior {
            Interior::Solids => Vec::new(),
            Interior::ClosedSurfaces => self.scene.now().enclosures(shape, filter),
        }
    }

    /// Writes a question's rows in order of the objects, or of their places where a surface has one row; those of
    /// objects that enclose the shape, and of their surfaces, have no other.
    fn write_rows(
        &self,
        contacts: &[Contact],
        (enclosures, place): (&[Enclosure], &dyn Fn(ObjectId) -> ObjectId),
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        if contacts.is_empty() && enclosures.is_empty() {
            out.row(question).text("separate");
        }
        let mut waiting = enclosures.iter().peekable();
        for contact in contacts {
            let object = object_of(contact);
            let is_before = |one: &&Enclosure| place(one.object) < place(object);
            while let Some(enclosure) = waiting.next_if(is_before) {
                self.write_enclosure(enclosure, &mut out.row(question));
            }
            let now = self.scene.now();
            if !(enclosures.iter()).any(|one| now.are_one(one.object, object)) {
                self.write_contact(contact, &mut out.row(question));
            }
        }
        for enclosure in waiting {
            self.write_enclosure(enclosure, &mut out.row(question));
        }
    }

    fn write_enclosure(&self, enclosure: &Enclosure, row: &mut RowWriter<'_>) {
        row.text(match enclosure.kind {
            EnclosureKind::Inside => "inside",
            EnclosureKind::Below => "below",
        });
        row.f32(0.0 - enclosure.depth);
        for vector in [enclosure.normal, enclosure.point] {
            row.f32(vector.x).f32(vector.y).f32(vector.z);
        }
        write_feature(self.scene, enclosure.object, Some(enclosure.triangle), row);
    }

    fn write_contact(&self, contact: &Contact, row: &mut RowWriter<'_>) {
        row.text(match contact.status {
            ContactStatus::Overlap => "overlap",
            ContactStatus::Touching => "touching",
            ContactStatus::Near => "near",
        });
        row.f32(contact.separation);
        for vector in [contact.normal, contact.point] {
            row.f32(vector.x).f32(vector.y).f32(vector.z);
        }
        write_feature(self.scene, object_of(contact), contact.triangle, row);
    }

    /// Puts what encloses the shape in place of the candidates that its object has.
    fn explain_enclosure(&self, enclosure: &Enclosure, candidates: &mut Vec<NamedCandidate>) {
        let (object, triangle) = (enclosure.object, enclosure.triangle);
        let name = self.scene.object_name(object).unwrap_or_default();
        let is_own = |one: &NamedCandidate| {
            let other = self.scene.object_named(&one.object);
            other.is_some_and(|other| self.scene.now().are_one(object, other))
        };
        candidates.retain(|one| !is_own(one));
        let t = 0.0 - enclosure.depth;
        let place = candidates
            .iter()
            .position(|one| one.t.is_none_or(|own| own > t));
        let why = match enclosure.kind {
            EnclosureKind::Inside => "the shape is inside its closed triangles, and overlaps none",
            EnclosureKind::Below => "the shape is below the ground, and overlaps no triangle of it",
        };
        let candidate = NamedCandidate {
            object: name.to_owned(),
            part: (self.scene.part_name(object, triangle.part)).map(str::to_owned),
            triangle: Some(triangle.triangle),
            t: Some(t),
            verdict: Verdict::Answer.name(),
            why: why.to_owned(),
        };
        candidates.insert(place.unwrap_or(candidates.len()), candidate);
    }
}

fn object_of(contact: &Contact) -> ObjectId {
    let object = contact.object;
    object.expect("a contact in a world names its object")
}
