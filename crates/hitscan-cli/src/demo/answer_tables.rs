//! The demo's tables of questions, answered as the commands do.

use super::Folder;
use crate::arguments::{
    ArcArguments, ArcHitsArgument, ClosestArguments, ExplainArguments, HeightArguments,
    HeightMethod, Hits, InitialOverlapArgument, OutputArguments, OverlapArguments, PartsArguments,
    RayArguments, RayMethod, SceneArguments, ShapeArgument, SidesArgument, SightArguments,
    SingleFileArguments, SummaryArguments, SweepArguments,
};
use crate::failure::Failure;
use crate::{arc, closest, height, overlap, ray, sight, sweep};

pub(super) fn run(folder: &Folder<'_>) -> Result<(), Failure> {
    let tables = Tables { folder };
    tables.rays()?;
    tables.heights("points", HeightMethod::Exact)?;
    tables.heights("footprints", HeightMethod::Footprint)?;
    tables.moves("moves", ShapeArgument::Box)?;
    tables.moves("balls", ShapeArgument::Sphere)?;
    tables.moves("walks", ShapeArgument::Capsule)?;
    tables.others()
}

struct Tables<'a> {
    folder: &'a Folder<'a>,
}

impl Tables<'_> {
    fn scene(&self) -> SceneArguments {
        SceneArguments {
            scene: self.folder.path("scene.toml"),
            single_file: SingleFileArguments::default(),
            link: None,
        }
    }

    /// Where the answers to a table go.
    fn output(&self, name: &str) -> OutputArguments {
        OutputArguments {
            output: Some(self.folder.path(&format!("{name}_answers.csv"))),
            ..OutputArguments::default()
        }
    }

    fn rays(&self) -> Result<(), Failure> {
        ray::run(&RayArguments {
            scene: self.scene(),
            rays: vec![self.folder.path("rays.csv")],
            output: self.output("rays"),
            hits: Hits::Nearest,
            sides: SidesArgument::Both,
            method: RayMethod::Exact,
            step: None,
            bisections: None,
            bind: false,
            explain: ExplainArguments::default(),
            parts: PartsArguments::default(),
            summary: SummaryArguments::default(),
            visits: false,
            expect: None,
        })
    }

    fn heights(&self, name: &str, method: HeightMethod) -> Result<(), Failure> {
        height::run(&HeightArguments {
            scene: self.scene(),
            points: vec![self.folder.path(&format!("{name}.csv"))],
            output: self.output(name),
            method,
            above: None,
            radius: None,
            explain: ExplainArguments::default(),
            parts: PartsArguments::default(),
            summary: SummaryArguments::default(),
        })
    }

    fn moves(&self, name: &str, shape: ShapeArgument) -> Result<(), Failure> {
        sweep::run(&SweepArguments {
            object: false,
            scene: self.scene(),
            moves: vec![self.folder.path(&format!("{name}.csv"))],
            output: self.output(name),
            shape,
            hull: None,
            sides: SidesArgument::Both,
            initial_overlap: InitialOverlapArgument::Stop,
            hits: Hits::Nearest,
            contact: false,
            turning: false,
            tolerance: None,
            explain: ExplainArguments::default(),
            parts: PartsArguments::default(),
            summary: SummaryArguments::default(),
        })
    }

    fn others(&self) -> Result<(), Failure> {
        overlap::run(&OverlapArguments {
            scene: self.scene(),
            shapes: vec![self.folder.path("shapes.csv")],
            output: self.output("shapes"),
            shape: None,
            hull: None,
            each: None,
            signed: false,
            explain: ExplainArguments::default(),
            parts: PartsArguments::default(),
            exact: false,
            apart: None,
            summary: false,
            limit: None,
        })?;
        closest::run(&ClosestArguments {
            scene: self.scene(),
            points: vec![self.folder.path("probes.csv")],
            output: self.output("probes"),
            signed: true,
            explain: ExplainArguments::default(),
            parts: PartsArguments::default(),
            summary: SummaryArguments::default(),
        })?;
        arc::run(&ArcArguments {
            scene: self.scene(),
            arcs: vec![self.folder.path("arcs.csv")],
            output: self.output("arcs"),
            hits: ArcHitsArgument::Nearest,
            sides: SidesArgument::Both,
            explain: ExplainArguments::default(),
            parts: PartsArguments::default(),
            summary: SummaryArguments::default(),
        })?;
        sight::run(&SightArguments {
            scene: self.scene(),
            eyes: Some(self.folder.path("eyes.csv")),
            targets: Some(self.folder.path("targets.csv")),
            output: self.output("sight"),
            pairs: false,
            target_columns: None,
            summary: SummaryArguments::default(),
            blocker: true,
            explain: None,
            json: false,
        })
    }
}
