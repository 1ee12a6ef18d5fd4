//! Shapes of every kind: `hitscan sweep --shape`, and `hitscan overlap` with a table.

use crate::{Folder, column};

/// A wall across x, a ball above the origin, and a floor of two triangles at y = -1.
const SCENE: &str = r#"
[[model]]
name = "floor"
file = "floor.obj"
[[sphere]]
name = "ball"
center = [0, 10, 0]
radius = 2
[[box]]
name = "wall"
min = [3, -1, -1]
max = [4, 2, 2]
"#;

const FLOOR: &str = "g flat\nv -9 -1 -9\nv -9 -1 9\nv 9 -1 9\nv 9 -1 -9\nf 1 2 3\nf 1 3 4\n";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("floor.obj", FLOOR);
    folder
}

/// Each kind of a shape with the extents of a ball of radius 0.5 around the origin.
const KINDS: [(&str, &str, &str); 4] = [
    (
        "box",
        "min_x,min_y,min_z,max_x,max_y,max_z",
        "-0.5,-0.5,-0.5,0.5,0.5,0.5",
    ),
    (
        "obb",
        "cx,cy,cz,half_x,half_y,half_z,qx,qy,qz,qw",
        "0,0,0,0.5,0.5,0.5,0,0,0,2",
    ),
    ("sphere", "cx,cy,cz,radius", "0,0,0,0.5"),
    ("capsule", "ax,ay,az,bx,by,bz,radius", "0,0,0,0,0,0,0.5"),
];

#[test]
fn each_kind_of_shape_moves() {
    let folder = folder();
    for (kind, columns, shape) in KINDS {
        let table = format!(
            "{columns},dx,dy,dz,ignore\n{shape},5,0,0,\n{shape},0,-4,0,\n{shape},0,9.375,0,\n\
             {shape},0,0.25,0,\n{shape},0,9.375,0,ball\n"
        );
        let rows = folder
            .run_with(&["sweep", "scene.toml", "-", "--shape", kind], &table)
            .rows();
        let status = column(&rows, "status");
        assert_eq!(status, ["hit", "hit", "hit", "miss", "miss"], "{kind}");
        assert_eq!(
            column(&rows, "t"),
            ["0.5", "0.125", "0.8", "", ""],
            "{kind}"
        );
        assert_eq!(
            column(&rows, "object"),
            ["wall", "floor", "ball", "", ""],
            "{kind}"
        );
        assert_eq!(column(&rows, "part"), ["", "flat", "", "", ""], "{kind}");
        assert_eq!(column(&rows, "ny"), ["0", "1", "-1", "", ""], "{kind}");
    }
}

#[test]
fn a_move_without_a_kind_is_a_box() {
    let folder = folder();
    let (_, columns, shape) = KINDS[0];
    let table = format!("{columns},dx,dy,dz\n{shape},5,0,0\n");
    let plain = folder.run_with(&["sweep", "scene.toml", "-"], &table);
    let named = folder.run_with(&["sweep", "scene.toml", "-", "--shape", "box"], &table);
    assert_eq!((plain.code, &plain.stdout), (0, &named.stdout));
    assert!(
        plain.stdout.starts_with(&format!(
            "{columns},dx,dy,dz,status,t,nx,ny,nz,object,part,triangle\n"
        )),
        "{}",
        plain.stdout
    );
}

