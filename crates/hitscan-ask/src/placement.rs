//! Tables of resting shapes that are checked: whether each is well placed.

use crate::filter::{FilterColumns, IGNORE, MASK};
use crate::frame::table_frame;
use crate::shape::{RowShape, ShapeKind};
use hitscan::world::ObjectShape;
use hitscan::{
    Contact, ContactStatus, ContactsPer, ConvexHull, EnclosureKind, InitialOverlap, ObjectId,
    Primitive, QueryFilter, ShapeCast, Snapshot,
};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Frame, QuestionColumn, Questions,
};

/// What a shape must be to be well placed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlacementChecks {
    /// Moved straight down by so many metres, above zero, it hits something.
    pub on_ground: Option<f32>,
    /// It overlaps nothing.
    pub clear: bool,
    /// It is inside no closed mesh or model and below no terrain, as [`Snapshot::enclosures`] says, and
    /// its [`inner_point`](Primitive::inner_point) is in no solid.
    pub outside_solids: bool,
}

/// Checks tables of resting shapes about a scene, with the columns of `hitscan check`. Rows that fail
/// are remarked upon ([`AnswerBuilder::remark`]) with their reason.
///
/// ```
/// use hitscan_ask::{PlacementChecks, PlacementTable, ShapeKind};
/// use hitscan_table::{Input, RunOptions, Value, answer_row};
/// use std::sync::atomic::AtomicBool;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-placement-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[[box]]\nname = 'floor'\nmin = [-9, -1, -9]\nmax = [9, 0, 9]\n")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let checks = PlacementChecks { on_ground: Some(0.125), ..PlacementChecks::default() };
/// let table = PlacementTable::new(&scene, ShapeKind::Sphere, checks);
/// let balls = Input::Stream {
///     name: "balls".to_owned(),
///     reader: Box::new(&b"cx,cy,cz,radius\n0,0.75,0,0.5\n"[..]),
/// };
/// let row = answer_row(balls, 0, &table, &RunOptions::new(&AtomicBool::new(false)))?;
/// let reason = "on_ground: `floor` is 0.25 m below, more than 0.125 m";
/// assert_eq!(row.answers[0][1], ("reason".to_owned(), Some(Value::Text(reason.to_owned()))));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlacementTable<'scene> {
    scene: &'scene Scene,
    questions: Vec<QuestionColumn>,
    filters: FilterColumns<'scene>,
    shape: RowShape,
    checks: PlacementChecks,
    frame: Frame,
}

impl<'scene> PlacementTable<'scene> {
    /// Prepares to check resting shapes in `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, shape: ShapeKind, checks: PlacementChecks) -> Self {
        Self::of_rows(scene, shape.into(), checks)
    }

    /// As [`Self::new`], of one hull for all rows: there is no column `hull`.
    #[must_use]
    pub fn of_hull(scene: &'scene Scene, hull: ConvexHull, checks: PlacementChecks) -> Self {
        Self::of_rows(scene, hull.into(), checks)
    }

    fn of_rows(scene: &'scene Scene, shape: RowShape, checks: PlacementChecks) -> Self {
        let questions = [shape.columns(), &[MASK, IGNORE]].concat();
        Self {
            scene,
            filters: FilterColumns::new(scene, &questions),
            questions,
            shape,
            checks,
            frame: table_frame(scene),
        }
    }
}

const ANSWERS: [AnswerColumn; 2] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("reason", ColumnKind::Text),
];

impl Answer for PlacementTable<'_> {
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
        let read = |question| self.shape.read(self.scene, questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |shape, filter, question, out| {
            let faults = self.faults(&shape, filter);
            if faults.is_empty() {
                out.row(question).text("pass");
                return;
            }
            let reason = faults.join("; ");
            out.row(question).text("fail").text(&reason);
            out.remark(question, &reason);
        });
    }
}

/// How far down is looked for what is below, metres: a power of two, so that the distance is exact.
const FAR_DOWN: f32 = 1_048_576.0;

/// So many objects are named in a reason.
const NAMED: usize = 3;

