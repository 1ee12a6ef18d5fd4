//! The scene file as plain values, one struct for each kind of table.
//!
//! Numbers are finite here, names unique and paths resolved; what shapes demand beyond that (a
//! radius above zero, `min <= max`) is checked where they are made. The text is read in `parse.rs`.

use std::path::PathBuf;

use glam::{DQuat, DVec3, Vec3};
use hitscan::height_field::Diagonal;

use super::camera::SceneCamera;
use super::hull_entry::{CompoundEntry, HullEntry, HullPoints, PartSolid};
use super::location::{KeyLocations, Location};
use crate::UpAxis;

/// The content of a scene file, in its order.
///
/// ```
/// use hitscan_assets::scene::SceneFile;
/// let text = "[[sphere]]\nname = 'planet'\ncenter = [0, 5, 0]\nradius = 2\n";
/// let file = SceneFile::parse("scene.toml".as_ref(), text)?;
/// assert_eq!(file.spheres[0].name, "planet");
///
/// let text = "[[sphere]]\ncentre = [0, 5, 0]\nradius = 2\n";
/// let error = SceneFile::parse("scene.toml".as_ref(), text).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "scene.toml: line 2, column 1: unknown key `centre`; did you mean `center`? \
///      There are `center`, `layers`, `name` and `radius`"
/// );
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SceneFile {
    /// Easting, height and northing of x = y = z = 0.
    pub world_origin: Option<[f64; 3]>,
    /// Whether the georeferenced terrains without a surface of their own are of one.
    pub one_surface: bool,
    /// The camera of its pictures.
    pub camera: Option<SceneCamera>,
    /// The height maps.
    pub terrains: Vec<TerrainEntry>,
    /// The models.
    pub models: Vec<ModelEntry>,
    /// The spheres.
    pub spheres: Vec<SphereEntry>,
    /// The boxes.
    pub boxes: Vec<BoxEntry>,
    /// The capsules.
    pub capsules: Vec<CapsuleEntry>,
    /// The oriented boxes.
    pub obbs: Vec<ObbEntry>,
    /// The crowds.
    pub crowds: Vec<CrowdEntry>,
    /// The convex hulls.
    pub hulls: Vec<HullEntry>,
    /// The cylinders.
    pub cylinders: Vec<CylinderEntry>,
    /// The compounds.
    pub compounds: Vec<CompoundEntry>,
    /// What is probably meant otherwise, one sentence each, with line and column.
    pub warnings: Vec<String>,
}

impl SceneFile {
    /// How many objects there are, tables of places aside.
    pub(super) fn object_count(&self) -> usize {
        let members = self.crowds.iter().map(|entry| match entry.members {
            CrowdMembers::Table(_) => 0,
            CrowdMembers::Seeded { count, .. } => count,
        });
        self.terrains.len()
            + self.models.len()
            + self.spheres.len()
            + self.boxes.len()
            + self.capsules.len()
            + self.obbs.len()
            + self.hulls.len()
            + self.cylinders.len()
            + self.compounds.len()
            + members.sum::<usize>()
    }

    /// The models and tables that the scene names, in its order.
    pub(super) fn model_paths(&self) -> impl Iterator<Item = &PathBuf> {
        let models = self.models.iter().map(|entry| &entry.file);
        let crowds = self.crowds.iter().flat_map(|entry| {
            let table = match &entry.members {
                CrowdMembers::Table(path) => Some(path),
                CrowdMembers::Seeded { .. } => None,
            };
            std::iter::once(&entry.file).chain(table)
        });
        let parts = self.compounds.iter().flat_map(|entry| &entry.parts);
        let parts = parts.filter_map(|part| match &part.solid {
            PartSolid::Hull(hull) => Some(hull),
            PartSolid::Primitive(_) => None,
        });
        let hulls = self.hulls.iter().chain(parts);
        let hulls = hulls.filter_map(|entry| match &entry.points {
            HullPoints::File(path) => Some(path),
            HullPoints::Given(_) => None,
        });
        models.chain(crowds).chain(hulls)
    }
}

/// A `[[terrain]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TerrainEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// The surface that the object shares with others.
    pub surface: Option<String>,
    /// The height map; with `*` and `?` in the file's name all tiles of it.
    pub heights: PathBuf,
    /// Metres between columns and between rows; `None` leaves it to the file.
    pub spacing: Option<[f64; 2]>,
    /// Heights of code 0 and of the highest code, metres.
    pub range: Option<[f64; 2]>,
    /// Metres per unit of the file.
    pub height_scale: Option<f64>,
    /// The position of sample (0, 0) at height 0, metres; [0, 0, 0] where it is not stated.
    pub origin: Option<[f64; 3]>,
    /// Whether the file's own georeference places it; with `origin` too, that is where it lies in the
    /// world, and the map's frame follows from both.
    pub georeferenced: bool,
    /// How cells are cut into triangles.
    pub diagonal: Diagonal,
    /// Columns and rows.
    pub size: Option<[usize; 2]>,
    /// Where the values are, for messages.
    pub(super) keys: KeyLocations,
}

