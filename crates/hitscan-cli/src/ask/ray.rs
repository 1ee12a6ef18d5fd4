//! `hitscan ray`: what each ray hits.

use super::filter::{FilterColumns, IGNORE, MASK, Seen};
use super::march::March;
use crate::arguments::{Hits, RayArguments, RayMethod, SidesArgument};
use crate::failure::Failure;
use crate::scene::OpenScene;
use hitscan::world::{ObjectId, WorldHit};
use hitscan::{Hit, Ray, Sides};
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions, RowWriter,
};
use std::ops::Range;

pub(crate) fn run(arguments: &RayArguments) -> Result<(), Failure> {
    let method = method(arguments)?;
    let bind = bind(arguments)?;
    let scene = OpenScene::read(&arguments.scene)?;
    let sides = match arguments.sides {
        SidesArgument::Both => Sides::Both,
        SidesArgument::Front => Sides::Front,
        SidesArgument::Back => Sides::Back,
    };
    let job = RayJob {
        scene: &scene,
        filters: FilterColumns::new(&scene, &QUESTIONS),
        hits: arguments.hits,
        sides,
        method,
        bind,
    };
    super::answer_table(&arguments.rays, &arguments.output, &job)
}

/// How terrain is searched.
enum Method {
    Exact,
    March(March),
}

fn method(arguments: &RayArguments) -> Result<Method, Failure> {
    if arguments.method == RayMethod::Exact {
        return match (arguments.step, arguments.bisections) {
            (None, None) => Ok(Method::Exact),
            _ => Err(Failure::usage(
                "--step and --bisections belong to --method march",
            )),
        };
    }
    if arguments.hits == Hits::All {
        return Err(Failure::usage(
            "a march finds one hit: --hits all needs --method exact",
        ));
    }
    let mut march = March::default();
    if let Some(step) = arguments.step {
        march = march.with_step(step).map_err(|_| {
            Failure::usage(format!("--step must be a positive length, found {step}"))
        })?;
    }
    if let Some(bisections) = arguments.bisections {
        march = march.with_bisections(bisections);
    }
    Ok(Method::March(march))
}

/// Whether hits are told in the models' own terms too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bind {
    Told,
    Untold,
}

fn bind(arguments: &RayArguments) -> Result<Bind, Failure> {
    if !arguments.bind {
        return Ok(Bind::Untold);
    }
    if arguments.hits == Hits::Any {
        return Err(Failure::usage(
            "--hits any answers the status alone: --bind needs --hits nearest or all",
        ));
    }
    if arguments.method == RayMethod::March {
        return Err(Failure::usage(
            "a march hits terrain alone, which has no joints: --bind needs --method exact",
        ));
    }
    Ok(Bind::Told)
}

/// How many rays are asked together: as many as the library answers on the thread that asks, as
/// tables have threads of their own.
const TOGETHER: usize = 512;

/// What each of some rays hits.
enum Found {
    Any(Vec<bool>),
    Nearest(Vec<Option<WorldHit>>),
    All(Vec<Vec<WorldHit>>),
}

struct RayJob<'scene> {
    scene: &'scene OpenScene,
    filters: FilterColumns<'scene>,
    hits: Hits,
    sides: Sides,
    method: Method,
    bind: Bind,
}

const QUESTIONS: [QuestionColumn; 10] = [
    QuestionColumn::required("ox"),
    QuestionColumn::required("oy"),
    QuestionColumn::required("oz"),
    QuestionColumn::required("dx"),
    QuestionColumn::required("dy"),
    QuestionColumn::required("dz"),
    QuestionColumn::optional("t_min", 0.0),
    QuestionColumn::optional("t_max", f32::INFINITY).accepting_infinity(),
    MASK,
    IGNORE,
];

/// `row` belongs to `--hits all` alone, and `status` is all that `--hits any` answers. The last
/// [`BIND_COLUMNS`] belong to `--bind`.
const ANSWERS: [AnswerColumn; 20] = [
    AnswerColumn::new("row", ColumnKind::RowNumber),
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("distance", ColumnKind::F32),
    AnswerColumn::new("x", ColumnKind::F32),
    AnswerColumn::new("y", ColumnKind::F32),
    AnswerColumn::new("z", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("u", ColumnKind::F32),
    AnswerColumn::new("v", ColumnKind::F32),
    AnswerColumn::new("side", ColumnKind::Text),
    AnswerColumn::new("joint", ColumnKind::Text),
    AnswerColumn::new("bind_x", ColumnKind::F32),
    AnswerColumn::new("bind_y", ColumnKind::F32),
    AnswerColumn::new("bind_z", ColumnKind::F32),
];
const BIND_COLUMNS: usize = 4;

impl Answer for RayJob<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        let end = match self.bind {
            Bind::Told => ANSWERS.len(),
            Bind::Untold => ANSWERS.len() - BIND_COLUMNS,
        };
        match self.hits {
            Hits::All => &ANSWERS[..end],
            Hits::Nearest => &ANSWERS[1..end],
            Hits::Any => &ANSWERS[1..2],
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let mut filters = self.filters.read(questions);
        let mut first = 0;
        while first < questions.len() {
            let end = filters.end_of_run(first).min(first + TOGETHER);
            self.answer_run(questions, first..end, filters.of(first), out);
            first = end;
        }
    }
}

