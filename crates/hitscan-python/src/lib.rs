//! The private extension module of the Python package `hitscan`.
//!
//! The public classes are Python, in `python/hitscan/`; they check shapes and names, and call what
//! is here with arrays. Modules are listed in reading order: a module uses those before it.

mod number;
mod strides;
mod python_memory;
mod errors;
mod thread_count;
mod fork_gate;
mod threads;
mod rows_on_threads;
mod arrays;
mod invalid;
mod past;
mod shapes;
mod models;
mod objects;
mod view;
mod hashed_files;
mod world_origin;
mod added;
mod edited;
mod world;
mod poses;
mod filter;
mod fields;
mod hit_fields;
mod questions;
mod columns;
mod ray_columns;
mod ray_rows;
mod rays;
mod rays_each;
mod all_hits;
mod baked;
mod camera;
mod pictures;
mod demo;
mod heights;
mod footprints;
mod shape_rows;
mod sweeps;
mod object_casts;
mod turnings;
mod turning_objects;
mod contacts;
mod solids;
mod closest;
mod overlaps;
mod impacts;
mod distances;
mod arcs;
mod sight;
mod viewshed;
mod explain;
mod trace;
mod table_errors;
mod table_scene;
mod query;
mod timed_table;
mod parts;
mod tables;

use pyo3::prelude::*;

/// What `hitscan._hitscan` holds.
#[pymodule]
fn _hitscan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    thread_count::begin();
    threads::settle_global_pool();
    fork_gate::register(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(parts::answer_part, module)?)?;
    module.add_class::<tables::AnsweredTable>()?;
    module.add_function(wrap_pyfunction!(tables::answer_table, module)?)?;
    module.add_function(wrap_pyfunction!(parts::parquet_footer, module)?)?;
    module.add("RAY_FIELDS", hit_fields::FIELDS)?;
    module.add_class::<shapes::PyTriMesh>()?;
    module.add_class::<shapes::PyHeightField>()?;
    module.add_class::<shapes::PyHeightSamples>()?;
    module.add_class::<shapes::PyPrimitive>()?;
    module.add_class::<shapes::PyCompound>()?;
    module.add_class::<models::PyModel>()?;
    module.add_class::<models::PyPose>()?;
    module.add_class::<models::PyPosedModel>()?;
    module.add_class::<objects::Names>()?;
    module.add_class::<view::View>()?;
    module.add_class::<world::PyWorld>()?;
    module.add_function(wrap_pyfunction!(poses::set_pose, module)?)?;
    module.add_function(wrap_pyfunction!(poses::set_poses, module)?)?;
    module.add_function(wrap_pyfunction!(shapes::utm_zone, module)?)?;
    module.add_function(wrap_pyfunction!(thread_count::num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(thread_count::set_num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(rays::cast_rays, module)?)?;
    module.add_function(wrap_pyfunction!(rays::cast_rays_any, module)?)?;
    module.add_function(wrap_pyfunction!(rays_each::cast_rays_each, module)?)?;
    module.add_function(wrap_pyfunction!(all_hits::cast_rays_all, module)?)?;
    module.add_function(wrap_pyfunction!(camera::camera_rays, module)?)?;
    module.add_function(wrap_pyfunction!(demo::demo_files, module)?)?;
    module.add_class::<pictures::PyPicture>()?;
    module.add_function(wrap_pyfunction!(pictures::render_picture, module)?)?;
    module.add_function(wrap_pyfunction!(pictures::picture_rays, module)?)?;
    module.add_function(wrap_pyfunction!(heights::heights, module)?)?;
    module.add_function(wrap_pyfunction!(footprints::footprints, module)?)?;
    module.add_function(wrap_pyfunction!(sweeps::cast_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(sweeps::cast_shapes_any, module)?)?;
    module.add_function(wrap_pyfunction!(sweeps::cast_shapes_all, module)?)?;
    module.add_function(wrap_pyfunction!(object_casts::cast_objects, module)?)?;
    module.add_function(wrap_pyfunction!(object_casts::cast_objects_any, module)?)?;
    module.add_function(wrap_pyfunction!(turnings::cast_turnings, module)?)?;
    module.add_function(wrap_pyfunction!(
        turning_objects::cast_turning_objects,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(contacts::contacts, module)?)?;
    module.add_function(wrap_pyfunction!(contacts::overlaps_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(solids::count_rays, module)?)?;
    module.add_function(wrap_pyfunction!(solids::contains, module)?)?;
    module.add_function(wrap_pyfunction!(closest::closest_points, module)?)?;
    module.add_function(wrap_pyfunction!(overlaps::broad_phase_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(overlaps::overlaps, module)?)?;
    module.add_function(wrap_pyfunction!(overlaps::objects_in, module)?)?;
    module.add_function(wrap_pyfunction!(impacts::impacts, module)?)?;
    module.add_function(wrap_pyfunction!(impacts::shape_impacts, module)?)?;
    module.add_function(wrap_pyfunction!(distances::distances, module)?)?;
    module.add_function(wrap_pyfunction!(distances::near_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(arcs::cast_arcs, module)?)?;
    module.add_function(wrap_pyfunction!(arcs::cast_arcs_any, module)?)?;
    module.add_function(wrap_pyfunction!(sight::is_visible, module)?)?;
    module.add_function(wrap_pyfunction!(sight::first_blocker, module)?)?;
    module.add_function(wrap_pyfunction!(viewshed::viewshed, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_ray, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_arc, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_shape, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_contacts, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_closest_point, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain_miss, module)?)?;
    module.add_function(wrap_pyfunction!(trace::trace_ray, module)?)?;
    module.add_function(wrap_pyfunction!(trace::cast_ray_counted, module)?)?;
    module.add_function(wrap_pyfunction!(trace::nearest_approaches, module)?)?;
    module.add_function(wrap_pyfunction!(baked::baked_world, module)?)?;
    module.add_function(wrap_pyfunction!(baked::save_world, module)?)?;
    module.add_function(wrap_pyfunction!(baked::load_world, module)?)?;
    module.add_function(wrap_pyfunction!(baked::world_of_buffer, module)?)?;
    Ok(())
}
