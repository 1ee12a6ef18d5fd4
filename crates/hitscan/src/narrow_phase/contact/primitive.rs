//! The contacts of a resting shape with a single primitive or triangle.

use super::query::{ContactQuery, status};
use super::{Contact, ContactStatus, ContactsPer};
use crate::narrow_phase::convex::{Convex, RestingContact};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Sphere, Triangle};

impl Contact {
    /// The answer for one pair.
    pub(crate) fn of_pair(contact: &RestingContact, triangle: Option<TriangleId>) -> Self {
        Self {
            status: status(contact),
            separation: contact.separation(),
            normal: contact.normal(),
            point: contact.point(),
            object: None,
            user_data: 0,
            triangle,
        }
    }
}

impl ContactQuery<'_> {
    /// The contact with a primitive, if it is within the margin.
    pub(crate) fn with_primitive(&self, obstacle: &Primitive) -> Option<Contact> {
        Some(Contact::of_pair(&self.resting_on(obstacle)?, None))
    }

    /// How shape and primitive lie, if that is within the margin.
    pub(crate) fn resting_on(&self, obstacle: &Primitive) -> Option<RestingContact> {
        let bounds = obstacle.bounds();
        self.least_separation(bounds.min().as_dvec3(), bounds.max().as_dvec3())?;
        self.contact(&Convex::from(obstacle))
    }
}

impl Primitive {
    /// The contact of a resting shape with this solid, or none where they are further apart than
    /// `margin`, metres, exactly. A negative margin counts as 0.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, ContactStatus, ContactsPer, Sphere, glam::Vec3};
    /// let floor = Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?;
    /// let ball = Sphere::new([0.0, 0.75, 0.0], 1.0)?;
    /// let contacts = floor.contacts(ball, 0.0, ContactsPer::Object);
    /// assert_eq!(contacts[0].status, ContactStatus::Overlap);
    /// assert_eq!((contacts[0].separation, contacts[0].normal), (-0.25, Vec3::Y));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn contacts(
        &self,
        shape: impl Into<Primitive>,
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Contact> {
        // A solid is one object and has no triangles.
        let _ = each;
        let shape = shape.into();
        let query = ContactQuery::new(&shape, margin);
        query.with_primitive(self).into_iter().collect()
    }

    /// Whether a resting shape overlaps this solid, exactly: shapes that only touch do not.
    #[must_use]
    pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
        let shape = shape.into();
        let query = ContactQuery::new(&shape, 0.0);
        let contact = query.with_primitive(self);
        contact.is_some_and(|contact| contact.status == ContactStatus::Overlap)
    }
}

/// The same for each kind of primitive.
macro_rules! contacts_of_primitives {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// The contact of a resting shape with this solid; see [`Primitive::contacts`].
            #[must_use]
            pub fn contacts(
                &self,
                shape: impl Into<Primitive>,
                margin: f32,
                each: ContactsPer,
            ) -> Vec<Contact> {
                Primitive::from(self.clone()).contacts(shape, margin, each)
            }

            /// Whether a resting shape overlaps this solid; see [`Primitive::overlaps_shape`].
            #[must_use]
            pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
                Primitive::from(self.clone()).overlaps_shape(shape)
            }
        }
    )*};
}

contacts_of_primitives!(Sphere, Aabb, Obb, Capsule, Cylinder, ConvexHull);

impl Triangle {
    /// The contact of a resting shape with this triangle; see [`Primitive::contacts`]. One without area
    /// has none.
    #[must_use]
    pub fn contacts(
        &self,
        shape: impl Into<Primitive>,
        margin: f32,
        each: ContactsPer,
    ) -> Vec<Contact> {
        let _ = each;
        let shape = shape.into();
        let query = ContactQuery::new(&shape, margin);
        let corners = self.wide();
        let id = TriangleId {
            part: 0,
            triangle: 0,
        };
        let contact = query.contact(&Convex::triangle(corners));
        contact
            .map(|contact| Contact::of_pair(&contact, Some(id)))
            .into_iter()
            .collect()
    }

    /// Whether a resting shape overlaps this triangle; see [`Primitive::overlaps_shape`].
    #[must_use]
    pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
        let contacts = self.contacts(shape, 0.0, ContactsPer::Object);
        contacts
            .iter()
            .any(|contact| contact.status == ContactStatus::Overlap)
    }
}
