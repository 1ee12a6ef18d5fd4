//! Cancelled builds: they end with an error that says so, or whole, never in part.

use hitscan::glam::Vec3;
use hitscan::height_field::Grid;
use hitscan::{BuildPreset, Error, HeightField, Ray, TriMesh};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const PRESETS: [BuildPreset; 3] = [BuildPreset::Fast, BuildPreset::Balanced, BuildPreset::Tight];

/// A wavy sheet of `side * side` squares.
fn sheet(side: u16) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corners = u32::from(side) + 1;
    let height = |x: u16, z: u16| f32::from(x * 7 % 11) / 8.0 + f32::from(z * 5 % 13) / 8.0;
    let positions = (0..=side)
        .flat_map(|z| (0..=side).map(move |x| Vec3::new(f32::from(x), height(x, z), f32::from(z))));
    let squares = (0..u32::from(side)).flat_map(|z| (0..u32::from(side)).map(move |x| (x, z)));
    let triangles = squares.flat_map(|(x, z)| {
        let first = z * corners + x;
        let [a, b, c, d] = [first, first + 1, first + corners, first + corners + 1];
        [[a, c, b], [b, c, d]]
    });
    (positions.collect(), triangles.collect())
}

#[test]
fn a_flag_that_is_set_before_ends_every_build() {
    let set = AtomicBool::new(true);
    for side in [1, 200] {
        let (positions, triangles) = sheet(side);
        for preset in PRESETS {
            let builder = TriMesh::builder(positions.clone(), triangles.clone());
            let built = builder.preset(preset).cancel(&set).build();
            assert_eq!(built.unwrap_err(), Error::Cancelled, "{preset:?}");
        }
    }
    let grid = Grid::new(3, 3, [1.0, 1.0]);
    let built = HeightField::new_unless(&set, grid, vec![0.0; 9]);
    assert_eq!(built.unwrap_err(), Error::Cancelled);
    assert_eq!(Error::Cancelled.to_string(), "cancelled");
}

#[test]
fn a_flag_that_is_not_set_changes_nothing() {
    let flag = AtomicBool::new(false);
    let (positions, triangles) = sheet(300);
    for preset in PRESETS {
        let builder = TriMesh::builder(positions.clone(), triangles.clone()).preset(preset);
        let watched = builder.clone().cancel(&flag).build().unwrap();
        let alone = builder.build().unwrap();
        assert_eq!(watched.memory_bytes(), alone.memory_bytes(), "{preset:?}");
        assert_same(&watched, &alone);
    }
}

/// Both answer every ray alike.
fn assert_same(a: &TriMesh, b: &TriMesh) {
    assert_eq!((a.bounds(), a.triangles()), (b.bounds(), b.triangles()));
    for place in 0..100_u8 {
        let at = f32::from(place) * 0.97;
        let ray = Ray::new_or_empty([at, 50.0, 1.3 * at], [0.1, -1.0, 0.2]);
        assert_eq!(a.cast_ray(&ray, ()), b.cast_ray(&ray, ()));
    }
}

/// How many of several builds end cancelled, whose flags another thread sets while they are under way.
fn cancelled<T>(
    build: impl Fn(&AtomicBool) -> Result<T, Error> + Sync,
    check: impl Fn(T),
) -> usize {
    let mut count = 0;
    for spins in [0, 1_000, 10_000, 100_000] {
        let (flag, has_begun) = (AtomicBool::new(false), AtomicBool::new(false));
        let built = thread::scope(|scope| {
            scope.spawn(|| {
                while !has_begun.load(Ordering::Acquire) {
                    thread::yield_now();
                }
                (0..spins).for_each(|_| core::hint::spin_loop());
                flag.store(true, Ordering::Relaxed);
            });
            has_begun.store(true, Ordering::Release);
            build(&flag)
        });
        match built {
            Ok(whole) => check(whole),
            Err(error) => {
                assert_eq!(error, Error::Cancelled);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn another_thread_ends_the_build_of_a_large_mesh() {
    let (positions, triangles) = sheet(700);
    for preset in PRESETS {
        let builder = TriMesh::builder(positions.clone(), triangles.clone()).preset(preset);
        let whole = builder.clone().build().unwrap();
        let build = |flag: &AtomicBool| builder.clone().cancel(flag).build();
        let count = cancelled(build, |mesh| assert_same(&mesh, &whole));
        assert!(count > 0, "{preset:?}: no build was cancelled");
    }
}

#[test]
fn another_thread_ends_the_build_of_large_terrain() {
    let side = 3000_usize;
    let heights = vec![1.0; side * side];
    let build = |flag: &AtomicBool| {
        let grid = Grid::new(side, side, [1.0, 1.0]);
        HeightField::new_unless(flag, grid, heights.clone())
    };
    let count = cancelled(build, |field| {
        assert_eq!(field.samples().len(), heights.len());
    });
    assert!(count > 0, "no build was cancelled");
}
