//! Surfaces of several objects, against one mesh of the same triangles in the same order: casts and contacts
//! are the same bits, but for what names the object.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::explain::{Candidate, Hits, Question, Verdict};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::model::{Model, ModelData, NodeData, PartData, PosedModel};
use hitscan::{
    Aabb, Capsule, Contact, ContactsPer, ConvexHull, HeightField, InitialOverlap, Obb, ObjectId,
    Primitive, QueryFilter, ShapeCast, ShapeHit, Sides, Sphere, SurfaceId, TriMesh, TriangleId,
    World,
};
use hitscan_testkit::{Rng, rounds};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

const SEED: u64 = 0x5ea;

/// Quads along each side of the ground.
const ACROSS: usize = 6;

/// A piece of the ground.
enum Piece {
    Field(Arc<HeightField>),
    Mesh(Arc<TriMesh>, DAffine3),
    Model(Arc<PosedModel>, DAffine3),
}

/// A triangle: its part and index in its piece, and its corners in the world.
type PieceTriangle = (TriangleId, [DVec3; 3]);

/// Pieces that make one ground, each with its triangles in order.
struct Ground(Vec<(Piece, Vec<PieceTriangle>)>);

impl Ground {
    /// Quads of one metre on few levels, cut into tiles along grid lines.
    fn new(rng: &mut Rng) -> Self {
        let mut heights = [[0.0_f32; ACROSS + 1]; ACROSS + 1];
        let steps: &[f32] = match rng.below(3) {
            0 => &[0.0],
            1 => &[0.0, 0.0, 0.0, 0.0, 0.5],
            _ => &[0.0, 0.0, 0.5, -0.5, 1.0],
        };
        for height in heights.as_flattened_mut() {
            *height = steps[rng.below(steps.len())];
        }
        let lines = |rng: &mut Rng| match rng.below(3) {
            0 => vec![0, 3, ACROSS],
            1 => vec![0, 2, 3, ACROSS],
            _ => vec![0, 1, 4, ACROSS],
        };
        let (columns, rows) = (lines(rng), lines(rng));
        let mut pieces = Vec::new();
        for z in rows.windows(2) {
            for x in columns.windows(2) {
                pieces.push(tile(rng, &heights, [x[0], x[1]], [z[0], z[1]]));
            }
        }
        // The order of objects is not that of places.
        for last in (1..pieces.len()).rev() {
            pieces.swap(last, rng.below(last + 1));
        }
        Self(pieces)
    }
}

fn tile(
    rng: &mut Rng,
    heights: &[[f32; ACROSS + 1]; ACROSS + 1],
    [x0, x1]: [usize; 2],
    [z0, z1]: [usize; 2],
) -> (Piece, Vec<PieceTriangle>) {
    let height = |i: usize, j: usize| heights[j][i];
    if rng.one_in(2) {
        let grid = Grid {
            origin: [x0 as f64, 0.0, z0 as f64],
            diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
            ..Grid::new(x1 - x0 + 1, z1 - z0 + 1, [1.0; 2])
        };
        let samples = (z0..=z1).flat_map(|j| (x0..=x1).map(move |i| height(i, j)));
        let mut samples: Vec<f32> = samples.collect();
        if rng.one_in(6) {
            let hole = rng.below(samples.len());
            samples[hole] = f32::NAN;
        }
        let field = HeightField::new(grid, samples).unwrap();
        let count = u32::try_from(field.triangle_count()).unwrap();
        let triangles = (0..count).filter_map(|triangle| {
            Some((TriangleId { part: 0, triangle }, field.triangle(triangle)?))
        });
        let triangles = triangles.collect();
        return (Piece::Field(Arc::new(field)), triangles);
    }
    // Where it is by its transform, which leaves whole numbers.
    let offset = DVec3::from_array([0; 3].map(|_: i32| rng.below(7) as f64 - 3.0));
    let at = |i: usize, j: usize| Vec3::new(i as f32, height(i, j), j as f32);
    let mut corners: Vec<[Vec3; 3]> = Vec::new();
    for (i, j) in (z0..z1).flat_map(|j| (x0..x1).map(move |i| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
        corners.extend(match rng.below(3) {
            0 => [[a, b, c], [c, d, a]],
            1 => [[b, c, d], [d, a, b]],
            // The other way round.
            _ => [[c, b, a], [a, d, c]],
        });
    }
    let of_part = |part: usize, corners: &[[Vec3; 3]]| -> Vec<PieceTriangle> {
        let part = u32::try_from(part).unwrap();
        let ids = (0..).map(move |triangle| TriangleId { part, triangle });
        let corners = corners.iter();
        ids.zip(corners.map(|corners| corners.map(Vec3::as_dvec3)))
            .collect()
    };
    let own = |corners: &[[Vec3; 3]]| -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let points = corners.as_flattened().iter();
        let points = points.map(|corner| (corner.as_dvec3() - offset).as_vec3());
        let indices = (0..).step_by(3).take(corners.len());
        (
            points.collect(),
            indices.map(|i| [i, i + 1, i + 2]).collect(),
        )
    };
    let place = DAffine3::from_translation(offset);
    if rng.one_in(2) {
        let (points, indices) = own(&corners);
        let mesh = TriMesh::new(points, indices).unwrap();
        return (Piece::Mesh(Arc::new(mesh), place), of_part(0, &corners));
    }
    let middle = rng.below(corners.len() + 1);
    let (first, second) = corners.split_at(middle);
    let parts = [first, second].map(|corners| {
        let (positions, triangles) = own(corners);
        PartData {
            positions,
            triangles,
            ..PartData::default()
        }
    });
    let data = ModelData {
        nodes: vec![NodeData::default()],
        parts: parts.into(),
        ..ModelData::default()
    };
    let model = Arc::new(Model::new(data).unwrap());
    let posed = PosedModel::new(&model, model.rest_pose()).unwrap();
    let triangles = [of_part(0, first), of_part(1, second)].concat();
    (Piece::Model(Arc::new(posed), place), triangles)
}

