//! The same ground in two worlds, and comparing their answers.

use crate::ground::{Ground, Piece};
use crate::solid;
use hitscan::explain::{Candidate, Question, Verdict};
use hitscan::{
    Contact, ContactsPer, ObjectId, Primitive, QueryFilter, ShapeCast, ShapeHit, Sides, SurfaceId,
    TriMesh, TriangleId, World,
};
use hitscan_testkit::Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The pieces in a world, and one mesh of those that are seen in another, with the same solids around.
pub(crate) struct Worlds {
    pub(crate) pieces: World,
    whole: World,
    pub(crate) hidden: Vec<ObjectId>,
    /// What the objects of the one are in the other.
    solids: Vec<(ObjectId, ObjectId)>,
    mesh: Option<ObjectId>,
    /// The pieces' triangles in the order of the mesh.
    triangles: Vec<(ObjectId, TriangleId)>,
}

impl Worlds {
    pub(crate) fn new(rng: &mut Rng, ground: &Ground, hides: bool) -> Self {
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
            // One that is all holes has a place, too.
            if !order.contains(&usize::MAX) {
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

    pub(crate) fn check_cast(
        &self,
        world: &World,
        cast: &ShapeCast,
        sides: Sides,
    ) -> Option<ShapeHit> {
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
    pub(crate) fn check_explained(&self, world: &World, question: &Question) -> usize {
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

    pub(crate) fn check_contacts(&self, world: &World, shape: &Primitive, margin: f32) -> usize {
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
