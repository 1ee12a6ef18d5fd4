//! Pictures of worlds, with the pixels of `hitscan render`.

use crate::arrays::point;
use crate::errors::library_error;
use crate::python_memory::Column;
use crate::ray_rows::RayBuffer;
use crate::rays::{Cast, Ends, Wanted};
use crate::rows_on_threads::for_each;
use crate::threads::run_cancellable;
use crate::view::View;
use glam::{DVec3, Vec3};
use hitscan::{RayHit, Snapshot};
use hitscan_assets::{Scene, SceneCamera};
use hitscan_picture::{
    Image, Light, Painter, Palette, Pass, PictureOptions, Projection, RenderOptions, Shot, Shows,
    View as PictureView, Viewpoint, draw_shots, render,
};
use numpy::{PyArray1, PyArray3, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// More shots would hide each other and what is behind them.
const MAX_SHOTS: usize = 10_000;

/// The pixels of a picture are counted by 32 bits.
const MAX_PIXELS: u64 = 1 << 28;

/// The attributes of a Python object that say how a picture is drawn.
#[derive(FromPyObject)]
pub(crate) struct Drawing {
    eye: Option<[f64; 3]>,
    look: Option<[f64; 3]>,
    /// Radians; `None` is that of the scene's camera, or of cameras that state none.
    fov: Option<f64>,
    size: [u32; 2],
    top: bool,
    ortho: bool,
    light: String,
    samples: Option<u32>,
    ao: Option<u32>,
    outline: bool,
    cost: bool,
}

impl Drawing {
    /// The camera of the world's scene file, where nothing else is requested.
    fn camera<'a>(&self, view: &'a View) -> Option<&'a SceneCamera> {
        let is_elsewhere = self.eye.is_some() || self.top;
        let scene = view.objects.scene().filter(|_| !is_elsewhere);
        scene.and_then(Scene::camera)
    }

    fn viewpoint(&self, view: &View) -> PyResult<Viewpoint> {
        let place = |at: [f64; 3]| point(at, view.origin).as_dvec3();
        match (self.eye.map(place), self.look.map(place)) {
            (Some(_), _) if self.top => Err(PyValueError::new_err("eye: `top` has its own")),
            (Some(eye), Some(target)) => Ok(Viewpoint::At(PictureView { eye, target })),
            (Some(eye), None) => Ok(Viewpoint::From(eye)),
            (None, Some(_)) => Err(PyValueError::new_err("look: it goes with an eye")),
            (None, None) if self.top => Ok(Viewpoint::Above),
            (None, None) => Ok(match self.camera(view) {
                Some(camera) => Viewpoint::At(PictureView {
                    eye: camera.eye,
                    target: camera.look,
                }),
                None => Viewpoint::Overview,
            }),
        }
    }

    fn options<'a>(&self, view: &'a View, now: &'a Snapshot) -> PyResult<PictureOptions<'a>> {
        let [width, height] = self.size.map(u64::from);
        if !(1..=MAX_PIXELS).contains(&(width * height)) {
            return Err(PyValueError::new_err(format!(
                "size: expected 1 to {MAX_PIXELS} pixels, found {width} x {height}"
            )));
        }
        let light = light_named(&self.light)?;
        let ambient_occlusion = match (self.ao, light) {
            (Some(1..), Light::Plain) => Err(PyValueError::new_err(
                "ao: plain light casts the camera's rays alone",
            )),
            (Some(65..), _) => Err(PyValueError::new_err("ao: expected 0 to 64")),
            (Some(rays), _) => Ok(rays),
            (None, Light::Soft) => Ok(1),
            (None, _) => Ok(0),
        }?;
        if self
            .samples
            .is_some_and(|samples| !(1..=16).contains(&samples))
        {
            return Err(PyValueError::new_err("samples: expected 1 to 16"));
        }
        let camera = self.camera(view);
        let is_orthographic = camera.is_some_and(|camera| camera.is_orthographic);
        let fov_degrees = camera.map_or(SceneCamera::FOV_DEGREES, |camera| camera.fov_degrees);
        let color = |hit: &RayHit| {
            let color = view.objects.color(now, hit)?;
            Some(Vec3::from(color).as_dvec3())
        };
        Ok(PictureOptions {
            viewpoint: self.viewpoint(view)?,
            projection: match self.top || self.ortho || is_orthographic {
                true => Projection::Orthographic,
                false => Projection::Perspective,
            },
            fov_y: self.fov.unwrap_or(fov_degrees.to_radians()),
            color: Arc::new(color),
            light,
            ambient_occlusion,
            palette: match light {
                Light::Sun => Palette::Vivid,
                Light::Plain | Light::Soft => Palette::ForAllEyes,
            },
            outline: self.outline,
            shows: match self.cost {
                true => Shows::Cost,
                false => Shows::Picture,
            },
            ..PictureOptions::new(self.size)
        })
    }
}

