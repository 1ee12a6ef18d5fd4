//! The fragment of the viewer's address, which says what its page shows.
//!
//! What it is made of is in `PROTOCOL.md` of hitscan-view, "Links".

use crate::options::Shows;
use crate::{Error, Projection};

/// What a link to the viewer shows.
///
/// ```
/// use hitscan_picture::Link;
/// let link = Link::parse("#v=1&eye=0,2,9.5&look=0,1,0&hide=ada;box%203")?;
/// assert_eq!(link.eye, Some([0.0, 2.0, 9.5]));
/// assert_eq!(link.hidden, ["ada", "box 3"]);
/// assert!(Link::parse("v=1&eye=0,2").is_err());
/// # Ok::<(), hitscan_picture::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Link {
    /// The name of the scene.
    pub scene: Option<String>,
    /// The camera's position, metres.
    pub eye: Option<[f64; 3]>,
    /// What the camera looks at, metres.
    pub look: Option<[f64; 3]>,
    /// The angle between the picture's lower and upper edge, degrees.
    pub fov_degrees: Option<f64>,
    /// How the world is projected, where the link says so.
    pub projection: Option<Projection>,
    /// Width and height in pixels.
    pub size: Option<[u32; 2]>,
    /// What a pixel's colour says.
    pub shows: Shows,
    /// Whether outlines are drawn.
    pub outline: bool,
    /// The names of objects that are hidden.
    pub hidden: Vec<String>,
    /// The layers that are shown, a bit each.
    pub layers: Option<u32>,
    /// The poses of models that differ from those of the scene.
    pub poses: Vec<LinkPose>,
    /// How much later in their clips than in the scene the models are that have no pose here, seconds.
    pub shift_secs: Option<f64>,
    /// A time before that, at which the world is queried.
    pub past: Option<LinkPast>,
    /// The tool that is in hand.
    pub tool: Option<String>,
    /// The columns of its question and their values: none where it queries pairs of objects. `None`
    /// without a query.
    pub question: Option<Vec<(String, String)>>,
    /// The tool's options and their values.
    pub options: Vec<(String, String)>,
}

/// A time between two moments of a world: of the later, [`Link::poses`] are the poses.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkPast {
    /// The two moments, milliseconds.
    pub ticks: [u64; 2],
    /// The time between them, milliseconds.
    pub time: u64,
    /// The poses of models that differed from those of the scene at the earlier moment.
    pub poses: Vec<LinkPose>,
}

/// The pose of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkPose {
    /// The name of the object.
    pub object: String,
    /// The clip that it plays.
    pub at: ClipMoment,
    /// A second clip that is blended in, and its weight.
    pub blend: Option<(ClipMoment, f64)>,
}

/// A moment of a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipMoment {
    /// The clip, by name or number.
    pub clip: String,
    /// Seconds on the clip's own timeline.
    pub time_secs: f64,
}

/// The last moment, milliseconds: whole numbers of f64 go so far.
const MAX_MILLIS: u64 = 1 << 53;

/// The most pixels of a picture.
const MAX_PIXELS: u64 = 1 << 28;

const TOOLS: [&str; 8] = [
    "ray", "height", "sweep", "overlap", "closest", "arc", "sight", "viewshed",
];

impl Link {
    /// Reads a fragment, with its `#` or without; or a whole address that ends with it.
    ///
    /// # Errors
    /// [`Error::Link`] for a field that is not known, that is there twice, or whose value is none.
    pub fn parse(fragment: &str) -> Result<Self, Error> {
        let mut link = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut poses_before = Vec::new();
        let fragment = fragment.split_once('#').map_or(fragment, |(_, end)| end);
        for text in fragment.split('&').filter(|text| !text.is_empty()) {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let field = Field { name, value };
            if !matches!(name, "pose" | "was") && seen.contains(&name) {
                return Err(field.refused("the field once"));
            }
            seen.push(name);
            match name {
                "was" => poses_before.push(field.pose()?),
                _ => link.take(field)?,
            }
        }
        match &mut link.past {
            Some(past) => past.poses = poses_before,
            None if poses_before.is_empty() => {}
            None => {
                let (name, value) = ("past", "");
                let field = Field { name, value };
                return Err(field.refused("the time between the moments of `was` and `pose`"));
            }
        }
        if link.shift_secs.is_some() && link.past.is_some() {
            let (name, value) = ("shift", "");
            let field = Field { name, value };
            return Err(
                field.refused("no field beside `past`, of whose moments each lists its poses")
            );
        }
        if link.look.is_some() && link.eye.is_none() {
            let value = "";
            let field = Field { name: "eye", value };
            return Err(field.refused("the eye of the camera that looks there"));
        }
        Ok(link)
    }

