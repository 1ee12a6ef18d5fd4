//! The frames of a page: their numbers, which are on their way, how they arrived, and what the last ones show.

use super::bandwidth::{Bandwidth, Load};
use super::outgoing::{Outgoing, ReadyFrame};
use super::view::View;
use crate::limits;
use crate::protocol::{FieldError, FrameHeader, PictureMode, Refusal, ViewRequest};
use hitscan_picture::Pass;
use std::collections::VecDeque;
use std::sync::Arc;

/// The frames of a page.
#[derive(Debug, Default)]
pub(super) struct SentFrames {
    /// The number of the last.
    last: u32,
    /// Those that are being encoded, or not `shown`.
    under_way: Vec<UnderWay>,
    /// What the last ones show.
    kept: VecDeque<(u32, Shown)>,
    /// Those that go in parts.
    outgoing: Outgoing,
    /// How they arrive.
    pub(super) bandwidth: Bandwidth,
}

#[derive(Debug)]
struct UnderWay {
    frame: u32,
    /// `None` while it is being encoded.
    load: Option<Load>,
}

/// What a frame shows: enough to make the ray of each of its pixels again.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) view: Arc<View>,
    /// The first look of that size: of a pixel that is the average of several rays, the ray through
    /// its middle.
    pub(super) look: Pass,
}

impl SentFrames {
    /// Whether one more may be on its way. On a slow line one at rest does not go behind another, so that
    /// what moves next waits for one at most.
    pub(super) fn has_room(&self, is_moving: bool) -> bool {
        let most = match !is_moving && self.bandwidth.is_slow() {
            true => 1,
            false => limits::FRAMES_IN_FLIGHT,
        };
        self.under_way.len() < most
    }

    /// Takes up the next frame, which is to be encoded; its number.
    pub(super) fn add(&mut self, shown: Shown) -> u32 {
        self.last += 1;
        self.under_way.push(UnderWay {
            frame: self.last,
            load: None,
        });
        self.kept.push_back((self.last, shown));
        let too_many = self.kept.len().saturating_sub(limits::FRAMES_KEPT);
        self.kept.drain(..too_many);
        self.last
    }

    /// A frame that was taken up is not sent.
    pub(super) fn abandon(&mut self, frame: u32) {
        self.under_way.retain(|one| one.frame != frame);
        self.kept.retain(|(one, _)| *one != frame);
    }

    /// No pixel of what was sent is queried any more.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
    }

    /// A frame of a view is encoded; what is sent now.
    pub(super) fn encoded(
        &mut self,
        frame: u32,
        view: &ViewRequest,
        bytes: Vec<u8>,
    ) -> Vec<ReadyFrame> {
        let under_way = self.under_way.iter_mut().find(|one| one.frame == frame);
        let header = FrameHeader::parse(&bytes).map(|(header, _)| header);
        if let (Some(one), Some(header)) = (under_way, header) {
            let [width, height] = header.size.map(u64::from);
            one.load = Some(Load {
                bytes: bytes.len(),
                pixels: (header.pass == 0).then_some(width * height),
                is_cost: header.is_cost,
            });
        }
        if view.parts && !view.moving {
            self.outgoing.add(frame, view.sending, bytes);
            return self.outgoing.send(self.bandwidth.share());
        }
        let announced = view.sending.then_some(frame);
        vec![ReadyFrame { announced, bytes }]
    }

    /// Sends nothing more of frames that are not sent to their ends.
    pub(super) fn drop_waiting(&mut self) {
        let waiting: Vec<u32> = self.outgoing.drop_waiting().collect();
        for frame in waiting {
            self.abandon(frame);
        }
    }

    /// A part of a frame is on the page, perhaps in a time that the page says; what is sent now.
    pub(super) fn received(
        &mut self,
        frame: u32,
        end: u32,
        took_us: Option<u32>,
    ) -> Result<Vec<ReadyFrame>, FieldError> {
        let bytes = self.outgoing.received(frame, end)?;
        if let Some(took_us) = took_us {
            self.bandwidth.arrived(bytes, took_us);
        }
        Ok(self.outgoing.send(self.bandwidth.share()))
    }

    /// A frame is on the page, and all before it; perhaps the page says how long its bytes took.
    pub(super) fn shown(&mut self, frame: u32, took_us: Option<u32>) -> Result<(), FieldError> {
        if frame == 0 || frame > self.last {
            let expected = "the number of a frame that was sent";
            return Err(Refusal::new("frame", frame.to_string(), expected));
        }
        let mut under_way = self.under_way.iter();
        let load = under_way
            .find(|one| one.frame == frame)
            .and_then(|one| one.load);
        if let Some(load) = load {
            self.bandwidth.shown(&load);
            if let Some(took_us) = took_us {
                self.bandwidth.arrived(load.bytes, took_us);
            }
        }
        self.under_way.retain(|one| one.frame > frame);
        Ok(())
    }

    /// What a frame shows, if it is one of the last.
    pub(super) fn get(&self, frame: u32) -> Result<&Shown, FieldError> {
        let mut frames = self.kept.iter();
        let found = frames.find(|(number, _)| *number == frame);
        let expected = "one of the last frames";
        found
            .map(|(_, shown)| shown)
            .ok_or_else(|| Refusal::new("frame", frame.to_string(), expected))
    }

    /// The scale of a moving view, as far as the line decides it.
    pub(super) fn step(&mut self, view: &View) -> u32 {
        let request = &view.request;
        let is_cost = request.mode == PictureMode::Cost;
        self.bandwidth.step(request.size, is_cost)
    }
}
