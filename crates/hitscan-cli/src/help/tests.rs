//! The pages say what the code has: no key, column, word or option is missing, and none is made up.

use super::page_parts::{codes, examples, section, table_rows};
use super::*;
use clap::CommandFactory as _;
use hitscan::explain::{NotHit, Verdict};
use hitscan::overlap::OverlapKind;
use hitscan::{Aabb, ContactsPer, FilteredBy, Interior, Ray, Sides, World};
use hitscan_ask::{
    ArcHits, ArcTable, ClosestTable, ContactColumns, ContactTable, DistanceTable, EyeTable,
    FootprintTable, HeightMethod, HeightTable, HitColumns, MoveHits, MoveSettings, NearPairTable,
    NearPairs, ObjectSweepTable, ObjectTurningTable, OverlapTable, OverlapTest, PlacementChecks,
    PlacementTable, RayHits, RayTable, ShapeKind, SightLineTable, SightTable, SweepTable,
    TurningSettings, TurningTable, table_frame,
};
use hitscan_assets::scene::{PLACES_COLUMNS, SceneFile, TABLE_KEYS};
use hitscan_assets::{Scene, load_scene_text};
use hitscan_table::{Answer, Input, Output, RunOptions};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub(super) type Words = BTreeSet<String>;

/// What the first cells of a section's tables name.
pub(super) fn named(section: &str) -> Words {
    let rows = table_rows(section);
    rows.flat_map(|cells| codes(cells[0]))
        .map(str::to_owned)
        .collect()
}

fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Words {
    words.into_iter().map(str::to_owned).collect()
}

fn empty_scene() -> Scene {
    load_scene_text(Path::new("scene.toml"), "").unwrap()
}

#[test]
fn the_keys_of_scenes_are_those_that_are_read() {
    let all = section(SCENE, "## Keys of all objects");
    let is_alias = |kind: &str| kind == "turned_box";
    let kinds = TABLE_KEYS.map(|(kind, _)| kind);
    let kinds = kinds.into_iter().filter(|kind| !is_alias(kind));
    let headings = SCENE.lines().filter_map(|line| line.strip_prefix("## ["));
    let headings = words(headings.map(|heading| heading.trim_matches(['[', ']'])));
    assert_eq!(headings, words(kinds));
    for (kind, keys) in TABLE_KEYS {
        if is_alias(kind) {
            let obb = section(SCENE, "## [[obb]]");
            assert!(obb.contains(&format!("`[[{kind}]]` is an alias")));
            assert_eq!(named(obb), words(keys.iter().copied()), "{kind}");
            continue;
        }
        let heading = match kind {
            "world" | "camera" => format!("## [{kind}]"),
            _ => format!("## [[{kind}]]"),
        };
        let text = section(SCENE, &heading);
        let table = text.split("\n### ").next().unwrap();
        assert_eq!(named(table), words(keys.iter().copied()), "{kind}");
        for key in keys {
            let shown = |block: &str| {
                block
                    .lines()
                    .any(|line| line.starts_with(&format!("{key} = ")))
            };
            let is_shown = examples(text).chain(examples(all)).any(shown);
            assert!(is_shown, "{kind} has no example of {key}");
        }
    }
    let places = section(SCENE, "### The table of places");
    assert_eq!(named(places), words(PLACES_COLUMNS));
}

#[test]
fn the_examples_of_scenes_are_read() {
    let mut count = 0;
    for text in examples(SCENE) {
        let file = SceneFile::parse(Path::new("scene.toml"), text).unwrap();
        assert_eq!(file.warnings, [""; 0], "{text}");
        count += 1;
    }
    // An alias has no example of its own.
    assert!(count >= TABLE_KEYS.len(), "{count}");
}

