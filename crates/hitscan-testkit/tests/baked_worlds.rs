//! Baked worlds answer as the worlds that they were made of, bit for bit; broken ones are refused.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::simd::Width;
use hitscan::{ObjectId, World};
use hitscan_assets::baked::{is_baked, verify};
use hitscan_assets::georeference::MapFrame;
use hitscan_assets::{
    MemoryFiles, Scene, bake, load_scene, load_scene_text_from, open_baked, open_baked_bytes,
    write_baked,
};
use hitscan_testkit::Rng;
use hitscan_testkit::living_world::{LivingWorld, Questions};
use hitscan_testkit::stocked_world::Stock;

/// A table and its arrays, as they are baked.
fn parts(world: &World) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    (
        table,
        arrays.into_iter().map(|array| array.into_owned()).collect(),
    )
}

fn read(table: &[u8], arrays: &[Vec<u8>]) -> Result<World, hitscan::Error> {
    let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
    let mut reader = Reader::new(table, arrays);
    let world = World::from_baked(&mut reader)?;
    reader.finish()?;
    Ok(world)
}

fn objects(world: &World) -> Vec<ObjectId> {
    world.now().objects().collect()
}

fn check_alike(one: &World, other: &World, rng: &mut Rng, questions: usize) {
    let (own, others) = (objects(one), objects(other));
    let numbers = |objects: &[ObjectId]| objects.iter().map(|o| o.index()).collect::<Vec<_>>();
    assert_eq!(numbers(&own), numbers(&others));
    assert_eq!(
        format!("{:?}", one.now().bounds()),
        format!("{:?}", other.now().bounds())
    );
    for _ in 0..questions {
        let questions = Questions::random(rng);
        let expected = questions.ask(one.now(), &own);
        assert_eq!(
            questions.ask(other.now(), &others),
            expected,
            "{questions:?}"
        );
    }
}

#[test]
fn worlds_that_lived_answer_alike() {
    let mut rng = Rng::new(1501);
    for _ in 0..10 {
        let mut living = LivingWorld::new(&mut rng);
        for _ in 0..12 {
            living.add(&mut rng);
        }
        living.world.update();
        for _ in 0..12 {
            living.change(&mut rng);
        }
        living.world.update();
        let (table, arrays) = parts(&living.world);
        let baked = read(&table, &arrays).unwrap();
        check_alike(&living.world, &baked, &mut rng, 60);
        assert_eq!(parts(&baked), (table, arrays), "baked again it is the same");
    }
}

#[test]
fn stocked_worlds_answer_alike_and_can_be_changed() {
    let mut rng = Rng::new(1502);
    let stock = Stock::new(&mut rng);
    for _ in 0..3 {
        let (mut world, _) = stock.world(Width::default(), &mut rng);
        world.update();
        let (table, arrays) = parts(&world);
        let mut baked = read(&table, &arrays).unwrap();
        check_alike(&world, &baked, &mut rng, 60);
        for (own, other) in objects(&world).into_iter().zip(objects(&baked)) {
            let Some(hitscan::world::ObjectShape::HeightField(field)) = world.now().shape(own)
            else {
                continue;
            };
            let Some(hitscan::world::ObjectShape::HeightField(copy)) = baked.now().shape(other)
            else {
                panic!("the same kind");
            };
            let (mut field, mut copy) = ((*field).clone(), (*copy).clone());
            let region = hitscan::height_field::Region {
                column: 1,
                row: 1,
                columns: 2,
                rows: 1,
            };
            for field in [&mut field, &mut copy] {
                field.set_heights(region, &[1.5, f32::NAN]).unwrap();
            }
            world.set_height_field(own, field.into()).unwrap();
            baked.set_height_field(other, copy.into()).unwrap();
        }
        world.update();
        baked.update();
        check_alike(&world, &baked, &mut rng, 40);
    }
}

