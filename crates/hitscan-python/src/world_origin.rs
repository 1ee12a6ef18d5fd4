//! The origin of a world: the point that its positions are measured from.
//!
//! Who makes a world may state it. Else it is the origin of the first shape that has one: what f32 keeps of
//! that shape, it then keeps of the world. What was added before is moved in f64, and refused where its
//! place was rounded already; from then on, what lies so far away that f32 keeps less of it than of the
//! shape alone is refused.

use crate::arrays::nearest_f32;
use crate::errors::library_error;
use crate::objects::Objects;
use crate::shapes::{MakePrimitive, PyHeightField, PyTriMesh, checked_origin};
use glam::{DAffine3, DVec3};
use hitscan::world::ObjectShape;
use hitscan::{Aabb, Compound, HeightField, ObjectId, Primitive, Snapshot, World};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Up to here, metres, neighbouring f32 are at most 2^-8 m apart, 4 mm.
const FAR: f64 = 65536.0;

/// Up to here they are 2^-10 m apart, 1 mm: a place that was rounded may be moved.
const FINE: f64 = 16384.0;

/// Where an origin comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Source {
    /// From nowhere yet: the first shape that has one gives it.
    #[default]
    Open,
    /// From such a shape.
    Shape,
    /// The caller or a file has stated it.
    Stated,
    /// A file that states none: positions are measured from 0.
    Zero,
}

/// What the positions of a world are measured from.
#[derive(Clone, Default)]
pub(crate) struct WorldOrigin {
    /// That of changes.
    point: Option<DVec3>,
    /// That of the world as the last update left it.
    shown: Option<DVec3>,
    source: Source,
    /// Solids as they were given, as long as they may have to be measured from another point.
    solids: BTreeMap<usize, MakePrimitive>,
}

/// A shape's box.
pub(crate) struct Extent {
    /// What its own coordinates are measured from.
    origin: Option<DVec3>,
    /// The largest of these, metres: so much f32 keeps of it.
    own: f64,
    /// Where it lies, in the coordinates of the caller.
    corners: [DVec3; 2],
}

impl WorldOrigin {
    /// That of a new world.
    ///
    /// # Errors
    /// `ValueError` for a point that is not finite.
    pub(crate) fn stated(origin: Option<[f64; 3]>) -> PyResult<Self> {
        let point = checked_origin(origin)?;
        let source = point.map_or(Source::Open, |_| Source::Stated);
        Ok(Self::new(point, source))
    }

    /// That of a world of files.
    pub(crate) fn of_files(point: Option<DVec3>) -> Self {
        Self::new(point, point.map_or(Source::Zero, |_| Source::Stated))
    }

    fn new(point: Option<DVec3>, source: Source) -> Self {
        Self {
            point,
            shown: point,
            source,
            solids: BTreeMap::new(),
        }
    }

    /// What changes are measured from.
    pub(crate) fn point(&self) -> Option<DVec3> {
        self.point
    }

    /// What the world is measured from as the last update left it.
    pub(crate) fn shown(&self) -> Option<DVec3> {
        self.shown
    }

    /// The transform of a shape whose own coordinates are measured from `shape_origin`, between what
    /// is kept of the shape and of the world.
    pub(crate) fn kept_transform(&self, world_from_own: DAffine3, shape_origin: DVec3) -> DAffine3 {
        DAffine3::from_translation(-self.point.unwrap_or_default())
            * world_from_own
            * DAffine3::from_translation(shape_origin)
    }

    /// An update shows all changes.
    pub(crate) fn show(&mut self) {
        self.shown = self.point;
    }

    /// Whether the next update shows another origin.
    pub(crate) fn is_pending(&self) -> bool {
        self.point != self.shown
    }

    /// Keeps a solid as it was given.
    pub(crate) fn keep_solid(&mut self, id: ObjectId, solid: MakePrimitive) {
        if self.source == Source::Open {
            self.solids.insert(id.index(), solid);
        }
    }

    /// Whether a shape gives the world its origin.
    pub(crate) fn comes_from(&self, shape: &Extent) -> bool {
        self.source == Source::Open && shape.origin.is_some()
    }

