//! The recorder of a ray's traversal: the log, and the place of each of the nested traversals.
//!
//! `tree_recorder.rs` and `field_recorder.rs` are the watchers that traversals notify.

use super::space::Space;
use super::visit_log::{Subject, VisitLog};
use super::visits::Visits;
use crate::bvh::{BoxKind, ChildKind};
use crate::model::Winding;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::instance::Instance;
use crate::{HeightField, ObjectId, Ray};
use core::cell::RefCell;
use glam::{DAffine3, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// A recorder of a ray's walk through a world.
pub(super) struct Recorder<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) filter: &'a QueryFilter<'a>,
    pub(super) ray: &'a Ray,
    pub(super) log: RefCell<VisitLog>,
    /// The walks over objects, over the parts of one of them, and through the triangles of one of these.
    pub(super) walks: [RefCell<TreeWalk>; 3],
    /// The object whose parts are walked over.
    pub(super) instance: RefCell<Option<Arc<Instance>>>,
    /// The terrain that is walked over.
    pub(super) field: RefCell<Option<(Subject, Arc<HeightField>)>>,
}

/// Which tree is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeOf {
    Objects,
    Parts,
    Triangles,
}

/// The walk of a tree.
#[derive(Debug)]
pub(super) struct TreeWalk {
    pub(super) subject: Subject,
    pub(super) kind: BoxKind,
    /// The boxes that may be looked into, and how deep each is.
    pub(super) boxes: HashMap<ChildKind, (u32, [DVec3; 2])>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        ray: &'a Ray,
        filter: &'a QueryFilter<'a>,
        limit: usize,
    ) -> Self {
        let subject = Subject {
            object: None,
            part: None,
            space: Space {
                world_from_local: DAffine3::IDENTITY,
                ray: LocalRay::from(ray),
            },
            winding: Winding::Kept,
        };
        let walk = || {
            RefCell::new(TreeWalk {
                subject,
                kind: BoxKind::Kept,
                boxes: HashMap::new(),
            })
        };
        Self {
            snapshot,
            filter,
            ray,
            log: RefCell::new(VisitLog::new(limit)),
            walks: [walk(), walk(), walk()],
            instance: RefCell::new(None),
            field: RefCell::new(None),
        }
    }

    pub(super) fn into_visits(self) -> Visits {
        self.log.into_inner().into_visits()
    }

    /// The walk of a tree.
    pub(super) fn walk(&self, of: TreeOf) -> &RefCell<TreeWalk> {
        let [objects, parts, triangles] = &self.walks;
        match of {
            TreeOf::Objects => objects,
            TreeOf::Parts => parts,
            TreeOf::Triangles => triangles,
        }
    }

    /// What is in the world's own space and of this object.
    pub(super) fn of_object(&self, object: ObjectId) -> Subject {
        Subject {
            object: Some(object),
            part: Some(0),
            ..self.walk(TreeOf::Objects).borrow().subject
        }
    }

    /// How deep an object is in the tree over objects.
    pub(super) fn depth_of(&self, object: ObjectId) -> u32 {
        let walk = self.walk(TreeOf::Objects).borrow();
        walk.depth(ChildKind::Leaf(object.slot()))
    }
}

impl TreeWalk {
    /// How deep a child is that may be looked into.
    pub(super) fn depth(&self, child: ChildKind) -> u32 {
        self.boxes.get(&child).map_or(0, |(depth, _)| *depth)
    }
}
