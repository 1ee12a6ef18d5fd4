//! Compounds whose parts move with the nodes of a model: hit boxes on joints.

use super::check::check_exists;
use super::part_numbers::{PartNumbers, check_numbers};
use super::{Model, PosedModel};
use crate::shape::aabb::MAX_COORDINATE;
use crate::shape::placing::{check_axes, longest_axis};
use crate::{Compound, CompoundPart, ConvexHull, Error, Primitive};
use glam::DAffine3;
use std::sync::Arc;

/// A [`Compound`] on the nodes of a model in a pose, as [`Compound::on_joints`] makes it.
///
/// In a world it is an object with a pose, as a model is: [`World::set_pose`](crate::World::set_pose) and
/// [`World::set_pose_at`](crate::World::set_pose_at) move its parts, and between ticks of the history they are where
/// the interpolated pose has their nodes. The triangles of the model are no part of it, but
/// [`with_meshes`](Self::with_meshes).
#[derive(Debug, Clone)]
pub struct PosedCompound {
    compound: Arc<Compound>,
    /// Where each part belongs; the model itself where a part has no node.
    nodes: Arc<[Option<usize>]>,
    posed: Arc<PosedModel>,
    meshes: Meshes,
}

/// Whether the meshes of the model are parts too.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meshes {
    None,
    /// Before the parts of the compound.
    Before,
    /// Between them, which have these numbers.
    Between(Arc<[u32]>),
}

impl Compound {
    /// This compound on nodes of a model, joints of a skin say: each part named in `nodes`, as `(part, node)`, is in
    /// the space of that node and moves with it; the others are in the model's space. Of several nodes of one part
    /// the last counts.
    ///
    /// ```
    /// use hitscan::glam::DAffine3;
    /// use hitscan::model::{Model, ModelData, NodeData, NodeTransform, PosedModel};
    /// use hitscan::{Compound, CompoundPart, Ray, Sphere, World};
    /// use std::sync::Arc;
    /// let node = NodeData { name: Some("head".into()), ..NodeData::default() };
    /// let model = Arc::new(Model::new(ModelData { nodes: vec![node], ..ModelData::default() })?);
    /// let head = model.find_node("head").expect("it has one");
    /// let at_rest = PosedModel::new(&model, model.rest_pose())?;
    /// let hit_boxes = Compound::new([CompoundPart::new("head", Sphere::new([0.0; 3], 0.25)?)])?;
    ///
    /// let mut world = World::new();
    /// let id = world.add_at(hit_boxes.on_joints(at_rest, &[(0, head)])?, DAffine3::IDENTITY)?;
    /// let mut pose = model.rest_pose().clone();
    /// model.place_node(&mut pose, head, DAffine3::from_translation([0.0, 1.75, 0.0].into()))?;
    /// world.set_pose(id, &pose)?;
    /// world.update();
    /// let hit = world.now().cast_ray(&Ray::new([-4.0, 1.75, 0.0], [1.0, 0.0, 0.0])?, ());
    /// assert_eq!(hit.map(|hit| (hit.t, hit.part())), Some((3.75, Some(0))));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuch`] for a part that the compound does not have, or a node that the model does not have;
    /// [`Error::OutOfRange`], [`Error::NotFinite`] and [`Error::BadValue`] where the pose takes a part beyond ±1e18 m.
    pub fn on_joints(
        self,
        model: impl Into<Arc<PosedModel>>,
        nodes: &[(u32, usize)],
    ) -> Result<PosedCompound, Error> {
        PosedCompound::new(Arc::new(self), model.into(), nodes)
    }
}

impl PosedCompound {
    fn new(
        compound: Arc<Compound>,
        posed: Arc<PosedModel>,
        on_nodes: &[(u32, usize)],
    ) -> Result<Self, Error> {
        let (part_count, node_count) = (compound.parts().len(), posed.model().nodes().len());
        let mut nodes = vec![None; part_count];
        for (part, node) in on_nodes {
            check_exists("part of a compound", *part as usize, part_count)?;
            check_exists("node", *node, node_count)?;
            nodes[*part as usize] = Some(*node);
        }
        Self {
            compound,
            nodes: nodes.into(),
            posed,
            meshes: Meshes::None,
        }
        .checked()
    }

    /// The same with the meshes of the model: one query tests both, hit boxes and triangles. In answers
    /// the model's parts keep their numbers, and those of the compound follow.
    #[must_use]
    pub fn with_meshes(mut self) -> Self {
        self.meshes = Meshes::Before;
        self
    }

