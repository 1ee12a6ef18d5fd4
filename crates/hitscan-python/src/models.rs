//! Animated models, poses of them, and models in a pose.

use crate::arrays::{Argument, transforms};
use crate::errors::{file_error, library_error, unknown_object};
use crate::python_memory::Column;
use crate::threads::{build, run};
use glam::{DAffine3, DMat4, DQuat, DVec3};
use hitscan::TriMesh;
use hitscan::model::{Clip, Model, NodeTransform, Pose, PosedModel, Winding};
use hitscan_assets::scene::SceneModel;
use hitscan_assets::{ModelOptions, read_model};
use numpy::PyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A model.
#[pyclass(frozen, name = "Model", module = "hitscan._hitscan")]
pub(crate) struct PyModel {
    pub(crate) whole: Arc<SceneModel>,
    warnings: Vec<String>,
}

impl PyModel {
    pub(crate) fn new(whole: Arc<SceneModel>) -> Self {
        Self {
            whole,
            warnings: Vec::new(),
        }
    }

    fn model(&self) -> &Arc<Model> {
        &self.whole.model
    }
}

/// A part: `(name, node, vertices, triangles, skin, morph targets)`.
type PartFacts<'a> = (&'a str, usize, usize, usize, Option<usize>, usize);

#[pymethods]
impl PyModel {
    /// The model of a file; `scene` of a glTF file with several.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, scene: Option<usize>) -> PyResult<Self> {
        let options = ModelOptions {
            scene,
            ..ModelOptions::default()
        };
        let read = build(py, || {
            let file = read_model(&path, &options)?;
            let model = Model::new(file.data)
                .map_err(|error| hitscan_assets::Error::refused(&path, "the model", error))?;
            let whole = SceneModel {
                // Its folder says nothing elsewhere.
                file: path.file_name().unwrap_or_default().into(),
                model: Arc::new(model),
                colors: file.colors,
            };
            Ok((Arc::new(whole), file.warnings))
        })?;
        let (whole, warnings) = read.map_err(|error| file_error(py, &error))?;
        Ok(Self { whole, warnings })
    }

    /// What may make the model another one than its author means.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Name, first and last time of each clip.
    fn clips(&self) -> Vec<(Option<&str>, f64, f64)> {
        let clips = self.model().clips().iter();
        clips
            .map(|clip| (clip.name(), clip.start_secs(), clip.end_secs()))
            .collect()
    }

    /// Name and parent of each node.
    fn nodes(&self) -> Vec<(Option<&str>, Option<usize>)> {
        let nodes = self.model().nodes().iter();
        nodes.map(|node| (node.name(), node.parent())).collect()
    }

    fn parts(&self) -> Vec<PartFacts<'_>> {
        let parts = self.model().parts().iter();
        let facts = parts.map(|part| {
            let mesh = part.mesh();
            let counts = (mesh.positions().len(), mesh.triangles().len());
            (
                part.name(),
                part.node(),
                counts.0,
                counts.1,
                part.skin(),
                part.morph_target_count(),
            )
        });
        facts.collect()
    }

    fn joints(&self) -> Vec<usize> {
        self.model().joints()
    }

    #[getter]
    fn triangle_count(&self) -> usize {
        self.model().triangle_count()
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.model().memory_bytes()
    }

    /// The clip of this name or, where none has it and it is a number, of this index.
    fn find_clip(&self, name: &str) -> PyResult<usize> {
        let found = self.model().find_clip(name);
        found.ok_or_else(|| no_clip(name, self.model()))
    }

    fn find_node(&self, name: &str) -> Option<usize> {
        self.model().find_node(name)
    }

    /// The corners of a part's triangles.
    fn triangles(&self, py: Python<'_>, part: usize) -> PyResult<Py<PyArrayDyn<i64>>> {
        let mesh = self.model().parts().get(part).map(|part| part.mesh());
        let triangles = mesh.ok_or_else(|| no_part(part))?.triangles();
        let rows = Column::<i64>::new(py, &[triangles.len(), 3])?;
        for (row, corners) in triangles.iter().enumerate() {
            rows.put_row(row, corners.map(i64::from));
        }
        Ok(rows.into_array())
    }

    fn rest_pose(&self) -> PyPose {
        PyPose {
            model: Arc::clone(self.model()),
            pose: self.model().rest_pose().clone(),
        }
    }

    fn pose_at(&self, clip: usize, time_secs: f64) -> PyResult<PyPose> {
        let pose = self.model().pose_at(clip, time_secs);
        Ok(PyPose {
            model: Arc::clone(self.model()),
            pose: pose.map_err(|error| library_error(&error))?,
        })
    }

    /// A pose of these transforms, see [`PyPose::locals`], and weights.
    fn restored_pose(&self, locals: Vec<Vec<f64>>, weights: Vec<Vec<f64>>) -> PyResult<PyPose> {
        let mut pose = self.model().rest_pose().clone();
        let counts = [locals.len(), weights.len()];
        if counts != [pose.node_count(); 2] {
            return Err(PyValueError::new_err(format!(
                "the pose of another model: it has {} nodes, and this one {}",
                counts[0],
                pose.node_count()
            )));
        }
        for (node, (local, weights)) in locals.iter().zip(&weights).enumerate() {
            let set = pose.set_local(node, transform_of(local)?);
            let set = set.and_then(|()| pose.set_morph_weights(node, weights));
            set.map_err(|error| library_error(&error))?;
        }
        Ok(PyPose {
            model: Arc::clone(self.model()),
            pose,
        })
    }

    /// For each node, from its own space to the model's, (n, 4, 4).
    fn model_from_nodes(&self, py: Python<'_>, pose: &PyPose) -> PyResult<Py<PyArrayDyn<f64>>> {
        let nodes = self.model().model_from_nodes(&pose.pose);
        let nodes = nodes.map_err(|error| library_error(&error))?;
        let rows = Column::<f64>::new(py, &[nodes.len(), 4, 4])?;
        for (node, transform) in nodes.iter().enumerate() {
            let columns = DMat4::from(*transform).transpose().to_cols_array();
            rows.put_row(node, columns);
        }
        Ok(rows.into_array())
    }

    /// A pose in which a node has this transform into the model's space.
    fn place_node(
        &self,
        pose: &PyPose,
        node: usize,
        transform: &Bound<'_, PyAny>,
    ) -> PyResult<PyPose> {
        let argument = Argument::new("transform", transform)?;
        let all = transforms(&argument)?;
        let ([4, 4], [transform]) = (argument.shape(), all.as_slice()) else {
            return Err(argument.unexpected("(4, 4)"));
        };
        let mut placed = pose.pose.clone();
        let set = self.model().place_node(&mut placed, node, *transform);
        set.map_err(|error| library_error(&error))?;
        Ok(PyPose {
            model: Arc::clone(self.model()),
            pose: placed,
        })
    }

    fn max_displacement(&self, one: &PyPose, other: &PyPose) -> PyResult<f64> {
        let most = self.model().max_displacement(&one.pose, &other.pose);
        most.map_err(|error| library_error(&error))
    }

    fn posed(&self, pose: &PyPose) -> PyResult<PyPosedModel> {
        let posed = PosedModel::new(self.model(), &pose.pose);
        Ok(PyPosedModel {
            posed: Arc::new(posed.map_err(|error| library_error(&error))?),
            whole: Arc::clone(&self.whole),
        })
    }
}