#[test]
fn shapes_that_cannot_be_used_are_invalid() {
    let folder = folder();
    for (kind, columns, good, bad, reason) in [
        ("sphere", KINDS[2].1, KINDS[2].2, "0,0,0,0", "`hitscan ray`"),
        ("sphere", KINDS[2].1, KINDS[2].2, "0,0,0,-1", "radius"),
        ("sphere", KINDS[2].1, KINDS[2].2, "0,0,0,2e18", "radius"),
        (
            "capsule",
            KINDS[3].1,
            KINDS[3].2,
            "0,0,0,1,1,1,0",
            "`hitscan ray`",
        ),
        (
            "capsule",
            KINDS[3].1,
            KINDS[3].2,
            "0,2e18,0,1,1,1,1",
            "1e18",
        ),
        (
            "obb",
            KINDS[1].1,
            KINDS[1].2,
            "0,0,0,1,-1,1,0,0,0,1",
            "half size",
        ),
        ("obb", KINDS[1].1, KINDS[1].2, "0,0,0,1,1,1,0,0,0,0", "zero"),
        ("box", KINDS[0].1, KINDS[0].2, "1,0,0,0,1,1", "lower bound"),
    ] {
        let table = format!("{columns},dx,dy,dz\n{good},0,0,0\n{bad},0,0,0\n");
        let sweep = folder.run_with(&["sweep", "scene.toml", "-", "--shape", kind], &table);
        assert_eq!(
            column(&sweep.rows(), "status"),
            ["miss", "invalid"],
            "{kind} {bad}"
        );
        assert!(sweep.stderr.contains(reason), "{}", sweep.stderr);
        let table = format!("{columns}\n{good}\n{bad}\n");
        let overlap = folder.run_with(&["overlap", "scene.toml", "-", "--shape", kind], &table);
        assert_eq!(
            column(&overlap.rows(), "status"),
            ["separate", "invalid"],
            "{kind} {bad}"
        );
        assert!(overlap.stderr.contains(reason), "{}", overlap.stderr);
    }
}

#[test]
fn hits_and_contacts_are_chosen() {
    let folder = folder();
    // Down through the ball to the floor; and from inside the wall.
    let table = "cx,cy,cz,radius,dx,dy,dz\n0,14.5,0,0.5,0,-16,0\n3.5,0,0,0.25,-1,0,0\n";
    let sweep = |more: &[&str]| {
        let arguments = [&["sweep", "scene.toml", "-", "--shape", "sphere"], more].concat();
        folder.run_with(&arguments, table)
    };
    let all = sweep(&["--hits", "all", "--contact"]).rows();
    assert_eq!(column(&all, "row"), ["0", "0", "1"]);
    assert_eq!(column(&all, "object"), ["ball", "floor", "wall"]);
    assert_eq!(column(&all, "status"), ["hit", "hit", "overlap"]);
    assert_eq!(column(&all, "t"), ["0.125", "0.9375", "0"]);
    assert_eq!(column(&all, "start"), ["separate", "separate", "overlap"]);
    assert_eq!(column(&all, "y")[..2], ["12", "-1"]);
    assert_eq!(column(&all, "side"), ["", "front", ""]);
    assert_eq!(column(&all, "separation"), ["", "", "-0.75"]);
    assert_eq!(column(&all, "out_x"), ["", "", "1"]);
    let any = sweep(&["--hits", "any"]);
    assert!(
        any.stdout.starts_with("cx,cy,cz,radius,dx,dy,dz,status\n"),
        "{}",
        any.stdout
    );
    assert_eq!(column(&any.rows(), "status"), ["hit", "hit"]);
    // What may escape is not stopped.
    let escape = sweep(&["--initial-overlap", "escape"]).rows();
    assert_eq!(column(&escape, "status"), ["hit", "hit"]);
    assert_eq!(column(&escape, "t")[1], "0");
    assert_eq!(column(&escape, "nx")[1], "1");
    let back = sweep(&["--sides", "back", "--hits", "all"]).rows();
    assert_eq!(column(&back, "object"), ["ball", "wall"]);
    sweep(&["--hits", "any", "--contact"]).assert_refused(&["--contact"]);
}