/// Queries a world from made-up arrays: no query may panic or run forever.
fn ask_all(world: &World, rng: &mut Rng) {
    let objects = objects(world);
    for _ in 0..4 {
        let _ = Questions::random(rng).ask(world.now(), &objects);
    }
}

#[test]
fn made_up_arrays_are_refused_or_answer_something() {
    let mut rng = Rng::new(1503);
    let (mut refused, mut read_anyway) = (0, 0);
    let numbers = [
        0,
        1,
        7,
        255,
        0x7f80_0000,
        0x7fc0_0000,
        0x7f7f_ffff,
        u32::MAX,
        1 << 31,
        0xff80_0000,
    ];
    for _ in 0..8 {
        let mut living = LivingWorld::new(&mut rng);
        for _ in 0..8 {
            living.add(&mut rng);
        }
        living.world.update();
        let (table, arrays) = parts(&living.world);
        for _ in 0..150 {
            let (mut table, mut arrays) = (table.clone(), arrays.clone());
            for _ in 0..=rng.below(3) {
                let place = rng.below(arrays.len() + 1);
                let bytes = arrays.get_mut(place).unwrap_or(&mut table);
                if bytes.is_empty() {
                    continue;
                }
                match rng.below(8) {
                    0 => bytes.truncate(rng.below(bytes.len())),
                    1 => bytes.extend([0; 64]),
                    2..5 => {
                        let at = rng.below(bytes.len());
                        bytes[at] ^= 1 << rng.below(8);
                    }
                    _ => {
                        let at = rng.below(bytes.len().div_ceil(4)) * 4;
                        let number = numbers[rng.below(numbers.len())].to_le_bytes();
                        let end = bytes.len().min(at + 4);
                        bytes[at..end].copy_from_slice(&number[..end - at]);
                    }
                }
            }
            match read(&table, &arrays) {
                Ok(world) => {
                    read_anyway += 1;
                    ask_all(&world, &mut rng);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    println!("{refused} refused, {read_anyway} read");
    assert!(refused > 300 && read_anyway > 50);
}

/// A scene of every kind of object.
fn small_scene() -> Scene {
    let mut files = MemoryFiles::default();
    files.add(
        "a.obj",
        "v 0 0 0\nv 1 0 0\nv 0 0 -1\nv 0 1 0\nf 1 2 3\nf 1 2 4\n",
    );
    let row = |row| (0..9).map(move |column| format!("{} ", (row * column) % 7));
    let rows = (0..9).flat_map(|j| row(j).chain(["\n".to_owned()]));
    let rows: String = rows.collect();
    files.add("a.asc", format!("ncols 9\nnrows 9\ncellsize 10\n{rows}"));
    let text = "[[terrain]]\nheights = 'a.asc'\n\
                [[model]]\nname = 'sheet'\nfile = 'a.obj'\ntranslation = [5, 9, 5]\nlayers = 6\n\
                [[sphere]]\ncenter = [0, 5, 0]\nradius = 1\n\
                [[box]]\nname = 'crate'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                [[capsule]]\na = [0, 0, 0]\nb = [0, 1, 0]\nradius = 0.5\n\
                [[turned_box]]\ncenter = [3, 1, 0]\nhalf_size = [1, 2, 3]\n\
                euler_degrees = [10, 20, 30]\n\
                [[crowd]]\nname = 'guard'\nfile = 'a.obj'\ncount = 5\narea = [[0, 0], [9, 9]]\n";
    load_scene_text_from(&files, "scene.toml".as_ref(), text).unwrap()
}

#[test]
fn a_scene_keeps_its_names_and_comes_back_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = small_scene();
    let path = folder.path().join("world.baked");
    bake(&scene, &path).unwrap();
    let summary = verify(&path).unwrap();
    // The file is the same on every machine; a change of the format changes the version too.
    assert_eq!(
        (
            summary.length,
            format!("{:032x}", summary.content_hash).as_str()
        ),
        GOLDEN
    );
    for baked in [open_baked(&path).unwrap(), load_scene(&path).unwrap()] {
        assert!(baked.object_names().eq(scene.object_names()));
        for name in scene.object_names() {
            let object = baked.object_named(name).unwrap();
            assert_eq!(baked.object_name(object), Some(name));
            assert_eq!(Some(object), scene.object_named(name));
        }
        assert!(baked.object_named("nobody").is_none());
        assert_eq!(baked.warnings(), scene.warnings());
        let mut rng = Rng::new(1504);
        check_alike(scene.world(), baked.world(), &mut rng, 100);
        let sheet = baked.object_named("sheet").unwrap();
        assert_eq!(baked.world().now().layers(sheet), Some(6));
        assert_eq!(baked.models().len(), scene.models().len());
        assert_eq!(baked.part_name(sheet, 0), scene.part_name(sheet, 0));
        let mut again = Vec::new();
        write_baked(&baked, &mut again).unwrap();
        assert_eq!(again, std::fs::read(&path).unwrap());
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing is left beside it");
}

const GOLDEN: (u64, &str) = (4928, "8ee805df114f8332dda5f5128bd74d50");

#[test]
fn a_world_made_by_hand_keeps_its_numbers_and_what_is_attached() {
    let mut world = World::new();
    let solid = |x: f32| hitscan::Sphere::new([x, 0.0, 0.0], 1.0).unwrap();
    let first = world.add(solid(0.0));
    let second = world.add(solid(5.0));
    world.set_user_data(second, 77).unwrap();
    world.update();
    world.remove(first).unwrap();
    world.update();
    let scene = Scene::of_world(world, ["moon"]).unwrap();
    let frame = MapFrame::metres([1.0, 2.0, 3.0]);
    let scene = scene
        .with_attachment(Some(frame.clone()), vec![1, 2, 3])
        .unwrap();
    let mut bytes = Vec::new();
    write_baked(&scene, &mut bytes).unwrap();
    let baked = open_baked_bytes("moon".as_ref(), &Bytes::lent(&bytes)).unwrap();
    let moon = baked.object_named("moon").unwrap();
    assert_eq!((moon.index(), baked.object_name(moon)), (1, Some("moon")));
    assert_eq!(baked.world().now().user_data(moon), Some(77));
    assert_eq!(
        (baked.attachment(), baked.frame()),
        (&[1, 2, 3][..], Some(&frame))
    );
    assert!(Scene::of_world(World::new(), ["moon"]).is_err());
}

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.baked");
    bake(&small_scene(), &path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert!(is_baked(&bytes));
    let open = |bytes: &[u8]| open_baked_bytes(&path, &Bytes::lent(bytes));
    for length in (0..bytes.len()).step_by(7) {
        assert!(open(&bytes[..length]).is_err(), "{length}");
    }
    assert!(open(&[&bytes[..], &[0; 64]].concat()).is_err());
    let mut rng = Rng::new(1505);
    let mut opened = 0;
    for _ in 0..1500 {
        let mut bytes = bytes.clone();
        let at = rng.below(bytes.len());
        bytes[at] ^= 1 << rng.below(8);
        if let Ok(scene) = open(&bytes) {
            opened += 1;
            ask_all(scene.world(), &mut rng);
        }
        if opened % 50 == 1 {
            let damaged = folder.path().join("damaged.baked");
            std::fs::write(&damaged, &bytes).unwrap();
            assert!(verify(&damaged).is_err(), "byte {at}");
        }
    }
    println!("{opened} opened");
}

#[test]
fn another_version_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.baked");
    bake(&small_scene(), &path).unwrap();
    for version in [2, 4] {
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[8] = version;
        std::fs::write(&path, bytes).unwrap();
        let message = open_baked(&path).unwrap_err().to_string();
        let named = format!("version {version} of baked worlds");
        assert!(message.contains(&named), "{message}");
        assert!(message.contains("reads version 3"), "{message}");
    }
}
