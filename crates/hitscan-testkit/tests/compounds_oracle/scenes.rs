//! Compounds of scene files.

use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::{Aabb, Capsule, Compound, CompoundPart, ConvexHull, Obb, Primitive, Sphere};
use hitscan_assets::{DiskFiles, Error, Scene, check_scene_text_from, load_scene_text};
use std::path::Path;

fn load(text: &str) -> Result<Scene, Error> {
    load_scene_text(Path::new("scene.toml"), text)
}

const GUARD: &str = "
[[sphere]]
center = [9, 9, 9]
radius = 1

[[compound]]
name = 'guard'
translation = [1, 2, 3]
rotation = [0, 1, 0, 0]
scale = [2, 2, 0.5]
layers = 6

[[compound.part]]
name = 'head' # plain tables and others are read alike
shape = 'sphere'
center = [0, 2, 0]
radius = 0.25

[[compound.part]]
shape = 'box'
min = [-0.25, 1, -0.25]
max = [0.25, 1.75, 0.25]

[[compound.part]]
name = 'leg'
shape = 'capsule'
a = [0, 0.25, 0]
b = [0, 0.75, 0]
radius = 0.25

[[compound.part]]
name = 'shield'
shape = 'turned_box'
center = [0, 1, 1]
half_size = [0.5, 0.5, 0.125]
rotation = [0.5, 0.5, 0.5, 0.5]

[[compound.part]]
name = 'sword'
shape = 'hull'
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
radius = 0.125
translation = [0.25, 1, 0]
scale = 0.5
";

#[test]
fn a_compound_of_a_scene_is_that_of_its_keys() {
    let turn = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let sword = ConvexHull::new([
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ])
    .unwrap();
    let sword = sword.with_radius(0.125).unwrap();
    let sword = sword
        .placed_by(
            DVec3::splat(0.5),
            DQuat::IDENTITY,
            DVec3::new(0.25, 1.0, 0.0),
        )
        .unwrap();
    let solids: [(&str, Primitive); 5] = [
        ("head", Sphere::new([0.0, 2.0, 0.0], 0.25).unwrap().into()),
        (
            "part1",
            Aabb::new([-0.25, 1.0, -0.25], [0.25, 1.75, 0.25])
                .unwrap()
                .into(),
        ),
        (
            "leg",
            Capsule::new([0.0, 0.25, 0.0], [0.0, 0.75, 0.0], 0.25)
                .unwrap()
                .into(),
        ),
        (
            "shield",
            Obb::new([0.0, 1.0, 1.0], [0.5, 0.5, 0.125], turn)
                .unwrap()
                .into(),
        ),
        ("sword", sword.into()),
    ];
    let expected =
        Compound::new(solids.map(|(name, solid)| CompoundPart::new(name, solid))).unwrap();
    let scene = load(GUARD).unwrap();
    let guard = scene.object_named("guard").unwrap();
    let now = scene.now();
    assert_eq!(now.compound(guard).map(AsRef::as_ref), Some(&expected));
    let placed = DAffine3::from_scale_rotation_translation(
        DVec3::new(2.0, 2.0, 0.5),
        DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        DVec3::new(1.0, 2.0, 3.0),
    );
    assert_eq!(
        (now.transform(guard), now.layers(guard)),
        (Some(placed), Some(6))
    );
    assert_eq!(
        (scene.part_name(guard, 1), scene.part_name(guard, 5)),
        (Some("part1"), None)
    );
    let ball = scene.object_named("sphere0").unwrap();
    assert!(ball < guard && scene.part_name(ball, 0).is_none());
}

#[test]
fn parts_may_be_in_brackets() {
    let apart = "[[compound]]\nname = 'a'\n[[compound.part]]\nshape = 'sphere'\ncenter = [0, 1, 0]\nradius = 1\n\
                 [[compound.part]]\nname = 'b'\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
    let parts = "{ shape = 'sphere', center = [0, 1, 0], radius = 1 }, \
                 { name = 'b', shape = 'box', min = [0, 0, 0], max = [1, 1, 1] }";
    let whole = |text: &str| {
        let scene = load(text).unwrap();
        scene
            .now()
            .compound(scene.object_named("a").unwrap())
            .unwrap()
            .as_ref()
            .clone()
    };
    let expected = whole(apart);
    assert_eq!(expected.parts().len(), 2);
    assert_eq!(
        whole(&format!("[[compound]]\nname = 'a'\npart = [{parts}]\n")),
        expected
    );
    assert_eq!(
        whole(&format!(
            "compound = [{{ name = 'a', part = [{parts}] }}]\n"
        )),
        expected
    );
    // Other tables may come between a compound and its parts.
    let between = apart.replace(
        "[[compound.part]]\nname",
        "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n[[compound.part]]\nname",
    );
    assert_eq!(whole(&between), expected);
}

