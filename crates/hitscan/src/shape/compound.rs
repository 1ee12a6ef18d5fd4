//! Compounds: objects of several solids, each with a name.

use crate::{Error, Primitive};

/// Several solids that are one object: a character's hit boxes, say, or a vehicle's body and wheels.
///
/// A part is a solid of its own. Hits of a world name it by its number as `part` of their
/// [`TriangleId`](crate::TriangleId), and [`QueryFilter::exclude_parts`](crate::QueryFilter::exclude_parts) leaves
/// parts out. Parts may overlap; of several with the same t, distance or separation the lowest number answers.
///
/// A transform of the object, as [`World::add_at`](crate::World::add_at) takes it, moves all parts: each corner, end
/// and centre is taken into the world once, in f64, and a radius is multiplied, in f64, by the longest image of a
/// unit axis. A box becomes the turned box of its corners; where the transform shears it, their convex hull.
///
/// ```
/// use hitscan::glam::DAffine3;
/// use hitscan::{Aabb, Compound, CompoundPart, QueryFilter, Ray, Sphere, World};
/// let guard = Compound::new([
///     CompoundPart::new("head", Sphere::new([0.0, 1.75, 0.0], 0.25)?).with_user_data(4),
///     CompoundPart::new("chest", Aabb::new([-0.25, 0.75, -0.25], [0.25, 1.5, 0.25])?),
/// ])?;
/// let mut world = World::new();
/// let id = world.add_at(guard.clone(), DAffine3::from_translation([8.0, 0.0, 0.0].into()))?;
/// world.update();
///
/// let shot = Ray::new([0.0, 1.75, 0.0], [1.0, 0.0, 0.0])?;
/// let hit = world.now().cast_ray(&shot, ()).expect("the head is in the way");
/// let part = guard.part(hit.part().expect("parts are named")).expect("it is one of them");
/// assert_eq!((hit.object, hit.t, part.name(), part.user_data()), (Some(id), 7.75, "head", 4));
/// let bodies = [(id, 0)];
/// assert_eq!(world.now().cast_ray(&shot, QueryFilter::new().exclude_parts(&bodies)), None);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Compound {
    parts: Box<[CompoundPart]>,
}

/// A part of a [`Compound`]: a solid in the compound's own space, with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct CompoundPart {
    name: Box<str>,
    solid: Primitive,
    user_data: u64,
}

impl CompoundPart {
    /// A part with the user data 0. Names are checked by [`Compound::new`].
    #[must_use]
    pub fn new(name: impl Into<String>, solid: impl Into<Primitive>) -> Self {
        Self {
            name: name.into().into_boxed_str(),
            solid: solid.into(),
            user_data: 0,
        }
    }

    /// The same part with a number of the caller's, which hits do not copy: what a hit box counts, say.
    #[must_use]
    pub fn with_user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// The part's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The solid, in the compound's own space.
    #[must_use]
    pub fn solid(&self) -> &Primitive {
        &self.solid
    }

    /// The number of [`CompoundPart::with_user_data`], or 0.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// How far from the origin of its space anything of it may be.
    pub(crate) fn max_radius(&self) -> f64 {
        match &self.solid {
            Primitive::ConvexHull(hull) => hull
                .corners()
                .iter()
                .map(|corner| corner.dot(*corner).sqrt() + hull.radius())
                .fold(0.0, f64::max),
            solid => {
                let bounds = solid.bounds();
                let far = bounds.min().abs().max(bounds.max().abs()).as_dvec3();
                far.dot(far).sqrt()
            }
        }
    }
}

impl Compound {
    /// The compound of these parts, which are numbered in this order.
    ///
    /// # Errors
    /// [`Error::WrongLength`] without parts, [`Error::BadName`] for a name that is empty, has a `;` in it or is that
    /// of an earlier part.
    pub fn new(parts: impl IntoIterator<Item = CompoundPart>) -> Result<Self, Error> {
        Self::of(parts.into_iter().collect())
    }

    fn of(parts: Vec<CompoundPart>) -> Result<Self, Error> {
        if parts.is_empty() {
            return Err(Error::WrongLength {
                what: "parts of a compound",
                expected: 1,
                found: 0,
            });
        }
        let mut names = std::collections::BTreeSet::new();
        for (index, part) in parts.iter().enumerate() {
            let name = part.name();
            if name.is_empty() || name.contains(';') || !names.insert(name) {
                return Err(Error::BadName {
                    what: "parts of a compound",
                    index,
                    name: name.to_owned(),
                    expected: "not empty, without `;`, and of no earlier part",
                });
            }
        }
        Ok(Self {
            parts: parts.into_boxed_slice(),
        })
    }

    /// The parts, by their numbers.
    #[must_use]
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    /// The part with this number.
    #[must_use]
    pub fn part(&self, part: u32) -> Option<&CompoundPart> {
        self.parts.get(part as usize)
    }

    /// The number of the part with this name.
    #[must_use]
    pub fn part_named(&self, name: &str) -> Option<u32> {
        (0..)
            .zip(&self.parts)
            .find_map(|(number, part)| (part.name() == name).then_some(number))
    }

    /// How far from the origin of its own space anything of it may be.
    pub(crate) fn max_radius(&self) -> f64 {
        let radii = self.parts.iter().map(CompoundPart::max_radius);
        radii.fold(0.0, f64::max)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let parts = self
            .parts
            .iter()
            .map(|part| size_of_val(part) + part.name.len() + part.solid().shared_bytes());
        size_of::<Self>() + parts.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sphere;

    #[test]
    fn names_are_unique_and_fit_in_lists() {
        let part = |name: &str| CompoundPart::new(name, Sphere::new([0.0; 3], 1.0).unwrap());
        let two = Compound::new([part("head"), part("chest")]).unwrap();
        assert_eq!(
            (two.part_named("chest"), two.part_named("arm")),
            (Some(1), None)
        );
        assert_eq!(two.part(2), None);
        for names in [["head", "head"], ["head", ""], ["head", "a;b"]] {
            let refused = Compound::new(names.map(part));
            assert!(
                matches!(refused, Err(Error::BadName { index: 1, .. })),
                "{names:?}"
            );
        }
        assert!(matches!(Compound::new([]), Err(Error::WrongLength { .. })));
    }
}