/// The pieces in a world, and one mesh of those that are seen in another, with the same solids around.
struct Worlds {
    pieces: World,
    whole: World,
    hidden: Vec<ObjectId>,
    /// What the objects of the one are in the other.
    solids: Vec<(ObjectId, ObjectId)>,
    mesh: Option<ObjectId>,
    /// The pieces' triangles in the order of the mesh.
    triangles: Vec<(ObjectId, TriangleId)>,
}

impl Worlds {
    fn new(rng: &mut Rng, ground: &Ground, hides: bool) -> Self {
        let (mut pieces, mut whole) = (World::new(), World::new());
        let (mut hidden, mut solids, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        let surface = SurfaceId::new(7);
        let mut seen = Vec::new();
        // The mesh is in the place of the first that is seen.
        let mut order = Vec::new();
        for (piece, own) in &ground.0 {
            while rng.one_in(3) {
                let solid = solid(rng);
                solids.push((pieces.add(solid.clone()), None, solid));
                order.push(solids.len() - 1);
            }
            let id = match piece {
                Piece::Field(field) => pieces.add(Arc::clone(field)),
                Piece::Mesh(mesh, place) => pieces.add_at(Arc::clone(mesh), *place).unwrap(),
                Piece::Model(posed, place) => pieces.add_at(Arc::clone(posed), *place).unwrap(),
            };
            pieces.set_surface(id, surface).unwrap();
            if hides && rng.one_in(4) {
                hidden.push(id);
                continue;
            }
            if seen.is_empty() {
                order.push(usize::MAX);
            }
            seen.extend(own.iter().map(|(_, corners)| *corners));
            triangles.extend(own.iter().map(|(own, _)| (id, *own)));
        }
        let mut mesh = None;
        for place in order {
            if place < usize::MAX {
                let (_, other, solid) = &mut solids[place];
                *other = Some(whole.add(solid.clone()));
                continue;
            }
            let points = seen.as_flattened().iter().map(|corner| corner.as_vec3());
            let indices = (0..).step_by(3).take(seen.len());
            let indices = indices.map(|i| [i, i + 1, i + 2]).collect();
            mesh = Some(whole.add(TriMesh::new(points.collect(), indices).unwrap()));
        }
        pieces.update();
        whole.update();
        let solids = solids.into_iter();
        Self {
            pieces,
            whole,
            hidden,
            solids: solids
                .map(|(own, other, _)| (own, other.unwrap()))
                .collect(),
            mesh,
            triangles,
        }
    }

    /// What an answer about the pieces names, as the other world numbers it.
    fn in_whole(
        &self,
        object: Option<ObjectId>,
        triangle: Option<TriangleId>,
    ) -> (Option<ObjectId>, Option<TriangleId>) {
        let object = object.unwrap();
        let Some(own) = triangle else {
            let solid = self.solids.iter().find(|(own, _)| *own == object);
            return (solid.map(|(_, other)| *other), None);
        };
        let mut triangles = self.triangles.iter();
        let place = triangles.position(|one| *one == (object, own)).unwrap();
        let triangle = u32::try_from(place).unwrap();
        (self.mesh, Some(TriangleId { part: 0, triangle }))
    }

    fn hit_in_whole(&self, hit: ShapeHit) -> ShapeHit {
        let (object, triangle) = self.in_whole(hit.object, hit.triangle);
        ShapeHit {
            object,
            triangle,
            ..hit
        }
    }

    fn contact_in_whole(&self, contact: Contact) -> Contact {
        let (object, triangle) = self.in_whole(contact.object, contact.triangle);
        Contact {
            object,
            triangle,
            ..contact
        }
    }

    fn check_cast(&self, world: &World, cast: &ShapeCast, sides: Sides) -> Option<ShapeHit> {
        let shown = || format!("{cast:?} {sides:?}");
        let filter = QueryFilter::new().exclude(&self.hidden);
        let (pieces, whole) = (world.now(), self.whole.now());
        let nearest = pieces.cast_shape(cast, (sides, filter));
        let expected = whole.cast_shape(cast, sides);
        let found = nearest.map(|hit| self.hit_in_whole(hit));
        assert_eq!(found, expected, "{}", shown());
        assert_eq!(
            pieces.cast_shape_any(cast, (sides, filter)),
            expected.is_some(),
            "{}",
            shown()
        );
        let all = pieces.cast_shape_all(cast, (sides, filter)).into_iter();
        let all: Vec<ShapeHit> = all.map(|hit| self.hit_in_whole(hit)).collect();
        assert_eq!(all, whole.cast_shape_all(cast, sides), "{}", shown());
        expected
    }

    /// Explanations have the same candidates with the same verdicts, but for what is beyond a margin.
    fn check_explained(&self, world: &World, question: &Question) -> usize {
        let filter = QueryFilter::new().exclude(&self.hidden);
        let of = |candidates: Vec<Candidate>, is_whole: bool| {
            let met = candidates.into_iter().filter_map(|one| {
                let t = one.t.filter(|_| one.verdict != Verdict::OutOfRange)?;
                let name = match is_whole {
                    true => (Some(one.object), one.triangle),
                    false => self.in_whole(Some(one.object), one.triangle),
                };
                Some((name, t.to_bits(), one.verdict.name()))
            });
            met.collect::<BTreeSet<_>>()
        };
        let found = of(world.now().explain(question, filter).candidates, false);
        let expected = of(self.whole.now().explain(question, ()).candidates, true);
        assert_eq!(found, expected, "{question:?}");
        found.len()
    }

    fn check_contacts(&self, world: &World, shape: &Primitive, margin: f32) -> usize {
        let filter = QueryFilter::new().exclude(&self.hidden);
        let of_pieces = |each| {
            let found = world.now().contacts(shape, margin, each, filter);
            let found = found.into_iter();
            found
                .map(|contact| self.contact_in_whole(contact))
                .collect::<Vec<Contact>>()
        };
        let of_whole = |each| self.whole.now().contacts(shape, margin, each, ());
        let expected = of_whole(ContactsPer::Object);
        let shown = format!("{shape:?} {margin}");
        assert_eq!(of_pieces(ContactsPer::Object), expected, "{shown}");
        let mut found = of_pieces(ContactsPer::Triangle);
        found.sort_by_key(|contact| (contact.object, contact.triangle));
        assert_eq!(found, of_whole(ContactsPer::Triangle), "{shown}");
        assert_eq!(
            world.now().overlaps_shape(shape, filter),
            self.whole.now().overlaps_shape(shape, ()),
            "{shown}"
        );
        expected.len()
    }
}

/// A point on a grid of half metres over the ground.
fn grid_point(rng: &mut Rng) -> Vec3 {
    let [x, y, z] = [2 * ACROSS + 1, 5, 2 * ACROSS + 1].map(|end| rng.below(end) as f32 * 0.5);
    Vec3::new(x, y - 0.5, z)
}

fn solid(rng: &mut Rng) -> Primitive {
    let center = grid_point(rng);
    if rng.one_in(2) {
        return Sphere::new(center, 0.5).unwrap().into();
    }
    Aabb::new(center, center + Vec3::new(0.5, 1.0, 0.5))
        .unwrap()
        .into()
}

fn shape(rng: &mut Rng) -> Primitive {
    let center = grid_point(rng);
    let half = Vec3::from_array([0; 3].map(|_: i32| rng.below(3) as f32 * 0.25 + 0.25));
    let radius = 0.25 * (1.0 + rng.below(4) as f64);
    match rng.below(6) {
        0 => Sphere::new(center, radius).unwrap().into(),
        1 => {
            let other = center + half * 2.0;
            Capsule::new(center, other, radius).unwrap().into()
        }
        2 => {
            let turn = [
                DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
                DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
                DQuat::from_xyzw(0.1, 0.6, 0.2, 0.8),
            ][rng.below(3)];
            Obb::new(center, half, turn).unwrap().into()
        }
        3 => {
            let points = (0..8).map(|bits: u32| {
                let end = |axis: u32| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 };
                half * Vec3::new(end(0), end(1), end(2)) * if bits == 7 { 2.0 } else { 1.0 }
            });
            let hull = ConvexHull::new(points).unwrap();
            let place = DAffine3::from_translation(center.as_dvec3());
            hull.placed(&place).unwrap().into()
        }
        _ => Aabb::new(center - half, center + half).unwrap().into(),
    }
}

