//! The visits of a trace: boxes and triangles in the order of a ray's traversal.

use crate::query::filter::FilteredBy;
use crate::{ObjectId, Side};

/// What [`Snapshot::trace_ray`](crate::Snapshot::trace_ray) recorded of a ray's walk, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Visits {
    /// The first of them, at most as many as the limit.
    pub visits: Vec<Visit>,
    /// How many there were in all.
    pub count: u64,
}

/// One look at something: a box that was tested, a triangle or a solid.
///
/// Each box is visited once: when it is seen to be missed, or when its turn comes.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// What was looked at.
    pub what: Visited,
    /// Its depth in its own tree, 0 for the root: the tree over objects, that of a model's
    /// parts, of a mesh, the pyramid over terrain. Of a solid the depth of its object.
    pub depth: u32,
    /// The object that it is of; `None` for nodes over objects.
    pub object: Option<ObjectId>,
    /// The part of the model or compound that it is of, 0 for meshes and terrain; `None` where that has no meaning.
    pub part: Option<u32>,
    /// The corners of its box in the world, metres, rounded to f32; bit 0, 1 and 2 of a corner's index
    /// tell whether it is at the upper end of x, y and z of the box's own space. Of a triangle and of
    /// what is in the world's own space the box is along the world's axes.
    pub corners: [[f32; 3]; 8],
    /// From when to when the ray's whole line is in the box, finite; where it is never in it, the first
    /// number, when the last pair of sides is entered, is greater than the second, when the first is
    /// left. Of a triangle both are when the line is in its plane, of a solid when the line enters and
    /// leaves it, where it does.
    pub t: [f32; 2],
    /// The t of the best hit when this was looked at, if there was one.
    pub best: Option<f32>,
    /// What became of it.
    pub verdict: VisitVerdict,
    /// How the line misses a triangle that it misses.
    pub miss: Option<TriangleMiss>,
    /// Whether rounding left the answer about a triangle open, and exact arithmetic decided.
    pub is_decided_exactly: bool,
}

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Visited {
    /// A node of the tree over objects.
    WorldNode,
    /// An object's box in that tree.
    Object,
    /// The box of a model's part.
    Part,
    /// A node or a leaf of a mesh's tree, or a node of the tree over a model's parts.
    TreeNode,
    /// A block of the pyramid over terrain: 4^`level` cells a side.
    Block {
        /// Its level, 1 for blocks of 4x4 cells.
        level: u32,
        /// Its column among the blocks of its level.
        column: u32,
        /// Its row among the blocks of its level.
        row: u32,
    },
    /// A cell of terrain.
    Cell {
        /// Its column.
        column: u32,
        /// Its row.
        row: u32,
    },
    /// A node or a leaf of a deformed part's tree, whose box the pose has moved.
    Cluster,
    /// A triangle.
    Triangle {
        /// Its number in the part.
        triangle: u32,
        /// Its corners in the world, rounded to f32; what has no height is at its cell's lowest.
        corners: [[f32; 3]; 3],
    },
    /// A solid, or such a part of a compound.
    Solid,
}

/// What became of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VisitVerdict {
    /// The line misses it.
    Missed,
    /// The line hits it before `t_min`.
    Behind,
    /// The line hits it after `t_max`.
    Beyond,
    /// It is hit after the best hit so far.
    Farther,
    /// What is in it is looked at.
    Opened,
    /// The filter does not accept the object.
    Filtered(FilteredBy),
    /// It is hit from this side, which does not count.
    WrongSide(Side),
    /// A triangle of terrain without height.
    Hole,
    /// It is hit, and the best so far.
    Hit,
    /// It is hit at the t of the best, which goes before it in order.
    Tie,
}

/// How a line misses a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum TriangleMiss {
    /// It passes an edge on the outside.
    PassesEdge {
        /// The corners at the ends of the edge, the one that is passed farthest outside: 0, 1 or 2.
        edge: [u8; 2],
        /// The barycentric weight of the corner opposite, at the point of the triangle's plane that
        /// the line is in: less than 0, and -1 as far outside as that corner is inside.
        weight: f32,
    },
    /// It lies in the triangle's plane, or is parallel to it.
    InPlane,
    /// The triangle has no area.
    WithoutArea,
}

/// How much was tested for one ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TestCounts {
    /// Boxes: nodes, objects, parts, blocks and cells of terrain.
    pub boxes: u32,
    /// Triangles, and solids.
    pub triangles: u32,
}

impl Visited {
    /// The name in explanations: `world_node`, `object`, `part`, `tree_node`, `block`, `cell`, `cluster`,
    /// `triangle` or `solid`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::WorldNode => "world_node",
            Self::Object => "object",
            Self::Part => "part",
            Self::TreeNode => "tree_node",
            Self::Block { .. } => "block",
            Self::Cell { .. } => "cell",
            Self::Cluster => "cluster",
            Self::Triangle { .. } => "triangle",
            Self::Solid => "solid",
        }
    }

    /// Whether it is a box, and not a triangle or a solid.
    #[must_use]
    pub fn is_box(&self) -> bool {
        !matches!(self, Self::Triangle { .. } | Self::Solid)
    }
}

impl VisitVerdict {
    /// The name in explanations: `missed`, `behind`, `beyond`, `farther`, `opened`, `filtered`,
    /// `wrong_side`, `hole`, `hit` or `tie`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Behind => "behind",
            Self::Beyond => "beyond",
            Self::Farther => "farther",
            Self::Opened => "opened",
            Self::Filtered(_) => "filtered",
            Self::WrongSide(_) => "wrong_side",
            Self::Hole => "hole",
            Self::Hit => "hit",
            Self::Tie => "tie",
        }
    }
}

impl TestCounts {
    /// What these visits count as.
    #[must_use]
    pub fn of(visits: &[Visit]) -> Self {
        let mut counts = Self::default();
        for visit in visits {
            match visit.what.is_box() {
                true => counts.boxes += 1,
                false => counts.triangles += 1,
            }
        }
        counts
    }
}
