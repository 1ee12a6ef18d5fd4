//! Columns that are no part of the question come out as they went in, byte for byte.

use crate::{Countdown, Folder, Sum, answer_files, answer_text};
use std::fs;

fn sums(text: &[u8]) -> Vec<u8> {
    answer_text(text, &Sum).unwrap().0
}

#[test]
fn bytes_pass_through_with_quotes_spaces_and_spelling() {
    let text = "\
 x ,\"note, quoted\",\"z\",price
1.0,\"a, \"\"b\"\"\",2.00, 1.50
+1,\"line
break\",\"2\", 
-1e0,naïve ☃,2,5\" pipe
0,,0,\"\"
";
    let expected = "\
 x ,\"note, quoted\",\"z\",price,status,t,object,triangle
1.0,\"a, \"\"b\"\"\",2.00, 1.50,hit,3,\"crate, large\",7
+1,\"line
break\",\"2\", ,hit,3,\"crate, large\",7
-1e0,naïve ☃,2,5\" pipe,miss,,,
0,,0,\"\",invalid,,,
";
    assert_eq!(String::from_utf8(sums(text.as_bytes())).unwrap(), expected);
}

#[test]
fn line_endings_a_mark_and_broken_utf_8_pass_through() {
    let text = b"\xef\xbb\xbfx,\xff,z\r\n1,\xfe\xff,1\r\n\r\n\n1,\x80,2\n1,,3";
    let expected = [
        &b"\xef\xbb\xbfx,\xff,z,status,t,object,triangle\r\n"[..],
        b"1,\xfe\xff,1,hit,2,\"crate, large\",7\r\n",
        b"1,\x80,2,hit,3,\"crate, large\",7\n",
        // The last row had no ending and gets the header's.
        b"1,,3,hit,4,\"crate, large\",7\r\n",
    ];
    assert_eq!(sums(text), expected.concat());
}

#[test]
fn columns_may_be_in_any_order_and_optional_ones_absent_or_empty() {
    let text = "z,t_max,x\n1,,2\n1,2.5,2\n1,inf,2\n";
    let answers = String::from_utf8(sums(text.as_bytes())).unwrap();
    let t: Vec<&str> = answers
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(4).unwrap())
        .collect();
    assert_eq!(t, ["3", "2.5", "3"]);
}

#[test]
fn a_row_with_several_answers_passes_through_with_each() {
    let (answers, summary) = answer_text("name,x\na,2\n\"b,\",0\nc,?\nd,1\n", &Countdown).unwrap();
    let expected = "\
name,x,row,status,t
a,2,0,hit,2
a,2,0,hit,1
\"b,\",0,1,miss,
c,?,2,invalid,
d,1,3,hit,1
";
    assert_eq!(String::from_utf8(answers).unwrap(), expected);
    assert_eq!((summary.rows, summary.answers, summary.invalid), (4, 5, 1));
}

#[test]
fn a_table_without_rows_has_a_header() {
    assert_eq!(sums(b"x,z"), b"x,z,status,t,object,triangle\n");
    assert_eq!(sums(b"x,z\r\n"), b"x,z,status,t,object,triangle\r\n");
}

#[test]
fn a_table_may_be_answered_in_place() {
    let folder = Folder::new();
    let path = folder.write("rays.csv", "x,z\n1,2\n");
    answer_files(&path, &path, &Sum).unwrap();
    let expected = "x,z,status,t,object,triangle\n1,2,hit,3,\"crate, large\",7\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(folder.names(), ["rays.csv"]);
}

#[cfg(unix)]
#[test]
fn a_link_and_the_permissions_of_what_is_replaced_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let input = folder.write("rays.csv", "x,z\n1,2\n");
    let old = folder.write("old.csv", "old");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.csv");
    symlink(&old, &link).unwrap();
    answer_files(&input, &link, &Sum).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&old).unwrap().starts_with("x,z,status"));
    assert_eq!(
        fs::metadata(&old).unwrap().permissions().mode() & 0o777,
        0o640
    );
}