    fn take(&mut self, field: Field<'_>) -> Result<(), Error> {
        match field.name {
            "v" => field.one_of("1, the version of links", &[("1", ())])?,
            // Who may see the page has no bearing on what it shows.
            "key" => {}
            "scene" => self.scene = Some(field.text(field.value)?),
            "eye" => self.eye = Some(field.point()?),
            "look" => self.look = Some(field.point()?),
            "fov" => {
                let degrees = field.number(&field.text(field.value)?);
                let degrees = degrees.ok().filter(|fov| *fov > 0.0 && *fov < 180.0);
                let expected = "degrees between 0 and 180";
                self.fov_degrees = Some(degrees.ok_or_else(|| field.refused(expected))?);
            }
            "projection" => {
                let known = [
                    ("perspective", Projection::Perspective),
                    ("orthographic", Projection::Orthographic),
                ];
                self.projection = Some(field.one_of("perspective or orthographic", &known)?);
            }
            "size" => self.size = Some(field.size()?),
            "mode" => {
                let known = [("picture", Shows::Picture), ("cost", Shows::Cost)];
                self.shows = field.one_of("picture or cost", &known)?;
            }
            "outline" => self.outline = field.one_of("0 or 1", &[("0", false), ("1", true)])?,
            "hide" => self.hidden = field.list(';')?,
            "layers" => {
                let layers = field.text(field.value)?.parse().ok();
                let expected = "a mask, a whole number up to 4294967295";
                self.layers = Some(layers.ok_or_else(|| field.refused(expected))?);
            }
            "pose" => self.poses.push(field.pose()?),
            "shift" => self.shift_secs = Some(field.number(field.value)?),
            "past" => self.past = Some(field.past()?),
            "tool" => {
                let expected = "ray, height, sweep, overlap, closest, arc, sight or viewshed";
                let known = TOOLS.map(|tool| (tool, tool));
                self.tool = Some(field.one_of(expected, &known)?.to_owned());
            }
            "q" => self.question = Some(field.pairs()?),
            "options" => self.options = field.pairs()?,
            _ => {
                return Err(field.refused(
                    "no other field than v, scene, eye, look, fov, projection, size, mode, outline, \
                     hide, layers, pose, shift, past, was, tool, q, options and key",
                ));
            }
        }
        Ok(())
    }
}

/// A field of a link as it was written.
#[derive(Clone, Copy)]
struct Field<'a> {
    name: &'a str,
    value: &'a str,
}

