//! Cylinders of scene files: their numbers, parts of compounds, and what is refused.

use hitscan::glam::Vec3;
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{Cylinder, Primitive};
use hitscan_assets::load_scene_text;
use std::path::Path;

const BARREL: &str = "[[cylinder]]\na = [0, 0, 0]\nb = [0, 2, 0]\nradius = 0.1\n";

#[test]
fn cylinders_are_numbered_between_hulls_and_compounds() {
    let text = format!(
        "[[compound]]\nname = 'guard'\n[[compound.part]]\nshape = 'cylinder'\na = [0, 0, 0]\n\
         b = [0, 1, 0]\nradius = 0.5\n{BARREL}[[hull]]\nname = 'rock'\npoints = [[0, 0, 0], \
         [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n{BARREL}"
    );
    let scene = load_scene_text(Path::new("scene.toml"), &text).unwrap();
    let names: Vec<&str> = scene.object_names().collect();
    assert_eq!(names, ["rock", "cylinder0", "cylinder1", "guard"]);
    let id = scene.object_named("cylinder0").unwrap();
    assert_eq!(scene.now().kind(id), Some(ObjectKind::Cylinder));
    let Some(ObjectShape::Primitive(Primitive::Cylinder(barrel))) = scene.now().shape(id) else {
        panic!("no cylinder");
    };
    // The radius is the nearest f32.
    let expected = Cylinder::new(Vec3::ZERO, Vec3::new(0.0, 2.0, 0.0), 0.1_f32).unwrap();
    assert_eq!(barrel, expected);
}

#[test]
fn faults_of_cylinders_are_where_they_are() {
    for (from, to, place) in [
        ("radius = 0.1", "radius = 0.0", "line 4, column 10"),
        ("radius = 0.1", "radius = -1", "line 4, column 10"),
        ("radius = 0.1\n", "", "line 1, column 1"),
        ("b = [0, 2, 0]", "b = [0, 0, 0]", "line 3, column 5"),
        ("b = [0, 2, 0]", "b = [0, 2e18, 0]", "line 3, column 5"),
        ("a = [0, 0, 0]", "a = [0, 0]", "line 2, column 5"),
        ("radius", "center = 1\nradius", "line 4, column 1"),
    ] {
        let text = BARREL.replace(from, to);
        let error = load_scene_text(Path::new("scene.toml"), &text).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(place), "{text} {message}");
    }
}
