//! The settings of a tool, and the table that answers with them.

use crate::protocol::{FieldError, Refusal, Tool, ToolOptions};
use hitscan::Interior;
use hitscan::shape_cast::InitialOverlap;
use hitscan::{ContactsPer, Sides};
use hitscan_ask::{
    ArcHits, ArcTable, ClosestTable, ContactColumns, ContactTable, DistanceTable, Explain,
    FootprintTable, HeightMethod, HeightTable, HitColumns, March, MoveHits, MoveSettings,
    ObjectSweepTable, ObjectTurningTable, OverlapTest, RayHits, RayTable, ShapeKind,
    SightLineTable, SweepTable, TurningHits, TurningSettings, TurningTable,
};
use hitscan_assets::Scene;
use hitscan_table::Answer;

/// A tool with its options, as the command of that name reads them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::viewer) enum ToolSettings {
    Ray {
        hits: RayHits,
        sides: Sides,
    },
    Height(HeightMethod),
    Footprint,
    Sweep(MoveSettings),
    /// A shape that turns while it moves.
    Turning(TurningSettings),
    /// An object of the scene that moves.
    ObjectSweep(MoveSettings),
    /// An object of the scene that turns while it moves.
    ObjectTurning(TurningSettings),
    Overlap {
        shape: ShapeKind,
        each: ContactsPer,
    },
    Closest(Interior),
    Arc {
        hits: ArcHits,
        sides: Sides,
    },
    Sight {
        names_blocker: bool,
    },
    Distance,
}

const SIDES: [(&str, Sides); 3] = [
    ("both", Sides::Both),
    ("front", Sides::Front),
    ("back", Sides::Back),
];

const FLAG: [(&str, bool); 2] = [("false", false), ("true", true)];

#[derive(Clone, Copy, PartialEq)]
enum Hits {
    Nearest,
    Any,
    All,
}

const HITS: [(&str, Hits); 3] = [
    ("nearest", Hits::Nearest),
    ("any", Hits::Any),
    ("all", Hits::All),
];

#[derive(Clone, Copy, PartialEq)]
enum Method {
    Exact,
    Max,
    Mean,
    Footprint,
}

const METHODS: [(&str, Method); 4] = [
    ("exact", Method::Exact),
    ("max", Method::Max),
    ("mean", Method::Mean),
    ("footprint", Method::Footprint),
];

const SHAPES: [(&str, ShapeKind); 8] = [
    ("box", ShapeKind::Box),
    ("obb", ShapeKind::Obb),
    ("turned-box", ShapeKind::Obb),
    ("turned_box", ShapeKind::Obb),
    ("sphere", ShapeKind::Sphere),
    ("capsule", ShapeKind::Capsule),
    ("hull", ShapeKind::Hull),
    ("cylinder", ShapeKind::Cylinder),
];

impl ToolSettings {
    /// Whether one question takes microseconds on any world: it has one answer, and neither walks in
    /// steps, nor looks through an area or through all of a mesh.
    pub(super) fn are_quick(&self) -> bool {
        match self {
            Self::Ray { hits, .. } => {
                matches!(hits, RayHits::Nearest(_) | RayHits::Any)
            }
            Self::Height(method) => matches!(method, HeightMethod::Exact),
            Self::Arc { .. } | Self::Sight { .. } | Self::Closest(Interior::Solids) => true,
            _ => false,
        }
    }

    /// Reads all options; one that the tool has not is refused.
    pub(in crate::viewer) fn read(
        tool: Tool,
        mut options: ToolOptions,
    ) -> Result<Self, FieldError> {
        let settings = match tool {
            Tool::Ray => Self::Ray {
                hits: ray_hits(&mut options)?,
                sides: options.word("sides", &SIDES)?,
            },
            Tool::Height => height_method(&mut options)?,
            Tool::Sweep => sweep(&mut options)?,
            Tool::Overlap => Self::Overlap {
                shape: options.word("shape", &SHAPES)?,
                each: options.word(
                    "each",
                    &[
                        ("object", ContactsPer::Object),
                        ("triangle", ContactsPer::Triangle),
                    ],
                )?,
            },
            Tool::Closest => Self::Closest(match options.word("signed", &FLAG)? {
                false => Interior::Solids,
                true => Interior::ClosedSurfaces,
            }),
            Tool::Arc => Self::Arc {
                hits: options.word(
                    "hits",
                    &[("nearest", ArcHits::Nearest), ("any", ArcHits::Any)],
                )?,
                sides: options.word("sides", &SIDES)?,
            },
            Tool::Sight => Self::Sight {
                names_blocker: options.word("blocker", &FLAG)?,
            },
            Tool::Distance => Self::Distance,
            Tool::Viewshed => {
                let expected = "a tool that answers tables: a viewshed is of one eye";
                return Err(Refusal::new("tool", tool.name(), expected));
            }
        };
        options.finish()?;
        Ok(settings)
    }

