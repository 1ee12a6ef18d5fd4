//! The world that a question queries, given by the poses of its models.

use super::fields::Fields;
use super::refusal::{FieldError, Refusal};
use super::view::PoseRequest;
use serde_json::Value;

/// The scene in other poses; or between two moments, each in its poses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AskedWorld {
    /// The objects that are not posed as in the scene; of two moments at the later.
    pub poses: Vec<PoseRequest>,
    /// Where it lies between two moments.
    pub past: Option<PastWorld>,
}

/// A time between two moments of a page's world.
#[derive(Debug, Clone, PartialEq)]
pub struct PastWorld {
    /// The objects that were not posed as in the scene at the earlier moment.
    pub poses: Vec<PoseRequest>,
    /// The two moments, milliseconds.
    pub ticks: [u64; 2],
    /// The time between them, milliseconds.
    pub time: u64,
}

impl AskedWorld {
    pub(super) fn read(place: &str, value: Value) -> Result<Self, FieldError> {
        let mut fields = Fields::of_object(place, value)?;
        let poses = PoseRequest::read_list(&mut fields)?;
        let past = fields.read("past", PastWorld::read)?;
        fields.finish()?;
        Ok(Self { poses, past })
    }
}

impl PastWorld {
    fn read(place: &str, value: Value) -> Result<Self, FieldError> {
        let mut fields = Fields::of_object(place, value)?;
        let poses = PoseRequest::read_list(&mut fields)?;
        let mut moment = |name: &str| {
            let millis = fields.optional_u53(name)?;
            millis.ok_or_else(|| Refusal::new(fields.place(name), "nothing", "whole milliseconds"))
        };
        let [start, end, time] = [moment("start")?, moment("end")?, moment("time")?];
        if !(start < end && (start..=end).contains(&time)) {
            let found = format!("{time} from {start} to {end}");
            let expected = "a time between two moments";
            return Err(Refusal::new(fields.place("time"), found, expected));
        }
        fields.finish()?;
        let ticks = [start, end];
        Ok(Self { poses, ticks, time })
    }
}
