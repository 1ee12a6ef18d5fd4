//! Models on one surface whose colliders are hit: they answer as one model with the colliders of all.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::baked::Bytes;
use hitscan::explain::{Hits, Question, Verdict};
use hitscan::glam::Vec3;
use hitscan::{
    Aabb, Capsule, Contact, ContactsPer, InitialOverlap, ObjectCast, ObjectHit, ObjectId,
    Primitive, QueryFilter, ShapeCast, ShapeHit, Sides, Snapshot, Sphere, TriangleId,
};
use hitscan_assets::{MemoryFiles, Scene, load_scene_text_from, open_baked_bytes, write_baked};
use hitscan_testkit::{GltfFixture, Rng, rounds};
use serde_json::json;
use std::path::Path;

/// A tile of a floor at y = 0: its place in units of its size, and whether it is a box or two triangles.
#[derive(Debug, Clone, Copy)]
struct Tile {
    place: [u8; 2],
    is_box: bool,
}

/// The tiles of a floor of four by two, the boxes and the triangles mixed.
fn tiles(rng: &mut Rng) -> Vec<Tile> {
    let places = (0..4).flat_map(|x| (0..2).map(move |z| [x, z]));
    let tile = |place| Tile {
        place,
        is_box: rng.one_in(2),
    };
    places.map(tile).collect()
}