fn motion(rng: &mut Rng) -> Vec3 {
    let level = |rng: &mut Rng| Vec3::new(grid_point(rng).x - 3.0, 0.0, grid_point(rng).z - 3.0);
    match rng.below(4) {
        // Slid along the ground, and pressed on it a little.
        0 => level(rng),
        1 => level(rng) - Vec3::Y * 0.125,
        2 => Vec3::new(0.0, -2.0, 0.0),
        _ => grid_point(rng) - Vec3::new(3.0, 2.0, 3.0),
    }
}

/// A baked world that was read again.
fn baked_again(world: &World) -> World {
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    let arrays: Vec<Vec<u8>> = arrays.into_iter().map(Cow::into_owned).collect();
    let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
    World::from_baked(&mut Reader::new(&table, arrays)).unwrap()
}

#[test]
fn pieces_answer_as_one_mesh_of_their_triangles() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut hits, mut contacts, mut seams_matter, mut explained) = (0, 0, 0, 0);
    for round in 0..rounds(120) {
        let ground = Ground::new(&mut rng);
        let worlds = Worlds::new(&mut rng, &ground, round % 3 == 0);
        let baked = baked_again(&worlds.pieces);
        let mut apart = worlds.pieces.clone();
        for id in apart.now().objects().collect::<Vec<_>>() {
            if apart.now().surface(id).is_some() {
                apart.set_surface(id, None).unwrap();
            }
        }
        apart.update();
        for number in 0..200 {
            let world = if number % 4 == 0 {
                &baked
            } else {
                &worlds.pieces
            };
            let shape = shape(&mut rng);
            let margin = [0.0, 0.25, 1.0][rng.below(3)];
            contacts += worlds.check_contacts(world, &shape, margin);
            let cast = ShapeCast::new(shape, motion(&mut rng)).unwrap();
            let filter = QueryFilter::new().exclude(&worlds.hidden);
            let each = [ContactsPer::Object, ContactsPer::Triangle][number % 2];
            let resting = Question::Contacts {
                shape: cast.shape().clone(),
                margin,
                each,
            };
            if number % 8 < 2 {
                explained += worlds.check_explained(world, &resting);
            }
            for overlaps in [InitialOverlap::Stop, InitialOverlap::Escape] {
                let cast = cast.clone().with_initial_overlap(overlaps);
                let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
                let hit = worlds.check_cast(world, &cast, sides);
                hits += usize::from(hit.is_some());
                let moving = Question::ShapeCast {
                    cast: cast.clone(),
                    sides,
                    hits: [Hits::Nearest, Hits::All][rng.below(2)],
                };
                if number % 8 < 2 {
                    explained += worlds.check_explained(world, &moving);
                }
                let apart = apart.now().cast_shape(&cast, (sides, filter));
                let differs =
                    apart.map(|hit| (hit.t, hit.normal)) != hit.map(|hit| (hit.t, hit.normal));
                seams_matter += usize::from(differs);
            }
        }
    }
    println!(
        "{hits} hits, {contacts} contacts; {seams_matter} casts are caught at seams without surfaces; \
         {explained} candidates"
    );
    assert!(hits > rounds(15_000) && contacts > rounds(10_000) && seams_matter > rounds(200));
    assert!(explained > rounds(20_000), "{explained}");
}

