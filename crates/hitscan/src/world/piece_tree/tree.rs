//! The trees of one object, or of those of a surface, as one; every piece is a node.

use super::object_tree::{BoxedNode, ObjectTree, PieceNode, PieceRank};
use super::piece::Piece;
use crate::TriangleId;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::query::filter::QueryFilter;
use crate::world::object::Object;
use glam::DVec3;
use smallvec::SmallVec;

/// The pieces of an object, or of the objects of a surface, whose parts are then those of all of them, object after
/// object.
pub(crate) struct PieceTree<'a> {
    members: SmallVec<[Member<'a>; 1]>,
}

struct Member<'a> {
    tree: ObjectTree<'a>,
    /// The number of the first of its parts among those of all.
    first_part: u32,
}

/// A node of the tree: its object, and its kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    member: u32,
    kind: NodeKind,
}

#[derive(Debug, Clone, Copy)]
enum NodeKind {
    /// A node of the object's tree, which is a piece where it is a solid.
    Tree(PieceNode),
    Triangle(PieceRank),
}

impl Node {
    /// Whether it is a piece.
    pub(super) fn is_piece(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Triangle(_) | NodeKind::Tree(PieceNode::Solid(_))
        )
    }

    /// Whether it is a piece, or has only pieces below it.
    pub(super) fn is_last(&self) -> bool {
        match self.kind {
            NodeKind::Triangle(_) => true,
            NodeKind::Tree(node) => node.is_leaf(),
        }
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
            tree: ObjectTree::of(object, filter),
        });
        Self {
            members: members.collect(),
        }
    }

    /// Visits the topmost nodes.
    pub(super) fn for_each_root(&self, visit: Visit<'_>) {
        for (number, member) in (0..).zip(&self.members) {
            member
                .tree
                .roots(&mut |boxed| visit(bounded(number, &boxed)));
        }
    }

    /// Visits the children of a node that is no piece.
    pub(super) fn for_each_child(&self, node: Node, visit: Visit<'_>) {
        let NodeKind::Tree(parent) = node.kind else {
            return;
        };
        let tree = &self.members[node.member as usize].tree;
        if parent.is_leaf() {
            tree.for_each_piece(parent, &mut |piece| {
                let kind = NodeKind::Triangle(piece.rank);
                let node = Node { kind, ..node };
                let bounds = [piece.min, piece.max];
                visit(BoundedNode { node, bounds });
            });
        } else {
            tree.children(parent, &mut |boxed| visit(bounded(node.member, &boxed)));
        }
    }

    /// The piece that a node is.
    pub(super) fn piece(&self, node: Node) -> Option<Piece<'_>> {
        let member = &self.members[node.member as usize];
        let part_of_all = |part: u32| part + member.first_part;
        match node.kind {
            NodeKind::Triangle(rank) => {
                let own = member.tree.triangle(rank)?;
                let part = part_of_all(own.id.part);
                let id = TriangleId { part, ..own.id };
                Some(Piece::Triangle(SourceTriangle { id, ..own }))
            }
            NodeKind::Tree(PieceNode::Solid(part)) => {
                Some(Piece::Solid(part_of_all(part), member.tree.solid(part)?))
            }
            NodeKind::Tree(_) => None,
        }
    }

    /// The piece of this name, which is one of the tree's.
    pub(crate) fn piece_of(&self, id: TriangleId) -> Option<Piece<'_>> {
        let after = (self.members).partition_point(|member| member.first_part <= id.part);
        let number = after.checked_sub(1)?;
        let member = &self.members[number];
        let part = id.part - member.first_part;
        let kind = match member.tree.solid(part) {
            Some(_) => NodeKind::Tree(PieceNode::Solid(part)),
            None => NodeKind::Triangle([part, id.triangle]),
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

fn bounded(member: u32, boxed: &BoxedNode) -> BoundedNode {
    let kind = NodeKind::Tree(boxed.node);
    BoundedNode {
        node: Node { member, kind },
        bounds: [boxed.min, boxed.max],
    }
}