    /// The table that answers.
    pub(super) fn table<'scene>(&self, scene: &'scene Scene) -> ToolTable<'scene> {
        ToolTable::Explained(match *self {
            Self::Height(method) => return ToolTable::Height(HeightTable::new(scene, method)),
            Self::Footprint => return ToolTable::Footprint(FootprintTable::new(scene)),
            Self::Sight { names_blocker } => {
                return ToolTable::Sight(SightLineTable::new(scene, names_blocker));
            }
            Self::Turning(settings) => {
                return ToolTable::Turning(TurningTable::new(scene, settings));
            }
            Self::ObjectSweep(settings) => {
                return ToolTable::ObjectSweep(ObjectSweepTable::new(scene, settings));
            }
            Self::ObjectTurning(settings) => {
                return ToolTable::ObjectTurning(ObjectTurningTable::new(scene, settings));
            }
            Self::Distance => return ToolTable::Distance(DistanceTable::new(scene)),
            Self::Ray { hits, sides } => Box::new(RayTable::new(scene, hits, sides)),
            Self::Sweep(settings) => Box::new(SweepTable::with_settings(scene, settings)),
            Self::Overlap { shape, each } => Box::new(ContactTable::new(scene, shape, each)),
            Self::Closest(sign) => Box::new(ClosestTable::new(scene, sign)),
            Self::Arc { hits, sides } => Box::new(ArcTable::new(scene, hits, sides)),
        })
    }
}

