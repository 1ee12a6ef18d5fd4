//! The demo as a whole: its ground, its files and its views.

use crate::march_comparison::compare;
use crate::{Error, MarchComparison, crowd, robot_glb, scene, valley};
use hitscan::HeightField;
use hitscan_picture::View;

/// A file of the demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoFile {
    /// Its name, by which the demo's other files refer to it.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The demo's valley, and what is in it.
///
/// ```
/// use hitscan_demo::Demo;
/// let demo = Demo::new()?;
/// let names: Vec<&str> = demo.files()?.iter().map(|file| file.name).collect();
/// assert_eq!(names, ["valley.png", "robot.glb", "scene.toml", "crowd.toml"]);
/// # Ok::<(), hitscan_demo::Error>(())
/// ```
#[derive(Debug)]
pub struct Demo {
    /// The codes of the height map, row-major.
    codes: Vec<u16>,
    ground: HeightField,
}

impl Demo {
    /// Makes the valley.
    ///
    /// # Errors
    /// [`Error::Refused`] where the library refuses the terrain, which it does not.
    pub fn new() -> Result<Self, Error> {
        let codes = valley::codes();
        let ground = valley::field(&codes)?;
        Ok(Self { codes, ground })
    }

    /// The valley, as the scene file's reader makes it of the height map.
    #[must_use]
    pub fn ground(&self) -> &HeightField {
        &self.ground
    }

    /// The scene files and what they refer to: to be written into one folder.
    ///
    /// # Errors
    /// [`Error::Encode`] where the PNG encoder fails, which it does not in memory.
    pub fn files(&self) -> Result<[DemoFile; 4], Error> {
        let file = |name, bytes| DemoFile { name, bytes };
        Ok([
            file("valley.png", valley::png(&self.codes)?),
            file("robot.glb", robot_glb()),
            file("scene.toml", scene::toml(&self.ground).into_bytes()),
            file("crowd.toml", crowd::toml(&self.ground).into_bytes()),
        ])
    }

    /// From where the scene's picture is seen: down the valley, over all heads.
    #[must_use]
    pub fn view(&self) -> View {
        scene::view(&self.ground)
    }

    /// From where the crowd's picture is seen.
    #[must_use]
    pub fn crowd_view(&self) -> View {
        crowd::view(&self.ground)
    }

    /// Casts rays at the valley's crests, with the exact search and with the classic march.
    #[must_use]
    pub fn compare_march(&self) -> MarchComparison {
        compare(&self.ground, &valley::eyes_along_the_river())
    }
}