    /// Lets a shape into the world, in place of an object maybe: takes its origin, or finds that f32 keeps
    /// enough of it there.
    ///
    /// # Errors
    /// `ValueError` where it does not, of the shape or of what is there already; nothing has changed then.
    pub(crate) fn admit(
        &mut self,
        world: &mut World,
        objects: &Objects,
        name: Option<&str>,
        (shape, replaced): (&Extent, Option<ObjectId>),
    ) -> PyResult<()> {
        match (self.source, shape.origin) {
            (Source::Open, None) | (Source::Stated, _) => Ok(()),
            (Source::Open, Some(origin)) => {
                self.move_objects(world, objects, (origin, replaced))?;
                self.point = Some(origin);
                self.source = Source::Shape;
                self.solids.clear();
                Ok(())
            }
            (Source::Shape | Source::Zero, _) => {
                let from = self.point.unwrap_or_default();
                let what = name.map_or_else(|| "the shape".to_owned(), |name| format!("{name:?}"));
                let whose = match self.source {
                    Source::Shape => "which its first shape with an origin has given it",
                    _ => "as its file states no origin",
                };
                check_distance(&what, shape, (from, whose))
            }
        }
    }

    /// Measures all objects from `origin`, or none.
    fn move_objects(
        &self,
        world: &mut World,
        objects: &Objects,
        (origin, replaced): (DVec3, Option<ObjectId>),
    ) -> PyResult<()> {
        if world.history().is_some() {
            return Err(PyValueError::new_err(format!(
                "shape: its origin {origin} would become the world's, but ticks were recorded that are \
                 measured from 0: make the world with `World(origin=...)`"
            )));
        }
        let mut latest = world.clone();
        latest.update();
        let now = latest.now();
        for id in now.objects().filter(|id| Some(*id) != replaced) {
            self.check_move(now, objects, (id, origin))?;
        }
        for id in now.objects() {
            self.move_object(world, now, (id, origin))
                .map_err(|error| library_error(&error))?;
        }
        Ok(())
    }

    fn check_move(
        &self,
        now: &Snapshot,
        objects: &Objects,
        (id, origin): (ObjectId, DVec3),
    ) -> PyResult<()> {
        let name = format!("{:?}", objects.name(id.index()).unwrap_or_default());
        let Some(extent) = Extent::of_object(now, id) else {
            return Ok(());
        };
        let whose = "which the shape that is added would give it";
        check_distance(&name, &extent, (origin, whose))?;
        match now.shape(id) {
            Some(ObjectShape::Primitive(solid))
                if self.as_given(id, &solid).is_none() && extent.own > FINE =>
            {
                Err(PyValueError::new_err(format!(
                    "object {name} was moved while its world had no origin, so that its place is rounded \
                     to f32, {} m there: make the world with `World(origin=...)`",
                    step_at(extent.own)
                )))
            }
            Some(ObjectShape::Compound(compound)) if greatest_of(&compound) > FINE => {
                Err(PyValueError::new_err(format!(
                    "object {name} was added while its world had no origin, so that the places of its \
                     parts are rounded to f32, {} m there: make the world with `World(origin=...)`",
                    step_at(greatest_of(&compound))
                )))
            }
            _ => Ok(()),
        }
    }

    /// A solid as it was given, where it has not been moved since.
    fn as_given(&self, id: ObjectId, solid: &Primitive) -> Option<MakePrimitive> {
        let given = self.solids.get(&id.index())?;
        (given.primitive(None).as_ref() == Ok(solid)).then(|| given.clone())
    }

    fn move_object(
        &self,
        world: &mut World,
        now: &Snapshot,
        (id, origin): (ObjectId, DVec3),
    ) -> Result<(), hitscan::Error> {
        match now.shape(id) {
            Some(ObjectShape::HeightField(field)) => {
                world.set_height_field(id, moved_terrain(&field, -origin)?)
            }
            Some(ObjectShape::Primitive(solid)) if self.as_given(id, &solid).is_some() => {
                let given = self
                    .as_given(id, &solid)
                    .map(|given| given.primitive(Some(origin)));
                world.set_primitive(id, given.unwrap_or(Ok(solid))?)
            }
            _ => {
                let placed = now.transform(id).unwrap_or_default();
                world.set_transform(id, DAffine3::from_translation(-origin) * placed)
            }
        }
    }
}