/// A square of square tiles, flat, with seams at all whole numbers.
fn flat_tiles(across: u8) -> World {
    let mut world = World::new();
    for (i, j) in (0..across).flat_map(|i| (0..across).map(move |j| (i, j))) {
        let grid = Grid {
            origin: [f64::from(i), 0.0, f64::from(j)],
            diagonal: if (i + j) % 3 == 0 {
                Diagonal::Anti
            } else {
                Diagonal::Main
            },
            ..Grid::new(3, 3, [0.5; 2])
        };
        let tile = world.add(HeightField::new(grid, vec![0.0; 9]).unwrap());
        world.set_surface(tile, SurfaceId::new(0)).unwrap();
    }
    world.update();
    world
}

#[test]
fn a_crate_slides_over_a_hundred_seams_in_any_direction() {
    let mut rng = Rng::new(SEED + 1);
    let world = flat_tiles(110);
    let now = world.now();
    for number in 0..rounds(60) {
        // Along an axis, on a seam or beside it, and askew.
        let away = |rng: &mut Rng| rng.uniform_f32(-104.0, 104.0);
        let motion = match number % 4 {
            0 => Vec3::new(104.0, 0.0, 0.0),
            1 => Vec3::new(0.0, 0.0, -104.0),
            _ => Vec3::new(away(&mut rng), 0.0, 104.0),
        };
        let along = |x: f32| if x < 0.0 { 107.0 } else { 3.0 };
        let offset = [0.0, 0.25, 0.3][rng.below(3)];
        let middle = Vec3::new(along(motion.x) - offset, 0.5, along(motion.z) + offset);
        let half = Vec3::new(0.5, 0.5, [0.5, 0.8][rng.below(2)]);
        let turn = DQuat::from_xyzw(0.0, 0.28, 0.0, 0.96);
        let shapes: [Primitive; 3] = [
            Aabb::new(middle - half, middle + half).unwrap().into(),
            Obb::new(middle, half, turn).unwrap().into(),
            Sphere::new(middle, 0.5).unwrap().into(),
        ];
        for shape in &shapes {
            let slid = ShapeCast::new(shape, motion).unwrap();
            assert_eq!(now.cast_shape(&slid, ()), None, "{slid:?}");
            assert!(!now.cast_shape_any(&slid, ()));
            let pressed = ShapeCast::new(shape, motion - Vec3::Y * 1e-3).unwrap();
            let hit = now.cast_shape(&pressed, ()).unwrap();
            assert_eq!((hit.t, hit.normal), (0.0, Vec3::Y), "{pressed:?}");
        }
        // A hair in the ground, from which it may escape, it slides on.
        let sunk = Aabb::new(middle - half * 1.0001, middle + half).unwrap();
        let sunk = ShapeCast::new(sunk, motion).unwrap();
        let sunk = sunk.with_initial_overlap(InitialOverlap::Escape);
        assert_eq!(now.cast_shape(&sunk, ()), None, "{sunk:?}");
        // From above it meets nothing but the ground's own face.
        let dropped = Aabb::new(middle, middle + half).unwrap();
        let dropped = ShapeCast::new(dropped, motion - Vec3::Y).unwrap();
        let hit = now.cast_shape(&dropped, ()).unwrap();
        assert_eq!((hit.t, hit.normal), (0.5, Vec3::Y), "{dropped:?}");
    }
}

