/* What the files that call Box3D share.
 *
 * The sources are those that the crate box3d-sys vendors; its bindings are not used, as making them
 * needs libclang. */
#ifndef HITSCAN_BENCH_BOX3D_SHAPE_H
#define HITSCAN_BENCH_BOX3D_SHAPE_H

#include <box3d/box3d.h>

#include "questions.h"
#include <math.h>

static inline b3Vec3 vector_of(const float *v) { return (b3Vec3){v[0], v[1], v[2]}; }

/* A ray has an end in Box3D. This is far beyond every workload's scene. */
static inline float end_of(const Question *question) { return fminf(question->t_max, 5000.0f); }

static inline b3Vec3 way_of(const Question *question) {
    float end = end_of(question);
    const float *d = question->direction;
    return (b3Vec3){end * d[0], end * d[1], end * d[2]};
}

b3MeshData *box3d_mesh_data(const float *positions, size_t position_count,
                            const uint32_t *triangles, size_t triangle_count);

b3HeightFieldData *box3d_terrain_data(const float *heights, size_t size);

/* A shape's points, which are written, and its radius. */
b3ShapeProxy box3d_proxy(Solid solid, b3Vec3 points[8]);

#endif
