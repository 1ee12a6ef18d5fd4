/* A whole world in Embree: instances of meshes, terrain and solids, and bodies that move.
 *
 * A world is a scene like any other, so that embree.c casts its rays. Spheres are sphere points,
 * capsules round linear curves, boxes twelve triangles. */

#include "embree_shape.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

/* How terrain and solids are held: as geometries beside the instances, or all as instances of their
 * own. The others that were measured take longer: all solids as one instance 5 to 25 % more time,
 * terrain as a grid 10 to 20 %. */
enum { WAY_BESIDE, WAY_EACH };

enum { SPHERES, CAPSULES, BOXES, GROUPS };

typedef struct {
    RTCGeometry geometry;
    float *vertices;
    size_t count;
} Group;

typedef struct {
    /* Of each body, or null where it is in a group. */
    RTCGeometry *instances;
    Group groups[GROUPS];
} EmbreeWorld;

static void free_world(void *pointer) {
    EmbreeWorld *world = pointer;
    free(world->instances);
    free(world);
}

static int group_of(const WorldBody *body) {
    return body->form == FORM_SPHERE ? SPHERES : body->form == FORM_CAPSULE ? CAPSULES : BOXES;
}

/* The columns of a body's rotation, scaled. */
static void columns_of(const WorldBody *body, const float scale[3], float columns[9]) {
    float x = body->rotation[0], y = body->rotation[1], z = body->rotation[2],
          w = body->rotation[3];
    const float turn[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
        2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
        2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y),
    };
    for (int i = 0; i < 9; ++i) columns[i] = turn[i] * scale[i / 3];
}

/* The floats of a body's vertices in its group. */
static const size_t FLOATS[GROUPS] = {4, 8, 24};

static void write_sphere(const WorldBody *body, float *vertex) {
    memcpy(vertex, body->position, 3 * sizeof(float));
    vertex[3] = body->size[0];
}

static void write_capsule(const WorldBody *body, float *vertices) {
    static const float unit[3] = {1.0f, 1.0f, 1.0f};
    float columns[9];
    columns_of(body, unit, columns);
    for (int end = 0; end < 2; ++end) {
        float half = end ? body->size[1] : -body->size[1];
        for (int axis = 0; axis < 3; ++axis) {
            vertices[4 * end + axis] = body->position[axis] + half * columns[3 + axis];
        }
        vertices[4 * end + 3] = body->size[0];
    }
}

static void write_box(const WorldBody *body, float *corners) {
    float columns[9];
    columns_of(body, body->size, columns);
    for (int corner = 0; corner < 8; ++corner) {
        for (int axis = 0; axis < 3; ++axis) {
            float sum = body->position[axis];
            for (int way = 0; way < 3; ++way) {
                sum += (corner >> way & 1 ? 1.0f : -1.0f) * columns[3 * way + axis];
            }
            corners[3 * corner + axis] = sum;
        }
    }
}

static void write_body(const WorldBody *body, float *vertices) {
    switch (group_of(body)) {
    case SPHERES:
        write_sphere(body, vertices);
        break;
    case CAPSULES:
        write_capsule(body, vertices);
        break;
    default:
        write_box(body, vertices);
    }
}

/* Two triangles of each face; a corner's bits are its sides. */
static const uint32_t BOX[12][3] = {
    {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
};

/* A geometry of so many solids of one group; their vertices are not written yet. */
static Group new_group(RTCDevice device, int kind, size_t count) {
    static const int types[GROUPS] = {RTC_GEOMETRY_TYPE_SPHERE_POINT,
                                      RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE,
                                      RTC_GEOMETRY_TYPE_TRIANGLE};
    Group group = {rtcNewGeometry(device, types[kind]), NULL, count};
    size_t width = kind == BOXES ? 3 : 4;
    int format = kind == BOXES ? RTC_FORMAT_FLOAT3 : RTC_FORMAT_FLOAT4;
    group.vertices =
        rtcSetNewGeometryBuffer(group.geometry, RTC_BUFFER_TYPE_VERTEX, 0, format,
                                width * sizeof(float), count * FLOATS[kind] / width);
    if (kind == CAPSULES) {
        uint32_t *firsts = rtcSetNewGeometryBuffer(group.geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                   RTC_FORMAT_UINT, sizeof(uint32_t), count);
        for (size_t i = 0; i < count; ++i) firsts[i] = (uint32_t)(2 * i);
    } else if (kind == BOXES) {
        uint32_t *corners =
            rtcSetNewGeometryBuffer(group.geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                    3 * sizeof(uint32_t), 12 * count);
        for (size_t i = 0; i < 36 * count; ++i) {
            corners[i] = (uint32_t)(8 * (i / 36)) + BOX[i % 36 / 3][i % 3];
        }
    }
    return group;
}

static void attach(RTCScene scene, RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
}

static RTCScene new_scene(RTCDevice device, int robust, int quality) {
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, robust ? RTC_SCENE_FLAG_ROBUST : 0);
    rtcSetSceneBuildQuality(scene, quality);
    return scene;
}

