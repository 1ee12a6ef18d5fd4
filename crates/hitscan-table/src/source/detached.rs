//! Streams whose reads may block, read on threads of their own.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::pipeline::Stop;

/// A stream that is read on a thread of its own, so that a read which blocks (a terminal, a pipe
/// whose producer is slow) does not keep a stopped run from ending.
///
/// The thread lives until its read returns; then it finds the receiver gone.
pub(super) struct DetachedReader<'a> {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    taken: usize,
    stop: Stop<'a>,
}

impl<'a> DetachedReader<'a> {
    pub(super) fn new(mut stream: Box<dyn Read + Send>, stop: Stop<'a>) -> Self {
        const BLOCK_BYTES: usize = 64 * 1024;
        const BLOCKS: usize = 4;
        let (sender, blocks) = sync_channel(BLOCKS);
        thread::spawn(move || {
            loop {
                let mut block = vec![0; BLOCK_BYTES];
                let read = match stream.read(&mut block) {
                    Ok(read) => {
                        block.truncate(read);
                        Ok(block)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let last = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || last {
                    return;
                }
            }
        });
        Self {
            blocks,
            block: Vec::new(),
            taken: 0,
            stop,
        }
    }
}

impl Read for DetachedReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        /// How soon a stopped run ends.
        const PATIENCE: Duration = Duration::from_millis(50);
        while self.taken == self.block.len() {
            match self.blocks.recv_timeout(PATIENCE) {
                Ok(block) => {
                    self.block = block?;
                    self.taken = 0;
                    if self.block.is_empty() {
                        return Ok(0);
                    }
                }
                // The thread has sent its last block.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.stop.is_set() => {
                    return Err(io::Error::other("the run was stopped"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let rest = &self.block[self.taken..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}
