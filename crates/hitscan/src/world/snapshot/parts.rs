//! The parts of models and compounds, by the numbers that answers give them.

use super::Snapshot;
use crate::model::BindHit;
use crate::world::object::Shape;
use crate::world::placed_compound::PlacedCompound;
use crate::{Compound, CompoundPart, ObjectId, Primitive, RayHit};
use glam::DVec3;
use std::sync::Arc;

impl Snapshot {
    /// The compound that an object is; `None` for other objects. Its parts are numbered from 0 here; answers number
    /// them so too, but of a compound [with meshes](crate::model::PosedCompound::with_meshes):
    /// [`Snapshot::compound_parts`].
    #[must_use]
    pub fn compound(&self, object: ObjectId) -> Option<&Arc<Compound>> {
        self.placed_compound(object).map(PlacedCompound::compound)
    }

    /// The parts of a compound with the numbers that answers give them; none for other objects.
    ///
    /// ```
    /// use hitscan::{Compound, CompoundPart, Sphere, World};
    /// let mut world = World::new();
    /// let head = CompoundPart::new("head", Sphere::new([0.0; 3], 0.25)?);
    /// let id = world.add(Compound::new([head])?);
    /// world.update();
    /// let parts = world.now().compound_parts(id);
    /// assert_eq!(parts.map(|(number, part)| (number, part.name())).collect::<Vec<_>>(), [(0, "head")]);
    /// assert_eq!(world.now().part_name(id, 0), Some("head"));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn compound_parts(&self, object: ObjectId) -> impl Iterator<Item = (u32, &CompoundPart)> {
        let compound = self.placed_compound(object).into_iter();
        compound.flat_map(PlacedCompound::named_parts)
    }

    /// The part of a compound with this number in answers; `None` for a mesh, and for other objects.
    #[must_use]
    pub fn compound_part(&self, object: ObjectId, part: u32) -> Option<&CompoundPart> {
        self.placed_compound(object)?.named_part(part)
    }

    /// The number in answers of the part of a compound with this name.
    #[must_use]
    pub fn compound_part_named(&self, object: ObjectId, name: &str) -> Option<u32> {
        let mut parts = self.compound_parts(object);
        parts.find_map(|(number, part)| (part.name() == name).then_some(number))
    }

    /// The name of a part of a model or a compound; `None` for other objects, and for no such part.
    #[must_use]
    pub fn part_name(&self, object: ObjectId, part: u32) -> Option<&str> {
        let of_compound = self.compound_part(object, part).map(CompoundPart::name);
        of_compound.or_else(|| {
            let has_meshes = match &self.state.object(object)?.shape {
                Shape::Compound(compound) => compound.meshes().is_some(),
                _ => true,
            };
            let model = self.model(object).filter(|_| has_meshes)?;
            Some(model.parts().get(part as usize)?.name())
        })
    }

    /// A part of a compound where it is in the world. Queries mean its centre, its ends and its corners as f64; those
    /// of this solid are the nearest f32. A hull's corners are those that queries mean.
    #[must_use]
    pub fn part_solid(&self, object: ObjectId, part: u32) -> Option<Primitive> {
        match &self.object(object)?.shape {
            Shape::Compound(placed) => placed.solid(part).map(Primitive::as_f32),
            _ => None,
        }
    }

    /// Whether a part of a compound holds a point, its surface counting, exactly.
    #[must_use]
    pub fn part_holds(&self, object: ObjectId, part: u32, point: DVec3) -> bool {
        match self.object(object).as_deref().map(|object| &object.shape) {
            Some(Shape::Compound(placed)) => {
                placed.solid(part).is_some_and(|solid| solid.holds(point))
            }
            _ => false,
        }
    }

    /// A hit on a model in the model's own terms: the strongest joint there, and the place in bind
    /// space; see [`Model::bind_hit`](crate::Model::bind_hit). `None` for what is no triangle of a model.
    #[must_use]
    pub fn bind_hit(&self, hit: &RayHit) -> Option<BindHit> {
        let object = hit.object?;
        let triangle = hit.triangle?;
        // The face of a hull has a number too.
        self.part_name(object, triangle.part)?;
        if self.compound_part(object, triangle.part).is_some() {
            return None;
        }
        self.model(object)?.bind_hit(triangle, hit.barycentrics)
    }

    /// The compound that an object is: interpolation changes none but in place and pose.
    fn placed_compound(&self, object: ObjectId) -> Option<&PlacedCompound> {
        match &self.state.object(object)?.shape {
            Shape::Compound(placed) => Some(placed),
            _ => None,
        }
    }
}
