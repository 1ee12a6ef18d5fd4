//! hitscan-testkit
