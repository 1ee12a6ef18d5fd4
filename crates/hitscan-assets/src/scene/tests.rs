//! Valid scenes are read, and faulty ones are refused with their location.

use glam::{DQuat, DVec3, Vec3};
use hitscan::height_field::Diagonal;

use super::{ClipChoice, CrowdMembers, SceneFile};
use crate::{Error, UpAxis};

fn parse(text: &str) -> Result<SceneFile, Error> {
    SceneFile::parse("levels/scene.toml".as_ref(), text)
}

#[test]
fn the_contracts_example_is_read_as_it_says() {
    let file = parse(
        r#"
[[terrain]]
name = "ridge"
heights = "ridge.png"       # a comment
spacing = 30.0
range = [120.0, 980.0]
height_scale = 1.0
origin = [0.0, 0.0, 0.0]
diagonal = "anti"
size = [513, 513]

[[model]]
name = "fox"
file = "Fox.glb"
translation = [10.0, 0.0, 5.0]
rotation = [0.0, 0.0, 0.0, 1.0]
scale = 1.0
up = "y"
scene = 0
clip = "Run"
time = 0.35

[[sphere]]
name = "planet"
center = [0.0, 5.0, 0.0]
radius = 2.0

[[box]]
name = "crate"
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 1.0]
"#,
    )
    .unwrap();
    let terrain = &file.terrains[0];
    assert_eq!(
        (terrain.name.as_str(), terrain.location.to_string()),
        ("ridge", "line 2, column 1".to_owned())
    );
    assert_eq!(terrain.heights, std::path::Path::new("levels/ridge.png"));
    assert_eq!(terrain.spacing, Some([30.0, 30.0]));
    assert_eq!(terrain.range, Some([120.0, 980.0]));
    assert_eq!(
        (terrain.height_scale, terrain.size),
        (Some(1.0), Some([513, 513]))
    );
    assert_eq!(
        (terrain.origin, terrain.diagonal),
        (Some([0.0; 3]), Diagonal::Anti)
    );
    let model = &file.models[0];
    assert_eq!(model.translation, DVec3::new(10.0, 0.0, 5.0));
    assert_eq!((model.rotation, model.scale), (DQuat::IDENTITY, DVec3::ONE));
    assert_eq!((model.up, model.scene), (UpAxis::Y, Some(0)));
    assert_eq!(model.clip, Some((ClipChoice::Name("Run".into()), 0.35)));
    assert_eq!(
        (file.spheres[0].center, file.spheres[0].radius),
        (Vec3::new(0.0, 5.0, 0.0), 2.0)
    );
    assert_eq!(
        (file.boxes[0].min, file.boxes[0].max),
        (Vec3::ZERO, Vec3::ONE)
    );
}

#[test]
fn everything_but_what_is_needed_has_a_default() {
    let file = parse(
        "box = [{ max = [1, 20, 3], min = [-1, 0x10, -0.5] }, { min = [0, 0, 0], max = [0, 0, 0], name = 'b' }]\n\
         [[model]]\nfile = '/abs/a.stl'\nup = 'z'\nclip = 3\nrotation = [0, 0, 0, -1e300]\nscale = [1, -2, 3]\n\
         [[terrain]]\nheights = 'a.hgt'\nspacing = [1, 2_0]\ndiagonal = 'main'\n\
         [[terrain]]\nheights = 'b.hgt'\n",
    )
    .unwrap();
    let names: Vec<_> = file.boxes.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["box0", "b"]);
    assert_eq!(file.boxes[0].min, Vec3::new(-1.0, 16.0, -0.5));
    assert_eq!(file.terrains[1].name, "terrain1");
    assert_eq!(
        (file.terrains[0].spacing, file.terrains[1].spacing),
        (Some([1.0, 20.0]), None)
    );
    assert_eq!(file.terrains[0].diagonal, Diagonal::Main);
    let model = &file.models[0];
    assert_eq!((model.name.as_str(), model.up), ("model0", UpAxis::Z));
    assert_eq!(model.file, std::path::Path::new("/abs/a.stl"));
    assert_eq!(model.clip, Some((ClipChoice::Index(3), 0.0)));
    assert_eq!(model.rotation, DQuat::from_xyzw(0.0, 0.0, 0.0, -1.0));
    assert_eq!(model.scale, DVec3::new(1.0, -2.0, 3.0));
    assert_eq!(parse("").unwrap(), SceneFile::default());
}