#[test]
fn the_columns_of_questions_are_those_that_are_read() {
    let scene = empty_scene();
    let moves = ShapeKind::ALL.map(|shape| {
        let default = MoveSettings::default();
        SweepTable::with_settings(&scene, MoveSettings { shape, ..default })
    });
    let shapes = ShapeKind::ALL.map(|kind| ContactTable::new(&scene, kind, ContactsPer::Object));
    let checks = PlacementChecks::default();
    let placed = ShapeKind::ALL.map(|kind| PlacementTable::new(&scene, kind, checks));
    let rays = RayTable::new(&scene, RayHits::Any, Sides::Both);
    let arcs = ArcTable::new(&scene, ArcHits::Any, Sides::Both);
    let heights = HeightTable::new(&scene, HeightMethod::Exact);
    let nearest = ClosestTable::new(&scene, Interior::Solids);
    let distances = DistanceTable::new(&scene);
    let placed = placed.iter().map(|table| table as &dyn Answer).collect();
    let movers = ObjectSweepTable::new(&scene, MoveSettings::default());
    let moves = moves.iter().map(|table| table as &dyn Answer);
    let turns = TurningTable::new(&scene, TurningSettings::default());
    let turners = ObjectTurningTable::new(&scene, TurningSettings::default());
    let moves = moves
        .chain([&movers as &dyn Answer, &turns, &turners])
        .collect();
    let shapes = shapes.iter().map(|table| table as &dyn Answer).collect();
    let tables: [(&str, Vec<&dyn Answer>); 8] = [
        ("ray", vec![&rays]),
        ("arc", vec![&arcs]),
        ("height", vec![&heights]),
        ("sweep", moves),
        ("overlap", shapes),
        ("closest", vec![&nearest]),
        ("distance", vec![&distances]),
        ("check", placed),
    ];
    for (command, tables) in tables {
        let columns = tables.iter().flat_map(|table| table.questions());
        let columns = columns.flat_map(|column| [Some(column.name), column.above]);
        let footprints = FootprintTable::new(&scene);
        let above = HeightTable::new(&scene, HeightMethod::Exact).with_above();
        let beside = [footprints.questions(), above.questions()].concat();
        let beside = beside.iter().map(|column| column.name);
        let beside = beside.filter(|_| command == "height");
        let text = section(section(TABLES, &format!("## {command}")), "### Columns in");
        assert_eq!(
            named(text),
            words(columns.flatten().chain(beside)),
            "{command}"
        );
    }
    let shapes = section(TABLES, "## Shapes");
    for (kind, cells) in ShapeKind::ALL.iter().zip(table_rows(shapes).skip(2)) {
        assert_eq!(words(codes(cells[0])), words([kind.name()]));
        let columns = kind.columns().iter().map(|column| column.name);
        assert_eq!(words(codes(cells[1])), words(columns), "{kind:?}");
    }
    let sight = SightTable::new(&scene, true);
    let lines = SightLineTable::new(&scene, true);
    let columns = [sight.eyes(), sight.targets(), lines.questions()].concat();
    let columns = columns
        .iter()
        .flat_map(|column| [Some(column.name), column.above]);
    let text = section(section(TABLES, "## sight"), "### Columns in");
    assert_eq!(named(text), words(columns.flatten()));
    let eyes = EyeTable::columns().iter();
    let eyes = eyes.flat_map(|column| [Some(column.name), column.above]);
    let text = section(section(TABLES, "## viewshed"), "### Columns in");
    assert_eq!(named(text), words(eyes.flatten()));
    assert_eq!(
        named(section(TABLES, "## Columns of every table")),
        words(["mask", "ignore"])
    );
}

#[test]
fn the_columns_of_answers_are_those_that_are_written() {
    let scene = empty_scene();
    let all = RayHits::All(HitColumns::WorldAndBind);
    let rays = RayTable::new(&scene, all, Sides::Both);
    let arcs = ArcTable::new(&scene, ArcHits::Nearest, Sides::Both);
    let heights = HeightTable::new(&scene, HeightMethod::Exact).with_above();
    let hits = MoveHits::All(ContactColumns::HitAndContact);
    let default = MoveSettings::default();
    let settings = MoveSettings { hits, ..default };
    let moves = SweepTable::with_settings(&scene, settings);
    let movers = ObjectSweepTable::new(&scene, settings);
    let turns = TurningTable::new(&scene, TurningSettings::default());
    let contacts = ContactTable::new(&scene, ShapeKind::Box, ContactsPer::Object);
    let nearest = ClosestTable::new(&scene, Interior::Solids);
    let placed = PlacementTable::new(&scene, ShapeKind::Box, PlacementChecks::default());
    let footprints = FootprintTable::new(&scene);
    let tests = [
        OverlapTest::Bounds,
        OverlapTest::Exact,
        OverlapTest::Summary,
    ];
    let overlaps = tests.map(|test| OverlapTable::new(&scene, test).columns());
    let near = NearPairTable::new(&scene, NearPairs::Closest).columns();
    for (command, columns) in [
        ("ray", rays.answers()),
        ("arc", arcs.answers()),
        (
            "height",
            &[heights.answers(), footprints.answers()].concat(),
        ),
        (
            "sweep",
            &[moves.answers(), movers.answers(), turns.answers()].concat(),
        ),
        ("closest", nearest.answers()),
        ("distance", near),
        ("check", placed.answers()),
        (
            "overlap",
            &[&overlaps.concat(), contacts.answers(), near].concat(),
        ),
        ("sight", SightTable::new(&scene, true).columns()),
    ] {
        let text = section(section(TABLES, &format!("## {command}")), "### Columns out");
        let columns = columns.iter().map(|column| column.name);
        assert_eq!(named(text), words(columns), "{command}");
    }
}

