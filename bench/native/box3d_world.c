/* Box3D's world behind a few plain functions: rays, moving and resting shapes, bodies that move.
 *
 * The sources are those that the crate box3d-sys vendors; its bindings are not used, as making them
 * needs libclang. */

#include <box3d/box3d.h>

#include "world.h"
#include <math.h>
#include <stdlib.h>

/* A ray has an end in Box3D. */
static const float NO_END = 5000.0f;

typedef struct {
    b3WorldId id;
    b3BodyId *bodies;
    b3MeshData **meshes;
    size_t mesh_count;
    b3HeightFieldData *terrain;
} Box3dWorld;

static b3Vec3 vector_of(const float *v) { return (b3Vec3){v[0], v[1], v[2]}; }

static b3Quat rotation_of(const WorldBody *body) {
    const float *q = body->rotation;
    return (b3Quat){{q[0], q[1], q[2]}, q[3]};
}

b3MeshData *box3d_mesh_data(const float *positions, size_t position_count,
                            const uint32_t *triangles, size_t triangle_count) {
    uint8_t *materials = calloc(triangle_count, 1);
    b3MeshDef def = {0};
    def.vertices = (b3Vec3 *)(uintptr_t)positions;
    def.indices = (int32_t *)(uintptr_t)triangles;
    def.materialIndices = materials;
    def.vertexCount = (int)position_count;
    def.triangleCount = (int)triangle_count;
    b3MeshData *mesh = b3CreateMesh(&def, NULL, 0);
    free(materials);
    return mesh;
}

b3HeightFieldData *box3d_terrain_data(const float *heights, size_t size) {
    uint8_t *materials = calloc((size - 1) * (size - 1), 1);
    b3HeightFieldDef def = {0};
    def.heights = (float *)(uintptr_t)heights;
    def.materialIndices = materials;
    def.scale = (b3Vec3){1.0f, 1.0f, 1.0f};
    def.countX = (int)size;
    def.countZ = (int)size;
    float low = heights[0], high = heights[0];
    for (size_t i = 1; i < size * size; ++i) {
        low = fminf(low, heights[i]);
        high = fmaxf(high, heights[i]);
    }
    def.globalMinimumHeight = low;
    def.globalMaximumHeight = high;
    b3HeightFieldData *terrain = b3CreateHeightField(&def);
    free(materials);
    return terrain;
}

static void add_shape(b3BodyId id, const WorldBody *body, b3MeshData *const *meshes) {
    b3ShapeDef def = b3DefaultShapeDef();
    def.updateBodyMass = false;
    switch (body->form) {
    case FORM_SPHERE: {
        b3Sphere sphere = {{0.0f, 0.0f, 0.0f}, body->size[0]};
        b3CreateSphereShape(id, &def, &sphere);
        break;
    }
    case FORM_ALIGNED_BOX:
    case FORM_TURNED_BOX: {
        b3BoxHull hull = b3MakeBoxHull(body->size[0], body->size[1], body->size[2]);
        b3CreateHullShape(id, &def, &hull.base);
        break;
    }
    case FORM_CAPSULE: {
        float half = body->size[1];
        b3Capsule capsule = {{0.0f, -half, 0.0f}, {0.0f, half, 0.0f}, body->size[0]};
        b3CreateCapsuleShape(id, &def, &capsule);
        break;
    }
    default:
        b3CreateMeshShape(id, &def, meshes[body->mesh], vector_of(body->size));
    }
}

Box3dWorld *box3d_world(const WorldView *view, int is_moving) {
    Box3dWorld *world = calloc(1, sizeof *world);
    b3WorldDef def = b3DefaultWorldDef();
    def.workerCount = 1;
    world->id = b3CreateWorld(&def);
    world->mesh_count = view->mesh_count;
    world->meshes = calloc(view->mesh_count + 1, sizeof *world->meshes);
    for (size_t i = 0; i < view->mesh_count; ++i) {
        const MeshView *mesh = view->meshes + i;
        world->meshes[i] = box3d_mesh_data(mesh->positions, mesh->position_count, mesh->triangles,
                                           mesh->triangle_count);
    }
    world->bodies = calloc(view->body_count, sizeof *world->bodies);
    for (size_t i = 0; i < view->body_count; ++i) {
        const WorldBody *body = view->bodies + i;
        b3BodyDef at = b3DefaultBodyDef();
        at.type = is_moving ? b3_kinematicBody : b3_staticBody;
        at.position = vector_of(body->position);
        at.rotation = rotation_of(body);
        world->bodies[i] = b3CreateBody(world->id, &at);
        add_shape(world->bodies[i], body, world->meshes);
    }
    if (view->heights) {
        world->terrain = box3d_terrain_data(view->heights, view->terrain_size);
        b3BodyDef at = b3DefaultBodyDef();
        b3ShapeDef shape = b3DefaultShapeDef();
        b3CreateHeightFieldShape(b3CreateBody(world->id, &at), &shape, world->terrain);
    }
    b3World_RebuildStaticTree(world->id);
    return world;
}

