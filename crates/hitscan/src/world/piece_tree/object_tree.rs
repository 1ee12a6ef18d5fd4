//! The pieces of an object, its triangles and solids, as a tree of boxes in world space.
//!
//! Every kind of object is walked alike: the pyramid of terrain, the trees over the parts of a model and over
//! their triangles, the tree over the parts of a compound, a solid alone. Boxes only cull; they hold the
//! pieces below them as they are in f64.

use crate::bvh::{ChildKind, NO_ITEM};
use crate::height_field::{Block, BlockChild};
use crate::model::{PlacedPart, PlacedParts};
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::convex::Convex;
use crate::query::filter::QueryFilter;
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::SeenParts;
use crate::{Aabb, HeightField, Primitive, TriangleId};
use glam::DVec3;

/// How many blocks or cells a block of terrain is made of.
const CHILDREN: u32 = 16;

/// Part and triangle of a piece, in the order of ties; 0 where an object has no such thing.
pub(crate) type PieceRank = [u32; 2];

/// A node of an object's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceNode {
    /// Terrain of several cells.
    Block(Block),
    /// The two triangles of the cell in this column and row.
    Cell([u32; 2]),
    /// Several parts of a model, by the node of the tree over them.
    Parts(u32),
    /// Triangles of a part, by the node of the tree over them.
    Mesh {
        /// The part.
        part: u32,
        /// The node.
        node: u32,
    },
    /// The triangles of a leaf.
    Leaf {
        /// The part.
        part: u32,
        /// The leaf of its tree.
        leaf: u32,
    },
    /// Several parts of a compound, by the node of the tree over them.
    Compound(u32),
    /// A part of a compound, or the one solid that is the object.
    Solid(u32),
}

impl PieceNode {
    /// Whether it has pieces, rather than nodes below it.
    pub(crate) fn is_leaf(self) -> bool {
        matches!(self, Self::Cell(_) | Self::Leaf { .. } | Self::Solid(_))
    }
}

/// A node with the ends of its box, and a piece that none below it comes before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxedNode {
    pub(crate) node: PieceNode,
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
    pub(crate) lowest: PieceRank,
}

impl BoxedNode {
    fn new(node: PieceNode, (min, max): (DVec3, DVec3), lowest: PieceRank) -> Self {
        Self {
            node,
            min,
            max,
            lowest,
        }
    }
}

/// A triangle or a solid of an object, in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxedPiece<'a> {
    pub(crate) rank: PieceRank,
    pub(crate) convex: Convex<'a>,
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl<'a> BoxedPiece<'a> {
    fn triangle(rank: PieceRank, corners: [DVec3; 3], is_mirrored: bool) -> Self {
        let [a, b, c] = corners;
        Self {
            rank,
            convex: Convex {
                is_mirrored,
                ..Convex::triangle(corners)
            },
            min: a.min(b).min(c),
            max: a.max(b).max(c),
        }
    }

    fn solid(part: u32, solid: &'a Primitive) -> Self {
        let (min, max) = ends_of(&solid.bounds());
        Self {
            rank: [part, 0],
            convex: Convex::from(solid),
            min,
            max,
        }
    }
}