    /// As [`with_meshes`](Self::with_meshes), but that answers give the compound's parts these numbers, one each and
    /// ascending. They are such as no triangle has: of parts of the model without any, which keep places in the order
    /// for the compound's, or past those of the model. Of what is equally near the part with the lower number
    /// answers, a mesh or not.
    ///
    /// ```
    /// use hitscan::model::{Model, ModelData, NodeData, PartData, PosedModel};
    /// use hitscan::{Compound, CompoundPart, Sphere};
    /// use std::sync::Arc;
    /// let triangle = PartData {
    ///     positions: vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()],
    ///     triangles: vec![[0, 1, 2]],
    ///     ..PartData::default()
    /// };
    /// let parts = vec![PartData::default(), triangle];
    /// let nodes = vec![NodeData::default()];
    /// let model = Arc::new(Model::new(ModelData { nodes, parts, ..ModelData::default() })?);
    /// let at_rest = PosedModel::new(&model, model.rest_pose())?;
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// let balls = Compound::new(["before", "after"].map(|name| CompoundPart::new(name, ball)))?;
    /// let balls = balls.on_joints(at_rest, &[])?.with_part_numbers(&[0, 2])?;
    /// assert_eq!((balls.part_number(1), balls.part_at(2), balls.part_at(1)), (Some(2), Some(1), None));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`] for more or fewer numbers than parts, [`Error::BadValue`] for numbers that do not ascend
    /// and for one of a part of the model that has triangles.
    pub fn with_part_numbers(mut self, numbers: &[u32]) -> Result<Self, Error> {
        check_numbers(numbers, self.nodes.len(), self.model())?;
        self.meshes = Meshes::Between(numbers.into());
        Ok(self)
    }

    /// Whether the meshes of the model are parts too.
    #[must_use]
    pub fn has_meshes(&self) -> bool {
        self.meshes != Meshes::None
    }

    /// The number that answers give the first part of the compound: 0, or how many parts the model has where its
    /// meshes are parts too, or the first [given](Self::with_part_numbers).
    #[must_use]
    pub fn first_part(&self) -> u32 {
        self.numbers().of(0).unwrap_or(u32::MAX)
    }

    /// The number that answers give a part of the compound; `None` for no such part.
    #[must_use]
    pub fn part_number(&self, part: u32) -> Option<u32> {
        let exists = (part as usize) < self.nodes.len();
        self.numbers().of(part).filter(|_| exists)
    }

    /// The part of the compound that has this number in answers; `None` for a part of the model, and for no such part.
    #[must_use]
    pub fn part_at(&self, number: u32) -> Option<u32> {
        let part = self.numbers().place_of(number)?;
        ((part as usize) < self.nodes.len()).then_some(part)
    }

    /// The numbers that answers give the parts of the compound.
    pub(crate) fn numbers(&self) -> PartNumbers {
        match &self.meshes {
            Meshes::None => PartNumbers::From(0),
            Meshes::Before => {
                PartNumbers::From(u32::try_from(self.posed.part_count()).unwrap_or(u32::MAX))
            }
            Meshes::Between(numbers) => PartNumbers::Given(Arc::clone(numbers)),
        }
    }

    /// The parts, each in the space of its node.
    #[must_use]
    pub fn compound(&self) -> &Arc<Compound> {
        &self.compound
    }

    /// The node that a part moves with; `None` where it moves with the model alone, and for no such part.
    #[must_use]
    pub fn node(&self, part: u32) -> Option<usize> {
        *self.nodes.get(part as usize)?
    }

    /// The model in its pose.
    #[must_use]
    pub fn posed_model(&self) -> &Arc<PosedModel> {
        &self.posed
    }

    /// The same parts on the same nodes, the model in another pose.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for another model with fewer nodes than the parts are on, [`Error::BadValue`] for one
    /// with triangles at a [number](Self::with_part_numbers) of the compound's, and what [`Compound::on_joints`]
    /// refuses of a pose.
    pub fn posed_as(&self, model: impl Into<Arc<PosedModel>>) -> Result<Self, Error> {
        self.with_posed(model.into())
    }

    fn with_posed(&self, posed: Arc<PosedModel>) -> Result<Self, Error> {
        let (expected, found) = (self.model().nodes().len(), posed.model().nodes().len());
        if found < expected && self.nodes.iter().flatten().any(|node| *node >= found) {
            let what = "nodes of the model of a compound";
            return Err(Error::WrongLength {
                what,
                expected,
                found,
            });
        }
        if let Meshes::Between(numbers) = &self.meshes
            && !Arc::ptr_eq(self.model(), posed.model())
        {
            check_numbers(numbers, self.nodes.len(), posed.model())?;
        }
        Self {
            compound: Arc::clone(&self.compound),
            nodes: Arc::clone(&self.nodes),
            posed,
            meshes: self.meshes.clone(),
        }
        .checked()
    }

