//! Textures of glTF models in pictures.

use crate::Folder;
use hitscan_testkit::outside_data;
use std::path::Path;

/// Red and green above blue and white.
const IMAGE: [[u8; 3]; 4] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]];

/// An image of 2 x 2 texels.
fn png(texels: &[[u8; 3]; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(texels.as_flattened()).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A square from (-1, -1, 0) to (1, 1, 0) that shows the whole image to +z by `TEXCOORD_0`, and its lower
/// right quarter by `TEXCOORD_1`; what of its material, and the samplers and images of the file.
fn square(folder: &Folder, material: &str, looks: &str) {
    let positions: [f32; 12] = [-1., -1., 0., 1., -1., 0., 1., 1., 0., -1., 1., 0.];
    let whole: [f32; 8] = [0., 1., 1., 1., 1., 0., 0., 0.];
    let quarter = whole.map(|coordinate| 0.5 + coordinate / 2.0);
    let numbers = positions.iter().chain(&whole).chain(&quarter);
    let mut bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend([0, 1, 2, 0, 2, 3]);
    folder.write("square.bin", bytes);
    let gltf = format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "TEXCOORD_0": 1, "TEXCOORD_1": 2}}, "indices": 3, "material": 0}}]}}],
"materials": [{{"pbrMetallicRoughness": {{{material}}}}}], {looks}
"buffers": [{{"uri": "square.bin", "byteLength": 118}}],
"bufferViews": [{{"buffer": 0, "byteLength": 112}}, {{"buffer": 0, "byteOffset": 112, "byteLength": 6}}],
"accessors": [
  {{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0]}},
  {{"bufferView": 0, "byteOffset": 48, "componentType": 5126, "count": 4, "type": "VEC2"}},
  {{"bufferView": 0, "byteOffset": 80, "componentType": 5126, "count": 4, "type": "VEC2"}},
  {{"bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR"}}]}}"#
    );
    folder.write("square.gltf", gltf);
}

/// The texture of a file beside the model.
const BESIDE: &str = r#""textures": [{"source": 0}], "images": [{"uri": "image.png"}],"#;
const TEXTURED: &str = r#""baseColorTexture": {"index": 0}"#;

/// A folder with the square as a scene, its image beside it.
fn folder() -> Folder {
    let folder = Folder::with_scene("[[model]]\nfile = \"square.gltf\"\n");
    folder.write("image.png", png(&IMAGE));
    folder
}