#[test]
fn the_names_of_a_map_s_coordinates_are_those_that_are_read() {
    let text = "[world]\norigin = [500000.0, 0.0, 6200000.0]\n";
    let scene = load_scene_text(Path::new("scene.toml"), text).unwrap();
    let frame = table_frame(&scene);
    let own = frame.aliases.iter().flatten().map(|alias| &alias.name);
    let other = frame.foreign.iter().map(|axis| &axis.name);
    let shown: Words = words(codes(section(TABLES, "## Coordinates of a map")));
    let mapping = section(FILES, "### The mapping");
    for name in own.chain(other) {
        assert!(mapping.contains(name.as_str()), "{name}");
        for prefix in [
            "", "min_", "max_", "a_", "b_", "hit_", "contact_", "nearest_",
        ] {
            assert!(shown.contains(&format!("{prefix}{name}")), "{prefix}{name}");
        }
    }
}

/// The words of the column `status` that a table of questions gets.
fn statuses(answers: &dyn Answer, questions: &str) -> Words {
    let folder = tempfile::TempDir::new().unwrap();
    let [input, output] = ["in.csv", "out.csv"].map(|name| folder.path().join(name));
    std::fs::write(&input, questions).unwrap();
    let cancel = AtomicBool::new(false);
    let out = Output::File(output.clone());
    hitscan_table::run(Input::File(input), out, answers, &RunOptions::new(&cancel)).unwrap();
    let text = std::fs::read_to_string(output).unwrap();
    let mut lines = text.lines();
    let mut header = lines.next().unwrap().split(',');
    let status = header.position(|name| name == "status").unwrap();
    words(lines.map(|line| line.split(',').nth(status).unwrap()))
}

#[test]
fn the_status_words_are_those_that_are_written() {
    let folder = tempfile::TempDir::new().unwrap();
    let map = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n0 1 2\n0 1 -9999\n";
    std::fs::write(folder.path().join("map.asc"), map).unwrap();
    let corner = "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n";
    std::fs::write(folder.path().join("corner.obj"), corner).unwrap();
    let text = "[[terrain]]\nheights = 'map.asc'\n\
                [[model]]\nfile = 'corner.obj'\ntranslation = [1000, 0, 0]\n\
                [[box]]\nmin = [8, 0, 0]\nmax = [9, 1, 1]\n\
                [[sphere]]\nname = 'ball'\ncenter = [2000, 0, 0]\nradius = 0.5\n\
                [[box]]\nmin = [2000, 0, 0]\nmax = [2001, 1, 1]\n\
                [[box]]\nmin = [2001, 0, 0]\nmax = [2002, 1, 1]\n";
    let scene = load_scene_text(&folder.path().join("scene.toml"), text).unwrap();
    let rays = RayTable::new(&scene, RayHits::Nearest(HitColumns::World), Sides::Both);
    let rays = statuses(
        &rays,
        "ox,oy,oz,dx,dy,dz\n8.5,5,0.5,0,-1,0\n8.5,5,0.5,0,1,0\n0,0,0,0,0,0\n",
    );
    let arcs = ArcTable::new(&scene, ArcHits::Nearest, Sides::Both);
    let arcs = statuses(
        &arcs,
        "ox,oy,oz,vx,vy,vz,gy\n8.5,5,0.5,0,1,0,\n8.5,5,0.5,0,1,0,9\n0,0,0,0,0,0,0\n",
    );
    let exact = HeightTable::new(&scene, HeightMethod::Exact);
    let mut heights = statuses(&exact, "x,z\n0.5,0.5\n-1,0\n3.9,1.9\n,\n");
    let highest = HeightTable::new(&scene, HeightMethod::Max(0.1));
    heights.extend(statuses(&highest, "x,z\n0.5,0.5\n"));
    let moves = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n8,2,0,9,3,1,0,-5,0\n\
                 8,0.5,0,9,3,1,0,-5,0\n8,2,0,9,3,1,0,5,0\n1,0,0,0,0,0,0,0,0\n";
    let mut moves = statuses(&SweepTable::new(&scene), moves);
    // It rests on a box and tips about an edge of its base, which neither goes in nor out.
    let turns = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz,axis_z,angle,pivot_x,pivot_y,pivot_z\n\
                 2000.25,1,0.25,2000.75,2,0.75,0,0,0,1,-0.5,2000.75,1,0\n";
    let turning = TurningTable::new(&scene, TurningSettings::default());
    moves.extend(statuses(&turning, turns));
    let boxes = "min_x,min_y,min_z,max_x,max_y,max_z,margin\n8,0.5,0,9,3,1,0\n8,1,0,9,3,1,0\n\
                 8,2,0,9,3,1,1\n8,2,0,9,3,1,0.5\n9,2,0,8,3,1,0\n1001,1,1,1002,2,2,0\n1,-9,0.5,2,-8,1,0\n";
    let contacts = ContactTable::new(&scene, ShapeKind::Box, ContactsPer::Object);
    let contacts = statuses(&contacts.with_interior(Interior::ClosedSurfaces), boxes);
    let clear = PlacementChecks {
        clear: true,
        ..PlacementChecks::default()
    };
    let placed = statuses(&PlacementTable::new(&scene, ShapeKind::Box, clear), boxes);
    let nearest = ClosestTable::new(&scene, Interior::Solids);
    let points = "px,py,pz,max_distance\n8.5,5,0.5,\n8.5,0.5,0.5,\n99,0,0,1\n0,0,0,-1\n";
    let nearest = statuses(&nearest, points);
    let distances = statuses(
        &DistanceTable::new(&scene),
        "object_a,object_b,max_distance\nbox0,terrain0,\nbox0,terrain0,0\nbox1,box2,\nbox1,ball,\n\
         box1,ghost,\nbox1,box1,\n",
    );
    for (command, found) in [
        ("ray", rays),
        ("arc", arcs),
        ("height", heights),
        ("sweep", moves),
        ("overlap", contacts),
        ("closest", nearest),
        ("distance", distances),
        ("check", placed),
    ] {
        let text = section(section(TABLES, &format!("## {command}")), "### Status");
        assert_eq!(named(text), found, "{command}");
    }
    use OverlapKind::{Contains, Coplanar, Cross, Touch};
    let kinds = [Cross, Coplanar, Touch, Contains];
    let kinds = words(kinds.map(OverlapKind::name));
    assert_eq!(named(section(TABLES, "### Kinds")), kinds);
}