/* An instance of a scene, which it then holds. */
static RTCGeometry new_instance(RTCDevice device, RTCScene scene) {
    RTCGeometry instance = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, scene);
    return instance;
}

/* A body in its own space: of unit size where its transform scales it. */
static WorldBody unplaced(const WorldBody *body) {
    WorldBody own = *body;
    memset(own.position, 0, sizeof own.position);
    memset(own.rotation, 0, 3 * sizeof(float));
    own.rotation[3] = 1.0f;
    if (body->form != FORM_CAPSULE) own.size[0] = own.size[1] = own.size[2] = 1.0f;
    return own;
}

static void place(RTCGeometry instance, const WorldBody *body) {
    float scale[3] = {1.0f, 1.0f, 1.0f};
    if (body->form == FORM_SPHERE) scale[0] = scale[1] = scale[2] = body->size[0];
    else if (body->form != FORM_CAPSULE) memcpy(scale, body->size, sizeof scale);
    float transform[12];
    columns_of(body, scale, transform);
    memcpy(transform + 9, body->position, sizeof body->position);
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform);
    rtcCommitGeometry(instance);
}

static RTCScene solid_scene(RTCDevice device, const WorldBody *body, int robust) {
    RTCScene scene = new_scene(device, robust, RTC_BUILD_QUALITY_MEDIUM);
    WorldBody own = unplaced(body);
    Group group = new_group(device, group_of(body), 1);
    write_body(&own, group.vertices);
    attach(scene, group.geometry);
    rtcCommitScene(scene);
    return scene;
}

static RTCGeometry triangles_of(RTCDevice device, const float *positions, size_t position_count,
                                const uint32_t *triangles, size_t triangle_count) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                             RTC_FORMAT_FLOAT3, 3 * sizeof(float), position_count);
    memcpy(vertices, positions, 3 * sizeof(float) * position_count);
    void *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            3 * sizeof(uint32_t), triangle_count);
    memcpy(corners, triangles, 3 * sizeof(uint32_t) * triangle_count);
    return geometry;
}

static RTCGeometry terrain_of(RTCDevice device, const float *heights, size_t size) {
    float *vertices = malloc(3 * sizeof(float) * size * size);
    for (size_t i = 0; i < size * size; ++i) {
        vertices[3 * i] = (float)(i % size);
        vertices[3 * i + 1] = heights[i];
        vertices[3 * i + 2] = (float)(i / size);
    }
    size_t cells = (size - 1) * (size - 1);
    uint32_t *triangles = malloc(6 * sizeof(uint32_t) * cells);
    for (size_t cell = 0; cell < cells; ++cell) {
        uint32_t at = (uint32_t)(cell / (size - 1) * size + cell % (size - 1));
        uint32_t below = at + (uint32_t)size;
        const uint32_t corners[6] = {at, below, at + 1, at + 1, below, below + 1};
        memcpy(triangles + 6 * cell, corners, sizeof corners);
    }
    RTCGeometry geometry = triangles_of(device, vertices, size * size, triangles, 2 * cells);
    free(triangles);
    free(vertices);
    return geometry;
}

