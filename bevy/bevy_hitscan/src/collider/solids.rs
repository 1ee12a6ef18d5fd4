//! Solids: spheres, cuboids, capsules, cylinders, convex hulls, and compounds of them.

use super::scale::{factors, is_equal};
use crate::HitscanError;
use bevy_ecs::prelude::*;
use bevy_math::{Affine3A, Isometry3d, Quat, Vec3};
use bevy_reflect::prelude::*;
use bevy_shape as shape;
use hitscan::glam::DQuat;
use hitscan::{Capsule, Compound, CompoundPart, ConvexHull, Cylinder, Obb, Primitive, Sphere};

/// A solid that is in the world in place of the entity's mesh, moved by its
/// [`GlobalTransform`](bevy_transform::components::GlobalTransform).
///
/// Sizes are metres in the entity's own space. A cuboid or a convex hull takes every transform; where something
/// round is scaled unequally, the entity is out of the world and has a [`HitscanError`]. The axis of capsules
/// and cylinders is +Y. Answers name the solid of a compound by its number
/// ([`RayHit::part`](hitscan::RayHit::part)), 0 where there is only one.
///
/// ```
/// use bevy_hitscan::HitscanCollider;
/// use bevy_math::{Isometry3d, Vec3};
/// let head = (Isometry3d::from_translation(Vec3::Y * 1.7), HitscanCollider::sphere(0.15));
/// let body = (Isometry3d::from_translation(Vec3::Y * 0.8), HitscanCollider::capsule(0.3, 1.0));
/// let guard = HitscanCollider::compound([head, body]);
/// assert_eq!(guard.solid_count(), 2);
/// // Bevy's primitives are colliders too.
/// let crate_box: HitscanCollider = bevy_shape::Cuboid::from_length(1.0).into();
/// assert_eq!(crate_box, HitscanCollider::cuboid(1.0, 1.0, 1.0));
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct HitscanCollider {
    solids: Vec<PlacedSolid>,
}

/// A solid with its place in the entity's space.
#[derive(Reflect, Clone, Debug, PartialEq)]
struct PlacedSolid {
    translation: Vec3,
    rotation: Quat,
    solid: Solid,
}

#[derive(Reflect, Clone, Debug, PartialEq)]
enum Solid {
    Sphere { radius: f32 },
    Cuboid { half_size: Vec3 },
    Capsule { radius: f32, half_length: f32 },
    Cylinder { radius: f32, half_height: f32 },
    ConvexHull { points: Vec<Vec3> },
}

impl HitscanCollider {
    /// A sphere about the entity's origin.
    #[must_use]
    pub fn sphere(radius: f32) -> Self {
        Self::of(Solid::Sphere { radius })
    }

    /// A cuboid about the entity's origin, by the lengths of its sides; it turns with the entity.
    #[must_use]
    pub fn cuboid(x: f32, y: f32, z: f32) -> Self {
        let half_size = Vec3::new(x, y, z) * 0.5;
        Self::of(Solid::Cuboid { half_size })
    }

    /// All within `radius` of a segment of `length` along the entity's Y axis.
    #[must_use]
    pub fn capsule(radius: f32, length: f32) -> Self {
        let half_length = length * 0.5;
        Self::of(Solid::Capsule {
            radius,
            half_length,
        })
    }

    /// A cylinder of `height` along the entity's Y axis.
    #[must_use]
    pub fn cylinder(radius: f32, height: f32) -> Self {
        let half_height = height * 0.5;
        Self::of(Solid::Cylinder {
            radius,
            half_height,
        })
    }

    /// The convex hull of points.
    #[must_use]
    pub fn convex_hull(points: impl IntoIterator<Item = Vec3>) -> Self {
        let points = points.into_iter().collect();
        Self::of(Solid::ConvexHull { points })
    }

    /// Several colliders at their places in the entity's space, as one; their solids are numbered in this order.
    #[must_use]
    pub fn compound(parts: impl IntoIterator<Item = (Isometry3d, Self)>) -> Self {
        let placed = |(at, collider): (Isometry3d, Self)| {
            let solids = collider.solids.into_iter();
            solids.map(move |part| PlacedSolid {
                translation: at.transform_point(part.translation).into(),
                rotation: at.rotation * part.rotation,
                solid: part.solid,
            })
        };
        Self {
            solids: parts.into_iter().flat_map(placed).collect(),
        }
    }

