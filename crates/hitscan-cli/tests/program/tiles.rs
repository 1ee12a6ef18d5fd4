//! Height maps of many tiles, by one name.

use crate::{Folder, column, rows};

/// A tile of these heights whose south-western sample is at (west, south), samples 2 m apart.
fn tile(west: i32, south: i32, heights: &str) -> String {
    let columns = heights.lines().next().unwrap().split(' ').count();
    let rows = heights.lines().count();
    format!(
        "ncols {columns}\nnrows {rows}\nxllcenter {west}\nyllcenter {south}\ncellsize 2\n{heights}\n"
    )
}

/// Two tiles that share the column at 4, and none in the south-east.
///
///   a a|b b
///   a a|b b
///   c c|
fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("tiles")).unwrap();
    let [a, b, c] = [
        "1 2.5 4\n3 -7 5\n2 9 1",
        "4 8 2\n5 3 -1\n1 6 7",
        "2 9 1\n6 6.25 3",
    ];
    folder.write("tiles/a.asc", tile(0, 4, a));
    folder.write("tiles/b.asc", tile(4, 4, b));
    folder.write("tiles/c.asc", tile(0, 2, c));
    folder
}

#[test]
fn tiles_are_one_surface_with_the_heights_of_each() {
    let folder = folder();
    folder.write(
        "one.toml",
        "[[terrain]]\nheights = 'tiles/*.asc'\ngeoreferenced = true\n",
    );
    let each = ["a", "b", "c"].map(|name| {
        format!(
            "[[terrain]]\nname = '{name}'\nheights = 'tiles/{name}.asc'\ngeoreferenced = true\n"
        )
    });
    folder.write("each.toml", each.concat());
    let mut points = "easting,northing\n".to_owned();
    for step in 0..500_u32 {
        let [east, north] = [step * 37 % 163, step * 53 % 131].map(|at| f64::from(at) / 16.0);
        points.push_str(&format!("{east},{}\n", 2.0 + north));
    }
    folder.write("points.csv", &points);
    let heights = |scene: &str| {
        let run = folder.run(&["height", scene, "points.csv"]);
        assert_eq!(run.stderr, "");
        rows(&run.stdout)
    };
    let (one, each) = (heights("one.toml"), heights("each.toml"));
    for (one, each) in one.iter().zip(&each) {
        match each["status"].as_str() {
            "ok" => {
                for name in ["status", "height", "nx", "ny", "nz"] {
                    assert_eq!(one[name], each[name], "{one:?} {each:?}");
                }
            }
            // Where the tile is missing there are holes; in the cell between the three tiles is ground
            // on the side of the samples that are there.
            "outside" => {
                let [east, north] =
                    ["easting", "northing"].map(|name| one[name].parse::<f64>().unwrap());
                let is_between = (4.0..6.0).contains(&east) && (2.0..=4.0).contains(&north);
                let is_ground = is_between && north - 2.0 >= east - 4.0;
                assert_eq!(one["status"] == "ok", is_ground, "{one:?}");
            }
            other => panic!("{other}"),
        }
    }
    let statuses = column(&one, "status");
    for status in ["ok", "hole", "outside"] {
        assert!(statuses.contains(&status), "{status}");
    }
}

#[test]
fn tiles_that_only_adjoin_have_ground_between_them() {
    let folder = Folder::new();
    folder.write("a.asc", tile(0, 0, "1 2\n1 2"));
    folder.write("b.asc", tile(4, 0, "3 4\n3 4"));
    folder.write("points.csv", "x,z\n3,1\n6,2\n");
    let run = folder.run(&["height", "*.asc", "points.csv"]);
    assert_eq!(column(&run.rows(), "height"), ["2.5", "4"]);
}

#[test]
fn hgt_tiles_stand_in_for_a_scene() {
    let folder = Folder::new();
    // 3 x 3 samples, half a degree apart; the shared border has the same heights.
    let tile = |first: i16| -> Vec<u8> {
        let heights = (0..9_i16).map(|k| first + 10 * (k % 3) + k / 3);
        heights.flat_map(i16::to_be_bytes).collect()
    };
    folder.write("N00E010.hgt", tile(100));
    folder.write("N00E011.hgt", tile(120));
    folder.write("N01E011.hgt", tile(118));
    let points = "lon,lat\n10.5,0.5\n11.5,0.5\n11.5,1.5\n10.5,1.5\n12.5,0.5\n";
    folder.write("points.csv", points);
    let run = folder.run(&["height", "N0?E01*.hgt", "points.csv"]);
    assert!(
        run.stderr
            .contains("heights = \"N0?E01*.hgt\"\ngeoreferenced = true"),
        "{}",
        run.stderr
    );
    let rows = run.rows();
    assert_eq!(
        column(&rows, "status"),
        ["ok", "ok", "ok", "hole", "outside"]
    );
    for (row, expected) in rows.iter().zip([111.0, 131.0, 129.0]) {
        let height: f64 = row["height"].parse().unwrap();
        assert!((height - expected).abs() < 0.01, "{row:?}");
    }
    let info = folder.run(&["info", "*.hgt"]);
    assert_eq!(info.code, 0, "{}", info.stderr);
    for words in ["5 x 5, 16-bit signed", "lon 10, lat 2: column 0, row 0"] {
        assert!(info.stdout.contains(words), "{words}: {}", info.stdout);
    }
    let json = folder.run(&["info", "*.hgt", "--json"]).stdout;
    for words in [
        "\"tiles\":3",
        "\"holes\":4",
        "[\"N00E010.hgt\",\"N00E011.hgt\",\"N01E011.hgt\"]",
    ] {
        assert!(json.contains(words), "{words}: {json}");
    }
}

