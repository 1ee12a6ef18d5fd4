//! `hitscan render`: lights, outlines, costs, shots and links.

use crate::Folder;

/// A ball on a floor, and a wall behind them.
const SCENE: &str = "[[sphere]]\nname = \"ball\"\ncenter = [0, 1, 0]\nradius = 1\n\
                     [[box]]\nname = \"floor\"\nmin = [-5, -1, -5]\nmax = [5, 0, 5]\n\
                     [[box]]\nname = \"wall\"\nmin = [-5, 0, -5]\nmax = [5, 4, -4]\n";

const VIEW: [&str; 6] = ["--size", "64x40", "--eye", "1,2,8", "--look", "0,1,0"];

/// A picture's size, and the codes of its pixels.
type Picture = ([u32; 2], Vec<u8>);

fn open(folder: &Folder, name: &str) -> Picture {
    let file = std::fs::File::open(folder.path(name)).unwrap();
    let picture = png::Decoder::new(std::io::BufReader::new(file));
    let mut picture = picture.read_info().unwrap();
    let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
    let info = picture.next_frame(&mut pixels).unwrap();
    ([info.width, info.height], pixels)
}

/// What `render` draws with these options, which says nothing on standard error.
fn drawn(folder: &Folder, options: &[&str]) -> Picture {
    let arguments = [&["render", "scene.toml", "-o", "p.png"], options].concat();
    let run = folder.run(&arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{options:?}");
    open(folder, "p.png")
}

fn seen(folder: &Folder, options: &[&str]) -> Picture {
    drawn(folder, &[&VIEW[..], options].concat())
}

/// How many pixels are nearest to an sRGB colour, of a picture.
fn count(picture: &Picture, color: [u8; 3]) -> usize {
    let is_near = |pixel: &&[u8]| {
        let pairs = pixel.iter().zip(color);
        pairs.map(|(code, wanted)| code.abs_diff(wanted)).max() < Some(24)
    };
    picture.1.chunks(3).filter(is_near).count()
}

#[test]
fn each_light_and_line_has_its_own_picture() {
    let folder = Folder::with_scene(SCENE);
    let pictures = [
        seen(&folder, &[]),
        seen(&folder, &["--light", "plain", "--samples", "2"]),
        seen(&folder, &["--light", "sun", "--samples", "2", "--ao", "3"]),
        seen(&folder, &["--light", "soft", "--samples", "3"]),
        seen(&folder, &["--light", "soft", "--samples", "3", "--ao", "0"]),
        seen(&folder, &["--outline", "--samples", "1"]),
        seen(&folder, &["--cost"]),
    ];
    for (place, picture) in pictures.iter().enumerate() {
        assert!(
            pictures[..place].iter().all(|other| other != picture),
            "{place}"
        );
    }
    assert_eq!(pictures[0], seen(&folder, &["--light", "sun"]));
}

#[test]
fn nonsense_is_refused_with_what_is_expected() {
    let folder = Folder::with_scene(SCENE);
    let with = |more: &[&str]| {
        let render = ["render", "scene.toml", "-o", "p.png"];
        folder.run(&[&render[..], more].concat())
    };
    with(&["--samples", "17"]).assert_usage(&["--samples", "17", "1..=16"]);
    with(&["--light", "dark"]).assert_usage(&["--light", "plain", "soft"]);
    with(&["--cost", "--samples", "2"]).assert_usage(&["--cost", "--samples"]);
    with(&["--light", "plain", "--ao", "1"]).assert_refused(&["--light plain", "--ao"]);
    with(&["--link", "v=1", "--size", "9x9"]).assert_usage(&["--link", "--size"]);
    with(&["--link", "v=2"]).assert_refused(&["`v`", "`2`", "expected 1"]);
    with(&["--link", "#eye=1,2"]).assert_refused(&["`eye`", "`1,2`", "three numbers"]);
    with(&["--link", "hide=bowl"]).assert_refused(&["`hide`", "`bowl`", "name of an object"]);
    with(&["--link", "pose=ball:Run:1"]).assert_refused(&["`pose`", "`ball`", "a model"]);
    with(&["--link", "eye=1,2,3&look=1,2,3"]).assert_refused(&["camera"]);
    folder.write("odd.csv", "a,b\n1,2\n");
    with(&["--shots", "odd.csv"]).assert_refused(&["odd.csv", "ox oy oz dx dy dz"]);
    with(&["--shots", "no.csv"]).assert_refused(&["no.csv"]);
    with(&["--shots", "-"]).assert_refused(&["--shots", "file"]);
    assert_eq!(folder.files(), ["odd.csv", "scene.toml"]);
}

/// Blue, vermilion, purple and yellow, as `hitscan_picture::Role` has them.
const HIT: [u8; 3] = [0x00, 0x72, 0xb2];
const MISS: [u8; 3] = [0xd5, 0x5e, 0x00];
const OVERLAP: [u8; 3] = [0xcc, 0x79, 0xa7];
const NORMAL: [u8; 3] = [0xf0, 0xe4, 0x42];

#[test]
fn shots_are_asked_and_drawn() {
    let folder = Folder::with_scene(SCENE);
    let rays = "ox,oy,oz,dx,dy,dz,ignore\n-4,1,1,1,0,-0.1,\n-4,3,1,1,0,0,\n-4,1.6,0,1,0,0,ball\n";
    let arcs = "ox,oy,oz,vx,vy,vz\n-3,0.5,2,4,5,-1\n";
    let moves = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n-3,0.5,0,-2,1.5,1,3,0,0\n\
                 1.5,-0.5,2,2.5,0.6,3,1,0,0\n";
    let balls = "cx,cy,cz,radius,dx,dy,dz\n-3,1,1,0.4,3,0,0\n";
    let points = "x,z\n0,3\n";
    let closest = "px,py,pz\n-2,2,3\n";
    let resting = "min_x,min_y,min_z,max_x,max_y,max_z\n1.5,-0.5,2,2.5,0.6,3\n-4,2,0,-3,3,1\n";
    for (name, table) in [
        ("rays.csv", rays),
        ("arcs.csv", arcs),
        ("moves.csv", moves),
        ("balls.csv", balls),
        ("points.csv", points),
        ("closest.csv", closest),
        ("resting.csv", resting),
    ] {
        folder.write(name, table);
    }
    let view = [
        "--size", "240x150", "--eye", "1,2,8", "--look", "0,1,0", "--light", "plain",
    ];
    let drawn = |more: &[&str]| drawn(&folder, &[&view[..], more].concat());
    let before = drawn(&[]);
    let colors = |table: &str| {
        let after = drawn(&["--shots", table]);
        [HIT, MISS, OVERLAP, NORMAL].map(|color| {
            let [before, after] = [&before, &after].map(|picture| count(picture, color));
            after > before + 8
        })
    };
    assert_eq!(colors("rays.csv"), [true, true, false, true]);
    assert_eq!(colors("arcs.csv"), [true, false, false, true]);
    assert_eq!(colors("moves.csv"), [true, false, true, true]);
    assert_eq!(colors("balls.csv"), [true, false, false, true]);
    // There is no terrain under a point: a ring.
    assert_eq!(colors("points.csv"), [false, true, false, false]);
    assert_eq!(colors("closest.csv"), [true, false, false, true]);
    // One is in the floor, the other in the air.
    assert_eq!(colors("resting.csv"), [false, true, true, false]);

    let asked = folder.run(&["ray", "scene.toml", "rays.csv", "-o", "answers.parquet"]);
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    let of_questions = drawn(&["--shots", "rays.csv"]);
    assert!(of_questions == drawn(&["--shots", "answers.parquet"]));

    folder.write(
        "bad.csv",
        "ox,oy,oz,dx,dy,dz\n-4,1,1,1,0,-0.1\n0,0,0,0,0,0\n0,0,x,0,1,0\n",
    );
    let render = ["render", "scene.toml", "-o", "p.png", "--shots", "bad.csv"];
    let run = folder.run(&[&render[..], &view].concat());
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains("bad.csv: 2 of 3 rows are not drawn"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_link_shows_what_the_options_do() {
    let folder = Folder::with_scene(SCENE);
    let link = "#v=1&scene=any&eye=1%2C2%2C8&look=0,1,0&size=64x40&key=0123";
    let shown = drawn(&folder, &["--link", link]);
    assert_eq!(shown, seen(&folder, &["--light", "soft"]));
    let outlined = drawn(&folder, &["--link", &format!("{link}&outline=1")]);
    assert_eq!(outlined, seen(&folder, &["--light", "soft", "--outline"]));

    let without = drawn(&folder, &["--link", &format!("{link}&hide=ball;wall")]);
    folder.write(
        "bare.toml",
        "[[box]]\nname = \"floor\"\nmin = [-5, -1, -5]\nmax = [5, 0, 5]\n",
    );
    assert_ne!(without, shown);
    let sides: Vec<u8> = without.1.chunks(3).map(|pixel| pixel[2]).collect();
    assert!(
        sides[64 * 12 + 30] > 150,
        "the sky is behind what is hidden"
    );

    let cost = drawn(&folder, &["--link", &format!("{link}&mode=cost")]);
    assert_ne!(cost, shown);
    let question = "&tool=ray&q=ox:-4,oy:1,oz:1,dx:1,dy:0,dz:-0.1&options=sides:front";
    let shot = drawn(&folder, &["--link", &format!("{link}{question}")]);
    folder.write("shot.csv", "ox,oy,oz,dx,dy,dz\n-4,1,1,1,0,-0.1\n");
    assert_eq!(
        shot,
        seen(&folder, &["--light", "soft", "--shots", "shot.csv"])
    );
    let linked = |question: &str| drawn(&folder, &["--link", &format!("{link}{question}")]);
    folder.write("closest.csv", "px,py,pz\n0,5,0\n");
    assert_eq!(
        linked("&tool=closest&q=px:0,py:5,pz:0"),
        seen(&folder, &["--light", "soft", "--shots", "closest.csv"])
    );
    let turned = "q=cx:0,cy:1,cz:0,half_x:1,half_y:1,half_z:1,qx:0,qy:0,qz:0,qw:1,dx:0,dy:3,dz:0";
    let moved = |options: &str| linked(&format!("&tool=sweep&{turned}&options={options}"));
    let escape = moved("shape:obb,initial_overlap:escape");
    assert_eq!(escape, moved("shape:turned_box,overlaps:leave"));
    assert_ne!(escape, moved("shape:turned-box"));
    // The ball touches the floor, and the wall does; without `q` there is no query.
    assert_ne!(linked("&tool=overlap&q="), shown);
    assert_ne!(linked("&tool=overlap&q=&options=exact:true"), shown);
    assert_eq!(linked("&tool=overlap"), shown);
}
