//! Inputs of the golden digests: made of whole numbers and operations that are exact or rounded alike
//! everywhere.

use hitscan::glam::{DAffine3, DMat4, DQuat, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::model::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};
use hitscan::{
    Aabb, BallisticArc, Camera, Capsule, HeightField, InitialOverlap, Obb, Primitive, Ray,
    ShapeCast, Sphere,
};

/// How many cells terrain and mesh have along a side.
const CELLS: u32 = 200;
/// How far they reach from the origin, metres.
const HALF: f32 = 50.0;

/// Numbers from a seed (SplitMix64: Steele, Lea and Flood 2014).
pub(crate) struct Numbers {
    state: u64,
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// One of 2^24 numbers from `low` to just below `high`, evenly spread.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        #[expect(clippy::cast_precision_loss, reason = "24 bits are exact in f32")]
        let part = ((mixed ^ (mixed >> 31)) >> 40) as f32 / 16_777_216.0;
        low + (high - low) * part
    }

    pub(crate) fn point(&mut self) -> Vec3 {
        Vec3::new(
            self.between(-HALF, HALF),
            self.between(-2.0, 12.0),
            self.between(-HALF, HALF),
        )
    }

    pub(crate) fn aabb(&mut self) -> Aabb {
        let (min, size) = (self.point(), self.between(0.1, 1.5));
        Aabb::new(min, min + Vec3::new(size, 0.5 * size, 2.0 * size)).unwrap()
    }

    /// A sphere, box, turned box or capsule of about a metre.
    pub(crate) fn solid(&mut self, kind: usize) -> Primitive {
        let center = self.point();
        let half = Vec3::new(
            self.between(0.1, 0.8),
            self.between(0.1, 0.8),
            self.between(0.1, 0.8),
        );
        match kind % 4 {
            0 => Sphere::new(center, f64::from(half.x)).unwrap().into(),
            1 => Aabb::new(center - half, center + half).unwrap().into(),
            2 => {
                let turn = DQuat::from_xyzw(0.0, 0.0, 0.28, 0.96);
                Obb::new(center, half, turn).unwrap().into()
            }
            _ => {
                let (end, radius) = (center + half, f64::from(half.y));
                Capsule::new(center, end, radius).unwrap().into()
            }
        }
    }

    /// A moving solid; now and then straight down, not at all, or out of what it overlaps.
    pub(crate) fn shape_cast(&mut self, kind: usize) -> ShapeCast {
        let solid = self.solid(kind);
        let motion = match kind / 4 % 8 {
            0 => Vec3::NEG_Y * 8.0,
            1 => Vec3::ZERO,
            _ => 0.2 * (self.point() - Vec3::Y * 12.0),
        };
        let cast = ShapeCast::new(solid, motion).unwrap();
        if kind.is_multiple_of(3) {
            cast.with_initial_overlap(InitialOverlap::Escape)
        } else {
            cast
        }
    }

    /// A ball that is thrown; now and then straight down, or without gravity.
    pub(crate) fn arc(&mut self, kind: usize) -> BallisticArc {
        let velocity = match kind % 8 {
            0 => Vec3::NEG_Y,
            _ => 0.4 * self.point(),
        };
        let gravity = if kind % 8 == 1 {
            Vec3::ZERO
        } else {
            Vec3::NEG_Y * 9.75
        };
        let origin = self.point() + Vec3::Y * 4.0;
        BallisticArc::new(origin, velocity, gravity)
            .unwrap()
            .with_range(0.0, 16.0)
            .unwrap()
    }

    /// A place that is rotated about +Y by one of two exact angles.
    pub(crate) fn placement(&mut self) -> DAffine3 {
        let turns = [(0.6, 0.8), (-0.28, 0.96)];
        let (sin, cos) = turns[usize::from(self.between(0.0, 1.0) < 0.5)];
        let turn = DQuat::from_xyzw(0.0, sin, 0.0, cos);
        DAffine3::from_rotation_translation(turn, 0.2 * self.point().as_dvec3())
    }
}

/// Rays, most of which come near terrain, mesh or models; some are vertical or of zero length along
/// an axis, and some end before they hit anything.
pub(crate) fn rays(seed: u64, count: usize) -> Vec<Ray> {
    let mut numbers = Numbers::new(seed);
    let ray = |number| {
        let origin = numbers.point() + Vec3::Y * 10.0;
        let toward = numbers.point() - origin;
        match number % 8 {
            0 => Ray::new(origin.round(), -Vec3::Y),
            1 => Ray::new(origin, Vec3::new(toward.x, toward.y, 0.0)),
            2 => Ray::between(origin, origin + toward),
            3 => Ray::new(0.2 * origin, 0.2 * toward),
            _ => Ray::new(origin, toward),
        }
        .unwrap()
    };
    (0..count).map(ray).collect()
}

