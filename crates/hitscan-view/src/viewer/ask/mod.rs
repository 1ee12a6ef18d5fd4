//! Questions of pages: what tools answer, why, and what there is to draw.
//!
//! A question is checked and given its world by the page ([`super::page`]), and answered here by a
//! job that owns all it needs.

mod budget;
mod settings;
mod query;
mod timing;
mod surface;
mod rounded_hull;
mod wireframe;
mod screw;
mod drawing;
mod sentence;
mod answer;
mod section;
mod miss;
mod axes;
mod explanation;
mod expected;
mod sight;
mod overlay;
mod pairs;
mod viewshed;
mod table_tool;
mod table;
mod job;

pub(super) use answer::Ask;
pub(super) use expected::Expected;
pub(super) use job::{AskWork, Follows};
pub(super) use overlay::OverlayQuestion;
pub(super) use pairs::PairsQuestion;
pub(super) use settings::{ToolSettings, overlap_test};
pub(super) use sight::SightQuestion;
pub(super) use table::TableQuestion;
pub(super) use viewshed::{ViewshedQuestion, ViewshedSlot};
pub(super) use wireframe::WireframeQuestion;

pub use job::{Answered, AskJob};