#[test]
fn a_hidden_piece_brings_the_edges_of_its_neighbours_back() {
    // A crate that is half a metre in the ground slides from a gap towards the tile beyond.
    let mut world = flat_tiles(3);
    let tiles: Vec<ObjectId> = world.now().objects().collect();
    let crate_box = Aabb::new([1.25, -0.25, 1.25], [1.75, 0.25, 1.75]).unwrap();
    let cast = ShapeCast::new(crate_box, [1.0, 0.0, 0.0]).unwrap();
    let cast = cast.with_initial_overlap(InitialOverlap::Escape);
    assert_eq!(world.now().cast_shape(&cast, ()), None);
    // The middle tile, by each way of hiding it, and by leaving the surface.
    let filters = |middle: &'static ObjectId| {
        [
            QueryFilter::new().exclude_one(*middle),
            QueryFilter::new().exclude(std::slice::from_ref(middle)),
        ]
    };
    let middle: &'static ObjectId = Box::leak(Box::new(tiles[4]));
    let is_other = |id: ObjectId| id != *middle;
    let by_predicate = QueryFilter::new().predicate(&is_other);
    for filter in filters(middle).into_iter().chain([by_predicate]) {
        let hit = world.now().cast_shape(&cast, filter).unwrap();
        assert_eq!(
            (hit.object, hit.t, hit.normal),
            (Some(tiles[7]), 0.25, Vec3::NEG_X)
        );
    }
    world.set_layers(*middle, 2).unwrap();
    world.update();
    let first_layer = QueryFilter::new().layers(1);
    let hit = world.now().cast_shape(&cast, first_layer).unwrap();
    assert_eq!((hit.object, hit.t), (Some(tiles[7]), 0.25));
    assert_eq!(world.now().cast_shape(&cast, ()), None);
    world.set_surface(*middle, SurfaceId::new(1)).unwrap();
    assert!(world.is_pending(*middle) && !world.is_up_to_date());
    world.update();
    assert_eq!(world.now().surface(*middle), Some(SurfaceId::new(1)));
    assert_eq!(world.now().cast_shape(&cast, ()).unwrap().t, 0.25);
}

