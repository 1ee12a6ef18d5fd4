//! `hitscan render`.

use crate::Folder;

const BALL: &str = "[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n";

/// A picture as it was written.
struct Picture {
    size: [usize; 2],
    pixels: Vec<u8>,
}

impl Picture {
    fn open(folder: &Folder, name: &str) -> Self {
        let file = std::fs::File::open(folder.path(name)).unwrap();
        let picture = png::Decoder::new(std::io::BufReader::new(file));
        let mut picture = picture.read_info().unwrap();
        let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
        let info = picture.next_frame(&mut pixels).unwrap();
        Self {
            size: [info.width as usize, info.height as usize],
            pixels,
        }
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.size[0] + x);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }
}

#[test]
fn a_picture_has_the_requested_size_and_shows_the_ball() {
    let folder = Folder::with_scene(BALL);
    let arguments = [
        "render",
        "scene.toml",
        "-o",
        "ball.png",
        "--size",
        "48x32",
        "--eye",
        "0,0,5",
        "--look",
        "0,0,0",
    ];
    let run = folder.run(&arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let picture = Picture::open(&folder, "ball.png");
    assert_eq!(picture.size, [48, 32]);
    let pixel = |x: usize, y: usize| picture.pixel(x, y);
    assert_ne!(
        pixel(24, 16),
        pixel(2, 2),
        "the middle shows the ball, the corner the sky"
    );
    assert_eq!(folder.files(), ["ball.png", "scene.toml"]);
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::with_scene(BALL);
    let render = ["render", "scene.toml", "-o", "p.png"];
    let with = |more: &[&str]| folder.run(&[&render[..], more].concat());
    with(&["--fov", "200"]).assert_refused(&["--fov"]);
    with(&["--eye", "1,1,1", "--look", "1,1,1"]).assert_refused(&["camera"]);
    assert_eq!(with(&["--size", "0x9"]).code, 2);
    assert_eq!(with(&["--look", "1,1,1"]).code, 2);
    assert_eq!(with(&["--top", "--eye", "1,1,1"]).code, 2);
    assert_eq!(with(&["--pick", "1,1"]).code, 2);
    let pick = ["render", "scene.toml", "--pick", "960,0"];
    folder
        .run(&pick)
        .assert_refused(&["--pick 960,0", "960 x 540"]);
    assert_eq!(folder.files(), ["scene.toml"]);
}

/// A plate seen from straight above: red towards -Z, green towards +Z; without the option from the
/// side, where its edges run together.
const PLATE: &str = "[[box]]\nname = \"north\"\nmin = [0, 0, 0]\nmax = [10, 1, 5]\n\
                     [[box]]\nname = \"south\"\nmin = [0, 0, 5]\nmax = [10, 1, 10]\n\
                     [[box]]\nname = \"tower\"\nmin = [9, 0, 0]\nmax = [10, 8, 1]\n";

#[test]
fn a_pick_names_what_the_pixel_shows() {
    let folder = Folder::with_scene(PLATE);
    let pick = |more: &[&str], pixel: &str| {
        let render = ["render", "scene.toml", "--size", "100x100", "--pick", pixel];
        let run = folder.run(&[&render[..], more].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.stdout
    };
    let top = |pixel: &str| pick(&["--top"], pixel);
    assert!(
        top("50,20").starts_with("object    north\n"),
        "{}",
        top("50,20")
    );
    assert!(
        top("50,80").starts_with("object    south\n"),
        "{}",
        top("50,80")
    );
    assert!(
        top("95,5").starts_with("object    tower\n"),
        "{}",
        top("95,5")
    );
    // Lines of sight are parallel: the tower hides nothing beside it.
    assert!(
        top("86,5").starts_with("object    north\n"),
        "{}",
        top("86,5")
    );
    assert_eq!(top("0,0"), "sky\n");
    let eye = ["--eye", "5,20,5.001", "--look", "5,0,5"];
    let ortho = pick(&[&eye[..], &["--ortho"]].concat(), "50,70");
    assert!(ortho.starts_with("object    south\n"), "{ortho}");
    // An eye alone looks at the middle of everything, (5, 4, 5), and hits the ground behind it.
    let alone = pick(&["--eye", "5,4,30", "--ortho"], "50,50");
    assert_eq!(alone, "sky\n");
    let alone = pick(&["--eye", "5,30,5.5"], "50,50");
    assert!(alone.starts_with("object    "), "{alone}");
    assert_eq!(folder.files(), ["scene.toml"]);
}

#[test]
fn a_pick_of_a_model_names_part_triangle_and_joint() {
    let folder = Folder::with_scene("[[model]]\nname = \"sign\"\nfile = \"sign.obj\"\n");
    folder.write("sign.obj", "o board\nv 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    let view = ["--eye", "1,1,5", "--look", "1,1,0", "--size", "3x3"];
    let run = folder.run(&[&["render", "scene.toml", "--pick", "1,1"], &view[..]].concat());
    let expected = "object    sign\npart      board\ntriangle  0\njoint     sign\ndistance  5 m\n\
                    point     1,1,0\nside      front\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn models_have_their_materials_and_vertices_colours() {
    let folder = Folder::new();
    let view = [
        "--eye",
        "0.2,0.2,5",
        "--look",
        "0.2,0.2,0",
        "--size",
        "31x31",
        "--ortho",
    ];
    let middle = |json: &str| {
        folder.write("m.gltf", json);
        let run = folder.run(&[&["render", "m.gltf", "-o", "m.png"], &view[..]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        Picture::open(&folder, "m.png").pixel(15, 15)
    };
    let plain = middle(&triangle("", "[]"));
    let red = "[{\"pbrMetallicRoughness\": {\"baseColorFactor\": [1, 0, 0, 1]}}]";
    let [r, g, b] = middle(&triangle("", red));
    assert!(r / 2 > g.max(b), "{:?}", [r, g, b]);
    let white = "[{\"pbrMetallicRoughness\": {\"baseColorFactor\": [1, 1, 1, 1]}}]";
    let [r, g, b] = middle(&triangle(", \"COLOR_0\": 1", white));
    assert!(b > r && b > g, "the vertices are blue: {:?}", [r, g, b]);
    // What a material should not be is no colour, and no error.
    for nonsense in ["5", "[5]", "[{\"pbrMetallicRoughness\": 7}]", "{}"] {
        assert_eq!(middle(&triangle("", nonsense)), plain, "{nonsense}");
    }
}

/// A triangle of three floats a corner, then a blue colour for each.
fn triangle(attributes: &str, materials: &str) -> String {
    let numbers: [f32; 18] = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // positions
        0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, // colours
    ];
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let uri: String = bytes.iter().map(|byte| format!("%{byte:02X}")).collect();
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0}}], "materials": {materials},
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0{attributes}}}, "material": 0}}]}}],
        "buffers": [{{"byteLength": 72, "uri": "data:application/octet-stream,{uri}"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}},
                        {{"buffer": 0, "byteOffset": 36, "byteLength": 36}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
                      {{"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"}}]}}"#
    )
}
