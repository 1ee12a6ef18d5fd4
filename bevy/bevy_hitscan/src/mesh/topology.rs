//! Triangles of a mesh's topology and indices.

use bevy_mesh::{Indices, PrimitiveTopology};

/// The triangles as they are drawn, each by its corners; `None` for lines and points.
///
/// Indices that are left over after the last triangle of a list are not drawn.
pub(super) fn triangles(
    topology: PrimitiveTopology,
    indices: Option<&Indices>,
    vertex_count: usize,
) -> Option<Vec<[u32; 3]>> {
    let is_strip = match topology {
        PrimitiveTopology::TriangleList => false,
        PrimitiveTopology::TriangleStrip => true,
        _ => return None,
    };
    let of_corners = if is_strip { strip } else { list };
    Some(match indices {
        None => {
            let count = u32::try_from(vertex_count).unwrap_or(u32::MAX);
            of_corners(&(0..count).collect::<Vec<u32>>())
        }
        Some(Indices::U32(corners)) if is_strip => strips(corners, u32::MAX),
        Some(Indices::U32(corners)) => list(corners),
        Some(Indices::U16(corners)) => {
            let corners: Vec<u32> = corners.iter().map(|corner| u32::from(*corner)).collect();
            if is_strip {
                strips(&corners, u32::from(u16::MAX))
            } else {
                list(&corners)
            }
        }
    })
}

fn list(corners: &[u32]) -> Vec<[u32; 3]> {
    let (triangles, _) = corners.as_chunks();
    triangles.to_vec()
}

/// Strips, separated by the largest index, which restarts them.
fn strips(corners: &[u32], restart: u32) -> Vec<[u32; 3]> {
    let strips = corners.split(|corner| *corner == restart);
    strips.flat_map(strip).collect()
}

/// Every other triangle of a strip is wound the other way.
fn strip(corners: &[u32]) -> Vec<[u32; 3]> {
    let windows = corners.windows(3).enumerate();
    windows
        .map(|(place, corners)| match place % 2 {
            0 => [corners[0], corners[1], corners[2]],
            _ => [corners[1], corners[0], corners[2]],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Topology, indices, how many vertices; the triangles.
    type Case = (PrimitiveTopology, Option<Indices>, usize, Vec<[u32; 3]>);

    #[test]
    fn lists_and_strips_with_and_without_indices() {
        let list = PrimitiveTopology::TriangleList;
        let strip = PrimitiveTopology::TriangleStrip;
        let cases: [Case; 7] = [
            (list, None, 7, vec![[0, 1, 2], [3, 4, 5]]),
            (
                list,
                Some(Indices::U16(vec![2, 1, 0, 5])),
                6,
                vec![[2, 1, 0]],
            ),
            (
                list,
                Some(Indices::U32(vec![0, 2, 1, 1, 2, 3])),
                4,
                vec![[0, 2, 1], [1, 2, 3]],
            ),
            (strip, None, 4, vec![[0, 1, 2], [2, 1, 3]]),
            (
                strip,
                Some(Indices::U32(vec![3, 2, 1, 0])),
                4,
                vec![[3, 2, 1], [1, 2, 0]],
            ),
            (
                strip,
                Some(Indices::U16(vec![0, 1, 2, u16::MAX, 3, 4, 5, 6])),
                7,
                vec![[0, 1, 2], [3, 4, 5], [5, 4, 6]],
            ),
            (strip, Some(Indices::U16(vec![0, 1])), 2, vec![]),
        ];
        for (topology, indices, vertices, expected) in cases {
            let found = triangles(topology, indices.as_ref(), vertices);
            assert_eq!(found, Some(expected), "{topology:?} {indices:?}");
        }
        for topology in [
            PrimitiveTopology::PointList,
            PrimitiveTopology::LineList,
            PrimitiveTopology::LineStrip,
        ] {
            assert_eq!(triangles(topology, None, 9), None);
        }
    }
}
