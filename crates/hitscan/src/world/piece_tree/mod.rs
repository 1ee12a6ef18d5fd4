//! The triangles and solids of objects as a tree of boxes in the world, whatever the objects are, and the walk of
//! two such trees together.
//!
//! Nothing is built: a mesh has its tree already, terrain its pyramid, a compound and a model of many parts theirs
//! over the parts. `PieceTree` puts these one above the other, and takes their boxes into the world.

mod object_tree;
mod piece;
mod tree;
mod pair_walk;

pub(crate) use object_tree::{BoxedNode, BoxedPiece, ObjectTree, PieceNode, PieceRank};
pub(crate) use pair_walk::{PairSearch, Trees, walk_pairs};
pub(crate) use piece::Piece;
pub(crate) use tree::PieceTree;
