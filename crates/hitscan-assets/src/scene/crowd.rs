//! The members of a crowd: placed by their table or drawn, on the ground where they have no height.

use std::path::Path;

use glam::{DAffine3, DQuat, DVec3};
use hitscan::model::Model;

use super::entry::{CrowdEntry, CrowdMembers};
use super::ground::{Ground, nearest_point};
use super::models::late_time;
use super::places::{Member, draw_members, read_places};
use crate::Error;
use crate::scene_files::SceneFiles;

/// The members of a crowd of the scene file at `path`, each with a height.
pub(super) fn place_members(
    files: &dyn SceneFiles,
    path: &Path,
    entry: &CrowdEntry,
    model: &Model,
    clip: Option<u32>,
    ground: Ground,
    warnings: &mut Vec<String>,
) -> Result<Vec<Member>, Error> {
    let (mut members, table) = match &entry.members {
        CrowdMembers::Table(table) => {
            let members = read_places(files, table, clip.is_some(), warnings)
                .map_err(|error| error.referred(path, entry.locate("places"), table))?;
            (members, Some(table))
        }
        CrowdMembers::Seeded { count, seed, area } => {
            let times = clip.and_then(|clip| model.clips().get(clip as usize));
            let times = times.map_or((0.0, 0.0), |clip| (clip.start_secs(), clip.end_secs()));
            (draw_members(*count, *seed, *area, times), None)
        }
    };
    let shown = |member: usize, line: u64| match table {
        Some(table) => format!("{}: line {line}", table.display()),
        None => {
            let location = entry.locate("area");
            format!("{}: {location}: {}{member}", path.display(), entry.name)
        }
    };
    let mut off_ground = Seldom::default();
    let mut late = Seldom::default();
    for (index, member) in members.iter_mut().enumerate() {
        if !member.stand_on(ground) && !ground.0.is_empty() {
            off_ground.add(|| shown(index, member.line));
        }
        let warning = clip.and_then(|clip| late_time(model, clip, member.time_secs));
        if let Some(warning) = warning {
            late.add(|| format!("{}: {warning}", shown(index, member.line)));
        }
    }
    warnings.extend(off_ground.line(": is off the map or over a hole, and placed at y = 0"));
    warnings.extend(late.line(""));
    Ok(members)
}

impl Member {
    /// Gives a member that has no height one above the ground, at exactly the point where that was taken;
    /// `false` where there is none, and 0 is taken.
    fn stand_on(&mut self, ground: Ground) -> bool {
        if self.y.is_some() {
            return true;
        }
        let ground = ground.point(self.x, self.z);
        [self.x, self.z] = nearest_point([self.x, self.z]).map(f64::from);
        self.y = Some(ground.map_or(0.0, |point| point.y) + self.y_above);
        ground.is_some()
    }

    /// The member's transform; `scale` is the crowd's.
    pub(super) fn transform(&self, scale: DVec3) -> DAffine3 {
        let (sine, cosine) = (libm::sin(self.turn * 0.5), libm::cos(self.turn * 0.5));
        let rotation = DQuat::from_xyzw(0.0, sine, 0.0, cosine);
        let translation = DVec3::new(self.x, self.y.unwrap_or(0.0), self.z);
        DAffine3::from_scale_rotation_translation(scale * self.scale, rotation, translation)
    }
}

/// Something that is said once, with the first place and how many there are.
#[derive(Default)]
struct Seldom {
    first: Option<String>,
    more: usize,
}

impl Seldom {
    fn add(&mut self, place: impl FnOnce() -> String) {
        if self.first.is_some() {
            self.more += 1;
        } else {
            self.first = Some(place());
        }
    }

    fn line(self, what: &str) -> Option<String> {
        let first = self.first?;
        Some(match self.more {
            0 => format!("{first}{what}"),
            more => format!("{first}{what} (and {more} more)"),
        })
    }
}
