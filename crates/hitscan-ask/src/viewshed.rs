//! Viewsheds: which samples of a terrain an eye sees, as `hitscan viewshed` answers.

use crate::eyes::{EYES, eye_query};
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use hitscan::glam::DVec3;
use hitscan::height_field::{Curvature, Ground, Viewshed, ViewshedQuery};
use hitscan::world::ObjectKind;
use hitscan::{Error, ObjectId, QueryFilter, Snapshot, WorkLimit, World};
use hitscan_assets::georeference::MapFrame;
use hitscan_assets::{KnownNames, Scene};
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Frame, QuestionColumn, Questions,
};
use std::sync::OnceLock;

/// The options of `hitscan viewshed` that are numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewshedSettings {
    /// By how many metres the eye is lifted.
    pub above: f64,
    /// How many metres above the samples the points are that are looked at.
    pub target_above: f64,
    /// How far samples may be, metres, horizontally.
    pub max_distance: f64,
    /// The earth's curvature and the air's refraction; without it the earth is flat.
    pub curvature: Option<Curvature>,
}

impl Default for ViewshedSettings {
    fn default() -> Self {
        Self {
            above: 0.0,
            target_above: 0.0,
            max_distance: f64::INFINITY,
            curvature: None,
        }
    }
}

impl ViewshedSettings {
    /// The question from an eye, which is lifted by `above` more.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::BadValue`] for heights and distances that cannot be used.
    pub fn query(&self, eye: ViewshedQuery) -> Result<ViewshedQuery, Error> {
        eye.with_above(eye.above() + self.above)?
            .with_target_above(self.target_above)?
            .with_max_distance(self.max_distance)
    }
}

/// The options of `hitscan viewshed` by their names, as pages and links have them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ViewshedOptions {
    /// The terrain that is looked at; without it the first.
    pub terrain: Option<String>,
    /// Those that are numbers.
    pub settings: ViewshedSettings,
}

/// An option that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongOption {
    /// Its name.
    pub name: String,
    /// Its value.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl ViewshedOptions {
    /// Reads options and their values: `terrain`, `above`, `target_above`, `max_distance`, `curvature`,
    /// `refraction` and `earth_radius`.
    ///
    /// ```
    /// use hitscan_ask::ViewshedOptions;
    /// let options = ViewshedOptions::read([("above", "1.8"), ("terrain", "ridge")])?;
    /// assert_eq!((options.settings.above, options.terrain.as_deref()), (1.8, Some("ridge")));
    /// assert_eq!(ViewshedOptions::read([("above", "high")]).unwrap_err().name, "above");
    /// # Ok::<(), hitscan_ask::WrongOption>(())
    /// ```
    ///
    /// # Errors
    /// The first option that is not known or whose value cannot be used.
    pub fn read<'a>(
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, WrongOption> {
        let mut options = Self::default();
        let mut is_round = false;
        let [mut refraction, mut radius] = [None; 2];
        for (name, found) in given {
            let wrong = |expected: String| WrongOption {
                name: name.to_owned(),
                found: found.to_owned(),
                expected,
            };
            let number = || {
                let number = found.trim().parse().ok();
                let number = number.filter(|number: &f64| number.is_finite());
                number.ok_or_else(|| wrong("a number".to_owned()))
            };
            let settings = &mut options.settings;
            match name {
                "terrain" => options.terrain = Some(found.to_owned()),
                "above" => settings.above = number()?,
                "target_above" => settings.target_above = number()?,
                "max_distance" => settings.max_distance = number()?,
                "curvature" => {
                    is_round = match found {
                        "true" => true,
                        "false" => false,
                        _ => return Err(wrong("true or false".to_owned())),
                    }
                }
                "refraction" => refraction = Some(number()?),
                "earth_radius" => radius = Some(number()?),
                _ => return Err(wrong("no such option of this tool".to_owned())),
            }
            let checked = settings.query(ViewshedQuery::standing([0.0, 0.0]));
            checked.map_err(|error| wrong(error.to_string()))?;
            let curvature = Curvature::new(
                radius.unwrap_or(Curvature::EARTH_RADIUS),
                refraction.unwrap_or(0.0),
            );
            curvature.map_err(|error| wrong(error.to_string()))?;
        }
        let of_curvature = [("refraction", refraction), ("earth_radius", radius)];
        for (name, value) in of_curvature {
            if let Some(value) = value.filter(|_| !is_round) {
                return Err(WrongOption {
                    name: name.to_owned(),
                    found: value.to_string(),
                    expected: "nothing: it belongs to `curvature`".to_owned(),
                });
            }
        }
        let radius = radius.unwrap_or(Curvature::EARTH_RADIUS);
        let curvature = Curvature::new(radius, refraction.unwrap_or(0.0)).ok();
        options.settings.curvature = curvature.filter(|_| is_round);
        Ok(options)
    }
}