/// A `[[model]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// The surface that the object shares with others.
    pub surface: Option<String>,
    /// The model file.
    pub file: PathBuf,
    /// Metres.
    pub translation: DVec3,
    /// Metres above the highest ground at the translation's x and z, in place of its y; `None` leaves
    /// it where it is.
    pub above_ground: Option<f64>,
    /// Of unit length.
    pub rotation: DQuat,
    /// One factor an axis, none of them zero.
    pub scale: DVec3,
    /// Which axis of the file points up.
    pub up: UpAxis,
    /// The glTF scene; `None` leaves it to the file.
    pub scene: Option<usize>,
    /// The animation and the time in it, seconds; `None` is the pose at rest.
    pub clip: Option<(ClipChoice, f64)>,
    /// What the colliders of its file are to it.
    pub colliders: ColliderUse,
    /// Where the values are, for messages.
    pub(super) keys: KeyLocations,
}

/// What the colliders of a glTF file are to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum ColliderUse {
    /// Nothing: the triangles of its meshes are hit.
    #[default]
    Ignored,
    /// They are hit, and its meshes are not.
    Only,
    /// They are hit beside its meshes, as parts after theirs.
    Also,
}

/// Which animation clip.
#[derive(Debug, Clone, PartialEq)]
pub enum ClipChoice {
    /// The clip of this name.
    Name(String),
    /// The clip of this index in the file.
    Index(usize),
}

/// A `[[sphere]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SphereEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// Metres, the nearest f32 to the number in the file.
    pub center: Vec3,
    /// Metres.
    pub radius: f64,
}

/// A `[[box]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BoxEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// The lower corner, metres, the nearest f32 to the number in the file.
    pub min: Vec3,
    /// The upper corner, as `min`.
    pub max: Vec3,
}

/// A `[[capsule]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CapsuleEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// The segment's first end, metres, the nearest f32 to the number in the file.
    pub a: Vec3,
    /// The segment's second end, as `a`.
    pub b: Vec3,
    /// Metres.
    pub radius: f64,
}

/// A `[[cylinder]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CylinderEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// The middle of the first end, metres, the nearest f32 to the number in the file.
    pub a: Vec3,
    /// The middle of the second end, as `a`.
    pub b: Vec3,
    /// Metres, the nearest f32.
    pub radius: f32,
}

/// An `[[obb]]` table, or one under its alias `[[turned_box]]`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ObbEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// Metres, the nearest f32 to the number in the file.
    pub center: Vec3,
    /// Half of the lengths along the box's own axes, as `center`.
    pub half_size: Vec3,
    /// Of unit length.
    pub rotation: DQuat,
}

/// A `[[crowd]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CrowdEntry {
    /// What the members' names begin with.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the members are in, a bit each.
    pub layers: u32,
    /// The surface that the members share, with others too.
    pub surface: Option<String>,
    /// The model file.
    pub file: PathBuf,
    /// One factor an axis, none of them zero.
    pub scale: DVec3,
    /// Which axis of the file points up.
    pub up: UpAxis,
    /// The glTF scene; `None` leaves it to the file.
    pub scene: Option<usize>,
    /// The animation; `None` is the pose at rest.
    pub clip: Option<ClipChoice>,
    /// What the colliders of its file are to the members.
    pub colliders: ColliderUse,
    /// The transforms of the members.
    pub members: CrowdMembers,
    /// Where the values are, for messages.
    pub(super) keys: KeyLocations,
}

/// The transforms of a crowd's members.
#[derive(Debug, Clone, PartialEq)]
pub enum CrowdMembers {
    /// Those of a table.
    Table(PathBuf),
    /// Random ones.
    Seeded {
        /// How many.
        count: usize,
        /// The seed of the random numbers.
        seed: u64,
        /// x and z of two opposite corners, metres.
        area: [[f64; 2]; 2],
    },
}

impl TerrainEntry {
    /// Where the value of `key` is; where it has none, the table.
    pub(super) fn locate(&self, key: &str) -> Location {
        self.keys.of(key).unwrap_or(self.location)
    }
}

impl ModelEntry {
    /// Where the value of `key` is; where it has none, the table.
    pub(super) fn locate(&self, key: &str) -> Location {
        self.keys.of(key).unwrap_or(self.location)
    }
}

impl CrowdEntry {
    /// Where the value of `key` is; where it has none, the table.
    pub(super) fn locate(&self, key: &str) -> Location {
        self.keys.of(key).unwrap_or(self.location)
    }
}
