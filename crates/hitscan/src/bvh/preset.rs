//! Build presets: build time against query time.

/// How a shape's tree is built: quickly, or so that queries are quick. No answer depends on it.
///
/// ```
/// use hitscan::BuildPreset;
/// assert_eq!(BuildPreset::default(), BuildPreset::Balanced);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BuildPreset {
    /// The quickest to build, for shapes that change often: queries cost about a tenth more.
    Fast,
    /// Quick queries at a moderate time to build.
    #[default]
    Balanced,
    /// Slightly quicker queries, for shapes that are built once and queried many times.
    Tight,
}