/// The terrain of this name; without a name the first.
///
/// # Errors
/// Why there is none.
pub fn find_terrain(scene: &Scene, name: Option<&str>) -> Result<ObjectId, String> {
    let terrains = scene.now().height_fields(());
    let terrains: Vec<ObjectId> = terrains.map(|(object, _)| object).collect();
    let Some(name) = name else {
        let first = terrains.first().copied();
        return first.ok_or_else(|| "the scene has no terrain".to_owned());
    };
    let name_of = |object: &ObjectId| scene.object_name(*object);
    let found = terrains.iter().find(|object| name_of(object) == Some(name));
    found.copied().ok_or_else(|| {
        let known = KnownNames::near(name, terrains.iter().filter_map(name_of));
        format!("no terrain is named `{name}`{known}")
    })
}

/// The ground of viewsheds: the terrain, what hides it, and the earth's curvature.
#[derive(Debug)]
pub struct ViewshedGround<'a> {
    /// The world.
    pub snapshot: &'a Snapshot,
    /// The terrain that is looked at.
    pub terrain: ObjectId,
    /// What hides.
    pub seen: Seen,
    /// The earth's curvature; without it the earth is flat.
    pub curvature: Option<Curvature>,
    /// How many samples may be tested.
    pub work: Option<&'a WorkLimit<'a>>,
}

impl ViewshedGround<'_> {
    /// Whether curvature can be answered: it would leave other objects where they are while the ground under
    /// them is lowered, so that only terrain may hide.
    #[must_use]
    pub fn can_be_lowered(&self) -> bool {
        let is_lowered =
            |object: ObjectId| self.snapshot.kind(object) == Some(ObjectKind::HeightField);
        let mut hiding = self.snapshot.objects().filter(|object| self.hides(*object));
        self.curvature.is_none() || hiding.all(is_lowered)
    }

    /// The viewshed of an eye; `None` where it is relative to the ground and there is none.
    ///
    /// # Errors
    /// Those of [`HeightField::lowered_around`](hitscan::HeightField::lowered_around).
    pub fn viewshed(&self, query: &ViewshedQuery) -> Result<Option<Viewshed>, Error> {
        let limited = |filter| match self.work {
            Some(limit) => QueryFilter::work_limit(filter, limit),
            None => filter,
        };
        let Some(curvature) = self.curvature else {
            let filter = limited(self.seen.filter());
            return Ok(self.snapshot.viewshed(self.terrain, query, filter));
        };
        let mut world = World::new();
        let mut of_terrain = None;
        let mut ignored = Vec::new();
        for (object, field) in self.snapshot.height_fields(()) {
            let hides = self.hides(object);
            if !hides && object != self.terrain {
                continue;
            }
            let id = world.add(field.lowered_around(query.place(), curvature)?);
            if object == self.terrain {
                of_terrain = Some(id);
                ignored.extend((!hides).then_some(id));
            }
        }
        world.update();
        let filter = limited(QueryFilter::new().exclude(&ignored));
        Ok(of_terrain.and_then(|terrain| world.now().viewshed(terrain, query, filter)))
    }

    fn hides(&self, object: ObjectId) -> bool {
        let layers = self.snapshot.layers(object).unwrap_or_default();
        layers & self.seen.layers != 0 && !self.seen.ignored.objects.contains(&object)
    }
}

/// Where an eye is, in the world's metres and in the map's coordinates.
#[must_use]
pub fn described_eye(eye: DVec3, frame: Option<&MapFrame>) -> String {
    let DVec3 { x, y, z } = eye;
    let world = format!("x {x:.3}, y {y:.3}, z {z:.3}");
    let Some(frame) = frame else {
        return world;
    };
    let [east, height, north] = frame.map_from_world(eye.to_array());
    let names = frame.axis_names();
    let digits = if frame.is_geographic() { 7 } else { 3 };
    format!(
        "{world} ({} {east:.digits$}, {} {north:.digits$}, {} {height:.3})",
        names[0], names[2], names[1]
    )
}

