//! The browser that is opened.
//!
//! All users of a machine see what programs are started with. So a browser is not given an address that
//! has a key, but a file that leads there and that nobody else may read.

use std::io::{self, Write as _};
use tempfile::{Builder, NamedTempFile};

/// Opens a link in the browser. What is returned has to be kept until the browser has read it.
pub(super) fn open(link: &str) -> io::Result<Option<NamedTempFile>> {
    if !link.contains('#') {
        return open::that_detached(link).map(|()| None);
    }
    let file = leading_to(link)?;
    open::that_detached(file.path())?;
    Ok(Some(file))
}

/// A page that leads to a link, in a file that this user alone may read; it is removed when it is
/// dropped.
fn leading_to(link: &str) -> io::Result<NamedTempFile> {
    let mut file = Builder::new()
        .prefix("hitscan-view-")
        .suffix(".html")
        .tempfile()?;
    write!(
        file,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>hitscan view</title>\n\
         <meta http-equiv=\"refresh\" content=\"0;url={link}\">\n\
         <p><a href=\"{link}\">Open the page of hitscan view</a></p>\n"
    )?;
    file.flush()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::leading_to;
    use std::fs;

    #[test]
    fn the_file_leads_to_the_link_and_is_its_users_own() {
        let link = "http://127.0.0.1:7411/#key=00ff";
        let file = leading_to(link).unwrap();
        let path = file.path().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains(&format!("content=\"0;url={link}\"")),
            "{text}"
        );
        assert!(!path.to_string_lossy().contains("00ff"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(
                fs::metadata(&path).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
        drop(file);
        assert!(!path.exists());
    }
}
