//! Hulls of scene files: what they are the hull of, where they are placed, and what is refused.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::world::ObjectShape;
use hitscan::{ConvexHull, Primitive, QueryFilter, Ray, Sides};
use hitscan_assets::{Error, Scene, load_scene};
use tempfile::TempDir;

/// A cube of side 2 from the origin, with a point inside and one on an edge.
const POINTS: &str = "x,y,name,z\n\
                      0,0,a,0\n2,0,b,0\n0,2,c,0\n2,2,d,0\n\
                      0,0,e,2\n2,0,f,2\n0,2,g,2\n2,2,h,2\n\
                      1,1,inside,1\n1,0,edge,0\n";
/// The same cube.
const CUBE: &str = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2\n\
                    f 1 2 3\nf 2 3 4\nf 5 6 7\nf 6 7 8\n";

fn load(scene: &str, table: &str) -> (TempDir, Result<Scene, Error>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("scene.toml", scene);
    write("points.csv", table);
    write("cube.obj", CUBE);
    let scene = load_scene(&folder.path().join("scene.toml"));
    (folder, scene)
}

/// An error and its sources, as the program prints them.
fn message(error: &dyn std::error::Error) -> String {
    let sources = std::iter::successors(Some(error), |error| error.source());
    sources
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

fn hull(scene: &Scene, name: &str) -> ConvexHull {
    let id = scene.object_named(name).unwrap();
    match scene.now().shape(id) {
        Some(ObjectShape::Primitive(Primitive::ConvexHull(hull))) => hull.as_ref().clone(),
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn hulls_of_points_tables_and_models_are_one_shape() {
    let points = "[[0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0], [0, 0, 2], [2, 0, 2], [0, 2, 2], [2, 2, 2.0]]";
    let place = "translation = [10, 0, 0]\nscale = [1, 2, 1]\n";
    let text = format!(
        "[[hull]]\nname = 'points'\npoints = {points}\n{place}\
         [[hull]]\nname = 'table'\nfile = 'points.csv'\n{place}\
         [[hull]]\nname = 'model'\nfile = 'cube.obj'\n{place}\
         [[hull]]\nname = 'few'\nfile = 'points.csv'\nmax_corners = 4\n{place}\
         [[hull]]\nname = 'round'\nfile = 'points.csv'\nradius = 0.5\n{place}"
    );
    let (_folder, scene) = load(&text, POINTS);
    let scene = scene.unwrap();
    let [given, table, model, few, round] =
        ["points", "table", "model", "few", "round"].map(|name| hull(&scene, name));
    assert_eq!((given.corners().len(), given.face_count()), (8, 6));
    assert_eq!(given, table);
    assert_eq!(given, model);
    assert_eq!(few.corners().len(), 4);
    for corner in given.own_corners() {
        assert!(few.contains([10.0 + corner.x, 2.0 * corner.y, corner.z]));
    }
    // The largest factor counts.
    assert_eq!(round.radius(), 1.0);
    let ray = Ray::new([0.0, 3.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
    let ignored = ["few", "round"].map(|name| scene.object_named(name).unwrap());
    let filter = QueryFilter::new().exclude(&ignored);
    let hit = scene.now().cast_ray(&ray, (Sides::Both, filter)).unwrap();
    // Of objects that tie the first, and its face towards -x.
    assert_eq!(hit.object, scene.object_named("points"));
    assert_eq!(
        (hit.t, hit.triangle.map(|face| face.triangle)),
        (10.0, Some(0))
    );
}

#[test]
fn faults_are_refused_where_they_are() {
    let named = "[[hull]]\nname = 'rock'\nfile = 'points.csv'\n";
    for (scene, table, said) in [
        (
            named,
            "x,y\n0,0\n",
            "points.csv: line 1: the column `z` is missing",
        ),
        (
            named,
            "x,y,z,x\n0,0,0,0\n",
            "points.csv: line 1: expected one column of a name, found two columns `x`",
        ),
        (
            named,
            "x,y,z\n0,0,0\n0,up,0\n",
            "points.csv: line 3, column `y`: expected a number within the range of f32, found `up`",
        ),
        (
            named,
            "x,y,z\n0,0,1e39\n",
            "points.csv: line 2, column `z`: expected a number within the range of f32, found `1e39`",
        ),
        (
            named,
            "x,y,z\n0,0\n",
            "points.csv: line 2: expected 3 fields, as the header has, found 2",
        ),
        (
            named,
            "x,y,z\n",
            "line 3, column 8: the library refuses it: points of a convex hull",
        ),
        (
            "[[hull]]\nname = 'rock'\n",
            "",
            "the key `points` ([[x, y, z], ...]) or `file` (a table or a model) is missing",
        ),
        (
            "[[hull]]\npoints = [[0, 0, 0]]\nfile = 'points.csv'\n",
            "",
            "line 3, column 8: expected either `points` or `file`, found both",
        ),
        (
            "[[hull]]\npoints = [[0, 0]]\n",
            "",
            "expected points [[x, y, z], ...]",
        ),
        (
            "[[hull]]\nfile = 'cube.obj'\nmax_corners = 3\n",
            "",
            "line 3, column 15: the library refuses it: greatest number of corners",
        ),
        (
            "[[hull]]\nfile = 'cube.obj'\nradius = -1\n",
            "",
            "line 3, column 10: the library refuses it: radius of a convex hull",
        ),
    ] {
        let (folder, result) = load(scene, table);
        let message = message(&result.unwrap_err());
        let message = message.replace(&folder.path().display().to_string(), "");
        assert!(message.contains(said), "{scene}{table}: {message}");
    }
}
