//! A build of the root's workspace, which compiles not one crate of Bevy.

use super::sources::{LOCK, Sources};
use toml::{Table, Value};

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let Some(text) = sources.text(LOCK) else {
        return Vec::new();
    };
    let table = match text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => return vec![format!("{LOCK} is no TOML: {error}")],
    };
    let packages = table.get("package").and_then(Value::as_array);
    let names = packages
        .into_iter()
        .flatten()
        .filter_map(|package| package.get("name").and_then(Value::as_str));
    let of_bevy = names.filter(|name| *name == "bevy" || name.starts_with("bevy_"));
    of_bevy
        .map(|name| format!("{LOCK} has {name}: only the workspace in bevy/ builds Bevy"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(lock: &str) -> Vec<String> {
        problems(&Sources::of(&[(LOCK, lock)]))
    }

    #[test]
    fn crates_of_bevy_are_found() {
        let lock = "[[package]]\nname = \"glam\"\n[[package]]\nname = \"bevy_ecs\"\n";
        assert_eq!(
            problems_of(lock),
            ["Cargo.lock has bevy_ecs: only the workspace in bevy/ builds Bevy"]
        );
    }

    #[test]
    fn others_are_not() {
        let lock = "[[package]]\nname = \"bevyless\"\ndependencies = [\"glam\"]\n";
        assert_eq!(problems_of(lock), [""; 0]);
        assert_eq!(problems(&Sources::of(&[])), [""; 0]);
    }
}
