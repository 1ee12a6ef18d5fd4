/* Whole worlds as the bench hands them to its C and C++ peers; src/inputs/world.rs and
 * src/peers/native_world.rs are the same in Rust. */
#ifndef HITSCAN_BENCH_WORLD_H
#define HITSCAN_BENCH_WORLD_H

#include "questions.h"

enum { FORM_SPHERE, FORM_ALIGNED_BOX, FORM_TURNED_BOX, FORM_CAPSULE, FORM_MESH };

typedef struct {
    uint32_t form;
    uint32_t mesh;
    float position[3];
    /* x, y, z, w. */
    float rotation[4];
    /* A radius; half sizes; a radius and half the length of the segment along y; a scale, thrice. */
    float size[3];
} WorldBody;

typedef struct {
    const float *positions;
    size_t position_count;
    const uint32_t *triangles;
    size_t triangle_count;
} MeshView;

typedef struct {
    const MeshView *meshes;
    size_t mesh_count;
    const WorldBody *bodies;
    size_t body_count;
    /* terrain_size * terrain_size of them; null where there is no terrain. */
    const float *heights;
    size_t terrain_size;
} WorldView;

#endif
