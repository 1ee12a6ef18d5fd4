//! hitscan-assets
