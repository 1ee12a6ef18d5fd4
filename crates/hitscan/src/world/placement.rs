//! A mesh placed in the world: its transforms, and how far rounding may carry a ray off.

use crate::aabb::check_coordinates;
use crate::exact::UNIT_ROUNDOFF;
use crate::model::{Part, PosedPart, PosedShape, Winding, keeps_rays};
use crate::ray::LocalRay;
use crate::{Aabb, Error, Side, Sides, TriMesh};
use glam::{DAffine3, DMat3, DVec3};
use std::sync::Arc;

/// One part of a model (or a mesh), where it stands.
#[derive(Debug, Clone)]
pub(super) struct PlacedPart {
    pub(super) mesh: Arc<TriMesh>,
    pub(super) world_from_part: DAffine3,
    part_from_world: DAffine3,
    /// The box around the triangles as they stand in the world.
    pub(super) bounds: Aabb,
    /// Whether the mesh itself is mirrored, which its transform does not tell.
    winding: Winding,
    /// How far a ray may pass from where its image in the part's space passes, in units of the
    /// magnitudes involved (see [`PlacedPart::culling_bounds`]).
    relative_error: f64,
}

impl PlacedPart {
    /// A part of a model in its pose, or `None` where it has no triangles.
    pub(super) fn posed(
        part: &Part,
        posed: PosedPart,
        world_from_model: DAffine3,
    ) -> Result<Option<Self>, Error> {
        let mesh = match posed.shape {
            PosedShape::AtRest => Arc::clone(part.mesh()),
            PosedShape::Deformed(positions) => Arc::new(part.mesh().moved(positions)),
        };
        // Where the transform itself mirrors, the ray that goes through it sees the outside as
        // outside. What is left is mirrored in the vertices.
        let is_seen = posed.model_from_part.matrix3.determinant() < 0.0;
        let winding = if is_seen {
            posed.winding.reversed()
        } else {
            posed.winding
        };
        Self::new(mesh, world_from_model * posed.model_from_part, winding)
    }

    /// The part, or `None` where it has no triangles.
    ///
    /// A transform through which rays would lose too much is applied to the corners instead.
    ///
    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite, [`Error::OutOfRange`]
    /// where it carries a corner beyond ±1e18.
    pub(super) fn new(
        mesh: Arc<TriMesh>,
        world_from_part: DAffine3,
        winding: Winding,
    ) -> Result<Option<Self>, Error> {
        let part_from_world = world_from_part.inverse();
        if !(world_from_part.is_finite() && part_from_world.is_finite()) {
            let (what, expected) = ("determinant of a transform", "finite and not zero");
            let found = world_from_part.matrix3.determinant();
            return Err(Error::BadValue {
                what,
                expected,
                found,
            });
        }
        let corners = mesh.triangles().as_flattened().iter();
        let Some(bounds) = Aabb::around_f64(corners.map(|corner| {
            world_from_part.transform_point3(mesh.positions()[*corner as usize].as_dvec3())
        })) else {
            return Ok(None);
        };
        check_coordinates("placed corner", &[bounds.min(), bounds.max()])?;
        if !keeps_rays(&world_from_part) {
            let is_mirrored = world_from_part.matrix3.determinant() < 0.0;
            let winding = if is_mirrored {
                winding.reversed()
            } else {
                winding
            };
            let moved = mesh.positions().iter();
            let moved = moved.map(|p| world_from_part.transform_point3(p.as_dvec3()).as_vec3());
            let mesh = Arc::new(mesh.moved(moved.collect()));
            return Self::new(mesh, DAffine3::IDENTITY, winding);
        }
        let (forward, backward) = (world_from_part.matrix3, part_from_world.matrix3);
        let residual = forward * backward - DMat3::IDENTITY;
        // A point carried over and back is off by the residual, and by the rounding of two
        // transforms: each component is a sum of three products and a translation, below 8u of
        // its terms' magnitudes, which the way back multiplies by the magnitudes of its matrix.
        let magnification = norm(&(magnitudes(&forward) * magnitudes(&backward)));
        let relative_error = norm(&residual) + 32.0 * UNIT_ROUNDOFF * (1.0 + magnification);
        Ok(Some(Self {
            mesh,
            world_from_part,
            part_from_world,
            bounds,
            winding,
            relative_error,
        }))
    }

