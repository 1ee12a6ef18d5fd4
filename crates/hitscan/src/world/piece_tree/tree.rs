//! The tree of boxes over the pieces of one object, or of those of a surface.

use super::piece::Piece;
use crate::bvh::ChildKind;
use crate::height_field::{Block, BlockChild};
use crate::model::PlacedParts;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::query::filter::QueryFilter;
use crate::tri_mesh::PlacedMesh;
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::SeenParts;
use crate::{HeightField, Primitive, TriangleId};
use glam::DVec3;
use smallvec::SmallVec;

/// The pieces of an object, or of the objects of a surface, whose parts are then those of all of them, object after
/// object.
pub(crate) struct PieceTree<'a> {
    members: SmallVec<[Member<'a>; 1]>,
}

struct Member<'a> {
    shape: MemberShape<'a>,
    /// The number of the first of its parts among those of all.
    first_part: u32,
}

enum MemberShape<'a> {
    Field(&'a HeightField),
    Parts(PlacedParts<'a>),
    Solid(Primitive),
    Compound(SeenParts<'a>),
}

/// A node of the tree: of which object, and what of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    member: u32,
    kind: NodeKind,
}

#[derive(Debug, Clone, Copy)]
enum NodeKind {
    /// A node of a tree over parts.
    Parts(u32),
    /// A node of the tree over a part's triangles, and a leaf of it.
    Triangles {
        part: u32,
        node: u32,
    },
    Leaf {
        part: u32,
        leaf: u32,
    },
    /// Blocks of terrain, and cells.
    Block(Block),
    Cell([u32; 2]),
    /// Pieces.
    Triangle {
        part: u32,
        triangle: u32,
    },
    Solid {
        part: u32,
    },
}

impl Node {
    /// Whether it is a piece.
    pub(super) fn is_piece(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Triangle { .. } | NodeKind::Solid { .. }
        )
    }

    /// Whether it is a piece, or has only pieces below it.
    pub(super) fn is_last(&self) -> bool {
        self.is_piece() || matches!(self.kind, NodeKind::Leaf { .. } | NodeKind::Cell(_))
    }
}

/// A node with the corners of the box around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoundedNode {
    pub(super) node: Node,
    pub(super) bounds: [DVec3; 2],
}

/// A visitor of nodes.
type Visit<'a> = &'a mut dyn FnMut(BoundedNode);

impl<'a> PieceTree<'a> {
    /// The pieces of an object; of a compound those that the filter accepts.
    pub(crate) fn of_object(object: &'a Object, filter: &'a QueryFilter<'a>) -> Self {
        Self::of_members(core::iter::once((object, 0)), filter)
    }

