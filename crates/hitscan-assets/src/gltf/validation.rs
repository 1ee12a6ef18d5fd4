//! Every index and every length that a document states, checked once, before anything is read.
//!
//! After this, an index in the document points at something, views lie in their buffers' stated
//! lengths and accessors in their views. Whether a buffer has the bytes it states is `buffers.rs`'s
//! to check; whether nodes form a forest, `nodes.rs`'s.

use super::Source;
use super::document::{Accessor, BufferView, Sparse};
use super::layout::{Component, Layout, Shape};
use super::meshopt;
use crate::Error;

/// Checks all indices and lengths.
pub(super) fn document(source: Source<'_>) -> Result<(), Error> {
    for index in 0..source.document.buffer_views.len() {
        view(source, index)?;
    }
    for index in 0..source.document.accessors.len() {
        accessor(source, index)?;
    }
    hierarchy(source)?;
    meshes(source)?;
    motion(source)
}

/// Checks that `index` numbers one of `count` things called `what`.
fn index(
    source: Source<'_>,
    index: usize,
    count: usize,
    what: &str,
    location: impl FnOnce() -> String,
) -> Result<(), Error> {
    if index < count {
        return Ok(());
    }
    let expected = format!("the index of one of {count} {what}");
    Err(source.malformed(location(), expected, index.to_string()))
}

/// Checks that `offset + length` bytes are there among `available`.
fn range(
    source: Source<'_>,
    offset: usize,
    length: Option<usize>,
    available: usize,
    location: impl FnOnce() -> String,
) -> Result<(), Error> {
    let end = length.and_then(|length| offset.checked_add(length));
    if end.is_some_and(|end| end <= available) {
        return Ok(());
    }
    let found = end.map_or_else(|| "more than can be counted".to_owned(), |e| e.to_string());
    let expected = format!("an end at byte {available} at most");
    Err(source.malformed(location(), expected, found))
}

fn view(source: Source<'_>, view_index: usize) -> Result<(), Error> {
    let location = |property: &str| format!("bufferViews[{view_index}]{property}");
    let buffers = &source.document.buffers;
    let view = &source.document.buffer_views[view_index];
    index(source, view.buffer, buffers.len(), "buffers", || {
        location(".buffer")
    })?;
    let buffer = &buffers[view.buffer];
    let length = Some(view.byte_length);
    range(source, view.byte_offset, length, buffer.byte_length, || {
        location("")
    })?;

    match view.compression() {
        None if buffer.is_fallback() => Err(source.malformed(
            location(".buffer"),
            "a buffer with bytes, as the view is not compressed",
            format!("{}, which is a fallback", view.buffer),
        )),
        None => Ok(()),
        Some(compression) => {
            index(source, compression.buffer, buffers.len(), "buffers", || {
                location(".extensions.buffer")
            })?;
            let available = buffers[compression.buffer].byte_length;
            let length = Some(compression.byte_length);
            range(source, compression.byte_offset, length, available, || {
                location(".extensions")
            })?;
            meshopt::check(source, view_index, view, compression)
        }
    }
}

/// The layout of accessor `index`, whose type names were checked.
pub(super) fn layout(source: Source<'_>, index: usize) -> Result<Layout, Error> {
    let accessor = &source.document.accessors[index];
    let component = Component::from_code(accessor.component_type).ok_or_else(|| {
        let location = format!("accessors[{index}].componentType");
        let found = accessor.component_type.to_string();
        source.malformed(location, "5120 to 5123, 5125 or 5126", found)
    })?;
    let shape = Shape::from_name(&accessor.element_type).ok_or_else(|| {
        let location = format!("accessors[{index}].type");
        let found = format!("`{}`", accessor.element_type);
        source.malformed(location, "SCALAR, VEC2 to VEC4 or MAT2 to MAT4", found)
    })?;
    Ok(Layout { component, shape })
}

/// Bytes from one element to the next.
pub(super) fn stride(view: &BufferView, layout: Layout) -> usize {
    view.byte_stride.unwrap_or_else(|| layout.packed_stride())
}

fn accessor(source: Source<'_>, accessor_index: usize) -> Result<(), Error> {
    let location = |property: &str| format!("accessors[{accessor_index}]{property}");
    let accessor = &source.document.accessors[accessor_index];
    let layout = layout(source, accessor_index)?;
    if accessor.count == 0 {
        return Err(source.malformed(location(".count"), "at least 1", "0"));
    }
    if let Some(view_index) = accessor.buffer_view {
        let views = &source.document.buffer_views;
        index(source, view_index, views.len(), "bufferViews", || {
            location(".bufferView")
        })?;
        let view = &views[view_index];
        let stride = stride(view, layout);
        if stride < layout.used_size() {
            let expected = format!("at least the element's {} bytes", layout.used_size());
            let location = format!("bufferViews[{view_index}].byteStride");
            return Err(source.malformed(location, expected, stride.to_string()));
        }
        let length = layout.span(accessor.count, stride);
        range(
            source,
            accessor.byte_offset,
            length,
            view.byte_length,
            || location(", in its bufferView"),
        )?;
    }
    match &accessor.sparse {
        Some(sparse) => check_sparse(source, accessor_index, accessor, sparse, layout),
        None => Ok(()),
    }
}

