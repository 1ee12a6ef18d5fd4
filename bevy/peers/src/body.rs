//! The body of a character: 20 joints, a limb of triangles on each, and the capsule that a game would tie to it.

use bevy_asset::RenderAssetUsages;
use bevy_math::{Quat, Vec3};
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use core::f32::consts::TAU;

/// A joint and the limb that hangs on it.
pub(crate) struct Limb {
    /// Names the target of its animation.
    pub(crate) name: &'static str,
    /// The number of the joint above it, which is smaller.
    pub(crate) parent: Option<usize>,
    /// Where the joint is in bind space, and where its limb ends, in metres; the character stands at the origin.
    pub(crate) ends: [Vec3; 2],
    /// Half the width of the limb. It is 0.7 times as deep as it is wide.
    pub(crate) radius: f32,
    /// The turn at the ends of its swing: axis times angle.
    pub(crate) swing: Vec3,
}

const fn limb(
    name: &'static str,
    parent: Option<usize>,
    from: [f32; 3],
    to: [f32; 3],
    radius: f32,
    swing: [f32; 3],
) -> Limb {
    Limb {
        name,
        parent,
        ends: [Vec3::from_array(from), Vec3::from_array(to)],
        radius,
        swing: Vec3::from_array(swing),
    }
}

/// The limbs, each after the one that it hangs on. It looks along +z.
pub(crate) const LIMBS: [Limb; 20] = [
    limb(
        "hips",
        None,
        [0.0, 0.95, 0.0],
        [0.0, 1.1, 0.0],
        0.17,
        [0.0, 0.15, 0.0],
    ),
    limb(
        "spine",
        Some(0),
        [0.0, 1.1, 0.0],
        [0.0, 1.3, 0.0],
        0.15,
        [0.1, -0.1, 0.0],
    ),
    limb(
        "chest",
        Some(1),
        [0.0, 1.3, 0.0],
        [0.0, 1.5, 0.0],
        0.18,
        [0.1, -0.15, 0.0],
    ),
    limb(
        "head",
        Some(2),
        [0.0, 1.56, 0.0],
        [0.0, 1.8, 0.0],
        0.1,
        [0.3, 0.4, 0.1],
    ),
    limb(
        "left shoulder",
        Some(2),
        [0.05, 1.45, 0.0],
        [0.2, 1.46, 0.0],
        0.07,
        [0.0, 0.1, 0.1],
    ),
    limb(
        "left upper arm",
        Some(4),
        [0.2, 1.46, 0.0],
        [0.45, 1.3, 0.0],
        0.055,
        [0.9, 0.2, 0.5],
    ),
    limb(
        "left forearm",
        Some(5),
        [0.45, 1.3, 0.0],
        [0.66, 1.14, 0.0],
        0.045,
        [-0.4, 0.9, 0.0],
    ),
    limb(
        "left hand",
        Some(6),
        [0.66, 1.14, 0.0],
        [0.78, 1.06, 0.0],
        0.04,
        [0.0, 0.0, 0.5],
    ),
    limb(
        "right shoulder",
        Some(2),
        [-0.05, 1.45, 0.0],
        [-0.2, 1.46, 0.0],
        0.07,
        [0.0, 0.1, 0.1],
    ),
    limb(
        "right upper arm",
        Some(8),
        [-0.2, 1.46, 0.0],
        [-0.45, 1.3, 0.0],
        0.055,
        [-0.9, 0.2, 0.5],
    ),
    limb(
        "right forearm",
        Some(9),
        [-0.45, 1.3, 0.0],
        [-0.66, 1.14, 0.0],
        0.045,
        [0.4, 0.9, 0.0],
    ),
    limb(
        "right hand",
        Some(10),
        [-0.66, 1.14, 0.0],
        [-0.78, 1.06, 0.0],
        0.04,
        [0.0, 0.0, 0.5],
    ),
    limb(
        "left thigh",
        Some(0),
        [0.1, 0.92, 0.0],
        [0.12, 0.5, 0.0],
        0.085,
        [0.8, 0.0, 0.1],
    ),
    limb(
        "left shin",
        Some(12),
        [0.12, 0.5, 0.0],
        [0.13, 0.1, 0.0],
        0.06,
        [0.6, 0.0, 0.0],
    ),
    limb(
        "left foot",
        Some(13),
        [0.13, 0.08, 0.0],
        [0.14, 0.04, 0.14],
        0.045,
        [0.4, 0.0, 0.0],
    ),
    limb(
        "left toes",
        Some(14),
        [0.14, 0.04, 0.14],
        [0.14, 0.03, 0.22],
        0.04,
        [0.3, 0.0, 0.0],
    ),
    limb(
        "right thigh",
        Some(0),
        [-0.1, 0.92, 0.0],
        [-0.12, 0.5, 0.0],
        0.085,
        [-0.8, 0.0, 0.1],
    ),
    limb(
        "right shin",
        Some(16),
        [-0.12, 0.5, 0.0],
        [-0.13, 0.1, 0.0],
        0.06,
        [-0.6, 0.0, 0.0],
    ),
    limb(
        "right foot",
        Some(17),
        [-0.13, 0.08, 0.0],
        [-0.14, 0.04, 0.14],
        0.045,
        [-0.4, 0.0, 0.0],
    ),
    limb(
        "right toes",
        Some(18),
        [-0.14, 0.04, 0.14],
        [-0.14, 0.03, 0.22],
        0.04,
        [-0.3, 0.0, 0.0],
    ),
];