    /// The pieces of objects, each with the number of its first part.
    pub(crate) fn of_members(
        objects: impl Iterator<Item = (&'a Object, u32)>,
        filter: &'a QueryFilter<'a>,
    ) -> Self {
        let members = objects.map(|(object, first_part)| Member {
            first_part,
            shape: match &object.shape {
                Shape::HeightField(field) => MemberShape::Field(field),
                Shape::Instance(instance) => MemberShape::Parts(instance.parts()),
                Shape::Primitive(solid) => MemberShape::Solid(solid.get()),
                Shape::Compound(compound) => {
                    MemberShape::Compound(compound.seen(object.id, filter))
                }
            },
        });
        Self {
            members: members.collect(),
        }
    }

    /// Visits the topmost nodes.
    pub(super) fn for_each_root(&self, visit: Visit<'_>) {
        for (number, member) in (0..).zip(&self.members) {
            let mut visit = |kind: NodeKind, bounds: [DVec3; 2]| {
                let node = Node {
                    member: number,
                    kind,
                };
                visit(BoundedNode { node, bounds });
            };
            match &member.shape {
                MemberShape::Field(field) => {
                    let root = field.root_block();
                    if let Some((min, max)) = field.block_box(root).map(|[min, max]| (min, max)) {
                        visit(NodeKind::Block(root), [min, max]);
                    }
                }
                MemberShape::Parts(parts) => {
                    if let Some(tree) = parts.tree() {
                        if let Some(bounds) = tree.tree.bounds() {
                            visit(NodeKind::Parts(0), corners(&bounds));
                        }
                        continue;
                    }
                    for part in parts.all() {
                        part_root(*parts, part.index, &mut visit);
                    }
                }
                MemberShape::Solid(solid) => {
                    visit(NodeKind::Solid { part: 0 }, Piece::Solid(0, solid).bounds());
                }
                MemberShape::Compound(parts) => {
                    if let Some(bounds) = parts.tree().bounds() {
                        visit(NodeKind::Parts(0), corners(&bounds));
                    }
                }
            }
        }
    }

    /// Visits the children of a node that is no piece.
    pub(super) fn for_each_child(&self, node: Node, visit: Visit<'_>) {
        let mut visit = |kind: NodeKind, bounds: [DVec3; 2]| {
            let node = Node { kind, ..node };
            visit(BoundedNode { node, bounds });
        };
        match (&self.members[node.member as usize].shape, node.kind) {
            (MemberShape::Field(field), NodeKind::Block(block)) => {
                // A block has 16 children.
                for child in (0..16).filter_map(|child| field.child_of(block, child)) {
                    match child {
                        BlockChild::Block(block) => {
                            if let Some(bounds) = field.block_box(block) {
                                visit(NodeKind::Block(block), bounds);
                            }
                        }
                        BlockChild::Cell(cell) => {
                            visit(NodeKind::Cell(cell), field.cell_box(cell));
                        }
                    }
                }
            }
            (MemberShape::Field(field), NodeKind::Cell(cell)) => {
                field.for_each_in_cell(cell, &mut |triangle, corners| {
                    let kind = NodeKind::Triangle { part: 0, triangle };
                    visit(kind, crate::exact::extremes::box_around(&corners));
                });
            }
            (MemberShape::Parts(parts), NodeKind::Parts(node)) => {
                let Some(tree) = parts.tree() else { return };
                for (child, bounds) in tree.tree.children_with_bounds(node) {
                    match child {
                        ChildKind::Node(node) => visit(NodeKind::Parts(node), corners(&bounds)),
                        ChildKind::Leaf(leaf) => tree.tree.for_each_of_leaf(leaf, &mut |item| {
                            part_root(*parts, tree.parts[item as usize], &mut visit);
                        }),
                    }
                }
            }
            (MemberShape::Parts(parts), NodeKind::Triangles { part, node }) => {
                let Some(mesh) = placed_mesh(*parts, part) else {
                    return;
                };
                mesh.for_each_child(node, &mut |child, bounds| {
                    let kind = match child {
                        ChildKind::Node(node) => NodeKind::Triangles { part, node },
                        ChildKind::Leaf(leaf) => NodeKind::Leaf { part, leaf },
                    };
                    visit(kind, bounds);
                });
            }
            (MemberShape::Parts(parts), NodeKind::Leaf { part, leaf }) => {
                let Some(mesh) = placed_mesh(*parts, part) else {
                    return;
                };
                mesh.for_each_of_leaf(leaf, &mut |triangle| {
                    let corners = mesh.corners(triangle);
                    let kind = NodeKind::Triangle { part, triangle };
                    visit(kind, crate::exact::extremes::box_around(&corners));
                });
            }
            (MemberShape::Compound(parts), NodeKind::Parts(node)) => {
                let tree = parts.tree();
                for (child, bounds) in tree.children_with_bounds(node) {
                    match child {
                        ChildKind::Node(node) => visit(NodeKind::Parts(node), corners(&bounds)),
                        ChildKind::Leaf(leaf) => tree.for_each_of_leaf(leaf, &mut |part| {
                            if let Some(solid) = parts.part(part) {
                                visit(NodeKind::Solid { part }, Piece::Solid(part, solid).bounds());
                            }
                        }),
                    }
                }
            }
            // A piece, or a node of another tree.
            _ => {}
        }
    }

    /// The piece that a node is.
    pub(super) fn piece(&self, node: Node) -> Option<Piece<'_>> {
        let member = &self.members[node.member as usize];
        let part_of_all = |part: u32| part + member.first_part;
        match (&member.shape, node.kind) {
            (MemberShape::Field(field), NodeKind::Triangle { triangle, .. }) => {
                Some(Piece::Triangle(SourceTriangle {
                    id: TriangleId {
                        part: member.first_part,
                        triangle,
                    },
                    corners: field.triangle_or_hole(triangle),
                    is_mirrored: false,
                }))
            }
            (MemberShape::Parts(parts), NodeKind::Triangle { part, triangle }) => {
                let own = placed_mesh(*parts, part)?.triangle(triangle);
                let id = TriangleId {
                    part: part_of_all(part),
                    triangle,
                };
                Some(Piece::Triangle(SourceTriangle { id, ..own }))
            }
            (MemberShape::Solid(solid), NodeKind::Solid { .. }) => {
                Some(Piece::Solid(member.first_part, solid))
            }
            (MemberShape::Compound(parts), NodeKind::Solid { part }) => {
                Some(Piece::Solid(part_of_all(part), parts.part(part)?))
            }
            _ => None,
        }
    }