/// The square in plain light: the codes of 16 x 16 pixels, and what is said.
fn drawn(folder: &Folder, options: &[&str]) -> (Vec<[u8; 3]>, String) {
    let render = [
        "render",
        "scene.toml",
        "-o",
        "p.png",
        "--size",
        "16x16",
        "--light",
        "plain",
    ];
    let view = [
        "--eye", "0,0,2", "--look", "0,0,0", "--ortho", "--fov", "53",
    ];
    let run = folder.run(&[&render[..], &view, options].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let file = std::fs::File::open(folder.path("p.png")).unwrap();
    let mut picture = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
    picture.next_frame(&mut pixels).unwrap();
    (pixels.as_chunks::<3>().0.to_vec(), run.stderr)
}

/// What of red, green, blue and white a pixel shows.
fn word([red, green, blue]: [u8; 3]) -> char {
    let least = red.min(green).min(blue);
    let most = red.max(green).max(blue);
    match [red, green, blue] {
        _ if least + 24 > most => 'w',
        [code, _, _] if code == most => 'r',
        [_, code, _] if code == most => 'g',
        _ => 'b',
    }
}

/// The colours in the middles of 4 x 4 fields, row by row.
fn fields(folder: &Folder) -> String {
    let (pixels, said) = drawn(folder, &[]);
    assert_eq!(said, "");
    let rows = (0..4).map(|row| {
        let field = |column: usize| word(pixels[(4 * row + 2) * 16 + 4 * column + 2]);
        (0..4).map(field).collect::<String>()
    });
    rows.collect::<Vec<_>>().join(" ")
}

#[test]
fn an_image_is_drawn_upright_by_each_way_to_it() {
    let folder = folder();
    square(&folder, TEXTURED, BESIDE);
    assert_eq!(fields(&folder), "rrgg rrgg bbww bbww");
    let text: String = png(&IMAGE)
        .iter()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    let within = format!(
        r#""textures": [{{"source": 0}}], "images": [{{"uri": "data:image/png,{text}"}}],"#
    );
    square(&folder, TEXTURED, &within);
    assert_eq!(fields(&folder), "rrgg rrgg bbww bbww");
    square(
        &folder,
        r#""baseColorTexture": {"index": 0, "texCoord": 1}"#,
        BESIDE,
    );
    assert_eq!(fields(&folder), "wwww wwww wwww wwww");
}

#[test]
fn images_go_on_beyond_their_edges_as_the_sampler_says() {
    let folder = folder();
    let moved = |transform: &str, wrap: &str| {
        let material = format!(
            r#""baseColorTexture": {{"index": 0, "extensions": {{"KHR_texture_transform": {{{transform}}}}}}}"#
        );
        let looks = format!(
            r#""textures": [{{"source": 0, "sampler": 0}}], "images": [{{"uri": "image.png"}}], "samplers": [{{{wrap}}}],"#
        );
        square(&folder, &material, &looks);
        fields(&folder)
    };
    let twice = r#""scale": [2, 2]"#;
    assert_eq!(moved(twice, ""), "rgrg bwbw rgrg bwbw");
    assert_eq!(
        moved(twice, r#""wrapS": 33648, "wrapT": 33648"#),
        "rggr bwwb bwwb rggr"
    );
    assert_eq!(
        moved(twice, r#""wrapS": 33071, "wrapT": 10497"#),
        "rggg bwww rggg bwww"
    );
    assert_eq!(moved(r#""offset": [0.5, 0]"#, ""), "ggrr ggrr wwbb wwbb");
    assert_eq!(
        moved(r#""offset": [-0.5, 0]"#, r#""wrapS": 33071"#),
        "rrrr rrrr bbbb bbbb"
    );
    // A quarter turn of the places counter-clockwise is one of the image clockwise.
    let quarter = r#""rotation": 1.5707963267948966, "offset": [0, 1]"#;
    assert_eq!(moved(quarter, ""), "bbrr bbrr wwgg wwgg");
    assert_eq!(moved(r#""texCoord": 1"#, ""), "wwww wwww wwww wwww");
}

#[test]
fn texels_are_srgb_and_factors_are_linear() {
    let folder = folder();
    let code = [188, 64, 9];
    folder.write("image.png", png(&[code; 4]));
    square(
        &folder,
        r#""baseColorFactor": [0.5, 1, 0.25, 1], "baseColorTexture": {"index": 0}"#,
        BESIDE,
    );
    let (textured, _) = drawn(&folder, &[]);
    // The codes by the formula of IEC 61966-2-1, the first and the last times the factor.
    let factor = r#""baseColorFactor": [0.251443229016, 0.051269458374, 0.000682935713, 1]"#;
    square(&folder, factor, "");
    assert_eq!(drawn(&folder, &[]).0, textured);
}

#[test]
fn what_cannot_be_read_is_a_warning_and_the_part_is_plain() {
    let folder = folder();
    square(&folder, TEXTURED, BESIDE);
    let (textured, _) = drawn(&folder, &[]);
    let (plain, said) = drawn(&folder, &["--textures", "off"]);
    assert_eq!(said, "");
    assert_ne!(textured, plain);
    let image =
        |uri: &str| format!(r#""textures": [{{"source": 0}}], "images": [{{"uri": "{uri}"}}],"#);
    folder.write("broken.png", &png(&IMAGE)[..50]);
    folder.write("other.gif", "GIF89a");
    let cases = [
        (TEXTURED, image("no.png"), "no.png"),
        (TEXTURED, image("broken.png"), "sound PNG data"),
        (TEXTURED, image("other.gif"), "PNG or JPEG"),
        (TEXTURED, image("../image.png"), "images[0]"),
        (TEXTURED, r#""textures": [{}],"#.to_owned(), "textures[0]"),
        (
            TEXTURED,
            r#""textures": [{"source": 7}],"#.to_owned(),
            "images[7]",
        ),
        (TEXTURED, r#""textures": "none","#.to_owned(), "materials"),
        (
            r#""baseColorTexture": {"index": 3}"#,
            BESIDE.to_owned(),
            "textures[3]",
        ),
        (
            r#""baseColorTexture": {"index": 0, "texCoord": 2}"#,
            BESIDE.to_owned(),
            "TEXCOORD_2",
        ),
    ];
    for (material, looks, word) in cases {
        square(&folder, material, &looks);
        let (pixels, said) = drawn(&folder, &[]);
        assert!(
            said.starts_with("hitscan: warning: square.gltf: "),
            "{said}"
        );
        assert!(
            said.contains(word) && said.lines().count() == 1,
            "{word}: {said}"
        );
        assert_eq!(pixels, plain, "{word}");
        assert_eq!(drawn(&folder, &["--textures", "off"]).1, "");
        // No other command looks at images.
        let rays = "ox,oy,oz,dx,dy,dz\n0,0,2,0,0,-1\n";
        let run = folder.run_with(&["ray", "scene.toml", "-"], rays);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    }
}

#[test]
fn a_picture_does_not_replace_an_image_of_the_scene() {
    let folder = folder();
    square(&folder, TEXTURED, BESIDE);
    let run = folder.run(&["render", "scene.toml", "-o", "image.png"]);
    run.assert_refused(&["image.png"]);
    assert_eq!(
        std::fs::read(folder.path("image.png")).unwrap(),
        png(&IMAGE)
    );
}

/// What is drawn of a model of the outside data, and what is said.
fn outside(folder: &Folder, model: &Path, options: &[&str]) -> (Vec<u8>, String) {
    let render = [
        "render",
        model.to_str().unwrap(),
        "-o",
        "p.png",
        "--size",
        "120x120",
    ];
    let run = folder.run(&[&render[..], options].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    (std::fs::read(folder.path("p.png")).unwrap(), run.stderr)
}

#[test]
fn models_from_elsewhere_have_their_textures() {
    let Some(data) = outside_data() else { return };
    let folder = Folder::new();
    let man = data.join("data/gltf/CesiumMan.glb");
    let (textured, said) = outside(&folder, &man, &[]);
    assert!(!said.contains("warning"), "{said}");
    assert_ne!(textured, outside(&folder, &man, &["--textures", "off"]).0);
    // Its image files are missing.
    let head = data.join("data/gltf/Suzanne/Suzanne.gltf");
    let (plain, said) = outside(&folder, &head, &[]);
    assert!(
        said.contains("images[0]") && said.contains("Suzanne_BaseColor.png"),
        "{said}"
    );
    assert_eq!(plain, outside(&folder, &head, &["--textures", "off"]).0);
}
