//! A page's own world: the scene's in the poses of its views, and what it was a moment before.

use crate::limits;
use crate::protocol::{AskedWorld, ClipPlace, FieldError, PastReply, PoseRequest, Refusal};
use hitscan::model::{Model, Pose};
use hitscan::{ObjectId, Snapshot, World};
use hitscan_assets::Scene;
use std::collections::{BTreeMap, VecDeque};

/// The world that a page sees.
#[derive(Debug)]
pub(super) struct PageWorld {
    world: World,
    /// The poses of the last view, of the objects that are not posed as in the scene.
    posed: BTreeMap<ObjectId, PoseRequest>,
    /// The number of the last view, and its clock.
    last: Option<Tick>,
    /// The views whose poses are recorded, in order.
    recorded: VecDeque<Tick>,
}

/// A view by its number, and the clock that it came with.
#[derive(Debug, Clone, Copy)]
struct Tick {
    view: u32,
    now_ms: u64,
}

/// A world that a question queries.
#[derive(Debug, Clone)]
pub(super) struct SeenWorld {
    pub(super) snapshot: Snapshot,
    /// The view in whose poses it is; `None` before the first and where a question states the poses.
    pub(super) view: Option<u32>,
    /// Where it lies between two views, of which `view` is the later.
    pub(super) past: Option<PastReply>,
}

/// What a page's world was before a question.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    /// How long before, milliseconds.
    pub(super) ago_ms: u64,
    pub(super) snapshot: Snapshot,
}

impl SeenWorld {
    pub(super) fn of_view(snapshot: Snapshot, view: Option<u32>) -> Self {
        let past = None;
        Self {
            snapshot,
            view,
            past,
        }
    }
}

