//! Crowds of scene files: where their members are placed, and what is refused.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use std::path::Path;
use std::sync::Arc;

use hitscan::ObjectId;
use hitscan::glam::{DAffine3, DVec3};
use hitscan_assets::{Error, Scene, load_scene};
use hitscan_testkit::outside_data;
use tempfile::TempDir;

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n";
/// A slope from y = 0 at x = 0 to y = 10 at x = 10, for z from 0 to 10.
const SLOPE: &str = "ncols 2\nnrows 2\ncellsize 10\n0 10\n0 10\n";

fn load(scene: &str, table: &str) -> (TempDir, Result<Scene, Error>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("scene.toml", scene);
    write("places.csv", table);
    write("a.obj", TRIANGLE);
    write("slope.asc", SLOPE);
    let scene = load_scene(&folder.path().join("scene.toml"));
    (folder, scene)
}

fn id(scene: &Scene, object: usize) -> ObjectId {
    scene.world().now().objects().nth(object).unwrap()
}

fn transform(scene: &Scene, object: usize) -> DAffine3 {
    scene.world().now().transform(id(scene, object)).unwrap()
}

#[test]
fn members_are_at_their_places_or_on_the_ground() {
    let scene = "[[terrain]]\nheights = 'slope.asc'\n\
                 [[crowd]]\nname = 'guard'\nfile = 'a.obj'\nscale = 2\nlayers = 5\nplaces = 'places.csv'\n";
    let table = "name,x,z,y,scale,turn,Yaw,scael,y_above\n\
                 \"one, two\",4,3,,,,,,\n\
                 b,4,3,7,0.5,1.5707963267948966,,,\n\
                 c,-1,3,,,,,,\n\
                 d,4,3,,,,,,1.5\n";
    let (_folder, scene) = load(scene, table);
    let scene = scene.unwrap();
    let names: Vec<_> = scene.object_names().collect();
    assert_eq!(names, ["terrain0", "guard0", "guard1", "guard2", "guard3"]);
    assert_eq!(scene.world().now().object_count(), 5);
    assert_eq!(scene.world().now().layers(id(&scene, 1)), Some(5));
    let at = |object: usize, point: DVec3| transform(&scene, object).transform_point3(point);
    // On the slope, twice as large.
    assert_eq!(at(1, DVec3::X), DVec3::new(6.0, 4.0, 3.0));
    // At its own height and size, rotated by a quarter: x goes to -z.
    let rotated = at(2, DVec3::X);
    assert!(
        (rotated - DVec3::new(4.0, 7.0, 2.0)).length() < 1e-12,
        "{rotated}"
    );
    // Beside the map.
    assert_eq!(at(3, DVec3::ZERO), DVec3::new(-1.0, 0.0, 3.0));
    // Above the slope.
    assert_eq!(at(4, DVec3::ZERO), DVec3::new(4.0, 5.5, 3.0));
    let [a, b] = [1, 3].map(|object| scene.world().now().model(id(&scene, object)).unwrap());
    assert!(Arc::ptr_eq(a, b));
    let warnings: Vec<&str> = scene
        .warnings()
        .iter()
        .map(|line| after_folder(line))
        .collect();
    assert_eq!(
        warnings,
        [
            "places.csv: line 1: passed over, as places have none but x, y, y_above, z, turn, time and scale: \
             `name`, `Yaw` (did you mean `turn`?), `scael` (did you mean `scale`?)",
            "places.csv: line 4: is off the map or over a hole, and placed at y = 0",
        ]
    );
}

#[test]
fn a_seed_places_members_on_the_ground() {
    let scene = "[[terrain]]\nheights = 'slope.asc'\n\
                 [[crowd]]\nfile = 'a.obj'\ncount = 100\nseed = 3\narea = [[0, 0], [10, 10]]\n";
    let (_folder, scene) = load(scene, "");
    let scene = scene.unwrap();
    assert_eq!(scene.object_count(), 101);
    assert_eq!(scene.object_names().last(), Some("crowd099"));
    assert!(scene.warnings().is_empty(), "{:?}", scene.warnings());
    for object in 1..101 {
        let place = transform(&scene, object).translation;
        assert!((0.0..=10.0).contains(&place.x) && (0.0..=10.0).contains(&place.z));
        // The slope is y = x.
        assert!((place.y - place.x).abs() < 1e-6, "{place}");
    }
}

