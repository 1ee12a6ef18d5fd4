//! Trees rooted on a slope.
//!
//! A game that plants a forest needs the exact height and normal of the ground at each place:
//! the trunk then rises from the very triangle that is drawn, square to it. Places that are too
//! steep, in a hole of the map or beyond it stay bare.

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::{Grid, Ground};
use hitscan::{Error, HeightField, Ray, Side, Sides, TriMesh, World};
use std::sync::Arc;

/// The steepest ground on which a tree grows: the least y of its normal (some 35 degrees).
const LEAST_NORMAL_Y: f32 = 0.82;

/// A hillside of 32 m by 32 m that gets steeper towards +x, with a pond, which is a hole.
fn hillside() -> Result<HeightField, Error> {
    let height = |row: u16, column: u16| match (row, column) {
        (7..=9, 2..=5) => f32::NAN,
        _ => f32::from(column * column) / 16.0 + f32::from(row) / 4.0,
    };
    let rows = (0..17).flat_map(|row| (0..17).map(move |column| height(row, column)));
    HeightField::new(Grid::new(17, 17, [2.0, 2.0]), rows.collect())
}

/// A three-sided spike, 6 m high, that stands on the origin.
fn tree() -> Result<TriMesh, Error> {
    let foot = [[0.0, 0.3], [0.3, -0.2], [-0.3, -0.2]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let positions = foot.into_iter().chain([6.0 * Vec3::Y]).collect();
    TriMesh::new(positions, vec![[0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let hillside = world.add(Arc::new(hillside()?));
    world.update();
    let tree = Arc::new(tree()?);

    let mut trees = Vec::new();
    let (mut too_steep, mut in_pond, mut beyond) = (0, 0, 0);
    for place in 0..16_u8 {
        let x = 6.75 + 9.0 * f32::from(place % 4);
        let z = 3.5 + 9.0 * f32::from(place / 4);
        let ground = world.now().height([x, z], ());
        let normal = ground.ok().and_then(|ground| Some(ground.surface?.normal));
        match (ground, normal) {
            (Ground::Height(ground), Some(up)) if up.y >= LEAST_NORMAL_Y => {
                let root = Vec3::new(x, ground.height, z);
                let turn = DQuat::from_rotation_arc(DVec3::Y, up.as_dvec3());
                let world_from_tree = DAffine3::from_rotation_translation(turn, root.as_dvec3());
                let id = world.add_at(Arc::clone(&tree), world_from_tree)?;
                trees.push((id, root, up));
                println!("a tree at {root:.3} along {up:.3}");
            }
            (Ground::Height(_), _) => too_steep += 1,
            (Ground::Hole | Ground::Empty, _) => in_pond += 1,
            (Ground::Outside, _) => beyond += 1,
        }
    }
    println!("bare: {too_steep} too steep, {in_pond} in the pond, {beyond} beyond the map");
    assert_eq!((trees.len(), too_steep, in_pond, beyond), (7, 4, 1, 4));

    world.update();
    for (id, root, up) in trees {
        // From below one comes to the ground first, right at the root and square to the tree.
        let ray = Ray::between(root - up, root + up)?;
        let met = world.now().cast_ray(&ray, ()).ok_or("no ground")?;
        assert_eq!((met.object, met.side), (Some(hillside), Side::Back));
        assert!(met.normal == up && (met.t - 0.5).abs() < 1e-5);
        // A shot at the height of a chest hits this tree.
        let chest = root + 1.4 * up;
        let shot = Ray::between(chest + 2.0 * Vec3::Z, chest)?;
        let met = world.now().cast_ray(&shot, Sides::Front);
        assert_eq!(met.and_then(|met| met.object), Some(id));
    }
    Ok(())
}
