//! PLY files made to order.

use std::path::Path;

use super::read;
use crate::model_file::ModelFormat;

type Found = (ModelFormat, Vec<[f32; 3]>, Vec<[u32; 3]>);

fn read_bytes(bytes: &[u8]) -> Result<Found, String> {
    let (solid, format) = read(Path::new("p.ply"), bytes).map_err(|error| error.to_string())?;
    let part = &solid.parts()[0];
    assert_eq!((solid.parts().len(), part.name.as_str()), (1, "p"));
    let positions = part.positions.iter().map(|p| p.to_array()).collect();
    Ok((format, positions, part.triangles.clone()))
}

const QUAD: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.5]];
const FAN: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

const TEXT: &str = "ply\r\nformat ascii 1.0\r\ncomment a quad\r\nobj_info x\r\n\
    element camera 1\nproperty float view\nproperty list uchar int junk\n\
    element vertex 4\nproperty uchar red\nproperty double y\nproperty float x\n\
    property list int float tags\nproperty int z0\nproperty float z\n\
    element face 1\nproperty list uchar uint vertex_index\nproperty uchar flags\nend_header\n\
    3.5 2 7 8\n9 0 0 0 5 0\n9 0 1 1 0.5 5 0\n9 1 1 2 0.5 0.5 5 0\n9 1 0 0 5 0.5\n4 0 1 2 3 255\n";

#[test]
fn text_with_other_elements_and_properties() {
    let found = read_bytes(TEXT.as_bytes()).unwrap();
    assert_eq!(found, (ModelFormat::PlyAscii, QUAD.to_vec(), FAN.to_vec()));
}

/// A quad as doubles, whose face is a list of the given types.
fn binary(order: &str, count: &str, item: &str) -> Vec<u8> {
    let header = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty double x\n\
         property double y\nproperty short s\nproperty double z\nelement face 1\n\
         property list {count} {item} vertex_indices\nend_header\n"
    );
    let mut bytes = header.into_bytes();
    let is_big = order == "big";
    let mut put = |mut number: Vec<u8>| {
        if is_big {
            number.reverse();
        }
        bytes.extend(number);
    };
    for [x, y, z] in QUAD.map(|p| p.map(f64::from)) {
        put(x.to_le_bytes().to_vec());
        put(y.to_le_bytes().to_vec());
        put(7_i16.to_le_bytes().to_vec());
        put(z.to_le_bytes().to_vec());
    }
    for (kind, value) in [(count, 4), (item, 0), (item, 1), (item, 2), (item, 3_u8)] {
        put(match kind {
            "char" | "uint8" => vec![value],
            "int16" | "ushort" => vec![value, 0],
            "float" => f32::from(value).to_le_bytes().to_vec(),
            _ => vec![value, 0, 0, 0],
        });
    }
    bytes
}

#[test]
fn binary_of_both_orders_and_all_list_types() {
    for order in ["little", "big"] {
        for count in ["char", "uint8", "int16", "ushort", "int", "uint32"] {
            for item in ["char", "uint8", "int16", "ushort", "int", "uint32", "float"] {
                let found = read_bytes(&binary(order, count, item)).unwrap();
                let expected = (ModelFormat::PlyBinary, QUAD.to_vec(), FAN.to_vec());
                assert_eq!(found, expected, "{order} {count} {item}");
            }
        }
    }
}

const POINTS: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n\
    property float y\nproperty float z\n";

#[test]
fn strips_restart_and_faces_may_come_first() {
    let strips = format!(
        "{POINTS}element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
         0 0 0 1 0 0 0 1 0\n8 0 1 2 0 -1 2 1 0\n"
    );
    let expected = [[0, 1, 2], [1, 0, 2], [2, 1, 0]];
    assert_eq!(read_bytes(strips.as_bytes()).unwrap().2, expected);
    let reversed = "ply\nformat ascii 1.0\nelement face 1\nproperty list int int vertex_indices\n\
        element vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n\
        3 2 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    assert_eq!(read_bytes(reversed.as_bytes()).unwrap().2, [[2, 1, 0]]);
}

#[test]
fn points_alone_are_a_part_without_triangles() {
    let points = format!("{POINTS}end_header\n0 0 0\n1 0 0\n0 1 0\n");
    assert_eq!(
        read_bytes(points.as_bytes()).unwrap().2,
        Vec::<[u32; 3]>::new()
    );
}

#[test]
fn errors_name_the_place() {
    let cases = [
        ("ply\r\n", "plx\r\n", "line 1: expected `ply`"),
        (
            "ascii 1.0",
            "ascii 2.0",
            "line 2: expected a line of a PLY header",
        ),
        (
            "format ascii 1.0",
            "comment",
            "header: the `format` is missing",
        ),
        (
            "double y",
            "double w",
            "header: the property y of its vertices is missing",
        ),
        (
            "list int float tags",
            "list int tags",
            "line 12: expected a property of an element",
        ),
        (
            "element face 1",
            "element face",
            "line 15: expected a line of a PLY header",
        ),
        (
            "end_header",
            "end",
            "line 18: expected a line of a PLY header",
        ),
        (
            "4 0 1 2 3 255",
            "4 0 1 2 4 255",
            "face 0: expected the index of one of 4 vertices",
        ),
        (
            "4 0 1 2 3 255",
            "4 0 1 2 -1 255",
            "face 0: expected the index of one of 4 vertices",
        ),
        (
            "4 0 1 2 3 255",
            "4 0 1 2",
            "line 25: expected another number",
        ),
        (
            "4 0 1 2 3 255",
            "400 0 1 2 3",
            "line 24: expected a list of at most the 9 items",
        ),
        (
            "4 0 1 2 3 255",
            "-1 0 1 2 3",
            "line 24: expected a list of at most the 9 items",
        ),
        (
            "4 0 1 2 3 255",
            "4 0 1 2.5 3",
            "line 24: expected an integer, found `2.5`",
        ),
        (
            "9 1 1 2 0.5",
            "9 1e30 1 2 0.5",
            "vertex 2: expected a coordinate within ±1e18",
        ),
        (
            "9 1 1 2 0.5",
            "9 1 x 2 0.5",
            "line 22: expected a number, found `x`",
        ),
        ("element vertex 4", "element vertex 4000000000", "expected"),
    ];
    for (from, to, expected) in cases {
        let message = read_bytes(TEXT.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
    let mut bytes = binary("little", "int", "int");
    bytes.pop();
    let message = read_bytes(&bytes).unwrap_err();
    assert!(
        message.contains("expected a list of at most the 3 items"),
        "{message}"
    );
}

#[test]
fn elements_without_properties_take_no_time() {
    let text = "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\n\
        element face 18446744073709551615\nelement vertex 0\nproperty float x\n\
        property float y\nproperty float z\nend_header\n";
    assert_eq!(
        read_bytes(text.as_bytes()).unwrap().1,
        Vec::<[f32; 3]>::new()
    );
}
