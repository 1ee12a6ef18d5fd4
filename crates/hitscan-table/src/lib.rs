//! hitscan-table