/// The error of a clip that a model does not have.
pub(crate) fn no_clip(clip: &str, model: &Model) -> PyErr {
    let name = |(number, clip): (usize, &Clip)| match clip.name() {
        Some(name) => format!("{name:?}"),
        None => number.to_string(),
    };
    let clips = model.clips().iter().enumerate().map(name);
    let clips: Vec<String> = clips.collect();
    unknown_object(format!(
        "no clip is called {clip:?}; there are {}",
        match clips.as_slice() {
            [] => "none".to_owned(),
            clips => clips.join(", "),
        }
    ))
}

fn no_part(part: usize) -> PyErr {
    PyValueError::new_err(format!("the model has no part {part}"))
}

/// A pose of a model.
#[pyclass(frozen, name = "Pose", module = "hitscan._hitscan")]
pub(crate) struct PyPose {
    model: Arc<Model>,
    pub(crate) pose: Pose,
}

impl PyPose {
    pub(crate) fn new(model: Arc<Model>, pose: Pose) -> Self {
        Self { model, pose }
    }

    fn like(&self, pose: Result<Pose, hitscan::Error>) -> PyResult<Self> {
        Ok(Self {
            model: Arc::clone(&self.model),
            pose: pose.map_err(|error| library_error(&error))?,
        })
    }
}

#[pymethods]
impl PyPose {
    fn blended(&self, other: &Self, alpha: f64) -> PyResult<Self> {
        self.like(self.pose.blended(&other.pose, alpha))
    }