/// The tree of an object's pieces.
pub(crate) enum ObjectTree<'a> {
    Field(&'a HeightField),
    /// A mesh or a model in its pose.
    Parts(PlacedParts<'a>),
    /// The meshes of a compound, and its solids that a filter accepts.
    Compound(Option<PlacedParts<'a>>, SeenParts<'a>),
    Solid(Primitive),
}

impl<'a> ObjectTree<'a> {
    /// The tree of an object, of a compound without the parts that `filter` leaves out.
    pub(crate) fn of(object: &'a Object, filter: &'a QueryFilter<'a>) -> Self {
        match &object.shape {
            Shape::HeightField(field) => Self::Field(field),
            Shape::Instance(instance) => Self::Parts(instance.parts()),
            Shape::Compound(compound) => Self::Compound(
                compound.meshes().map(|meshes| meshes.parts()),
                compound.seen(object.id, filter),
            ),
            Shape::Primitive(solid) => Self::Solid(solid.get()),
        }
    }

    /// What answers name a piece by.
    pub(crate) fn feature(&self, [part, triangle]: PieceRank) -> Option<TriangleId> {
        match self {
            Self::Field(_) | Self::Parts(_) => Some(TriangleId { part, triangle }),
            Self::Compound(_, seen) if seen.is_solid(part) => TriangleId::in_part(None, part),
            Self::Compound(..) => Some(TriangleId { part, triangle }),
            Self::Solid(_) => None,
        }
    }

    /// A triangle of the object, as the kernel of moving shapes takes it; `None` for a solid.
    pub(super) fn triangle(&self, [part, triangle]: PieceRank) -> Option<SourceTriangle> {
        match self {
            Self::Field(field) => Some(SourceTriangle {
                id: TriangleId { part, triangle },
                corners: field.triangle_or_hole(triangle),
                is_mirrored: false,
            }),
            Self::Parts(parts) | Self::Compound(Some(parts), _) => {
                Some(parts.part(part)?.placed_mesh().triangle(triangle))
            }
            Self::Compound(None, _) | Self::Solid(_) => None,
        }
    }

    /// The solid that is all of the object, or one of its parts; `None` for a triangle.
    pub(super) fn solid(&self, part: u32) -> Option<&Primitive> {
        match self {
            Self::Compound(_, seen) => seen.part(part),
            Self::Solid(solid) => Some(solid),
            Self::Field(_) | Self::Parts(_) => None,
        }
    }

    /// Adds the nodes that nothing is above.
    pub(crate) fn roots(&self, add: &mut dyn FnMut(BoxedNode)) {
        match self {
            Self::Field(field) => {
                let root = field.root_block();
                if let Some([min, max]) = field.block_box(root) {
                    add(BoxedNode::new(PieceNode::Block(root), (min, max), [0; 2]));
                }
            }
            Self::Parts(parts) => add_roots(*parts, add),
            Self::Compound(meshes, seen) => {
                if let Some(meshes) = meshes {
                    add_roots(*meshes, add);
                }
                if let Some(bounds) = seen.tree().bounds_ref() {
                    let root = PieceNode::Compound(0);
                    add(BoxedNode::new(root, ends_of(bounds), [0; 2]));
                }
            }
            Self::Solid(solid) => {
                let ends = ends_of(&solid.bounds());
                add(BoxedNode::new(PieceNode::Solid(0), ends, [0; 2]));
            }
        }
    }

    /// Adds the nodes below one that is no leaf.
    pub(crate) fn children(&self, node: PieceNode, add: &mut dyn FnMut(BoxedNode)) {
        match (self, node) {
            (Self::Field(field), PieceNode::Block(block)) => add_blocks(field, block, add),
            (Self::Parts(parts) | Self::Compound(Some(parts), _), PieceNode::Parts(node)) => {
                let Some(over) = parts.tree() else { return };
                for (child, bounds) in over.tree.children_with_bounds(node) {
                    match child {
                        ChildKind::Node(below) => {
                            let below = PieceNode::Parts(below);
                            add(BoxedNode::new(below, ends_of(&bounds), [0; 2]));
                        }
                        ChildKind::Leaf(leaf) => {
                            for item in over.tree.items_of(leaf) {
                                if let Some(part) = parts.part(over.parts[item as usize]) {
                                    add_part(&part, add);
                                }
                            }
                        }
                    }
                }
            }
            (
                Self::Parts(parts) | Self::Compound(Some(parts), _),
                PieceNode::Mesh { part: index, node },
            ) => {
                let Some(part) = parts.part(index) else {
                    return;
                };
                let placed = part.placed_mesh();
                let tree = placed.mesh.bvh();
                if tree.node_count() == 0 {
                    return;
                }
                for (child, bounds) in tree.children_with_bounds(node) {
                    let lowest = [index, tree.lowest_item_below(child)];
                    let part = index;
                    let below = match child {
                        ChildKind::Node(node) => PieceNode::Mesh { part, node },
                        ChildKind::Leaf(leaf) => PieceNode::Leaf { part, leaf },
                    };
                    add(BoxedNode::new(below, placed.bounds_of(&bounds), lowest));
                }
            }
            (Self::Compound(_, seen), PieceNode::Compound(node)) => {
                for (child, bounds) in seen.tree().children_with_bounds(node) {
                    match child {
                        ChildKind::Node(below) => {
                            let below = PieceNode::Compound(below);
                            add(BoxedNode::new(below, ends_of(&bounds), [0; 2]));
                        }
                        ChildKind::Leaf(leaf) => {
                            for item in seen.tree().items_of(leaf) {
                                let part = seen.number(item);
                                if let Some(solid) = seen.part(part) {
                                    let ends = ends_of(&solid.bounds());
                                    let one = PieceNode::Solid(part);
                                    add(BoxedNode::new(one, ends, [part, 0]));
                                }
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Visits the pieces of a leaf.
    pub(crate) fn for_each_piece<'p>(
        &'p self,
        leaf: PieceNode,
        visit: &mut dyn FnMut(BoxedPiece<'p>),
    ) {
        match (self, leaf) {
            (Self::Field(field), PieceNode::Cell(place)) => {
                for (triangle, corners) in field.triangles_of(place) {
                    visit(BoxedPiece::triangle([0, triangle], corners, false));
                }
            }
            (
                Self::Parts(parts) | Self::Compound(Some(parts), _),
                PieceNode::Leaf { part: index, leaf },
            ) => {
                let Some(part) = parts.part(index) else {
                    return;
                };
                let placed = part.placed_mesh();
                for &triangle in placed.mesh.bvh().items(leaf) {
                    if triangle == NO_ITEM {
                        break;
                    }
                    let corners = placed.corners(triangle);
                    visit(BoxedPiece::triangle(
                        [index, triangle],
                        corners,
                        placed.is_mirrored,
                    ));
                }
            }
            (Self::Compound(_, seen), PieceNode::Solid(part)) => {
                if let Some(solid) = seen.part(part) {
                    visit(BoxedPiece::solid(part, solid));
                }
            }
            (Self::Solid(solid), PieceNode::Solid(_)) => visit(BoxedPiece::solid(0, solid)),
            _ => {}
        }
    }
}

/// Adds the nodes of a model that nothing is above.
fn add_roots(parts: PlacedParts<'_>, add: &mut dyn FnMut(BoxedNode)) {
    match parts.tree() {
        Some(tree) => {
            if let Some(bounds) = tree.tree.bounds_ref() {
                let root = PieceNode::Parts(0);
                add(BoxedNode::new(root, ends_of(bounds), [0; 2]));
            }
        }
        None => parts.all().for_each(|part| add_part(&part, add)),
    }
}

fn ends_of(bounds: &Aabb) -> (DVec3, DVec3) {
    (bounds.min().as_dvec3(), bounds.max().as_dvec3())
}

/// A part of a model, whose triangles a pose deforms on demand.
fn add_part(part: &PlacedPart<'_>, add: &mut dyn FnMut(BoxedNode)) {
    if let Some(bounds) = part.culling_bounds() {
        let node = PieceNode::Mesh {
            part: part.index,
            node: 0,
        };
        add(BoxedNode::new(node, ends_of(bounds), [part.index, 0]));
    }
}

fn add_blocks(field: &HeightField, block: Block, add: &mut dyn FnMut(BoxedNode)) {
    for child in 0..CHILDREN {
        match field.child_of(block, child) {
            Some(BlockChild::Block(below)) => {
                if let Some([min, max]) = field.block_box(below) {
                    let lowest = [0, field.lowest_triangle_of(below)];
                    add(BoxedNode::new(PieceNode::Block(below), (min, max), lowest));
                }
            }
            Some(BlockChild::Cell(place)) => {
                if let Some([min, max]) = field.cell_ground(place) {
                    let lowest = [0, field.first_triangle_of(place)];
                    add(BoxedNode::new(PieceNode::Cell(place), (min, max), lowest));
                }
            }
            None => {}
        }
    }
}