/// A file with a collider a tile.
fn file(tiles: &[Tile]) -> Vec<u8> {
    let mut fixture = GltfFixture::new();
    let corners = [
        [-1.0, 0.0, -1.0],
        [-1.0, 0.0, 1.0],
        [1.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [-1.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
    ];
    let corners = fixture.floats("VEC3", corners.as_flattened());
    let primitive = json!({ "attributes": { "POSITION": corners } });
    let mesh = fixture.push("meshes", json!({ "primitives": [primitive] }));
    for Tile { place, is_box } in tiles {
        let geometry = match is_box {
            true => json!({ "shape": 0 }),
            false => json!({ "mesh": mesh }),
        };
        let collider = json!({ "collider": { "geometry": geometry } });
        let y = if *is_box { -0.5 } else { 0.0 };
        fixture.push(
            "nodes",
            json!({
                "translation": [2 * place[0], y, 2 * place[1]],
                "extensions": { "KHR_physics_rigid_bodies": collider },
            }),
        );
    }
    let boxes = json!([{ "type": "box", "box": { "size": [2, 1, 2] } }]);
    fixture.document["extensions"] = json!({ "KHR_implicit_shapes": { "shapes": boxes } });
    fixture.glb()
}

/// Two boxes that move as one object.
const MOVER: &str = "
[[compound]]
name = 'mover'
[[compound.part]]
shape = 'box'
min = [1, 1, 0]
max = [2, 2, 1]
[[compound.part]]
shape = 'box'
min = [2, 1, 1]
max = [3, 2, 2]
";

/// A scene of models, one of each group of tiles, and of what moves; the models are of one surface.
fn scene(groups: &[&[Tile]]) -> Scene {
    let mut files = MemoryFiles::default();
    let mut text = String::from(MOVER);
    for (number, tiles) in groups.iter().enumerate() {
        files.add(format!("{number}.glb"), file(tiles));
        text += &format!(
            "[[model]]\nname = 'm{number}'\nfile = '{number}.glb'\ncolliders = 'only'\nsurface = 'floor'\n"
        );
    }
    load_scene_text_from(&files, Path::new("scene.toml"), &text).unwrap()
}

/// A floor as one model, and as two that are one surface.
struct Floors {
    one: Snapshot,
    two: Snapshot,
    whole: ObjectId,
    halves: [ObjectId; 2],
    /// How many tiles the first half has.
    middle: u32,
    movers: [ObjectId; 2],
}

impl Floors {
    fn new(tiles: &[Tile], middle: usize) -> Self {
        let one = scene(&[tiles]);
        let (first, second) = tiles.split_at(middle);
        let two = scene(&[first, second]);
        let named = |scene: &Scene, name| scene.object_named(name).unwrap();
        let mut file = Vec::new();
        write_baked(&two, &mut file).unwrap();
        let baked = open_baked_bytes(Path::new("scene.hitscan"), &Bytes::lent(&file)).unwrap();
        Self {
            whole: named(&one, "m0"),
            halves: [named(&two, "m0"), named(&two, "m1")],
            middle: u32::try_from(middle).unwrap(),
            movers: [named(&one, "mover"), named(&two, "mover")],
            one: one.now().clone(),
            two: baked.now().clone(),
        }
    }

    /// Makes what the second world names what the first names.
    fn rename(&self, object: &mut Option<ObjectId>, triangle: &mut Option<TriangleId>) {
        let is_second = *object == Some(self.halves[1]);
        *object = object.map(|_| self.whole);
        if let Some(on) = triangle {
            on.part += if is_second { self.middle } else { 0 };
        }
    }

    fn shape_as_one(&self, mut hit: ShapeHit) -> ShapeHit {
        self.rename(&mut hit.object, &mut hit.triangle);
        hit
    }

    fn contact_as_one(&self, mut contact: Contact) -> Contact {
        self.rename(&mut contact.object, &mut contact.triangle);
        contact
    }

    fn moved_as_one(&self, mut hit: ObjectHit) -> ObjectHit {
        self.rename(&mut hit.object, &mut hit.triangle);
        hit
    }

    /// A part that filters leave out of both, if it is a box.
    fn left_out(&self, rng: &mut Rng) -> [[(ObjectId, u32); 1]; 2] {
        let part = u32::try_from(rng.below(8)).unwrap();
        let of_two = match part.checked_sub(self.middle) {
            Some(part) => (self.halves[1], part),
            None => (self.halves[0], part),
        };
        [[(self.whole, part)], [of_two]]
    }

    fn check_shapes(&self, rng: &mut Rng, counts: &mut Counts) {
        let (one, two) = (&self.one, &self.two);
        let [mine, others] = self
            .movers
            .map(|mover| QueryFilter::new().exclude_one(mover));
        let [my_parts, other_parts] = self.left_out(rng);
        let mine = mine.exclude_parts(&my_parts);
        let others = others.exclude_parts(&other_parts);
        let shape = shape(rng);
        let leaves = rng.one_in(2);
        let cast = ShapeCast::new(shape.clone(), motion(rng)).unwrap();
        let cast = match leaves {
            true => cast.with_initial_overlap(InitialOverlap::Escape),
            false => cast,
        };
        let expected = one.cast_shape(&cast, mine);
        let found = two.cast_shape(&cast, others);
        assert_eq!(
            found.map(|hit| self.shape_as_one(hit)),
            expected,
            "{cast:?}"
        );
        let all = two.cast_shape_all(&cast, others).into_iter();
        let all: Vec<ShapeHit> = all.map(|hit| self.shape_as_one(hit)).collect();
        assert_eq!(all, one.cast_shape_all(&cast, mine));
        assert_eq!(two.cast_shape_any(&cast, others), expected.is_some());
        self.count(found.map(|hit| (hit.object, hit.triangle)), counts);
        for each in [ContactsPer::Object, ContactsPer::Triangle] {
            let expected = one.contacts(shape.clone(), 0.25, each, mine);
            let found = two.contacts(shape.clone(), 0.25, each, others).into_iter();
            let found: Vec<Contact> = found.map(|one| self.contact_as_one(one)).collect();
            assert_eq!(found, expected, "{shape:?}");
        }
        // What is explained is what is answered.
        let (sides, hits) = (Sides::Both, Hits::Nearest);
        let explained = two.explain(&Question::ShapeCast { cast, sides, hits }, others);
        let answers = explained.candidates.iter();
        let answers = answers.filter(|one| one.verdict == Verdict::Answer);
        let answers: Vec<_> = answers
            .map(|one| (Some(one.object), one.triangle))
            .collect();
        let expected: Vec<_> = found.iter().map(|hit| (hit.object, hit.triangle)).collect();
        assert_eq!(answers, expected);
    }

    fn check_movers(&self, rng: &mut Rng, counts: &mut Counts) {
        let (one, two) = (&self.one, &self.two);
        let motion = motion(rng) - Vec3::Y;
        let [mine, others] = self
            .movers
            .map(|mover| ObjectCast::new(mover, motion).unwrap());
        let found = two.cast_object(&others, ());
        let expected = one.cast_object(&mine, ());
        assert_eq!(
            found.map(|hit| self.moved_as_one(hit)),
            expected,
            "{motion}"
        );
        assert_eq!(two.cast_object_any(&others, ()), found.is_some());
        assert_eq!(
            two.cast_object_all(&others, ()).len(),
            usize::from(found.is_some())
        );
        self.count(found.map(|hit| (hit.object, hit.triangle)), counts);
    }
}

/// What was hit.
#[derive(Debug, Default)]
struct Counts {
    on_boxes: usize,
    on_triangles: usize,
    on_second: usize,
    missed: usize,
}

impl Floors {
    fn count(&self, hit: Option<(Option<ObjectId>, Option<TriangleId>)>, counts: &mut Counts) {
        let Some((object, triangle)) = hit else {
            counts.missed += 1;
            return;
        };
        match triangle.unwrap().number() {
            None => counts.on_boxes += 1,
            Some(_) => counts.on_triangles += 1,
        }
        counts.on_second += usize::from(object == Some(self.halves[1]));
    }
}

/// A place on or near the floor, whose coordinates are often those of tiles' edges.
fn place(rng: &mut Rng) -> Vec3 {
    let mut half = |low: i16, steps: usize| {
        let step = i16::try_from(rng.below(steps)).unwrap();
        f32::from(low) + f32::from(step) / 2.0
    };
    Vec3::new(half(-2, 20), half(-1, 5), half(-2, 12))
}

fn shape(rng: &mut Rng) -> Primitive {
    let at = place(rng);
    match rng.below(3) {
        0 => Sphere::new(at, 0.5).unwrap().into(),
        1 => Aabb::new(at - 0.5, at + Vec3::new(0.5, 0.5, 1.0))
            .unwrap()
            .into(),
        _ => Capsule::new(at, at + Vec3::X, 0.5).unwrap().into(),
    }
}

fn motion(rng: &mut Rng) -> Vec3 {
    let to = place(rng);
    let way = to - place(rng);
    if rng.one_in(3) { way.with_y(0.0) } else { way }
}

#[test]
fn models_of_one_surface_answer_as_one_model() {
    let mut rng = Rng::new(4);
    let mut counts = Counts::default();
    for _ in 0..rounds(40) {
        let tiles = tiles(&mut rng);
        let floors = Floors::new(&tiles, 1 + rng.below(tiles.len() - 1));
        for _ in 0..40 {
            floors.check_shapes(&mut rng, &mut counts);
            floors.check_movers(&mut rng, &mut counts);
        }
    }
    println!("{counts:?}");
    let least = rounds(40);
    assert!(counts.on_boxes > least && counts.on_triangles > least);
    assert!(counts.on_second > least && counts.missed > least);
}