    /// How many solids it has.
    #[must_use]
    pub fn solid_count(&self) -> usize {
        self.solids.len()
    }

    fn of(solid: Solid) -> Self {
        Self {
            solids: vec![PlacedSolid {
                translation: Vec3::ZERO,
                rotation: Quat::IDENTITY,
                solid,
            }],
        }
    }

    /// The solids in the entity's own space.
    pub(crate) fn build(&self) -> Result<Compound, HitscanError> {
        let parts = self.solids.iter().enumerate().map(|(number, part)| {
            let solid = part.build()?;
            Ok(CompoundPart::new(number.to_string(), solid))
        });
        parts
            .collect::<Result<Vec<_>, _>>()
            .and_then(Compound::new)
            .map_err(|error| HitscanError::collider(&error))
    }

    /// Whether this transform of the entity keeps the shapes what they are.
    pub(crate) fn check_transform(&self, affine: &Affine3A) -> Result<(), HitscanError> {
        let mut solids = self.solids.iter();
        match solids.find_map(|part| part.solid.round_name()) {
            Some(name) if !is_equal(affine) => Err(HitscanError::UnequalScale {
                shape: name.to_owned(),
                scale: factors(affine),
            }),
            _ => Ok(()),
        }
    }
}

impl Solid {
    /// The name of what may not be scaled unequally.
    fn round_name(&self) -> Option<&'static str> {
        match self {
            Self::Sphere { .. } => Some("sphere"),
            Self::Capsule { .. } => Some("capsule"),
            Self::Cylinder { .. } => Some("cylinder"),
            Self::Cuboid { .. } | Self::ConvexHull { .. } => None,
        }
    }
}

impl PlacedSolid {
    fn build(&self) -> Result<Primitive, hitscan::Error> {
        let ends = |half: f32| {
            let along = self.rotation * Vec3::Y * half;
            [self.translation - along, self.translation + along]
        };
        Ok(match &self.solid {
            Solid::Sphere { radius } => Sphere::new(self.translation, *radius)?.into(),
            Solid::Cuboid { half_size } => {
                let [x, y, z, w] = self.rotation.to_array().map(f64::from);
                let rotation = DQuat::from_xyzw(x, y, z, w);
                Obb::new(self.translation, *half_size, rotation)?.into()
            }
            Solid::Capsule {
                radius,
                half_length,
            } => {
                let [a, b] = ends(*half_length);
                Capsule::new(a, b, *radius)?.into()
            }
            Solid::Cylinder {
                radius,
                half_height,
            } => {
                let [a, b] = ends(*half_height);
                Cylinder::new(a, b, *radius)?.into()
            }
            Solid::ConvexHull { points } => {
                let placed = points
                    .iter()
                    .map(|point| self.rotation * *point + self.translation);
                ConvexHull::new(placed)?.into()
            }
        })
    }
}

impl From<shape::Sphere> for HitscanCollider {
    fn from(sphere: shape::Sphere) -> Self {
        Self::sphere(sphere.radius)
    }
}

impl From<shape::Cuboid> for HitscanCollider {
    fn from(cuboid: shape::Cuboid) -> Self {
        let half_size = cuboid.half_size;
        Self::of(Solid::Cuboid { half_size })
    }
}

impl From<shape::Capsule3d> for HitscanCollider {
    fn from(capsule: shape::Capsule3d) -> Self {
        let shape::Capsule3d {
            radius,
            half_length,
        } = capsule;
        Self::of(Solid::Capsule {
            radius,
            half_length,
        })
    }
}

impl From<shape::Cylinder> for HitscanCollider {
    fn from(cylinder: shape::Cylinder) -> Self {
        let shape::Cylinder {
            radius,
            half_height,
        } = cylinder;
        Self::of(Solid::Cylinder {
            radius,
            half_height,
        })
    }
}

impl From<shape::Tetrahedron> for HitscanCollider {
    fn from(tetrahedron: shape::Tetrahedron) -> Self {
        Self::convex_hull(tetrahedron.vertices)
    }
}