/// The table of a tool.
pub(super) enum ToolTable<'scene> {
    /// It explains its answers, those of a march by the exact search.
    Explained(Box<dyn Explain + 'scene>),
    Height(HeightTable<'scene>),
    Footprint(FootprintTable<'scene>),
    Sight(SightLineTable<'scene>),
    Turning(TurningTable<'scene>),
    ObjectSweep(ObjectSweepTable<'scene>),
    ObjectTurning(ObjectTurningTable<'scene>),
    Distance(DistanceTable<'scene>),
}

impl<'scene> ToolTable<'scene> {
    pub(super) fn as_answer(&self) -> &(dyn Answer + 'scene) {
        match self {
            Self::Explained(table) => table.as_ref(),
            Self::Height(table) => table,
            Self::Footprint(table) => table,
            Self::Sight(table) => table,
            Self::Turning(table) => table,
            Self::ObjectSweep(table) => table,
            Self::ObjectTurning(table) => table,
            Self::Distance(table) => table,
        }
    }
}

/// What decides which pairs of objects overlap, by the options of `hitscan overlap` without a table.
pub(in crate::viewer) fn overlap_test(mut options: ToolOptions) -> Result<OverlapTest, FieldError> {
    let test = match options.word("exact", &FLAG)? {
        false => OverlapTest::Bounds,
        true => OverlapTest::Exact,
    };
    options.finish()?;
    Ok(test)
}

fn ray_hits(options: &mut ToolOptions) -> Result<RayHits, FieldError> {
    let hits = options.word("hits", &HITS)?;
    let has_march = options.word("method", &[("exact", false), ("march", true)])?;
    let bind = match options.word("bind", &FLAG)? {
        false => HitColumns::World,
        true if hits == Hits::Any || has_march => {
            let expected = "`hits` nearest or all, and `method` exact";
            return Err(Refusal::new("options.bind", "true", expected));
        }
        true => HitColumns::WorldAndBind,
    };
    if !has_march {
        return Ok(match hits {
            Hits::Nearest => RayHits::Nearest(bind),
            Hits::Any => RayHits::Any,
            Hits::All => RayHits::All(bind),
        });
    }
    let mut march = March::default();
    if let Some(text) = options.take("step") {
        let step = text
            .parse()
            .ok()
            .and_then(|step| march.with_step(step).ok());
        let wrong = || Refusal::new("options.step", text, "a positive length, metres");
        march = step.ok_or_else(wrong)?;
    }
    if let Some(text) = options.take("bisections") {
        let wrong = || Refusal::new("options.bisections", text.clone(), "a whole number");
        march = march.with_bisections(text.parse().map_err(|_| wrong())?);
    }
    match hits {
        Hits::Nearest => Ok(RayHits::March(march)),
        Hits::Any => Ok(RayHits::MarchAny(march)),
        Hits::All => {
            let expected = "nearest or any: a march finds one hit";
            Err(Refusal::new("options.hits", "all", expected))
        }
    }
}

fn height_method(options: &mut ToolOptions) -> Result<ToolSettings, FieldError> {
    let method = options.word("method", &METHODS)?;
    let has_radius = matches!(method, Method::Max | Method::Mean);
    let radius = match options.take("radius") {
        Some(text) if has_radius => {
            let radius = text.parse::<f64>().ok();
            let radius = radius.filter(|radius| radius.is_finite() && *radius >= 0.0);
            let expected = "a length of at least 0, metres";
            radius.ok_or_else(|| Refusal::new("options.radius", text, expected))?
        }
        Some(text) => {
            let expected = "nothing: it belongs to `method` max and mean";
            return Err(Refusal::new("options.radius", text, expected));
        }
        None if has_radius => {
            return Err(Refusal::new("options.radius", "nothing", "metres"));
        }
        None => 0.0,
    };
    Ok(match method {
        Method::Exact => ToolSettings::Height(HeightMethod::Exact),
        Method::Max => ToolSettings::Height(HeightMethod::Max(radius)),
        Method::Mean => ToolSettings::Height(HeightMethod::Mean(radius)),
        Method::Footprint => ToolSettings::Footprint,
    })
}

/// What moves, a shape or an object, and whether it turns.
fn sweep(options: &mut ToolOptions) -> Result<ToolSettings, FieldError> {
    let is_object = options.word("object", &FLAG)?;
    // An object is its own shape.
    let shape = match is_object {
        false => options.word("shape", &SHAPES)?,
        true => ShapeKind::default(),
    };
    if options.word("turning", &FLAG)? {
        let settings = turning(shape, options)?;
        return Ok(match is_object {
            false => ToolSettings::Turning(settings),
            true => ToolSettings::ObjectTurning(settings),
        });
    }
    let settings = MoveSettings {
        shape,
        sides: options.word("sides", &SIDES)?,
        initial_overlap: initial_overlap(options)?,
        hits: move_hits(options)?,
    };
    Ok(match is_object {
        false => ToolSettings::Sweep(settings),
        true => ToolSettings::ObjectSweep(settings),
    })
}

/// The choices that a turning sweep has of the options of others, and why no more.
const TURNING_WORDS: [(&str, &[&str], &str); 5] = [
    ("hits", &["nearest", "any"], "what turns has one hit"),
    ("sides", &["both"], "what turns is met from both sides"),
    ("overlaps", &["stop"], "what turns stops at overlaps"),
    ("initial_overlap", &["stop"], "what turns stops at overlaps"),
    ("contact", &["false"], "what turns has no contact columns"),
];

fn turning(shape: ShapeKind, options: &mut ToolOptions) -> Result<TurningSettings, FieldError> {
    let mut hits = TurningHits::Nearest;
    for (name, words, why) in TURNING_WORDS {
        match options.take(name) {
            Some(text) if !words.contains(&text.as_str()) => {
                let expected = format!("{}: {why}", words.join(" or "));
                return Err(Refusal::new(format!("options.{name}"), text, expected));
            }
            Some(text) if text == "any" => hits = TurningHits::Any,
            _ => {}
        }
    }
    let tolerance = options.take("tolerance").map(|text| {
        let tolerance = text.parse::<f64>().ok();
        let tolerance = tolerance.filter(|tolerance| tolerance.is_finite() && *tolerance > 0.0);
        let wrong = || Refusal::new("options.tolerance", text, "a length of more than 0, metres");
        tolerance.ok_or_else(wrong)
    });
    Ok(TurningSettings {
        shape,
        tolerance: tolerance.transpose()?,
        hits,
    })
}

/// By its name, or by the alias `overlaps`; not by both.
fn initial_overlap(options: &mut ToolOptions) -> Result<InitialOverlap, FieldError> {
    let name = match options.has("initial_overlap") {
        true => "initial_overlap",
        false => "overlaps",
    };
    options.word(
        name,
        &[
            ("stop", InitialOverlap::Stop),
            ("escape", InitialOverlap::Escape),
            ("leave", InitialOverlap::Escape),
        ],
    )
}

fn move_hits(options: &mut ToolOptions) -> Result<MoveHits, FieldError> {
    let hits = options.word("hits", &HITS)?;
    let columns = match options.word("contact", &FLAG)? {
        false => ContactColumns::Hit,
        true => ContactColumns::HitAndContact,
    };
    match (hits, columns) {
        (Hits::Nearest, columns) => Ok(MoveHits::Nearest(columns)),
        (Hits::All, columns) => Ok(MoveHits::All(columns)),
        (Hits::Any, ContactColumns::Hit) => Ok(MoveHits::Any),
        (Hits::Any, ContactColumns::HitAndContact) => {
            let expected = "`hits` nearest or all";
            Err(Refusal::new("options.contact", "true", expected))
        }
    }
}