const BALL: &str = "[[compound.part]]\nshape = 'sphere'\ncenter = [0, 0, 0]\nradius = 1\n";

/// That a scene is refused at a place, in these words.
fn check_refused(text: &str, place: &str, words: &str) {
    let error = load(text).unwrap_err();
    let cause = std::error::Error::source(&error).map_or_else(String::new, ToString::to_string);
    let message = format!("{error}: {cause}");
    assert!(
        message.contains(place) && message.contains(words),
        "{text}\n{message}"
    );
}

#[test]
fn faults_of_parts_are_where_they_are() {
    let of = |part: &str| format!("[[compound]]\nname = 'a'\n[[compound.part]]\n{part}\n");
    for (text, place, words) in [
        (
            of("shape = 'sphere'\ncenter = [0, 0, 0]\nradius = 1\nlayers = 2"),
            "line 7, column 1",
            "unknown key `layers`",
        ),
        (
            of("shape = 'box'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nradius = 1"),
            "line 7, column 1",
            "unknown key `radius`",
        ),
        (
            of("center = [0, 0, 0]\nradius = 1"),
            "line 3, column 1",
            "the key `shape`",
        ),
        (
            of("shape = 'cone'\na = [0, 0, 0]"),
            "line 4, column 9",
            "\"sphere\", \"box\", \"capsule\"",
        ),
        (of("shape = 3"), "line 4, column 9", "for `shape`"),
        (
            of("shape = 'sphere'\ncenter = [0, 0, 0]\nradius = 0"),
            "line 6, column 10",
            "positive",
        ),
        (of("shape = 'hull'"), "line 3, column 1", "the key `points`"),
        (
            of("name = 'a;b'\nshape = 'sphere'\ncenter = [0, 0, 0]\nradius = 1"),
            "line 4, column 8",
            "without `;`",
        ),
        (
            of("name = ''\nshape = 'sphere'\ncenter = [0, 0, 0]\nradius = 1"),
            "line 4, column 8",
            "not empty",
        ),
    ] {
        check_refused(&text, place, words);
    }
}

#[test]
fn faults_of_compounds_are_where_they_are() {
    for (text, place, words) in [
        (
            format!(
                "[[compound]]\n{BALL}{}",
                BALL.replace("shape", "name = 'part0'\nshape")
            ),
            "line 7, column 8",
            "which a part at line 2, column 1 has",
        ),
        (
            BALL.to_owned(),
            "line 1, column 1",
            "a `[[compound]]` before its parts",
        ),
        (
            "[[compound]]\nname = 'a'\n".to_owned(),
            "line 1, column 1",
            "a part, under `[[compound.part]]`",
        ),
        (
            format!("[[compound]]\nname = 'a'\n[[compound]]\n{BALL}"),
            "line 1, column 1",
            "a part, under `[[compound.part]]`",
        ),
        (
            format!(
                "[[compound]]\npart = [{{ shape = 'sphere', center = [0, 0, 0], radius = 1 }}]\n{BALL}"
            ),
            "line 3, column 1",
            "either `part = [...]` or `[[compound.part]]`",
        ),
        (
            "[[compound]]\npart = 3\n".to_owned(),
            "line 2, column 8",
            "an array of tables",
        ),
        (
            "[compound]\nname = 'a'\n".to_owned(),
            "line 1, column 2",
            "an array of tables, each under `[[compound]]`",
        ),
        (
            "[compound.part]\nname = 'a'\n".to_owned(),
            "line 1",
            "an array of tables, each under `[[compound.part]]`",
        ),
        (
            format!("[[compound]]\nscale = [1, 0, 1]\n{BALL}"),
            "line 2, column 9",
            "other than zero",
        ),
        (
            format!("[[compound]]\nmodel = 'fox'\n{BALL}"),
            "line 2, column 9",
            "the name of a model of the scene",
        ),
        (
            format!("[[compound]]\ntranslation = [0, 2e18, 0]\n{BALL}"),
            "line 2, column 15",
            "within ±1e18",
        ),
        (
            format!(
                "[[compound]]\nscale = 1e18\n{}",
                BALL.replace("= 1", "= 10")
            ),
            "line 2, column 9",
            "radius",
        ),
    ] {
        check_refused(&text, place, words);
    }
}

#[test]
fn all_faults_of_compounds_are_listed() {
    let text = format!(
        "[[compound]]\nscale = 0\n[[compound.part]]\nshape = 'ball'\n{BALL}[[compound]]\n\
         [[compound]]\n{BALL}[[compound.part]]\nshape = 'sphere'\ncenter = 1\nradius = -1\n"
    );
    let faults = check_scene_text_from(&DiskFiles, Path::new("scene.toml"), &text).unwrap_err();
    let lines: Vec<u32> = faults
        .iter()
        .map(|fault| fault.line_and_column().unwrap().line)
        .collect();
    assert_eq!(lines, [2, 4, 9, 17], "{faults:?}");
}
