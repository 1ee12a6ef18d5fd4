//! The sides of two cores' difference: the directions in which it has a face.
//!
//! The difference of an obstacle and a shape is all `a - b` with `a` of the obstacle and `b` of the shape.
//! A direction n is a side where the obstacle's corners furthest along n and the shape's least far along n
//! together span two dimensions. `g(n)`, the shape's minimum along n less the obstacle's maximum, is the
//! gap there: the two are apart where one is positive, and overlap where all are negative. So the sides decide
//! when polytopes touch and the shortest way out, whatever found them.
//!
//! A face of either is a side, and so are two edges whose arcs on the Gauss map cross; two edges whose
//! product is square to a face are that face's. A flat difference has its plane's two directions, and in the
//! plane the outward ways of its edges.
//!
//! Source: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013, for the Gauss map. What
//! differs: every decision is exact, and the map is walked in the sweep too.

mod faceted;
mod side;
mod enumeration;
mod rank;
mod entry;
mod certain_entry;
mod depth;
mod contact;

pub(super) use self::contact::{SideContact, first_side_contact};
pub(super) use self::depth::{SideDepth, deepest, exact_depth, order_on_sides};
pub(super) use self::side::{Side, SidePair};
