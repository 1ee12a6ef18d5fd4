//! GDAL's shared library, of Debian's packages.

use crate::debian;
use std::process::Command;

const LIBRARY: &str = "libgdal.so.32";
const PACKAGE: &str = "gdal-bin";

/// Whether the arguments select the workloads that GDAL runs in: V, or all of them.
pub(super) fn is_wanted(arguments: &[String]) -> bool {
    let is_value = |place: usize| {
        let flag = place
            .checked_sub(1)
            .and_then(|before| arguments.get(before));
        flag.is_some_and(|flag| flag == "--csv" || flag == "--publish")
    };
    let names = (0..).zip(arguments);
    let mut names = names
        .filter(|(place, text)| !text.starts_with('-') && !is_value(*place))
        .map(|(_, name)| name)
        .peekable();
    names.peek().is_none() || names.any(|name| name.starts_with('V'))
}

/// Installs the library where it is missing; the reason where it cannot be.
pub(super) fn install() -> Result<(), String> {
    debian::install(PACKAGE, &is_there).map_err(|reason| format!("GDAL ({LIBRARY}): {reason}"))
}

/// Whether the loader finds it.
fn is_there() -> bool {
    let output = Command::new("/sbin/ldconfig").arg("-p").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(LIBRARY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_wanted_for_viewsheds() {
        let wanted = |text: &str| {
            let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            is_wanted(&arguments)
        };
        assert!(wanted("") && wanted("--quick") && wanted("W O C G V") && wanted("V1-1025"));
        assert!(wanted("--csv table.csv") && !wanted("T M1 --quick"));
    }
}
