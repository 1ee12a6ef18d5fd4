//! The pictures at rest that are not on the line yet: they go in parts, few at a time, so that what moves next
//! waits for little, and what a newer view replaces is never sent.

use crate::protocol::{FieldError, FrameCodec, FrameHeader, FramePart, Refusal};
use std::collections::VecDeque;

/// The pictures of a page that go in parts.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// Those that are not sent to their ends, in order.
    waiting: VecDeque<Still>,
    /// The parts that the page has not `received`, in order.
    on_line: VecDeque<Part>,
}

#[derive(Debug)]
struct Still {
    frame: u32,
    /// Whether a word that it comes goes before each part.
    is_announced: bool,
    bytes: Vec<u8>,
    /// How many of them are sent.
    start: usize,
}

#[derive(Debug)]
struct Part {
    frame: u32,
    /// How many bytes of the frame there are with it.
    end: u32,
    /// How many of the line.
    bytes: usize,
}

/// How much may be on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// The most bytes of a part.
    pub(super) bytes: usize,
    /// How many parts.
    pub(super) parts: usize,
}

/// A message that is to be sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReadyFrame {
    /// The frame's number, where a word that it comes goes before it.
    pub(super) announced: Option<u32>,
    /// The frame, or a part of it.
    pub(super) bytes: Vec<u8>,
}

impl Outgoing {
    /// Takes a frame, which goes behind those that wait.
    pub(super) fn add(&mut self, frame: u32, is_announced: bool, bytes: Vec<u8>) {
        self.waiting.push_back(Still {
            frame,
            is_announced,
            bytes,
            start: 0,
        });
    }

    /// What may be sent now.
    pub(super) fn send(&mut self, share: Share) -> Vec<ReadyFrame> {
        let mut ready = Vec::new();
        while self.on_line.len() < share.parts
            && let Some(still) = self.waiting.front_mut()
        {
            let end = still.start.saturating_add(share.bytes);
            let announced = still.is_announced.then_some(still.frame);
            let bytes = match still.part(end) {
                Some((part, end)) => {
                    self.on_line.push_back(Part {
                        frame: still.frame,
                        end,
                        bytes: part.len(),
                    });
                    part
                }
                // All of it at once is the frame itself.
                None => std::mem::take(&mut still.bytes),
            };
            if still.start == still.bytes.len() {
                self.waiting.pop_front();
            }
            ready.push(ReadyFrame { announced, bytes });
        }
        ready
    }

    /// Sends nothing more of what waits; the frames that the page does not get.
    pub(super) fn drop_waiting(&mut self) -> impl Iterator<Item = u32> {
        self.waiting.drain(..).map(|still| still.frame)
    }

    /// A part is on the page, and all before it; how many bytes it had.
    pub(super) fn received(&mut self, frame: u32, end: u32) -> Result<usize, FieldError> {
        let is_it = |part: &Part| (part.frame, part.end) == (frame, end);
        let Some(at) = self.on_line.iter().position(is_it) else {
            let expected = "the frame and the end of a part that was sent";
            return Err(Refusal::new("end", end.to_string(), expected));
        };
        let last = self.on_line.drain(..=at).next_back();
        Ok(last.map_or(0, |part| part.bytes))
    }
}

impl Still {
    /// The message of the bytes from those that are sent to `end`, and where it ends; `None` where these are all
    /// of the frame.
    fn part(&mut self, end: usize) -> Option<(Vec<u8>, u32)> {
        let end = end.min(self.bytes.len());
        let is_whole = self.start == 0 && end == self.bytes.len();
        let (header, _) = FrameHeader::parse(&self.bytes).filter(|_| !is_whole)?;
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let part = FramePart {
            start: number(self.start),
            total: number(self.bytes.len()),
            bytes: &self.bytes[self.start..end],
        };
        let codec = FrameCodec::Part;
        let message = FrameHeader { codec, ..header }.before(&part.to_bytes());
        let ends = part.end();
        self.start = end;
        Some((message, ends))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARE: Share = Share {
        bytes: 40,
        parts: 2,
    };

    fn frame(number: u32, bytes: u8) -> Vec<u8> {
        let header = FrameHeader {
            frame: number,
            ..FrameHeader::default()
        };
        header.before(&(0..bytes).collect::<Vec<u8>>())
    }

    fn part(ready: &ReadyFrame) -> FramePart<'_> {
        let (header, body) = FrameHeader::parse(&ready.bytes).unwrap();
        assert_eq!(header.codec, FrameCodec::Part);
        FramePart::parse(body).unwrap()
    }

    #[test]
    fn parts_follow_as_they_are_received_and_make_the_frame() {
        let mut outgoing = Outgoing::default();
        let whole = frame(7, 64);
        outgoing.add(7, true, whole.clone());
        let mut made: Vec<u8> = Vec::new();
        let mut ends = VecDeque::new();
        let mut next = outgoing.send(SHARE);
        assert_eq!(next.len(), 2);
        loop {
            for ready in &next {
                assert_eq!(ready.announced, Some(7));
                let part = part(ready);
                assert_eq!((part.start as usize, part.total), (made.len(), 100));
                made.extend(part.bytes);
                ends.push_back(part.end());
            }
            let Some(end) = ends.pop_front() else { break };
            outgoing.received(7, end).unwrap();
            next = outgoing.send(SHARE);
        }
        assert_eq!(made, whole);
    }

    #[test]
    fn a_frame_within_a_share_is_sent_as_it_is() {
        let mut outgoing = Outgoing::default();
        outgoing.add(1, false, frame(1, 4));
        let ready = outgoing.send(SHARE);
        let bytes = frame(1, 4);
        let announced = None;
        assert_eq!(ready, [ReadyFrame { announced, bytes }]);
        assert_eq!(outgoing.send(SHARE), []);
    }

    #[test]
    fn what_is_dropped_is_not_sent_and_what_is_on_the_line_still_counts() {
        let mut outgoing = Outgoing::default();
        outgoing.add(1, false, frame(1, 100));
        outgoing.add(2, false, frame(2, 100));
        assert_eq!(outgoing.send(SHARE).len(), 2);
        assert_eq!(outgoing.drop_waiting().collect::<Vec<_>>(), [1, 2]);
        outgoing.add(3, false, frame(3, 100));
        assert_eq!(outgoing.send(SHARE), []);
        // The second acknowledges the first.
        outgoing.received(1, 80).unwrap();
        assert_eq!(outgoing.send(SHARE).len(), 2);
    }

    #[test]
    fn parts_that_were_not_sent_are_refused() {
        let mut outgoing = Outgoing::default();
        outgoing.add(1, false, frame(1, 100));
        let _ = outgoing.send(SHARE);
        for (frame, end) in [(1, 39), (2, 40), (1, 136), (0, 0)] {
            assert!(outgoing.received(frame, end).is_err());
        }
        assert!(outgoing.received(1, 40).is_ok());
        assert!(outgoing.received(1, 40).is_err());
    }
}