/// Terrain elsewhere.
pub(crate) fn moved_terrain(
    field: &Arc<HeightField>,
    shift: DVec3,
) -> Result<Arc<HeightField>, hitscan::Error> {
    if shift == DVec3::ZERO {
        return Ok(Arc::clone(field));
    }
    let mut grid = *field.grid();
    grid.origin = (DVec3::from(grid.origin) + shift).into();
    Ok(Arc::new(HeightField::new(grid, field.samples().to_vec())?))
}

impl Extent {
    pub(crate) fn of_mesh(mesh: &PyTriMesh, world_from_own: DAffine3) -> Self {
        Self::placed(mesh.origin, mesh.mesh.bounds(), world_from_own)
    }

    pub(crate) fn of_terrain(terrain: &PyHeightField) -> Self {
        Self::placed(terrain.origin, terrain.field.bounds(), DAffine3::IDENTITY)
    }

    /// What is solid, between two opposite ends; with a transform its own place does not count.
    pub(crate) fn of_solid(ends: [DVec3; 2], transform: Option<DAffine3>) -> Self {
        match transform {
            Some(transform) => Self::at(transform),
            None => Self::between(ends),
        }
    }

    /// What is measured from where a transform leads.
    pub(crate) fn at(transform: DAffine3) -> Self {
        Self::between([transform.translation; 2])
    }

    /// An object of a world that is measured from 0; `None` where there is nothing of it.
    fn of_object(now: &Snapshot, id: ObjectId) -> Option<Self> {
        if now.model(id).is_some() {
            // All of its vertices would have to be computed.
            return now.transform(id).map(Self::at);
        }
        let bounds = now.object_bounds(id)?;
        Some(Self::between(
            [bounds.min(), bounds.max()].map(|corner| corner.as_dvec3()),
        ))
    }

    fn between(corners: [DVec3; 2]) -> Self {
        Self {
            origin: None,
            own: greatest(corners),
            corners,
        }
    }

    fn placed(origin: Option<DVec3>, bounds: Option<Aabb>, world_from_own: DAffine3) -> Self {
        let corners = |bounds: Aabb| [bounds.min().as_dvec3(), bounds.max().as_dvec3()];
        let own = bounds.map_or([DVec3::ZERO; 2], corners);
        let from = origin.unwrap_or_default();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for number in 0..8 {
            let side = |axis: usize| own[(number >> axis) & 1][axis];
            let corner = from + DVec3::new(side(0), side(1), side(2));
            let at = world_from_own.transform_point3(corner);
            (low, high) = (low.min(at), high.max(at));
        }
        let corners = [low, high];
        Self {
            origin,
            own: greatest(if origin.is_some() { own } else { corners }),
            corners,
        }
    }
}

/// The largest absolute coordinate of a compound in its own space.
fn greatest_of(compound: &Compound) -> f64 {
    let bounds = compound.parts().iter().map(|part| part.solid().bounds());
    let far = bounds.map(|bounds| greatest([bounds.min(), bounds.max()].map(|end| end.as_dvec3())));
    far.fold(0.0, f64::max)
}

/// The largest absolute coordinate.
fn greatest([low, high]: [DVec3; 2]) -> f64 {
    low.abs().max(high.abs()).max_element()
}

/// How far neighbouring f32 are apart at a coordinate.
fn step_at(coordinate: f64) -> f64 {
    let near = nearest_f32(coordinate);
    f64::from(near.next_up()) - f64::from(near)
}

/// Refuses what lies so far from `from` that f32 keeps less of it than by itself.
fn check_distance(what: &str, shape: &Extent, (from, whose): (DVec3, &str)) -> PyResult<()> {
    let distance = greatest(shape.corners.map(|corner| corner - from));
    if distance <= FAR || distance <= 2.0 * shape.own {
        return Ok(());
    }
    let [low, high] = shape.corners;
    let [x, y, z] = ((low + high) * 0.5).round().to_array();
    Err(PyValueError::new_err(format!(
        "{what} lies {distance:.0} m from what this world is measured from, {from}, {whose}: in f32 its \
         positions would be {} m apart. Make the world with the origin that suits all of it, such as \
         `World(origin=({x:?}, {y:?}, {z:?}))`, or keep what is so far apart in worlds of its own",
        step_at(distance)
    )))
}