fn light_named(name: &str) -> PyResult<Light> {
    match name {
        "plain" => Ok(Light::Plain),
        "sun" => Ok(Light::Sun),
        "soft" => Ok(Light::Soft),
        _ => Err(PyValueError::new_err(format!(
            "light: expected \"plain\", \"sun\" or \"soft\", found {name:?}"
        ))),
    }
}

/// What is wrong with a picture's options.
fn picture_error(error: &hitscan_picture::Error) -> PyErr {
    match error {
        hitscan_picture::Error::Camera(error) => library_error(error),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Rays, cast once more to be drawn: `(origins, directions, range, wanted)`.
type Asked<'py> = (
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Ends<'py>,
    Wanted<'py>,
);

/// The first rays with their nearest hits, and how many are omitted.
fn shots(view: &View, asked: Vec<Asked<'_>>) -> PyResult<(Vec<Shot>, usize)> {
    let mut shots = Vec::new();
    let mut rows = 0;
    for (origins, directions, range, wanted) in asked {
        let questions = (&origins, directions.as_ref());
        let cast = Cast::new(view, questions, &range, wanted, ("mark", None))?;
        rows += cast.rays.count();
        let some = cast.rays.count().min(MAX_SHOTS - shots.len());
        let mut buffer = RayBuffer::default();
        cast.rays.read(0, some, &mut buffer, &cast.bad);
        let mut hits = vec![None; buffer.rays.len()];
        view.target
            .cast_rays_into(&buffer.rays, cast.settings, cast.filter(), &mut hits);
        let rays = buffer.rays.iter().zip(hits);
        shots.extend(rays.map(|(ray, hit)| Shot::Ray { ray: *ray, hit }));
    }
    let left_out = rows - shots.len();
    Ok((shots, left_out))
}

/// A picture.
#[pyclass(frozen, name = "Picture", module = "hitscan._hitscan")]
pub(crate) struct PyPicture {
    image: Image,
}

#[pymethods]
impl PyPicture {
    /// sRGB, (height, width, 3).
    fn rgb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let [width, height] = [self.image.width(), self.image.height()].map(|side| side as usize);
        let bytes = py.detach(|| self.image.to_srgb());
        PyArray1::from_vec(py, bytes).reshape([height, width, 3])
    }

    /// The bytes of a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let png = py.detach(|| self.image.to_png());
        let png = png.map_err(|error| picture_error(&error))?;
        Ok(PyBytes::new(py, &png))
    }
}

/// Draws a world, and returns how many of the requested rays are omitted.
#[pyfunction]
pub(crate) fn render_picture(
    py: Python<'_>,
    view: &View,
    drawing: Drawing,
    asked: Vec<Asked<'_>>,
) -> PyResult<(PyPicture, usize)> {
    let now = view.target.snapshot();
    let picture = drawing.options(view, &now)?;
    let (shots, left_out) = shots(view, asked)?;
    let cancel = AtomicBool::new(false);
    let options = RenderOptions {
        picture,
        samples: drawing.samples,
        ..RenderOptions::new(drawing.size, &cancel)
    };
    let drawn = run_cancellable(py, &cancel, || {
        let mut image = render(&now, &options)?;
        if !shots.is_empty() {
            draw_shots(&mut image, &Painter::new(&now, &options.picture)?, &shots);
        }
        Ok(image)
    })?;
    let image = drawn.map_err(|error| picture_error(&error))?;
    Ok((PyPicture { image }, left_out))
}

/// The rays through the middles of a picture's pixels, (height, width, 6), in f64 where the view has an
/// origin.
#[pyfunction]
pub(crate) fn picture_rays(
    py: Python<'_>,
    view: &View,
    drawing: Drawing,
) -> PyResult<Py<PyArrayDyn<f64>>> {
    let now = view.target.snapshot();
    let options = drawing.options(view, &now)?;
    let painter = Painter::new(&now, &options).map_err(|error| picture_error(&error))?;
    let [columns, rows] = drawing.size;
    let shape = [rows as usize, columns as usize, 6];
    let rays = Column::<f64>::new(py, &shape)?;
    let origin = view.origin.unwrap_or(DVec3::ZERO);
    for_each(py, shape[0], None, |row| {
        for column in 0..columns {
            let pixel = [column, u32::try_from(row).unwrap_or(u32::MAX)];
            // Every pixel is inside.
            if let Some(ray) = painter.ray(Pass::Look { step: 1 }, pixel) {
                let from = ray.origin().as_dvec3() + origin;
                let [dx, dy, dz] = ray.direction().as_dvec3().to_array();
                let values = [from.x, from.y, from.z, dx, dy, dz];
                rays.put_row(row * shape[1] + column as usize, values);
            }
        }
    })?;
    Ok(rays.into_array())
}