    /// The ray in the part's space, with the same t.
    pub(super) fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        ray.transformed(&self.part_from_world)
    }

    /// The side of the surface as the world sees it, for a side of the mesh, and the other way round.
    pub(super) fn turned(&self, side: Side) -> Side {
        match (self.winding, side) {
            (Winding::Mirrored, Side::Front) => Side::Back,
            (Winding::Mirrored, Side::Back) => Side::Front,
            (_, side) => side,
        }
    }

    /// The sides of the mesh that are `sides` of the surface as the world sees it.
    pub(super) fn mesh_sides(&self, sides: Sides) -> Sides {
        match (self.winding, sides) {
            (Winding::Mirrored, Sides::Front) => Sides::Back,
            (Winding::Mirrored, Sides::Back) => Sides::Front,
            (_, sides) => sides,
        }
    }

    /// A normal of the part's space as it stands in the world, not of unit length. Outward stays
    /// outward, also where the transform mirrors.
    pub(super) fn world_normal(&self, local: DVec3) -> DVec3 {
        // Divided by its greatest component, so that the product stays in f64's range.
        let scale = local.abs().max_element();
        let normal = self.part_from_world.matrix3.transpose() * (local / scale);
        if self.winding == Winding::Mirrored {
            -normal
        } else {
            normal
        }
    }

    /// A triangle's corners in the world, rounded once, so that triangles share them.
    pub(super) fn world_corners(&self, triangle: u32) -> [DVec3; 3] {
        self.mesh
            .corners(triangle)
            .map(|corner| self.world_from_part.transform_point3(corner))
    }

    /// The box in the tree: widened so that it holds what the image of a ray from 0 may hit. A
    /// ray's own origin adds [`PlacedPart::origin_margin`] of its magnitude.
    ///
    /// At a hit, `t |direction|` is at most the way from the origin to the box, so that all
    /// magnitudes involved are the origin's, the box's and the translation's.
    pub(super) fn culling_bounds(&self) -> Aabb {
        let (min, max) = (self.bounds.min().as_dvec3(), self.bounds.max().as_dvec3());
        let reach = greatest(min).max(greatest(max)) + greatest(self.world_from_part.translation);
        let margin = 4.0 * self.relative_error * reach;
        Aabb::around_f64([min - margin, max + margin]).unwrap_or(self.bounds)
    }

    /// The share of a ray origin's magnitude by which the box has to be widened further.
    pub(super) fn origin_margin(&self) -> f64 {
        4.0 * self.relative_error
    }

    /// A box of the part's space and its motion, which at every t holds the world's box from `min`
    /// to `max` that moves by `motion`.
    pub(super) fn local_box(
        &self,
        (min, max): (DVec3, DVec3),
        motion: DVec3,
    ) -> ((DVec3, DVec3), DVec3) {
        let corner = |i: u32| {
            let pick = |axis: u32| if i >> axis & 1 == 0 { min } else { max };
            DVec3::new(pick(0).x, pick(1).y, pick(2).z)
        };
        let corners = (0..8).map(|i| self.part_from_world.transform_point3(corner(i)));
        let (low, high) = corners.fold(
            (DVec3::INFINITY, DVec3::NEG_INFINITY),
            |(low, high), corner| (low.min(corner), high.max(corner)),
        );
        let reach = greatest(min).max(greatest(max))
            + greatest(motion)
            + greatest(self.world_from_part.translation);
        let stretch = magnitudes(&self.part_from_world.matrix3) * DVec3::ONE;
        let margin = stretch * (4.0 * self.relative_error * reach);
        let motion = self.part_from_world.transform_vector3(motion);
        ((low - margin, high + margin), motion)
    }
}

/// The matrix of the components' magnitudes.
fn magnitudes(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(
        matrix.x_axis.abs(),
        matrix.y_axis.abs(),
        matrix.z_axis.abs(),
    )
}

/// The square root of the sum of squares, no smaller than the greatest stretch.
fn norm(matrix: &DMat3) -> f64 {
    matrix
        .to_cols_array()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
}

fn greatest(v: DVec3) -> f64 {
    v.abs().max_element()
}