    /// The piece of this name, which is one of the tree's.
    pub(crate) fn piece_of(&self, id: TriangleId) -> Option<Piece<'_>> {
        let after = (self.members).partition_point(|member| member.first_part <= id.part);
        let number = after.checked_sub(1)?;
        let member = &self.members[number];
        let part = id.part - member.first_part;
        let triangle = id.triangle;
        let kind = match &member.shape {
            MemberShape::Field(_) | MemberShape::Parts(_) => NodeKind::Triangle { part, triangle },
            MemberShape::Solid(_) | MemberShape::Compound(_) => NodeKind::Solid { part },
        };
        let member = u32::try_from(number).ok()?;
        self.piece(Node { member, kind })
    }

    /// Visits the pieces whose boxes touch the box between two corners, in no promised order.
    pub(crate) fn for_each_touching(
        &self,
        [min, max]: [DVec3; 2],
        visit: &mut dyn FnMut(Piece<'_>),
    ) {
        let touches = |[low, high]: &[DVec3; 2]| (low.cmple(max) & high.cmpge(min)).all();
        self.for_each_in(&touches, visit);
    }

    /// Visits the pieces in whose boxes `holds`, which holds in boxes around these too, in no promised order.
    pub(crate) fn for_each_in(
        &self,
        holds: &dyn Fn(&[DVec3; 2]) -> bool,
        visit: &mut dyn FnMut(Piece<'_>),
    ) {
        let mut open = Vec::new();
        self.for_each_root(&mut |root| {
            if holds(&root.bounds) {
                open.push(root.node);
            }
        });
        while let Some(node) = open.pop() {
            if let Some(piece) = self.piece(node) {
                visit(piece);
                continue;
            }
            self.for_each_child(node, &mut |child| {
                if holds(&child.bounds) {
                    open.push(child.node);
                }
            });
        }
    }
}

fn placed_mesh(parts: PlacedParts<'_>, part: u32) -> Option<PlacedMesh<'_>> {
    Some(parts.part(part)?.placed_mesh())
}

/// Visits the root of the tree over a part's triangles.
fn part_root(parts: PlacedParts<'_>, part: u32, visit: &mut dyn FnMut(NodeKind, [DVec3; 2])) {
    let bounds = placed_mesh(parts, part).and_then(|mesh| mesh.root_bounds());
    if let Some(bounds) = bounds {
        visit(NodeKind::Triangles { part, node: 0 }, bounds);
    }
}

fn corners(bounds: &crate::Aabb) -> [DVec3; 2] {
    [bounds.min().as_dvec3(), bounds.max().as_dvec3()]
}
