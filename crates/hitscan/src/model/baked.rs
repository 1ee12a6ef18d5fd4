//! Models and poses as they are baked; models in a pose are in `posed/baked.rs`.
//!
//! Meshes, weights and displacements are arrays; nodes, skins and clips are small, and are checked by the
//! constructors that check those of files. What bounds the parts of a deformed model is worked out
//! anew, in the order of its vertices.

use super::part::Part;
use super::{
    ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, NodeTransform, Pose,
    Property, SkinData,
};
use crate::Error;
use crate::baked::{Reader, Writer};
use glam::{DAffine3, DMat4, DQuat, DVec3};

impl Model {
    /// Bakes the model; see [`baked`](crate::baked).
    pub fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        writer.size(self.nodes().len());
        for (index, node) in self.nodes().iter().enumerate() {
            writer.text_or_none(node.name());
            writer.u64_or_none(node.parent().map(|parent| parent as u64));
            bake_local(&self.rest.locals()[index], writer);
            let weights = self.rest.weights_of(index);
            writer.size(weights.len());
            writer.f64s(weights);
        }
        writer.size(self.skins.len());
        for skin in &self.skins {
            writer.size(skin.joints().len());
            for (joint, joint_from_bind) in skin.joints().iter().zip(skin.joint_from_bind()) {
                writer.size(*joint);
                writer.f64s(&DAffine3::from(joint_from_bind).to_cols_array());
            }
        }
        writer.size(self.clips.len());
        for clip in &self.clips {
            writer.text_or_none(clip.name());
            writer.size(clip.channels().count());
            for (node, property, times, track) in clip.channels() {
                writer.size(node);
                writer.u32(property as u32);
                writer.u32(track.interpolation as u32);
                bake_numbers(times, writer);
                bake_numbers(&track.values, writer);
            }
        }
        writer.size(self.parts.len());
        for (index, part) in self.parts.iter().enumerate() {
            part.bake(&self.parts[..index], writer);
        }
    }

    /// The model that was baked next. Its meshes are borrowed where they are kept and aligned.
    ///
    /// # Errors
    /// [`Error::Baked`] and [`Error::WrongLength`] for what no writer makes, and what [`Model::new`]
    /// refuses of nodes, skins and clips.
    pub fn from_baked(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let nodes = list(reader, "nodes", 40, read_node)?;
        let skins = list(reader, "skins", 8, read_skin)?;
        let clips = list(reader, "clips", 20, read_clip)?;
        let data = ModelData {
            nodes,
            skins,
            clips,
            parts: Vec::new(),
        };
        Self::with_parts(data, |nodes, skins| {
            let count = reader.count("parts", 20)?;
            let mut parts = Vec::with_capacity(count);
            for _ in 0..count {
                parts.push(Part::from_baked(reader, nodes, skins, &parts)?);
            }
            Ok(parts)
        })
    }
}

impl Pose {
    /// Bakes the pose; see [`baked`](crate::baked).
    pub fn bake(&self, writer: &mut Writer<'_>) {
        for local in self.locals() {
            bake_local(local, writer);
        }
        writer.f64s(self.all_weights());
    }

    /// The pose of `model` that was baked next.
    ///
    /// # Errors
    /// [`Error::Baked`] for what no writer makes, and what setting the pose refuses.
    pub fn from_baked(reader: &mut Reader<'_>, model: &Model) -> Result<Self, Error> {
        let mut pose = model.rest.clone();
        for node in 0..model.nodes().len() {
            pose.set_local(node, read_local(reader)?)?;
        }
        for node in 0..model.nodes().len() {
            let count = pose.weights_of(node).len();
            let weights = (0..count).map(|_| reader.f64("morph weight"));
            let weights = weights.collect::<Result<Vec<_>, _>>()?;
            pose.set_morph_weights(node, &weights)?;
        }
        Ok(pose)
    }
}

/// As many values as are counted there, each of so many bytes at least.
fn list<T>(
    reader: &mut Reader<'_>,
    what: &'static str,
    bytes: usize,
    read: impl Fn(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let count = reader.count(what, bytes)?;
    (0..count).map(|_| read(reader)).collect()
}

fn read_node(reader: &mut Reader<'_>) -> Result<NodeData, Error> {
    let name = reader.text_or_none("name of a node")?.map(str::to_owned);
    let parent = reader.u64_or_none("parent of a node")?;
    let local = read_local(reader)?;
    let weights = list(reader, "morph weights", 8, |reader| {
        reader.f64("morph weight")
    })?;
    Ok(NodeData {
        name,
        parent: parent.map(|parent| usize::try_from(parent).unwrap_or(usize::MAX)),
        local,
        #[expect(
            clippy::cast_possible_truncation,
            reason = "they were f32 before they were baked"
        )]
        morph_weights: weights.into_iter().map(|weight| weight as f32).collect(),
    })
}

fn read_skin(reader: &mut Reader<'_>) -> Result<SkinData, Error> {
    let joints = list(reader, "joints of a skin", 104, |reader| {
        let joint = reader.size("joint of a skin")?;
        let columns = reader.f64s("bind pose of a joint")?;
        Ok((joint, DMat4::from(DAffine3::from_cols_array(&columns))))
    })?;
    let (joints, inverse_bind) = joints.into_iter().unzip();
    Ok(SkinData {
        joints,
        inverse_bind,
    })
}

fn read_clip(reader: &mut Reader<'_>) -> Result<ClipData, Error> {
    let name = reader.text_or_none("name of a clip")?.map(str::to_owned);
    let channels = list(reader, "channels", 32, |reader| {
        Ok(ChannelData {
            node: reader.size("node of a channel")?,
            property: match reader.u32("property of a channel")? {
                0 => Property::Translation,
                1 => Property::Rotation,
                2 => Property::Scale,
                3 => Property::Weights,
                _ => return Err(reader.refused("property of a channel", "0 to 3")),
            },
            interpolation: match reader.u32("interpolation")? {
                0 => Interpolation::Step,
                1 => Interpolation::Linear,
                2 => Interpolation::CubicSpline,
                _ => return Err(reader.refused("interpolation", "0 to 2")),
            },
            times: list(reader, "key times", 4, |reader| reader.f32("key time"))?,
            values: list(reader, "key values", 4, |reader| reader.f32("key value"))?,
        })
    })?;
    Ok(ClipData { name, channels })
}

fn bake_numbers(numbers: &[f32], writer: &mut Writer<'_>) {
    writer.size(numbers.len());
    numbers.iter().for_each(|number| writer.f32(*number));
}

fn bake_local(local: &NodeTransform, writer: &mut Writer<'_>) {
    writer.bool(matches!(local, NodeTransform::Matrix(_)));
    match local {
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } => {
            writer.f64s(&translation.to_array());
            writer.f64s(&rotation.to_array());
            writer.f64s(&scale.to_array());
        }
        NodeTransform::Matrix(matrix) => writer.f64s(&matrix.to_cols_array()),
    }
}

fn read_local(reader: &mut Reader<'_>) -> Result<NodeTransform, Error> {
    let what = "transform of a node";
    Ok(match reader.bool(what)? {
        false => NodeTransform::Trs {
            translation: DVec3::from_array(reader.f64s(what)?),
            rotation: DQuat::from_array(reader.f64s(what)?),
            scale: DVec3::from_array(reader.f64s(what)?),
        },
        true => NodeTransform::Matrix(DMat4::from_cols_array(&reader.f64s(what)?)),
    })
}
