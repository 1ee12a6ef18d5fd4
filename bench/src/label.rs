//! The label of a subject: the library, its version, its mode, and one query a call or many.

use crate::{peers, versions};
use std::fmt;

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Hitscan,
    /// Our own library made to work in another way than it would: a peer.
    HitscanOtherwise,
    /// Our own library on another query of the same extent, a yardstick for the time of one that is
    /// hard. Its answers are not compared.
    Usual,
    ByHand,
    Parry,
    Obvhs,
    Bvh,
    TinyBvh,
    Embree,
    Jolt,
    Rapier,
    Box3d,
    Gdal,
}

impl Family {
    /// The library's name, and the version that runs where it is a peer.
    pub fn title(self) -> String {
        match self {
            Self::Hitscan | Self::HitscanOtherwise | Self::Usual => "hitscan".to_owned(),
            Self::ByHand => "by hand:".to_owned(),
            Self::Parry => versions::with_name("parry3d"),
            Self::Obvhs => versions::with_name("obvhs"),
            Self::Bvh => versions::with_name("bvh"),
            Self::TinyBvh => format!("tinybvh {}", peers::TINYBVH),
            Self::Gdal => format!("GDAL {}", peers::gdal().unwrap_or("(not open)")),
            Self::Rapier => versions::with_name("rapier3d"),
            Self::Box3d => format!("Box3D {}", peers::BOX3D),
            Self::Jolt => format!("Jolt {}", peers::JOLT),
            Self::Embree => format!("Embree {}", peers::embree().unwrap_or("(not open)")),
        }
    }
}

/// How many queries a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    One,
    Many,
}

/// The name in the table and whose it is.
#[derive(Debug, Clone)]
pub struct Label {
    pub family: Family,
    pub call: Call,
    /// The library with its version, and its mode where modes answer differently.
    pub library: String,
    pub name: String,
}

impl Label {
    /// The way may be empty: a library's usual call.
    pub fn new(family: Family, way: impl fmt::Display) -> Self {
        let library = family.title();
        Self {
            family,
            call: Call::One,
            name: format!("{library} {way}").trim_end().to_owned(),
            library,
        }
    }

    /// A way of a library's mode.
    pub fn in_mode(family: Family, mode: &str, way: impl fmt::Display) -> Self {
        let library = format!("{} {mode}", family.title());
        Self {
            family,
            call: Call::One,
            name: format!("{library}, {way}"),
            library,
        }
    }

    /// The same for a call that takes many queries.
    pub fn of_many(self) -> Self {
        Self {
            call: Call::Many,
            ..self
        }
    }
}