#[test]
fn the_verdicts_are_those_that_are_written() {
    let verdicts = [
        Verdict::Answer,
        Verdict::Farther,
        Verdict::Tie,
        Verdict::OutOfRange,
        Verdict::WrongSide,
        Verdict::Separating,
        Verdict::InternalEdge,
        Verdict::Hole,
        Verdict::Missed,
        Verdict::BoxMissed,
        Verdict::Filtered(FilteredBy::Layers),
    ];
    let verdicts = words(verdicts.map(Verdict::name));
    assert_eq!(named(section(TABLES, "## Explanations")), verdicts);
}

#[test]
fn the_reasons_are_those_that_are_written() {
    let mut world = World::new();
    let wall = world.add(Aabb::new([2.0, -1.0, -1.0], [3.0, 1.0, 1.0]).unwrap());
    let behind = world.add(Aabb::new([4.0, -1.0, -1.0], [5.0, 1.0, 1.0]).unwrap());
    world.update();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let hidden = world.now().explain_expected(&ray, behind, ()).unwrap();
    let away = Ray::new([0.0; 3], [-1.0, 0.0, 0.0]).unwrap();
    let missed = world.now().explain_expected(&away, wall, ()).unwrap();
    let others = [
        NotHit::Filtered(FilteredBy::Layers),
        NotHit::Filtered(FilteredBy::Excluded),
        NotHit::OutOfRange,
        NotHit::WrongSide,
    ];
    let all = [&others[..], &hidden.reasons, &missed.reasons].concat();
    let reasons = words(all.iter().map(NotHit::name));
    assert_eq!(named(section(TABLES, "## Expected hits")), reasons);
}

#[test]
fn the_options_are_those_of_the_commands() {
    let program = Arguments::command();
    let shared = section(TABLES, "## Options of every table");
    for command in program.get_subcommands() {
        let name = command.get_name();
        let heading = match name {
            "help" | "completions" | "man" => "## help, completions, man".to_owned(),
            _ => format!("## {name}"),
        };
        let own = section(TABLES, &heading);
        let own = own.find("### Options").map_or("", |at| &own[at..]);
        let mut shown = named(own);
        for cells in table_rows(shared) {
            if cells[1].split(',').any(|command| command.trim() == name) {
                shown.extend(words(codes(cells[0])));
            }
        }
        let mut options = Words::new();
        for option in command.get_arguments() {
            options.extend(option.get_long().map(|long| format!("--{long}")));
            options.extend(option.get_short().map(|short| format!("-{short}")));
            if option.is_positional() || !option.get_action().takes_values() {
                continue;
            }
            let aliases = option.get_all_aliases().unwrap_or_default();
            for alias in aliases.iter().map(|alias| format!("`--{alias}`")) {
                assert!(own.contains(&alias), "{option}: {alias}");
            }
            for value in option.get_possible_values() {
                let value = format!("`{}`", value.get_name());
                assert!(
                    own.contains(&value) || shared.contains(&value),
                    "{option}: {value}"
                );
            }
        }
        assert_eq!(shown, options, "{name}");
    }
}
