//! The convex hull of a mesh.

use crate::{ConvexHull, Error, TriMesh};
use glam::Vec3;

impl ConvexHull {
    /// The hull of all corners of a mesh's triangles, in the mesh's own space.
    ///
    /// # Errors
    /// [`Error::WrongLength`] of a mesh without triangles, [`Error::TooMany`] for more than
    /// [`Self::MAX_CORNERS`] corners.
    ///
    /// ```
    /// use hitscan::{ConvexHull, TriMesh};
    /// let positions = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, 0.0]];
    /// let positions = positions.map(Into::into).to_vec();
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 3], [1, 2, 3]])?;
    /// let hull = ConvexHull::from_mesh(&mesh)?;
    /// assert_eq!((hull.corners().len(), hull.face_count()), (3, 2));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn from_mesh(mesh: &TriMesh) -> Result<Self, Error> {
        let positions = mesh.positions();
        let corners = mesh.triangles().iter().flatten();
        Self::new(corners.map(|corner| -> Vec3 { positions[*corner as usize] }))
    }
}
