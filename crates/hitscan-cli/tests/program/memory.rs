//! Files that ask for more memory than they have a right to, or than there is.

use crate::{Folder, program};
use std::process::Command;

/// A TIFF of 64 KiB whose header speaks of 32768 x 65536 samples, in one strip that stores none.
fn sparse() -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    let tags = [
        (256_u16, 32_768_u32),
        (257, 65_536),
        (258, 8),
        (259, 50_000),
        (262, 1),
        (273, 8),
        (278, 65_536),
        (279, 0),
    ];
    file.extend(u16::try_from(tags.len()).unwrap().to_le_bytes());
    for (tag, value) in tags {
        file.extend(tag.to_le_bytes());
        // One whole number of 32 bits.
        file.extend([4, 0, 1, 0, 0, 0]);
        file.extend(value.to_le_bytes());
    }
    file.resize(1 << 16, 0);
    file
}

#[test]
fn a_small_file_is_no_large_map_unless_its_size_is_stated() {
    let folder = Folder::new();
    folder.write("a.tif", sparse());
    folder.write("points.csv", "x,z\n1,1\n");
    let words = [
        "a.tif: header",
        "at least one byte for 256 of 32768 x 65536 samples, which take 8 GiB of memory",
        "`size = [32768, 65536]`",
        "found 65536 bytes",
    ];
    folder.run(&["info", "a.tif"]).assert_refused(&words);
    folder
        .run(&["height", "a.tif", "points.csv"])
        .assert_refused(&words);
    folder.write("s.toml", "[[terrain]]\nheights = 'a.tif'\nspacing = 1\n");
    folder
        .run(&["height", "s.toml", "points.csv"])
        .assert_refused(&[&["s.toml: line 2"][..], &words].concat());
}

/// The system gives a process no more than 1 GiB.
#[test]
fn memory_that_the_system_does_not_give_is_an_error() {
    let folder =
        Folder::with_scene("[[terrain]]\nheights = 'a.tif'\nspacing = 1\nsize = [32768, 65536]\n");
    folder.write("a.tif", sparse());
    folder.write("points.csv", "x,z\n1,1\n");
    let limited = program(folder.path("").as_path()).get_program().to_owned();
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -v 1048576; exec \"$0\" height scene.toml points.csv",
        ])
        .arg(limited)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    let words = "a.tif: 2147483648 samples: expected 2 GiB of free memory";
    assert!(message.contains(words), "{message}");
}
