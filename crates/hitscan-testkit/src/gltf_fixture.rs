//! Small glTF files made to order: a document as JSON, and its bytes.
//!
//! Nothing is checked, so that broken files can be made as easily as sound ones.

use std::path::Path;

use hitscan::Model;
use hitscan_assets::{Error, ModelFile, ModelOptions, read_model_bytes};
use serde_json::{Value, json};

/// The corners of [`GltfFixture::triangle`].
pub const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A glTF file in the making: one buffer, and whatever the document says.
#[derive(Debug, Clone)]
pub struct GltfFixture {
    /// The document, but for its first buffer.
    pub document: Value,
    /// The content of the first buffer.
    pub bytes: Vec<u8>,
}

impl Default for GltfFixture {
    fn default() -> Self {
        Self::new()
    }
}

impl GltfFixture {
    /// A document that holds nothing.
    #[must_use]
    pub fn new() -> Self {
        Self {
            document: json!({ "asset": { "version": "2.0" } }),
            bytes: Vec::new(),
        }
    }

    /// One node with a mesh of one triangle.
    #[must_use]
    pub fn triangle() -> Self {
        Self::with_positions(|fixture| fixture.floats("VEC3", &TRIANGLE))
    }

    /// One node with a mesh whose positions are the accessor that `positions` makes.
    #[must_use]
    pub fn with_positions(positions: impl FnOnce(&mut Self) -> usize) -> Self {
        let mut fixture = Self::new();
        let accessor = positions(&mut fixture);
        fixture.node_with(json!({ "attributes": { "POSITION": accessor } }));
        fixture
    }

    /// Appends `value` to the document's array called `list`; answers its index there.
    ///
    /// # Panics
    /// When the document has something else than an array of that name.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let entry = &mut self.document[list];
        if entry.is_null() {
            *entry = json!([]);
        }
        let list = entry.as_array_mut().expect("only arrays are pushed to");
        list.push(value);
        list.len() - 1
    }

    /// Appends bytes, at a multiple of 4, and a view of them; answers the view's index.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.push("bufferViews", view)
    }

    /// Appends floats and an accessor of them with elements of type `shape`, such as `VEC3`.
    pub fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let components = match shape {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let view = self.view(&bytes);
        let count = values.len() / components;
        self.accessor(
            json!({ "bufferView": view, "componentType": 5126, "count": count, "type": shape }),
        )
    }

    /// Appends an accessor; answers its index.
    pub fn accessor(&mut self, accessor: Value) -> usize {
        self.push("accessors", accessor)
    }

    /// Appends a mesh of one primitive and a node that has it; answers the node's index.
    pub fn node_with(&mut self, primitive: Value) -> usize {
        let mesh = self.push("meshes", json!({ "primitives": [primitive] }));
        self.push("nodes", json!({ "mesh": mesh }))
    }

    /// The file as `.glb`.
    ///
    /// # Panics
    /// When it is longer than 4 GiB.
    #[must_use]
    pub fn glb(&self) -> Vec<u8> {
        let mut document = self.document.clone();
        if !self.bytes.is_empty() {
            self.set_buffer(&mut document, json!({ "byteLength": self.bytes.len() }));
        }
        let mut json = document.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bytes.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);

        let mut chunks = vec![(b"JSON", json)];
        if !bin.is_empty() {
            chunks.push((b"BIN\0", bin));
        }
        let length_of = |bytes: &[u8]| u32::try_from(bytes.len()).expect("a small file");
        let mut file = Vec::new();
        for (kind, chunk) in chunks {
            file.extend(length_of(&chunk).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
        let mut header = b"glTF\x02\0\0\0".to_vec();
        header.extend((length_of(&file) + 12).to_le_bytes());
        header.extend(file);
        header
    }

    /// The file as `.gltf` whose buffer is `uri`.
    #[must_use]
    pub fn gltf(&self, uri: &str) -> Vec<u8> {
        let mut document = self.document.clone();
        let buffer = json!({ "byteLength": self.bytes.len(), "uri": uri });
        self.set_buffer(&mut document, buffer);
        document.to_string().into_bytes()
    }

    /// What is read from the file; the library must take it.
    ///
    /// # Panics
    /// When the file is refused.
    #[must_use]
    pub fn read(&self) -> ModelFile {
        let file = self.read_with(&ModelOptions::default());
        let file = file.unwrap_or_else(|error| panic!("{error}"));
        Model::new(file.data.clone()).unwrap_or_else(|error| panic!("{error}"));
        file
    }

    /// What is read from the file with the given options, or why it is refused.
    ///
    /// # Errors
    /// Those of [`read_model_bytes`].
    pub fn read_with(&self, options: &ModelOptions) -> Result<ModelFile, Error> {
        read_model_bytes(Path::new("m.glb"), &self.glb(), options)
    }

    /// Why the file is refused, without the file's name.
    ///
    /// # Panics
    /// When it is not.
    #[must_use]
    pub fn refusal(&self) -> String {
        refusal_of("m.glb", &self.glb())
    }

    fn set_buffer(&self, document: &mut Value, buffer: Value) {
        if let Some(buffers) = document["buffers"].as_array_mut() {
            buffers.insert(0, buffer);
        } else {
            document["buffers"] = json!([buffer]);
        }
    }
}

/// Why a file called `name` with the given content is refused, without its name.
///
/// # Panics
/// When it is not refused.
#[must_use]
pub fn refusal_of(name: &str, bytes: &[u8]) -> String {
    match read_model_bytes(Path::new(name), bytes, &ModelOptions::default()) {
        Ok(_) => panic!("{name} is read"),
        Err(error) => {
            let message = error.to_string();
            let rest = message.split_once(&format!("{name}: "));
            rest.map_or(message.clone(), |(_, rest)| rest.to_owned())
        }
    }
}
