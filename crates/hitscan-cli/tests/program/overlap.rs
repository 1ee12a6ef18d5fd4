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

#[test]
fn a_summary_counts_the_kinds_and_says_who_contains_whom() {
    let folder = Folder::with_scene(
        "[[model]]\nname = \"small\"\nfile = \"t.obj\"\ntranslation = [2, 2, 2]\n\
         [[model]]\nname = \"big\"\nfile = \"t.obj\"\nscale = 10\n\
         [[sphere]]\nname = \"bubble\"\ncenter = [2.2, 2.2, 2.2]\nradius = 1.5\n\
         [[box]]\nname = \"half\"\nmin = [2, 2, 2]\nmax = [2.5, 4, 4]\n\
         [[box]]\nname = \"apart\"\nmin = [9.5, 9.5, 9.5]\nmax = [9.9, 9.9, 9.9]\n",
    );
    folder.write("t.obj", TETRAHEDRON);
    let all = folder.run(&["overlap", "scene.toml", "--exact"]).rows();
    let run = folder.run(&["overlap", "scene.toml", "--exact", "--summary"]);
    let rows = run.rows();
    assert!(
        run.stdout.starts_with(
            "object_a,object_b,cross,coplanar,touch,inside,contains\nsmall,big,0,0,0,0,b\n"
        ),
        "{}",
        run.stdout
    );
    let find = |a: &str, b: &str| {
        let row = rows
            .iter()
            .find(|row| row["object_a"] == a && row["object_b"] == b);
        row.unwrap_or_else(|| panic!("{a} and {b} in {}", run.stdout))
    };
    assert_eq!(find("small", "bubble")["contains"], "b");
    assert_eq!(find("small", "half")["contains"], "");
    for row in &rows {
        let is_of = |one: &&crate::Row| {
            let objects = [one["object_a"].as_str(), one["object_b"].as_str()];
            objects.contains(&row["object_a"].as_str())
                && objects.contains(&row["object_b"].as_str())
        };
        let of_pair: Vec<_> = all.iter().filter(is_of).collect();
        for kind in ["cross", "coplanar", "touch"] {
            let listed = of_pair.iter().filter(|one| one["kind"] == kind).count();
            assert_eq!(row[kind], listed.to_string(), "{row:?}");
        }
        let inside = of_pair.iter().filter(|one| {
            let has_triangle = !(one["triangle_a"].is_empty() && one["triangle_b"].is_empty());
            one["kind"] == "contains" && has_triangle
        });
        assert_eq!(row["inside"], inside.count().to_string(), "{row:?}");
    }
    assert!(rows.iter().all(|row| row["object_b"] != "apart"));
    assert_eq!(folder.run(&["overlap", "scene.toml", "--summary"]).code, 2);
}

#[test]
fn a_limit_ends_the_list() {
    let folder = Folder::with_scene(
        "[[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
         [[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
         [[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
         [[model]]\nfile = \"t.obj\"\n",
    );
    folder.write("t.obj", TETRAHEDRON);
    for more in [&[][..], &["--exact"], &["--exact", "--summary"]] {
        let overlap = |limit: &[&str]| {
            folder
                .run(&[&["overlap", "scene.toml"], more, limit].concat())
                .stdout
        };
        let all = overlap(&[]);
        assert!(all.lines().count() > 3, "{all}");
        let first: Vec<&str> = all.lines().take(3).collect();
        let limited = overlap(&["--limit", "2"]);
        assert_eq!(limited.lines().collect::<Vec<_>>(), first);
        assert_eq!(overlap(&["--limit", "0"]).lines().count(), 1);
    }
}