#[test]
fn ticks_keep_the_surfaces_that_they_had() {
    let mut world = flat_tiles(3);
    world.keep_history(4);
    let tiles: Vec<ObjectId> = world.now().objects().collect();
    let solid = world.add(Aabb::new([0.0; 3], [1.0; 3]).unwrap());
    assert!(world.set_surface(solid, SurfaceId::new(0)).is_err());
    world.update();
    world.record(0).unwrap();
    for tile in &tiles {
        world.set_surface(*tile, None).unwrap();
    }
    world.update();
    world.record(1).unwrap();
    world.remove(tiles[4]).unwrap();
    assert!(world.set_surface(tiles[4], SurfaceId::new(0)).is_err());
    world.update();
    let crate_box = Aabb::new([1.25, -0.25, 1.25], [1.75, 0.25, 1.75]).unwrap();
    let cast = ShapeCast::new(crate_box, [1.0, 0.0, 0.0]).unwrap();
    let cast = cast.with_initial_overlap(InitialOverlap::Escape);
    let filter = QueryFilter::new().exclude_one(solid);
    let t = |time: f64| Some(world.at(time)?.cast_shape(&cast, filter)?.t);
    assert_eq!([t(0.0), t(0.5), t(1.0)], [None, None, Some(0.25)]);
    assert_eq!(
        world.at(0.0).unwrap().surface(tiles[4]),
        Some(SurfaceId::new(0))
    );
    assert_eq!(world.now().surface(tiles[0]), None);
}

#[test]
fn a_shape_below_a_seam_is_below_one_surface() {
    let mut world = flat_tiles(3);
    let tiles: Vec<ObjectId> = world.now().objects().collect();
    let below = Sphere::new([2.0, -3.0, 2.0], 0.5).unwrap();
    let of = |world: &World, filter: QueryFilter<'_>| {
        let found = world.now().enclosures(below, filter);
        let found = found.into_iter().map(|one| (one.object, one.depth));
        found.collect::<Vec<_>>()
    };
    let all = QueryFilter::new();
    assert_eq!(of(&world, all), [(tiles[4], 3.5)]);
    assert_eq!(of(&world, all.exclude_one(tiles[4])), [(tiles[5], 3.5)]);
    // A wall of the same surface goes through it.
    let corners = [[0.0, -9.0, 2.0], [4.0, -9.0, 2.0], [2.0, 0.0, 2.0]].map(Vec3::from);
    let wall = world.add(TriMesh::new(corners.into(), vec![[0, 1, 2]]).unwrap());
    world.update();
    assert_eq!(of(&world, all), [(tiles[4], 3.5)]);
    world.set_surface(wall, SurfaceId::new(0)).unwrap();
    world.update();
    assert_eq!(of(&world, all), []);
}
