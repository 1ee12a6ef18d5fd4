//! Welding of a part's vertices: those with the same position, the same influences and the same
//! displacements stay together in every pose.
//!
//! Vertices that only coincide, as at seams, may be torn apart by a pose. So blocks of
//! triangles (`tri_mesh/triangle_block.rs`) share corners by these ids.

use super::morph::MorphTargets;
use super::skin::VertexWeights;
use core::cmp::Ordering;
use glam::Vec3;

/// For each vertex the first one that moves as it does, itself or another.
pub(in crate::model) fn weld_ids(
    positions: &[Vec3],
    morph: &MorphTargets,
    skin: Option<&VertexWeights>,
) -> Vec<u32> {
    let by_bits = |one: Vec3, other: Vec3| {
        let bits = |v: Vec3| v.to_array().map(f32::to_bits);
        bits(one).cmp(&bits(other))
    };
    let compare = |one: usize, other: usize| {
        let by_influences = || match skin {
            Some(skin) => compare_influences(skin.influences(one), skin.influences(other)),
            None => Ordering::Equal,
        };
        let by_displacements = || {
            let displacements = morph
                .displacements_of(one)
                .zip(morph.displacements_of(other));
            let mut orders = displacements.map(|(one, other)| by_bits(one, other));
            orders
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        };
        by_bits(positions[one], positions[other])
            .then_with(by_influences)
            .then_with(by_displacements)
    };
    let mut order: Vec<u32> = (0..).take(positions.len()).collect();
    // Of equal vertices the first comes first.
    order.sort_unstable_by(|one, other| {
        compare(*one as usize, *other as usize).then(one.cmp(other))
    });
    let mut weld_ids = vec![0; positions.len()];
    for group in order.chunk_by(|one, other| compare(*one as usize, *other as usize).is_eq()) {
        for vertex in group {
            weld_ids[*vertex as usize] = group[0];
        }
    }
    weld_ids
}

fn compare_influences(one: (&[u16], &[f64]), other: (&[u16], &[f64])) -> Ordering {
    let weights = one.1.iter().zip(other.1);
    let mut by_weight = weights.map(|(one, other)| one.total_cmp(other));
    let mut first_unlike = || by_weight.find(|order| order.is_ne());
    // As many joints have as many weights.
    one.0
        .cmp(other.0)
        .then_with(|| first_unlike().unwrap_or(Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_welded_only_if_all_that_moves_them_agrees() {
        let positions = [Vec3::X, Vec3::X, Vec3::Y, Vec3::X, Vec3::Y];
        let target = vec![Vec3::Z, Vec3::Z, Vec3::ZERO, Vec3::Y, Vec3::ZERO];
        let morph = MorphTargets::new(vec![target], 5, 1).unwrap();
        assert_eq!(weld_ids(&positions, &morph, None), [0, 0, 2, 3, 2]);
        let still = MorphTargets::new(vec![], 5, 0).unwrap();
        assert_eq!(weld_ids(&positions, &still, None), [0, 0, 2, 0, 2]);
    }
}
