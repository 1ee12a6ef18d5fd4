//! The program `hitscan`.

mod demo;
mod picture;

fn main() {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "hitscan-demo".to_owned());
    if let Err(error) = demo::run(folder.as_ref(), &mut std::io::stdout().lock()) {
        eprintln!("{error}");
    }
}
