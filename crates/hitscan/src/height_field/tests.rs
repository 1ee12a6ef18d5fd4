//! That culling never changes an answer: every query against all triangles, bit for bit.

use super::*;
