//! Compounds as their parts.

use crate::{Compound, CompoundPart, Error, Primitive};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(rename = "CompoundPart")]
struct PartParameters {
    name: String,
    solid: Primitive,
    #[serde(default)]
    user_data: u64,
}

impl From<&CompoundPart> for PartParameters {
    fn from(part: &CompoundPart) -> Self {
        Self {
            name: part.name().to_owned(),
            solid: part.solid().clone(),
            user_data: part.user_data(),
        }
    }
}

impl From<PartParameters> for CompoundPart {
    fn from(part: PartParameters) -> Self {
        Self::new(part.name, part.solid).with_user_data(part.user_data)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Compound")]
struct CompoundParameters {
    parts: Vec<PartParameters>,
}

impl Serialize for Compound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = self.parts().iter().map(PartParameters::from).collect();
        CompoundParameters { parts }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Compound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let CompoundParameters { parts } = CompoundParameters::deserialize(deserializer)?;
        let compound: Result<Self, Error> = Self::new(parts.into_iter().map(CompoundPart::from));
        compound.map_err(D::Error::custom)
    }
}