#[test]
fn more_solids_and_crowds_are_read() {
    let file = parse(
        r#"
[[crowd]]
name = "guard"
file = "Fox.glb"
clip = "Run"
scale = 0.02
layers = 0b110
places = "guards.csv"

[[crowd]]
file = "Fox.glb"
up = "z"
count = 1000
seed = 7
area = [[-50.0, -50], [50.0, 50.0]]

[[capsule]]
name = "post"
a = [0, 0.5, 0]
b = [0, 1.5, 0]
radius = 0.5
layers = 4294967295

[[turned_box]]
center = [1, 2, 3]
half_size = [2, 0.1, 0.5]
rotation = [0, 2, 0, 0]
layers = 0
"#,
    )
    .unwrap();
    let [guard, others] = &file.crowds[..] else {
        panic!("{:?}", file.crowds)
    };
    assert_eq!((guard.name.as_str(), guard.layers), ("guard", 6));
    assert_eq!(guard.clip, Some(ClipChoice::Name("Run".into())));
    assert_eq!(guard.scale, DVec3::splat(0.02));
    assert_eq!(
        guard.members,
        CrowdMembers::Table("levels/guards.csv".into())
    );
    assert_eq!((others.name.as_str(), others.up), ("crowd1", UpAxis::Z));
    let (seed, area) = (7, [[-50.0, -50.0], [50.0, 50.0]]);
    let count = 1000;
    assert_eq!(others.members, CrowdMembers::Seeded { count, seed, area });
    let post = &file.capsules[0];
    assert_eq!((post.a, post.b), (Vec3::Y * 0.5, Vec3::Y * 1.5));
    assert_eq!((post.radius, post.layers), (0.5, u32::MAX));
    let turned = &file.obbs[0];
    assert_eq!((turned.name.as_str(), turned.layers), ("turned_box0", 0));
    assert_eq!(turned.half_size, Vec3::new(2.0, 0.1, 0.5));
    assert_eq!(turned.rotation, DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0));
}

#[test]
fn oriented_boxes_under_both_names_are_one_list() {
    let keys = "center = [0, 0, 0]\nhalf_size = [1, 1, 1]\n";
    let obb = |header: &str| format!("{header}\n{keys}");
    let text = [
        "[[obb]]",
        "[[turned_box]]",
        "[[obb]]\nname = 'plank'",
        "[[obb]]",
    ]
    .map(obb);
    let file = parse(&text.concat()).unwrap();
    let names: Vec<_> = file.obbs.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["obb0", "turned_box1", "plank", "obb3"]);
    let entry = "[{ center = [0, 0, 0], half_size = [1, 1, 1] }]";
    let arrays = parse(&format!("turned_box = {entry}\nobb = {entry}\n")).unwrap();
    let names: Vec<_> = arrays
        .obbs
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(names, ["turned_box0", "obb1"]);
}

