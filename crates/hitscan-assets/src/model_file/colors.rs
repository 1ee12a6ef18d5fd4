//! The colours of a model's parts. No query looks at them; pictures do.

/// The colours of a part, linear light from 0 to 1.
///
/// ```
/// use hitscan_assets::PartColors;
/// let colors = PartColors {
///     base: Some([1.0, 0.5, 0.0]),
///     vertices: vec![[1.0; 3], [0.0; 3], [1.0; 3]],
/// };
/// assert_eq!(colors.at([0, 1, 2], [0.5, 0.0]), Some([0.5, 0.25, 0.0]));
/// assert_eq!(PartColors::default().at([0, 1, 2], [0.5, 0.0]), None);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartColors {
    /// The base colour of the part's material; `None` where it has none, or a texture.
    pub base: Option<[f32; 3]>,
    /// A colour for each vertex; empty where the file has none.
    pub vertices: Vec<[f32; 3]>,
}

impl PartColors {
    /// The colour in the triangle with these corners, where the second and the third have these
    /// barycentric weights: the vertices' colours, times the base colour.
    #[must_use]
    pub fn at(&self, corners: [u32; 3], [u, v]: [f32; 2]) -> Option<[f32; 3]> {
        let corner = |corner: u32| self.vertices.get(usize::try_from(corner).ok()?);
        let [a, b, c] = corners.map(corner);
        let (Some(a), Some(b), Some(c)) = (a, b, c) else {
            return self.base;
        };
        let base = self.base.unwrap_or([1.0; 3]);
        Some(std::array::from_fn(|channel| {
            let mixed = a[channel] * (1.0 - u - v) + b[channel] * u + c[channel] * v;
            (mixed * base[channel]).clamp(0.0, 1.0)
        }))
    }
}