impl Field<'_> {
    fn refused(self, expected: &str) -> Error {
        Error::Link {
            field: self.name.to_owned(),
            found: self.value.to_owned(),
            expected: expected.to_owned(),
        }
    }

    /// Percent-encoded text.
    fn text(self, encoded: &str) -> Result<String, Error> {
        let mut bytes = Vec::with_capacity(encoded.len());
        let mut rest = encoded.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                bytes.push(byte);
                continue;
            }
            let digits = [rest.next(), rest.next()]
                .map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
            let [Some(high), Some(low)] = digits else {
                return Err(self.refused("two hexadecimal digits after each %"));
            };
            bytes.push(u8::try_from(16 * high + low).unwrap_or(b'?'));
        }
        String::from_utf8(bytes).map_err(|_| self.refused("text in UTF-8"))
    }

    fn list(self, between: char) -> Result<Vec<String>, Error> {
        let parts = self.value.split(between);
        parts.map(|part| self.text(part)).collect()
    }

    fn number(self, text: &str) -> Result<f64, Error> {
        let number = text.trim().parse().ok();
        let number = number.filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.refused("finite numbers"))
    }

    /// Numbers may have the marks between them percent-encoded too.
    fn point(self) -> Result<[f64; 3], Error> {
        let text = self.text(self.value)?;
        let numbers: Result<Vec<f64>, Error> =
            text.split(',').map(|part| self.number(part)).collect();
        let point = <[f64; 3]>::try_from(numbers?);
        point.map_err(|_| self.refused("three numbers, X,Y,Z"))
    }

    fn size(self) -> Result<[u32; 2], Error> {
        let text = self.text(self.value)?;
        let sides = text.split_once('x');
        let sides = sides.and_then(|(width, height)| {
            let size: [u32; 2] = [width.parse().ok()?, height.parse().ok()?];
            let pixels = u64::from(size[0]) * u64::from(size[1]);
            (1..=MAX_PIXELS).contains(&pixels).then_some(size)
        });
        sides.ok_or_else(|| self.refused("width x height in pixels, such as 960x540"))
    }

    fn one_of<T: Copy>(self, expected: &str, known: &[(&str, T)]) -> Result<T, Error> {
        let found = known.iter().find(|(word, _)| *word == self.value);
        let (_, value) = found.ok_or_else(|| self.refused(expected))?;
        Ok(*value)
    }

    fn pairs(self) -> Result<Vec<(String, String)>, Error> {
        let pairs = self.value.split(',').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let parts = pair.split_once(':');
            let (name, value) = parts.ok_or_else(|| self.refused("NAME:VALUE,NAME:VALUE"))?;
            Ok((self.text(name)?, self.text(value)?))
        });
        pairs.collect()
    }

    /// The two moments and the time between them; the poses of the earlier have fields of their own.
    fn past(self) -> Result<LinkPast, Error> {
        let millis = self.list(',')?;
        let millis = millis.iter().map(|text| text.parse().ok());
        let millis = millis.collect::<Option<Vec<u64>>>().unwrap_or_default();
        match millis.as_slice() {
            &[start, end, time]
                if start < end && end <= MAX_MILLIS && (start..=end).contains(&time) =>
            {
                Ok(LinkPast {
                    ticks: [start, end],
                    time,
                    poses: Vec::new(),
                })
            }
            _ => {
                Err(self
                    .refused("START,END,TIME, whole milliseconds, the third between the others"))
            }
        }
    }

    fn pose(self) -> Result<LinkPose, Error> {
        let parts = self.list(':')?;
        let moment = |clip: &str, time: &str| {
            let time_secs = self.number(time)?;
            let clip = clip.to_owned();
            Ok::<_, Error>(ClipMoment { clip, time_secs })
        };
        let (object, at, blend) = match parts.as_slice() {
            [object, clip, time] => (object, moment(clip, time)?, None),
            [object, clip, time, other, other_time, weight] => {
                let weight = self.number(weight)?;
                let blend = Some((moment(other, other_time)?, weight));
                (object, moment(clip, time)?, blend)
            }
            _ => return Err(self.refused("OBJECT:CLIP:TIME or OBJECT:CLIP:TIME:CLIP:TIME:WEIGHT")),
        };
        Ok(LinkPose {
            object: object.clone(),
            at,
            blend,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_says_what_the_page_shows() {
        let link = Link::parse(
            "v=1&scene=demo&eye=1%2C2.5%2C-3&look=0,0,0&fov=40&projection=orthographic&size=640x360\
             &mode=cost&outline=1&hide=a%3Bb;c&layers=5&pose=ada:Walk:0.5&pose=b:0:1:Run:2:0.25\
             &tool=ray&q=ox:1,oy:2e-3,ignore:crate%2Ca&options=sides:front&key=k",
        );
        let link = link.unwrap();
        assert_eq!(link.eye, Some([1.0, 2.5, -3.0]));
        assert_eq!(
            (link.fov_degrees, link.size),
            (Some(40.0), Some([640, 360]))
        );
        assert_eq!(link.hidden, ["a;b", "c"]);
        assert_eq!((link.shows, link.outline), (Shows::Cost, true));
        assert_eq!(link.poses[0].at.clip, "Walk");
        let later = Link::parse("shift=-0.25&pose=ada:Walk:0.5&tool=sight").unwrap();
        assert_eq!((later.shift_secs, later.poses.len()), (Some(-0.25), 1));
        let (other, weight) = link.poses[1].blend.clone().unwrap();
        assert_eq!((other.time_secs, weight), (2.0, 0.25));
        let ignore = ("ignore".to_owned(), "crate,a".to_owned());
        let question = link.question.unwrap();
        assert_eq!((question.len(), &question[2]), (3, &ignore));
        assert_eq!(Link::parse("#").unwrap(), Link::default());
        let past = Link::parse(
            "http://127.0.0.1:7411/#pose=ada:Walk:0.5&past=100,200,150&was=ada:Walk:0.25",
        );
        let past = past.unwrap().past.unwrap();
        assert_eq!((past.ticks, past.time), ([100, 200], 150));
        assert_eq!(past.poses[0].at.time_secs, 0.25);
        let old = Link::parse("hide=crate;ball&tool=overlap&q=").unwrap();
        assert_eq!(old.hidden, ["crate", "ball"]);
        assert_eq!(old.question, Some(Vec::new()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (fragment, field) in [
            ("v=2", "v"),
            ("eyes=1,2,3", "eyes"),
            ("eye=1,2", "eye"),
            ("eye=1,2,inf", "eye"),
            ("look=1,2,3", "eye"),
            ("eye=1,2,3&eye=1,2,3", "eye"),
            ("fov=180", "fov"),
            ("size=0x5", "size"),
            ("size=99999x99999", "size"),
            ("mode=heat", "mode"),
            ("hide=%zz", "hide"),
            ("hide=%ff", "hide"),
            ("layers=-1", "layers"),
            ("pose=ada:Walk", "pose"),
            ("shift=soon", "shift"),
            ("shift=1&past=100,200,150", "shift"),
            ("past=1,2", "past"),
            ("past=2,1,2", "past"),
            ("past=1,3,4", "past"),
            ("past=1,18446744073709551615,2", "past"),
            ("was=ada:Walk:1", "past"),
            ("tool=laser", "tool"),
            ("q=ox", "q"),
        ] {
            let refused = Link::parse(fragment);
            let Err(Error::Link { field: found, .. }) = &refused else {
                panic!("{fragment} is refused, not {refused:?}");
            };
            assert_eq!(found, field, "{fragment}");
        }
    }
}