/// Texts with a fault, and their messages.
const FAULTS: &[(&str, &str)] = &[
    (
        "[[terain]]\n",
        "line 1, column 3: unknown table `terain`; did you mean `terrain`? There are `terrain`, ",
    ),
    ("[[lamp]]\n", "line 1, column 3: unknown table `lamp`"),
    (
        "\n[[box]]\nmin = [0,0,0]\nmaxx = [1,1,1]\n",
        "line 4, column 1: unknown key `maxx`; did you mean `max`? There are `max`, `min`, `name` and `layers`",
    ),
    (
        "[[terrain]]\nheights = 'a.png'\nspacng = 3\n",
        "did you mean `spacing`?",
    ),
    (
        "[terrain]\nheights = 'a.png'\n",
        "line 1, column 2: expected an array of tables, each under `[[terrain]]`, found table",
    ),
    (
        "box = [1]\n",
        "line 1, column 8: expected an array of tables",
    ),
    (
        "[[sphere]]\nradius = 1\n",
        "line 1, column 1: the key `center` is missing",
    ),
    (
        "[[sphere]]\nradius = nan\ncenter = [0,0,0]",
        "line 2, column 10: expected a finite number for `radius`, found nan",
    ),
    (
        "[[sphere]]\nradius = -inf\ncenter = [0,0,0]",
        "expected a finite number",
    ),
    ("[[sphere]]\nradius = 1e999\ncenter = [0,0,0]", "expected"),
    (
        "[[sphere]]\nradius = '2'\ncenter = [0,0,0]",
        "found the string \"2\"",
    ),
    (
        "[[sphere]]\nradius = 1\ncenter = [0,0]",
        "line 3, column 10: expected a point [x, y, z], 3 numbers within the range of f32, for `center`, found an array of 2 ([0, 0])",
    ),
    (
        "[[sphere]]\nradius = 1\ncenter = [0,1e39,0]",
        "within the range of f32",
    ),
    (
        "[[sphere]]\nname=''\nradius = 1\ncenter = [0,0,0]",
        "a name that is not empty",
    ),
    (
        "[[sphere]]\nname='a'\nradius = 1\ncenter = [0,0,0]\n[[box]]\nname='a'\nmin=[0,0,0]\nmax=[1,1,1]",
        "line 6, column 6: expected a name of its own, found the name `a` again, which is at line 2, column 6",
    ),
    (
        "[[sphere]]\nname='box0'\nradius = 1\ncenter = [0,0,0]\n[[box]]\nmin=[0,0,0]\nmax=[1,1,1]",
        "line 5, column 1: expected a name of its own",
    ),
    (
        "[[model]]\nfile='a.glb'\nrotation=[0,0,0,0]",
        "a quaternion other than zero",
    ),
    (
        "[[model]]\nfile='a.glb'\nscale=0",
        "factors other than zero",
    ),
    (
        "[[model]]\nfile='a.glb'\nscale=[1,0,1]",
        "factors other than zero",
    ),
    (
        "[[model]]\nfile='a.glb'\ntime=1",
        "line 3, column 6: expected a `clip` that the time belongs to",
    ),
    ("[[model]]\nfile='a.glb'\nclip=-1", "a clip's name or index"),
    ("[[model]]\nfile='a.glb'\nup='x'", "\"y\" or \"z\""),
    ("[[model]]\nfile=''", "a file's name"),
    ("[[model]]\nfile='a.glb'\nscene=1.5", "a whole number"),
    (
        "[[terrain]]\nheights='a.png'\nspacing=0",
        "metres, more than zero, for `spacing`",
    ),
    (
        "[[terrain]]\nheights='a.png'\nspacing=[1,-1]",
        "more than zero",
    ),
    (
        "[[terrain]]\nheights='a.png'\ndiagonal='left'",
        "\"anti\" or \"main\"",
    ),
    (
        "[[terrain]]\nheights='a.png'\nsize=[3,-1]",
        "[columns, rows], 2 whole numbers, for `size`, found an array of 2 ([3, -1])",
    ),
    ("[[terrain]]\nheights='a.png'\nheights='b.png'", "line 3"),
    (
        "[[box]]\nmin=[0,0,0]\nmax=[1,1,1]\nlayers=-1",
        "line 4, column 8: expected a whole number",
    ),
    (
        "[[box]]\nmin=[0,0,0]\nmax=[1,1,1]\nlayers=4294967296",
        "a bit each in 32 bits",
    ),
    (
        "[[capsule]]\na=[0,0,0]\nradius=1",
        "line 1, column 1: the key `b` is missing",
    ),
    (
        "[[turned_box]]\ncenter=[0,0,0]\nhalf_size=[1,1,1]\nrotation=[0,0,0,0]",
        "line 4, column 10: expected a quaternion other than zero",
    ),
    (
        "[[obb]]\ncenter=[0,0,0]\nhalf_size=[1,1,1]\nradius=1",
        "line 4, column 1: unknown key `radius`",
    ),
    (
        "[[oob]]\n",
        "line 1, column 3: unknown table `oob`; did you mean `obb`?",
    ),
    (
        "[[sphere]]\nname='obb0'\nradius=1\ncenter=[0,0,0]\n[[obb]]\ncenter=[0,0,0]\nhalf_size=[1,1,1]",
        "line 5, column 1: expected a name of its own, found the name `obb0` again",
    ),
    (
        "[[crowd]]\nfile='a.glb'",
        "line 1, column 1: the key `places` (a table) or `count`",
    ),
    (
        "[[crowd]]\nfile='a.glb'\ncount=3",
        "line 1, column 1: the key `area` is missing",
    ),
    (
        "[[crowd]]\nfile='a.glb'\ncount=3\narea=[[0,0],[1]]",
        "line 4, column 6: expected two opposite corners [[x, z], [x, z]]",
    ),
    (
        "[[crowd]]\nfile='a.glb'\ncount=1000001\narea=[[0,0],[1,1]]",
        "line 3, column 7: expected a whole number up to 1000000",
    ),
    (
        "[[crowd]]\nfile='a.glb'\nplaces='a.csv'\nseed=3",
        "line 4, column 6: expected either `places`, or `count`, `seed` and `area`, found `seed`",
    ),
    (
        "[[crowd]]\nfile='a.glb'\nplaces='a.parquet'",
        "line 3, column 8: expected a table of places in CSV (`.csv`) for `places`",
    ),
    ("[[crowd]]\nfile='a.glb'\ntime=1", "unknown key `time`"),
    (
        "[[model]]\nfile='a.glb'\nrotation=[0, 90, 0]",
        "line 3, column 10: expected a quaternion x y z w, or `euler_degrees = [x, y, z]` in its place, \
         4 finite numbers for `rotation`, found an array of 3 ([0, 90, 0])",
    ),
    (
        "[[model]]\nfile='a.glb'\nrotation=[0,0,0,1]\neuler_degrees=[0,0,0]",
        "line 4, column 15: expected either `rotation` or `euler_degrees`, found both",
    ),
    (
        "[[sphere]]\ncenter=[0,0,0]\nradius = -1",
        "line 3, column 10: the library refuses it",
    ),
    (
        "[[sphere]]\ncenter=[0,1e19,0]\nradius = 1",
        "line 2, column 8: the library refuses it",
    ),
    (
        "[[box]]\nmin=[2,0,0]\nmax=[1,1,1]",
        "line 3, column 5: the library refuses it",
    ),
    (
        "[[capsule]]\na=[0,0,0]\nb=[0,1e20,0]\nradius=1",
        "line 3, column 3: the library refuses it",
    ),
    (
        "[[turned_box]]\ncenter=[0,0,0]\nhalf_size=[1,-1,1]",
        "line 3, column 11: the library refuses it",
    ),
    (
        "box = []\n[[box]]\nmin=[0,0,0]\nmax=[1,1,1]",
        "line 2, column 3: expected `[[box]]` or `box = [...]`, found both",
    ),
    (
        "[[box.min]]\nx = 1",
        "line 1, column 3: expected an array of tables",
    ),
    ("[[box]\n", "line 1"),
    ("name = 'x'\n", "unknown table `name`"),
];

#[test]
fn faults_name_the_line_the_column_and_what_was_expected() {
    for (text, part) in FAULTS {
        let message = parse(text).unwrap_err().to_string();
        assert!(message.starts_with("levels/scene.toml: line "), "{message}");
        assert!(message.contains(part), "{message}\nlacks\n{part}");
    }
}
