//! The public methods of a surface of triangles: each verb once, for terrain, meshes and posed models.

/// Writes the public methods of a surface that implements [`SurfaceQueries`](super::SurfaceQueries).
///
/// What is special about it is in the docs before a verb's name: they are all of the docs of `cast_ray`,
/// `cast_ray_all`, `cast_arc` and `closest_point_signed`, and an addition to those of the others. The calling
/// file imports the types of the signatures, and this room as `surface_queries`.
macro_rules! surface_verbs {
    ($surface:ident {
        $(#[$cast_ray:meta])* cast_ray;
        $(#[$cast_ray_all:meta])* cast_ray_all;
        $(#[$cast_rays:meta])* cast_rays;
        $(#[$cast_rays_any:meta])* cast_rays_any;
        $(#[$cast_camera:meta])* cast_camera;
        $(#[$cast_arc:meta])* cast_arc;
        $(#[$cast_shape:meta])* cast_shape;
        $(#[$contacts:meta])* contacts;
        $(#[$closest_point:meta])* closest_point;
        $(#[$closest_point_signed:meta])* closest_point_signed;
    }) => {
        /// Rays.
        impl $surface {
            $(#[$cast_ray])*
            #[must_use]
            #[inline]
            pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
                self.nearest_hit(ray, settings.into().sides)
            }

            /// Whether `ray` hits anything.
            #[must_use]
            #[inline]
            pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
                self.has_hit(ray, settings.into().sides)
            }

            $(#[$cast_ray_all])*
            #[must_use]
            #[inline]
            pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
                self.all_hits(ray, settings.into().sides)
            }

            /// [`Self::cast_ray`] for each ray, in order; on the threads of rayon's current pool where the
            /// feature `parallel` is on.
            ///
            $(#[$cast_rays])*
            #[must_use]
            #[inline]
            pub fn cast_rays(&self, rays: &[Ray], settings: impl Into<RayCastSettings>) -> Vec<Option<RayHit>> {
                let mut hits = vec![None; rays.len()];
                self.cast_rays_into(rays, settings, &mut hits);
                hits
            }

            /// As [`Self::cast_rays`], into a slice that is used again: fresh memory for many answers takes
            /// its time.
            ///
            /// # Panics
            /// If there are not as many answers as rays.
            #[inline]
            pub fn cast_rays_into(
                &self,
                rays: &[Ray],
                settings: impl Into<RayCastSettings>,
                hits: &mut [Option<RayHit>],
            ) {
                self.nearest_hits(rays, settings.into().sides, hits);
            }

            /// [`Self::cast_ray_any`] for each ray, in order; on threads as [`Self::cast_rays`].
            ///
            $(#[$cast_rays_any])*
            #[must_use]
            #[inline]
            pub fn cast_rays_any(&self, rays: &[Ray], settings: impl Into<RayCastSettings>) -> Vec<bool> {
                let mut are_hits = vec![false; rays.len()];
                self.cast_rays_any_into(rays, settings, &mut are_hits);
                are_hits
            }

            /// As [`Self::cast_rays_any`], into a slice that is used again.
            ///
            /// # Panics
            /// If there are not as many answers as rays.
            #[inline]
            pub fn cast_rays_any_into(
                &self,
                rays: &[Ray],
                settings: impl Into<RayCastSettings>,
                are_hits: &mut [bool],
            ) {
                self.have_hits(rays, settings.into().sides, are_hits);
            }

            /// [`Self::cast_ray_all`] for each ray, in order; on threads as [`Self::cast_rays`].
            #[must_use]
            #[inline]
            pub fn cast_rays_all(&self, rays: &[Ray], settings: impl Into<RayCastSettings>) -> Vec<Vec<RayHit>> {
                surface_queries::cast_rays_all(self, rays, settings.into().sides)
            }

            /// What [`Self::cast_ray`] answers for each of the tile's rays, as
            /// [`Snapshot::cast_camera`](crate::Snapshot::cast_camera).
            ///
            $(#[$cast_camera])*
            #[must_use]
            #[inline]
            pub fn cast_camera(
                &self,
                camera: &Camera,
                tile: &CameraTile,
                settings: impl Into<RayCastSettings>,
            ) -> Vec<Option<RayHit>> {
                self.camera_hits((camera, tile), settings.into().sides)
            }

            /// What [`Self::cast_ray_any`] answers for each of the tile's rays, as [`Self::cast_camera`].
            #[must_use]
            #[inline]
            pub fn cast_camera_any(
                &self,
                camera: &Camera,
                tile: &CameraTile,
                settings: impl Into<RayCastSettings>,
            ) -> Vec<bool> {
                self.camera_any((camera, tile), settings.into().sides)
            }
        }

        /// Ballistic arcs.
        impl $surface {
            $(#[$cast_arc])*
            #[must_use]
            pub fn cast_arc(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
                surface_queries::cast_arc(self, arc, settings.into())
            }

            /// Whether `arc` hits anything.
            #[must_use]
            pub fn cast_arc_any(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> bool {
                surface_queries::cast_arc_any(self, arc, settings.into())
            }

            /// [`Self::cast_arc`] for each arc, in order; on the threads of rayon's current pool where the
            /// feature `parallel` is on.
            #[must_use]
            pub fn cast_arcs(
                &self,
                arcs: &[BallisticArc],
                settings: impl Into<RayCastSettings>,
            ) -> Vec<Option<RayHit>> {
                surface_queries::cast_arcs(self, arcs, settings.into())
            }

            /// [`Self::cast_arc_any`] for each arc, in order; on threads as [`Self::cast_arcs`].
            #[must_use]
            pub fn cast_arcs_any(&self, arcs: &[BallisticArc], settings: impl Into<RayCastSettings>) -> Vec<bool> {
                surface_queries::cast_arcs_any(self, arcs, settings.into())
            }
        }

        /// Moving and resting shapes.
        impl $surface {
            /// The first hit of a moving shape with the surface's triangles, or `None`; see
            /// [`Triangle::cast_shape`](crate::Triangle::cast_shape) for a single triangle.
            ///
            /// An overlap at the start comes first, of several that with the lowest triangle index. Else the
            /// hit of the earliest exact time, rounded down to f64; of equal ones the lowest triangle index.
            ///
            /// Contacts with edges inside a flat or concave surface (ghost contacts) are suppressed, so shapes
            /// slide over triangulated ground as over a smooth one. Sides are tested after that: a triangle
            /// whose side does not count still suppresses the edges that it shares.
            ///
            $(#[$cast_shape])*
            #[must_use]
            pub fn cast_shape(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> Option<ShapeHit> {
                surface_queries::cast_shape(self, cast, sides.into())
            }

            /// Whether a moving shape hits anything, or overlaps it at the start.
            #[must_use]
            pub fn cast_shape_any(&self, cast: &ShapeCast, sides: impl Into<Sides>) -> bool {
                surface_queries::cast_shape_any(self, cast, sides.into())
            }

            /// [`Self::cast_shape`] for each moving shape, in order; on the threads of rayon's current pool
            /// where the feature `parallel` is on.
            #[must_use]
            pub fn cast_shapes(&self, casts: &[ShapeCast], sides: impl Into<Sides>) -> Vec<Option<ShapeHit>> {
                surface_queries::cast_shapes(self, casts, sides.into())
            }

            /// [`Self::cast_shape_any`] for each moving shape, in order; on threads as [`Self::cast_shapes`].
            #[must_use]
            pub fn cast_shapes_any(&self, casts: &[ShapeCast], sides: impl Into<Sides>) -> Vec<bool> {
                surface_queries::cast_shapes_any(self, casts, sides.into())
            }

            /// What a turning shape comes to first of the surface's triangles, or `None`; see
            /// [`Primitive::cast_turning`](crate::Primitive::cast_turning). Both sides of a triangle count.
            ///
            /// Of equal t an overlap comes first, then a hit, then what is undecided; of these the lowest triangle.
            #[must_use]
            pub fn cast_turning(&self, cast: &TurningCast) -> Option<TurningHit> {
                surface_queries::cast_turning(self, cast)
            }

            /// [`Self::cast_turning`] for each turning shape, in order; on threads as [`Self::cast_shapes`].
            #[must_use]
            pub fn cast_turnings(&self, casts: &[TurningCast]) -> Vec<Option<TurningHit>> {
                surface_queries::cast_turnings(self, casts)
            }

            /// What a resting shape overlaps, touches or is within `margin` of, metres: one contact
            /// ([`ContactsPer::Object`]), or one for each triangle, in order ([`ContactsPer::Triangle`]). A
            /// negative margin counts as 0.
            ///
            /// Terrain and triangles are surfaces: a shape below the ground or inside a mesh that touches
            /// none of them has no contacts.
            ///
            $(#[$contacts])*
            #[must_use]
            pub fn contacts(&self, shape: impl Into<Primitive>, margin: f32, each: ContactsPer) -> Vec<Contact> {
                surface_queries::contacts(self, &shape.into(), margin, each)
            }

            /// [`Self::contacts`] for each shape, in order; on threads as [`Self::cast_shapes`].
            #[must_use]
            pub fn contacts_of_shapes(
                &self,
                shapes: &[Primitive],
                margin: f32,
                each: ContactsPer,
            ) -> Vec<Vec<Contact>> {
                surface_queries::contacts_of_shapes(self, shapes, margin, each)
            }

            /// Whether a resting shape overlaps a triangle, exactly: one that only touches does not.
            #[must_use]
            pub fn overlaps_shape(&self, shape: impl Into<Primitive>) -> bool {
                surface_queries::overlaps_shape(self, &shape.into())
            }

            /// [`Self::overlaps_shape`] for each shape, in order; on threads as [`Self::cast_shapes`].
            #[must_use]
            pub fn overlaps_shapes(&self, shapes: &[Primitive]) -> Vec<bool> {
                surface_queries::overlaps_shapes(self, shapes)
            }
        }

        /// The closest point.
        impl $surface {
            /// The point of the surface that is nearest to `point`; of the same reported distance that of the
            /// lowest part, then of the lowest triangle index.
            ///
            /// `None` where nothing is within `max_distance` metres, itself included and compared exactly, or
            /// where that is negative or the point is not finite. Triangles without area are ignored.
            ///
            $(#[$closest_point])*
            ///
            /// # Accuracy
            /// See [`ClosestPoint`].
            #[must_use]
            #[inline]
            pub fn closest_point(&self, point: impl Into<Vec3>, max_distance: f32) -> Option<ClosestPoint> {
                self.closest(point.into(), max_distance)
            }

            $(#[$closest_point_signed])*
            #[must_use]
            #[inline]
            pub fn closest_point_signed(&self, point: impl Into<Vec3>, max_distance: f32) -> Option<ClosestPoint> {
                self.closest_signed(point.into(), max_distance)
            }

            /// [`Self::closest_point`] of each point, in order; on the threads of rayon's current pool where
            /// the feature `parallel` is on.
            #[must_use]
            pub fn closest_points(&self, points: &[Vec3], max_distance: f32) -> Vec<Option<ClosestPoint>> {
                surface_queries::closest_points(self, points, max_distance)
            }

            /// [`Self::closest_point_signed`] of each point, in order; on threads as [`Self::closest_points`].
            #[must_use]
            pub fn closest_points_signed(&self, points: &[Vec3], max_distance: f32) -> Vec<Option<ClosestPoint>> {
                surface_queries::closest_points_signed(self, points, max_distance)
            }
        }
    };
}
pub(crate) use surface_verbs;