#[test]
fn tiles_that_disagree_where_they_overlap_are_said() {
    let folder = folder();
    folder.write("tiles/c.asc", tile(0, 2, "2 9 1.5\n6 6.25 3"));
    folder.write("points.csv", "x,z\n4,4\n");
    let run = folder.run(&["height", "tiles/*.asc", "points.csv"]);
    assert_eq!(column(&run.rows(), "height"), ["1"]);
    let words = "different heights at 1 samples, by up to 0.5 m, the first at column 2, row 2 of the \
                 whole: the tile counts whose name comes first, there not tiles/c.asc";
    assert!(run.stderr.contains(words), "{}", run.stderr);
    let info = folder.run(&["info", "tiles/*.asc"]);
    assert!(info.stderr.contains(words), "{}", info.stderr);
}

#[test]
fn tiles_that_are_no_grid_are_refused() {
    let folder = folder();
    folder.write("points.csv", "x,z\n1,1\n");
    folder.write("s.toml", "[[terrain]]\nheights = 'tiles/*.asc'\n");
    let refused = |content: &str, words: &[&str]| {
        folder.write("tiles/d.asc", content);
        folder
            .run(&["height", "s.toml", "points.csv"])
            .assert_refused(words);
    };
    let in_scene = [
        "s.toml: line 2",
        "tiles/*.asc cannot be used",
        "tiles/d.asc",
    ];
    let off = tile(9, 4, "1 2\n3 4");
    refused(
        &off,
        &[
            &in_scene[..],
            &["columns of tiles/a.asc", "0.5000 of a column"],
        ]
        .concat(),
    );
    let coarse = tile(8, 4, "1 2\n3 4").replace("cellsize 2", "cellsize 3");
    refused(&coarse, &["cells of tiles/a.asc: 2 x 2", "3 x 3"]);
    refused(
        "ncols 2\nnrows 2\ncellsize 2\n1 2\n3 4\n",
        &["tiles/d.asc", "xllcorner"],
    );
    refused("ncols 2\n", &["tiles/d.asc"]);
    for (name, words) in [
        ("tiles/*.tif", &["tiles/*.tif", "found none"][..]),
        ("til*/a.asc", &["name of a folder"]),
        ("nowhere/*.asc", &["nowhere"]),
        ("tiles/*", &["tiles/*"]),
    ] {
        folder
            .run(&["height", name, "points.csv"])
            .assert_refused(words);
    }
    let list = ["height", "tiles/a.asc", "tiles/b.asc", "points.csv"];
    folder
        .run(&list)
        .assert_usage(&["tiles/b.asc", "'tiles/*.hgt'"]);
    folder
        .run(&["info", "tiles/a.asc", "tiles/b.asc"])
        .assert_usage(&["tiles/b.asc", "'tiles/*.hgt'"]);
}

#[test]
fn the_size_of_tiles_is_that_of_the_whole() {
    let folder = folder();
    folder.write("points.csv", "x,z\n1,1\n");
    let run = |size: &str| {
        let scene = format!("[[terrain]]\nheights = 'tiles/*.asc'\nsize = {size}\n");
        folder.write("s.toml", scene);
        folder.run(&["height", "s.toml", "points.csv"])
    };
    assert_eq!(column(&run("[5, 4]").rows(), "status"), ["ok"]);
    run("[3, 3]").assert_refused(&[
        "s.toml: line 2",
        "the tiles: expected 3 columns and 3 rows of them all, as `size` says, found 5 columns and 4 rows",
    ]);
}

/// Tiles of different depths, scales and values for no data.
#[test]
fn what_tiles_say_is_said_of_them_all() {
    let folder = Folder::new();
    folder.write("a.asc", tile(0, 0, "1 2\n1 2"));
    folder.write(
        "b.asc",
        tile(4, 0, "3 -1\n3 4").replace("cellsize 2\n", "cellsize 2\nNODATA_value -1\n"),
    );
    folder.write("c.asc", tile(8, 0, "7 7\n7 7"));
    let info = folder.run(&["info", "*.asc"]);
    assert_eq!(info.code, 0, "{}", info.stderr);
    for words in ["6 x 2, ", "1 to 7", "-9999; -1"] {
        assert!(info.stdout.contains(words), "{words}: {}", info.stdout);
    }
}
