//! `hitscan render`.

use crate::Folder;

#[test]
fn a_picture_has_the_requested_size_and_shows_the_ball() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
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
    let file = std::fs::File::open(folder.path("ball.png")).unwrap();
    let mut picture = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
    let info = picture.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (48, 32));
    let pixel = |x: usize, y: usize| &pixels[3 * (y * 48 + x)..][..3];
    assert_ne!(
        pixel(24, 16),
        pixel(2, 2),
        "the middle shows the ball, the corner the sky"
    );
    assert_eq!(folder.files(), ["ball.png", "scene.toml"]);
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    let render = ["render", "scene.toml", "-o", "p.png"];
    let with = |more: &[&str]| folder.run(&[&render[..], more].concat());
    with(&["--fov", "200"]).assert_refused(&["--fov"]);
    with(&["--eye", "1,1,1", "--look", "1,1,1"]).assert_refused(&["camera"]);
    assert_eq!(with(&["--size", "0x9"]).code, 2);
    assert_eq!(with(&["--eye", "1,1,1"]).code, 2);
    assert_eq!(folder.files(), ["scene.toml"]);
}
