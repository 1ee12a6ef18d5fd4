//! The byte layout of an accessor's element.
//!
//! Only sizes and offsets; reading is in `accessors.rs`.

/// The type of an element's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    /// The type that a `componentType` names.
    pub(super) fn from_code(code: u32) -> Option<Self> {
        match code {
            5120 => Some(Self::I8),
            5121 => Some(Self::U8),
            5122 => Some(Self::I16),
            5123 => Some(Self::U16),
            5125 => Some(Self::U32),
            5126 => Some(Self::F32),
            _ => None,
        }
    }

    /// Bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

/// How an element's components are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Shape {
    /// The shape that an accessor's `type` names.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "SCALAR" => Some(Self::Scalar),
            "VEC2" => Some(Self::Vec2),
            "VEC3" => Some(Self::Vec3),
            "VEC4" => Some(Self::Vec4),
            "MAT2" => Some(Self::Mat2),
            "MAT3" => Some(Self::Mat3),
            "MAT4" => Some(Self::Mat4),
            _ => None,
        }
    }

    /// The shape's name in a file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        }
    }

    fn columns_and_rows(self) -> (usize, usize) {
        match self {
            Self::Scalar => (1, 1),
            Self::Vec2 => (1, 2),
            Self::Vec3 => (1, 3),
            Self::Vec4 => (1, 4),
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            Self::Mat4 => (4, 4),
        }
    }

    /// How many components an element has.
    pub(super) fn components(self) -> usize {
        let (columns, rows) = self.columns_and_rows();
        columns * rows
    }
}

/// The bytes of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) component: Component,
    pub(super) shape: Shape,
}

impl Layout {
    /// Bytes from one column to the next; the columns of a matrix start at multiples of 4.
    fn column_size(self) -> usize {
        let (columns, rows) = self.shape.columns_and_rows();
        let size = rows * self.component.size();
        if columns == 1 {
            size
        } else {
            size.next_multiple_of(4)
        }
    }

    /// Bytes from one element to the next where elements are tightly packed.
    pub(super) fn packed_stride(self) -> usize {
        let (columns, _) = self.shape.columns_and_rows();
        columns * self.column_size()
    }

    /// The byte at which component `index` (column by column) starts.
    pub(super) fn offset(self, index: usize) -> usize {
        let (_, rows) = self.shape.columns_and_rows();
        index / rows * self.column_size() + index % rows * self.component.size()
    }

    /// Bytes from an element's start to the end of its last component.
    pub(super) fn used_size(self) -> usize {
        self.offset(self.shape.components() - 1) + self.component.size()
    }

    /// Bytes that `count` elements need, `stride` apart, or `None` beyond all numbers.
    pub(super) fn span(self, count: usize, stride: usize) -> Option<usize> {
        match count.checked_sub(1) {
            None => Some(0),
            Some(steps) => steps.checked_mul(stride)?.checked_add(self.used_size()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_columns_are_aligned() {
        let cases = [
            (Component::U8, Shape::Mat2, [0, 4], 8, 6),
            (Component::U8, Shape::Mat3, [0, 4], 12, 11),
            (Component::I16, Shape::Mat3, [0, 8], 24, 22),
            (Component::F32, Shape::Mat4, [0, 16], 64, 64),
            (Component::U16, Shape::Mat2, [0, 4], 8, 8),
        ];
        for (component, shape, columns, stride, used) in cases {
            let layout = Layout { component, shape };
            let (_, rows) = shape.columns_and_rows();
            assert_eq!(
                [layout.offset(0), layout.offset(rows)],
                columns,
                "{layout:?}"
            );
            assert_eq!(layout.packed_stride(), stride, "{layout:?}");
            assert_eq!(layout.used_size(), used, "{layout:?}");
        }
    }

    #[test]
    fn a_span_beyond_all_numbers_is_none() {
        let layout = Layout {
            component: Component::F32,
            shape: Shape::Vec3,
        };
        assert_eq!(layout.span(0, 12), Some(0));
        assert_eq!(layout.span(2, 16), Some(28));
        assert_eq!(layout.span(usize::MAX, 252), None);
    }
}