/// Answers from where a terrain is looked at: the question of a link to a viewshed, which is that of a shot
/// of the page. Its columns are those of [`EyeTable`](crate::EyeTable) with `mask` and `ignore`; the answer is a
/// word, `ok`, `outside` or `hole`, and the viewshed of the first question.
///
/// ```
/// use hitscan::height_field::Visibility;
/// use hitscan_ask::{ViewshedSettings, ViewshedTable};
/// use hitscan_table::answer_fields;
/// # let folder = std::env::temp_dir().join(format!("hitscan-ask-viewshed-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let file = |name: &str| folder.join(name);
/// std::fs::write(file("ridge.asc"), "ncols 5\nnrows 2\ncellsize 1\n0 0 5 0 0\n0 0 5 0 0\n")?;
/// std::fs::write(file("s.toml"), "[[terrain]]\nname = 'ridge'\nheights = 'ridge.asc'\n")?;
/// let scene = hitscan_assets::load_scene(&file("s.toml"))?;
/// let terrain = scene.object_named("ridge").unwrap();
/// let settings = ViewshedSettings { above: 2.0, ..ViewshedSettings::default() };
/// let table = ViewshedTable::new(&scene, terrain, settings);
/// answer_fields("the question", &[("x", "0"), ("z", "1")], &table)?;
/// let viewshed = table.into_viewshed().unwrap();
/// assert_eq!(viewshed.count(Visibility::Hidden), 4);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ViewshedTable<'scene> {
    scene: &'scene Scene,
    terrain: ObjectId,
    settings: ViewshedSettings,
    filters: FilterColumns<'scene>,
    frame: Frame,
    work: Option<&'scene WorkLimit<'scene>>,
    first: OnceLock<Viewshed>,
}

const QUESTIONS: [QuestionColumn; 5] = [EYES[0], EYES[1], EYES[2], MASK, IGNORE];

const ANSWERS: [AnswerColumn; 1] = [AnswerColumn::new("status", ColumnKind::Status)];

impl<'scene> ViewshedTable<'scene> {
    /// Prepares to answer eyes that look at a terrain of `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, terrain: ObjectId, settings: ViewshedSettings) -> Self {
        Self {
            scene,
            terrain,
            settings,
            filters: FilterColumns::new(scene, &QUESTIONS),
            frame: table_frame(scene),
            work: None,
            first: OnceLock::new(),
        }
    }

    /// The same within a work limit: the caller checks the limit, and discards an incomplete result.
    #[must_use]
    pub fn with_work_limit(self, limit: &'scene WorkLimit<'scene>) -> Self {
        Self {
            work: Some(limit),
            ..self
        }
    }

    /// The viewshed of the first question that was answered with one.
    #[must_use]
    pub fn into_viewshed(self) -> Option<Viewshed> {
        self.first.into_inner()
    }

    /// The viewshed of a question, or the word that says why there is none; the error says why the question
    /// is invalid.
    fn look(
        &self,
        questions: &Questions,
        question: usize,
        seen: Seen,
    ) -> Result<Result<Viewshed, &'static str>, String> {
        let [x, y, z] = [0, 1, 2].map(|column| questions.column(column)[question]);
        let eye = eye_query([x, z], y, questions.is_above(1))?;
        let query = self
            .settings
            .query(eye)
            .map_err(|error| error.to_string())?;
        let ground = ViewshedGround {
            snapshot: self.scene.now(),
            terrain: self.terrain,
            seen,
            curvature: self.settings.curvature,
            work: self.work,
        };
        if !ground.can_be_lowered() {
            return Err(
                "curvature lowers terrain alone, and the scene has models or solids that hide: leave them \
                 out by `ignore` or `mask`"
                    .to_owned(),
            );
        }
        let viewshed = ground.viewshed(&query).map_err(|error| error.to_string())?;
        Ok(viewshed.ok_or_else(|| {
            let field = ground.snapshot.height_field(self.terrain);
            match field.map(|field| field.height([x, z])) {
                Some(Ground::Hole) => "hole",
                _ => "outside",
            }
        }))
    }
}

impl Answer for ViewshedTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let mut filters = self.filters.read(questions);
        for question in 0..questions.len() {
            let seen = filters.of(question).map(|filter| Seen {
                layers: filter.layers,
                ignored: filter.ignored.clone(),
            });
            match seen.and_then(|seen| self.look(questions, question, seen)) {
                Ok(Ok(viewshed)) => {
                    out.row(question).text("ok");
                    // Only the first is kept.
                    let _ = self.first.set(viewshed);
                }
                Ok(Err(word)) => {
                    out.row(question).text(word);
                }
                Err(reason) => out.invalid(question, &reason),
            }
        }
    }
}