impl Limb {
    /// The capsule over it in the joint's own space: its radius, and the ends of its segment.
    #[must_use]
    pub(crate) fn capsule(&self) -> (f32, [Vec3; 2]) {
        // Between width and depth, and no longer than the limb.
        let radius = 0.85 * self.radius;
        let along = self.ends[1] - self.ends[0];
        let inset = along.normalize_or_zero() * radius.min(0.45 * along.length());
        (radius, [inset, along - inset])
    }

    /// Where its joint is, from the joint above it.
    #[must_use]
    pub(crate) fn offset(&self) -> Vec3 {
        let above = self
            .parent
            .map_or(Vec3::ZERO, |parent| LIMBS[parent].ends[0]);
        self.ends[0] - above
    }

    /// A point of its surface in bind space: `along` from 0 at the joint to 1 at its end, `around` in turns.
    fn surface(&self, along: f32, around: f32) -> Vec3 {
        let [from, to] = self.ends;
        let turn = Quat::from_rotation_arc(Vec3::Y, (to - from).normalize_or_zero());
        let (sin, cos) = (around * TAU).sin_cos();
        // Round at the ends, thickest at a third.
        let bulge = (4.0 * along * (1.0 - along)).sqrt().mul_add(0.8, 0.2) * (1.1 - 0.3 * along);
        let out = turn * Vec3::new(cos, 0.0, 0.7 * sin) * self.radius * bulge;
        from.lerp(to, along) + out
    }
}

const RINGS: u8 = 6;
const SEGMENTS: u8 = 10;

/// The skinned mesh: 2,400 triangles, a closed surface for each limb, whose first third follows the joint above it in
/// part.
#[must_use]
pub(crate) fn body() -> Mesh {
    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut indices: Vec<u32> = Vec::new();
    let mut joints: Vec<[u16; 4]> = Vec::new();
    let mut weights: Vec<[f32; 4]> = Vec::new();
    for (number, limb) in (0_u16..).zip(&LIMBS) {
        let above = limb.parent.and_then(|parent| u16::try_from(parent).ok());
        let first = u32::try_from(positions.len()).expect("few vertices");
        let mut vertex = |at: Vec3, along: f32| {
            let of_above = above.map_or(0.0, |_| (0.5 - 1.5 * along).max(0.0));
            positions.push(at.to_array());
            joints.push([number, above.unwrap_or(0), 0, 0]);
            weights.push([1.0 - of_above, of_above, 0.0, 0.0]);
        };
        for ring in 0..RINGS {
            let along = f32::from(ring) / f32::from(RINGS - 1);
            for segment in 0..SEGMENTS {
                let around = f32::from(segment) / f32::from(SEGMENTS);
                vertex(limb.surface(along, around), along);
            }
        }
        vertex(limb.ends[0], 0.0);
        vertex(limb.ends[1], 1.0);
        let [rings, segments] = [u32::from(RINGS), u32::from(SEGMENTS)];
        let at = |ring: u32, segment: u32| first + ring * segments + segment % segments;
        let [low, high] = [first + rings * segments, first + rings * segments + 1];
        for segment in 0..segments {
            for ring in 0..rings - 1 {
                let [a, b] = [at(ring, segment), at(ring, segment + 1)];
                let [c, d] = [at(ring + 1, segment), at(ring + 1, segment + 1)];
                indices.extend([a, c, b, b, c, d]);
            }
            indices.extend([low, at(0, segment), at(0, segment + 1)]);
            indices.extend([high, at(rings - 1, segment + 1), at(rings - 1, segment)]);
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(
        Mesh::ATTRIBUTE_JOINT_INDEX,
        VertexAttributeValues::Uint16x4(joints),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights)
    .with_inserted_indices(Indices::U32(indices))
}