    /// Refuses a pose that takes a part out of range.
    fn checked(self) -> Result<Self, Error> {
        // The bound may be larger than what it is around.
        if self.max_radius(&self) > f64::from(MAX_COORDINATE) {
            self.placed(&DAffine3::IDENTITY)?;
        }
        Ok(self)
    }

    pub(crate) fn model(&self) -> &Arc<Model> {
        self.posed.model()
    }

    /// The parts on nodes, with their nodes.
    pub(crate) fn on_nodes(&self) -> impl Iterator<Item = (u32, usize)> {
        let parts = (0..).zip(&*self.nodes);
        parts.filter_map(|(part, node)| Some((part, (*node)?)))
    }

    /// Whether the parts, their nodes and the model are those of another, whatever the poses.
    pub(crate) fn differs_by_pose(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.model(), other.model())
            && self.meshes == other.meshes
            && self.nodes == other.nodes
            && (Arc::ptr_eq(&self.compound, &other.compound) || self.compound == other.compound)
    }

    /// The parts where the pose and then a transform take them.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] where that is not finite or beyond ±1e18, [`Error::BadValue`]
    /// for a radius that is out of range.
    pub(crate) fn placed(&self, world_from_model: &DAffine3) -> Result<Box<[Primitive]>, Error> {
        let nodes = self.model().joint_matrices(&self.posed.pose());
        let parts = self.compound.parts().iter().zip(&*self.nodes);
        let placed = parts.map(|(part, node)| {
            let world_from_part = match node {
                Some(node) => *world_from_model * DAffine3::from(&nodes[*node]),
                None => *world_from_model,
            };
            check_axes(&world_from_part)?;
            placed_or_flat(part.solid(), &world_from_part)
        });
        placed.collect()
    }

    /// This, `alpha` of the way to the pose of another that [differs by it](Self::differs_by_pose).
    ///
    /// # Errors
    /// As [`PosedModel::blended`].
    pub(crate) fn blended(&self, other: &Self, alpha: f64) -> Result<Self, Error> {
        if Arc::ptr_eq(&self.posed, &other.posed) {
            return Ok(self.clone());
        }
        self.with_posed(Arc::new(self.posed.nodes_blended(&other.posed, alpha)?))
    }

    /// A bound on the distance from the model's origin of any point of the parts, in this pose, in that of another
    /// that [differs by it](Self::differs_by_pose), and in any between.
    pub(crate) fn max_radius(&self, other: &Self) -> f64 {
        let parts = || self.compound.parts().iter().zip(&*self.nodes);
        let on_node = |(part, node): (&CompoundPart, &Option<usize>)| {
            node.map(|node| (node, part.max_radius()))
        };
        let on_nodes: Vec<_> = parts().filter_map(on_node).collect();
        let others = parts().filter(|(_, node)| node.is_none());
        let others = others.map(|(part, _)| part.max_radius());
        let poses = (&self.posed.pose(), &other.posed.pose());
        let model = self.model();
        let on_nodes = model.max_displacement_around(&on_nodes, poses);
        let meshes = match self.has_meshes() {
            // The poses are of one model.
            true => model
                .max_displacement(poses.0, poses.1)
                .unwrap_or(f64::INFINITY),
            false => 0.0,
        };
        others.fold(on_nodes.max(meshes), f64::max)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let numbers = match &self.meshes {
            Meshes::None | Meshes::Before => 0,
            Meshes::Between(numbers) => size_of_val(&**numbers),
        };
        size_of::<Self>() + size_of_val(&*self.nodes) + numbers + self.posed.memory_bytes()
    }
}

/// The least radius of a round solid.
const MIN_RADIUS: f64 = f32::from_bits(1) as f64;

/// A part of a pose where that takes it. A joint that is scaled to nothing leaves a round part without radius, or a
/// cylinder without length: the hull of its ends.
fn placed_or_flat(solid: &Primitive, world_from_part: &DAffine3) -> Result<Primitive, Error> {
    let has_no_radius = |radius: f64| radius * longest_axis(world_from_part) < MIN_RADIUS;
    let ends = match solid {
        Primitive::Sphere(sphere) if has_no_radius(sphere.radius()) => [sphere.center(); 2],
        Primitive::Capsule(capsule) if has_no_radius(capsule.radius()) => {
            [capsule.a(), capsule.b()]
        }
        Primitive::Cylinder(cylinder) => {
            let ends = cylinder.segment();
            let placed = ends.map(|end| world_from_part.transform_point3(end));
            if !has_no_radius(cylinder.radius()) && placed[0] != placed[1] {
                return solid.placed(world_from_part);
            }
            [cylinder.a(), cylinder.b()]
        }
        _ => return solid.placed(world_from_part),
    };
    Ok(ConvexHull::new(ends)?.placed(world_from_part)?.into())
}
