//! The colours of a model's parts. No query looks at them; pictures do.

/// The colours of a part, linear light from 0 to 1.
///
/// ```
/// use hitscan_assets::PartColors;
/// let colors = PartColors {
///     base: Some([1.0, 0.5, 0.0]),
///     vertices: vec![[1.0; 3], [0.0; 3], [1.0; 3]],
///     ..PartColors::default()
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
    /// Which primitive of the file has a texture for the base colour; `None` where there is none.
    pub textured: Option<PrimitiveIndex>,
}

/// A primitive of a glTF file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrimitiveIndex {
    /// The index of its mesh.
    pub mesh: usize,
    /// Its index in the mesh.
    pub primitive: usize,
}

impl PartColors {
    /// The colour in the triangle with these corners, where the second and the third have these
    /// barycentric weights: the vertices' colours, times the base colour.
    #[must_use]
    pub fn at(&self, corners: [u32; 3], weights: [f32; 2]) -> Option<[f32; 3]> {
        let mixed = self.mixed(corners, weights);
        let base = self.base.unwrap_or([1.0; 3]);
        mixed.map_or(self.base, |mixed| Some(product(mixed, base)))
    }

    /// A base colour, times the vertices' colours where there are any.
    pub(crate) fn over(&self, base: [f32; 3], corners: [u32; 3], weights: [f32; 2]) -> [f32; 3] {
        let mixed = self.mixed(corners, weights);
        mixed.map_or(base, |mixed| product(mixed, base))
    }

    fn mixed(&self, corners: [u32; 3], [u, v]: [f32; 2]) -> Option<[f32; 3]> {
        let corner = |corner: u32| self.vertices.get(usize::try_from(corner).ok()?);
        let [a, b, c] = corners.map(corner);
        let (a, b, c) = (a?, b?, c?);
        Some(std::array::from_fn(|channel| {
            a[channel] * (1.0 - u - v) + b[channel] * u + c[channel] * v
        }))
    }
}

fn product(mixed: [f32; 3], base: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|channel| (mixed[channel] * base[channel]).clamp(0.0, 1.0))
}