impl PlacementTable<'_> {
    /// What a shape is not that it must be, a clause for each check.
    fn faults(&self, shape: &Primitive, filter: QueryFilter<'_>) -> Vec<String> {
        let now = self.scene.now();
        let checks = self.checks;
        let on_ground =
            (checks.on_ground).and_then(|metres| self.above_ground(now, shape, metres, filter));
        let overlapped = match checks.clear || checks.outside_solids {
            true => overlapped(now, shape, filter),
            false => Vec::new(),
        };
        let clear = (checks.clear && !overlapped.is_empty()).then(|| {
            let objects: Vec<ObjectId> = overlapped.iter().filter_map(|one| one.object).collect();
            format!("clear: it overlaps {}", self.names(&objects))
        });
        let outside = match checks.outside_solids {
            true => self.within(now, shape, &overlapped, filter),
            false => None,
        };
        [on_ground, clear, outside].into_iter().flatten().collect()
    }

    fn above_ground(
        &self,
        now: &Snapshot,
        shape: &Primitive,
        metres: f32,
        filter: QueryFilter<'_>,
    ) -> Option<String> {
        let first_hit = |metres: f32| {
            let down = ShapeCast::new_or_empty(shape.clone(), [0.0, -metres, 0.0]);
            now.cast_shape(&down.with_initial_overlap(InitialOverlap::Escape), filter)
        };
        if first_hit(metres).is_some() {
            return None;
        }
        let Some(below) = first_hit(FAR_DOWN) else {
            return Some("on_ground: nothing is below".to_owned());
        };
        let name = self.names(below.object.as_slice());
        let distance = below.t * FAR_DOWN;
        Some(format!(
            "on_ground: {name} is {distance} m below, more than {metres} m"
        ))
    }

    fn within(
        &self,
        now: &Snapshot,
        shape: &Primitive,
        overlapped: &[Contact],
        filter: QueryFilter<'_>,
    ) -> Option<String> {
        let enclosures = now.enclosures(shape.clone(), filter);
        let objects_of = |kind: EnclosureKind| {
            let of_kind = enclosures.iter().filter(move |one| one.kind == kind);
            of_kind.map(|one| one.object)
        };
        let point = shape.inner_point();
        let is_within = |object: &ObjectId| match now.shape(*object) {
            Some(ObjectShape::Primitive(solid)) => solid.holds(point),
            _ => now.compound_parts(*object).any(|(part, _)| {
                filter.sees_part(*object, part) && now.part_holds(*object, part, point)
            }),
        };
        let solids = overlapped
            .iter()
            .filter_map(|one| one.object)
            .filter(is_within);
        let inside: Vec<ObjectId> = solids.chain(objects_of(EnclosureKind::Inside)).collect();
        let below: Vec<ObjectId> = objects_of(EnclosureKind::Below).collect();
        let clause = |word: &str, objects: &[ObjectId]| {
            (!objects.is_empty()).then(|| format!("{word} {}", self.names(objects)))
        };
        let clauses = [clause("inside", &inside), clause("below", &below)];
        let clauses: Vec<String> = clauses.into_iter().flatten().collect();
        (!clauses.is_empty()).then(|| format!("outside_solids: it is {}", clauses.join(", ")))
    }

    /// The names of objects, of many the first.
    fn names(&self, objects: &[ObjectId]) -> String {
        let name = |object: &ObjectId| {
            let name = self.scene.object_name(*object).unwrap_or_default();
            format!("`{name}`")
        };
        let mut names: Vec<String> = objects.iter().take(NAMED).map(name).collect();
        if objects.len() > NAMED {
            names.push(format!("{} more", objects.len() - NAMED));
        }
        names.join(", ")
    }
}

/// A contact with each object that the shape overlaps.
fn overlapped(now: &Snapshot, shape: &Primitive, filter: QueryFilter<'_>) -> Vec<Contact> {
    let mut contacts = now.contacts(shape.clone(), 0.0, ContactsPer::Object, filter);
    contacts.retain(|contact| contact.status == ContactStatus::Overlap);
    contacts
}