    /// The blend of poses, each with its weight; the first one's model is the blend's.
    #[staticmethod]
    fn blend_of(poses: Vec<Bound<'_, Self>>, weights: Vec<f64>) -> PyResult<Self> {
        let weighted = poses.iter().map(|pose| &pose.get().pose).zip(weights);
        let weighted: Vec<(&Pose, f64)> = weighted.collect();
        match poses.first() {
            Some(first) => first.get().like(Pose::blend_of(&weighted)),
            None => Err(PyValueError::new_err("poses: expected at least one")),
        }
    }

    /// The transform of each node in its parent's space: ten numbers, the translation, the rotation
    /// x, y, z, w and the scale, or sixteen, the columns of a matrix.
    fn locals(&self) -> Vec<Vec<f64>> {
        let local = |node: usize| match self.pose.local(node) {
            Some(NodeTransform::Trs {
                translation,
                rotation,
                scale,
            }) => [
                translation.to_array().as_slice(),
                &rotation.to_array(),
                &scale.to_array(),
            ]
            .concat(),
            Some(NodeTransform::Matrix(matrix)) => matrix.to_cols_array().to_vec(),
            None => Vec::new(),
        };
        (0..self.pose.node_count()).map(local).collect()
    }

    /// The weights of each node's morph targets.
    fn morph_weights(&self) -> Vec<Vec<f64>> {
        let weights = |node: usize| self.pose.morph_weights(node).unwrap_or_default().to_vec();
        (0..self.pose.node_count()).map(weights).collect()
    }

    /// The same pose with another transform of a node, as [`PyPose::locals`] has it.
    fn with_local(&self, node: usize, local: Vec<f64>) -> PyResult<Self> {
        let mut pose = self.pose.clone();
        let set = pose.set_local(node, transform_of(&local)?);
        self.like(set.map(|()| pose))
    }

    fn with_morph_weights(&self, node: usize, weights: Vec<f64>) -> PyResult<Self> {
        let mut pose = self.pose.clone();
        let set = pose.set_morph_weights(node, &weights);
        self.like(set.map(|()| pose))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.pose == other.pose
    }
}

/// The transform of ten or sixteen numbers, see [`PyPose::locals`].
fn transform_of(numbers: &[f64]) -> PyResult<NodeTransform> {
    if let Ok(columns) = <[f64; 16]>::try_from(numbers) {
        return Ok(NodeTransform::Matrix(DMat4::from_cols_array(&columns)));
    }
    match *numbers {
        [x, y, z, rx, ry, rz, rw, sx, sy, sz] => Ok(NodeTransform::Trs {
            translation: DVec3::new(x, y, z),
            rotation: DQuat::from_xyzw(rx, ry, rz, rw),
            scale: DVec3::new(sx, sy, sz),
        }),
        _ => Err(PyValueError::new_err(format!(
            "expected the 10 or 16 numbers of a transform, found {}",
            numbers.len()
        ))),
    }
}

/// A model in a pose, deformed where queries reach it.
#[pyclass(frozen, name = "PosedModel", module = "hitscan._hitscan")]
pub(crate) struct PyPosedModel {
    pub(crate) posed: Arc<PosedModel>,
    pub(crate) whole: Arc<SceneModel>,
}

impl PyPosedModel {
    fn part(&self, part: usize) -> PyResult<hitscan::model::PosedPart<'_>> {
        self.posed.part(part).ok_or_else(|| no_part(part))
    }
}

#[pymethods]
impl PyPosedModel {
    fn pose(&self) -> PyPose {
        PyPose {
            model: Arc::clone(&self.whole.model),
            pose: self.posed.pose(),
        }
    }

    /// The vertices of a part in the model's space.
    fn vertices(&self, py: Python<'_>, part: usize) -> PyResult<Py<PyArrayDyn<f64>>> {
        let part = self.part(part)?;
        let mesh: Arc<TriMesh> = run(py, || Arc::clone(part.mesh()))?;
        let place = part.model_from_part();
        let rows = Column::<f64>::new(py, &[mesh.positions().len(), 3])?;
        for (row, position) in mesh.positions().iter().enumerate() {
            let position = position.as_dvec3();
            let placed = match place == DAffine3::IDENTITY {
                true => position,
                false => place.transform_point3(position),
            };
            rows.put_row(row, placed.to_array());
        }
        Ok(rows.into_array())
    }

    /// Whether a part's triangles, in the model's space, have their corners clockwise seen from the
    /// front.
    fn is_mirrored(&self, part: usize) -> PyResult<bool> {
        Ok(self.part(part)?.winding() == Winding::Mirrored)
    }

    fn memory_bytes(&self) -> usize {
        self.posed.memory_bytes()
    }
}
