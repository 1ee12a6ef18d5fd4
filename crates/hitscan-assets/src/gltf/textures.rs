//! The base colour textures of primitives.
//!
//! What cannot be read here is a warning, and the primitive has no texture.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::accessors::Accessors;
use super::buffers::Buffers;
use super::layout::Shape;
use super::looks::{Image, Looks};
use super::{Source, colors, container, uri, validation};
use crate::model_file::Notes;
use crate::scene_files::SceneFiles;
use crate::texture::{Allowance, PartTexture, TexelImage, Texture, Wrap};
use crate::{Error, PrimitiveIndex};

/// The longest image that is read.
const MAX_IMAGE_BYTES: u64 = 256 << 20;

/// The textures of a file.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    pub(crate) of_primitives: BTreeMap<PrimitiveIndex, Arc<PartTexture>>,
    pub(crate) warnings: Vec<Error>,
}

/// Reads the textures of these primitives of the glTF file at `path`, whose content is `bytes`.
pub(crate) fn read(
    files: &dyn SceneFiles,
    path: &Path,
    bytes: &[u8],
    primitives: impl Iterator<Item = PrimitiveIndex>,
    allowance: &Allowance,
) -> Result<Textures, Error> {
    let mut notes = Notes::default();
    let container = container::open(path, bytes, &mut notes)?;
    let document = container::parse(path, container.json, &mut notes)?;
    let source = Source {
        path,
        document: &document,
    };
    validation::document(source)?;
    let buffers = Buffers::load(files, source, &container, bytes.len(), &mut notes)?;
    let mut reader = Reader {
        files,
        source,
        buffers: &buffers,
        accessors: Accessors::new(source, &buffers),
        looks: Looks::read(path, container.json)?,
        allowance,
        images: BTreeMap::new(),
        warnings: Vec::new(),
    };
    let mut of_primitives = BTreeMap::new();
    for primitive in primitives {
        if of_primitives.contains_key(&primitive) {
            continue;
        }
        match reader.part(primitive) {
            Ok(Some(texture)) => drop(of_primitives.insert(primitive, Arc::new(texture))),
            Ok(None) => {}
            Err(error) => reader.warnings.push(error),
        }
    }
    Ok(Textures {
        of_primitives,
        warnings: reader.warnings,
    })
}

struct Reader<'a> {
    files: &'a dyn SceneFiles,
    source: Source<'a>,
    buffers: &'a Buffers<'a>,
    accessors: Accessors<'a>,
    looks: Looks,
    allowance: &'a Allowance,
    /// The images so far; `None` where one cannot be read, which is a warning once.
    images: BTreeMap<usize, Option<Arc<TexelImage>>>,
    warnings: Vec<Error>,
}

impl Reader<'_> {
    /// The texture of a primitive; `None` where it has none, or its image cannot be read.
    fn part(&mut self, place: PrimitiveIndex) -> Result<Option<PartTexture>, Error> {
        let mesh = self.source.document.meshes.get(place.mesh);
        let primitive = mesh.and_then(|mesh| mesh.primitives.get(place.primitive));
        let Some(primitive) = primitive else {
            return Ok(None);
        };
        let base = colors::material(primitive).and_then(|at| self.looks.base_color(at));
        let Some((base, used)) = base else {
            return Ok(None);
        };
        let [red, green, blue, _] = base.base_color_factor;
        let factor = [red, green, blue].map(|channel| channel.clamp(0.0, 1.0));
        let location = format!("meshes[{}].primitives[{}]", place.mesh, place.primitive);
        let name = used.attribute();
        let accessor = primitive.attributes.get(&name).copied();
        let accessor = accessor.filter(|accessor| self.accessors.has_content(*accessor));
        let accessor = accessor.ok_or_else(|| {
            let what = format!("{name}, which the texture of its material needs,");
            Error::missing(self.source.path, location, what)
        })?;
        let places = self.accessors.floats(accessor, Shape::Vec2)?;
        let moved = places.as_chunks::<2>().0.iter().copied();
        let places: Vec<[f32; 2]> = moved.map(used.transform()).collect();
        if !places.as_flattened().iter().all(|place| place.is_finite()) {
            let (location, found) = (format!("accessors[{accessor}]"), "an infinite one");
            let expected = "finite places in a texture";
            return Err(self.source.malformed(location, expected, found));
        }
        Ok(self.texture(used.index)?.map(|texture| PartTexture {
            texture,
            factor,
            places,
        }))
    }

    fn texture(&mut self, index: usize) -> Result<Option<Texture>, Error> {
        let location = || format!("textures[{index}]");
        let missing = |what| Error::missing(self.source.path, location(), what);
        let texture = self.looks.textures.get(index);
        let texture = texture.ok_or_else(|| missing("the texture of a material"))?;
        let image = texture.source;
        let image = image.ok_or_else(|| missing("an image in PNG or JPEG"))?;
        let sampler = texture.sampler.and_then(|at| self.looks.samplers.get(at));
        let wrap = sampler.map_or([None; 2], |sampler| [sampler.wrap_s, sampler.wrap_t]);
        let wrap = wrap.map(|code| match code {
            Some(33071) => Wrap::Clamp,
            Some(33648) => Wrap::Mirrored,
            _ => Wrap::Repeat,
        });
        if let Some(known) = self.images.get(&image) {
            let known = known.clone();
            return Ok(known.map(|image| Texture { image, wrap }));
        }
        let decoded = self.image(image).map(Arc::new);
        self.images.insert(image, decoded.as_ref().ok().cloned());
        decoded.map(|image| Some(Texture { image, wrap }))
    }

    fn image(&self, index: usize) -> Result<TexelImage, Error> {
        let (path, location) = (self.source.path, format!("images[{index}]"));
        let missing = || Error::missing(path, &location, "the bytes of the image");
        let image = self.looks.images.get(index).ok_or_else(missing)?;
        let decode = |bytes: &[u8]| TexelImage::decode(path, &location, bytes, self.allowance);
        match image {
            Image {
                uri: Some(text), ..
            } => {
                if let Some(bytes) = uri::data(path, &location, text)? {
                    return decode(&bytes);
                }
                let target = uri::file(self.files, path, &location, text)?;
                let bytes = self.files.read(&target, MAX_IMAGE_BYTES);
                decode(&bytes.map_err(|error| error.referred(path, &location, &target))?)
            }
            Image {
                buffer_view: Some(view),
                ..
            } if *view < self.source.document.buffer_views.len() => {
                decode(self.buffers.view(*view)?.ok_or_else(missing)?)
            }
            Image { .. } => Err(missing()),
        }
    }
}