/* Writes all bodies' vertices, and the transforms of instances. */
static void write_all(EmbreeWorld *world, const WorldBody *bodies, size_t count) {
    size_t places[GROUPS] = {0};
    for (size_t i = 0; i < count; ++i) {
        if (world->instances[i]) {
            place(world->instances[i], bodies + i);
        } else {
            int kind = group_of(bodies + i);
            Group *group = world->groups + kind;
            write_body(bodies + i, group->vertices + FLOATS[kind] * places[kind]++);
        }
    }
}

static void add_bodies(EmbreeShape *shape, EmbreeWorld *world, const WorldView *view, int robust,
                       int way, int dynamic) {
    RTCDevice device = shape->device;
    RTCScene *meshes = calloc(view->mesh_count + 1, sizeof *meshes);
    for (size_t i = 0; i < view->mesh_count; ++i) {
        const MeshView *mesh = view->meshes + i;
        meshes[i] = new_scene(device, robust, RTC_BUILD_QUALITY_MEDIUM);
        attach(meshes[i], triangles_of(device, mesh->positions, mesh->position_count,
                                       mesh->triangles, mesh->triangle_count));
        rtcCommitScene(meshes[i]);
    }
    /* Spheres and boxes of unit size are one scene each; capsules have each their own. */
    RTCScene units[GROUPS] = {NULL};
    size_t counts[GROUPS] = {0};
    for (size_t i = 0; i < view->body_count; ++i) {
        const WorldBody *body = view->bodies + i;
        int kind = group_of(body);
        if (body->form == FORM_MESH) {
            world->instances[i] = new_instance(device, meshes[body->mesh]);
        } else if (way != WAY_EACH) {
            ++counts[kind];
        } else if (kind == CAPSULES) {
            RTCScene own = solid_scene(device, body, robust);
            world->instances[i] = new_instance(device, own);
            rtcReleaseScene(own);
        } else {
            if (!units[kind]) units[kind] = solid_scene(device, body, robust);
            world->instances[i] = new_instance(device, units[kind]);
        }
    }
    for (int kind = 0; kind < GROUPS; ++kind) {
        if (counts[kind]) world->groups[kind] = new_group(device, kind, counts[kind]);
    }
    write_all(world, view->bodies, view->body_count);
    for (int kind = 0; kind < GROUPS; ++kind) {
        RTCGeometry geometry = world->groups[kind].geometry;
        if (!geometry) continue;
        if (dynamic) rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
        attach(shape->scene, geometry);
    }
    for (size_t i = 0; i < view->body_count; ++i) {
        if (world->instances[i]) attach(shape->scene, world->instances[i]);
    }
    for (size_t i = 0; i < view->mesh_count; ++i) rtcReleaseScene(meshes[i]);
    for (int kind = 0; kind < GROUPS; ++kind) {
        if (units[kind]) rtcReleaseScene(units[kind]);
    }
    free(meshes);
}

EmbreeShape *embree_world(const char *config, const WorldView *view, int robust, int way,
                          int dynamic, int quality) {
    EmbreeShape *shape = embree_start(config, robust, dynamic, 0, quality);
    if (!shape) return NULL;
    EmbreeWorld *world = calloc(1, sizeof *world);
    world->instances = calloc(view->body_count, sizeof *world->instances);
    shape->world = world;
    shape->free_world = free_world;
    add_bodies(shape, world, view, robust, way, dynamic);
    if (view->heights) {
        RTCGeometry terrain = terrain_of(shape->device, view->heights, view->terrain_size);
        if (way == WAY_EACH) {
            RTCScene scene = new_scene(shape->device, robust, RTC_BUILD_QUALITY_MEDIUM);
            attach(scene, terrain);
            rtcCommitScene(scene);
            attach(shape->scene, new_instance(shape->device, scene));
            rtcReleaseScene(scene);
        } else {
            attach(shape->scene, terrain);
        }
    }
    rtcCommitScene(shape->scene);
    return shape;
}

/* All bodies have moved: refits what is held together, and builds the tree over instances. */
void embree_world_move(EmbreeShape *shape, const WorldBody *bodies, size_t count) {
    EmbreeWorld *world = shape->world;
    write_all(world, bodies, count);
    for (int kind = 0; kind < GROUPS; ++kind) {
        RTCGeometry geometry = world->groups[kind].geometry;
        if (!geometry) continue;
        rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(geometry);
    }
    rtcCommitScene(shape->scene);
}