void box3d_world_free(Box3dWorld *world) {
    b3DestroyWorld(world->id);
    for (size_t i = 0; i < world->mesh_count; ++i) b3DestroyMesh(world->meshes[i]);
    if (world->terrain) b3DestroyHeightField(world->terrain);
    free(world->meshes);
    free(world->bodies);
    free(world);
}

void box3d_world_move(Box3dWorld *world, const WorldBody *bodies, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        b3Body_SetTransform(world->bodies[i], vector_of(bodies[i].position),
                            rotation_of(bodies + i));
    }
}

static float end_of(const Question *question) { return fminf(question->t_max, NO_END); }

static b3Vec3 way_of(const Question *question) {
    float end = end_of(question);
    const float *d = question->direction;
    return (b3Vec3){end * d[0], end * d[1], end * d[2]};
}

void box3d_world_nearest(const Box3dWorld *world, const Question *questions, size_t count,
                         RawMet *answers) {
    b3QueryFilter filter = b3DefaultQueryFilter();
    for (size_t i = 0; i < count; ++i) {
        const Question *question = questions + i;
        b3RayResult hit = b3World_CastRayClosest(world->id, vector_of(question->origin),
                                                 way_of(question), filter);
        answers[i].t = hit.hit ? hit.fraction * end_of(question) : INFINITY;
        answers[i].primitive = UINT32_MAX;
    }
}

static float stop_at_any(b3ShapeId shape, b3Pos point, b3Vec3 normal, float fraction,
                         uint64_t material, int triangle, int child, void *context) {
    (void)shape, (void)point, (void)normal, (void)fraction, (void)material, (void)triangle;
    (void)child;
    *(bool *)context = true;
    return 0.0f;
}

void box3d_world_any(const Box3dWorld *world, const Question *questions, size_t count,
                     bool *answers) {
    b3QueryFilter filter = b3DefaultQueryFilter();
    for (size_t i = 0; i < count; ++i) {
        answers[i] = false;
        b3World_CastRay(world->id, vector_of(questions[i].origin), way_of(questions + i), filter,
                        stop_at_any, answers + i);
    }
}

static float keep_nearest(b3ShapeId shape, b3Pos point, b3Vec3 normal, float fraction,
                          uint64_t material, int triangle, int child, void *context) {
    (void)shape, (void)point, (void)material, (void)triangle, (void)child;
    RawTouch *nearest = context;
    nearest->distance = fraction;
    nearest->normal[0] = normal.x;
    nearest->normal[1] = normal.y;
    nearest->normal[2] = normal.z;
    return fraction;
}

/* The points of a shape; their number is returned. */
static int points_of(Solid solid, b3Vec3 points[8]) {
    float half = solid.half;
    int count = solid.kind == 0 ? 1 : solid.kind == 1 ? 8 : 2;
    for (int i = 0; i < count; ++i) {
        points[i].x = count == 8 ? (i & 1 ? half : -half) : 0.0f;
        points[i].y = count == 1 ? 0.0f : ((count == 2 ? i : i >> 1) & 1 ? half : -half);
        points[i].z = count == 8 ? (i & 4 ? half : -half) : 0.0f;
    }
    return count;
}

b3ShapeProxy box3d_proxy(Solid solid, b3Vec3 points[8]) {
    b3ShapeProxy proxy = {points, points_of(solid, points), solid.kind == 1 ? 0.0f : solid.half};
    return proxy;
}

void box3d_world_moves(const Box3dWorld *world, Solid solid, const Move *moves, size_t count,
                       RawTouch *answers) {
    b3QueryFilter filter = b3DefaultQueryFilter();
    b3Vec3 points[8];
    b3ShapeProxy proxy = box3d_proxy(solid, points);
    for (size_t i = 0; i < count; ++i) {
        answers[i] = (RawTouch){INFINITY, {0.0f, 0.0f, 0.0f}};
        b3World_CastShape(world->id, vector_of(moves[i].middle), &proxy,
                          vector_of(moves[i].motion), filter, keep_nearest, answers + i);
        answers[i].distance *= moves[i].length;
    }
}

static bool stop_at_overlap(b3ShapeId shape, void *context) {
    (void)shape;
    *(bool *)context = true;
    return false;
}

void box3d_world_overlaps(const Box3dWorld *world, Solid solid, const float *middles, size_t count,
                          bool *answers) {
    b3QueryFilter filter = b3DefaultQueryFilter();
    b3Vec3 points[8];
    b3ShapeProxy proxy = box3d_proxy(solid, points);
    for (size_t i = 0; i < count; ++i) {
        answers[i] = false;
        b3World_OverlapShape(world->id, vector_of(middles + 3 * i), &proxy, filter,
                             stop_at_overlap, answers + i);
    }
}
