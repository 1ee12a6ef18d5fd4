//! A page's own world: the scene's in the poses of its views, and what it was a moment before.

use crate::limits;
use crate::protocol::{ClipPlace, FieldError, PoseRequest, Refusal};
use hitscan::model::{Model, Pose};
use hitscan::{ObjectId, Snapshot, World};
use hitscan_assets::Scene;
use std::collections::BTreeMap;

/// The world that a page sees.
#[derive(Debug)]
pub(super) struct PageWorld {
    world: World,
    /// The poses of the last view, of the objects that are not posed as in the scene.
    posed: BTreeMap<ObjectId, PoseRequest>,
    /// The clock of the last view.
    now_ms: Option<u64>,
}

impl PageWorld {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut world = scene.world().clone();
        world.keep_history(limits::HISTORY_TICKS);
        Self {
            world,
            posed: BTreeMap::new(),
            now_ms: None,
        }
    }

    /// Poses the world for a view, and records it under the view's time.
    ///
    /// Nothing is changed where a pose is refused.
    pub(super) fn pose(
        &mut self,
        scene: &Scene,
        poses: &[PoseRequest],
        now_ms: u64,
    ) -> Result<Snapshot, FieldError> {
        if let Some(last) = self.now_ms.filter(|&last| now_ms < last) {
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
        if self.now_ms != Some(now_ms) {
            self.now_ms = Some(now_ms);
            // A clock goes to 2^53 and not back.
            let _ = self.world.record(now_ms);
        }
        Ok(self.world.now().clone())
    }

    /// The world so many milliseconds before the last view; the oldest that is kept where that is
    /// later.
    pub(super) fn as_of(&self, scene: &Scene, ago_ms: u64) -> Snapshot {
        let (Some(now_ms), Some(kept)) = (self.now_ms, self.world.history()) else {
            return scene.now().clone();
        };
        if ago_ms == 0 {
            return self.world.now().clone();
        }
        let time = now_ms
            .saturating_sub(ago_ms)
            .clamp(*kept.start(), *kept.end());
        #[expect(clippy::cast_precision_loss, reason = "ticks are below 2^53")]
        let seen = self.world.at(time as f64);
        seen.unwrap_or_else(|| self.world.now().clone())
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

/// The pose of a model at a time of a clip.
fn pose_in_clip(model: &Model, place: &str, at: &ClipPlace) -> Result<Pose, FieldError> {
    let by_name = model.find_clip(&at.clip);
    let clip = by_name.or_else(|| {
        let index: usize = at.clip.parse().ok()?;
        (index < model.clips().len()).then_some(index)
    });
    let Some(clip) = clip else {
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
