/* Box3D's world behind a few plain functions: rays, moving and resting shapes, bodies that move. */

#include "box3d_shape.h"
#include "world.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    b3WorldId id;
    b3BodyId *bodies;
    b3MeshData **meshes;
    size_t mesh_count;
    b3HeightFieldData *terrain;
} Box3dWorld;

static b3Quat rotation_of(const WorldBody *body) {
    const float *q = body->rotation;
    return (b3Quat){{q[0], q[1], q[2]}, q[3]};
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