impl RayJob<'_> {
    /// Answers questions that all see the same, or do not say what they see.
    fn answer_run(
        &self,
        questions: &Questions,
        run: Range<usize>,
        seen: Result<Seen<'_>, String>,
        out: &mut AnswerBuilder,
    ) {
        let columns: [&[f32]; 8] = std::array::from_fn(|column| questions.column(column));
        let read = |question: usize| {
            let [ox, oy, oz, dx, dy, dz, t_min, t_max] = columns.map(|column| column[question]);
            let ray = Ray::new([ox, oy, oz], [dx, dy, dz])
                .and_then(|ray| ray.with_range(t_min, t_max))
                .map_err(|error| error.to_string())?;
            match &seen {
                Ok(_) => Ok(ray),
                Err(reason) => Err(reason.clone()),
            }
        };
        let rays: Vec<Result<Ray, String>> = run.clone().map(read).collect();
        let sound: Vec<Ray> = rays.iter().flatten().copied().collect();
        let found = seen.map(|seen| self.ask(&sound, seen));
        let mut asked = 0;
        for (question, ray) in run.zip(&rays) {
            match (ray, &found) {
                (Err(reason), _) | (_, Err(reason)) => out.invalid(question, reason),
                (Ok(_), Ok(found)) => {
                    self.write_found(found, asked, question, out);
                    asked += 1;
                }
            }
        }
    }

    /// What each of the rays hits.
    fn ask(&self, rays: &[Ray], seen: Seen<'_>) -> Found {
        let world = self.scene.world();
        let filter = seen.filter(self.sides);
        match (self.hits, &self.method) {
            (Hits::Any, Method::Exact) => Found::Any(world.cast_rays_any(rays, filter)),
            (Hits::Nearest, Method::Exact) => Found::Nearest(world.cast_rays(rays, filter)),
            (Hits::All, _) => {
                let all = rays.iter().map(|ray| world.cast_ray_all(ray, filter));
                Found::All(all.collect())
            }
            (Hits::Any | Hits::Nearest, Method::March(march)) => {
                let hits = rays.iter().map(|ray| self.march(ray, seen, *march));
                if self.hits == Hits::Any {
                    Found::Any(hits.map(|hit| hit.is_some()).collect())
                } else {
                    Found::Nearest(hits.collect())
                }
            }
        }
    }

    fn march(&self, ray: &Ray, seen: Seen<'_>, march: March) -> Option<WorldHit> {
        let fields = self.scene.world().height_fields();
        fields
            .filter(|&(object, _)| seen.has(object))
            .filter_map(|(object, field)| {
                let hit = march.cast_ray(field, ray, self.sides)?;
                Some(WorldHit { object, hit })
            })
            .min_by(|a, b| a.hit.t.total_cmp(&b.hit.t))
    }

    /// Answers a question with what the ray in this place found.
    fn write_found(&self, found: &Found, place: usize, question: usize, out: &mut AnswerBuilder) {
        let hits = match found {
            Found::Any(are_hits) => {
                let is_hit = are_hits[place];
                out.row(question).text(if is_hit { "hit" } else { "miss" });
                return;
            }
            Found::Nearest(hits) => hits[place].as_slice(),
            Found::All(hits) => &hits[place],
        };
        for hit in hits {
            self.write(hit, &mut out.row(question));
        }
        if hits.is_empty() {
            out.row(question).text("miss");
        }
    }

    fn write(&self, WorldHit { object, hit }: &WorldHit, row: &mut RowWriter<'_>) {
        row.text("hit").f32(hit.t).f32(hit.distance);
        for vector in [hit.point, hit.normal] {
            row.f32(vector.x).f32(vector.y).f32(vector.z);
        }
        row.text(self.scene.object_name(*object));
        self.write_triangle(*object, hit, row);
        row.text(hit.side.name());
        if self.bind == Bind::Told {
            self.write_bind(*object, hit, row);
        }
    }

    /// The joint that a hit struck and the point in bind space; nothing where no model was hit.
    fn write_bind(&self, object: ObjectId, hit: &Hit, row: &mut RowWriter<'_>) {
        let told = self.scene.world().model(object).and_then(|model| {
            let bind = model.bind_hit(&hit.triangle?)?;
            Some((model.nodes().get(bind.node)?.name(), bind))
        });
        let Some((name, bind)) = told else {
            return;
        };
        match name {
            Some(name) => row.text(name),
            None => row.text(&format!("node{}", bind.node)),
        };
        let point = bind.point.as_vec3();
        row.f32(point.x).f32(point.y).f32(point.z);
    }

    fn write_triangle(&self, object: ObjectId, hit: &Hit, row: &mut RowWriter<'_>) {
        let Some(on) = hit.triangle else {
            row.empty().empty().empty().empty();
            return;
        };
        self.scene.write_part(object, on.part, row);
        row.u32(on.triangle).f32(on.u).f32(on.v);
    }
}
