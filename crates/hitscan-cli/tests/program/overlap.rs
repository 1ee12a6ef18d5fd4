//! `hitscan overlap`.

use crate::{Folder, column};

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

#[test]
fn boxes_that_touch_share_a_flat_box() {
    let folder = Folder::with_scene(
        "[[box]]\nname = \"a\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
         [[box]]\nname = \"b\"\nmin = [1, 0.5, 0]\nmax = [2, 2, 1]\n\
         [[box]]\nname = \"c\"\nmin = [1.5, 0, 0]\nmax = [3, 1, 1]\n",
    );
    let run = folder.run(&["overlap", "scene.toml"]);
    assert_eq!(
        run.stdout,
        "object_a,object_b,min_x,min_y,min_z,max_x,max_y,max_z\n\
         a,b,1,0.5,0,1,1,1\n\
         b,c,1.5,0.5,0,2,1,1\n"
    );
    let exact = folder.run(&["overlap", "scene.toml", "--exact"]).rows();
    assert_eq!(column(&exact, "kind"), ["touch", "cross"]);
    assert_eq!(column(&exact, "part_a"), ["", ""]);
}

#[test]
fn models_that_cross_have_segments_and_one_inside_another_is_reported() {
    let folder = Folder::with_scene(
        "[[model]]\nname = \"big\"\nfile = \"t.obj\"\nscale = 10\n\
         [[model]]\nname = \"crossing\"\nfile = \"t.obj\"\ntranslation = [-0.5, 1, 1]\n\
         [[model]]\nname = \"inside\"\nfile = \"t.obj\"\ntranslation = [2, 2, 2]\n\
         [[sphere]]\nname = \"bubble\"\ncenter = [2.2, 2.2, 2.2]\nradius = 1.5\n",
    );
    folder.write("t.obj", TETRAHEDRON);
    let rows = folder.run(&["overlap", "scene.toml", "--exact"]).rows();
    let pairs: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| {
            (
                row["object_a"].as_str(),
                row["kind"].as_str(),
                row["object_b"].as_str(),
            )
        })
        .collect();
    assert!(pairs.contains(&("big", "contains", "inside")), "{pairs:?}");
    assert!(
        pairs.contains(&("bubble", "contains", "inside")),
        "{pairs:?}"
    );
    let crossing: Vec<_> = rows
        .iter()
        .filter(|row| row["object_b"] == "crossing")
        .collect();
    assert!(crossing.len() >= 3, "{pairs:?}");
    for row in crossing {
        assert_eq!(
            (row["kind"].as_str(), row["object_a"].as_str()),
            ("cross", "big")
        );
        assert_eq!(
            (row["x0"].as_str(), row["x1"].as_str()),
            ("0", "0"),
            "on the big one's face"
        );
        assert!(!row["triangle_a"].is_empty() && row["part_b"] == "t");
    }
}