#[test]
fn each_member_has_its_own_time() {
    let Some(folder) = outside_data() else { return };
    let Some(model) = find(&folder.join("data"), "Fox.glb") else {
        return;
    };
    let text = format!(
        "[[crowd]]\nfile = '{}'\nclip = 'Run'\nscale = 0.02\ncount = 20\narea = [[-9, -9], [9, 9]]\n",
        model.display()
    );
    let (_folder, scene) = load(&text, "");
    let scene = scene.unwrap();
    let times: Vec<f64> = (0..20)
        .map(|object| scene.clip_time(id(&scene, object)).unwrap().time_secs)
        .collect();
    let first = id(&scene, 0);
    let clip = scene.clip_time(first).unwrap().clip as usize;
    let run = &scene.world().now().model(first).unwrap().clips()[clip];
    assert_eq!(run.name(), Some("Run"));
    for (index, time) in times.iter().enumerate() {
        assert!((run.start_secs()..=run.end_secs()).contains(time));
        assert!(!times[..index].contains(time));
    }
    assert_eq!(scene.world().now().object_count(), 20);
}

/// A warning without the folder of its file.
fn after_folder(line: &str) -> &str {
    let (path, rest) = line.split_once(": ").unwrap();
    let name = Path::new(path).file_name().unwrap().len();
    &line[line.len() - rest.len() - 2 - name..]
}

/// The first file of this name in a folder.
fn find(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(folder).ok()?.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    entries.into_iter().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            find(&path, name)
        } else {
            (path.file_name()? == name).then_some(path)
        }
    })
}

#[test]
fn errors_name_the_table_and_the_place_in_it() {
    let scene = "[[crowd]]\nname = 'guard'\nfile = 'a.obj'\nplaces = 'places.csv'\n";
    for (scene, table, part) in [
        (
            scene,
            "x,y\n1,2\n",
            "places.csv: line 1: the column `z` is missing",
        ),
        (
            scene,
            "x,z,x\n",
            "places.csv: line 1: expected one column of a name",
        ),
        (
            scene,
            "x,z\n1,2\n1,two\n",
            "places.csv: line 3, column `z`: expected a finite number, found `two`",
        ),
        (
            scene,
            "x,z\n1,nan\n",
            "line 2, column `z`: expected a finite number",
        ),
        (
            scene,
            "x,z\n1,\n",
            "line 2, column `z`: the number is missing",
        ),
        (
            scene,
            "x,z\n1,2,3\n",
            "places.csv: line 2: expected 2 fields",
        ),
        (
            scene,
            "x,z,y,y_above\n1,2,3,\n1,2,3,4\n",
            "line 3, column `y_above`: expected either `y` or `y_above`",
        ),
        (
            scene,
            "x,z,scale\n1,2,0\n",
            "column `scale`: expected a factor other than zero",
        ),
        (
            scene,
            "x,z,time\n1,2,3\n",
            "a column `time` for a crowd without a `clip`",
        ),
        (
            "[[box]]\nname = 'guard1'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
             [[crowd]]\nname = 'guard'\nfile = 'a.obj'\nplaces = 'places.csv'\n",
            "x,z\n1,2\n3,4\n",
            "scene.toml: line 5, column 1: expected a name of its own, found the name `guard1` again, which an object at line 1, column 1 has",
        ),
        (
            "[[crowd]]\nfile = 'a.obj'\nclip = 'Run'\nplaces = 'places.csv'\n",
            "x,z\n",
            "scene.toml: line 3, column 8: unknown clip `Run`; there are none",
        ),
        (
            "[[crowd]]\nfile = 'a.obj'\nplaces = 'none.csv'\n",
            "",
            "none.csv cannot be read",
        ),
    ] {
        let (_folder, result) = load(scene, table);
        let error = result.unwrap_err();
        // Of a fault in the table the scene's line comes first.
        let message = format!("{error}: {}", error.of_file());
        assert!(message.contains(part), "{message}\nlacks\n{part}");
    }
}