/// Scripts and scene files have these words, and give the same bytes.
#[test]
fn former_words_are_aliases() {
    let folder = folder();
    let obb = "name = \"plank\"\ncenter = [0, 0, 6]\nhalf_size = [1, 1, 1]\n";
    for table in ["obb", "turned_box"] {
        folder.write(&format!("{table}.toml"), format!("[[{table}]]\n{obb}"));
    }
    let (_, columns, shape) = KINDS[1];
    let moves = format!("{columns},dx,dy,dz\n{shape},0,0,9\n0,0,6,1,1,2,0,0,0,1,0,0,-9\n");
    let run = |command: &[&str], table: &str| {
        let run = folder.run_with(command, table);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command:?}");
        run.stdout
    };
    let asked = ["sweep", "obb.toml", "-", "--contact", "--shape", "obb"];
    let stop = run(&asked, &moves);
    assert!(
        stop.contains(",hit,") && stop.contains(",overlap,"),
        "{stop}"
    );
    let former = [
        "sweep",
        "turned_box.toml",
        "-",
        "--contact",
        "--shape",
        "turned_box",
    ];
    assert_eq!(run(&former, &moves), stop);
    assert_eq!(
        run(&[&former[..], &["--overlaps", "stop"]].concat(), &moves),
        stop
    );
    let escape = run(
        &[&asked[..], &["--initial-overlap", "escape"]].concat(),
        &moves,
    );
    assert_ne!(escape, stop);
    for words in [
        ["--overlaps", "leave"],
        ["--overlaps", "escape"],
        ["--initial-overlap", "leave"],
    ] {
        assert_eq!(
            run(&[&former[..], &words].concat(), &moves),
            escape,
            "{words:?}"
        );
    }
    let both = [
        &asked[..],
        &["--overlaps", "leave", "--initial-overlap", "stop"],
    ]
    .concat();
    folder
        .run_with(&both, &moves)
        .assert_usage(&["--initial-overlap"]);

    let shapes = format!("{columns}\n0,0,6,1,1,2,0,0,0,1\n");
    let resting = ["obb", "turned_box"]
        .map(|kind| run(&["overlap", "obb.toml", "-", "--shape", kind], &shapes));
    assert_eq!(resting[0], resting[1]);
    let facts =
        ["obb.toml", "turned_box.toml"].map(|scene| run(&["info", scene], "").replace(scene, ""));
    assert_eq!(facts[0], facts[1]);
}

#[test]
fn a_resting_shape_has_a_row_for_each_contact() {
    let folder = folder();
    let table = "id,cx,cy,cz,radius,margin\n\
        a,2.75,-0.25,0,0.5,0.25\n\
        b,0,5,0,0.5,\n\
        c,0,5,0,0.5,2.5\n\
        d,0,-0.5,0,0.5,\n\
        e,0,5,0,0.5,-1\n";
    let overlap = |more: &[&str]| {
        let arguments = [&["overlap", "scene.toml", "-", "--shape", "sphere"], more].concat();
        folder.run_with(&arguments, table)
    };
    let run = overlap(&[]);
    let header =
        "id,cx,cy,cz,radius,margin,row,status,separation,nx,ny,nz,x,y,z,object,part,triangle\n";
    assert!(run.stdout.starts_with(header), "{}", run.stdout);
    let rows = run.rows();
    assert_eq!(column(&rows, "id"), ["a", "a", "b", "c", "d", "e"]);
    assert_eq!(column(&rows, "row"), ["0", "0", "1", "2", "3", "4"]);
    assert_eq!(
        column(&rows, "status"),
        ["near", "overlap", "separate", "near", "touching", "invalid"]
    );
    assert_eq!(
        column(&rows, "object"),
        ["floor", "wall", "", "ball", "floor", ""]
    );
    assert_eq!(
        column(&rows, "separation"),
        ["0.25", "-0.25", "", "2.5", "0", ""]
    );
    assert_eq!(column(&rows, "nx"), ["0", "-1", "", "0", "0", ""]);
    assert_eq!(column(&rows, "ny"), ["1", "0", "", "-1", "1", ""]);
    assert_eq!(
        column(&rows, "y"),
        ["-1", rows[1]["y"].as_str(), "", "8", "-1", ""]
    );
    let each = overlap(&["--each", "triangle"]).rows();
    let touching: Vec<&str> = each
        .iter()
        .filter(|row| row["id"] == "d")
        .map(|row| row["triangle"].as_str())
        .collect();
    // It rests on the floor's diagonal.
    assert_eq!(touching, ["0", "1"]);
}

