//! Colliders of nodes: `KHR_physics_rigid_bodies` with `KHR_implicit_shapes`, and `OMI_physics_body` with
//! `OMI_physics_shape`.
//!
//! They are read on request, from the same text as the document, so that nothing in them can
//! make a model unusable to others. Of a node that has both extensions the first counts. Triggers are no colliders.
//!
//! Source: Khronos Group, "KHR_implicit_shapes" and "KHR_physics_rigid_bodies", 2023; Open Metaverse
//! Interoperability Group, "OMI_physics_shape" and "OMI_physics_body", 2024.

use std::collections::HashSet;

use glam::Vec3;
use hitscan::model::PartData;
use hitscan::{Aabb, Capsule, ConvexHull, Cylinder, Primitive, Sphere};
use serde::Deserialize;

use super::accessors::Accessors;
use super::primitive::{Location, Reader, TRIANGLES};
use super::{Source, container, whole_numbers};
use crate::Error;
use crate::model_file::{ColliderShape, ModelCollider};

/// What of a document colliders are made of.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Bodies {
    nodes: Vec<BodyNode>,
    extensions: ShapeExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ShapeExtensions {
    #[serde(rename = "KHR_implicit_shapes")]
    khr: Shapes,
    #[serde(rename = "OMI_physics_shape")]
    omi: Shapes,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Shapes {
    shapes: Vec<Shape>,
}

/// A shape of either extension; the numbers that it leaves out are the extension's own.
#[derive(Debug, Deserialize)]
struct Shape {
    #[serde(rename = "type")]
    kind: String,
    sphere: Option<Sizes>,
    #[serde(rename = "box")]
    cuboid: Option<Sizes>,
    capsule: Option<Sizes>,
    cylinder: Option<Sizes>,
    convex: Option<Sizes>,
    trimesh: Option<Sizes>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Sizes {
    size: Option<[f32; 3]>,
    radius: Option<f32>,
    radius_bottom: Option<f32>,
    radius_top: Option<f32>,
    height: Option<f32>,
    mesh: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct BodyNode {
    extensions: BodyExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct BodyExtensions {
    #[serde(rename = "KHR_physics_rigid_bodies")]
    khr: Body<KhrCollider>,
    #[serde(rename = "OMI_physics_body")]
    omi: Body<OmiCollider>,
}

#[derive(Debug, Deserialize)]
struct Body<C> {
    collider: Option<C>,
}

impl<C> Default for Body<C> {
    fn default() -> Self {
        Self { collider: None }
    }
}

#[derive(Debug, Deserialize)]
struct KhrCollider {
    geometry: KhrGeometry,
}

/// A shape, or a mesh by itself or by a node that has it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KhrGeometry {
    shape: Option<usize>,
    mesh: Option<usize>,
    node: Option<usize>,
    #[serde(default)]
    convex_hull: bool,
}

#[derive(Debug, Deserialize)]
struct OmiCollider {
    shape: Option<usize>,
}

/// What one of the extensions leaves out.
struct Defaults {
    extension: &'static str,
    capsule: [f32; 2],
    cylinder: [f32; 2],
}

const KHR: Defaults = Defaults {
    extension: "KHR_implicit_shapes",
    capsule: [0.5, 0.25],
    cylinder: [0.5, 0.25],
};
const OMI: Defaults = Defaults {
    extension: "OMI_physics_shape",
    capsule: [1.0, 0.5],
    cylinder: [2.0, 0.5],
};

/// Reads the colliders of all nodes that are shown.
pub(super) fn read(
    source: Source<'_>,
    json: &[u8],
    accessors: Accessors<'_>,
    is_shown: &[bool],
) -> Result<Vec<ModelCollider>, Error> {
    let json = container::unmarked(json);
    let read = serde_json::from_slice(json);
    let read = read.or_else(|error| match whole_numbers::without_fractions(json) {
        Some(plain) => serde_json::from_slice(&plain),
        None => Err(error),
    });
    let bodies: Bodies = read.map_err(|error| {
        Error::undecodable(source.path, "colliders", "extensions of physics", error)
    })?;
    let reader = ColliderReader {
        source,
        accessors,
        shapes: &bodies.extensions,
    };
    let mut names = HashSet::new();
    let mut colliders = Vec::new();
    let nodes = bodies.nodes.iter().enumerate().zip(is_shown);
    for ((node, body), _) in nodes.filter(|(_, is_shown)| **is_shown) {
        let Some(shape) = reader.shape_of(node, body)? else {
            continue;
        };
        let mut name = reader.name(node);
        while !names.insert(name.clone()) {
            name.push_str(&format!("#{node}"));
        }
        colliders.push(ModelCollider { name, node, shape });
    }
    Ok(colliders)
}

struct ColliderReader<'a> {
    source: Source<'a>,
    accessors: Accessors<'a>,
    shapes: &'a ShapeExtensions,
}

impl ColliderReader<'_> {
    /// The name of a collider: its node's, without what separates names in lists.
    fn name(&self, node: usize) -> String {
        let own = self.source.document.nodes[node].name.as_deref();
        let own = own.filter(|name| !name.is_empty());
        own.map_or_else(|| format!("node{node}"), |name| name.replace(';', "_"))
    }

    /// The collider of a node.
    fn shape_of(&self, node: usize, body: &BodyNode) -> Result<Option<ColliderShape>, Error> {
        let at = |extension: &str| format!("nodes[{node}].extensions.{extension}.collider");
        if let Some(KhrCollider { geometry }) = &body.extensions.khr.collider {
            let at = format!("{}.geometry", at("KHR_physics_rigid_bodies"));
            return self.khr_shape(geometry, &at).map(Some);
        }
        let Some(OmiCollider { shape }) = &body.extensions.omi.collider else {
            return Ok(None);
        };
        let at = format!("{}.shape", at("OMI_physics_body"));
        let shape = shape.ok_or_else(|| Error::missing(self.source.path, &at, "a shape"))?;
        self.listed(&self.shapes.omi, shape, &OMI, &at).map(Some)
    }

    fn khr_shape(&self, geometry: &KhrGeometry, at: &str) -> Result<ColliderShape, Error> {
        if let Some(shape) = geometry.shape {
            return self.listed(&self.shapes.khr, shape, &KHR, at);
        }
        let nodes = &self.source.document.nodes;
        let of_node = |node: usize| nodes.get(node).and_then(|node| node.mesh);
        match geometry.mesh.or_else(|| of_node(geometry.node?)) {
            Some(mesh) => self.mesh(mesh, geometry.convex_hull, at),
            None => Err(Error::missing(
                self.source.path,
                at,
                "the property `shape`, or a `mesh`",
            )),
        }
    }

    /// A shape by its number.
    fn listed(
        &self,
        Shapes { shapes }: &Shapes,
        number: usize,
        defaults: &Defaults,
        at: &str,
    ) -> Result<ColliderShape, Error> {
        let Some(shape) = shapes.get(number) else {
            let expected = format!("the index of one of {} shapes", shapes.len());
            return Err(self.source.malformed(at, expected, number.to_string()));
        };
        let at = format!("extensions.{}.shapes[{number}]", defaults.extension);
        let sizes = |sizes: Option<Sizes>| sizes.unwrap_or_default();
        let solid = match shape.kind.as_str() {
            "sphere" => {
                let radius = sizes(shape.sphere).radius.unwrap_or(0.5);
                Sphere::new(Vec3::ZERO, radius).map(Primitive::from)
            }
            "box" => {
                let size = Vec3::from(sizes(shape.cuboid).size.unwrap_or([1.0; 3]));
                Aabb::new(-size / 2.0, size / 2.0).map(Primitive::from)
            }
            "capsule" => {
                let (ends, radius) = self.upright(sizes(shape.capsule), defaults.capsule, &at)?;
                Capsule::new(ends[0], ends[1], radius).map(Primitive::from)
            }
            "cylinder" => {
                let (ends, radius) = self.upright(sizes(shape.cylinder), defaults.cylinder, &at)?;
                Cylinder::new(ends[0], ends[1], radius).map(Primitive::from)
            }
            "convex" => return self.mesh_of(shape.convex, true, &at),
            "trimesh" => return self.mesh_of(shape.trimesh, false, &at),
            other => {
                let what = format!("the shape `{other}` as a collider");
                return Err(Error::unsupported(self.source.path, at, what));
            }
        };
        let refused = |error| Error::refused(self.source.path, &*at, error);
        Ok(ColliderShape::Solid(solid.map_err(refused)?))
    }

    /// The ends and the radius of a capsule or cylinder along y.
    fn upright(
        &self,
        sizes: Sizes,
        [height, radius]: [f32; 2],
        at: &str,
    ) -> Result<([Vec3; 2], f32), Error> {
        let radius = sizes.radius.unwrap_or(radius);
        let bottom = sizes.radius_bottom.unwrap_or(radius);
        let top = sizes.radius_top.unwrap_or(radius);
        if bottom != top {
            let found = format!("{bottom} and {top}");
            return Err(self.source.malformed(at, "equal radii", found));
        }
        let half = Vec3::Y * (sizes.height.unwrap_or(height) / 2.0);
        Ok(([-half, half], bottom))
    }

    fn mesh_of(
        &self,
        sizes: Option<Sizes>,
        is_convex: bool,
        at: &str,
    ) -> Result<ColliderShape, Error> {
        let mesh = sizes.and_then(|sizes| sizes.mesh);
        let mesh = mesh.ok_or_else(|| Error::missing(self.source.path, at, "a `mesh`"))?;
        self.mesh(mesh, is_convex, at)
    }

    /// The triangles of all primitives of a mesh, or their hull; without skin and morph targets.
    fn mesh(&self, number: usize, is_convex: bool, at: &str) -> Result<ColliderShape, Error> {
        let meshes = &self.source.document.meshes;
        let Some(mesh) = meshes.get(number) else {
            let expected = format!("the index of one of {} meshes", meshes.len());
            return Err(self.source.malformed(at, expected, number.to_string()));
        };
        let mut part = PartData::default();
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let reader = Reader {
                source: self.source,
                accessors: self.accessors,
                primitive,
                location: Location {
                    mesh_index: number,
                    index,
                },
            };
            let mode = primitive.mode.unwrap_or(TRIANGLES);
            let Some(&positions) = primitive.attributes.get("POSITION") else {
                continue;
            };
            if mode < TRIANGLES {
                continue;
            }
            reader.require_uncompressed(positions)?;
            let positions = reader.vectors(positions)?;
            let triangles = reader.triangles(mode, positions.len())?;
            let first = u32::try_from(part.positions.len()).unwrap_or(u32::MAX);
            let shifted = |corner: u32| corner.saturating_add(first);
            let triangles = triangles.into_iter().map(|corners| corners.map(shifted));
            part.triangles.extend(triangles);
            part.positions.extend(positions);
        }
        if !is_convex {
            return Ok(ColliderShape::Mesh(Box::new(part)));
        }
        let corners = part.triangles.iter().flatten();
        let corners = corners.filter_map(|corner| part.positions.get(*corner as usize));
        let hull = ConvexHull::new(corners.copied());
        let refused = |error| Error::refused(self.source.path, at, error);
        Ok(ColliderShape::Solid(hull.map_err(refused)?.into()))
    }
}