/// A camera's rays, row by row, which go nearly the same way.
pub(crate) fn camera_rays(size: u16) -> Vec<Ray> {
    let camera = Camera::new([-40.0, 25.0, 45.0], [0.0, 3.0, 0.0], 1.0, [size.into(); 2]).unwrap();
    let pixels = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    pixels
        .map(|(x, y)| camera.ray(f32::from(x) + 0.5, f32::from(y) + 0.5))
        .collect()
}

/// A rough height at a point of the grid, in 1/64 m.
fn rough_height(column: u32, row: u32) -> f32 {
    let broad = (column * column / 90 + row * row / 70 + column * row / 40) % 448;
    let broad = broad.min(448 - broad);
    let fine = (column.wrapping_mul(2_654_435_761) ^ row.wrapping_mul(2_246_822_519)) >> 27;
    #[expect(clippy::cast_precision_loss, reason = "small whole numbers")]
    let height = (broad + fine) as f32 / 64.0;
    height
}

/// Terrain with holes.
pub(crate) fn field() -> HeightField {
    let side = CELLS as usize + 1;
    let mut grid = Grid::new(side, side, [0.5, 0.5]);
    grid.origin = [-f64::from(HALF), -1.0, -f64::from(HALF)];
    let heights = (0..=CELLS).flat_map(|row| {
        (0..=CELLS).map(move |column| {
            let is_hole = column % 37 == 5 && row % 29 < 3;
            if is_hole {
                f32::NAN
            } else {
                rough_height(column, row)
            }
        })
    });
    HeightField::new(grid, heights.collect()).unwrap()
}

/// A closed-looking hill of 80,000 triangles, with some that coincide and some without area.
pub(crate) fn hill_mesh() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |index: u32| -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "small whole numbers")]
        let place = index as f32 / 4.0;
        place - HALF / 2.0
    };
    let positions = (0..=CELLS)
        .flat_map(|row| (0..=CELLS).map(move |column| (column, row)))
        .map(|(column, row)| {
            let height = rough_height(column, row) - (at(column) * at(column) / 64.0);
            Vec3::new(at(column), height, at(row))
        })
        .collect();
    let mut triangles = Vec::new();
    for row in 0..CELLS {
        for column in 0..CELLS {
            let corner = row * (CELLS + 1) + column;
            let beside = corner + CELLS + 1;
            triangles.push([corner, beside, corner + 1]);
            triangles.push([corner + 1, beside, beside + 1]);
        }
    }
    triangles.extend([[7, 7, 9], [0, CELLS + 1, 1], [300, 302, 301]]);
    (positions, triangles)
}

/// A skinned column over three joints with a morph target, and a clip that bends it.
pub(crate) fn walker() -> ModelData {
    let node = |parent, height: f64| NodeData {
        parent,
        local: NodeTransform::Trs {
            translation: DVec3::Y * height,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        },
        ..NodeData::default()
    };
    let rings = 12_u16;
    let mut part = PartData {
        name: "column".to_owned(),
        node: 3,
        ..PartData::default()
    };
    let mut skin = PartSkin {
        skin: 0,
        influences: 2,
        ..PartSkin::default()
    };
    for ring in 0..=rings {
        let height = f32::from(ring) / 4.0;
        for [x, z] in [[0.5, 0.0], [0.0, 0.5], [-0.5, 0.0], [0.0, -0.5]] {
            part.positions.push(Vec3::new(x, height, z));
            let joint = (ring / 5).min(1);
            skin.joints.extend([joint, joint + 1]);
            let upper = f32::from(ring % 5) / 4.0;
            skin.weights.extend([1.0 - upper, upper]);
        }
    }
    for ring in 0..u32::from(rings) {
        for side in 0..4 {
            let (a, b) = (4 * ring + side, 4 * ring + (side + 1) % 4);
            part.triangles.extend([[a, a + 4, b], [b, a + 4, b + 4]]);
        }
    }
    part.morph_targets = vec![
        part.positions
            .iter()
            .map(|p| Vec3::new(p.z, 0.1, p.x))
            .collect(),
    ];
    part.skin = Some(skin);
    let channel = |node, property, values: Vec<f32>| ChannelData {
        node,
        property,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0, 2.0],
        values,
    };
    let bend = |x: f32, w: f32| [x, 0.0, 0.0, w];
    let turns = [bend(0.0, 1.0), bend(0.6, 0.8), bend(-0.28, 0.96)].concat();
    ModelData {
        nodes: vec![
            node(None, 0.0),
            node(Some(0), 1.25),
            node(Some(1), 1.25),
            NodeData {
                morph_weights: vec![0.0],
                ..node(None, 0.0)
            },
        ],
        skins: vec![SkinData {
            joints: vec![0, 1, 2],
            inverse_bind: [0.0, -1.25, -2.5]
                .map(|height| DMat4::from_translation(DVec3::Y * height))
                .to_vec(),
        }],
        clips: vec![ClipData {
            name: None,
            channels: vec![
                channel(1, Property::Rotation, turns.clone()),
                channel(2, Property::Rotation, turns),
                channel(3, Property::Weights, vec![0.0, 0.5, 1.0]),
            ],
        }],
        parts: vec![part],
    }
}
