//! The plugin and its peers on the same questions: `cargo xtask bevy --bench`.

// In reading order: each module uses only those before it.
mod numbers;
mod measure;
mod table;
mod threads;
mod skeleton;
mod crowd;
mod truth;
mod ours;
mod bevy_casts;
mod capsules;
mod characters;
mod movers;
mod still;

use bevy_ecs::error::BevyError;

fn main() -> Result<(), BevyError> {
    let is_quick = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [option] if option == "--quick" => true,
        other => return Err(format!("unknown: {other:?}; there is --quick").into()),
    };
    let frames = if is_quick { 5 } else { 30 };
    let less = if is_quick { 10 } else { 1 };
    let mut lines = Vec::new();
    let rays = 1_000;
    let bodies = 1_000 / less;
    characters::rows(
        characters::Scale {
            bodies,
            rays,
            frames,
        },
        &mut lines,
    )?;
    let meshes = 100_000 / u32::from(less);
    still::rows(still::Scale { meshes, frames }, &mut lines)?;
    movers::rows(
        movers::Scale {
            movers: 10_000 / u32::from(less),
            exchanged: 500 / u32::from(less),
            rays,
            frames,
        },
        &mut lines,
    )?;
    lines.sort_by_key(|line| line.row);
    table::print(&lines);
    Ok(())
}