impl PageWorld {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut world = scene.world().clone();
        world.keep_history(limits::HISTORY_TICKS);
        Self {
            world,
            posed: BTreeMap::new(),
            last: None,
            recorded: VecDeque::new(),
        }
    }

    /// Poses the world for a view, and records it under the view's time.
    ///
    /// Nothing is changed where a pose is refused.
    pub(super) fn pose(
        &mut self,
        scene: &Scene,
        poses: &[PoseRequest],
        view: u32,
        now_ms: u64,
    ) -> Result<Snapshot, FieldError> {
        let last = self.last.map(|last| last.now_ms);
        if let Some(last) = last.filter(|&last| now_ms < last) {
            let expected = format!("at least {last}, the time of the view before");
            return Err(Refusal::new("now_ms", now_ms.to_string(), expected));
        }
        let mut wanted = BTreeMap::new();
        let mut changes = Vec::new();
        for (index, request) in poses.iter().enumerate() {
            let place = format!("poses[{index}]");
            let (object, pose) = self.wanted_pose(scene, &place, request)?;
            changes.extend(pose.map(|pose| (object, pose)));
            if wanted.insert(object, request.clone()).is_some() {
                let found = request.object.clone();
                return Err(Refusal::new(place, found, "each object once"));
            }
        }
        for &object in self.posed.keys() {
            if !wanted.contains_key(&object) {
                changes.extend(scene_pose(scene, object).map(|pose| (object, pose)));
            }
        }
        for (object, pose) in changes {
            // The pose is the model's own, and objects are not removed.
            let _ = self.world.set_pose(object, &pose);
        }
        self.world.update();
        self.posed = wanted;
        let tick = Tick { view, now_ms };
        self.last = Some(tick);
        if last != Some(now_ms) {
            // A clock goes to 2^53 and not back.
            let _ = self.world.record(now_ms);
            self.recorded.push_back(tick);
            if self.recorded.len() > limits::HISTORY_TICKS {
                self.recorded.pop_front();
            }
        }
        Ok(self.world.now().clone())
    }

    /// The scene in these poses, of which no view before has left anything: the tree over objects that moved
    /// depends on where they were, and so does what a ray costs, though no answer.
    pub(super) fn anew(scene: &Scene, poses: &[PoseRequest]) -> Result<Snapshot, FieldError> {
        Self::new(scene).pose(scene, poses, 0, 0)
    }

    /// The world as the last view has it.
    pub(super) fn now(&self) -> SeenWorld {
        let snapshot = self.world.now().clone();
        SeenWorld::of_view(snapshot, self.last.map(|last| last.view))
    }

    /// The world so many milliseconds before the last view; the oldest that is kept where that is
    /// later.
    pub(super) fn as_of(&self, ago_ms: u64) -> SeenWorld {
        let (Some(last), Some(first)) = (self.last, self.recorded.front()) else {
            return self.now();
        };
        if ago_ms == 0 {
            return self.now();
        }
        let time = last.now_ms.saturating_sub(ago_ms).max(first.now_ms);
        let later = self.recorded.iter().position(|tick| tick.now_ms >= time);
        let Some((snapshot, later)) = at(&self.world, time).zip(later) else {
            return self.now();
        };
        let (tick, before) = (self.recorded[later], later.checked_sub(1));
        SeenWorld {
            snapshot,
            view: Some(tick.view),
            past: before
                .filter(|_| tick.now_ms > time)
                .map(|before| PastReply {
                    view: self.recorded[before].view,
                    time,
                }),
        }
    }

    /// The worlds of the views of the second before a question's own, newest first: exactly as they were
    /// shown, each a pointer that is copied. None where that view is not kept any more.
    pub(super) fn before(&self, asked: &SeenWorld) -> Vec<Earlier> {
        let own = |view: u32| self.recorded.iter().rev().find(|tick| tick.view <= view);
        let time = match asked.past {
            Some(past) => Some(past.time),
            // A view at the time of the one before is not recorded beside it.
            None => asked.view.and_then(own).map(|tick| tick.now_ms),
        };
        let Some(time) = time else {
            return Vec::new();
        };
        let ticks = self.recorded.iter().rev();
        let ages = ticks.filter_map(|tick| Some((tick, time.checked_sub(tick.now_ms)?)));
        let recent = ages.filter(|(_, ago_ms)| (1..=limits::HISTORY_MS).contains(ago_ms));
        let earlier = recent.filter_map(|(tick, ago_ms)| {
            let snapshot = at(&self.world, tick.now_ms)?;
            Some(Earlier { ago_ms, snapshot })
        });
        earlier.collect()
    }

    /// The scene in the poses that a question states.
    pub(super) fn stated(scene: &Scene, asked: &AskedWorld) -> Result<Snapshot, FieldError> {
        let within = |place: &'static str| move |refusal: FieldError| refusal.within(place);
        let Some(past) = &asked.past else {
            return Self::anew(scene, &asked.poses).map_err(within("world"));
        };
        let mut world = Self::new(scene);
        let [start, end] = past.ticks;
        let earlier = world.pose(scene, &past.poses, 0, start);
        earlier.map_err(within("world.past"))?;
        let later = world.pose(scene, &asked.poses, 1, end);
        let later = later.map_err(within("world"))?;
        Ok(at(&world.world, past.time).unwrap_or(later))
    }

    /// The object that a request poses; and the pose, unless the object has it.
    fn wanted_pose(
        &self,
        scene: &Scene,
        place: &str,
        request: &PoseRequest,
    ) -> Result<(ObjectId, Option<Pose>), FieldError> {
        let object = scene.object_named(&request.object);
        let model = object.and_then(|object| Some((object, scene.world().now().model(object)?)));
        let Some((object, model)) = model else {
            let (place, found) = (format!("{place}.object"), request.object.clone());
            return Err(Refusal::new(place, found, "the name of a model"));
        };
        if self.posed.get(&object) == Some(request) {
            return Ok((object, None));
        }
        let pose = pose_in_clip(model, place, &request.at)?;
        let Some((other, weight)) = &request.blend else {
            return Ok((object, Some(pose)));
        };
        let place = format!("{place}.blend");
        let other = pose_in_clip(model, &place, other)?;
        let blended = pose.blended(&other, *weight);
        let blended = blended.map_err(|error| refused(&place, "a blend", &error))?;
        Ok((object, Some(blended)))
    }
}

/// A world as its history has it.
#[expect(clippy::cast_precision_loss, reason = "ticks are below 2^53")]
fn at(world: &World, time: u64) -> Option<Snapshot> {
    world.at(time as f64)
}

/// The pose of a model at a time of a clip.
fn pose_in_clip(model: &Model, place: &str, at: &ClipPlace) -> Result<Pose, FieldError> {
    let Some(clip) = model.find_clip(&at.clip) else {
        let names: Vec<&str> = model
            .clips()
            .iter()
            .filter_map(|clip| clip.name())
            .collect();
        let expected = match names.as_slice() {
            [] => "an object with clips".to_owned(),
            names => format!("one of {}", names.join(", ")),
        };
        let place = format!("{place}.clip");
        return Err(Refusal::new(place, at.clip.clone(), expected));
    };
    let pose = model.pose_at(clip, at.time_secs);
    pose.map_err(|error| refused(&format!("{place}.time"), &at.time_secs.to_string(), &error))
}

/// The pose that an object has in the scene.
fn scene_pose(scene: &Scene, object: ObjectId) -> Option<Pose> {
    scene.world().now().pose(object)
}

fn refused(place: &str, found: &str, error: &hitscan::Error) -> FieldError {
    Refusal::new(place, found, error.to_string())
}
