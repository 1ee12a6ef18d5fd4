//! A lorry under a bridge: how far it gets, what of it touches what, and which load passes.
//!
//! Lorry and bridge are a mesh each, and are cast as such: no box around either is of use here, as the box
//! around the bridge holds the road below it.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Error, Mover, ObjectCast, TriMesh, World};

/// The bridge begins at so many metres along z, and its deck hangs so high over the road.
const BRIDGE: f64 = 30.0;
const CLEARANCE: f32 = 4.0;
/// Where the bed of the lorry is, and how long a load is at most.
const BED: f32 = 1.25;
const LENGTH: f32 = 6.0;

/// Boxes of twelve triangles each, as one mesh.
fn boxes(all: &[[[f32; 3]; 2]]) -> Result<TriMesh, Error> {
    const QUADS: [[usize; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for (first, ends) in (0..).step_by(8).zip(all) {
        corners.extend((0..8_usize).map(|corner| {
            let end = |axis: usize| ends[corner >> axis & 1][axis];
            Vec3::new(end(0), end(1), end(2))
        }));
        for [a, b, c, d] in QUADS {
            for half in [[a, b, c], [a, c, d]] {
                triangles.push(half.map(|corner| first + u32::try_from(corner).unwrap_or(0)));
            }
        }
    }
    TriMesh::new(corners, triangles)
}

/// A lorry with a load of this height on its bed.
fn lorry(load: f32) -> Result<TriMesh, Error> {
    boxes(&[
        // The bed, the cab in front, the load.
        [[-1.25, 0.75, 0.0], [1.25, BED, 8.0]],
        [[-1.25, BED, 6.25], [1.25, 3.0, 8.0]],
        [[-1.25, BED, 0.0], [1.25, BED + load, LENGTH]],
    ])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bridge = boxes(&[
        // Two piers beside the road, the deck, a girder below it at the far side.
        [[-4.0, 0.0, 0.0], [-3.0, CLEARANCE, 6.0]],
        [[3.0, 0.0, 0.0], [4.0, CLEARANCE, 6.0]],
        [[-6.0, CLEARANCE, 0.0], [6.0, 5.0, 6.0]],
        [[-4.0, CLEARANCE - 0.25, 5.0], [4.0, CLEARANCE, 6.0]],
    ])?;
    let mut world = World::new();
    let at = DAffine3::from_translation(DVec3::new(0.0, 0.0, BRIDGE));
    let bridge = world.add_at(bridge, at)?;
    world.update();
    let now = world.now();

    // Metres along the road while t goes from 0 to 1.
    let way = Vec3::new(0.0, 0.0, 60.0);
    for (load, expected) in [(3.0, Some(24.0)), (2.625, Some(29.0)), (2.4375, None)] {
        let lorry = Mover::placed(lorry(load)?, DAffine3::IDENTITY)?;
        let drive = ObjectCast::new(lorry, way)?;
        let hit = now.cast_object(&drive, ());
        let metres = hit.map(|hit| hit.t * way.z);
        match hit {
            Some(hit) => println!(
                "a load of {load} m touches the bridge after {:.2} m, at {:.2}: its triangle {}, the lorry's {}",
                hit.t * way.z,
                hit.point,
                hit.triangle.map_or(0, |on| on.triangle),
                hit.mover_triangle.map_or(0, |on| on.triangle),
            ),
            None => println!("a load of {load} m passes"),
        }
        assert_eq!(hit.and_then(|hit| hit.object), expected.map(|_| bridge));
        let is_there = metres
            .zip(expected)
            .is_none_or(|(metres, at)| (metres - at).abs() < 1e-3);
        assert!(is_there, "{metres:?}");
    }
    Ok(())
}