fn check_sparse(
    source: Source<'_>,
    accessor_index: usize,
    accessor: &Accessor,
    sparse: &Sparse,
    layout: Layout,
) -> Result<(), Error> {
    let location = |property: &str| format!("accessors[{accessor_index}].sparse{property}");
    let views = &source.document.buffer_views;
    if sparse.count > accessor.count {
        let expected = format!("at most the accessor's {}", accessor.count);
        return Err(source.malformed(location(".count"), expected, sparse.count.to_string()));
    }
    let component = sparse_component(sparse).ok_or_else(|| {
        let found = sparse.indices.component_type.to_string();
        source.malformed(
            location(".indices.componentType"),
            "5121, 5123 or 5125",
            found,
        )
    })?;
    index(
        source,
        sparse.indices.buffer_view,
        views.len(),
        "bufferViews",
        || location(".indices.bufferView"),
    )?;
    let available = views[sparse.indices.buffer_view].byte_length;
    let length = sparse.count.checked_mul(component.size());
    range(
        source,
        sparse.indices.byte_offset,
        length,
        available,
        || location(".indices, in its bufferView"),
    )?;
    index(
        source,
        sparse.values.buffer_view,
        views.len(),
        "bufferViews",
        || location(".values.bufferView"),
    )?;
    let available = views[sparse.values.buffer_view].byte_length;
    let length = layout.span(sparse.count, layout.packed_stride());
    range(source, sparse.values.byte_offset, length, available, || {
        location(".values, in its bufferView")
    })
}

/// The type of a sparse accessor's indices: unsigned, or `None`.
pub(super) fn sparse_component(sparse: &Sparse) -> Option<Component> {
    Component::from_code(sparse.indices.component_type)
        .filter(|c| matches!(c, Component::U8 | Component::U16 | Component::U32))
}

fn hierarchy(source: Source<'_>) -> Result<(), Error> {
    let document = source.document;
    let node_count = document.nodes.len();
    for (at, node) in document.nodes.iter().enumerate() {
        for (child_at, &child) in node.children.iter().enumerate() {
            index(source, child, node_count, "nodes", || {
                format!("nodes[{at}].children[{child_at}]")
            })?;
        }
        if let Some(mesh) = node.mesh {
            index(source, mesh, document.meshes.len(), "meshes", || {
                format!("nodes[{at}].mesh")
            })?;
        }
        if let Some(instancing) = &node.extensions.instancing {
            for (name, &accessor) in &instancing.attributes {
                index(
                    source,
                    accessor,
                    document.accessors.len(),
                    "accessors",
                    || format!("nodes[{at}].extensions.EXT_mesh_gpu_instancing.attributes.{name}"),
                )?;
            }
        }
        if let Some(skin) = node.skin {
            index(source, skin, document.skins.len(), "skins", || {
                format!("nodes[{at}].skin")
            })?;
        }
    }
    for (at, scene) in document.scenes.iter().enumerate() {
        for (root_at, &root) in scene.nodes.iter().enumerate() {
            index(source, root, node_count, "nodes", || {
                format!("scenes[{at}].nodes[{root_at}]")
            })?;
        }
    }
    if let Some(scene) = document.scene {
        index(source, scene, document.scenes.len(), "scenes", || {
            "scene".to_owned()
        })?;
    }
    Ok(())
}

fn meshes(source: Source<'_>) -> Result<(), Error> {
    let count = source.document.accessors.len();
    for (mesh_at, mesh) in source.document.meshes.iter().enumerate() {
        for (at, primitive) in mesh.primitives.iter().enumerate() {
            let location = || format!("meshes[{mesh_at}].primitives[{at}]");
            for (name, &accessor) in &primitive.attributes {
                index(source, accessor, count, "accessors", || {
                    format!("{}.attributes.{name}", location())
                })?;
            }
            for (target_at, target) in primitive.targets.iter().enumerate() {
                for (name, &accessor) in target {
                    index(source, accessor, count, "accessors", || {
                        format!("{}.targets[{target_at}].{name}", location())
                    })?;
                }
            }
            if let Some(indices) = primitive.indices {
                index(source, indices, count, "accessors", || {
                    format!("{}.indices", location())
                })?;
            }
        }
    }
    Ok(())
}

fn motion(source: Source<'_>) -> Result<(), Error> {
    let document = source.document;
    let [accessors, nodes] = [document.accessors.len(), document.nodes.len()];
    for (at, skin) in document.skins.iter().enumerate() {
        for (joint_at, &joint) in skin.joints.iter().enumerate() {
            index(source, joint, nodes, "nodes", || {
                format!("skins[{at}].joints[{joint_at}]")
            })?;
        }
        if let Some(matrices) = skin.inverse_bind_matrices {
            index(source, matrices, accessors, "accessors", || {
                format!("skins[{at}].inverseBindMatrices")
            })?;
        }
    }
    for (at, animation) in document.animations.iter().enumerate() {
        for (sampler_at, sampler) in animation.samplers.iter().enumerate() {
            let location = |name| format!("animations[{at}].samplers[{sampler_at}].{name}");
            index(source, sampler.input, accessors, "accessors", || {
                location("input")
            })?;
            index(source, sampler.output, accessors, "accessors", || {
                location("output")
            })?;
        }
        for (channel_at, channel) in animation.channels.iter().enumerate() {
            let location = |name| format!("animations[{at}].channels[{channel_at}].{name}");
            let samplers = animation.samplers.len();
            index(source, channel.sampler, samplers, "samplers", || {
                location("sampler")
            })?;
            if let Some(node) = channel.target.node {
                index(source, node, nodes, "nodes", || location("target.node"))?;
            }
        }
    }
    Ok(())
}