#[test]
fn options_of_pairs_and_of_tables_do_not_mix() {
    let folder = folder();
    folder.write("shapes.csv", "cx,cy,cz,radius\n0,0,0,1\n");
    for arguments in [
        &["overlap", "scene.toml", "shapes.csv", "--exact"][..],
        &["overlap", "scene.toml", "shapes.csv", "--limit", "3"],
        &["overlap", "scene.toml", "--shape", "sphere"],
        &["overlap", "scene.toml", "--each", "object"],
        &["overlap", "scene.toml", "--strict"],
        &["overlap", "scene.toml", "--prefix", "a_"],
        &["sweep", "scene.toml", "shapes.csv", "--shape", "turned-box"],
        &["sweep", "scene.toml", "shapes.csv", "--shape", "sphere"],
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn shapes_are_placed_on_a_map() {
    let folder = Folder::with_scene(
        "[world]\norigin = [500000.0, 100.0, 6250000.0]\n\
         [[box]]\nname = \"wall\"\nmin = [3, -1, -1]\nmax = [4, 2, 2]\n",
    );
    let table = "a_easting,a_height,a_northing,b_easting,b_height,b_northing,radius,dx,dy,dz\n\
        500000,100,6250000,500000,101,6250000,0.5,5,0,0\n";
    let arguments = [
        "sweep",
        "scene.toml",
        "-",
        "--shape",
        "capsule",
        "--contact",
    ];
    let rows = folder.run_with(&arguments, table).rows();
    assert_eq!(
        (rows[0]["t"].as_str(), rows[0]["contact_easting"].as_str()),
        ("0.5", "500003")
    );
    let table = "easting,height,northing,radius,margin\n500002,100,6249999.5,0.5,1\n";
    let arguments = ["overlap", "scene.toml", "-", "--shape", "sphere"];
    let rows = folder.run_with(&arguments, table).rows();
    assert_eq!(
        (rows[0]["separation"].as_str(), rows[0]["object"].as_str()),
        ("0.5", "wall")
    );
    assert_eq!(rows[0]["contact_northing"], "6249999.5");
}

#[test]
fn a_hull_from_a_file_is_the_hull_of_the_scene() {
    let folder = folder();
    let points = "x,y,z\n-0.5,-0.5,-0.5\n0.5,-0.5,-0.5\n0,-0.5,0.5\n0,0.5,0\n0,0,0\n";
    folder.write("tetrahedron.csv", points);
    let scene = SCENE.to_owned()
        + "[[hull]]\nname = \"named\"\nfile = \"tetrahedron.csv\"\nlayers = 0\n\
           translation = [7, 7, 7]\n";
    folder.write("named.toml", scene);
    // The place, the rotation and the radius of a hull are optional.
    let rest = "0,0,0,0,1,0,1,0.25\n2.8,0,0,0,0,0,1,\n,,,,,,,\n";
    let columns = "cx,cy,cz,qx,qy,qz,qw,radius";
    let given = format!("{columns}\n{rest}");
    let named: String = (rest.lines().map(|row| format!("named,{row}\n"))).collect();
    let named = format!("hull,{columns}\n{named}");
    let with = |table: &str, columns: &str, values: &str| {
        let lines = table.lines().enumerate();
        let line = |(row, line)| format!("{line}{}\n", if row == 0 { columns } else { values });
        lines.map(line).collect::<String>()
    };
    let moved = |table: &str| with(table, ",dx,dy,dz", ",5,-3,1");
    let turn = ",axis_x,axis_y,axis_z,angle";
    let turned = |table: &str| with(&moved(table), turn, ",0,1,1,2.5");
    let hull = ["--shape", "hull"];
    let file = ["--hull", "tetrahedron.csv"];
    for (command, options, of) in [
        ("sweep", &[][..], &moved as &dyn Fn(&str) -> String),
        ("sweep", &["--turning"], &turned),
        ("overlap", &[], &str::to_owned),
        ("check", &["--clear"], &str::to_owned),
    ] {
        let scene = [command, "named.toml", "-"];
        let by_name = folder.run_with(&[&scene[..], &hull, options].concat(), of(&named));
        let by_file = folder.run_with(&[&scene[..], &hull, &file, options].concat(), of(&given));
        // The columns of the table come before those of the answers.
        let without_name = by_name
            .stdout
            .replacen("hull,", "", 1)
            .replace("named,", "");
        assert_eq!(
            without_name, by_file.stdout,
            "{command}: {}",
            by_file.stderr
        );
        assert_eq!(by_name.code, by_file.code);
        assert!(by_file.stdout.lines().count() >= 4, "{}", by_file.stderr);
    }
    let run = |arguments: &[&str]| folder.run_with(arguments, moved(&given));
    run(&["sweep", "scene.toml", "-", "--hull", "tetrahedron.csv"]).assert_usage(&["--shape hull"]);
    let broken = ["sweep", "scene.toml", "-", "--shape", "hull", "--hull"];
    run(&[&broken[..], &["none.csv"]].concat()).assert_refused(&["none.csv"]);
}
