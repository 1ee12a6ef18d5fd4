//! Strides of an array: its leading axes, broadcast, and few.

/// The leading axes of an array, which count its rows, row-major.
#[derive(Debug)]
pub(crate) struct Strides {
    /// Lengths and strides in bytes, outermost first; none of length 1, and no two that one stride could
    /// step through.
    axes: Vec<(usize, isize)>,
}

impl Strides {
    /// Axes of these lengths and strides, broadcast to `leading`; `None` where they do not broadcast.
    pub(crate) fn new(leading: &[usize], shape: &[usize], strides: &[isize]) -> Option<Self> {
        let mut together = Self {
            axes: Vec::with_capacity(leading.len()),
        };
        let missing = leading.len().checked_sub(shape.len())?;
        for (axis, &length) in leading.iter().enumerate() {
            let own = axis.checked_sub(missing);
            let stride = match own.map(|own| (shape[own], strides[own])) {
                None | Some((1, _)) => 0,
                Some((own, stride)) if own == length => stride,
                Some(_) => return None,
            };
            together.push(length, stride);
        }
        Some(together)
    }

    /// Adds an axis inside of those there are, joined with the last where one stride steps through both.
    fn push(&mut self, length: usize, stride: isize) {
        if length == 1 {
            return;
        }
        if let Some((outer_length, outer_stride)) = self.axes.last_mut()
            && Some(*outer_stride) == stride.checked_mul(length.cast_signed())
            && let Some(joined) = outer_length.checked_mul(length)
        {
            (*outer_length, *outer_stride) = (joined, stride);
            return;
        }
        self.axes.push((length, stride));
    }

    /// The length and the stride of the innermost axis.
    pub(crate) fn innermost(&self) -> (usize, isize) {
        self.axes.last().copied().unwrap_or((1, 0))
    }

    /// Where a row begins, in bytes from the first.
    pub(crate) fn offset(&self, row: usize) -> isize {
        let mut rest = row;
        let mut offset = 0_isize;
        for &(length, stride) in self.axes.iter().rev() {
            // An index is below its axis's length, so the sum is within the array.
            offset += (rest % length).cast_signed() * stride;
            rest /= length;
        }
        offset
    }
}
