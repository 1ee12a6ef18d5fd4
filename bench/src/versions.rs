//! The versions of crates, from the lock file with which the bench is built.

/// The lock file.
const LOCK: &str = include_str!("../Cargo.lock");

/// A crate's name and version.
pub fn with_name(name: &str) -> String {
    let version = version(name).unwrap_or("of unknown version");
    format!("{name} {version}")
}

fn version(name: &str) -> Option<&'static str> {
    let rest = LOCK
        .split_once(&format!("name = \"{name}\"\nversion = \""))?
        .1;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_every_peer() {
        for name in ["hitscan", "parry3d", "obvhs", "bvh"] {
            assert!(version(name).is_some(), "{name}");
        }
        assert_eq!(version("no-such-crate"), None);
    }
}
